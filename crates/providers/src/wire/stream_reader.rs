//! Turns the bytes of a body into events, with a framing and a decoder.
//!
//! Not here: sending, waiting, repeating (`calls`).

use serde_json::Value;
use skein_platform::json_repair;

use super::billing::BillingReader;
use super::response_decoder::{DecodeError, ResponseDecoder, StreamPhase};
use super::sse::{Frame, FrameSplitter};
use crate::stream_event::StreamEvent;

/// The events of a piece of the body, and the error it ended with.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct DecodedEvents {
    pub(crate) events: Vec<StreamEvent>,
    pub(crate) error: Option<DecodeError>,
}

/// Turns the bytes of a body into events.
pub(crate) struct StreamReader {
    framer: FrameSplitter,
    decoder: Box<dyn ResponseDecoder>,
    billing: BillingReader,
    /// True after the first valid frame.
    has_valid_frame: bool,
    /// The first bytes, quoted in the error if no frame was valid.
    first_bytes: Vec<u8>,
}

/// The limit of that quotation, in bytes.
const MAX_QUOTE: usize = 300;

/// The limit of bytes without a frame. A server that sends more speaks another protocol, or never
/// ends.
const MAX_WITHOUT_FRAME: usize = 64 * 1024 * 1024;

impl StreamReader {
    pub(crate) fn new(decoder: Box<dyn ResponseDecoder>) -> Self {
        let framer = FrameSplitter::new(decoder.cut());
        let billing = BillingReader::default();
        Self { framer, decoder, billing, has_valid_frame: false, first_bytes: Vec::new() }
    }

    /// The progress of the reply.
    pub(crate) fn phase(&mut self) -> StreamPhase {
        self.decoder.phase()
    }

    /// Adds bytes.
    pub(crate) fn push(&mut self, bytes: &[u8]) -> DecodedEvents {
        let missing = MAX_QUOTE.saturating_sub(self.first_bytes.len());
        self.first_bytes.extend(bytes.iter().take(missing));
        let frames = self.framer.push(bytes);
        let mut decoded = self.read(frames, BodyEnd::No);
        if decoded.error.is_none() && self.framer.buffered() > MAX_WITHOUT_FRAME {
            decoded.error = Some(DecodeError::Malformed(self.quoted()));
        }
        decoded
    }

    /// Handles the end of the bytes, or of waiting for more.
    pub(crate) fn end(&mut self) -> DecodedEvents {
        let frames = self.framer.end();
        let mut decoded = self.read(frames, BodyEnd::Yes);
        if decoded.error.is_none() {
            let before = decoded.events.len();
            match self.protocol_mismatch() {
                Some(error) => decoded.error = Some(error),
                None => self.decoder.on_end(&mut decoded.events),
            }
            self.report_billing(before, &mut decoded.events);
        }
        decoded
    }

    fn read(&mut self, frames: Vec<Frame>, ending: BodyEnd) -> DecodedEvents {
        let mut decoded = DecodedEvents::default();
        for frame in frames {
            if self.decoder.phase() == StreamPhase::Closed {
                break;
            }
            let before = decoded.events.len();
            let ended = self.take(&frame, ending, &mut decoded.events);
            self.report_billing(before, &mut decoded.events);
            if let Err(fault) = ended {
                decoded.error = Some(fault);
                break;
            }
        }
        decoded
    }

    /// Emits the billing report with the counters and before the finish that one frame added behind the
    /// first `before` events. A frame at a time, so that it does not depend on the cuts of the network.
    fn report_billing(&mut self, before: usize, events: &mut Vec<StreamEvent>) {
        let is_due = |event: &StreamEvent| {
            matches!(event, StreamEvent::Usage { .. } | StreamEvent::Finished { .. })
        };
        if let Some(at) = events.iter().skip(before).position(is_due)
            && let Some(report) = self.billing.take_changes()
        {
            events.insert(before + at, StreamEvent::Billing { report: Box::new(report) });
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
        let parsed = json_repair::parse::<Value>(text);
        let decoded = match (&parsed, frame) {
            (Ok(Value::Array(values)), Frame::Whole(_)) => {
                values.iter().try_for_each(|value| self.decoder.on_whole(value, out))
            }
            (Ok(value), Frame::Data(_)) => {
                self.billing.read(text, value);
                self.decoder.on_frame(value, out)
            }
            (Ok(value), Frame::Whole(_)) => {
                self.billing.read(text, value);
                self.decoder.on_whole(value, out)
            }
            (Err(_), _) if self.decoder.on_word(text, out) => Ok(()),
            // A frame that the end cut off is lost with the connection; the frames before it stay
            // valid.
            (Err(error), _) if ending == BodyEnd::Yes && error.is_eof() => Ok(()),
            (Err(_), _) => {
                let quote = text.chars().take(MAX_QUOTE).collect();
                return Err(DecodeError::Malformed(quote));
            }
        };
        self.has_valid_frame = true;
        decoded
    }

    /// The error of a body without a valid frame that does not begin like a stream either.
    fn protocol_mismatch(&self) -> Option<DecodeError> {
        let opening = self.quoted();
        let alike = |start: &&str| opening.starts_with(start) || start.starts_with(&opening);
        let foreign = !self.has_valid_frame && !STREAM_BEGINNINGS.iter().any(alike);
        foreign.then_some(DecodeError::Malformed(opening))
    }

    fn quoted(&self) -> String {
        let opening = String::from_utf8_lossy(&self.first_bytes);
        opening.trim().trim_start_matches('\u{feff}').to_owned()
    }
}

/// A body of a stream begins with one of these: a field of SSE, or an object of NDJSON.
const STREAM_BEGINNINGS: &[&str] = &["data:", "event:", "id:", "retry:", ":", "{"];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum BodyEnd {
    No,
    Yes,
}
