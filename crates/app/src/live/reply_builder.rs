//! Builds a reply from stream events, and the deltas for the UI since the last flush.
//!
//! Pure, so that it can be tested without a stream. Not here: when to flush and where to
//! (`live::turn_broadcast`).

use std::collections::HashMap;

use skein_domain::cost::BillingReport;
use skein_domain::finish_reason::FinishReason;
use skein_domain::ids::MessageId;
use skein_domain::message::{ContentPart, OutputCap, ToolCall, ToolState};
use skein_domain::usage::TokenUsage;
use skein_providers::{StreamEvent, new_call_id};

use crate::events::TurnEvent;

/// The largest delta in bytes: larger payloads leave the fast path of the channel.
const MAX_DELTA: usize = 8 * 1024 - 512;

/// A reply in progress.
#[derive(Debug, Default)]
pub struct ReplyBuilder {
    parts: Vec<ContentPart>,
    calls: HashMap<u32, usize>,
    usage: TokenUsage,
    billing: BillingReport,
    finish: Option<FinishReason>,
    shortened: Option<OutputCap>,
    pending_deltas: Vec<ReplyDelta>,
}

#[derive(Debug, PartialEq)]
enum ReplyDelta {
    Text(String),
    Reasoning(String),
    Call {
        call_id: String,
    },
    /// More arguments of a call that was sent before.
    Arguments {
        call_id: String,
    },
}

impl ReplyBuilder {
    /// Applies one event of the stream. `Retrying` and `EffortRefused` are only for the UI and change
    /// nothing. `EncryptedSummary` is no part of a reply.
    pub fn apply(&mut self, event: StreamEvent) {
        match event {
            StreamEvent::Retrying { .. }
            | StreamEvent::EffortRefused { .. }
            | StreamEvent::EncryptedSummary { .. } => {}
            StreamEvent::OutputCapped { cap: shortened } => self.shortened = Some(shortened),
            StreamEvent::Text { delta } => self.append_text(delta),
            StreamEvent::Reasoning { delta } => self.append_reasoning(delta),
            StreamEvent::ReasoningSignature { signature } => self.sign_reasoning(signature),
            StreamEvent::ToolCall { index, call_id, name, signature } => {
                // A call is found only by its id, and some servers give two calls of a reply the same id.
                let call_id = if self.has_call(&call_id) { new_call_id() } else { call_id };
                self.calls.insert(index, self.parts.len());
                self.pending_deltas.push(ReplyDelta::Call { call_id: call_id.clone() });
                let state = ToolState::Pending {};
                let call = ToolCall { call_id, name, args: String::new(), signature, state };
                self.parts.push(ContentPart::Tool { call });
            }
            StreamEvent::ToolArgs { index, delta } => {
                if let Some(call) = self.call(index) {
                    call.args.push_str(&delta);
                    let call_id = call.call_id.clone();
                    self.note_arguments(call_id);
                }
            }
            StreamEvent::CallSignature { index, signature } => {
                if let Some(call) = self.call(index) {
                    call.signature = Some(signature);
                }
            }
            StreamEvent::Usage { usage } => self.usage = usage,
            StreamEvent::Billing { report } => self.billing = *report,
            StreamEvent::Finished { reason } => self.finish = Some(reason),
        }
    }

    /// The parts so far.
    pub fn parts(&self) -> &[ContentPart] {
        &self.parts
    }

    /// The usage that the provider reported so far.
    pub fn usage(&self) -> TokenUsage {
        self.usage
    }

    /// The billing report so far.
    pub fn billing(&self) -> &BillingReport {
        &self.billing
    }

    /// The finish reason; `None`: the reply is in progress, or the stream ended without one.
    pub fn finish(&self) -> Option<FinishReason> {
        self.finish
    }

    /// The cap if a shorter reply was asked for than the turn wanted; `None`: it was not.
    pub fn shortened(&self) -> Option<OutputCap> {
        self.shortened
    }

