//! One call over HTTP: sent, waited for, repeated where that is safe, read to its end.
//!
//! A request is repeated only before anything of an answer has come: after it, it would be billed
//! twice. Dropping the stream cancels everything, the waits included. Not here: what the bytes mean
//! (the formats), or what a refusal means (`classify`).
//!
//! What an error says of the server's ways is remembered while the program runs
//! (`crates/providers/src/quirks.rs`).

use std::future::ready;
use std::mem;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use bytes::Bytes;
use futures::channel::mpsc::{Sender, channel};
use futures::{FutureExt, SinkExt, StreamExt, stream};
use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use reqwest::{RequestBuilder, Response, Url};
use serde::Serialize;
use sha2::{Digest, Sha256};
use skein_domain::error::{Error, Result};
use skein_domain::message::OutputCap;
use skein_platform::http::{HttpClient, host_and_port, is_loopback};
use skein_platform::redactor::Redactor;
use tokio::time::timeout;

use super::api_key::ApiKey;
use super::base_url::BaseUrl;
use super::classify::{self, CallError, ErrorRecovery, FailedRequest, ReportedLimit, millis};
use super::decoder::{DecodeError, DecodedEvents, ResponseDecoder, StreamPhase, StreamReader};
use super::overflow::ServerHints;
use super::quirks::{QuirkMemory, Quirks};
use super::registry::{AuthScheme, ProviderSpec, WireFormat};
use super::{
    EventStream, ModelRequest, StreamEvent, anthropic, extra_body, gemini, ollama, openai,
    reasoning_effort, responses, retry,
};

/// How long is waited for what.
#[derive(Debug, Clone, Copy)]
pub struct Timeouts {
    /// For the first event, of a server that is not on this machine or near it.
    pub first_event: Duration,
    /// Between two pieces of a running answer of such a server.
    pub idle: Duration,
    /// For figures after an answer that is whole.
    pub trailing_usage: Duration,
    /// Before the first repetition; it doubles with each.
    pub backoff: Duration,
    /// How often a request is repeated.
    pub max_retries: u32,
}

impl Default for Timeouts {
    fn default() -> Self {
        Self {
            first_event: Duration::from_secs(600),
            idle: Duration::from_secs(120),
            trailing_usage: Duration::from_secs(3),
            backoff: Duration::from_millis(800),
            max_retries: 3,
        }
    }
}

/// A provider's address and everything that travels with a request.
pub(super) struct ProviderEndpoint {
    /// As the person knows it.
    pub(super) name: String,
    pub(super) net: HttpClient,
    pub(super) spec: &'static ProviderSpec,
    pub(super) base_url: BaseUrl,
    pub(super) headers: HeaderMap,
    pub(super) redactor: Redactor,
    pub(super) timeouts: Timeouts,
    pub(super) quirk_memory: QuirkMemory,
}

/// An answer whose first bytes have come.
struct OpenResponse {
    response: Response,
    first: Bytes,
}

/// Sends the request and streams the answer.
pub(super) fn stream(endpoint: Arc<ProviderEndpoint>, request: ModelRequest) -> EventStream {
    let (mut events, received) = channel(64);
    let work = async move {
        if let Err(error) = endpoint.answer(request, &mut events).await {
            // Nobody listens any more: nobody is told.
            let _ = events.send(Err(error)).await;
        }
    };
    stream::select(received, work.into_stream().filter_map(|()| ready(None))).boxed()
}

/// The headers of every request: the format's, the key's, then the person's own.
///
/// # Errors
/// [`Error::Invalid`] for what cannot be a header.
pub(super) fn headers<'a>(
    row: &ProviderSpec,
    key: Option<&ApiKey>,
    own: impl IntoIterator<Item = (&'a String, &'a String)>,
) -> Result<HeaderMap> {
    let invalid = |what: &str| Error::Invalid { detail: format!("the header {what}") };
    let mut headers = HeaderMap::new();
    if row.format == WireFormat::Anthropic {
        headers.insert("anthropic-version", HeaderValue::from_static("2023-06-01"));
    }
    if let Some(key) = key {
        let (name, value) = match row.auth {
            AuthScheme::Bearer => ("authorization", format!("Bearer {}", key.expose())),
            AuthScheme::Header(name) => (name, key.expose().to_owned()),
        };
        let mut value = HeaderValue::try_from(value).map_err(|_| invalid(name))?;
        value.set_sensitive(true);
        headers.insert(HeaderName::from_static(name), value);
    }
    for (name, value) in own {
        let parsed = HeaderName::try_from(name.trim()).map_err(|_| invalid(name))?;
        let mut value = HeaderValue::try_from(value.trim()).map_err(|_| invalid(name))?;
        value.set_sensitive(true);
        headers.insert(parsed, value);
    }
    Ok(headers)
}

