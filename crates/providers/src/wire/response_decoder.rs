//! What the frames of a reply mean: the part of a wire format that reads.
//!
//! Decoders are pure state machines, so that a test can cut a stream at every byte. Not here: how bytes
//! become frames (`sse`), or who pushes them (`stream_reader`).

use serde_json::Value;

use super::sse::Framing;
use crate::stream_event::StreamEvent;

/// What went wrong inside an answer that had begun with 200.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum DecodeError {
    /// The provider said so, in this JSON.
    Reported(String),
    /// The bytes are not the protocol.
    Malformed(String),
}

/// How far an answer is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum StreamPhase {
    Open,
    /// The answer is whole; figures may follow it.
    Trailing,
    /// Its end marker has come: nothing more is read.
    Closed,
}

/// Understands the frames of one answer.
pub(crate) trait ResponseDecoder: Send {
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