    /// The events since the last flush, in order, each within the payload limit.
    pub fn flush(&mut self, message_id: MessageId) -> Vec<TurnEvent> {
        let mut events = Vec::new();
        for delta in std::mem::take(&mut self.pending_deltas) {
            match delta {
                ReplyDelta::Text(text) => events.extend(
                    pieces(&text).map(|delta| TurnEvent::Text { message_id, delta: delta.into() }),
                ),
                ReplyDelta::Reasoning(text) => events.extend(
                    pieces(&text)
                        .map(|delta| TurnEvent::Reasoning { message_id, delta: delta.into() }),
                ),
                ReplyDelta::Call { call_id } => {
                    events.extend(self.call_event(message_id, &call_id))
                }
                ReplyDelta::Arguments { call_id } => {
                    events.extend(self.arguments_event(message_id, call_id));
                }
            }
        }
        events
    }

    fn call(&mut self, index: u32) -> Option<&mut ToolCall> {
        self.parts.get_mut(*self.calls.get(&index)?)?.as_call_mut()
    }

    fn has_call(&self, call_id: &str) -> bool {
        self.find_call(call_id).is_some()
    }

    /// Adds one arguments event per flush, unless the call itself is in the same flush.
    fn note_arguments(&mut self, of: String) {
        let is_told = self.pending_deltas.iter().any(|delta| match delta {
            ReplyDelta::Call { call_id } | ReplyDelta::Arguments { call_id } => *call_id == of,
            ReplyDelta::Text(_) | ReplyDelta::Reasoning(_) => false,
        });
        if !is_told {
            self.pending_deltas.push(ReplyDelta::Arguments { call_id: of });
        }
    }

    fn find_call(&self, call_id: &str) -> Option<&ToolCall> {
        self.parts.iter().filter_map(ContentPart::as_call).find(|call| call.call_id == call_id)
    }

    fn call_event(&self, message_id: MessageId, call_id: &str) -> Option<TurnEvent> {
        let call = self.find_call(call_id)?.clone();
        Some(TurnEvent::ToolCall { message_id, call })
    }

    fn arguments_event(&self, message_id: MessageId, call_id: String) -> Option<TurnEvent> {
        let chars = self.find_call(&call_id)?.args.chars().count();
        let chars = u32::try_from(chars).unwrap_or(u32::MAX);
        Some(TurnEvent::Arguments { message_id, call_id, chars })
    }

    fn append_text(&mut self, delta: String) {
        match self.pending_deltas.last_mut() {
            Some(ReplyDelta::Text(text)) => text.push_str(&delta),
            _ => self.pending_deltas.push(ReplyDelta::Text(delta.clone())),
        }
        match self.parts.last_mut() {
            Some(ContentPart::Text { text }) => text.push_str(&delta),
            _ => self.parts.push(ContentPart::Text { text: delta }),
        }
    }

    fn append_reasoning(&mut self, delta: String) {
        match self.pending_deltas.last_mut() {
            Some(ReplyDelta::Reasoning(text)) => text.push_str(&delta),
            _ => self.pending_deltas.push(ReplyDelta::Reasoning(delta.clone())),
        }
        match self.parts.last_mut() {
            Some(ContentPart::Reasoning { text, signature: None }) => text.push_str(&delta),
            _ => self.parts.push(ContentPart::Reasoning { text: delta, signature: None }),
        }
    }

    fn sign_reasoning(&mut self, sealed: String) {
        match self.parts.last_mut() {
            Some(ContentPart::Reasoning { signature, .. }) if signature.is_none() => {
                *signature = Some(sealed);
            }
            _ => self
                .parts
                .push(ContentPart::Reasoning { text: String::new(), signature: Some(sealed) }),
        }
    }
}

