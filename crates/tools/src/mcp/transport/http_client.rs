//! An HTTP client for `rmcp` over `reqwest` that checks messages first: `rmcp` skips an event that
//! it cannot read, and the call would wait until its timeout.
//!
//! Not here: the check of a message (`message_check`), or the rules of responses (`http_answer`).

use std::collections::HashMap;
use std::sync::Arc;

use reqwest::header::{ACCEPT, HeaderName, HeaderValue};
use rmcp::model::{ClientJsonRpcMessage, ClientRequest, RequestId};
use rmcp::transport::streamable_http_client::{StreamableHttpClient, StreamableHttpPostResponse};

use super::http_answer;
use super::http_events::{Events, Outcome, SESSION, checked_events};

const ACCEPTED: &str = "text/event-stream, application/json";

type Headers = HashMap<HeaderName, HeaderValue>;

#[derive(Clone)]
pub(crate) struct McpHttpClient(pub reqwest::Client);

impl StreamableHttpClient for McpHttpClient {
    type Error = reqwest::Error;

    async fn post_message(
        &self,
        uri: Arc<str>,
        message: ClientJsonRpcMessage,
        session: Option<Arc<str>>,
        token: Option<String>,
        headers: Headers,
    ) -> Outcome<StreamableHttpPostResponse> {
        let id = request_id(&message);
        let answer = self.0.post_message(uri, message, session, token, headers).await?;
        Ok(checked_answer(answer, id))
    }

    async fn post_message_with_max_sse_event_size(
        &self,
        uri: Arc<str>,
        message: ClientJsonRpcMessage,
        session: Option<Arc<str>>,
        token: Option<String>,
        headers: Headers,
        longest: usize,
    ) -> Outcome<StreamableHttpPostResponse> {
        let id = request_id(&message);
        if let Some(asked) = id.as_ref().filter(|_| is_answered_in_words(&message)) {
            let mut request = self.0.post(uri.as_ref()).header(ACCEPT, ACCEPTED).json(&message);
            for (name, value) in headers {
                request = request.header(name, value);
            }
            if let Some(token) = token {
                request = request.bearer_auth(token);
            }
            let in_session = session.is_some();
            if let Some(session) = session {
                request = request.header(SESSION, session.as_ref());
            }
            return http_answer::read(request.send().await?, asked, in_session, longest).await;
        }
        let answer = self
            .0
            .post_message_with_max_sse_event_size(uri, message, session, token, headers, longest)
            .await?;
        Ok(checked_answer(answer, id))
    }

    async fn delete_session(
        &self,
        uri: Arc<str>,
        session: Arc<str>,
        token: Option<String>,
        headers: Headers,
    ) -> Outcome<()> {
        self.0.delete_session(uri, session, token, headers).await
    }

    async fn get_stream(
        &self,
        uri: Arc<str>,
        session: Option<Arc<str>>,
        last_event: Option<String>,
        token: Option<String>,
        headers: Headers,
    ) -> Outcome<Events> {
        let events = self.0.get_stream(uri, session, last_event, token, headers).await?;
        Ok(checked_events(events, None))
    }

    async fn get_stream_with_max_sse_event_size(
        &self,
        uri: Arc<str>,
        session: Option<Arc<str>>,
        last_event: Option<String>,
        token: Option<String>,
        headers: Headers,
        longest: usize,
    ) -> Outcome<Events> {
        let events = self
            .0
            .get_stream_with_max_sse_event_size(uri, session, last_event, token, headers, longest)
            .await?;
        Ok(checked_events(events, None))
    }
}

/// True if the response contains text of other sources, which may be cut at any place.
fn is_answered_in_words(message: &ClientJsonRpcMessage) -> bool {
    let ClientJsonRpcMessage::Request(request) = message else { return false };
    matches!(
        request.request,
        ClientRequest::CallToolRequest(_)
            | ClientRequest::GetPromptRequest(_)
            | ClientRequest::ReadResourceRequest(_)
    )
}

fn request_id(message: &ClientJsonRpcMessage) -> Option<RequestId> {
    match message {
        ClientJsonRpcMessage::Request(request) => Some(request.id.clone()),
        _ => None,
    }
}

fn checked_answer(
    answer: StreamableHttpPostResponse,
    id: Option<RequestId>,
) -> StreamableHttpPostResponse {
    match answer {
        StreamableHttpPostResponse::Sse(events, session) => {
            StreamableHttpPostResponse::Sse(checked_events(events, id), session)
        }
        other => other,
    }
}
