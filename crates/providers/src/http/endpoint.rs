//! A server with the headers and limits of its requests.
//!
//! Not here: request bodies (`formats`), or repetitions (`calls`).

use std::time::Duration;

use reqwest::header::HeaderMap;
use reqwest::{RequestBuilder, Response, Url};
use serde_json::Value;
use skein_domain::error::{Error, Result};
use skein_platform::http::{HttpClient, host_and_port, is_loopback};
use skein_platform::json_repair;
use skein_platform::redactor::Redactor;
use tokio::time::timeout;

use super::base_url::BaseUrl;
use super::timeouts::Timeouts;
use crate::errors::call_error::{CallError, ErrorRecovery};
use crate::errors::classify::{self, FailedRequest};
use crate::errors::error_message::unexpected_body_error;
use crate::errors::overflow::ServerHints;
use crate::models::model_entries::parse_models;
use crate::provider::ListedModel;
use crate::quirks::quirk::Quirks;

/// The limit of a model list, in bytes. The longest known one has two megabytes.
const LIST_LIMIT: usize = 16 * 1024 * 1024;
const LIST_TIMEOUT: Duration = Duration::from_secs(30);
/// A server with the headers and limits of its requests.
pub(crate) struct Endpoint {
    /// The user's name for the provider.
    pub(crate) name: String,
    pub(crate) net: HttpClient,
    pub(crate) base_url: BaseUrl,
    pub(crate) headers: HeaderMap,
    pub(crate) redactor: Redactor,
    pub(crate) timeouts: Timeouts,
}

impl Endpoint {
    /// Sends a request and returns when the headers of the response arrive.
    pub(crate) async fn send(
        &self,
        builder: RequestBuilder,
        url: &Url,
        headers: HeaderMap,
    ) -> Result<Response, CallError> {
        self.net.record_host(url);
        let sent = builder.headers(headers).send();
        match with_timeout(self.first_event_timeout(), sent).await {
            Ok(Ok(response)) => Ok(response),
            Ok(Err(error)) => Err(self.unreachable(url, &error)),
            Err(waited) => Err(self.timeout_error(url, waited).into()),
        }
    }

    /// The error of a server that did not respond. One on this machine is not running, so a
    /// repetition is useless. After a connection was made, the server may have read the request.
    pub(crate) fn unreachable(&self, url: &Url, error: &reqwest::Error) -> CallError {
        tracing::debug!(host = host_and_port(url), connect = error.is_connect(), "unreachable");
        let recovery = if self.base_url.is_local() {
            ErrorRecovery::None
        } else {
            ErrorRecovery::retry_later(None)
        };
        let host = host_and_port(url);
        let is_unsent = error.is_connect() || error.is_builder();
        let error = match is_unsent {
            true if is_loopback(url) => Error::NotRunning { host, provider: self.name.clone() },
            true => Error::Unreachable { host },
            false => Error::Disconnected { host },
        };
        CallError { error, recovery }
    }

    pub(crate) fn timeout_error(&self, url: &Url, waited: Duration) -> Error {
        let seconds = u32::try_from(waited.as_secs()).unwrap_or(u32::MAX);
        Error::TimedOut { host: host_and_port(url), seconds }
    }

    /// The time limit for the first event. `None` for a local server: it reads the whole prompt
    /// first, and queues requests; if it dies, the connection closes.
    pub(crate) fn first_event_timeout(&self) -> Option<Duration> {
        (!self.base_url.is_local()).then_some(self.timeouts.first_event)
    }

    /// The models in the list at a path below the base.
    pub(crate) async fn list_models(&self, path: &str) -> Result<Vec<ListedModel>> {
        Ok(parse_models(&self.get_json(self.base_url.endpoint_url(path)?).await?))
    }

    pub(crate) async fn get_json(&self, url: Url) -> Result<Value> {
        self.json(self.net.client().get(url.clone()), &url).await
    }

    pub(crate) async fn post_json(&self, url: Url, body: &Value) -> Result<Value> {
        self.json(self.net.client().post(url.clone()).json(body), &url).await
    }

    async fn json(&self, builder: RequestBuilder, url: &Url) -> Result<Value> {
        let sent = timeout(LIST_TIMEOUT, self.send(builder, url, self.headers.clone())).await;
        let response = match sent {
            Ok(Ok(response)) => response,
            Ok(Err(refusal)) => return Err(refusal.error),
            Err(_) => return Err(self.timeout_error(url, LIST_TIMEOUT)),
        };
        let status = response.status();
        let text = read_start(response, LIST_TIMEOUT, LIST_LIMIT).await;
        let redactor = &self.redactor;
        if !status.is_success() {
            let failed = FailedRequest {
                hints: ServerHints::default(),
                model: None,
                quirks: &Quirks::default(),
                effort: None,
                output: None,
                redactor,
            };
            return Err(classify::classify_response(status, &text, None, &failed).error);
        }
        json_repair::parse(&text).map_err(|_| unexpected_body_error(&text, redactor))
    }
}

/// The result of `work`, or `wait` if that time passed first. `None`: no time limit.
pub(crate) async fn with_timeout<T>(
    wait: Option<Duration>,
    work: impl Future<Output = T>,
) -> Result<T, Duration> {
    match wait {
        Some(wait) => timeout(wait, work).await.map_err(|_| wait),
        None => Ok(work.await),
    }
}

/// The beginning of a body as text, at most `most` bytes, up to an error or a timeout.
pub(crate) async fn read_start(mut response: Response, idle: Duration, most: usize) -> String {
    let mut body = Vec::new();
    while body.len() < most {
        match timeout(idle, response.chunk()).await {
            Ok(Ok(Some(bytes))) => body.extend_from_slice(&bytes),
            Ok(Ok(None) | Err(_)) | Err(_) => break,
        }
    }
    body.truncate(most);
    String::from_utf8_lossy(&body).into_owned()
}
