//! Requests to a model outside the conversation: for a summary, a title or a side question.
//!
//! Not here: the prompts (`context::summary`), or replies in a conversation (`turn`).

use std::sync::Arc;

use futures::StreamExt;
use serde_json::Value;
use skein_context::cost::estimate::TokenRange;
use skein_context::cost::prompt_cache::CacheLifetime;
use skein_context::limits::Limits;
use skein_context::summary::ProviderCompaction;
use skein_context::tokens::TokenCounter;
use skein_context::tokens::message_tokens::{Tokenizer, count_parts};
use skein_context::tokens::token_count::{Basis, TokenCount};
use skein_context::window::Prompt;
use skein_domain::cost::Cost;
use skein_domain::error::{CompactionFailure, Error, Result};
use skein_domain::finish_reason::FinishReason;
use skein_domain::generation::{Generation, Purpose};
use skein_domain::ids::{SessionId, ThreadId};
use skein_domain::model::{ModelRef, ModelSpec};
use skein_domain::provider_config::ReasoningEffort;
use skein_domain::usage::TokenUsage;
use skein_providers::{EventStream, ModelRequest, RepeatCheck, StreamEvent};
use skein_store::{AutomaticEvent, Store};
use tokio_util::sync::CancellationToken;

use super::budgets::{AdmittedCall, Budgets, PlannedCall};
use super::calls_under_way::may_be_billed;
use super::costs::{Costs, EndedCall};
use super::prompt_cache_key::prompt_cache_key;
use super::reply_limit::limit_reply;
use super::side_stream::SideStream;
use super::usage_recording::elapsed;
use crate::attachments::Attachments;
use crate::clock::now;
use crate::events::Topic;
use crate::models::Models;
use crate::models::provider_connections::ProviderConnections;
use crate::models::silent_truncation::{self, Truncation, detect_truncation};
use crate::notifier::Notifier;
use crate::shared_state::SharedState;

/// A request outside the conversation.
pub(crate) struct SideRequest<'a> {
    pub thread: ThreadId,
    pub purpose: Purpose,
    pub model: &'a ModelRef,
    pub prompt: Prompt,
    /// The provider summarizes the messages of the prompt; `None`: the model replies to them.
    pub by_provider: Option<ProviderCompaction>,
    /// The estimated tokens of the prompt; `None`: it is all text, and its texts are counted.
    pub tokens: Option<TokenCount>,
    /// True if the reported prompt tokens are compared with the estimate, to detect a cut prompt.
    pub checks_truncation: bool,
    /// The longest reply, in tokens; `None` leaves it to the provider.
    pub max_output: Option<u32>,
    pub effort: ReasoningEffort,
}

/// The reply to a side request.
pub(crate) struct SideReply {
    pub text: String,
    /// The finish reason; `None`: the stream ended without one.
    pub finish: Option<FinishReason>,
    /// The silent truncation of the prompt; `None`: none was detected.
    pub truncation: Option<Truncation>,
    /// The model called a tool, which was not run.
    pub has_calls: bool,
    /// The items of the provider's own compaction; `None`: it gave none that are encrypted.
    pub encrypted: Option<Vec<Value>>,
    /// The provider's word.
    pub usage: TokenUsage,
    pub cost: Cost,
}

/// A side request that was admitted.
struct SideCall<'a> {
    thread: ThreadId,
    purpose: Purpose,
    model: &'a ModelRef,
    spec: ModelSpec,
    /// The estimated tokens of the prompt.
    sent: TokenCount,
    /// In milliseconds since the epoch.
    started_at: i64,
}

/// Tokens of a prompt without tools.
pub(super) fn count_texts(counter: &TokenCounter, prompt: &Prompt) -> TokenCount {
    let messages = prompt.messages.iter().map(|it| count_parts(counter, &it.parts).total());
    let tokens = messages.fold(counter.text(&prompt.system), u32::saturating_add);
    TokenCount { tokens, basis: counter.basis() }
}

