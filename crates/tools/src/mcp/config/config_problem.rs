//! Problems of a pasted MCP configuration.

use serde::{Deserialize, Serialize};
use specta::Type;

/// A problem of a pasted text, or of one server in it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum ConfigProblem {
    /// The text is not JSON.
    NotJson {
        /// From 1.
        line: u32,
        /// From 1.
        column: u32,
        /// For developers.
        detail: String,
    },
    /// The text is JSON without servers.
    NoServers {},
    /// A server has neither a command nor an address.
    NothingToStart {
        /// The server's name.
        server: String,
    },
    /// A field of a server has the wrong type.
    WrongType {
        /// The server's name.
        server: String,
        /// The field.
        key: String,
    },
    /// A variable or header has an invalid name. In the line that the user approves, it could look
    /// like more than a name.
    WrongName {
        /// The server's name.
        server: String,
        /// The variable or header.
        name: String,
    },
}
