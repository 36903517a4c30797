//! From the bytes of a body to events: joins a decoder with the framing.
//!
//! Not here: sending, waiting, repeating (`calls`).

use serde_json::Value;
use skein_platform::json_repair;

use super::response_decoder::{DecodeError, ResponseDecoder, StreamPhase};
use super::sse::{Frame, FrameSplitter};
use crate::stream_event::StreamEvent;

/// The events a piece of the body brought, and the fault it ended with.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct DecodedEvents {
    pub(crate) events: Vec<StreamEvent>,
    pub(crate) error: Option<DecodeError>,
}

/// From the bytes of a body to events.
pub(crate) struct StreamReader {
    framer: FrameSplitter,
    decoder: Box<dyn ResponseDecoder>,
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
    pub(crate) fn new(decoder: Box<dyn ResponseDecoder>) -> Self {
        let framer = FrameSplitter::new(decoder.cut());
        Self { framer, decoder, understood: false, first_bytes: Vec::new() }
    }

    /// How far the answer is.
    pub(crate) fn phase(&self) -> StreamPhase {
        self.decoder.phase()
    }

    /// Takes bytes as they come.
    pub(crate) fn push(&mut self, bytes: &[u8]) -> DecodedEvents {
        let missing = OPENING.saturating_sub(self.first_bytes.len());
        self.first_bytes.extend(bytes.iter().take(missing));
        let frames = self.framer.push(bytes);
        let mut decoded = self.read(frames, BodyEnd::No);
        if decoded.error.is_none() && self.framer.buffered() > LONGEST {
            decoded.error = Some(DecodeError::Malformed(self.quoted()));
        }
        decoded
    }

    /// The bytes have ended, by themselves or because nothing more is waited for.
    pub(crate) fn end(&mut self) -> DecodedEvents {
        let frames = self.framer.end();
        let mut decoded = self.read(frames, BodyEnd::Yes);
        if decoded.error.is_none() {
            match self.protocol_mismatch() {
                Some(fault) => decoded.error = Some(fault),
                None => self.decoder.on_end(&mut decoded.events),
            }
        }
        decoded
    }

    fn read(&mut self, frames: Vec<Frame>, ending: BodyEnd) -> DecodedEvents {
        let mut decoded = DecodedEvents::default();
        for frame in frames {
            if self.decoder.phase() == StreamPhase::Closed {
                break;
            }
            if let Err(fault) = self.take(&frame, ending, &mut decoded.events) {
                decoded.error = Some(fault);
                break;
            }
        }
        decoded
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
                self.decoder.on_frame(&value, out)
            }
            (Ok(Value::Array(values)), Frame::Whole(_)) => {
                self.understood = true;
                values.iter().try_for_each(|value| self.decoder.on_whole(value, out))
            }
            (Ok(value), Frame::Whole(_)) => {
                self.understood = true;
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
    fn protocol_mismatch(&self) -> Option<DecodeError> {
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
