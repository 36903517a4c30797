//! What a wire format has to say: how a request is spelled, and what the frames of an answer mean.
//!
//! Decoders are pure state machines, so that a stream can be cut at every byte in a test. The
//! [`Reader`] joins one with the framing. Not here: sending, waiting, repeating (`http_call`).

use serde_json::Value;
use skein_domain::finish_reason::FinishReason;
use skein_domain::usage::TokenUsage;
use skein_platform::json_repair;

use super::StreamEvent;
use super::billing::BillingReader;
use super::sse::{Frame, FrameSplitter, Framing};
use super::tool_call_ids::new_call_id;

/// What went wrong inside an answer that had begun with 200.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum DecodeError {
    /// The provider said so, in this JSON.
    Reported(String),
    /// The bytes are not the protocol.
    Malformed(String),
}

/// How far an answer is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum StreamPhase {
    /// More is expected.
    Open,
    /// The answer is whole; figures may follow it.
    Trailing,
    /// Its end marker has come: nothing more is read.
    Closed,
}

/// Understands the frames of one answer.
pub(super) trait ResponseDecoder: Send {
    /// How the format cuts its stream.
    fn cut(&self) -> Framing;
    /// One frame of the stream, parsed.
    fn on_frame(&mut self, frame: &Value, out: &mut Vec<StreamEvent>) -> Result<(), DecodeError>;
    /// Data that is not JSON but means something, such as `[DONE]`. `false`: it does not.
    fn on_word(&mut self, _word: &str, _out: &mut Vec<StreamEvent>) -> bool {
        false
    }
    /// The answer in one piece, where no stream came.
    fn on_whole(&mut self, body: &Value, out: &mut Vec<StreamEvent>) -> Result<(), DecodeError>;
    /// The bytes have ended: what was held back comes out, the finish only if it was announced.
    fn on_end(&mut self, out: &mut Vec<StreamEvent>);
    /// How far the answer is.
    fn phase(&self) -> StreamPhase;
}

/// The events a piece of the body brought, and the fault it ended with.
#[derive(Debug, Default, PartialEq)]
pub(super) struct DecodedEvents {
    pub(super) events: Vec<StreamEvent>,
    pub(super) error: Option<DecodeError>,
}

/// From the bytes of a body to events.
pub(super) struct StreamReader {
    framer: FrameSplitter,
    decoder: Box<dyn ResponseDecoder>,
    billing: BillingReader,
    /// Whether any frame was understood.
    understood: bool,
    /// The first bytes, to be quoted if nothing was understood.
    first_bytes: Vec<u8>,
}

/// Bytes quoted from a body that is not the protocol.
const OPENING: usize = 300;

/// Bytes that may come without a frame in them. Whatever sends more speaks another protocol, or for ever.
const LONGEST: usize = 64 * 1024 * 1024;

impl StreamReader {
    pub(super) fn new(decoder: Box<dyn ResponseDecoder>) -> Self {
        let framer = FrameSplitter::new(decoder.cut());
        let billing = BillingReader::default();
        Self { framer, decoder, billing, understood: false, first_bytes: Vec::new() }
    }

    /// How far the answer is.
    pub(super) fn phase(&self) -> StreamPhase {
        self.decoder.phase()
    }

    /// Takes bytes as they come.
    pub(super) fn push(&mut self, bytes: &[u8]) -> DecodedEvents {
        let missing = OPENING.saturating_sub(self.first_bytes.len());
        self.first_bytes.extend(bytes.iter().take(missing));
        let frames = self.framer.push(bytes);
        let mut brought = self.read(frames, BodyEnd::No);
        if brought.error.is_none() && self.framer.buffered() > LONGEST {
            brought.error = Some(DecodeError::Malformed(self.quoted()));
        }
        brought
    }

    /// The bytes have ended, by themselves or because nothing more is waited for.
    pub(super) fn end(&mut self) -> DecodedEvents {
        let frames = self.framer.end();
        let mut brought = self.read(frames, BodyEnd::Yes);
        if brought.error.is_none() {
            match self.foreign() {
                Some(fault) => brought.error = Some(fault),
                None => self.decoder.on_end(&mut brought.events),
            }
        }
        self.report_billing(&mut brought.events);
        brought
    }

    fn read(&mut self, frames: Vec<Frame>, ending: BodyEnd) -> DecodedEvents {
        let mut brought = DecodedEvents::default();
        for frame in frames {
            if self.decoder.phase() == StreamPhase::Closed {
                break;
            }
            if let Err(fault) = self.take(&frame, ending, &mut brought.events) {
                brought.error = Some(fault);
                break;
            }
        }
        self.report_billing(&mut brought.events);
        brought
    }

