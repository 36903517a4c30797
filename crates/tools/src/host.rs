//! What the built-in tools need of the rest of the program, as the few operations they use.
//!
//! `app` implements them over the store, bound to one session, so that a tool cannot reach another session
//! whatever the model asks for.

use async_trait::async_trait;
use skein_domain::error::Result;
use skein_domain::ids::{MessageId, ReminderId};

/// What is stored of one session, and its context.
#[async_trait]
pub trait ToolHost: Send + Sync {
    /// The best `limit` passages of what was said, whether or not it is still in the context, in the order
    /// they were said.
    async fn search_history(&self, query: &str, limit: u32) -> Result<Vec<HistoryPassage>>;
    /// The newest results of tools, newest first, also those that left the context long ago.
    async fn list_results(&self) -> Result<Vec<StoredResult>>;
    /// The whole text of one result; `None` if this session has no such result.
    async fn read_result(&self, key: &str) -> Result<Option<String>>;
    /// Adds a reminder (D13), for this session or for every session.
    async fn add_reminder(
        &self,
        content: &str,
        everywhere: bool,
        continuation: bool,
    ) -> Result<ReminderId>;
    /// Replaces the words of a reminder of this session that the user did not write.
    async fn update_reminder(&self, id: ReminderId, content: &str) -> Result<()>;
    /// Removes a reminder of this session that the user did not write.
    async fn delete_reminder(&self, id: ReminderId) -> Result<()>;
    /// Notes that the thread shall end after this reply (D15), with `handoff` carried into the next one if
    /// it is given. Whether it does is decided when every call of the reply has ended.
    fn request_clear(&self, handoff: Option<&str>);
}

/// Whose words a passage of the history is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PassageAuthor {
    User,
    Model,
    /// The program: a notice.
    Program,
    /// Neither: a file or a tool's result, whoever's message it came with.
    Document,
}

/// A place in the session's history.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HistoryPassage {
    /// The number of its thread within the session.
    pub thread: u32,
    pub message: MessageId,
    /// Whose words it is.
    pub author: PassageAuthor,
    /// What was found, with what stands around it.
    pub text: String,
}

/// A tool result as it is listed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredResult {
    /// What [`ToolHost::read_result`] takes: the number of an output that was kept whole outside the
    /// context, else whatever finds the call again.
    pub key: String,
    /// The tool that returned it.
    pub tool: String,
    /// The arguments it was given, JSON.
    pub args: String,
    /// Its length in characters.
    pub chars: u32,
}

/// Where `web_search` asks.
#[derive(Clone)]
pub enum SearchBackend {
    Brave {
        /// Its key; shown nowhere.
        key: String,
    },
    Tavily {
        /// Its key; shown nowhere.
        key: String,
    },
    /// A SearXNG instance with its JSON format enabled.
    Searxng {
        /// Where it is, for example `https://search.example.org`.
        url: String,
    },
}
