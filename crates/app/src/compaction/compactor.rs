//! Carries out a compaction that the engine planned.
//!
//! The summary is written by the first model of a chain that manages to; where none does, it is
//! made locally. Nothing changes before it is accepted, and then everything in one transaction. Not
//! here: whether to compact and what (`context::gate`, `context::compaction`).
//!
//! An automatic compaction ends as soon as it is switched off or another strategy is chosen. If the user
//! edits or undoes the summary it builds on, the user's version stands. A summary whose prompt the server cut
//! silently is asked for again in smaller pieces, as after an overflow error.

use std::sync::Arc;
use std::time::Duration;

use skein_context::compaction::{Plan, fingerprint};
use skein_context::facts::{self, FactSelection};
use skein_context::tokens::message_tokens::Tokenizer;
use skein_domain::compaction_point::{CompactionPoint, CompactionTrigger};
use skein_domain::error::{CompactionFailure, Error, Result};
use skein_domain::ids::{SessionId, ThreadId};
use skein_domain::message::Message;
use skein_domain::model::ModelRef;
use skein_store::{AutomaticEvent, NewCompaction, PointVersion};
use tokio::sync::broadcast::Receiver;
use tokio_util::sync::CancellationToken;

use super::compaction_env::CompactionEnv;
use crate::clock::now;
use crate::context::thread_cache::LoadedPoint;
use crate::context::turn_context::TurnContext;
use crate::events::{ChangeNotification, Topic};
use crate::live::live_session::LiveSession;
use crate::live::session_compaction::CompactionGuard;
use crate::view::CompactionProgress;

/// How often it is tried to store a summary that could not be stored.
const RETRY_EVERY: Duration = Duration::from_secs(2);

/// A compaction to be carried out.
pub(crate) struct CompactionRequest {
    pub plan: Plan,
    pub trigger: CompactionTrigger,
    /// What the person asked to keep in particular.
    pub keep: Option<String>,
}

/// A compaction that was begun.
pub(crate) struct RunningCompaction {
    // Dropped before anybody is told: what is asked then is how it ended.
    guard: CompactionGuard,
    notify_on_drop: NotifyOnDrop,
    /// The model that is the first to be asked for its summary.
    asked: Option<ModelRef>,
}

/// Tells whoever looks at a compaction that it has ended, however it did.
struct NotifyOnDrop {
    env: Arc<CompactionEnv>,
    session_id: SessionId,
    thread_id: ThreadId,
}

impl Drop for NotifyOnDrop {
    fn drop(&mut self) {
        let Self { session_id, thread_id, .. } = *self;
        self.env.notifier.changed([
            Topic::Compaction { session_id },
            Topic::Thread { thread_id },
            Topic::Context { session_id },
        ]);
        self.env.notifier.session_changed(session_id);
    }
}

/// Takes the session's one compaction, which shows as running from now on.
///
/// # Errors
/// [`Error::Compacting`] while another runs, and where one was applied since the context was built.
pub(crate) async fn start(
    env: &Arc<CompactionEnv>,
    context: &TurnContext,
) -> Result<RunningCompaction> {
    // What is in the way of reading them is also in the way of the work, which says so.
    let asked = env.model_choices.first_summary_model(&context.model);
    let (session_id, thread_id) = (context.session.id, context.loaded.thread.id);
    let progress = progress(thread_id, asked.as_ref(), 1, 1);
    let live = env.live_sessions.get(session_id);
    let guard = live.begin_compaction(progress, context.compactions_applied)?;
    env.notifier.changed([Topic::Compaction { session_id }]);
    env.notifier.session_changed(session_id);
    let telling = NotifyOnDrop { env: Arc::clone(env), session_id, thread_id };
    Ok(RunningCompaction { guard, notify_on_drop: telling, asked })
}

