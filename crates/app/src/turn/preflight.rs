//! Carrying out what the gate decides, until a call may leave.
//!
//! Everything that happens here by itself is logged and shown. Not here: deciding.
//!
//! The program compacts by itself once in a turn, and again only if the request could not leave otherwise. A
//! message that cannot leave goes back to the composer, or waits beside it if something else is written
//! there. The activity log names a stuck thread, or a compaction that has stopped trying, once.

use std::pin::pin;
use std::sync::Arc;

use skein_context::compaction::Plan;
use skein_context::compaction::decision::{CompactionAttempt, Decision, GateTrigger, Verdict};
use skein_context::compaction::remediation::Remediation;
use skein_context::tokens::message_tokens::CountedMessageRef;
use skein_domain::compaction_point::CompactionTrigger;
use skein_domain::error::{Error, Result};
use skein_domain::ids::MessageId;
use skein_domain::message::{ContentPart, Notice, ToolState};
use skein_domain::session::ClearedBy;
use skein_store::{AutomaticEvent, MessageParent};

use super::Turn;
use crate::clock::now;
use crate::compaction::compactor::{self, CompactionRequest};
use crate::context::turn_context::TurnContext;
use crate::events::{Topic, TurnEvent};
use crate::threads::ThreadClear;

/// What is to be done after one decision was carried out.
pub(super) enum AfterGate {
    /// The call may leave with this context.
    Send,
    /// Something changed: build the context anew and let the call leave.
    Rebuild,
    /// Something changed: build the context anew and ask again.
    AskAgain,
    /// One of another thread was in the way, and is no longer: ask again.
    Retry,
    /// A compaction came to nothing. Before a call the gate is asked again, and knows what to say.
    NothingChanged,
}

