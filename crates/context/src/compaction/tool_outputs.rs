//! Chooses the tool output to remove from a window that is over its limit (P09).
//!
//! Not here: removing it (`app::turn::preflight`).

use skein_domain::ids::MessageId;
use skein_domain::message::{ToolCall, ToolState};

use super::decision::Decision;
use crate::window::{FixedTokens, PromptEntry, Window};

/// The number of tokens that removing an output must free at least.
const MIN_FREED: u32 = 100;

/// P09: the output to remove when nothing else makes room; `None`: there is none worth it.
pub(super) fn drop_tool_output(window: &Window<'_>) -> Option<Decision> {
    oversized_output(window).or_else(|| largest_output(window))
}

/// The largest output of the last calls in the window, if it is oversized: more than a quarter of the whole
/// prompt.
pub(super) fn oversized_output(window: &Window<'_>) -> Option<Decision> {
    let fixed = window.conversation.prefix.fixed;
    let last = window.entries.iter().rev().find_map(|entry| largest_of(calls(entry, fixed)))?;
    last.withhold_if_frees(window.used.tokens / 4)
}

/// The largest output of all calls. In one long round of many calls each may be small. The model can read the
/// output again by its number.
pub(super) fn largest_output(window: &Window<'_>) -> Option<Decision> {
    let fixed = window.conversation.prefix.fixed;
    let calls = window.entries.iter().flat_map(|entry| calls(entry, fixed));
    largest_of(calls)?.withhold_if_frees(MIN_FREED)
}

/// A tool call in the prompt.
#[derive(Clone, Copy)]
struct SentCall<'a> {
    message: MessageId,
    call: &'a ToolCall,
    /// Tokens that leave the prompt if the output of this call is removed. The call itself stays.
    freed: u32,
}

impl SentCall<'_> {
    /// The decision to remove the output, if that frees more than this many tokens.
    fn withhold_if_frees(self, more_than: u32) -> Option<Decision> {
        let SentCall { message: message_id, call, freed } = self;
        let frees_enough = freed > more_than;
        frees_enough.then(|| Decision::Withhold { message_id, call_id: call.call_id.clone() })
    }
}

fn largest_of<'a>(calls: impl Iterator<Item = SentCall<'a>>) -> Option<SentCall<'a>> {
    calls.max_by_key(|call| call.freed)
}

/// The tool calls of a prompt entry.
fn calls<'a>(
    entry: &PromptEntry<'a>,
    fixed: FixedTokens,
) -> impl Iterator<Item = SentCall<'a>> + use<'a> {
    entry.content.as_tail_message().into_iter().flat_map(move |sent| {
        let message = sent.counted.message.id;
        sent.results(fixed).map(move |(call, tokens)| {
            let freed = if has_output(call) { tokens.saturating_sub(fixed.withheld) } else { 0 };
            SentCall { message, call, freed }
        })
    })
}

fn has_output(call: &ToolCall) -> bool {
    matches!(&call.state, ToolState::Done { output } if !output.withheld)
}
