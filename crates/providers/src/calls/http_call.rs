//! One call of a model over HTTP: sends the request, repeats it where that is safe, and reads the
//! reply to its end.
//!
//! A request is repeated only before the first event of the reply: later, it would be billed twice.
//! Dropping the stream cancels everything, including waits. Quirks that an error names are
//! remembered while the program runs (`quirk_memory`). Not here: decoding the bytes (`formats`) or
//! classifying an error (`classify`).

use std::future::ready;
use std::mem;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use bytes::Bytes;
use futures::channel::mpsc::{Sender, channel};
use futures::{FutureExt, SinkExt, StreamExt, stream};
use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderValue};
use reqwest::{Response, StatusCode, Url};
use sha2::{Digest, Sha256};
use skein_domain::error::{Error, Result};
use skein_domain::message::OutputCap;
use skein_domain::provider_config::ReasoningEffort;

use super::extra_body;
use crate::errors::call_error::{CallError, ErrorRecovery};
use crate::errors::classify::{self, FailedRequest, millis};
use crate::errors::error_message::unexpected_body_error;
use crate::errors::overflow::ServerHints;
use crate::errors::retry;
use crate::http::endpoint::{Endpoint, read_start, with_timeout};
use crate::model_request::ModelRequest;
use crate::provider::EventStream;
use crate::quirks::quirk::{Quirk, Quirks};
use crate::quirks::quirk_memory::QuirkMemory;
use crate::registry::ProviderSpec;
use crate::stream_event::{EffortReason, StreamEvent};
use crate::wire::deferred_tool_calls::{self, CallToolReader};
use crate::wire::response_decoder::{DecodeError, StreamPhase};
use crate::wire::stream_reader::{DecodedEvents, StreamReader};
use crate::wire::wire_format::{BodyContext, WireFormat};

/// The calls of one configured provider.
pub(crate) struct HttpCalls {
    pub(crate) endpoint: Endpoint,
    pub(crate) spec: &'static ProviderSpec,
    pub(crate) format: &'static WireFormat,
    pub(crate) quirk_memory: QuirkMemory,
}

/// A response whose first bytes have arrived.
struct OpenResponse {
    response: Response,
    first: Bytes,
}

pub(crate) fn stream(calls: Arc<HttpCalls>, request: ModelRequest) -> EventStream {
    let (mut events, received) = channel(64);
    let work = async move {
        if let Err(error) = calls.answer(request, &mut events).await {
            // Fails if the receiver is gone; then nobody needs the error.
            let _ = events.send(Err(error)).await;
        }
    };
    stream::select(received, work.into_stream().filter_map(|()| ready(None))).boxed()
}

/// A call, and what its attempts have changed in it so far.
struct CallState {
    url: Url,
    request: ModelRequest,
    /// The limit of the reply that is not reported yet; `None`: the reply has no lower limit than was asked
    /// for.
    unreported_cap: Option<OutputCap>,
    /// True if an error lowered the limit of the reply.
    was_capped: bool,
    /// True if the last error lowered the reasoning effort.
    lowered_effort: bool,
    /// The repetitions after temporary errors.
    repetitions: u32,
}

/// The moment at which a request is repeated.
enum Repetition {
    AtOnce,
    After(Duration),
}

impl HttpCalls {
    async fn answer(
        &self,
        request: ModelRequest,
        events: &mut Sender<Result<StreamEvent>>,
    ) -> Result<()> {
        let mut call = self.begin(request)?;
        loop {
            let attempt = self.attempt(&mut call, events).await;
            let Err(CallError { error, recovery }) = attempt else { return Ok(()) };
            let Some(repetition) = self.prepare_repetition(&mut call, recovery) else {
                return Err(error);
            };
            let check = call.request.repeat_check.begin(&error);
            if let Repetition::After(wait) = repetition {
                let (wait_ms, attempt) = (millis(wait), call.repetitions);
                let notice = StreamEvent::Retrying { error, wait_ms, attempt };
                if events.send(Ok(notice)).await.is_err() {
                    return Ok(());
                }
                tokio::time::sleep(wait).await;
            }
            check.await?;
        }
    }