/// The error of a request that was stopped.
pub(crate) fn cancelled() -> Error {
    Error::NotCompacted { reason: CompactionFailure::Cancelled }
}

/// Sends requests outside the conversation.
pub(crate) struct SideRequests {
    store: Store,
    notifier: Notifier,
    attachments: Arc<Attachments>,
    budgets: Arc<Budgets>,
    connections: Arc<ProviderConnections>,
    models: Arc<Models>,
    costs: Arc<Costs>,
}

impl SideRequests {
    pub fn new(
        shared: &SharedState,
        attachments: Arc<Attachments>,
        budgets: Arc<Budgets>,
        connections: Arc<ProviderConnections>,
        models: Arc<Models>,
        costs: Arc<Costs>,
    ) -> Self {
        let (store, notifier) = (shared.store.clone(), shared.notifier.clone());
        Self { store, notifier, attachments, budgets, connections, models, costs }
    }

    /// Sends a request and passes the text on as it arrives. Stores the usage and the cost, however it ends.
    pub(crate) async fn send(
        &self,
        question: SideRequest<'_>,
        cancel: &CancellationToken,
        mut on_text: impl FnMut(&str) + Send,
    ) -> Result<SideReply> {
        let SideRequest { thread, purpose, model, checks_truncation, .. } = question;
        let started_at = now();
        let session = self.store.thread(thread).await?.session_id;
        let spec = self.models.spec(model).await?;
        let counter = self.models.counter(model).await?;
        let sent = question.tokens.unwrap_or_else(|| count_texts(&counter, &question.prompt));
        let planned = PlannedCall {
            session: Some(session),
            purpose: purpose.into(),
            model: model.clone(),
            unsaved_provider: None,
            prompt: TokenRange::around(sent, counter.error_percent()).most,
            max_output: question.max_output,
            cache_lifetime: CacheLifetime::Usual,
        };
        let AdmittedCall { repeat_check, reservation } = self.budgets.admit(planned).await?;
        let call = SideCall { thread, purpose, model, spec, sent, started_at };
        let request = self.model_request(question, &call, session, repeat_check).await?;
        let provider = self.connections.provider(&model.provider).await?;
        let mut stream = tokio::select! {
            stream = provider.stream(request) => limit_reply(stream?),
            () = cancel.cancelled() => return Err(cancelled()),
        };
        let mut read = SideStream::default();
        let end = self.read_side_reply(&mut stream, cancel, &mut on_text, &mut read).await;
        let cost = self.book(&call, &read, &end, cancel).await?;
        drop(reservation);
        end?;
        let SideStream { text, finish, usage, has_calls, encrypted, .. } = read;
        let truncation = match finish.filter(|_| checks_truncation) {
            Some(finish) => self.detect_truncation(&call, &usage, finish).await?,
            None => None,
        };
        self.store_generation(&call, usage, truncation).await?;
        Ok(SideReply { text, finish, truncation, has_calls, encrypted, usage, cost })
    }

    async fn model_request(
        &self,
        question: SideRequest<'_>,
        call: &SideCall<'_>,
        session: SessionId,
        repeat_check: RepeatCheck,
    ) -> Result<ModelRequest> {
        let SideRequest { model, prompt, by_provider, max_output, effort, .. } = question;
        Ok(ModelRequest {
            model: model.model.clone(),
            blobs: self.attachments.prompt_images(&prompt).await,
            compaction: by_provider,
            prompt,
            max_output,
            window: call.spec.window.map(|window| window.value),
            prompt_tokens: Some(call.sent.tokens),
            effort,
            is_user_facing: false,
            cache_key: Some(prompt_cache_key(&self.store.session(session).await?)),
            cache_lifetime: CacheLifetime::Usual,
            extra_body: self.models.extra_body(model),
            repeat_check,
        })
    }

