//! Reads the response to a request. `rmcp` would reject a JSON body with a lone surrogate;
//! otherwise the rules are those of `rmcp`'s own client.
//!
//! Not here: the check of a message (`message_check`), or sending (`http_client`).

use std::io::{self, ErrorKind};

use futures::{Stream, StreamExt, TryStreamExt};
use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderName, RETRY_AFTER, WWW_AUTHENTICATE};
use reqwest::{Response, StatusCode};
use rmcp::model::{RequestId, ServerJsonRpcMessage};
use rmcp::transport::streamable_http_client::{
    AuthRequiredError, HttpStatusError, InsufficientScopeError, StreamableHttpError,
    StreamableHttpPostResponse,
};
use skein_platform::http::read_body;
use sse_stream::SseStream;

use super::http_events::{Outcome, SESSION, checked_events};
use super::message_check::{Checked, check, error_answer};

/// The limit of an error body, in bytes.
const MAX_ERROR_BODY: usize = 64 * 1024;

type Failure = StreamableHttpError<reqwest::Error>;

/// Reads the response to `asked`. `longest` limits each event, or the body, in bytes.
pub(crate) async fn read(
    response: Response,
    request_id: &RequestId,
    in_session: bool,
    longest: usize,
) -> Outcome<StreamableHttpPostResponse> {
    let (status, headers) = (response.status(), response.headers().clone());
    let header = |name: HeaderName| text_of(&headers, &name);
    let kind = header(CONTENT_TYPE).unwrap_or_default();
    let is_json = kind.starts_with("application/json");
    if !status.is_success() {
        return refused(response, &headers, is_json, in_session).await;
    }
    if [StatusCode::ACCEPTED, StatusCode::NO_CONTENT].contains(&status) {
        return Ok(StreamableHttpPostResponse::Accepted);
    }
    let session = header(SESSION);
    if kind.starts_with("text/event-stream") {
        let events = SseStream::from_bytes_stream(limited(response.bytes_stream(), longest));
        let events = checked_events(events.boxed(), Some(request_id.clone()));
        return Ok(StreamableHttpPostResponse::Sse(events, session));
    }
    if !is_json {
        return Err(StreamableHttpError::UnexpectedContentType(header(CONTENT_TYPE)));
    }
    let body = body(response, longest).await?;
    Ok(StreamableHttpPostResponse::Json(message(body, request_id), session))
}

fn text_of(headers: &HeaderMap, name: &HeaderName) -> Option<String> {
    headers.get(name).map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned())
}

/// The message in a body, or an error message if it is unreadable.
fn message(body: Vec<u8>, asked: &RequestId) -> ServerJsonRpcMessage {
    let read = match check(body) {
        Checked::Message(text) => serde_json::from_slice(&text).map_err(|error| error.to_string()),
        Checked::Words => Err("it is not JSON".to_owned()),
        Checked::Broken { reason, .. } => Err(reason),
    };
    read.unwrap_or_else(|reason| error_answer(asked, &reason))
}

/// The error of an error status.
async fn refused(
    response: Response,
    headers: &HeaderMap,
    is_json: bool,
    in_session: bool,
) -> Outcome<StreamableHttpPostResponse> {
    let status = response.status();
    let challenge = text_of(headers, &WWW_AUTHENTICATE);
    let is_auth = [StatusCode::UNAUTHORIZED, StatusCode::FORBIDDEN].contains(&status);
    match (status, challenge) {
        (StatusCode::UNAUTHORIZED, Some(challenge)) => {
            return Err(StreamableHttpError::AuthRequired(AuthRequiredError::new(challenge)));
        }
        (StatusCode::FORBIDDEN, Some(challenge)) => {
            let scope = scope_of(&challenge);
            let error = InsufficientScopeError::new(challenge, scope);
            return Err(StreamableHttpError::InsufficientScope(error));
        }
        (StatusCode::NOT_FOUND, _) if in_session => {
            return Err(StreamableHttpError::SessionExpired);
        }
        (_, _) => {}
    }
    let failed = (status == StatusCode::TOO_MANY_REQUESTS || status.is_server_error())
        .then(|| HttpStatusError::new(status.as_u16(), text_of(headers, &RETRY_AFTER)));
    if let Some(error) = failed.filter(|_| !is_json || status == StatusCode::TOO_MANY_REQUESTS) {
        return Err(error.into());
    }
    let body = body(response, MAX_ERROR_BODY).await.unwrap_or_default();
    let message = serde_json::from_slice::<ServerJsonRpcMessage>(&body).ok();
    if let Some(error @ ServerJsonRpcMessage::Error(_)) = message.filter(|_| is_json && !is_auth) {
        return Ok(StreamableHttpPostResponse::Json(error, text_of(headers, &SESSION)));
    }
    if status.is_server_error() {
        let wait = text_of(headers, &RETRY_AFTER);
        return Err(HttpStatusError::new(status.as_u16(), wait).into());
    }
    let error_text = format!("HTTP {status}: {}", String::from_utf8_lossy(&body));
    Err(StreamableHttpError::UnexpectedServerResponse(error_text.into()))
}

