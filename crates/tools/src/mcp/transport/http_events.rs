//! The events of an HTTP response, each message checked.

use futures::StreamExt;
use futures::stream::BoxStream;
use reqwest::header::HeaderName;
use rmcp::model::RequestId;
use rmcp::transport::streamable_http_client::{SseError, StreamableHttpError};
use sse_stream::Sse;

use super::message_check::{Checked, check, error_text};

pub(crate) type Outcome<T> = Result<T, StreamableHttpError<reqwest::Error>>;

pub(crate) type Events = BoxStream<'static, Result<Sse, SseError>>;

pub(crate) const SESSION: HeaderName = HeaderName::from_static("mcp-session-id");

/// `asked` is the request that the stream answers; `None`: no particular one.
pub(crate) fn checked_events(events: Events, asked: Option<RequestId>) -> Events {
    events.map(move |event| event.map(|event| checked_event(event, asked.as_ref()))).boxed()
}

fn checked_event(mut event: Sse, asked: Option<&RequestId>) -> Sse {
    let Some(data) = event.data.take() else { return event };
    event.data = match check(data.clone().into_bytes()) {
        Checked::Message(message) => String::from_utf8(message).ok(),
        Checked::Words => Some(data),
        Checked::Broken { id, reason } => match id.as_ref().or(asked) {
            Some(id) => Some(error_text(id, &reason)),
            None => Some(data),
        },
    };
    event
}
