//! Starts, watches and stops turns, and takes the answers to their questions.
//!
//! A message sent while a turn runs is queued (`crates/store/src/sessions/queued_messages.rs`) and sent when
//! that turn has ended. An event sink sees both as one turn. Not here: the turn itself (`turn::run_turn`).

use std::sync::Arc;

use skein_domain::draft::Draft;
use skein_domain::error::{Error, Result};
use skein_domain::ids::SessionId;
use skein_domain::message::MessageState;
use skein_domain::message::queued_message::{QueuedMessage, WaitingId};
use skein_store::Store;
use skein_tools::permission::ApprovalDecision;
use tokio_util::sync::CancellationToken;

use super::turn_env::TurnEnv;
use super::turn_start::{TurnStart, check_not_empty};
use crate::attachments::Attachments;
use crate::clock::now;
use crate::events::{EventSink, Topic, TurnEvent};
use crate::live::LiveSessions;
use crate::live::live_session::LiveSession;
use crate::messages::thread_writer::ThreadWriter;
use crate::notifier::Notifier;
use crate::sessions::Sessions;
use crate::tasks::Tasks;
use crate::turn;
use crate::view::{TurnEnd, TurnOutcome};

/// The turns of every session.
pub struct Turns {
    pub(crate) store: Store,
    pub(crate) notifier: Notifier,
    pub(crate) tasks: Tasks,
    pub(crate) live_sessions: Arc<LiveSessions>,
    pub(crate) attachments: Arc<Attachments>,
    pub(crate) thread_writer: Arc<ThreadWriter>,
    pub(crate) sessions: Arc<Sessions>,
    pub(crate) env: Arc<TurnEnv>,
}

impl Turns {
    /// Runs a turn, and the turns of the messages queued behind it, which the event sink sees as one. Returns
    /// when all are answered, or one did not end with an answer. It runs on a task of its own, which goes on
    /// if the caller's window is closed.
    pub async fn run(
        self: &Arc<Self>,
        session: SessionId,
        start: impl Into<TurnStart>,
        watcher: Arc<dyn EventSink>,
    ) -> Result<TurnEnd> {
        let (own, live, start) = (Arc::clone(self), self.live_sessions.get(session), start.into());
        let work = self.tasks.spawn(async move {
            let end = turns(&own.env, &live, start, watcher).await;
            if end.is_ok() {
                own.sessions.mark_unread(session).await;
            }
            own.notifier.session_changed(session);
            own.thread_writer.notify_path_changed(session).await;
            end
        });
        work.await.unwrap_or_else(|error| {
            Err(Error::Storage { detail: format!("the turn broke off: {error}") })
        })
    }

    /// Queues the composer's message behind the running turn. `false`: no turn runs, and the caller sends it
    /// with [`TurnStart::Waiting`].
    pub async fn queue(&self, session: SessionId, message: Draft) -> Result<bool> {
        let parts = self.attachments.message_parts(message).await?;
        check_not_empty(&parts)?;
        self.store.queue_message(session, parts, now()).await?;
        self.notifier.changed([Topic::Session { session_id: session }]);
        Ok(self.live_sessions.get(session).turn.enqueue_behind())
    }

    /// Removes a queued message.
    pub async fn remove_waiting(&self, session: SessionId, id: WaitingId) -> Result<()> {
        self.store.remove_queued(id).await?;
        self.notifier.changed([Topic::Session { session_id: session }]);
        Ok(())
    }

    /// Undoes [`Turns::remove_waiting`]: the message returns to its place in the queue. It is sent
    /// automatically only if a turn is running.
    pub async fn restore_waiting(&self, session: SessionId, taken: QueuedMessage) -> Result<()> {
        self.store.restore_queued(session, taken).await?;
        self.notifier.changed([Topic::Session { session_id: session }]);
        self.live_sessions.get(session).turn.enqueue_behind();
        Ok(())
    }

    /// Sends the events of a running turn to `watcher` until it ends; returns `false` at once if none runs.
    pub async fn watch(&self, session: SessionId, watcher: Arc<dyn EventSink>) -> Result<bool> {
        let live = self.live_sessions.get(session);
        if !live.turn.is_running() {
            return Ok(false);
        }
        live.stage.attach(Arc::clone(&watcher));
        self.catch_up(&live, watcher.as_ref()).await?;
        live.turn.wait_for_end().await;
        Ok(true)
    }

    /// Sends a new watcher the last message, with its running calls, and the open questions. A reply that is
    /// still streaming comes from the stage.
    async fn catch_up(&self, live: &LiveSession, watcher: &dyn EventSink) -> Result<()> {
        let thread = self.store.session(live.session_id).await?.current_thread;
        if let Some(leaf) = self.store.thread(thread).await?.leaf {
            let message = self.store.message(leaf).await?;
            if message.state != (MessageState::Streaming {}) {
                watcher.event(&TurnEvent::Message { message });
            }
        }
        for question in live.approvals.list() {
            watcher.event(&TurnEvent::Question { question });
        }
        Ok(())
    }

    /// Stops the turn. The text that has arrived is kept.
    pub async fn stop(&self, session: SessionId) -> Result<()> {
        self.live_sessions.get(session).turn.stop();
        Ok(())
    }

    /// Takes the user's answer on a tool call.
    pub async fn answer_tool(
        &self,
        session: SessionId,
        call_id: String,
        answer: ApprovalDecision,
    ) -> Result<()> {
        self.live_sessions.get(session).approvals.resolve(&call_id, answer)
    }

    /// Stops one running tool.
    pub async fn cancel_tool(&self, session: SessionId, call_id: String) -> Result<()> {
        self.live_sessions.get(session).calls.cancel(&call_id);
        Ok(())
    }
}

/// Runs a turn, and then the turns of the messages queued behind it. After a turn that was stopped or failed
/// the queued messages stay: the user decides.
async fn turns(
    env: &Arc<TurnEnv>,
    live: &Arc<LiveSession>,
    start: TurnStart,
    watcher: Arc<dyn EventSink>,
) -> Result<TurnEnd> {
    let mut guard = live.turn.begin().await?;
    live.stage.open(watcher);
    let mut end = turn::run_turn(env, live, start, guard.cancel.clone()).await?;
    live.turn.set_last_outcome(TurnOutcome::from(&end));
    while end == (TurnEnd::Answered {}) {
        end = match next(env, live, guard.cancel.clone()).await {
            Ok(Some(end)) => end,
            Ok(None) => match guard.end() {
                Ok(()) => break,
                Err(joined) => {
                    guard = joined;
                    continue;
                }
            },
            Err(error) => TurnEnd::Failed { error },
        };
        live.turn.set_last_outcome(TurnOutcome::from(&end));
    }
    Ok(end)
}

/// Runs the turn of the first queued message; `None`: the queue is empty.
async fn next(
    env: &Arc<TurnEnv>,
    live: &Arc<LiveSession>,
    cancel: CancellationToken,
) -> Result<Option<TurnEnd>> {
    if !env.store.has_queued_message(live.session_id).await? {
        return Ok(None);
    }
    turn::run_turn(env, live, TurnStart::Waiting, cancel).await.map(Some)
}
