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
use skein_domain::ids::ThreadId;
use skein_domain::model::{ModelRef, ModelSpec};
use skein_domain::provider_config::ReasoningEffort;
use skein_domain::usage::TokenUsage;
use skein_providers::{EventStream, ModelRequest, StreamEvent};
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
        mut heard: impl FnMut(&str) + Send,
    ) -> Result<SideReply> {
        let SideRequest { thread, purpose, model, prompt, by_provider, max_output, effort, .. } =
            question;
        let started_at = now();
        let session = self.store.thread(thread).await?.session_id;
        let spec = self.models.spec(model).await?;
        let counter = self.models.counter(model).await?;
        let sent = question.tokens.unwrap_or_else(|| count_texts(&counter, &prompt));
        let prompt_tokens = Some(sent.tokens);
        let call = PlannedCall {
            session: Some(session),
            purpose: purpose.into(),
            model: model.clone(),
            unsaved_provider: None,
            prompt: TokenRange::around(sent, counter.error_percent()).most,
            max_output,
            cache_lifetime: CacheLifetime::Usual,
        };
        let AdmittedCall { repeat_check, reservation } = self.budgets.admit(call).await?;
        let request = ModelRequest {
            model: model.model.clone(),
            blobs: self.attachments.prompt_images(&prompt).await,
            compaction: by_provider,
            prompt,
            max_output,
            window: spec.window.map(|window| window.value),
            prompt_tokens,
            effort,
            is_user_facing: false,
            cache_key: Some(prompt_cache_key(&self.store.session(session).await?)),
            cache_lifetime: CacheLifetime::Usual,
            extra_body: self.models.extra_body(model),
            repeat_check,
        };
        let provider = self.connections.provider(&model.provider).await?;
        let mut stream = tokio::select! {
            stream = provider.stream(request) => limit_reply(stream?),
            () = cancel.cancelled() => return Err(cancelled()),
        };
        let mut read = SideStream::default();
        let whole = self.read_side_reply(&mut stream, cancel, &mut heard, &mut read).await;
        let SideStream { text, finish, usage, billing, has_calls, encrypted, .. } = read;
        let call = EndedCall {
            thread: Some(thread),
            message: None,
            purpose: purpose.into(),
            model,
            unsaved_provider: None,
            usage,
            estimated_prompt: prompt_tokens,
            report: &billing,
            finish,
            started_at,
        };
        self.costs.enter_broken_attempts(read.broken_attempts, call).await;
        if let Err(error) = &whole
            && !read.has_begun
            && !may_be_billed(error)
            && !cancel.is_cancelled()
        {
            // Nothing is billed.
            return Err(error.clone());
        }
        let cost = self.costs.enter(call).await;
        drop(reservation);
        whole?;
        let truncation = None;
        let mut answer = SideReply { text, finish, truncation, has_calls, encrypted, usage, cost };
        if let Some(finish) = answer.finish.filter(|_| question.checks_truncation) {
            answer.truncation = self.cut(model, &spec, sent, &usage, finish).await?;
        }
        let generation = Generation {
            message_id: None,
            place: None,
            point: None,
            prefix: None,
            purpose,
            model: model.clone(),
            usage,
            health: None,
            finish: None,
            started_at,
            duration_ms: elapsed(started_at, now()),
            unmentioned: answer.truncation,
        };
        self.store.add_generation(thread, generation).await?;
        if let Some(cut) = answer.truncation {
            self.record_truncation(thread, model, &spec, cut).await?;
        }
        Ok(answer)
    }

    /// Reads until the stream ends. The part that was read stays after a cancellation or an error, because it
    /// is paid for.
    async fn read_side_reply(
        &self,
        stream: &mut EventStream,
        cancel: &CancellationToken,
        heard: &mut (impl FnMut(&str) + Send),
        read: &mut SideStream,
    ) -> Result<()> {
        loop {
            let event = tokio::select! {
                event = stream.next() => event,
                () = cancel.cancelled() => return Err(cancelled()),
            };
            let Some(event) = event.transpose()? else { return Ok(()) };
            match &event {
                StreamEvent::Text { delta } => heard(delta),
                StreamEvent::EffortRefused { .. } => self.notifier.changed([Topic::Providers {}]),
                _ => {}
            }
            read.receive(event);
        }
    }

    /// P09: detects a silent truncation of the prompt, as for a reply (`usage_recording`).
    async fn cut(
        &self,
        model: &ModelRef,
        spec: &ModelSpec,
        sent: TokenCount,
        usage: &TokenUsage,
        finish: FinishReason,
    ) -> Result<Option<Truncation>> {
        let known = self.store.learned_model(model.clone()).await?.calibration.unwrap_or_default();
        let least = known.without_excess(sent.tokens);
        let believed = silent_truncation::SentEstimate {
            prompt: Some(least),
            is_calibrated: sent.basis <= Basis::Calibrated,
            window: spec.window.map(|window| window.value),
            is_window_declared: self.models.sends_num_ctx(&model.provider),
        };
        let how = detect_truncation(usage, finish, believed).filter(|how| how.harms());
        let cut = |(how, read)| Truncation { how, read, sent: least };
        Ok(how.zip(usage.prompt).map(cut))
    }

    /// Logs a silent truncation, and learns the window from it.
    async fn record_truncation(
        &self,
        thread: ThreadId,
        model: &ModelRef,
        spec: &ModelSpec,
        cut: Truncation,
    ) -> Result<()> {
        let Truncation { how, read, sent } = cut;
        let event = AutomaticEvent::SilentOverflow { how, read, sent };
        self.store.append_activity(thread, event, now()).await?;
        match self
            .models
            .learn_window_from_usage(model, spec, Limits::of(spec).window, &cut)
            .await?
        {
            Some(window) => self.models.log_learned_window(thread, window).await,
            None => Ok(()),
        }
    }
}
