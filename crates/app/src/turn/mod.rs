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
use skein_domain::message::{ContentPart, Message, ToolCall, ToolState};
use skein_domain::model::ModelRef;
use skein_store::MessageParent;
use tokio_util::sync::CancellationToken;

use crate::context::turn_context::TurnContext;
use crate::events::{Topic, TurnEvent};
use crate::live::live_session::LiveSession;
use crate::model_calls::reply_ending::ReplyEnding;
use crate::view::TurnEnd;
use generation::GenerationResult;
use repeated_calls::RepeatedCalls;
use turn_env::TurnEnv;
use turn_start::{StartOutcome, TurnStart};

/// Runs a turn to its end. Its events go to the session's event sink, and its messages to the store, as
/// they come.
///
/// # Errors
/// The reason why the turn could not begin: nothing of the user's message is stored.
pub(crate) async fn run_turn(
    env: &Arc<TurnEnv>,
    live: &Arc<LiveSession>,
    start: TurnStart,
    cancel: CancellationToken,
) -> Result<TurnEnd> {
    let mut turn = Turn {
        env,
        live,
        cancel,
        attempt: CompactionAttempt::None,
        cleared: false,
        is_truncation_reported: false,
        repeated: RepeatedCalls::default(),
        is_just_sent: matches!(start, TurnStart::Send { .. } | TurnStart::Waiting),
        user_message: None,
        path_end: MessageParent::Leaf,
        model: start.model(),
    };
    // A reply that is stored only in part must be whole before anything follows it.
    env.unstored.store_all().await?;
    let number = live.titles.supersede();
    let session_id = live.session_id;
    let end = match start.store(env, live).await {
        Ok(StartOutcome::Ready { user_message, path_end, thread, model }) => {
            turn.path_end = path_end;
            turn.set_user_message(user_message);
            let (sessions, session) = (Topic::Sessions {}, Topic::Session { session_id });
            env.notifier.changed([sessions, session, Topic::Thread { thread_id: thread }]);
            Ok(turn.generations(&model).await.unwrap_or_else(|error| TurnEnd::Failed { error }))
        }
        Ok(StartOutcome::NothingToSend) => Ok(TurnEnd::Answered {}),
        Err(error) => Err(error),
    };
    if let Err(error) = env.store.end_turn(session_id).await {
        tracing::warn!(%error, "a turn that has ended still stands as running");
    }
    env.notifier.changed([Topic::Context { session_id }]);
    if end == Ok(TurnEnd::Unstored {}) {
        return end;
    }
    let failed = matches!(end, Err(_) | Ok(TurnEnd::Failed { .. }));
    env.after_turn.run(Arc::clone(live), number, turn.attempt, failed, turn.model);
    end
}

/// A running turn.
struct Turn<'a> {
    env: &'a Arc<TurnEnv>,
    live: &'a Arc<LiveSession>,
    cancel: CancellationToken,
    /// The automatic compaction of this turn.
    attempt: CompactionAttempt,
    /// True if the context was cleared in this turn, by the model or by the countdown.
    cleared: bool,
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
}

impl Turn<'_> {
    /// Generates replies until one has no tool calls. `session_model` answers unless the turn has a model of
    /// its own.
    async fn generations(&mut self, session_model: &ModelRef) -> Result<TurnEnd> {
        let mut trigger = GateTrigger::BeforeSend;
        let model = self.model.as_ref().unwrap_or(session_model);
        self.env.models.refresh_local_window(&model.provider).await;
        self.env.mcp.wait_for_servers(model, &self.cancel).await;
        for _ in 0..self.env.settings.get().tools.generations_per_turn {
            if self.cancel.is_cancelled() {
                return Ok(TurnEnd::Interrupted {});
            }
            let Some(context) = self.pass_gate(trigger).await? else {
                return Ok(TurnEnd::Interrupted {});
            };
            let (reply, ending) = match self.generate(context).await? {
                GenerationResult::Reply(reply, ending) => (reply, ending),
                GenerationResult::Unstored => return Ok(TurnEnd::Unstored {}),
                GenerationResult::Withdrawn => return Ok(TurnEnd::Interrupted {}),
            };
            (self.user_message, self.path_end) = (None, MessageParent::Leaf);
            match ending {
                ReplyEnding::Interrupted => return Ok(TurnEnd::Interrupted {}),
                ReplyEnding::Failed(error) => return Err(error),
                ReplyEnding::Finished(_) => {}
            }
            let calls = pending(&reply);
            if calls.is_empty() {
                return Ok(TurnEnd::Answered {});
            }
            if !self.run_calls(&reply, calls).await? {
                return Ok(TurnEnd::Unstored {});
            }
            trigger = GateTrigger::BeforeGeneration;
        }
        Ok(TurnEnd::GenerationLimit {})
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

fn pending(message: &Message) -> Vec<ToolCall> {
    let calls = message.parts.iter().filter_map(ContentPart::as_call);
    calls.filter(|call| call.state == (ToolState::Pending {})).cloned().collect()
}
