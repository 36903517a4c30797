//! One call over HTTP: sent, waited for, repeated where that is safe, read to its end.
//!
//! A request is repeated only before anything of an answer has come: after it, it would be billed
//! twice. Dropping the stream cancels everything, the waits included. Not here: what the bytes mean
//! (the formats), or what a refusal means (`refusal`).

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
use skein_domain::message::Shortened;
use skein_platform::http::{Net, host_of, is_loopback};
use skein_platform::redactor::Redactor;
use tokio::time::timeout;

use super::address::Address;
use super::dodges::{Dodges, Manners};
use super::format::{Brought, Decoder, Fault, Phase, Reader};
use super::key::Key;
use super::overflow::Hints;
use super::refusal::{self, Asked, Limit, Refusal, Remedy, millis};
use super::registry::{Auth, Format, Row};
use super::{
    EventStream, Request, StreamEvent, anthropic, effort, fields, gemini, ollama, openai,
    responses, retry,
};

/// How long is waited for what.
#[derive(Debug, Clone, Copy)]
pub struct Patience {
    /// For the first event, of a server that is not on this machine or near it.
    pub first: Duration,
    /// Between two pieces of a running answer of such a server.
    pub idle: Duration,
    /// For figures after an answer that is whole.
    pub linger: Duration,
    /// Before the first repetition; it doubles with each.
    pub backoff: Duration,
    /// How often a request is repeated.
    pub repetitions: u32,
}

impl Default for Patience {
    fn default() -> Self {
        Self {
            first: Duration::from_secs(600),
            idle: Duration::from_secs(120),
            linger: Duration::from_secs(3),
            backoff: Duration::from_millis(800),
            repetitions: 3,
        }
    }
}

/// A provider's address and everything that travels with a request.
pub(super) struct Endpoint {
    /// As the person knows it.
    pub(super) name: String,
    pub(super) net: Net,
    pub(super) row: &'static Row,
    pub(super) address: Address,
    pub(super) headers: HeaderMap,
    pub(super) redactor: Redactor,
    pub(super) patience: Patience,
    pub(super) manners: Manners,
}

/// An answer whose first bytes have come.
struct Opened {
    response: Response,
    first: Bytes,
}

