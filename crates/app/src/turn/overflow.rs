//! The one repetition of a request whose prompt the provider refused as too long (P09).
//!
//! The refusal teaches the size of the window. The limit that it names applies to the repetition even where
//! the user set a larger window. Not here: what the gate decides (`context::gate`).

use skein_context::compaction::decision::{Decision, GateTrigger, Verdict};
use skein_domain::error::{Error, Result};
use skein_domain::ids::MessageId;
use skein_domain::message::Message;

use super::Turn;
use super::generation::AfterReply;
use super::preflight::AfterGate;
use crate::context::turn_context::TurnContext;
use crate::events::TurnEvent;
use crate::view::TurnEnd;

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

impl Turn<'_> {
    /// Makes a prompt smaller that the provider refused as too long with this `error`, where the session's
    /// strategy allows that. `leaf_before` is the message that the path ended with before the empty `reply`.
    ///
    /// # Errors
    /// The refusal, if the request cannot be made smaller, or may not be.
    pub(super) async fn repeat_smaller(
        &mut self,
        context: TurnContext,
        reply: &Message,
        leaf_before: Option<MessageId>,
        error: Error,
    ) -> Result<AfterReply> {
        let named = limit_in_error(&error);
        self.learn_window(&context, named).await?;
        let refused = self.env.contexts.refresh_limits(context).await?.limited_to(named);
        let trigger = GateTrigger::Overflow { repeated: self.is_repeated };
        let verdict = self.env.gate.ask(&refused, trigger, self.attempt).await?;
        if has_no_recovery(&verdict) {
            return Err(error);
        }
        // The empty reply makes room for the repetition.
        let deletion = self.env.thread_writer.remove_reply(reply, leaf_before).await?;
        self.set_user_message(self.user_message);
        self.send_event(&TurnEvent::Removed { message_id: reply.id });
        if self.was_deleted().await? {
            return Ok(AfterReply::End(TurnEnd::Interrupted {}));
        }
        match self.make_room(&refused, verdict, trigger).await? {
            _ if self.live.turn.is_reply_cancelled() => {
                Ok(AfterReply::End(TurnEnd::Interrupted {}))
            }
            AfterGate::NothingChanged => {
                self.env.thread_writer.restore_reply(deletion).await?;
                self.send_event(&TurnEvent::Message { message: reply.clone() });
                Err(error)
            }
            AfterGate::Send | AfterGate::Rebuild | AfterGate::AskAgain | AfterGate::Retry => {
                self.is_repeated = true;
                let smaller = self.context().await?.limited_to(named);
                Ok(AfterReply::Repeat(Box::new(smaller)))
            }
        }
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

    /// True if the user's message was deleted while its reply was generated.
    async fn was_deleted(&self) -> Result<bool> {
        let Some(asked) = self.user_message else { return Ok(false) };
        match self.env.store.message(asked).await {
            Ok(_) => Ok(false),
            Err(Error::NotFound { .. }) => Ok(true),
            Err(error) => Err(error),
        }
    }
}
