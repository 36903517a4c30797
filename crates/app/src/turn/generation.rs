//! One generation: the request, the reply, and the one recovery from a refusal (P09).
//!
//! An overflow error teaches the size of the window and is recovered from once. The limit an error names
//! applies to the repetition even where the user set a larger window.

use std::sync::Mutex;

use skein_context::compaction::decision::{Decision, GateTrigger, Verdict};
use skein_context::compaction::remediation::{
    ClearMindContext, ClearMindOutcome, NotClearedReason, clear_mind_error_text, decide_clear_mind,
    pending_user_messages,
};
use skein_domain::error::{Error, Result};
use skein_domain::generation::CallPurpose;
use skein_domain::ids::MessageId;
use skein_domain::message::{
    Message, MessageKind, MessageState, Origin, Role, ToolCall, ToolState,
};
use skein_domain::reminder::CLEAR_MIND;
use skein_domain::session::ClearedBy;
use skein_providers::ModelRequest;
use skein_store::{AutomaticEvent, MessageParent, NewMessage, PaidCall};

use super::Turn;
use super::preflight::AfterGate;
use super::reply_stream::{BegunReply, ReplyStream, RequestSize, StreamedReply, cancel_calls};
use super::tool_calls::{ToolCallRunner, UnstoredCalls};
use crate::clock::now;
use crate::context::turn_context::{OutgoingPrompt, TurnContext};
use crate::events::{Topic, TurnEvent};
use crate::live::live_session::ClearRequest;
use crate::messages::tool_result::with_calls;
use crate::messages::unstored::UnstoredReply;
use crate::model_calls::budgets::{AdmittedCall, PlannedCall};
use crate::model_calls::calls_under_way::BudgetReservation;
use crate::model_calls::costs::ReplyCall;
use crate::model_calls::prompt_cache_key::prompt_cache_key;
use crate::model_calls::reply_ending::ReplyEnding;
use crate::models::silent_truncation::Truncation;

/// The limit that the error names for prompt and reply together, in tokens. `None`: it names none.
fn limit_in_error(error: &Error) -> Option<u32> {
    match error {
        Error::TooLong { limit, output_only: false, .. } => *limit,
        _ => None,
    }
}

/// True if the gate offers no way to make the refused request smaller.
fn has_no_recovery(verdict: &Verdict) -> bool {
    matches!(verdict.decision, Decision::TooLong { .. } | Decision::Go {})
}

/// The result of generating one reply.
pub(super) enum GenerationResult {
    /// The stored reply, and how it ended.
    Reply(Box<Message>, ReplyEnding),
    /// The reply is shown but could not be stored, so nothing can follow it yet.
    Unstored,
    /// The user's message was deleted before a reply began.
    Withdrawn,
}

/// The way on after the provider refused a prompt as too long.
enum Recovery {
    /// Send the request again with this context.
    Repeat(Box<TurnContext>),
    /// The request cannot be made smaller, or may not be.
    Impossible,
    /// The user's message was deleted meanwhile.
    Withdrawn,
}