impl ProviderEndpoint {
    async fn answer(
        &self,
        mut request: ModelRequest,
        events: &mut Sender<Result<StreamEvent>>,
    ) -> Result<()> {
        let url = self.base_url.completion_url(self.spec.format, &request.model)?;
        let mut shortened = None;
        if let Some(wish) = request.max_output.or(self.demanded_output()) {
            let (tokens, by) = self.quirk_memory.max_output(&url, &request, wish);
            shortened = (tokens < wish).then_some(OutputCap { tokens, by });
            request.max_output = Some(tokens);
        }
        let mut repetitions = 0;
        let mut was_shortened = false;
        let mut steps_down = false;
        loop {
            let answered = match self.open(&url, &request).await {
                Ok(opened) => {
                    let shortened = shortened.take();
                    let shortened =
                        shortened.map(|shortened| StreamEvent::OutputCapped { cap: shortened });
                    let refused = self.refused(&url, &request, mem::take(&mut steps_down));
                    for told in shortened.into_iter().chain(refused) {
                        if events.send(Ok(told)).await.is_err() {
                            return Ok(());
                        }
                    }
                    self.read(opened, origin(&url, &request.model), events).await
                }
                Err(refusal) => Err(refusal),
            };
            let Err(CallError { error, recovery: remedy }) = answered else { return Ok(()) };
            match remedy {
                ErrorRecovery::ApplyQuirk(dodge) => {
                    steps_down |= dodge.affects_reasoning();
                    self.quirk_memory.learn(&url, &request.model, dodge);
                }
                ErrorRecovery::CapOutput { output, by, limit } if !was_shortened => {
                    was_shortened = true;
                    shortened = Some(OutputCap { tokens: output, by });
                    request.max_output = Some(output);
                    let model = &request.model;
                    match limit {
                        Some(ReportedLimit::TokensPerMinute(tokens)) => {
                            self.quirk_memory.learn_rate_limit(&url, model, tokens);
                        }
                        Some(ReportedLimit::Window(tokens)) => {
                            self.quirk_memory.learn_window(&url, &request, tokens, output);
                        }
                        Some(ReportedLimit::Output(tokens)) => {
                            self.quirk_memory.learn_max_output(&url, model, tokens);
                        }
                        None => {}
                    }
                }
                ErrorRecovery::Retry { retry_after: asked, times }
                    if repetitions < times.min(self.timeouts.max_retries) =>
                {
                    repetitions += 1;
                    let Some(wait) = self.wait(asked, repetitions) else { return Err(error) };
                    let wait_ms = millis(wait);
                    let notice = StreamEvent::Retrying { error, wait_ms, attempt: repetitions };
                    if events.send(Ok(notice)).await.is_err() {
                        return Ok(());
                    }
                    tokio::time::sleep(wait).await;
                }
                ErrorRecovery::None
                | ErrorRecovery::Retry { .. }
                | ErrorRecovery::CapOutput { .. } => return Err(error),
            }
        }
    }

    /// The longest answer to ask for where nothing is known of the model and the wire demands a number, in
    /// tokens.
    fn demanded_output(&self) -> Option<u32> {
        match self.spec.format {
            WireFormat::Anthropic => Some(anthropic::MAX_TOKENS),
            WireFormat::Chat | WireFormat::Responses | WireFormat::Gemini | WireFormat::Ollama => {
                None
            }
        }
    }

    /// That the model is not asked to think as hard as was chosen: once where the person hears it, and
    /// again where it was asked for even less in the meantime.
    fn refused(&self, url: &Url, request: &ModelRequest, steps_down: bool) -> Option<StreamEvent> {
        let (effort, model) = (request.effort, &request.model);
        let known = self.quirk_memory.quirks_of(url, model);
        let (instead, because) = reasoning_effort::adjusted_effort(self.spec, request, &known)?;
        let is_new =
            request.is_user_facing && self.quirk_memory.mark_effort_reported(url, model, effort);
        let refused = StreamEvent::EffortRefused { effort, instead, because };
        (is_new || steps_down).then_some(refused)
    }

    /// `None`: the provider asks for more patience than a person has.
    fn wait(&self, asked: Option<Duration>, repetition: u32) -> Option<Duration> {
        let own = retry::backoff(self.timeouts.backoff, repetition);
        Some(asked.unwrap_or_default().max(own)).filter(|wait| *wait <= retry::LONGEST)
    }

    fn hints(&self) -> ServerHints {
        ServerHints { local: self.base_url.is_local(), mute_overflow: self.spec.mute_overflow }
    }

