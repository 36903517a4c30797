//! Starts, watches and stops turns, and takes the answers to their questions.
//!
//! A message sent while a turn runs is queued (`crates/store/src/sessions/queued_messages.rs`) and sent when
//! that turn has ended. An event sink sees both as one turn. Not here: the turn itself (`turn`).

use std::sync::Arc;

use skein_domain::draft::Draft;
use skein_domain::error::{Error, Result};
use skein_domain::ids::SessionId;
use skein_domain::message::MessageState;
use skein_domain::message::queued_message::{QueuedMessage, WaitingId};
use skein_store::Store;
use skein_tools::permission::ApprovalDecision;

use super::Turn;
use super::turn_env::TurnEnv;
use super::turn_start::{TurnStart, check_not_empty};
use crate::attachments::Attachments;
use crate::clock::now;
use crate::events::{EventSink, Topic, TurnEvent};
use crate::live::LiveSessions;
use crate::live::live_session::LiveSession;
use crate::live::session_turn::TurnGuard;
use crate::messages::thread_writer::ThreadWriter;
use crate::notifier::Notifier;
use crate::sessions::Sessions;
use crate::tasks::Tasks;
use crate::view::TurnEnd;

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
    /// when all are answered, or one did not end with an answer: then the user decides about the queued
    /// messages that are left. It runs on a task of its own, which goes on if the caller's window is closed.
    ///
    /// # Errors
    /// The reason why the turn could not begin: nothing of the user's message is stored.
    pub async fn run(
        self: &Arc<Self>,
        session: SessionId,
        start: impl Into<TurnStart>,
        sink: Arc<dyn EventSink>,
    ) -> Result<TurnEnd> {
        let (turns, start) = (Arc::clone(self), start.into());
        let work = self.tasks.spawn(async move {
            let live = turns.live_sessions.get(session);
            let guard = live.turn.begin().await?;
            live.stage.open(sink);
            let end = turns.run_with_queue(&live, guard, start).await;
            if end.is_ok() {
                turns.sessions.mark_unread(session).await;
            }
            turns.notifier.session_changed(session);
            turns.thread_writer.notify_path_changed(session).await;
            end
        });
        work.await.unwrap_or_else(|error| {
            Err(Error::Storage { detail: format!("the turn broke off: {error}") })
        })
    }

    /// Runs a turn, and the turns of the queued messages until one does not end with an answer.
    async fn run_with_queue(
        &self,
        live: &Arc<LiveSession>,
        mut guard: TurnGuard<'_>,
        mut start: TurnStart,
    ) -> Result<TurnEnd> {
        loop {
            let end = self.run_one(live, &guard, start).await;
            if end != Ok(TurnEnd::Answered {}) {
                return end;
            }
            guard = match self.keep_for_queue(live.session_id, guard).await {
                Ok(Some(guard)) => guard,
                Ok(None) => return end,
                Err(error) => return Ok(TurnEnd::Failed { error }),
            };
            start = TurnStart::Queued;
        }
    }

    async fn run_one(
        &self,
        live: &Arc<LiveSession>,
        guard: &TurnGuard<'_>,
        start: TurnStart,
    ) -> Result<TurnEnd> {
        let is_queued = matches!(start, TurnStart::Queued);
        let mut turn = Turn::new(&self.env, live, guard.cancel.clone(), &start);
        let end = match start.store(&mut turn).await {
            Ok(Some(session_model)) => {
                let end = turn.answer(&session_model).await;
                Ok(end.unwrap_or_else(|error| TurnEnd::Failed { error }))
            }
            Ok(None) => Ok(TurnEnd::Answered {}),
            // A queued message stays where it is.
            Err(error) if is_queued => Ok(TurnEnd::Failed { error }),
            Err(error) => Err(error),
        };
        turn.finish(end).await
    }

    /// The guard of the turn that has ended, for the turn of the next queued message. `None`: the queue is
    /// empty, and no turn runs any more.
    async fn keep_for_queue<'a>(
        &self,
        session: SessionId,
        mut guard: TurnGuard<'a>,
    ) -> Result<Option<TurnGuard<'a>>> {
        while !self.store.has_queued_message(session).await? {
            guard = match guard.end() {
                Ok(()) => return Ok(None),
                Err(joined) => joined,
            };
        }
        Ok(Some(guard))
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
    pub async fn remove_queued(&self, session: SessionId, id: WaitingId) -> Result<()> {
        self.store.remove_queued(id).await?;
        self.notifier.changed([Topic::Session { session_id: session }]);
        Ok(())
    }

    /// Undoes [`Turns::remove_waiting`]: the message returns to its place in the queue. It is sent
    /// automatically only if a turn is running.
    pub async fn restore_queued(&self, session: SessionId, taken: QueuedMessage) -> Result<()> {
        self.store.restore_queued(session, taken).await?;
        self.notifier.changed([Topic::Session { session_id: session }]);
        self.live_sessions.get(session).turn.enqueue_behind();
        Ok(())
    }

    /// Sends the events of a running turn to `sink` until it ends; returns `false` at once if none runs.
    pub async fn watch(&self, session: SessionId, sink: Arc<dyn EventSink>) -> Result<bool> {
        let live = self.live_sessions.get(session);
        if !live.turn.is_running() {
            return Ok(false);
        }
        live.stage.attach(Arc::clone(&sink));
        self.catch_up(&live, sink.as_ref()).await?;
        live.turn.wait_for_end().await;
        Ok(true)
    }

    /// Sends a new event sink the last message, with its running calls, and the open questions. A reply that
    /// is still streaming comes from the stage.
    async fn catch_up(&self, live: &LiveSession, sink: &dyn EventSink) -> Result<()> {
        let thread = self.store.session(live.session_id).await?.current_thread;
        if let Some(leaf) = self.store.thread(thread).await?.leaf {
            let message = self.store.message(leaf).await?;
            if message.state != (MessageState::Streaming {}) {
                sink.event(&TurnEvent::Message { message });
            }
        }
        for question in live.approvals.list() {
            sink.event(&TurnEvent::Question { question });
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