/// Sends the request and streams the answer.
pub(super) fn stream(endpoint: Arc<Endpoint>, request: Request) -> EventStream {
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
    row: &Row,
    key: Option<&Key>,
    own: impl IntoIterator<Item = (&'a String, &'a String)>,
) -> Result<HeaderMap> {
    let invalid = |what: &str| Error::Invalid { detail: format!("the header {what}") };
    let mut headers = HeaderMap::new();
    if row.format == Format::Anthropic {
        headers.insert("anthropic-version", HeaderValue::from_static("2023-06-01"));
    }
    if let Some(key) = key {
        let (name, value) = match row.auth {
            Auth::Bearer => ("authorization", format!("Bearer {}", key.expose())),
            Auth::Header(name) => (name, key.expose().to_owned()),
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

impl Endpoint {
    async fn answer(
        &self,
        mut request: Request,
        events: &mut Sender<Result<StreamEvent>>,
    ) -> Result<()> {
        let url = self.address.answers(self.row.format, &request.model)?;
        let mut shortened = None;
        if let Some(wish) = request.max_output.or(self.demanded_output()) {
            let (tokens, by) = self.manners.longest(&url, &request, wish);
            shortened = (tokens < wish).then_some(Shortened { tokens, by });
            request.max_output = Some(tokens);
        }
        let mut repetitions = 0;
        let mut was_shortened = false;
        let mut steps_down = false;
        loop {
            let answered = match self.open(&url, &request).await {
                Ok(opened) => {
                    let shortened = shortened.take();
                    let shortened = shortened.map(|shortened| StreamEvent::Shortened { shortened });
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
            let Err(Refusal { error, remedy }) = answered else { return Ok(()) };
            match remedy {
                Remedy::Dodge(dodge) => {
                    steps_down |= dodge.is_of_thought();
                    self.manners.learn(&url, &request.model, dodge);
                }
                Remedy::Shorter { output, by, limit } if !was_shortened => {
                    was_shortened = true;
                    shortened = Some(Shortened { tokens: output, by });
                    request.max_output = Some(output);
                    let model = &request.model;
                    match limit {
                        Some(Limit::Minute(tokens)) => {
                            self.manners.learn_minute(&url, model, tokens);
                        }
                        Some(Limit::Window(tokens)) => {
                            self.manners.learn_window(&url, &request, tokens, output);
                        }
                        Some(Limit::Answer(tokens)) => {
                            self.manners.learn_answer(&url, model, tokens);
                        }
                        None => {}
                    }
                }
                Remedy::Wait { asked, times }
                    if repetitions < times.min(self.patience.repetitions) =>
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
                Remedy::None | Remedy::Wait { .. } | Remedy::Shorter { .. } => return Err(error),
            }
        }
    }

    /// The longest answer to ask for where nothing is known of the model and the wire demands a number, in
    /// tokens.
    fn demanded_output(&self) -> Option<u32> {
        match self.row.format {
            Format::Anthropic => Some(anthropic::MAX_TOKENS),
            Format::Chat | Format::Responses | Format::Gemini | Format::Ollama => None,
        }
    }

    /// That the model is not asked to think as hard as was chosen: once where the person hears it, and
    /// again where it was asked for even less in the meantime.
    fn refused(&self, url: &Url, request: &Request, steps_down: bool) -> Option<StreamEvent> {
        let (effort, model) = (request.effort, &request.model);
        let known = self.manners.of(url, model);
        let (instead, because) = effort::comes_to(self.row, request, &known)?;
        let is_new = request.is_heard && self.manners.tell(url, model, effort);
        let refused = StreamEvent::EffortRefused { effort, instead, because };
        (is_new || steps_down).then_some(refused)
    }

    /// `None`: the provider asks for more patience than a person has.
    fn wait(&self, asked: Option<Duration>, repetition: u32) -> Option<Duration> {
        let own = retry::backoff(self.patience.backoff, repetition);
        Some(asked.unwrap_or_default().max(own)).filter(|wait| *wait <= retry::LONGEST)
    }

    fn hints(&self) -> Hints {
        Hints { local: self.address.is_local(), mute_overflow: self.row.mute_overflow }
    }

    async fn open(&self, url: &Url, request: &Request) -> Result<Opened, Refusal> {
        let refuse = |error| Refusal { error, remedy: Remedy::None };
        let dodges = self.manners.of(url, &request.model);
        let unspeakable = |error: sonic_rs::Error| Error::Invalid { detail: error.to_string() };
        let origin = origin(url, &request.model);
        let body = Body::new(request, self.row, &dodges, &origin).spell();
        let body = body.and_then(|body| fields::with(body, &request.fields));
        let body = body.map_err(unspeakable).map_err(refuse)?;
        let told = effort::told(self.row, request, &dodges);
        let builder = self.net.client().post(url.clone());
        let builder = builder.header(CONTENT_TYPE, "application/json").body(body);
        let mut response = self.send(builder, url, self.announcing(&dodges)).await?;
        let status = response.status();
        if !status.is_success() {
            let wait = retry::asked(response.headers(), SystemTime::now());
            let body = start_of(response, self.patience.idle, REFUSAL).await;
            let (hints, redactor) = (self.hints(), &self.redactor);
            let output = request.max_output;
            let model = Some(request.model.as_str());
            let asked = Asked { hints, model, dodges: &dodges, told, output, redactor };
            return Err(refusal::read(status, &body, wait, &asked));
        }
        match within(self.first(), response.chunk()).await {
            Ok(Ok(Some(first))) => Ok(Opened { response, first }),
            Ok(Ok(None)) => Err(refuse(Error::Protocol { detail: String::new() })),
            Ok(Err(error)) => Err(self.unreachable(url, &error)),
            Err(waited) => Err(refuse(self.timed_out(url, waited))),
        }
    }

    /// The headers of a request that says something its server wants announced, beside what the person
    /// announces.
    fn announcing(&self, dodges: &Dodges) -> HeaderMap {
        let mut headers = self.headers.clone();
        let announces = self.row.format == Format::Anthropic && dodges.drops_thoughts();
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
    ) -> Result<Response, Refusal> {
        self.net.note(url);
        let sent = builder.headers(headers).send();
        match within(self.first(), sent).await {
            Ok(Ok(response)) => Ok(response),
            Ok(Err(error)) => Err(self.unreachable(url, &error)),
            Err(waited) => {
                Err(Refusal { error: self.timed_out(url, waited), remedy: Remedy::None })
            }
        }
    }

    /// A server on this machine that does not answer is not running: waiting changes nothing.
    fn unreachable(&self, url: &Url, error: &reqwest::Error) -> Refusal {
        tracing::debug!(host = host_of(url), connect = error.is_connect(), "unreachable");
        let remedy = if self.address.is_local() { Remedy::None } else { Remedy::later(None) };
        let host = host_of(url);
        let error = if is_loopback(url) && error.is_connect() {
            Error::NotRunning { host, provider: self.name.clone() }
        } else {
            Error::Unreachable { host }
        };
        Refusal { error, remedy }
    }

    pub(super) fn timed_out(&self, url: &Url, waited: Duration) -> Error {
        let seconds = u32::try_from(waited.as_secs()).unwrap_or(u32::MAX);
        Error::TimedOut { host: host_of(url), seconds }
    }

    /// Reads to the end marker, which is not always the end of the connection. A connection that
    /// breaks ends the events without a finish: interrupted. Many an overload is told in an answer
    /// that is nothing else: a refusal like any other.
    async fn read(
        &self,
        opened: Opened,
        origin: String,
        events: &mut Sender<Result<StreamEvent>>,
    ) -> Result<(), Refusal> {
        let Opened { mut response, first } = opened;
        let mut reader = Reader::new(decoder(self.row.format, origin));
        let mut brought = reader.push(&first);
        let mut begun = false;
        loop {
            begun |= !brought.events.is_empty();
            if !self.forward(brought, begun, events).await? {
                return Ok(());
            }
            let wait = match reader.phase() {
                Phase::Closed => return Ok(()),
                Phase::Trailing => Some(self.patience.linger),
                Phase::Open if begun => self.idle(),
                Phase::Open => self.first(),
            };
            let piece = within(wait, response.chunk()).await;
            let late = piece.as_ref().err().copied().filter(|_| reader.phase() == Phase::Open);
            if let Ok(Ok(Some(bytes))) = piece {
                brought = reader.push(&bytes);
                continue;
            }
            let rest = reader.end();
            begun |= !rest.events.is_empty();
            self.forward(rest, begun, events).await?;
            let late = late.map(|waited| self.timed_out(response.url(), waited));
            return late.map_or(Ok(()), |error| Err(Refusal { error, remedy: Remedy::None }));
        }
    }

    /// How long is waited for the first words. `None`, for as long as it takes: a local server reads the
    /// prompt before it says anything, the one before it first, and one that is gone hangs up.
    fn first(&self) -> Option<Duration> {
        (!self.address.is_local()).then_some(self.patience.first)
    }

    /// A local server may write for minutes what it then sends as one piece; Ollama sends a call so
    /// wherever it runs.
    fn idle(&self) -> Option<Duration> {
        match self.row.format {
            _ if self.address.is_local() => None,
            Format::Ollama => Some(self.patience.first),
            _ => Some(self.patience.idle),
        }
    }

    /// `false`: nobody listens any more. What has begun is not repeated.
    async fn forward(
        &self,
        brought: Brought,
        begun: bool,
        events: &mut Sender<Result<StreamEvent>>,
    ) -> Result<bool, Refusal> {
        for event in brought.events {
            if events.send(Ok(event)).await.is_err() {
                return Ok(false);
            }
        }
        match brought.fault {
            None => Ok(true),
            Some(Fault::Said(body)) => {
                let Refusal { error, remedy } =
                    refusal::inside(&body, self.hints(), &self.redactor);
                Err(Refusal { error, remedy: if begun { Remedy::None } else { remedy } })
            }
            Some(Fault::Malformed(bytes)) => {
                let error = refusal::foreign(&bytes, &self.redactor);
                Err(Refusal { error, remedy: Remedy::None })
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
pub(super) async fn start_of(mut response: Response, idle: Duration, most: usize) -> String {
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
pub(super) enum Body<'a> {
    Chat(openai::Body<'a>),
    Responses(responses::Body<'a>),
    Anthropic(anthropic::Body<'a>),
    Gemini(gemini::Body<'a>),
    Ollama(ollama::Body<'a>),
}

impl<'a> Body<'a> {
    /// `origin` names the address and the model.
    pub(super) fn new(request: &'a Request, row: &Row, dodges: &Dodges, origin: &str) -> Self {
        match row.format {
            Format::Chat => Self::Chat(openai::Body::new(request, row, dodges, origin)),
            Format::Responses => Self::Responses(responses::Body::new(request, dodges)),
            Format::Anthropic => Self::Anthropic(anthropic::Body::new(request, dodges)),
            Format::Gemini => Self::Gemini(gemini::Body::new(request, dodges)),
            Format::Ollama => Self::Ollama(ollama::Body::new(request, dodges)),
        }
    }

    /// As JSON: byte for byte what `serde_json` writes, in a quarter of the time. It knows nothing of
    /// `serde_json::value::RawValue`: a body must hold none.
    pub(super) fn spell(&self) -> sonic_rs::Result<Vec<u8>> {
        sonic_rs::to_vec(self)
    }
}

/// Names an address and a model, without saying them: either may be somebody's secret.
fn origin(url: &Url, model: &str) -> String {
    let digest = Sha256::new_with_prefix(url.as_str()).chain_update(model).finalize();
    digest.iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

/// What understands the answers of a format. `origin` names the address and the model.
pub(super) fn decoder(format: Format, origin: String) -> Box<dyn Decoder> {
    match format {
        Format::Chat => Box::new(openai::Answer::new(origin)),
        Format::Responses => Box::new(responses::Answer::default()),
        Format::Anthropic => Box::new(anthropic::Answer::default()),
        Format::Gemini => Box::new(gemini::Answer::default()),
        Format::Ollama => Box::new(ollama::Answer::default()),
    }
}