    async fn open(&self, url: &Url, request: &ModelRequest) -> Result<OpenResponse, CallError> {
        let refuse = |error| CallError { error, recovery: ErrorRecovery::None };
        let dodges = self.quirk_memory.quirks_of(url, &request.model);
        let unspeakable = |error: sonic_rs::Error| Error::Invalid { detail: error.to_string() };
        let origin = origin(url, &request.model);
        let body = RequestBody::new(request, self.spec, &dodges, &origin).to_json();
        let body = body.and_then(|body| extra_body::merge_extra_body(body, &request.extra_body));
        let body = body.map_err(unspeakable).map_err(refuse)?;
        let told = reasoning_effort::requested_effort(self.spec, request, &dodges);
        let builder = self.net.client().post(url.clone());
        let builder = builder.header(CONTENT_TYPE, "application/json").body(body);
        let mut response = self.send(builder, url, self.announcing(&dodges)).await?;
        let status = response.status();
        if !status.is_success() {
            let wait = retry::retry_after(response.headers(), SystemTime::now());
            let body = read_start(response, self.timeouts.idle, REFUSAL).await;
            let (hints, redactor) = (self.hints(), &self.redactor);
            let output = request.max_output;
            let model = Some(request.model.as_str());
            let asked =
                FailedRequest { hints, model, quirks: &dodges, effort: told, output, redactor };
            return Err(classify::classify_response(status, &body, wait, &asked));
        }
        match within(self.first(), response.chunk()).await {
            Ok(Ok(Some(first))) => Ok(OpenResponse { response, first }),
            Ok(Ok(None)) => Err(refuse(Error::Protocol { detail: String::new() })),
            Ok(Err(error)) => Err(self.unreachable(url, &error)),
            Err(waited) => Err(refuse(self.timeout_error(url, waited))),
        }
    }

    /// The headers of a request that says something its server wants announced, beside what the person
    /// announces.
    fn announcing(&self, dodges: &Quirks) -> HeaderMap {
        let mut headers = self.headers.clone();
        let announces =
            self.spec.format == WireFormat::Anthropic && dodges.drops_mismatched_thinking();
        let (name, ours) = anthropic::BETA;
        let own = headers.get(name).and_then(|own| own.to_str().ok());
        let all = own.map_or_else(|| ours.to_owned(), |own| format!("{own},{ours}"));
        if let (true, Ok(mut value)) = (announces, HeaderValue::try_from(all)) {
            value.set_sensitive(true);
            headers.insert(name, value);
        }
        headers
    }

    /// Sends a request with everything that travels with it, as far as the answer's headers.
    pub(super) async fn send(
        &self,
        builder: RequestBuilder,
        url: &Url,
        headers: HeaderMap,
    ) -> Result<Response, CallError> {
        self.net.record_host(url);
        let sent = builder.headers(headers).send();
        match within(self.first(), sent).await {
            Ok(Ok(response)) => Ok(response),
            Ok(Err(error)) => Err(self.unreachable(url, &error)),
            Err(waited) => Err(CallError {
                error: self.timeout_error(url, waited),
                recovery: ErrorRecovery::None,
            }),
        }
    }

