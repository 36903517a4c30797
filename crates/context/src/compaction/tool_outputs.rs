//! Which tool output leaves a window that is over its limit (P09).

use skein_domain::ids::MessageId;
use skein_domain::message::{ToolCall, ToolState};

use super::decision::Decision;
use crate::window::{FixedTokens, PromptEntry, Window};

/// An output is not worth its withholding that makes room for no more tokens.
const WITHHELD_LEAST: u32 = 100;

/// P09: what leaves where nothing else makes room.
pub(super) fn drop_tool_output(window: &Window<'_>) -> Option<Decision> {
    oversized_output(window).or_else(|| largest_output(window))
}

/// The largest output of the last calls in the window, if it is oversized: more than a quarter of
/// everything sent.
pub(super) fn oversized_output(window: &Window<'_>) -> Option<Decision> {
    let frames = window.conversation.prefix.fixed;
    let last = window.entries.iter().rev().find_map(|line| largest_of(calls(line, frames)))?;
    last.leaves(window.used.tokens / 4)
}

/// The largest output of all, where nothing else makes room: in one long round of many calls each of
/// them may be small. The model can read it again by its number.
pub(super) fn largest_output(window: &Window<'_>) -> Option<Decision> {
    let frames = window.conversation.prefix.fixed;
    let calls = window.entries.iter().flat_map(|line| calls(line, frames));
    largest_of(calls)?.leaves(WITHHELD_LEAST)
}

/// A tool call that is sent.
#[derive(Clone, Copy)]
struct SentCall<'a> {
    message: MessageId,
    call: &'a ToolCall,
    /// Tokens that leave the context if the output of this call is dropped. The call itself stays.
    freed: u32,
}

impl SentCall<'_> {
    /// That its output leaves the context, if that makes room for more than so many tokens.
    fn leaves(self, more_than: u32) -> Option<Decision> {
        let SentCall { message: message_id, call, freed } = self;
        let leaves = freed > more_than;
        leaves.then(|| Decision::Withhold { message_id, call_id: call.call_id.clone() })
    }
}

fn largest_of<'a>(calls: impl Iterator<Item = SentCall<'a>>) -> Option<SentCall<'a>> {
    calls.max_by_key(|call| call.freed)
}

/// The tool calls of a line.
fn calls<'a>(
    line: &PromptEntry<'a>,
    frames: FixedTokens,
) -> impl Iterator<Item = SentCall<'a>> + use<'a> {
    line.content.as_tail_message().into_iter().flat_map(move |sent| {
        let message = sent.counted.message.id;
        sent.results(frames).map(move |(call, tokens)| {
            let freed = if has_output(call) { tokens.saturating_sub(frames.withheld) } else { 0 };
            SentCall { message, call, freed }
        })
    })
}

fn has_output(call: &ToolCall) -> bool {
    matches!(&call.state, ToolState::Done { output } if !output.withheld)
}
