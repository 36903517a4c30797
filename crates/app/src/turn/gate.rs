//! Carrying out what the gate decides, until a call may leave.
//!
//! Everything that happens here by itself is logged and shown. Not here: deciding.

use std::pin::pin;
use std::sync::Arc;

use skein_context::compaction::Plan;
use skein_context::counting::Counted;
use skein_context::gate::{Attempt, Decision, Trigger, Verdict};
use skein_context::remediation::Remediation;
use skein_domain::compaction_point::CompactionTrigger;
use skein_domain::error::{Error, Result};
use skein_domain::ids::MessageId;
use skein_domain::message::{ContentPart, Notice, ToolState};
use skein_domain::session::ClearedBy;
use skein_store::{AutomaticEvent, Parent};

use super::Turn;
use crate::app::context::Context;
use crate::app::threads::Clearing;
use crate::compact::{self, Order};
use crate::events::{Topic, TurnEvent};

/// What is to be done after one decision was carried out.
pub(super) enum Next {
    /// The call may leave with this context.
    Leave,
    /// Something changed: build the context anew and let the call leave.
    Rebuild,
    /// Something changed: build the context anew and ask again.
    AskAgain,
    /// One of another thread was in the way, and is no longer: ask again.
    Waited,
    /// A compaction came to nothing. Before a call the gate is asked again, and knows what to say.
    NothingChanged,
}