/// Carries out the one that was begun. Its progress and its end are shown; what happened by itself is
/// logged.
///
/// # Errors
/// [`Error::NotCompacted`] where nothing changed.
pub(crate) async fn run(
    begun: RunningCompaction,
    context: &TurnContext,
    order: CompactionRequest,
) -> Result<CompactionPoint> {
    let NotifyOnDrop { env, thread_id, .. } = &begun.notify_on_drop;
    let live = begun.guard.live.as_ref();
    let trigger = order.trigger;
    let work = Compactor { env, live, context, order, cancel: &begun.guard.cancel };
    let result = work.run().await;
    // Before anybody is told: what is read then is as it is now.
    env.thread_cache.invalidate(*thread_id);
    begun.guard.end(result.as_ref().map(|point| point.id).map_err(Error::clone));
    if let Some(event) = automatic_event(trigger, &result, begun.asked)
        && let Err(error) = env.store.append_activity(*thread_id, event, now()).await
    {
        tracing::warn!(%error, "a compaction is not in the list of what happened by itself");
    }
    result
}

/// What the list of automatic events says of it: nothing of what the person did by hand.
fn automatic_event(
    trigger: CompactionTrigger,
    result: &Result<CompactionPoint>,
    asked: Option<ModelRef>,
) -> Option<AutomaticEvent> {
    match trigger {
        CompactionTrigger::Threshold | CompactionTrigger::Overflow => {}
        CompactionTrigger::Manual | CompactionTrigger::Renewal => return None,
    }
    let failed = |reason| AutomaticEvent::NotCompacted { reason, model: asked };
    Some(match result {
        Ok(point) => AutomaticEvent::Compacted {
            point: point.id,
            before: point.before,
            after: point.after,
            local: point.model.is_none(),
        },
        Err(Error::NotCompacted { reason }) => failed(*reason),
        Err(_) => failed(CompactionFailure::ModelFailed),
    })
}

pub(super) struct Compactor<'a> {
    pub env: &'a Arc<CompactionEnv>,
    pub live: &'a LiveSession,
    pub context: &'a TurnContext,
    pub order: CompactionRequest,
    pub cancel: &'a CancellationToken,
}

