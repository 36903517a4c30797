//! A server that is called: its address, and everything that travels with a request to it.
//!
//! Not here: what a request says (`formats`), or when it is repeated (`calls`).

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
use crate::quirks::quirk::Quirks;

/// The most of a list that is read, in bytes: the longest known has two megabytes.
const LIST_LIMIT: usize = 16 * 1024 * 1024;
/// How long a list may take.
const LIST_TIMEOUT: Duration = Duration::from_secs(30);
/// A server that is called.
pub(crate) struct Endpoint {
    /// As the user knows the provider.
    pub(crate) name: String,
    pub(crate) net: HttpClient,
    pub(crate) base_url: BaseUrl,
    pub(crate) headers: HeaderMap,
    pub(crate) redactor: Redactor,
    pub(crate) timeouts: Timeouts,
}

impl Endpoint {
    /// Sends a request with everything that travels with it, as far as the answer's headers.
    pub(crate) async fn send(
        &self,
        builder: RequestBuilder,
        url: &Url,
        headers: HeaderMap,
    ) -> Result<Response, CallError> {
        self.net.record_host(url);
        let sent = builder.headers(headers).send();
        match within(self.first_event_timeout(), sent).await {
            Ok(Ok(response)) => Ok(response),
            Ok(Err(error)) => Err(self.unreachable(url, &error)),
            Err(waited) => Err(CallError {
                error: self.timeout_error(url, waited),
                recovery: ErrorRecovery::None,
            }),
        }
    }

    /// A server on this machine that does not answer is not running: waiting changes nothing.
    pub(crate) fn unreachable(&self, url: &Url, error: &reqwest::Error) -> CallError {
        tracing::debug!(host = host_and_port(url), connect = error.is_connect(), "unreachable");
        let recovery = if self.base_url.is_local() {
            ErrorRecovery::None
        } else {
            ErrorRecovery::retry_later(None)
        };
        let host = host_and_port(url);
        let error = if is_loopback(url) && error.is_connect() {
            Error::NotRunning { host, provider: self.name.clone() }
        } else {
            Error::Unreachable { host }
        };
        CallError { error, recovery }
    }

    pub(crate) fn timeout_error(&self, url: &Url, waited: Duration) -> Error {
        let seconds = u32::try_from(waited.as_secs()).unwrap_or(u32::MAX);
        Error::TimedOut { host: host_and_port(url), seconds }
    }

    /// How long is waited for the first words. `None`, for as long as it takes: a local server reads the
    /// prompt before it says anything, the one before it first, and one that is gone hangs up.
    pub(crate) fn first_event_timeout(&self) -> Option<Duration> {
        (!self.base_url.is_local()).then_some(self.timeouts.first_event)
    }

    /// The JSON at an address.
    pub(crate) async fn get_json(&self, url: Url) -> Result<Value> {
        self.json(self.net.client().get(url.clone()), &url).await
    }

    /// The JSON that a server answers to a body.
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

/// What comes of it in time, else how long it was waited for. `None`: however long it takes.
pub(crate) async fn within<T>(
    wait: Option<Duration>,
    work: impl Future<Output = T>,
) -> Result<T, Duration> {
    match wait {
        Some(wait) => timeout(wait, work).await.map_err(|_| wait),
        None => Ok(work.await),
    }
}

/// A body as text, as far as it comes, at most so many bytes.
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
