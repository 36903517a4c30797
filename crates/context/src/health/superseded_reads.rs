//! W06: the superseded reads of a window, beside the rows of the breakdown.
//!
//! Not here: which reads are superseded (`window::superseded_reads`).

use serde::{Deserialize, Serialize};
use skein_domain::ids::MessageId;
use specta::Type;

use crate::window::Window;

/// A read of a file whose output a note replaces in the request, because a later read follows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct SupersededRead {
    /// The message with the call.
    pub message_id: MessageId,
    /// The call.
    pub call_id: String,
    /// The tokens of its output, which the request does not have.
    pub tokens: u32,
}

/// The superseded reads of a window, in the path's order.
pub fn superseded_reads(window: &Window<'_>) -> Vec<SupersededRead> {
    let sent = window.entries.iter().filter_map(|entry| entry.content.as_tail_message());
    let reads = sent.flat_map(|sent| {
        let message_id = sent.counted.message.id;
        sent.superseded_reads().map(move |(call, tokens)| SupersededRead {
            message_id,
            call_id: call.call_id.clone(),
            tokens,
        })
    });
    reads.collect()
}