    /// What is said of the bill goes with the counters and before the end.
    fn report_billing(&mut self, events: &mut Vec<StreamEvent>) {
        let is_due = |event: &StreamEvent| {
            matches!(event, StreamEvent::Usage { .. } | StreamEvent::Finished { .. })
        };
        if let Some(at) = events.iter().position(is_due)
            && let Some(report) = self.billing.take_changes()
        {
            events.insert(at, StreamEvent::Billing { report: Box::new(report) });
        }
    }

    fn take(
        &mut self,
        frame: &Frame,
        ending: BodyEnd,
        out: &mut Vec<StreamEvent>,
    ) -> Result<(), DecodeError> {
        let (Frame::Data(text) | Frame::Whole(text)) = frame;
        let text = text.trim();
        if text.is_empty() {
            return Ok(());
        }
        match (json_repair::parse::<Value>(text), frame) {
            (Ok(value), Frame::Data(_)) => {
                self.understood = true;
                self.billing.read(text, &value);
                self.decoder.on_frame(&value, out)
            }
            (Ok(Value::Array(values)), Frame::Whole(_)) => {
                self.understood = true;
                values.iter().try_for_each(|value| self.decoder.on_whole(value, out))
            }
            (Ok(value), Frame::Whole(_)) => {
                self.understood = true;
                self.billing.read(text, &value);
                self.decoder.on_whole(&value, out)
            }
            (Err(_), _) if self.decoder.on_word(text, out) => {
                self.understood = true;
                Ok(())
            }
            // What the end cut off is lost with the connection, and no reason to doubt the rest.
            (Err(error), _) if ending == BodyEnd::Yes && error.is_eof() => {
                self.understood = true;
                Ok(())
            }
            (Err(_), _) => Err(DecodeError::Malformed(text.chars().take(OPENING).collect())),
        }
    }

    /// The fault of a body in which nothing was understood and that does not even begin like a
    /// stream.
    fn foreign(&self) -> Option<DecodeError> {
        let opening = self.quoted();
        let alike = |start: &&str| opening.starts_with(start) || start.starts_with(&opening);
        let foreign = !self.understood && !OPENINGS.iter().any(alike);
        foreign.then_some(DecodeError::Malformed(opening))
    }

    fn quoted(&self) -> String {
        let opening = String::from_utf8_lossy(&self.first_bytes);
        opening.trim().trim_start_matches('\u{feff}').to_owned()
    }
}

/// How streams begin.
const OPENINGS: &[&str] = &["data:", "event:", "id:", "retry:", ":", "{"];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum BodyEnd {
    No,
    Yes,
}

/// A count as providers write it: a number, or a number in a string. Negative, fractional-infinite
/// and missing ones are unavailable, never zero (D02, D03).
pub(super) fn parse_count(value: &Value) -> Option<u32> {
    match value {
        Value::Number(number) => {
            let exact = number.as_u64();
            let exact = exact.or_else(|| number.as_f64().and_then(whole));
            exact.and_then(|number| u32::try_from(number).ok())
        }
        Value::String(digits) => digits.trim().parse().ok(),
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => None,
    }
}

fn whole(number: f64) -> Option<u64> {
    let valid = number.is_finite() && number >= 0.0 && number <= f64::from(u32::MAX);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked above")]
    valid.then_some(number.round() as u64)
}

/// Usage as it may be shown: no prompt is empty, and what was said has a length, so a zero there
/// means "not counted".
pub(super) fn plausible_usage(usage: TokenUsage, said: bool) -> TokenUsage {
    let prompt = usage.prompt.filter(|tokens| *tokens > 0);
    let completion = usage.completion.filter(|tokens| *tokens > 0 || !said);
    let sum = prompt.zip(completion).and_then(|(one, other)| one.checked_add(other));
    let total = usage.total.filter(|tokens| *tokens > 0).or(sum);
    let known = |part: Option<u32>, whole: Option<u32>| {
        part.filter(|part| whole.is_some_and(|whole| *part <= whole))
    };
    TokenUsage {
        prompt,
        completion,
        total,
        cached: known(usage.cached, prompt),
        cache_written: known(usage.cache_written, prompt),
        reasoning: known(usage.reasoning, completion),
    }
}

/// What stands for a picture that a model makes. In English, as it becomes part of the reply: it is stored,
/// exported and sent back with it.
const MADE: &str = "\n\n[A picture was made here. It is not kept.]\n\n";

/// How an answer goes, whatever the format: its words, what it used, and its end.
#[derive(Debug, Default)]
pub(super) struct DecoderState {
    /// The figures so far.
    pub(super) usage: TokenUsage,
    /// Whether it says anything: words, thoughts or calls.
    pub(super) has_content: bool,
    /// Why it ends, once that is known.
    pub(super) finish: Option<FinishReason>,
    closed: bool,
}

