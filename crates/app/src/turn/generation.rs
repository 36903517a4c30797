//! One generation: the request, the reply, and the one recovery from a refusal (P09).

use skein_context::gate::{Decision, Trigger, Verdict};
use skein_context::prompts;
use skein_context::remediation::{Circumstances, ClearMind, NotCleared, clear_mind, unanswered};
use skein_domain::error::{Error, Result};
use skein_domain::ids::MessageId;
use skein_domain::message::{
    Message, MessageKind, MessageState, Origin, Role, ToolCall, ToolState,
};
use skein_domain::reminder::CLEAR_MIND;
use skein_domain::session::ClearedBy;
use skein_providers::Request;
use skein_store::{AutomaticEvent, NewMessage, Parent};

use super::Turn;
use super::calls::Calls;
use super::gate::Next;
use super::stream::{Ending, Replying, Sent, Streamed, without_calls};
use crate::app::context::{Context, Outgoing};
use crate::app::record::Measurement;
use crate::app::threads::Clearing;
use crate::events::{Topic, TurnEvent};
use crate::live::ClearRequest;
use crate::silent::Unmentioned;

/// What a refusal says that prompt and answer may take together, in tokens.
fn named(error: &Error) -> Option<u32> {
    match error {
        Error::TooLong { limit, output_only: false, .. } => *limit,
        _ => None,
    }
}

/// Whether nothing can or may be done about a refusal.
fn is_at_an_end(verdict: &Verdict) -> bool {
    matches!(verdict.decision, Decision::TooLong { .. } | Decision::Go {})
}

/// What comes of asking for a reply.
pub(super) enum Generated {
    /// It is stored, as it ended.
    Reply(Message, Ending),
    /// It is shown and could not be stored: nothing can follow it yet.
    Unstored,
    /// What was asked was deleted before an answer was begun.
    Withdrawn,
}

/// What comes of a refusal.
enum Recovery {
    /// It is asked again, with this.
    Repeat(Box<Context>),
    /// Nothing can or may be done.
    Impossible,
    /// What was asked was deleted meanwhile.
    Withdrawn,
}