    fn begin(&self, mut request: ModelRequest) -> Result<CallState> {
        let url =
            self.endpoint.base_url.completion_url(&self.format.address_rules, &request.model)?;
        let mut unreported_cap = None;
        if let Some(wish) = request.max_output.or(self.format.default_max_output) {
            let (tokens, by) = self.quirk_memory.max_output(&url, &request, wish);
            unreported_cap = (tokens < wish).then_some(OutputCap { tokens, by });
            request.max_output = Some(tokens);
        }
        Ok(CallState {
            url,
            request,
            unreported_cap,
            was_capped: false,
            lowered_effort: false,
            repetitions: 0,
        })
    }

    /// Sends the request once and reads the reply. Returns early if the receiver of the events is gone.
    async fn attempt(
        &self,
        call: &mut CallState,
        events: &mut Sender<Result<StreamEvent>>,
    ) -> Result<(), CallError> {
        let CallState { url, request, .. } = call;
        let opened = self.open(url, request).await?;
        let capped = call.unreported_cap.take().map(|cap| StreamEvent::OutputCapped { cap });
        let refused = self.effort_refusal(url, request, mem::take(&mut call.lowered_effort));
        for event in capped.into_iter().chain(refused) {
            if events.send(Ok(event)).await.is_err() {
                return Ok(());
            }
        }
        let calls = CallToolReader::new(&request.prompt.deferred);
        self.read(opened, origin(url, &request.model), calls, events).await
    }

    /// Changes the call as the recovery from an error demands. `None`: the call has failed.
    fn prepare_repetition(
        &self,
        call: &mut CallState,
        recovery: ErrorRecovery,
    ) -> Option<Repetition> {
        let CallState { url, request, .. } = call;
        match recovery {
            // Encrypted reasoning is rejected in the same words.
            ErrorRecovery::ApplyQuirk(Quirk::NoEncryptedSummary)
                if !self.sends_encrypted_summary(url, request) =>
            {
                None
            }
            ErrorRecovery::ApplyQuirk(quirk) => {
                call.lowered_effort |= quirk.affects_reasoning();
                self.quirk_memory.learn(url, &request.model, quirk);
                (!quirk.ends_call()).then_some(Repetition::AtOnce)
            }
            ErrorRecovery::CapOutput { output, by, limit } if !call.was_capped => {
                call.was_capped = true;
                call.unreported_cap = Some(OutputCap { tokens: output, by });
                request.max_output = Some(output);
                if let Some(limit) = limit {
                    self.quirk_memory.learn_limit(url, request, limit, output);
                }
                Some(Repetition::AtOnce)
            }
            ErrorRecovery::Retry { retry_after, times }
                if call.repetitions < times.min(self.endpoint.timeouts.max_retries) =>
            {
                call.repetitions += 1;
                self.retry_wait(retry_after, call.repetitions).map(Repetition::After)
            }
            ErrorRecovery::None | ErrorRecovery::Retry { .. } | ErrorRecovery::CapOutput { .. } => {
                None
            }
        }
    }

    fn sends_encrypted_summary(&self, url: &Url, request: &ModelRequest) -> bool {
        let quirks = self.quirk_memory.quirks_of(url, &request.model);
        request.encrypted_summary(&origin(url, &request.model), &quirks).is_some()
    }

