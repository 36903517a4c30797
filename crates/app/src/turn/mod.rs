//! A turn: from a stored message to its final answer, one generation after another.
//!
//! Before every generation the gate is asked (law 10) and its decision is applied; then the reply is
//! streamed and stored, and its tool calls run. Not here: what the gate decides (`context::gate`), how a
//! compaction runs (`compaction`), how threads begin (`threads`).
//!
//! A turn that cannot begin is an error, and the composer keeps the message. A turn that began and failed
//! returns [`TurnEnd::Failed`], and the message is stored. While a reply is regenerated or continued, the
//! path that is shown stays as it is until the new reply is stored; until then only the turn knows where its
//! own path ends.

pub(crate) mod after_turn;
mod generation;
mod overflow;
mod preflight;
mod repeated_calls;
mod reply_stream;
mod titles;
mod tool_calls;
pub(crate) mod turn_env;
pub mod turn_start;
pub(crate) mod turns;

use std::sync::Arc;

use skein_context::compaction::decision::{CompactionAttempt, GateTrigger};
use skein_domain::error::Result;
use skein_domain::ids::MessageId;
use skein_domain::model::ModelRef;
use skein_store::MessageParent;
use tokio_util::sync::CancellationToken;

use crate::context::turn_context::TurnContext;
use crate::events::{Topic, TurnEvent};
use crate::live::live_session::LiveSession;
use crate::live::title_attempts::TurnNumber;
use crate::view::{TurnEnd, TurnOutcome};
use generation::AfterReply;
use preflight::AfterGate;
use repeated_calls::RepeatedCalls;
use turn_env::TurnEnv;
use turn_start::TurnStart;

/// A running turn.
struct Turn<'a> {
    env: &'a Arc<TurnEnv>,
    live: &'a Arc<LiveSession>,
    cancel: CancellationToken,
    /// The automatic compaction of this turn.
    attempt: CompactionAttempt,
    /// True if the context was cleared in this turn, by the model or by the countdown.
    cleared: bool,
    /// True if the request that is sent next was refused once as too long.
    is_repeated: bool,
    /// True if this turn already reported that the server cut the prompt.
    is_truncation_reported: bool,
    /// The calls that failed repeatedly in this turn.
    repeated: RepeatedCalls,
    /// True if the turn began with a new message of the user, which can go back to the composer.
    is_just_sent: bool,
    /// The message to answer; `None` once something was generated for it.
    user_message: Option<MessageId>,
    /// The end of the path for this turn, until the turn adds a message. The path that is shown ends
    /// elsewhere while a reply is regenerated: it keeps the former reply if the program ends before the new
    /// one begins.
    path_end: MessageParent,
    /// The model of this turn alone; `None`: the session's own model.
    model: Option<ModelRef>,
    /// Its number among the turns of its session.
    number: TurnNumber,
}

impl<'a> Turn<'a> {
    /// A turn that has not begun. Titles that are being written for the turn before are cancelled.
    fn new(
        env: &'a Arc<TurnEnv>,
        live: &'a Arc<LiveSession>,
        cancel: CancellationToken,
        start: &TurnStart,
    ) -> Self {
        Self {
            env,
            live,
            cancel,
            attempt: CompactionAttempt::None,
            cleared: false,
            is_repeated: false,
            is_truncation_reported: false,
            repeated: RepeatedCalls::default(),
            is_just_sent: matches!(start, TurnStart::Send { .. } | TurnStart::Queued),
            user_message: None,
            path_end: MessageParent::Leaf,
            model: start.model(),
            number: live.titles.supersede(),
        }
    }
}

impl Turn<'_> {
    /// Generates replies until one has no tool calls. `session_model` answers unless the turn has a model of
    /// its own. Every request passes the gate (law 10), but one that is repeated after a refusal.
    async fn answer(&mut self, session_model: &ModelRef) -> Result<TurnEnd> {
        let model = self.model.as_ref().unwrap_or(session_model);
        self.env.models.refresh_local_window(&model.provider).await;
        self.env.mcp.wait_for_servers(model, &self.cancel).await;
        if self.cancel.is_cancelled() {
            return Ok(TurnEnd::Interrupted {});
        }
        let (mut trigger, mut repetition) = (GateTrigger::BeforeSend, None);
        let mut generations = 0;
        // The user may delete the message before its reply begins.
        while !self.live.turn.is_reply_cancelled() {
            let context = match repetition.take() {
                Some(smaller) => smaller,
                None => {
                    let context = self.context().await?;
                    let verdict = self.env.gate.ask(&context, trigger, self.attempt).await?;
                    match self.apply_decision(&context, verdict, trigger).await? {
                        AfterGate::Send => context,
                        AfterGate::Rebuild => self.context().await?,
                        AfterGate::AskAgain | AfterGate::Retry | AfterGate::NothingChanged => {
                            continue;
                        }
                    }
                }
            };
            if !self.live.turn.start_reply() {
                break;
            }
            let (reply, reservation) = self.send(&context).await?;
            match self.conclude(context, reply, reservation).await? {
                AfterReply::End(end) => return Ok(end),
                AfterReply::Repeat(smaller) => repetition = Some(*smaller),
                AfterReply::RunCalls(reply, calls) => {
                    generations += 1;
                    if let Some(end) = self.run_calls(&reply, calls, generations).await? {
                        return Ok(end);
                    }
                    trigger = GateTrigger::BeforeGeneration;
                }
            }
        }
        Ok(TurnEnd::Interrupted {})
    }

    /// Marks the turn as ended, and begins the work that follows it. `end` is an error if the turn could not
    /// begin.
    async fn finish(self, end: Result<TurnEnd>) -> Result<TurnEnd> {
        let session_id = self.live.session_id;
        if let Err(error) = self.env.store.end_turn(session_id).await {
            tracing::warn!(%error, "a turn that has ended still stands as running");
        }
        self.env.notifier.changed([Topic::Context { session_id }]);
        if let Ok(end) = &end {
            self.live.turn.set_last_outcome(TurnOutcome::from(end));
        }
        let is_failed = match end {
            Err(_) | Ok(TurnEnd::Unstored {}) => return end,
            Ok(TurnEnd::Failed { .. }) => true,
            Ok(TurnEnd::Answered {} | TurnEnd::Interrupted {} | TurnEnd::GenerationLimit {}) => {
                false
            }
        };
        let live = Arc::clone(self.live);
        self.env.after_turn.run(live, self.number, self.attempt, is_failed, self.model);
        end
    }

    /// The context for the next call of this turn.
    async fn context(&self) -> Result<TurnContext> {
        self.env.contexts.of_turn(self.live.session_id, self.model.as_ref(), self.path_end).await
    }

    /// Sets the message to answer. If it is deleted before a reply begins, the turn ends.
    fn set_user_message(&mut self, message: Option<MessageId>) {
        self.user_message = message;
        self.live.turn.set_pending_reply(message);
    }

    fn send_event(&self, event: &TurnEvent) {
        self.live.stage.send(event);
    }
}