impl Turn<'_> {
    /// Generates one reply. A refusal because of the length is recovered from once, where the person
    /// allows it.
    pub(super) async fn generate(&mut self, context: Context) -> Result<Generated> {
        let mut context = context;
        let mut repeated = false;
        while self.live.begin_answer() {
            let before = self.app.store.thread(context.loaded.thread.id).await?.leaf;
            let Streamed { message, usage, ending } = self.stream(&context).await?;
            let measurement = match &ending {
                Ending::Failed(Error::TooLong { .. }) if message.parts.is_empty() => None,
                ending => self.app.measure(&context, &message, usage, ending).await,
            };
            let Some(message) = self.store_reply(message, measurement.as_ref()).await? else {
                return Ok(Generated::Unstored);
            };
            match ending {
                Ending::Failed(error @ Error::TooLong { .. }) if message.parts.is_empty() => {
                    let named = named(&error);
                    self.learn(&context, named).await?;
                    let refused = self.app.measured_anew(context).await?.within(named);
                    let next = self.recover(&refused, &message, before, repeated).await?;
                    match next {
                        Recovery::Repeat(next) => context = next.within(named),
                        Recovery::Impossible => {
                            return Ok(Generated::Reply(message, Ending::Failed(error)));
                        }
                        Recovery::Withdrawn => return Ok(Generated::Withdrawn),
                    }
                    repeated = true;
                }
                ending => {
                    if let Some(measurement) = measurement {
                        self.app.learn_from(&context, &measurement).await?;
                        if let Some(unmentioned) = measurement.unmentioned {
                            self.mention(&context, unmentioned).await?;
                        }
                    }
                    return Ok(Generated::Reply(message, ending));
                }
            }
        }
        Ok(Generated::Withdrawn)
    }

    /// Stores a reply with what is known of its call, and shows it. `None`: it cannot be stored, and is
    /// kept in memory until it can.
    async fn store_reply(
        &self,
        reply: Message,
        measurement: Option<&Measurement>,
    ) -> Result<Option<Message>> {
        let generation = measurement.map(|it| it.generation.clone());
        let stored = self.app.store.finish_reply(reply.clone(), generation.clone()).await;
        let shown = match &stored {
            Ok(message) => message.clone(),
            Err(_) => without_calls(reply),
        };
        self.tell(&TurnEvent::Message { message: shown.clone() });
        match stored {
            Ok(message) => {
                self.app.shelf.append(&message);
                let session_id = self.live.session_id;
                if generation.is_some() {
                    self.app.changed([Topic::Context { session_id }]);
                }
                Ok(Some(message))
            }
            Err(error @ Error::NotFound { .. }) => Err(error),
            Err(error) => {
                self.app.keep_unstored(self.live.session_id, shown, generation, error);
                Ok(None)
            }
        }
    }

    async fn stream(&self, context: &Context) -> Result<Streamed> {
        let Outgoing { prompt, tokens, max_output, shortened } = context.outgoing();
        let blobs = self.app.blobs(&prompt).await;
        if let Some(passages) = &context.passages {
            let (passages, tokens) = (passages.count, passages.text.tokens);
            self.log(context, AutomaticEvent::Recalled { passages, tokens }).await?;
        }
        let reply = NewMessage {
            parent: context.end,
            kind: MessageKind::Chat {},
            role: Role::Assistant,
            origin: Origin::Model,
            parts: Vec::new(),
            state: MessageState::Streaming {},
            model: Some(context.model.clone()),
            created_at: self.app.now(),
        };
        let request = Request {
            model: context.model.model.clone(),
            prompt,
            blobs,
            max_output,
            window: context.limits.window,
            prompt_tokens: Some(tokens),
            effort: context.effort,
            is_heard: true,
            fields: self.app.fields(&context.model),
        };
        let provider = self.app.provider(&context.model.provider).await?;
        // In memory it is when it has ended: the path there is in use until this has left.
        let thread = context.loaded.thread.id;
        let message = self.app.store.append_message(thread, reply).await?;
        match context.end {
            Parent::Leaf => {}
            // What is shown may have led elsewhere until now.
            Parent::Under(_) => self.app.forget(thread),
        }
        let sent = Sent { tokens, ceiling: context.limits.ceiling(), shortened };
        let (app, live, cancel) = (self.app.as_ref(), self.live.as_ref(), &self.cancel);
        let replying = Replying { app, live, provider: provider.as_ref(), cancel };
        Ok(replying.stream(request, message, sent).await)
    }

    /// What a refusal says of the window is kept, and shown as learned.
    async fn learn(&self, context: &Context, named: Option<u32>) -> Result<()> {
        match named {
            Some(window) => {
                self.app.hear_of_limit(context.loaded.thread.id, &context.model, window).await
            }
            None => Ok(()),
        }
    }

    /// Whether what is answered was deleted while the answer was under way.
    async fn was_deleted(&self) -> Result<bool> {
        let Some(asked) = self.asked else { return Ok(false) };
        match self.app.store.message(asked).await {
            Ok(_) => Ok(false),
            Err(Error::NotFound { .. }) => Ok(true),
            Err(error) => Err(error),
        }
    }

    /// Makes room for a repetition. `before` is where the path ended before the reply.
    async fn recover(
        &mut self,
        refused: &Context,
        reply: &Message,
        before: Option<MessageId>,
        repeated: bool,
    ) -> Result<Recovery> {
        let trigger = Trigger::Overflow { repeated };
        let verdict = self.app.ask_gate(refused, trigger, self.attempt).await?;
        if is_at_an_end(&verdict) {
            return Ok(Recovery::Impossible);
        }
        // The empty reply makes room for the repetition.
        let deletion = self.app.take_back(reply, before).await?;
        self.ask(self.asked);
        self.tell(&TurnEvent::Removed { message_id: reply.id });
        if self.was_deleted().await? {
            return Ok(Recovery::Withdrawn);
        }
        match self.make_room(refused, verdict, trigger).await? {
            _ if self.live.is_withdrawn() => Ok(Recovery::Withdrawn),
            Next::NothingChanged => {
                self.app.put_back(deletion).await?;
                self.tell(&TurnEvent::Message { message: reply.clone() });
                Ok(Recovery::Impossible)
            }
            Next::Leave | Next::Rebuild | Next::AskAgain | Next::Waited => {
                Ok(Recovery::Repeat(Box::new(self.context().await?)))
            }
        }
    }

    /// Does what the gate says of a refusal. What another thread was in the way of is asked for again:
    /// nothing has changed here meanwhile.
    async fn make_room(
        &mut self,
        refused: &Context,
        mut verdict: Verdict,
        trigger: Trigger,
    ) -> Result<Next> {
        loop {
            let next = self.carry_out(refused, verdict, trigger).await?;
            if !matches!(next, Next::Waited) || self.live.is_withdrawn() {
                return Ok(next);
            }
            verdict = self.app.ask_gate(refused, trigger, self.attempt).await?;
            if is_at_an_end(&verdict) {
                return Ok(Next::NothingChanged);
            }
        }
    }

    /// P09: notes, once in a turn, what the server did not say, and what was learned of its window.
    async fn mention(&mut self, context: &Context, unmentioned: Unmentioned) -> Result<()> {
        let Unmentioned { how, read, sent } = unmentioned;
        if how.harms() && !std::mem::replace(&mut self.mentioned, true) {
            self.log(context, AutomaticEvent::SilentOverflow { how, read, sent }).await?;
        }
        let Context { model, spec, limits, .. } = context;
        match self.app.hear_of_window(model, spec, limits.window, &unmentioned).await? {
            Some(window) => self.app.note_limit(context.loaded.thread.id, window).await,
            None => Ok(()),
        }
    }

    /// Runs the calls of a reply, and clears the mind if one of them asked for it.
    pub(super) async fn run_calls(&mut self, reply: &Message, calls: Vec<ToolCall>) -> Result<()> {
        let context = self.context().await?;
        // A wish of a turn that broke off is not this reply's.
        self.live.take_clear_request();
        let runner = Calls {
            app: self.app,
            live: self.live,
            thread: reply.thread_id,
            message_id: reply.id,
            toolbox: &context.toolbox,
            cancel: self.cancel.clone(),
            repeated: &self.repeated,
        };
        let done = runner.run(calls).await?;
        self.app.grew(reply.id).await?;
        match self.live.take_clear_request() {
            Some(ClearRequest { package }) => {
                self.clear_by_model(&context, &done, reply, package).await
            }
            None => Ok(()),
        }
    }

    /// D15: the model asked for a clear mind. Where it gets none, the result of its call says why.
    async fn clear_by_model(
        &mut self,
        context: &Context,
        done: &[ToolCall],
        reply: &Message,
        package: Option<String>,
    ) -> Result<()> {
        let succeeded = |call: &ToolCall| matches!(call.state, ToolState::Done { .. });
        let circumstances = Circumstances {
            allowed: self.app.reminds(self.live.session_id).await?,
            failed_beside: !done.iter().all(succeeded),
            cleared_this_turn: self.cleared,
        };
        match clear_mind(circumstances) {
            ClearMind::Refused { why } => self.refuse_clear(done, reply, why).await,
            ClearMind::Cleared => {
                self.cleared = true;
                let carry = unanswered(context.loaded.messages());
                let level = context.level(self.app).await?;
                let (by, end) = (ClearedBy::Model, context.end);
                let clearing = Clearing { by, package, carry, end, level };
                let thread = self.app.clear(self.live.session_id, clearing).await?;
                self.tell(&TurnEvent::Moved { thread_id: thread });
                Ok(())
            }
        }
    }

    async fn refuse_clear(
        &self,
        done: &[ToolCall],
        reply: &Message,
        why: NotCleared,
    ) -> Result<()> {
        for call in done.iter().filter(|call| call.name == CLEAR_MIND) {
            let state = ToolState::Failed { message: prompts::not_cleared(why).to_owned() };
            let (message_id, call_id) = (reply.id, call.call_id.clone());
            self.app.store.set_tool_state(message_id, call_id.clone(), state.clone()).await?;
            self.tell(&TurnEvent::Tool { message_id, call_id, state, progress: None });
        }
        self.app.grew(reply.id).await
    }
}