impl Compactor<'_> {
    async fn run(&self) -> Result<CompactionPoint> {
        let plan = &self.order.plan;
        let written = tokio::select! {
            written = self.write() => written?,
            () = self.unwanted() => return Err(cancelled()),
        };
        let beside = plan.facts_budget(written.summary.tokens).unwrap_or_default();
        let facts = self.facts(&written.summary.text, beside).await?;
        let anchors_text = facts::render(&facts.kept);
        let facts = self.context.counter.text(&anchors_text);
        let after = plan.after(written.summary.tokens, facts);
        let point = NewCompaction {
            thread: self.context.loaded.thread.id,
            summary: written.summary.text,
            anchors: anchors_text,
            boundary: plan.boundary,
            end: self.context.path_end,
            before: plan.before,
            after,
            covered: u32::try_from(self.originals().count()).unwrap_or(u32::MAX),
            fingerprint: fingerprint(self.originals()),
            unread: written.unsummarized_pins,
            replaces: self.replaces(),
            builds_on: self.builds_on()?,
            trigger: self.order.trigger,
            model: written.model,
            created_at: now(),
        };
        if self.cancel.is_cancelled() || !self.is_wanted().await? {
            return Err(cancelled());
        }
        self.store(point).await
    }

    /// Stores the point of a summary. One that cannot be stored is paid for: it stays on the screen with the
    /// reason and is stored once there is room, unless the user stops that.
    async fn store(&self, point: NewCompaction) -> Result<CompactionPoint> {
        loop {
            let alone = self.live.facts_lock.lock().await;
            let error = match self.env.store.add_point(point.clone()).await {
                Err(error) if error.is_unwritable() => error,
                stored => return stored,
            };
            drop(alone);
            tracing::warn!(%error, "a summary could not be stored and stays in memory");
            let progress = progress(point.thread, point.model.as_ref(), 1, 1);
            let (text, unstored) = (point.summary.clone(), Some(error));
            self.show(&CompactionProgress { text, unstored, ..progress });
            tokio::select! {
                () = tokio::time::sleep(RETRY_EVERY) => {}
                () = self.cancel.cancelled() => return Err(cancelled()),
                () = self.unwanted() => return Err(cancelled()),
            }
        }
    }

    /// Whether the person wants it at this moment: what begins by itself also ends so, once it is
    /// switched off.
    async fn is_wanted(&self) -> Result<bool> {
        match self.order.trigger {
            CompactionTrigger::Manual | CompactionTrigger::Renewal => Ok(true),
            CompactionTrigger::Threshold | CompactionTrigger::Overflow => {
                self.env.contexts.is_summarize_active(self.live.session_id).await
            }
        }
    }

    /// Returns as soon as the person does not want it any more.
    async fn unwanted(&self) {
        let mut changes = self.env.notifier.subscribe();
        while !matches!(self.is_wanted().await, Ok(false)) {
            self.decided(&mut changes).await;
        }
    }

    /// Returns when something changed that the person decides.
    async fn decided(&self, changes: &mut Receiver<ChangeNotification>) {
        let session = Topic::Session { session_id: self.live.session_id };
        let decides = |topic: &Topic| *topic == Topic::Settings {} || *topic == session;
        // Of more than can be told at once, some of it may be a decision.
        while let Ok(ChangeNotification { topics }) = changes.recv().await
            && !topics.iter().any(decides)
        {}
    }

    /// Everything that will be covered, as it was said. What is left out is not: nothing stands for it.
    fn originals(&self) -> impl Iterator<Item = &Message> {
        let all = self.context.loaded.up_to(self.order.plan.boundary).into_iter().flatten();
        all.filter(|message| !message.is_left_out())
    }

    /// What applies as this begins.
    fn replaces(&self) -> Option<PointVersion> {
        self.context.with_window(None, |window| {
            let replaced = window.applied_point?;
            let summary = fingerprint([replaced.summary.message]);
            Some(PointVersion { point: replaced.point.id, summary })
        })
    }

    /// Whose summary is updated, as this begins.
    fn builds_on(&self) -> Result<Option<PointVersion>> {
        let point = self.previous()?;
        Ok(point.map(|LoadedPoint { point, summary, .. }| PointVersion {
            point: point.id,
            summary: fingerprint([summary]),
        }))
    }

    /// Facts of the originals that a summary does not say itself, within a budget.
    pub async fn facts(&self, summary: &str, budget: u32) -> Result<FactSelection> {
        self.context.facts(self.order.plan.boundary, summary, budget).await
    }

    /// The point whose summary is updated; `None`: it is begun from the originals.
    ///
    /// # Errors
    /// `NotCompacted { Changed }` where it was taken back since the plan was made.
    pub fn previous(&self) -> Result<Option<&LoadedPoint>> {
        let Some(id) = self.order.plan.previous else { return Ok(None) };
        let point = self.context.loaded.points.iter().find(|point| point.point.id == id);
        let changed = Error::NotCompacted { reason: CompactionFailure::Changed };
        point.ok_or(changed).map(Some)
    }

    pub fn show(&self, progress: &CompactionProgress) {
        self.live.compaction.set_progress(progress.clone());
        self.env.notifier.changed([Topic::Compaction { session_id: self.live.session_id }]);
    }
}

pub(super) fn progress(
    thread_id: ThreadId,
    model: Option<&ModelRef>,
    piece: u32,
    pieces: u32,
) -> CompactionProgress {
    let (text, model) = (String::new(), model.cloned());
    CompactionProgress { thread_id, pieces, piece, text, model, unstored: None }
}

pub(super) fn cancelled() -> Error {
    Error::NotCompacted { reason: CompactionFailure::Cancelled }
}