    /// The event that reports another effort than the user chose. It is sent once, and again if an
    /// error lowered the effort further; `None` otherwise.
    fn effort_refusal(
        &self,
        url: &Url,
        request: &ModelRequest,
        lowered_again: bool,
    ) -> Option<StreamEvent> {
        let (effort, model) = (request.effort, &request.model);
        let known = self.quirk_memory.quirks_of(url, model);
        let requested = request.requested_effort(&known);
        let level = self.format.effort_level(self.spec, model, requested, &known);
        let instead = level.map_or(ReasoningEffort::Default, |(_, effort)| effort);
        if instead == effort {
            return None;
        }
        let is_for_tools = requested != effort && instead == ReasoningEffort::Off;
        let because = if is_for_tools { EffortReason::Tools } else { EffortReason::Model };
        let is_new =
            request.is_user_facing && self.quirk_memory.mark_effort_reported(url, model, effort);
        let refused = StreamEvent::EffortRefused { effort, instead, because };
        (is_new || lowered_again).then_some(refused)
    }

    /// The wait before a repetition; `None` if the provider asks for more than [`retry::MAX_WAIT`].
    fn retry_wait(&self, asked: Option<Duration>, repetition: u32) -> Option<Duration> {
        let own = retry::backoff(self.endpoint.timeouts.backoff, repetition);
        Some(asked.unwrap_or_default().max(own)).filter(|wait| *wait <= retry::MAX_WAIT)
    }

    fn hints(&self) -> ServerHints {
        ServerHints {
            local: self.endpoint.base_url.is_local(),
            mute_overflow: self.spec.mute_overflow,
        }
    }

    async fn open(&self, url: &Url, request: &ModelRequest) -> Result<OpenResponse, CallError> {
        let quirks = self.quirk_memory.quirks_of(url, &request.model);
        let origin = origin(url, &request.model);
        let context = BodyContext {
            spec: self.spec,
            is_own_host: self.endpoint.base_url.has_host_of(self.spec.base_url),
            quirks: &quirks,
            origin: &origin,
        };
        let body = deferred_tool_calls::request_body(self.format, request, context);
        let compaction = self.format.compaction.as_ref().filter(|_| request.compaction.is_some());
        let fields = compaction.map(|it| (it.accepted_fields)(&request.extra_body));
        let fields = fields.as_ref().unwrap_or(&request.extra_body);
        let body = body.and_then(|body| extra_body::merge_extra_body(body, fields));
        let body = body.map_err(|error| Error::Invalid { detail: error.to_string() })?;
        let effort = self.format.effort_param(request, context);
        let effort_sent = effort.map(|_| request.requested_effort(&quirks));
        let target = compaction.map_or_else(|| url.clone(), |it| (it.url)(url));
        let builder = self.endpoint.net.client().post(target.clone());
        let builder = builder.header(CONTENT_TYPE, "application/json").body(body);
        let mut response =
            self.endpoint.send(builder, &target, self.request_headers(request, &quirks)).await?;
        let status = response.status();
        if !status.is_success() {
            let wait = retry::retry_after(response.headers(), SystemTime::now());
            let body = read_start(response, self.endpoint.timeouts.idle, MAX_ERROR_BODY).await;
            let (hints, redactor) = (self.hints(), &self.endpoint.redactor);
            let output = request.max_output;
            let model = Some(request.model.as_str());
            let asked = FailedRequest {
                hints,
                model,
                quirks: &quirks,
                effort: effort_sent,
                output,
                redactor,
            };
            let refusal = classify::classify_response(status, &body, wait, &asked);
            return Err(match status {
                StatusCode::NOT_FOUND | StatusCode::METHOD_NOT_ALLOWED
                    if request.compaction.is_some() =>
                {
                    let recovery = ErrorRecovery::ApplyQuirk(Quirk::NoCompaction);
                    CallError { recovery, ..refusal }
                }
                _ => refusal,
            });
        }
        match with_timeout(self.endpoint.first_event_timeout(), response.chunk()).await {
            Ok(Ok(Some(first))) => Ok(OpenResponse { response, first }),
            Ok(Ok(None)) => Err(Error::Protocol { detail: String::new() }.into()),
            Ok(Err(error)) => Err(self.endpoint.unreachable(url, &error)),
            Err(waited) => Err(self.endpoint.timeout_error(url, waited).into()),
        }
    }