impl Turn<'_> {
    /// Asks the gate and does what it says, until the call may leave. A refusal of a message that
    /// was just sent puts it back into the box. `None`: what was asked was deleted meanwhile.
    pub(super) async fn pass_gate(&mut self, trigger: GateTrigger) -> Result<Option<TurnContext>> {
        while !self.live.turn.is_reply_cancelled() {
            let context = self.context().await?;
            let verdict = self.env.gate.ask(&context, trigger, self.attempt).await?;
            match self.apply_decision(&context, verdict, trigger).await? {
                AfterGate::Send => return Ok(Some(context)),
                AfterGate::Rebuild => return self.context().await.map(Some),
                AfterGate::AskAgain | AfterGate::Retry | AfterGate::NothingChanged => {}
            }
        }
        Ok(None)
    }

    pub(super) async fn apply_decision(
        &mut self,
        context: &TurnContext,
        Verdict { decision, remediation }: Verdict,
        trigger: GateTrigger,
    ) -> Result<AfterGate> {
        match decision {
            Decision::Go {} => Ok(AfterGate::Send),
            Decision::Compact { plan, first } => self.compact(context, plan, first, trigger).await,
            Decision::Notice { notice } => {
                self.say(context, notice, remediation).await?;
                Ok(AfterGate::Rebuild)
            }
            Decision::Clear { carry } => {
                self.cleared = true;
                let level = context.health_level(&self.env.store).await?;
                let (by, end) = (ClearedBy::Countdown, context.path_end);
                self.go_on_from(&carry);
                let clearing = ThreadClear {
                    by,
                    handoff: None,
                    carried_messages: carry,
                    path_end: end,
                    level,
                };
                let thread = self.env.threads.clear(self.live.session_id, clearing).await?;
                self.tell(&TurnEvent::Moved { thread_id: thread });
                Ok(AfterGate::AskAgain)
            }
            Decision::Archive { carry, percent } => {
                self.go_on_from(&carry);
                let thread = self.env.threads.archive(context, carry, percent).await?;
                self.tell(&TurnEvent::Moved { thread_id: thread });
                Ok(AfterGate::AskAgain)
            }
            Decision::Withhold { message_id, call_id } => {
                self.withhold(context, message_id, call_id).await?;
                Ok(AfterGate::AskAgain)
            }
            Decision::Stuck { floor, limit } => {
                let stuck = AutomaticEvent::Stuck { floor, limit };
                self.env.gate.report_blocked(context, stuck).await?;
                Ok(AfterGate::Send)
            }
            Decision::Paused { .. } => {
                self.env.gate.report_blocked(context, AutomaticEvent::Stopped {}).await?;
                Ok(AfterGate::Send)
            }
            Decision::Held { .. } | Decision::TooLong { .. }
                if self.may_yet_fit(context, trigger) =>
            {
                self.tell(&TurnEvent::WaitingForCompaction {});
                Ok(self.compacted_by_another(context).await)
            }
            Decision::Held { used, limit } => {
                self.return_newest_message(context).await?;
                Err(too_long(used, Some(limit)))
            }
            Decision::TooLong { used, limit } => {
                let sent = self.return_newest_message(context).await?;
                Err(irreducible(sent, used, limit))
            }
        }
    }

    /// In a thread that begins with these: where the path ended there, where that came along.
    fn go_on_from(&mut self, carried: &[MessageId]) {
        match self.path_end {
            MessageParent::Under(Some(end)) if carried.contains(&end) => {}
            MessageParent::Under(_) | MessageParent::Leaf => self.path_end = MessageParent::Leaf,
        }
    }

    async fn compact(
        &mut self,
        context: &TurnContext,
        plan: Plan,
        first: bool,
        trigger: GateTrigger,
    ) -> Result<AfterGate> {
        if !first {
            self.attempt = CompactionAttempt::Done;
            let (live, model) = (Arc::clone(self.live), self.model.clone());
            self.env.after_turn.compact_in_background(live, plan, model, context);
            return Ok(AfterGate::Send);
        }
        self.tell(&TurnEvent::WaitingForCompaction {});
        let trigger = match trigger {
            GateTrigger::Overflow { .. } => CompactionTrigger::Overflow,
            GateTrigger::TurnCompleted
            | GateTrigger::BeforeSend
            | GateTrigger::BeforeGeneration
            | GateTrigger::Manual
            | GateTrigger::ModelSwitched => CompactionTrigger::Threshold,
        };
        let order = CompactionRequest { plan, trigger, keep: None };
        // Before a stop is heard: what is cancelled is its own.
        let Ok(begun) = compactor::start(&self.env.compaction, context).await else {
            return Ok(self.compacted_by_another(context).await);
        };
        let mut work = pin!(compactor::run(begun, context, order));
        let done = tokio::select! {
            done = &mut work => done,
            () = self.cancel.cancelled() => {
                // Let come to its end, which is shown; the turn ends with a reply that was stopped.
                self.live.compaction.cancel();
                self.attempt = if work.await.is_ok() { CompactionAttempt::Done } else { CompactionAttempt::Failed };
                return Ok(AfterGate::Send);
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
    fn may_yet_fit(&self, context: &TurnContext, trigger: GateTrigger) -> bool {
        let is_here = self.live.compaction.thread() == Some(context.loaded.thread.id);
        is_here && !matches!(trigger, GateTrigger::Overflow { .. })
    }

    /// Waits for the compaction that runs already: the person's, or one that began behind a turn. One of
    /// another thread is only in the way: it was no attempt of this one's.
    async fn compacted_by_another(&mut self, context: &TurnContext) -> AfterGate {
        tokio::select! {
            () = self.live.compaction.wait_for_end() => {}
            () = self.cancel.cancelled() => return AfterGate::Send,
        }
        let thread = context.loaded.thread.id;
        // One of another thread may have ended after one of this thread did.
        if self.live.compaction.applied(thread) != context.compactions_applied {
            return self.compacted();
        }
        match self.live.compaction.result(thread) {
            Some(Ok(_)) => self.compacted(),
            Some(Err(_)) => self.not_compacted(),
            None => AfterGate::Retry,
        }
    }

    fn compacted(&mut self) -> AfterGate {
        self.attempt = CompactionAttempt::Done;
        AfterGate::AskAgain
    }

    fn not_compacted(&mut self) -> AfterGate {
        self.attempt = CompactionAttempt::Failed;
        AfterGate::NothingChanged
    }

    /// Appends a notice to the path, in the model's hearing and the person's sight, and keeps where the
    /// thread stands with it.
    async fn say(
        &mut self,
        context: &TurnContext,
        notice: Notice,
        remediation: Remediation,
    ) -> Result<()> {
        let message = self.env.threads.post_notice(context, notice, remediation).await?;
        self.path_end = MessageParent::Leaf;
        self.tell(&TurnEvent::Message { message });
        Ok(())
    }

    /// P09: an oversized output leaves the context, not the store.
    pub(super) async fn withhold(
        &self,
        context: &TurnContext,
        message_id: MessageId,
        call_id: String,
    ) -> Result<()> {
        let message = self.env.store.message(message_id).await?;
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
        let chars = skein_tools::output_truncation::char_count(&output.text);
        output.withheld = true;
        let state = ToolState::Done { output };
        self.env.store.withhold_output(message_id, call_id.clone(), state.clone()).await?;
        self.env.thread_cache.invalidate(context.loaded.thread.id);
        self.tell(&TurnEvent::Tool { message_id, call_id, state, progress: None });
        self.log(context, AutomaticEvent::OutputWithheld { tool: call.name, chars }).await
    }

    /// P07: what was just sent and cannot be answered is given back. Its tokens; 0 where nothing was
    /// just sent.
    async fn return_newest_message(&self, context: &TurnContext) -> Result<u32> {
        let asked = self.user_message.filter(|_| self.is_just_sent);
        let sent = context.loaded.counted().into_iter().find(|it| Some(it.message.id) == asked);
        let Some(CountedMessageRef { message, tokens }) = sent else { return Ok(0) };
        self.env.thread_writer.return_to_draft(self.live.session_id, message).await?;
        self.tell(&TurnEvent::Removed { message_id: message.id });
        self.env.notifier.changed([Topic::Thread { thread_id: message.thread_id }]);
        Ok(tokens.total())
    }

    pub(super) async fn log(&self, context: &TurnContext, event: AutomaticEvent) -> Result<()> {
        let thread = context.loaded.thread.id;
        self.env.store.append_activity(thread, event, now()).await
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
