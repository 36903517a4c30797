//! Applies what the gate decides before a call may leave.
//!
//! Every automatic step is logged and shown. Not here: deciding (`context::gate`), or asking again (`turn`).
//!
//! The program compacts automatically once in a turn, and again only if the request could not leave
//! otherwise. A message that cannot leave goes back to the composer; if something else is written there, it
//! waits beside it. The activity log names a stuck thread, or a compaction that is no longer tried, once.

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

/// The next step after a decision was applied.
pub(super) enum AfterGate {
    /// The call may leave with this context.
    Send,
    /// The thread changed: build the context again and let the call leave.
    Rebuild,
    /// The thread changed: build the context again and ask the gate again.
    AskAgain,
    /// A compaction of another thread was in the way and has ended: ask the gate again.
    Retry,
    /// A compaction failed, and the thread is as before. Before a call the gate is asked again, and decides
    /// with the failure in mind.
    NothingChanged,
}

impl Turn<'_> {
    /// Applies a decision of the gate. A new message that cannot leave goes back to the composer.
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
                self.post_notice(context, notice, remediation).await?;
                Ok(AfterGate::Rebuild)
            }
            Decision::Clear { carry } => {
                self.cleared = true;
                self.keep_carried_path_end(&carry);
                let by = ClearedBy::Countdown;
                let thread = self.env.threads.clear(context, by, None, carry).await?;
                self.send_event(&TurnEvent::Moved { thread_id: thread });
                Ok(AfterGate::AskAgain)
            }
            Decision::Archive { carry, percent } => {
                self.keep_carried_path_end(&carry);
                let thread = self.env.threads.archive(context, carry, percent).await?;
                self.send_event(&TurnEvent::Moved { thread_id: thread });
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
                if self.is_thread_compacting(context, trigger) =>
            {
                self.send_event(&TurnEvent::WaitingForCompaction {});
                Ok(self.wait_for_running_compaction(context).await)
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

    /// Prepares `path_end` for a new thread that begins with the `carried` messages: the turn goes on from
    /// the same message if that was carried over, else from the new thread's leaf.
    fn keep_carried_path_end(&mut self, carried: &[MessageId]) {
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
        self.send_event(&TurnEvent::WaitingForCompaction {});
        let trigger = match trigger {
            GateTrigger::Overflow { .. } => CompactionTrigger::Overflow,
            GateTrigger::TurnCompleted
            | GateTrigger::BeforeSend
            | GateTrigger::BeforeGeneration
            | GateTrigger::Manual
            | GateTrigger::ModelSwitched => CompactionTrigger::Threshold,
        };
        let order = CompactionRequest { plan, trigger, keep: None };
        // `start` comes before the select: the compaction has its own cancellation.
        let Ok(begun) = compactor::start(&self.env.compaction, context, &order.plan).await else {
            return Ok(self.wait_for_running_compaction(context).await);
        };
        let mut work = pin!(compactor::run(begun, context, order));
        let done = tokio::select! {
            done = &mut work => done,
            () = self.cancel.cancelled() => {
                // The compaction ends by itself and shows how; the turn ends with an interrupted reply.
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

    /// True if a compaction of this thread is running, which may make room for the request.
    fn is_thread_compacting(&self, context: &TurnContext, trigger: GateTrigger) -> bool {
        let is_here = self.live.compaction.thread() == Some(context.loaded.thread.id);
        is_here && !matches!(trigger, GateTrigger::Overflow { .. })
    }

    /// Waits for the compaction that is already running: one the user started, or one behind a former turn.
    /// A compaction of another thread does not count as an attempt of this turn.
    async fn wait_for_running_compaction(&mut self, context: &TurnContext) -> AfterGate {
        tokio::select! {
            () = self.live.compaction.wait_for_end() => {}
            () = self.cancel.cancelled() => return AfterGate::Send,
        }
        let thread = context.loaded.thread.id;
        // A compaction of another thread may have ended after one of this thread.
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

    /// Appends a notice to the path, where the model and the user read it, and stores the state of the
    /// reminders with it.
    async fn post_notice(
        &mut self,
        context: &TurnContext,
        notice: Notice,
        remediation: Remediation,
    ) -> Result<()> {
        let message = self.env.threads.post_notice(context, notice, remediation).await?;
        self.path_end = MessageParent::Leaf;
        self.send_event(&TurnEvent::Message { message });
        Ok(())
    }

    /// P09: removes an oversized output from the context. The store keeps it.
    pub(super) async fn withhold(
        &self,
        context: &TurnContext,
        message_id: MessageId,
        call_id: String,
    ) -> Result<()> {
        let message = self.env.store.message(message_id).await?;
        let mut calls = message.parts.iter().filter_map(ContentPart::as_call);
        let Some(call) = calls.find(|call| call.call_id == call_id).cloned() else {
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
        self.send_event(&TurnEvent::Tool { message_id, call_id, state, progress: None });
        self.log(context, AutomaticEvent::OutputWithheld { tool: call.name, chars }).await
    }

    /// P07: takes a new message that cannot be answered back into the composer. Returns its tokens; 0 if the
    /// turn did not begin with a new message.
    async fn return_newest_message(&self, context: &TurnContext) -> Result<u32> {
        let newest = self.user_message.filter(|_| self.is_just_sent);
        let sent = context.loaded.counted().into_iter().find(|it| Some(it.message.id) == newest);
        let Some(CountedMessageRef { message, tokens }) = sent else { return Ok(0) };
        self.env.thread_writer.return_to_draft(self.live.session_id, message).await?;
        self.send_event(&TurnEvent::Removed { message_id: message.id });
        self.env.notifier.changed([Topic::Thread { thread_id: message.thread_id }]);
        Ok(tokens.total())
    }

    pub(super) async fn log(&self, context: &TurnContext, event: AutomaticEvent) -> Result<()> {
        let thread = context.loaded.thread.id;
        self.env.store.append_activity(thread, event, now()).await
    }
}

/// The error for a request that no compaction makes fit. It blames the newest message, of `sent` tokens, if
/// that is more than half of the request.
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
