//! Decodes a body for the fuzz targets (`fuzz/`), without a connection. Compiled for them alone.

use crate::formats::wire_format;
use crate::registry::FormatId;
use crate::stream_event::StreamEvent;
use crate::wire::stream_reader::StreamReader;

/// All wire formats.
pub const FORMATS: [FormatId; 5] = [
    FormatId::OpenAiChat,
    FormatId::OpenAiResponses,
    FormatId::Anthropic,
    FormatId::Gemini,
    FormatId::Ollama,
];

/// The events of a body that arrives in these pieces, and the error it ends with. Generated ids of calls are
/// left out.
pub fn decode(format: FormatId, pieces: &[&[u8]]) -> (Vec<StreamEvent>, Option<String>) {
    let mut reader = StreamReader::new((wire_format(format).decoder)(String::new()));
    let mut events = Vec::new();
    let mut error = None;
    for piece in pieces.iter().map(Some).chain([None]) {
        let decoded = match piece {
            Some(piece) => reader.push(piece),
            None => reader.end(),
        };
        events.extend(decoded.events);
        error = decoded.error.map(|error| format!("{error:?}"));
        if error.is_some() {
            break;
        }
    }
    for event in &mut events {
        if let StreamEvent::ToolCall { call_id, .. } = event {
            call_id.clear();
        }
    }
    (events, error)
}
