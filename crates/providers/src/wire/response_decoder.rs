//! The trait of decoders, which turn the frames of a reply into events.
//!
//! Decoders are pure state machines, so that a test can cut a stream at every byte. Not here:
//! cutting bytes into frames (`sse`), or the loop around a decoder (`stream_reader`).

use serde_json::Value;

use super::decoder_state::DecoderState;
use super::sse::Framing;
use crate::stream_event::StreamEvent;

/// An error inside a reply that began with status 200.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum DecodeError {
    /// The provider reported this JSON.
    Reported(String),
    /// The bytes are not the protocol.
    Malformed(String),
}

/// The progress of a reply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum StreamPhase {
    Open,
    /// The reply is complete; usage may follow.
    Trailing,
    /// The end marker has arrived: nothing more is read.
    Closed,
}

/// Decodes the frames of one reply.
pub(crate) trait ResponseDecoder: Send {
    /// The framing of the stream.
    fn cut(&self) -> Framing {
        Framing::Events
    }
    /// Handles one parsed frame.
    fn on_frame(&mut self, frame: &Value, out: &mut Vec<StreamEvent>) -> Result<(), DecodeError>;
    /// Handles data that is not JSON, such as `[DONE]`; false if it is unknown.
    fn on_word(&mut self, _word: &str, _out: &mut Vec<StreamEvent>) -> bool {
        false
    }
    /// Handles a reply in one piece, sent without a stream.
    fn on_whole(&mut self, body: &Value, out: &mut Vec<StreamEvent>) -> Result<(), DecodeError>;
    /// Handles the end of the bytes: emits buffered text, and the finish only if it was announced.
    fn on_end(&mut self, out: &mut Vec<StreamEvent>) {
        self.state().end(out);
    }
    /// The part of the progress that all formats have.
    fn state(&mut self) -> &mut DecoderState;
    /// The progress of the reply.
    fn phase(&mut self) -> StreamPhase {
        self.state().phase()
    }
}