impl DecoderState {
    /// Words of the answer, where the value holds any.
    pub(super) fn text(&mut self, words: &Value, out: &mut Vec<StreamEvent>) {
        if let Some(delta) = non_empty(words) {
            self.has_content = true;
            out.push(StreamEvent::Text { delta: delta.to_owned() });
        }
    }

    /// Words of its reasoning, where the value holds any.
    pub(super) fn reasoning(&mut self, words: &Value, out: &mut Vec<StreamEvent>) {
        if let Some(delta) = non_empty(words) {
            self.has_content = true;
            out.push(StreamEvent::Reasoning { delta: delta.to_owned() });
        }
    }

    /// A picture it makes, which nothing here can hold.
    pub(super) fn image(&mut self, out: &mut Vec<StreamEvent>) {
        self.text(&MADE.into(), out);
    }

    /// Its last acts, once: the figures, then the end, if one was announced.
    pub(super) fn end(&mut self, out: &mut Vec<StreamEvent>) {
        let Some(reason) = self.finish.filter(|_| !self.closed) else { return };
        self.closed = true;
        let usage = plausible_usage(self.usage, self.has_content);
        if !usage.is_unavailable() {
            out.push(StreamEvent::Usage { usage });
        }
        out.push(StreamEvent::Finished { reason });
    }

    pub(super) fn phase(&self) -> StreamPhase {
        match (self.closed, self.finish) {
            (true, _) => StreamPhase::Closed,
            (false, Some(_)) => StreamPhase::Trailing,
            (false, None) => StreamPhase::Open,
        }
    }
}

/// The id of a call, one made up where the provider gives none.
pub(super) fn call_id(given: &Value) -> String {
    non_empty(given).map_or_else(new_call_id, str::to_owned)
}

/// A string that is there and says something.
pub(super) fn non_empty(value: &Value) -> Option<&str> {
    value.as_str().filter(|text| !text.is_empty())
}

static NOTHING: Value = Value::Null;

/// The value at a place such as `/choices/0`; null where there is none.
pub fn value_at<'a>(value: &'a Value, place: &str) -> &'a Value {
    value.pointer(place).unwrap_or(&NOTHING)
}

/// Whether a member is there and says something.
pub(super) fn is_present(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => false,
        Value::String(text) => !text.is_empty(),
        Value::Object(members) => !members.is_empty(),
        Value::Bool(true) | Value::Number(_) | Value::Array(_) => true,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::http_call::decoder;
    use crate::registry::WireFormat;

    #[test]
    fn what_never_ends_a_frame_is_not_held_for_ever() {
        for begins in ["data: ", "<html>"] {
            let mut reader = StreamReader::new(decoder(WireFormat::Chat, String::new()));
            assert_eq!(reader.push(begins.as_bytes()), DecodedEvents::default());
            let piece = [b'x'; 1 << 20];
            let pieces = (1..=65).find(|_| reader.push(&piece).error.is_some());
            assert_eq!(pieces, Some(64), "{begins}");
        }
    }

    #[test]
    fn d02_what_is_no_count_is_unavailable() {
        for (value, expected) in [
            (json!(12), Some(12)),
            (json!(12.0), Some(12)),
            (json!("12"), Some(12)),
            (json!(0), Some(0)),
            (json!(-1), None),
            (json!(1e40), None),
            (json!(null), None),
            (json!("many"), None),
            (json!([1]), None),
        ] {
            assert_eq!(parse_count(&value), expected, "{value}");
        }
    }

    #[test]
    fn d03_a_zero_that_cannot_be_is_unavailable() {
        let zero =
            TokenUsage { prompt: Some(0), completion: Some(0), total: Some(0), ..<_>::default() };
        assert_eq!(plausible_usage(zero, true), TokenUsage::default());
        let silent = TokenUsage { prompt: Some(9), completion: Some(0), ..<_>::default() };
        let expected = TokenUsage { total: Some(9), ..silent };
        assert_eq!(plausible_usage(silent, false), expected);
    }

    #[test]
    fn d02_a_given_total_is_kept_and_a_missing_one_is_the_sum() {
        let given =
            TokenUsage { prompt: Some(9), completion: Some(2), total: Some(40), ..<_>::default() };
        assert_eq!(plausible_usage(given, true), given);
        let missing = TokenUsage { total: None, ..given };
        assert_eq!(plausible_usage(missing, true).total, Some(11));
        let partial = TokenUsage { completion: None, ..missing };
        assert_eq!(plausible_usage(partial, true).total, None);
    }

    #[test]
    fn d02_a_part_larger_than_its_whole_is_unavailable() {
        let usage = TokenUsage { prompt: Some(9), cached: Some(10), ..<_>::default() };
        assert_eq!(plausible_usage(usage, true).cached, None);
    }
}