    /// Enters the cost of a call that has ended.
    ///
    /// # Errors
    /// The error of a call that is not billed.
    async fn book(
        &self,
        call: &SideCall<'_>,
        read: &SideStream,
        end: &Result<()>,
        cancel: &CancellationToken,
    ) -> Result<Cost> {
        let ended = EndedCall {
            thread: Some(call.thread),
            message: None,
            purpose: call.purpose.into(),
            model: call.model,
            unsaved_provider: None,
            usage: read.usage,
            estimated_prompt: Some(call.sent.tokens),
            report: &read.billing,
            finish: read.finish,
            started_at: call.started_at,
        };
        self.costs.enter_broken_attempts(read.broken_attempts, ended).await;
        match end {
            Err(error) if !read.has_begun && !may_be_billed(error) && !cancel.is_cancelled() => {
                Err(error.clone())
            }
            Ok(()) | Err(_) => Ok(self.costs.enter(ended).await),
        }
    }

    async fn store_generation(
        &self,
        call: &SideCall<'_>,
        usage: TokenUsage,
        truncation: Option<Truncation>,
    ) -> Result<()> {
        let generation = Generation {
            message_id: None,
            place: None,
            point: None,
            prefix: None,
            purpose: call.purpose,
            model: call.model.clone(),
            usage,
            health: None,
            finish: None,
            started_at: call.started_at,
            duration_ms: elapsed(call.started_at, now()),
            unmentioned: truncation,
        };
        self.store.add_generation(call.thread, generation).await?;
        match truncation {
            Some(truncation) => self.record_truncation(call, truncation).await,
            None => Ok(()),
        }
    }

    /// Reads until the stream ends. The part that was read stays after a cancellation or an error, because it
    /// is paid for.
    async fn read_side_reply(
        &self,
        stream: &mut EventStream,
        cancel: &CancellationToken,
        on_text: &mut (impl FnMut(&str) + Send),
        read: &mut SideStream,
    ) -> Result<()> {
        loop {
            let event = tokio::select! {
                event = stream.next() => event,
                () = cancel.cancelled() => return Err(cancelled()),
            };
            let Some(event) = event.transpose()? else { return Ok(()) };
            match &event {
                StreamEvent::Text { delta } => on_text(delta),
                StreamEvent::EffortRefused { .. } => self.notifier.changed([Topic::Providers {}]),
                _ => {}
            }
            read.receive(event);
        }
    }

    /// P09: detects a silent truncation of the prompt, as for a reply (`usage_recording`).
    async fn detect_truncation(
        &self,
        call: &SideCall<'_>,
        usage: &TokenUsage,
        finish: FinishReason,
    ) -> Result<Option<Truncation>> {
        let learned = self.store.learned_model(call.model.clone()).await?;
        let least = learned.calibration.unwrap_or_default().without_excess(call.sent.tokens);
        let believed = silent_truncation::SentEstimate {
            prompt: Some(least),
            is_calibrated: call.sent.basis <= Basis::Calibrated,
            window: call.spec.window.map(|window| window.value),
            is_window_declared: self.models.sends_num_ctx(&call.model.provider),
        };
        let how = detect_truncation(usage, finish, believed).filter(|how| how.harms());
        let truncation = |(how, read)| Truncation { how, read, sent: least };
        Ok(how.zip(usage.prompt).map(truncation))
    }

    /// Logs a silent truncation, and learns the window from it.
    async fn record_truncation(&self, call: &SideCall<'_>, truncation: Truncation) -> Result<()> {
        let SideCall { thread, model, spec, .. } = call;
        let Truncation { how, read, sent } = truncation;
        let event = AutomaticEvent::SilentOverflow { how, read, sent };
        self.store.append_activity(*thread, event, now()).await?;
        let window = Limits::of(spec).window;
        match self.models.learn_window_from_usage(model, spec, window, &truncation).await? {
            Some(window) => self.models.log_learned_window(*thread, window).await,
            None => Ok(()),
        }
    }
}