impl Turn<'_> {
    /// Asks the gate and does what it says, until the call may leave. A refusal of a message that
    /// was just sent puts it back into the box. `None`: what was asked was deleted meanwhile.
    pub(super) async fn pass_gate(&mut self, trigger: Trigger) -> Result<Option<Context>> {
        while !self.live.is_withdrawn() {
            let context = self.context().await?;
            let verdict = self.app.ask_gate(&context, trigger, self.attempt).await?;
            match self.carry_out(&context, verdict, trigger).await? {
                Next::Leave => return Ok(Some(context)),
                Next::Rebuild => return self.context().await.map(Some),
                Next::AskAgain | Next::Waited | Next::NothingChanged => {}
            }
        }
        Ok(None)
    }

    pub(super) async fn carry_out(
        &mut self,
        context: &Context,
        Verdict { decision, remediation }: Verdict,
        trigger: Trigger,
    ) -> Result<Next> {
        match decision {
            Decision::Go {} => Ok(Next::Leave),
            Decision::Compact { plan, first } => self.compact(context, plan, first, trigger).await,
            Decision::Notice { notice } => {
                self.say(context, notice, remediation).await?;
                Ok(Next::Rebuild)
            }
            Decision::Clear { carry } => {
                self.cleared = true;
                let level = context.level(self.app).await?;
                let (by, end) = (ClearedBy::Countdown, context.end);
                self.go_on_from(&carry);
                let clearing = Clearing { by, package: None, carry, end, level };
                let thread = self.app.clear(self.live.session_id, clearing).await?;
                self.tell(&TurnEvent::Moved { thread_id: thread });
                Ok(Next::AskAgain)
            }
            Decision::Archive { carry, percent } => {
                self.go_on_from(&carry);
                let thread = self.app.archive(context, carry, percent).await?;
                self.tell(&TurnEvent::Moved { thread_id: thread });
                Ok(Next::AskAgain)
            }
            Decision::Withhold { message_id, call_id } => {
                self.withhold(context, message_id, call_id).await?;
                Ok(Next::AskAgain)
            }
            Decision::Stuck { floor, limit } => {
                let stuck = AutomaticEvent::Stuck { floor, limit };
                self.app.wait_for_person(context, stuck).await?;
                Ok(Next::Leave)
            }
            Decision::Paused { .. } => {
                self.app.wait_for_person(context, AutomaticEvent::Stopped {}).await?;
                Ok(Next::Leave)
            }
            Decision::Held { .. } | Decision::TooLong { .. }
                if self.may_yet_fit(context, trigger) =>
            {
                self.tell(&TurnEvent::WaitingForCompaction {});
                Ok(self.compacted_by_another(context).await)
            }
            Decision::Held { used, limit } => {
                self.take_back(context).await?;
                Err(too_long(used, Some(limit)))
            }
            Decision::TooLong { used, limit } => {
                let sent = self.take_back(context).await?;
                Err(irreducible(sent, used, limit))
            }
        }
    }

    /// In a thread that begins with these: where the path ended there, where that came along.
    fn go_on_from(&mut self, carried: &[MessageId]) {
        match self.end {
            Parent::Under(Some(end)) if carried.contains(&end) => {}
            Parent::Under(_) | Parent::Leaf => self.end = Parent::Leaf,
        }
    }

    async fn compact(
        &mut self,
        context: &Context,
        plan: Plan,
        first: bool,
        trigger: Trigger,
    ) -> Result<Next> {
        if !first {
            self.attempt = Attempt::Done;
            let (live, model) = (Arc::clone(self.live), self.model.clone());
            self.app.compact_meanwhile(live, plan, model, context.end);
            return Ok(Next::Leave);
        }
        self.tell(&TurnEvent::WaitingForCompaction {});
        let trigger = match trigger {
            Trigger::Overflow { .. } => CompactionTrigger::Overflow,
            Trigger::TurnCompleted
            | Trigger::BeforeSend
            | Trigger::BeforeGeneration
            | Trigger::Manual
            | Trigger::ModelSwitched => CompactionTrigger::Threshold,
        };
        let order = Order { plan, trigger, keep: None };
        // Before a stop is heard: what is cancelled is its own.
        let Ok(begun) = compact::begin(self.app, context).await else {
            return Ok(self.compacted_by_another(context).await);
        };
        let mut work = pin!(compact::carry_out(begun, context, order));
        let done = tokio::select! {
            done = &mut work => done,
            () = self.cancel.cancelled() => {
                // Let come to its end, which is shown; the turn ends with a reply that was stopped.
                self.live.cancel_compaction();
                self.attempt = if work.await.is_ok() { Attempt::Done } else { Attempt::Failed };
                return Ok(Next::Leave);
            }
        };
        match done {
            Ok(_) => Ok(self.compacted()),
            Err(Error::NotCompacted { reason }) => {
                tracing::info!(?reason, "the conversation was not compacted");
                Ok(self.not_compacted())
            }
            Err(error) => Err(error),
        }
    }

    /// A compaction of this thread that runs may make room for what does not fit.
    fn may_yet_fit(&self, context: &Context, trigger: Trigger) -> bool {
        let is_here = self.live.compacts() == Some(context.loaded.thread.id);
        is_here && !matches!(trigger, Trigger::Overflow { .. })
    }

    /// Waits for the compaction that runs already: the person's, or one that began behind a turn. One of
    /// another thread is only in the way: it was no attempt of this one's.
    async fn compacted_by_another(&mut self, context: &Context) -> Next {
        tokio::select! {
            () = self.live.compaction_ended() => {}
            () = self.cancel.cancelled() => return Next::Leave,
        }
        match self.live.ended_compaction(context.loaded.thread.id) {
            Some(Ok(_)) => self.compacted(),
            Some(Err(_)) => self.not_compacted(),
            None => Next::Waited,
        }
    }

    fn compacted(&mut self) -> Next {
        self.attempt = Attempt::Done;
        Next::AskAgain
    }

    fn not_compacted(&mut self) -> Next {
        self.attempt = Attempt::Failed;
        Next::NothingChanged
    }

    /// Appends a notice to the path, in the model's hearing and the person's sight, and keeps where the
    /// thread stands with it.
    async fn say(
        &mut self,
        context: &Context,
        notice: Notice,
        remediation: Remediation,
    ) -> Result<()> {
        let message = self.app.post_notice(context, notice, remediation).await?;
        self.end = Parent::Leaf;
        self.tell(&TurnEvent::Message { message });
        Ok(())
    }

    /// P09: an oversized output leaves the context, not the store.
    pub(super) async fn withhold(
        &self,
        context: &Context,
        message_id: MessageId,
        call_id: String,
    ) -> Result<()> {
        let message = self.app.store.message(message_id).await?;
        let found = message.parts.iter().find_map(|part| match part {
            ContentPart::Tool { call } if call.call_id == call_id => Some(call.clone()),
            ContentPart::Tool { .. }
            | ContentPart::Text { .. }
            | ContentPart::Reasoning { .. }
            | ContentPart::Image(_)
            | ContentPart::File { .. } => None,
        });
        let Some(call) = found else {
            return Err(Error::NotFound { what: "tool call".into() });
        };
        let ToolState::Done { mut output } = call.state else {
            return Err(Error::NotFound { what: "tool output".into() });
        };
        let chars = skein_tools::output::count(&output.text);
        output.withheld = true;
        let state = ToolState::Done { output };
        self.app.store.withhold(message_id, call_id.clone(), state.clone()).await?;
        self.app.shelf.forget(context.loaded.thread.id);
        self.tell(&TurnEvent::Tool { message_id, call_id, state, progress: None });
        self.log(context, AutomaticEvent::OutputWithheld { tool: call.name, chars }).await
    }

    /// P07: what was just sent and cannot be answered is given back. Its tokens; 0 where nothing was
    /// just sent.
    async fn take_back(&self, context: &Context) -> Result<u32> {
        let asked = self.asked.filter(|_| self.fresh);
        let sent = context.loaded.counted().into_iter().find(|it| Some(it.message.id) == asked);
        let Some(Counted { message, tokens }) = sent else { return Ok(0) };
        self.app.give_back(self.live.session_id, message).await?;
        self.tell(&TurnEvent::Removed { message_id: message.id });
        self.app.changed([Topic::Thread { thread_id: message.thread_id }]);
        Ok(tokens.total())
    }

    pub(super) async fn log(&self, context: &Context, event: AutomaticEvent) -> Result<()> {
        let thread = context.loaded.thread.id;
        self.app.store.log_automatic(thread, event, self.app.now()).await
    }
}

/// Why what no compaction makes fit does not leave. That is the doing of the message `sent` where it is
/// more than everything that leaves with it.
fn irreducible(sent: u32, used: u32, limit: Option<u32>) -> Error {
    match limit {
        Some(limit) if sent > used / 2 => Error::MessageTooLong { tokens: used, limit },
        Some(limit) => Error::Stuck { floor: used, limit },
        None => too_long(used, None),
    }
}

fn too_long(used: u32, limit: Option<u32>) -> Error {
    Error::TooLong { limit, actual: Some(used), output_only: false, message: String::new() }
}
