//! Reads bodies for the fuzz targets (`fuzz/`), without a connection. Compiled for them alone.

use std::time::SystemTime;

use reqwest::StatusCode;
use reqwest::header::{HeaderMap, HeaderValue, RETRY_AFTER};
use skein_domain::provider_config::ReasoningEffort;
use skein_platform::redactor::Redactor;

use crate::errors::call_error::CallError;
use crate::errors::classify::{FailedRequest, classify_response};
use crate::errors::overflow::ServerHints;
use crate::errors::retry;
use crate::formats::wire_format;
use crate::quirks::quirk::Quirks;
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

/// The error of a response and its recovery, without the texts for the user. `retry_after` is a header; one
/// that HTTP does not allow is left out.
pub fn classify(status: u16, retry_after: &[u8], body: &str) -> String {
    let mut headers = HeaderMap::new();
    headers.extend(HeaderValue::from_bytes(retry_after).map(|value| (RETRY_AFTER, value)));
    let wait = retry::retry_after(&headers, SystemTime::now());
    let failed = FailedRequest {
        hints: ServerHints::default(),
        model: Some("m"),
        quirks: &Quirks::default(),
        effort: Some(ReasoningEffort::High),
        output: Some(65_536),
        redactor: &Redactor::default(),
    };
    let status = StatusCode::from_u16(status).unwrap_or_default();
    let CallError { error, recovery } = classify_response(status, body, wait, &failed);
    let mut error = serde_json::to_value(error).unwrap_or_default();
    if let Some(members) = error.as_object_mut() {
        members.retain(|name, _| name != "message" && name != "detail");
    }
    format!("{error} {recovery:?}")
}