/// Divides a text at character boundaries into pieces of at most [`MAX_DELTA`] bytes.
fn pieces(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let (piece, tail) = rest.split_at_checked(rest.floor_char_boundary(MAX_DELTA))?;
        rest = tail;
        Some(piece)
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn text(delta: &str) -> StreamEvent {
        StreamEvent::Text { delta: delta.into() }
    }

    #[test]
    fn words_of_one_kind_grow_one_part_and_another_kind_begins_the_next() {
        let mut reply = ReplyBuilder::default();
        for event in [
            StreamEvent::Reasoning { delta: "I ".into() },
            StreamEvent::Reasoning { delta: "see".into() },
            StreamEvent::ReasoningSignature { signature: "s".into() },
            text("Hel"),
            text("lo"),
            StreamEvent::ToolCall {
                index: 4,
                call_id: "c".into(),
                name: "glob".into(),
                signature: None,
            },
            StreamEvent::ToolArgs { index: 4, delta: "{\"a\"".into() },
            StreamEvent::ToolArgs { index: 4, delta: ":1}".into() },
            text("after"),
        ] {
            reply.apply(event);
        }
        let call = ToolCall {
            call_id: "c".into(),
            name: "glob".into(),
            args: "{\"a\":1}".into(),
            signature: None,
            state: ToolState::Pending {},
        };
        assert_eq!(
            reply.parts(),
            [
                ContentPart::Reasoning { text: "I see".into(), signature: Some("s".into()) },
                ContentPart::Text { text: "Hello".into() },
                ContentPart::Tool { call },
                ContentPart::Text { text: "after".into() },
            ]
        );
        assert_eq!(reply.finish(), None);
    }

    #[test]
    fn of_growing_arguments_each_flush_tells_once_how_long_they_are() {
        let mut reply = ReplyBuilder::default();
        let args = |index, delta: &str| StreamEvent::ToolArgs { index, delta: delta.to_owned() };
        for index in [0, 1] {
            let (call_id, name) = (format!("c{index}"), "write_file".to_owned());
            reply.apply(StreamEvent::ToolCall { index, call_id, name, signature: None });
            reply.apply(args(index, "{"));
        }
        let told = |reply: &mut ReplyBuilder| -> Vec<_> {
            let told = reply.flush(MessageId(1)).into_iter().map(|event| match event {
                TurnEvent::Arguments { call_id, chars, .. } => (call_id, Some(chars)),
                TurnEvent::ToolCall { call, .. } => (call.call_id, None),
                other => panic!("{other:?}"),
            });
            told.collect()
        };
        let (one, other) = ("c0".to_owned(), "c1".to_owned());
        assert_eq!(told(&mut reply), [(one.clone(), None), (other.clone(), None)]);
        for (index, delta) in [(0, "织"), (1, "a"), (0, "bc")] {
            reply.apply(args(index, delta));
        }
        assert_eq!(told(&mut reply), [(one, Some(4)), (other, Some(2))]);
        assert_eq!(told(&mut reply), []);
    }

    #[test]
    fn a_call_with_the_id_of_one_before_gets_an_id_of_its_own() {
        let mut reply = ReplyBuilder::default();
        for (index, args) in [(0, "{}"), (1, "[1]"), (2, "[2]")] {
            let (call_id, name) = ("grep:3".to_owned(), "grep".to_owned());
            reply.apply(StreamEvent::ToolCall { index, call_id, name, signature: None });
            reply.apply(StreamEvent::ToolArgs { index, delta: args.into() });
        }
        let flushed = reply.flush(MessageId(1));
        let told = flushed.iter().map(|event| match event {
            TurnEvent::ToolCall { call, .. } => (call.call_id.clone(), call.args.clone()),
            other => panic!("{other:?}"),
        });
        let told: Vec<_> = told.collect();
        let args: Vec<_> = told.iter().map(|(_, args)| args.as_str()).collect();
        assert_eq!(args, ["{}", "[1]", "[2]"]);
        let ids: std::collections::HashSet<_> = told.iter().map(|(id, _)| id).collect();
        assert_eq!(ids.len(), 3, "{told:?}");
        assert_eq!(told.first().map(|(id, _)| id.as_str()), Some("grep:3"));
    }

    proptest! {
        #[test]
        fn what_is_flushed_is_what_was_said_whatever_the_chunks(
            chunks in proptest::collection::vec("\\PC{0,40}|(漢字🧶){0,3000}", 0..12),
            every in 1usize..4,
        ) {
            let mut reply = ReplyBuilder::default();
            let mut heard = String::new();
            let id = MessageId(1);
            let hear = |events: Vec<TurnEvent>, heard: &mut String| {
                for event in events {
                    if let TurnEvent::Text { delta, .. } = event {
                        assert!(delta.len() <= MAX_DELTA);
                        heard.push_str(&delta);
                    }
                }
            };
            for (at, chunk) in chunks.iter().enumerate() {
                reply.apply(text(chunk));
                if at % every == 0 {
                    hear(reply.flush(id), &mut heard);
                }
            }
            hear(reply.flush(id), &mut heard);
            prop_assert_eq!(heard, chunks.concat());
        }
    }
}
