//! One generation: the request, the stored reply, and its tool calls.
//!
//! Not here: reading the reply (`reply_stream`), or repeating a request that was too long (`overflow`).

use std::sync::Mutex;

use skein_context::compaction::remediation::{
    ClearMindContext, ClearMindOutcome, NotClearedReason, clear_mind_error_text, decide_clear_mind,
    pending_user_messages,
};
use skein_domain::error::{Error, Result};
use skein_domain::generation::CallPurpose;
use skein_domain::message::{
    ContentPart, Message, MessageKind, MessageState, Origin, Role, ToolCall, ToolState,
};
use skein_domain::reminder::CLEAR_MIND;
use skein_domain::session::ClearedBy;
use skein_providers::ModelRequest;
use skein_store::{AutomaticEvent, MessageParent, NewMessage, PaidCall};

use super::Turn;
use super::reply_stream::{BegunReply, RequestSize, StreamedReply, cancel_calls};
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
use crate::model_calls::usage_recording::ReplyUsage;
use crate::models::silent_truncation::Truncation;
use crate::view::TurnEnd;

/// True if the provider refused the prompt as too long, before any part of a reply.
fn is_refused_prompt(ending: &ReplyEnding, reply: &Message) -> bool {
    matches!(ending, ReplyEnding::Failed(Error::TooLong { .. })) && reply.parts.is_empty()
}

fn pending_calls(reply: &Message) -> Vec<ToolCall> {
    let calls = reply.parts.iter().filter_map(ContentPart::as_call);
    calls.filter(|call| call.state == (ToolState::Pending {})).cloned().collect()
}

/// The way on after a reply has ended.
pub(super) enum AfterReply {
    /// The turn ends.
    End(TurnEnd),
    /// The provider refused the prompt as too long: send this smaller one.
    Repeat(Box<TurnContext>),
    /// Run these calls of the stored reply, and generate the next.
    RunCalls(Box<Message>, Vec<ToolCall>),
}

impl Turn<'_> {
    /// Sends the request as soon as the budgets admit it, and reads the reply to its end, also one that
    /// failed. Its cost is reserved until it is booked.
    pub(super) async fn send(
        &self,
        context: &TurnContext,
    ) -> Result<(StreamedReply, BudgetReservation)> {
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
        let opened = provider.stream(request).await;
        let sent = RequestSize { tokens, max_prompt: context.limits.max_prompt(), shortened };
        let reply = self.receive(opened, self.begin_reply(context), sent).await?;
        Ok((reply, reservation))
    }

    /// Stores a reply that has ended, with its cost and what it says of its prompt, and decides how the turn
    /// goes on.
    pub(super) async fn conclude(
        &mut self,
        context: TurnContext,
        streamed: StreamedReply,
        reservation: BudgetReservation,
    ) -> Result<AfterReply> {
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
        let is_refused = is_refused_prompt(&ending, &message);
        let measurement = match is_refused {
            true => None,
            false => self.env.usage.measure_reply(&context, &message, usage, &ending).await,
        };
        let call = PaidCall {
            generation: measurement.as_ref().map(|it| it.generation.clone()),
            entry,
            request: Some(context.prompt_view(None)),
        };
        let Some(message) = self.store_reply(message, call).await? else {
            return Ok(AfterReply::End(TurnEnd::Unstored {}));
        };
        match ending {
            ReplyEnding::Failed(error) if is_refused => {
                self.repeat_smaller(context, &message, leaf_before, error).await
            }
            ending => {
                self.learn(&context, &message, measurement, &ending).await?;
                self.after_reply(message, ending)
            }
        }
    }

    /// Learns from a reply about the model's window, the token counter and the provider's cache.
    async fn learn(
        &mut self,
        context: &TurnContext,
        reply: &Message,
        measurement: Option<ReplyUsage>,
        ending: &ReplyEnding,
    ) -> Result<()> {
        if let ReplyEnding::Failed(_) = ending {
            self.delete_rejected_summaries(context).await?;
        }
        let Some(measurement) = measurement else { return Ok(()) };
        self.env.usage.keep_request_start(reply, &measurement).await;
        self.env.usage.calibrate_counter(context, &measurement).await?;
        match measurement.truncation {
            Some(truncation) => self.report_truncation(context, truncation).await,
            None => Ok(()),
        }
    }

    /// The way on after a stored reply. What follows it stands at the end of the path.
    fn after_reply(&mut self, reply: Message, ending: ReplyEnding) -> Result<AfterReply> {
        (self.user_message, self.path_end) = (None, MessageParent::Leaf);
        self.is_repeated = false;
        match ending {
            ReplyEnding::Interrupted => Ok(AfterReply::End(TurnEnd::Interrupted {})),
            ReplyEnding::Failed(error) => Err(error),
            ReplyEnding::Finished(_) => match pending_calls(&reply) {
                calls if calls.is_empty() => Ok(AfterReply::End(TurnEnd::Answered {})),
                calls => Ok(AfterReply::RunCalls(Box::new(reply), calls)),
            },
        }
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

    /// Stores the empty message of the reply, and logs the passages that its request contains. The cached
    /// thread gets the message when the reply has ended.
    async fn begin_reply(&self, context: &TurnContext) -> Result<BegunReply> {
        let thread = context.loaded.thread.id;
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

    /// Deletes the encrypted summaries that the provider rejected with this call.
    async fn delete_rejected_summaries(&self, context: &TurnContext) -> Result<()> {
        let (thread, origin) = (context.loaded.thread.id, context.encrypted_origin.as_deref());
        let models = &self.env.models;
        if models.delete_rejected_summaries(thread, &context.model, origin).await? {
            self.env.thread_writer.drop_cached_thread(thread);
        }
        Ok(())
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

    /// Runs the tool calls of a reply, the `generation`th of the turn, and clears the context if one of them
    /// asked for that. Returns the end of the turn; `None`: the next reply can be generated.
    pub(super) async fn run_calls(
        &mut self,
        reply: &Message,
        calls: Vec<ToolCall>,
        generation: u32,
    ) -> Result<Option<TurnEnd>> {
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
            return Ok(Some(TurnEnd::Unstored {}));
        }
        self.env.thread_writer.refresh_cached_message(reply.id).await?;
        let session_id = self.live.session_id;
        self.env.notifier.changed([Topic::Context { session_id }]);
        if let Some(ClearRequest { handoff: package }) = self.live.take_clear_request() {
            self.clear_by_model(&context, &done, reply, package).await?;
        }
        if generation >= self.env.settings.get().tools.generations_per_turn {
            return Ok(Some(TurnEnd::GenerationLimit {}));
        }
        Ok(self.cancel.is_cancelled().then_some(TurnEnd::Interrupted {}))
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