    /// The headers of a request, including those that it or a quirk of the server demands.
    fn request_headers(&self, request: &ModelRequest, quirks: &Quirks) -> HeaderMap {
        let mut headers = self.endpoint.headers.clone();
        for (name, ours) in (self.format.request_headers)(request, quirks) {
            let own = headers.get(name).and_then(|own| own.to_str().ok());
            let all = own.map_or_else(|| ours.to_owned(), |own| format!("{own},{ours}"));
            if let Ok(mut value) = HeaderValue::try_from(all) {
                value.set_sensitive(true);
                headers.insert(name, value);
            }
        }
        headers
    }

    /// Reads up to the end marker, which is not always the end of the connection. If the connection
    /// breaks, the events end without a finish: the reply was interrupted. A response that consists
    /// of nothing but an error, as many overloads do, is handled like an error status.
    async fn read(
        &self,
        opened: OpenResponse,
        origin: String,
        mut calls: CallToolReader<'_>,
        events: &mut Sender<Result<StreamEvent>>,
    ) -> Result<(), CallError> {
        let OpenResponse { mut response, first } = opened;
        let mut reader = StreamReader::new((self.format.decoder)(origin));
        let mut decoded = reader.push(&first);
        let mut begun = false;
        loop {
            begun |= !decoded.events.is_empty();
            if !self.forward(decoded, &mut calls, begun, events).await? {
                return Ok(());
            }
            let wait = match reader.phase() {
                StreamPhase::Closed => return Ok(()),
                StreamPhase::Trailing => Some(self.endpoint.timeouts.trailing_usage),
                StreamPhase::Open if begun => self.idle_timeout(),
                StreamPhase::Open => self.endpoint.first_event_timeout(),
            };
            let piece = with_timeout(wait, response.chunk()).await;
            let late =
                piece.as_ref().err().copied().filter(|_| reader.phase() == StreamPhase::Open);
            if let Ok(Ok(Some(bytes))) = piece {
                decoded = reader.push(&bytes);
                continue;
            }
            let rest = reader.end();
            begun |= !rest.events.is_empty();
            self.forward(rest, &mut calls, begun, events).await?;
            let late = late.map(|waited| self.endpoint.timeout_error(response.url(), waited));
            return late.map_or(Ok(()), |error| Err(error.into()));
        }
    }

    /// The time limit between two pieces of a reply. A local server may write for minutes and send
    /// one piece; Ollama does so with tool calls wherever it runs.
    fn idle_timeout(&self) -> Option<Duration> {
        match self.format.sends_calls_whole {
            _ if self.endpoint.base_url.is_local() => None,
            true => Some(self.endpoint.timeouts.first_event),
            false => Some(self.endpoint.timeouts.idle),
        }
    }

    /// Sends events to the receiver; false if it is gone. A reply that has begun is not repeated.
    async fn forward(
        &self,
        decoded: DecodedEvents,
        calls: &mut CallToolReader<'_>,
        begun: bool,
        events: &mut Sender<Result<StreamEvent>>,
    ) -> Result<bool, CallError> {
        for event in decoded.events {
            for event in calls.read(event)? {
                if events.send(Ok(event)).await.is_err() {
                    return Ok(false);
                }
            }
        }
        match decoded.error {
            None => Ok(true),
            Some(DecodeError::Reported(body)) => {
                let error =
                    classify::classify_stream_error(&body, self.hints(), &self.endpoint.redactor);
                Err(if begun { error.error.into() } else { error })
            }
            Some(DecodeError::Malformed(bytes)) => {
                Err(unexpected_body_error(&bytes, &self.endpoint.redactor).into())
            }
        }
    }
}

/// The limit of an error body, in bytes.
const MAX_ERROR_BODY: usize = 64 * 1024;

/// A hash that names an address and a model. Either may be a secret of the user.
pub(super) fn origin(url: &Url, model: &str) -> String {
    let digest = Sha256::new_with_prefix(url.as_str()).chain_update(model).finalize();
    digest.iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}