impl Turn<'_> {
    /// Generates one reply. If the provider refuses the prompt as too long, it is made smaller and sent once
    /// more, where the session's strategy allows that.
    pub(super) async fn generate(&mut self, context: TurnContext) -> Result<GenerationResult> {
        let mut context = context;
        let mut repeated = false;
        while self.live.turn.start_reply() {
            let (streamed, reservation) = self.stream(&context).await?;
            let StreamedReply { message, leaf_before, usage, billing, ending, .. } = streamed;
            let call = ReplyCall {
                model: &context.model,
                reply: &message,
                usage,
                estimated_prompt: streamed.prompt_tokens,
                broken_attempts: streamed.broken_attempts,
                report: &billing,
                ending: &ending,
            };
            let entry = self.env.costs.reply_entry(call).await;
            drop(reservation);
            let measurement = match &ending {
                ReplyEnding::Failed(Error::TooLong { .. }) if message.parts.is_empty() => None,
                ending => self.env.usage.measure_reply(&context, &message, usage, ending).await,
            };
            let call = PaidCall {
                generation: measurement.as_ref().map(|it| it.generation.clone()),
                entry,
                request: Some(context.prompt_view(None)),
            };
            let Some(message) = self.store_reply(message, call).await? else {
                return Ok(GenerationResult::Unstored);
            };
            if let Some(measurement) = &measurement {
                self.env.usage.keep_request_start(&message, measurement).await;
            }
            match ending {
                ReplyEnding::Failed(error @ Error::TooLong { .. }) if message.parts.is_empty() => {
                    let named = limit_in_error(&error);
                    self.learn_window(&context, named).await?;
                    let refused =
                        self.env.contexts.refresh_limits(context).await?.limited_to(named);
                    let next = self.recover(&refused, &message, leaf_before, repeated).await?;
                    match next {
                        Recovery::Repeat(next) => context = next.limited_to(named),
                        Recovery::Impossible => {
                            let ending = ReplyEnding::Failed(error);
                            return Ok(GenerationResult::Reply(Box::new(message), ending));
                        }
                        Recovery::Withdrawn => return Ok(GenerationResult::Withdrawn),
                    }
                    repeated = true;
                }
                ending => {
                    if let ReplyEnding::Failed(_) = ending {
                        self.delete_rejected_summaries(&context).await?;
                    }
                    if let Some(measurement) = measurement {
                        self.env.usage.calibrate_counter(&context, &measurement).await?;
                        if let Some(truncation) = measurement.truncation {
                            self.report_truncation(&context, truncation).await?;
                        }
                    }
                    return Ok(GenerationResult::Reply(Box::new(message), ending));
                }
            }
        }
        Ok(GenerationResult::Withdrawn)
    }

    /// Stores a reply with its call, and shows it. `None`: the store refused it, and it waits in memory until
    /// it can be stored.
    async fn store_reply(&self, reply: Message, call: PaidCall) -> Result<Option<Message>> {
        let stored = self.env.store.finish_reply(reply.clone(), call.clone()).await;
        let shown = match &stored {
            Ok(message) => message.clone(),
            Err(_) => cancel_calls(reply),
        };
        self.send_event(&TurnEvent::Message { message: shown.clone() });
        match stored {
            Ok(message) => {
                self.env.thread_cache.append(&message);
                if let Some(health) = call.generation.and_then(|it| it.health) {
                    self.send_event(&TurnEvent::Usage { health });
                }
                Ok(Some(message))
            }
            Err(error @ Error::NotFound { .. }) => Err(error),
            Err(error) => {
                let session = self.live.session_id;
                self.env.unstored.keep(UnstoredReply::new(session, shown, call, error));
                Ok(None)
            }
        }
    }

    async fn stream(&self, context: &TurnContext) -> Result<(StreamedReply, BudgetReservation)> {
        let OutgoingPrompt { prompt, tokens, max_output, shortened } = context.outgoing();
        let call = PlannedCall {
            session: Some(self.live.session_id),
            purpose: CallPurpose::Reply,
            model: context.model.clone(),
            unsaved_provider: None,
            prompt: context.provider_tokens(tokens).most,
            max_output,
            cache_lifetime: context.cache_lifetime,
        };
        let AdmittedCall { repeat_check, reservation } = self.env.budgets.admit(call).await?;
        let blobs = self.env.attachments.prompt_images(&prompt).await;
        let reply = NewMessage {
            parent: context.path_end,
            kind: MessageKind::Chat {},
            role: Role::Assistant,
            origin: Origin::Model,
            parts: Vec::new(),
            state: MessageState::Streaming {},
            model: Some(context.model.clone()),
            created_at: now(),
        };
        let request = ModelRequest {
            model: context.model.model.clone(),
            prompt,
            blobs,
            compaction: None,
            max_output,
            window: context.limits.window,
            prompt_tokens: Some(tokens),
            effort: context.effort,
            is_user_facing: true,
            cache_key: Some(prompt_cache_key(&context.session)),
            cache_lifetime: context.cache_lifetime,
            extra_body: self.env.models.extra_body(&context.model),
            repeat_check,
        };
        let provider = self.env.connections.provider(&context.model.provider).await?;
        let sent = RequestSize { tokens, max_prompt: context.limits.max_prompt(), shortened };
        let (env, live, cancel) = (self.env.as_ref(), self.live.as_ref(), &self.cancel);
        let replying = ReplyStream { env, live, provider: provider.as_ref(), cancel };
        let streamed = replying.stream(request, self.begin_reply(context, reply), sent).await?;
        Ok((streamed, reservation))
    }

    /// Stores the empty message of the reply, and logs the passages that its request contains. The cached
    /// thread gets the message when the reply has ended.
    async fn begin_reply(&self, context: &TurnContext, reply: NewMessage) -> Result<BegunReply> {
        let thread = context.loaded.thread.id;
        let (message, leaf_before) = self.env.store.begin_reply(thread, reply).await?;
        match context.path_end {
            MessageParent::Leaf => {}
            // The path that is shown may have ended elsewhere until now.
            MessageParent::Under(_) => self.env.thread_writer.drop_cached_thread(thread),
        }
        if let Some(passages) = &context.passages {
            let (passages, tokens) = (passages.count, passages.text.tokens);
            self.log(context, AutomaticEvent::Recalled { passages, tokens }).await?;
        }
        Ok(BegunReply { message, leaf_before })
    }

    /// Stores the size of the window that the provider's refusal names.
    async fn learn_window(&self, context: &TurnContext, named: Option<u32>) -> Result<()> {
        match named {
            Some(window) => {
                self.env
                    .models
                    .learn_window_from_error(context.loaded.thread.id, &context.model, window)
                    .await
            }
            None => Ok(()),
        }
    }

    /// Deletes the encrypted summaries that the provider rejected with this call.
    async fn delete_rejected_summaries(&self, context: &TurnContext) -> Result<()> {
        let (thread, origin) = (context.loaded.thread.id, context.encrypted_origin.as_deref());
        let models = &self.env.models;
        if models.delete_rejected_summaries(thread, &context.model, origin).await? {
            self.env.thread_writer.drop_cached_thread(thread);
        }
        Ok(())
    }

    /// True if the user's message was deleted while its reply was generated.
    async fn was_deleted(&self) -> Result<bool> {
        let Some(asked) = self.user_message else { return Ok(false) };
        match self.env.store.message(asked).await {
            Ok(_) => Ok(false),
            Err(Error::NotFound { .. }) => Ok(true),
            Err(error) => Err(error),
        }
    }

    /// Makes room for a repetition. `leaf_before` is the message that the path ended with before the reply.
    async fn recover(
        &mut self,
        refused: &TurnContext,
        reply: &Message,
        leaf_before: Option<MessageId>,
        repeated: bool,
    ) -> Result<Recovery> {
        let trigger = GateTrigger::Overflow { repeated };
        let verdict = self.env.gate.ask(refused, trigger, self.attempt).await?;
        if has_no_recovery(&verdict) {
            return Ok(Recovery::Impossible);
        }
        // The empty reply makes room for the repetition.
        let deletion = self.env.thread_writer.remove_reply(reply, leaf_before).await?;
        self.set_user_message(self.user_message);
        self.send_event(&TurnEvent::Removed { message_id: reply.id });
        if self.was_deleted().await? {
            return Ok(Recovery::Withdrawn);
        }
        match self.make_room(refused, verdict, trigger).await? {
            _ if self.live.turn.is_reply_cancelled() => Ok(Recovery::Withdrawn),
            AfterGate::NothingChanged => {
                self.env.thread_writer.restore_reply(deletion).await?;
                self.send_event(&TurnEvent::Message { message: reply.clone() });
                Ok(Recovery::Impossible)
            }
            AfterGate::Send | AfterGate::Rebuild | AfterGate::AskAgain | AfterGate::Retry => {
                Ok(Recovery::Repeat(Box::new(self.context().await?)))
            }
        }
    }

    /// Does what the gate decides after a refusal. If only a compaction of another thread was in the way, the
    /// gate is asked again, because nothing has changed in this thread.
    async fn make_room(
        &mut self,
        refused: &TurnContext,
        mut verdict: Verdict,
        trigger: GateTrigger,
    ) -> Result<AfterGate> {
        loop {
            let next = self.apply_decision(refused, verdict, trigger).await?;
            if !matches!(next, AfterGate::Retry) || self.live.turn.is_reply_cancelled() {
                return Ok(next);
            }
            verdict = self.env.gate.ask(refused, trigger, self.attempt).await?;
            if has_no_recovery(&verdict) {
                return Ok(AfterGate::NothingChanged);
            }
        }
    }

    /// P09: logs, once in a turn, that the server cut the prompt without an error. Learns the window from it.
    async fn report_truncation(
        &mut self,
        context: &TurnContext,
        truncation: Truncation,
    ) -> Result<()> {
        let Truncation { how, read, sent } = truncation;
        if how.harms() && !std::mem::replace(&mut self.is_truncation_reported, true) {
            self.log(context, AutomaticEvent::SilentOverflow { how, read, sent }).await?;
        }
        let TurnContext { model, spec, limits, .. } = context;
        match self
            .env
            .models
            .learn_window_from_usage(model, spec, limits.window, &truncation)
            .await?
        {
            Some(window) => {
                self.env.models.log_learned_window(context.loaded.thread.id, window).await
            }
            None => Ok(()),
        }
    }

    /// Runs the tool calls of a reply, and clears the context if one of them asked for that. `false`: the
    /// results are only in memory, and nothing can follow them yet.
    pub(super) async fn run_calls(
        &mut self,
        reply: &Message,
        calls: Vec<ToolCall>,
    ) -> Result<bool> {
        let context = self.context().await?;
        // A request that is left of a turn that broke off does not belong to this reply.
        self.live.take_clear_request();
        let runner = ToolCallRunner {
            env: self.env,
            live: self.live,
            thread: reply.thread_id,
            message_id: reply.id,
            toolbox: &context.toolbox,
            cancel: self.cancel.clone(),
            repeated: &self.repeated,
            unstored: Mutex::default(),
        };
        let done = runner.run(calls).await?;
        if let Some(UnstoredCalls { error, results }) = runner.into_unstored() {
            let message = with_calls(reply, &done);
            self.send_event(&TurnEvent::Message { message: message.clone() });
            let session = self.live.session_id;
            self.env.unstored.keep(UnstoredReply::of_calls(session, message, results, error));
            return Ok(false);
        }
        self.env.thread_writer.refresh_cached_message(reply.id).await?;
        let session_id = self.live.session_id;
        self.env.notifier.changed([Topic::Context { session_id }]);
        if let Some(ClearRequest { handoff: package }) = self.live.take_clear_request() {
            self.clear_by_model(&context, &done, reply, package).await?;
        }
        Ok(true)
    }

    /// D15: clears the context as the model asked. If that is not allowed, the result of its call says why.
    async fn clear_by_model(
        &mut self,
        context: &TurnContext,
        done: &[ToolCall],
        reply: &Message,
        package: Option<String>,
    ) -> Result<()> {
        let succeeded = |call: &ToolCall| matches!(call.state, ToolState::Done { .. });
        let circumstances = ClearMindContext {
            allowed: self.env.contexts.is_remind_active(self.live.session_id).await?,
            failed_beside: !done.iter().all(succeeded),
            cleared_this_turn: self.cleared,
        };
        match decide_clear_mind(circumstances) {
            ClearMindOutcome::NotCleared { why } => self.refuse_clear(done, reply, why).await,
            ClearMindOutcome::Cleared => {
                self.cleared = true;
                let carry = pending_user_messages(context.loaded.messages());
                let by = ClearedBy::Model;
                let thread = self.env.threads.clear(context, by, package, carry).await?;
                self.send_event(&TurnEvent::Moved { thread_id: thread });
                Ok(())
            }
        }
    }

    async fn refuse_clear(
        &self,
        done: &[ToolCall],
        reply: &Message,
        why: NotClearedReason,
    ) -> Result<()> {
        for call in done.iter().filter(|call| call.name == CLEAR_MIND) {
            let state = ToolState::Failed { message: clear_mind_error_text(why).to_owned() };
            let (message_id, call_id) = (reply.id, call.call_id.clone());
            self.env.store.set_tool_state(message_id, call_id.clone(), state.clone()).await?;
            self.send_event(&TurnEvent::Tool { message_id, call_id, state, progress: None });
        }
        self.env.thread_writer.refresh_cached_message(reply.id).await
    }
}