    /// A server on this machine that does not answer is not running: waiting changes nothing.
    fn unreachable(&self, url: &Url, error: &reqwest::Error) -> CallError {
        tracing::debug!(host = host_and_port(url), connect = error.is_connect(), "unreachable");
        let remedy = if self.base_url.is_local() {
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
        CallError { error, recovery: remedy }
    }

    pub(super) fn timeout_error(&self, url: &Url, waited: Duration) -> Error {
        let seconds = u32::try_from(waited.as_secs()).unwrap_or(u32::MAX);
        Error::TimedOut { host: host_and_port(url), seconds }
    }

    /// Reads to the end marker, which is not always the end of the connection. A connection that
    /// breaks ends the events without a finish: interrupted. Many an overload is told in an answer
    /// that is nothing else: a refusal like any other.
    async fn read(
        &self,
        opened: OpenResponse,
        origin: String,
        events: &mut Sender<Result<StreamEvent>>,
    ) -> Result<(), CallError> {
        let OpenResponse { mut response, first } = opened;
        let mut reader = StreamReader::new(decoder(self.spec.format, origin));
        let mut brought = reader.push(&first);
        let mut begun = false;
        loop {
            begun |= !brought.events.is_empty();
            if !self.forward(brought, begun, events).await? {
                return Ok(());
            }
            let wait = match reader.phase() {
                StreamPhase::Closed => return Ok(()),
                StreamPhase::Trailing => Some(self.timeouts.trailing_usage),
                StreamPhase::Open if begun => self.idle(),
                StreamPhase::Open => self.first(),
            };
            let piece = within(wait, response.chunk()).await;
            let late =
                piece.as_ref().err().copied().filter(|_| reader.phase() == StreamPhase::Open);
            if let Ok(Ok(Some(bytes))) = piece {
                brought = reader.push(&bytes);
                continue;
            }
            let rest = reader.end();
            begun |= !rest.events.is_empty();
            self.forward(rest, begun, events).await?;
            let late = late.map(|waited| self.timeout_error(response.url(), waited));
            return late
                .map_or(Ok(()), |error| Err(CallError { error, recovery: ErrorRecovery::None }));
        }
    }

    /// How long is waited for the first words. `None`, for as long as it takes: a local server reads the
    /// prompt before it says anything, the one before it first, and one that is gone hangs up.
    fn first(&self) -> Option<Duration> {
        (!self.base_url.is_local()).then_some(self.timeouts.first_event)
    }

    /// A local server may write for minutes what it then sends as one piece; Ollama sends a call so
    /// wherever it runs.
    fn idle(&self) -> Option<Duration> {
        match self.spec.format {
            _ if self.base_url.is_local() => None,
            WireFormat::Ollama => Some(self.timeouts.first_event),
            _ => Some(self.timeouts.idle),
        }
    }

    /// `false`: nobody listens any more. What has begun is not repeated.
    async fn forward(
        &self,
        brought: DecodedEvents,
        begun: bool,
        events: &mut Sender<Result<StreamEvent>>,
    ) -> Result<bool, CallError> {
        for event in brought.events {
            if events.send(Ok(event)).await.is_err() {
                return Ok(false);
            }
        }
        match brought.error {
            None => Ok(true),
            Some(DecodeError::Reported(body)) => {
                let CallError { error, recovery: remedy } =
                    classify::classify_stream_error(&body, self.hints(), &self.redactor);
                Err(CallError { error, recovery: if begun { ErrorRecovery::None } else { remedy } })
            }
            Some(DecodeError::Malformed(bytes)) => {
                let error = classify::unexpected_body_error(&bytes, &self.redactor);
                Err(CallError { error, recovery: ErrorRecovery::None })
            }
        }
    }
}

/// What comes of it in time, else how long it was waited for. `None`: however long it takes.
async fn within<T>(wait: Option<Duration>, work: impl Future<Output = T>) -> Result<T, Duration> {
    match wait {
        Some(wait) => timeout(wait, work).await.map_err(|_| wait),
        None => Ok(work.await),
    }
}

/// The most of a refusal's body that is read, in bytes.
const REFUSAL: usize = 64 * 1024;

/// A body as text, as far as it comes, at most so many bytes.
pub(super) async fn read_start(mut response: Response, idle: Duration, most: usize) -> String {
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

/// The body of a request in its format. It borrows the conversation: that is megabytes.
#[derive(Serialize)]
#[serde(untagged)]
pub(super) enum RequestBody<'a> {
    Chat(openai::Body<'a>),
    Responses(responses::Body<'a>),
    Anthropic(anthropic::Body<'a>),
    Gemini(gemini::Body<'a>),
    Ollama(ollama::Body<'a>),
}

impl<'a> RequestBody<'a> {
    /// `origin` names the address and the model.
    pub(super) fn new(
        request: &'a ModelRequest,
        row: &ProviderSpec,
        dodges: &Quirks,
        origin: &str,
    ) -> Self {
        match row.format {
            WireFormat::Chat => Self::Chat(openai::Body::new(request, row, dodges, origin)),
            WireFormat::Responses => Self::Responses(responses::Body::new(request, dodges)),
            WireFormat::Anthropic => Self::Anthropic(anthropic::Body::new(request, dodges)),
            WireFormat::Gemini => Self::Gemini(gemini::Body::new(request, dodges)),
            WireFormat::Ollama => Self::Ollama(ollama::Body::new(request, dodges)),
        }
    }

    /// As JSON: byte for byte what `serde_json` writes, in a quarter of the time. It knows nothing of
    /// `serde_json::value::RawValue`: a body must hold none.
    pub(super) fn to_json(&self) -> sonic_rs::Result<Vec<u8>> {
        sonic_rs::to_vec(self)
    }
}

/// Names an address and a model, without saying them: either may be somebody's secret.
fn origin(url: &Url, model: &str) -> String {
    let digest = Sha256::new_with_prefix(url.as_str()).chain_update(model).finalize();
    digest.iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

/// What understands the answers of a format. `origin` names the address and the model.
pub(super) fn decoder(format: WireFormat, origin: String) -> Box<dyn ResponseDecoder> {
    match format {
        WireFormat::Chat => Box::new(openai::Decoder::new(origin)),
        WireFormat::Responses => Box::new(responses::Decoder::default()),
        WireFormat::Anthropic => Box::new(anthropic::Decoder::default()),
        WireFormat::Gemini => Box::new(gemini::Decoder::default()),
        WireFormat::Ollama => Box::new(ollama::Decoder::default()),
    }
}
