//! A reply as a decoder reads it, whole and cut at every byte.

use std::path::Path;

use serde_json::Value;
use skein_domain::finish_reason::FinishReason;
use skein_domain::usage::TokenUsage;

use crate::formats::wire_format;
use crate::registry::FormatId;
use crate::stream_event::StreamEvent;
use crate::wire::response_decoder::DecodeError;
use crate::wire::stream_reader::{DecodedEvents, StreamReader};

/// The content of a reply.
#[derive(Debug, Default, Clone, PartialEq)]
pub(super) struct DecodedReply {
    pub(super) text: String,
    pub(super) reasoning: String,
    pub(super) signatures: Vec<String>,
    /// Name and arguments of each call.
    pub(super) calls: Vec<(String, String)>,
    /// The items of a provider's own compaction.
    pub(super) encrypted: Vec<Value>,
    pub(super) usage: Vec<TokenUsage>,
    pub(super) finish: Option<FinishReason>,
    pub(super) fault: Option<DecodeError>,
}

impl DecodedReply {
    fn take(&mut self, decoded: DecodedEvents) {
        assert!(self.fault.is_none(), "nothing follows a fault");
        for event in decoded.events {
            assert!(self.finish.is_none(), "nothing follows the finish: {event:?}");
            match event {
                StreamEvent::Retrying { .. }
                | StreamEvent::OutputCapped { .. }
                | StreamEvent::EffortRefused { .. } => {
                    unreachable!("decoders do not wait")
                }
                StreamEvent::Text { delta } => self.text.push_str(&delta),
                StreamEvent::Reasoning { delta } => self.reasoning.push_str(&delta),
                StreamEvent::ReasoningSignature { signature }
                | StreamEvent::CallSignature { signature, .. } => self.signatures.push(signature),
                StreamEvent::ToolCall { index, name, .. } => {
                    assert_eq!(usize::try_from(index).unwrap(), self.calls.len());
                    self.calls.push((name, String::new()));
                }
                StreamEvent::ToolArgs { index, delta } => {
                    self.calls[usize::try_from(index).unwrap()].1.push_str(&delta);
                }
                StreamEvent::EncryptedSummary { items } => self.encrypted = items,
                StreamEvent::Usage { usage } => self.usage.push(usage),
                StreamEvent::Billing { .. } => {}
                StreamEvent::Finished { reason } => self.finish = Some(reason),
            }
        }
        self.fault = decoded.error;
    }
}

pub(super) fn told(format: FormatId, pieces: &[&[u8]]) -> DecodedReply {
    let mut reader = StreamReader::new((wire_format(format).decoder)("here".to_owned()));
    let mut told = DecodedReply::default();
    for piece in pieces {
        told.take(reader.push(piece));
        if told.fault.is_some() {
            return told;
        }
    }
    told.take(reader.end());
    told
}

pub(super) fn recorded(name: &str) -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/streams").join(name);
    let http = std::fs::read(path.with_extension("http")).unwrap();
    scripted_server::parted(&http).1.to_vec()
}

pub(super) fn said(text: &str) -> DecodedReply {
    DecodedReply {
        text: text.to_owned(),
        finish: Some(FinishReason::Stop),
        ..DecodedReply::default()
    }
}

pub(super) fn usage(prompt: u32, completion: u32, total: u32) -> TokenUsage {
    TokenUsage {
        prompt: Some(prompt),
        completion: Some(completion),
        total: Some(total),
        ..TokenUsage::default()
    }
}

/// Checks a reply cut at every byte, in two pieces and truncated: no panic, no lost text, no false
/// figure. Long recordings repeat one kind of frame hundreds of times, so only every 13th byte of
/// those is tried; over all frames that covers every offset.
pub(super) fn check_cuts(format: FormatId, body: &[u8]) -> DecodedReply {
    let whole = told(format, &[body]);
    let stride = if body.len() > 4_000 { 13 } else { 1 };
    for at in (0..body.len()).step_by(stride) {
        let (one, other) = body.split_at(at);
        assert_eq!(told(format, &[one, other]), whole, "in two pieces at {at}");
        let cut = told(format, &[one]);
        assert!(whole.text.starts_with(&cut.text), "at {at}: {:?}", cut.text);
        assert!(whole.reasoning.starts_with(&cut.reasoning), "at {at}");
        assert!(whole.calls.len() >= cut.calls.len(), "at {at}");
        for ((name, args), (known, all)) in cut.calls.iter().zip(&whole.calls) {
            assert!(name == known && all.starts_with(args.as_str()), "at {at}");
        }
        assert!(cut.finish.is_none() || cut.finish == whole.finish, "at {at}");
        let last = whole.usage.last().copied().unwrap_or_default();
        for usage in &cut.usage {
            assert!(usage.prompt.is_none() || usage.prompt == last.prompt, "at {at}");
            assert!(usage.completion.is_none() || usage.completion == last.completion, "at {at}");
        }
    }
    let bytes: Vec<&[u8]> = body.chunks(1).collect();
    assert_eq!(told(format, &bytes), whole, "byte by byte");
    let crlf = String::from_utf8_lossy(body).replace('\n', "\r\n");
    assert_eq!(told(format, &[crlf.as_bytes()]), whole, "with CRLF");
    whole
}

pub(super) fn check(format: FormatId, name: &str, expected: &DecodedReply) {
    assert_eq!(&check_cuts(format, &recorded(name)), expected, "{name}");
}

pub(super) const HELLO: &str = "Hello there! naïve café ☕ 😀 done.";

pub(super) const PARIS: &str = r#"{"city":"Paris","unit":"celsius"}"#;

pub(super) fn thought(told: DecodedReply) -> DecodedReply {
    DecodedReply {
        reasoning: "Let me think about this carefully, step by step.".to_owned(),
        ..told
    }
}

pub(super) fn called(told: DecodedReply) -> DecodedReply {
    let calls = [("get_weather", PARIS), ("get_time", r#"{"tz":"Europe/Paris"}"#)];
    DecodedReply {
        calls: calls.iter().map(|(name, args)| ((*name).into(), (*args).into())).collect(),
        finish: Some(FinishReason::ToolCalls),
        ..told
    }
}

pub(super) fn events(frames: &[&str]) -> String {
    frames.iter().map(|data| format!("data: {data}\n\n")).collect()
}

pub(super) fn told_of(name: &str) -> DecodedReply {
    check_cuts(FormatId::OpenAiChat, &recorded(name))
}