fn scope_of(challenge: &str) -> Option<String> {
    let at = challenge.to_ascii_lowercase().find("scope=")?;
    let value = challenge.get(at + "scope=".len()..)?;
    let scope = match value.strip_prefix('"') {
        Some(quoted) => quoted.split('"').next(),
        None => value.split([',', ';', ' ']).next(),
    };
    scope.filter(|scope| !scope.is_empty()).map(str::to_owned)
}

/// A body of at most `longest` bytes.
async fn body(response: Response, longest: usize) -> Result<Vec<u8>, Failure> {
    let too_large = || StreamableHttpError::ResponseBodyTooLarge { max_size: longest };
    read_body(response, longest).await?.ok_or_else(too_large)
}

/// Limits the bytes between two line ends, because an event without an end would fill the memory.
fn limited<Piece: AsRef<[u8]>>(
    pieces: impl Stream<Item = reqwest::Result<Piece>>,
    longest: usize,
) -> impl Stream<Item = io::Result<Piece>> {
    let (mut buffered, mut is_behind_line) = (0, false);
    pieces.map_err(io::Error::other).map(move |piece| {
        let piece = piece?;
        let bytes = piece.as_ref();
        let is_end = |window: &[u8]| window == b"\n\n" || window == b"\n\r";
        let is_cut_at_end = is_behind_line && matches!(bytes.first(), Some(b'\n' | b'\r'));
        buffered = match bytes.windows(2).rposition(is_end) {
            Some(end) => bytes.len() - end,
            None if is_cut_at_end => bytes.len(),
            None => buffered + bytes.len(),
        };
        is_behind_line = bytes.last() == Some(&b'\n');
        if buffered <= longest { Ok(piece) } else { Err(ErrorKind::FileTooLarge.into()) }
    })
}

#[cfg(test)]
mod tests {
    use rmcp::model::NumberOrString;

    use super::*;

    #[test]
    fn a_body_with_a_lone_surrogate_is_read_and_a_broken_one_says_why() {
        let asked = NumberOrString::Number(4);
        let body =
            r#"{"jsonrpc":"2.0","id":4,"result":{"content":[{"type":"text","text":"\ud83d"}]}}"#;
        let read = |body: &str| format!("{:?}", message(body.into(), &asked));
        assert!(read(body).contains('\u{fffd}'), "{}", read(body));
        let cut_off = body.get(..40).unwrap();
        for broken in [cut_off, "<html>", ""] {
            assert!(read(broken).contains("cannot be read"), "{}", read(broken));
        }
    }

    #[tokio::test]
    async fn an_event_without_an_end_is_not_held_for_ever() {
        let pieces = |all: Vec<&'static str>| {
            let all = all.into_iter().map(Ok::<_, reqwest::Error>);
            limited(futures::stream::iter(all), 8).collect::<Vec<_>>()
        };
        let short = pieces(vec!["data: a\n", "\ndata: b", "\n\n"]).await;
        assert!(short.iter().all(Result::is_ok), "{short:?}");
        let long = pieces(vec!["data: a", "bcdef"]).await;
        assert!(long[0].is_ok() && long[1].is_err(), "{long:?}");
    }

    #[test]
    fn the_scope_of_a_challenge_is_found() {
        assert_eq!(scope_of("Bearer scope=\"a b\", x=1").as_deref(), Some("a b"));
        assert_eq!(scope_of("Bearer Scope=a, x=1").as_deref(), Some("a"));
        assert_eq!(scope_of("Bearer realm=\"x\""), None);
    }
}
