//! Runs a compaction that the engine planned.
//!
//! The first model of a chain that can write the summary does so; if none can, the program makes it from
//! sentences of the messages. Nothing changes before the summary is accepted; then everything changes in one
//! transaction. Not here: whether to compact and what (`context::gate`, `context::compaction`).
//!
//! An automatic compaction ends as soon as the user switches it off or chooses another strategy. If the user
//! edits or undoes the summary that it builds on, the user's version stays. If the server cut the prompt of a
//! summary silently, the summary is asked for again in smaller pieces, as after an overflow error.

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use skein_context::compaction::{Plan, fingerprint};
use skein_context::facts::{self, FactSelection};
use skein_context::tokens::message_tokens::Tokenizer;
use skein_context::window::has_readable_text;
use skein_domain::compaction_point::{CompactionPoint, CompactionTrigger};
use skein_domain::error::{CompactionFailure, Error, Result};
use skein_domain::ids::{SessionId, ThreadId};
use skein_domain::message::Message;
use skein_domain::model::ModelRef;
use skein_store::{AutomaticEvent, NewCompaction, NoProviderSummaryReason, PointVersion};
use tokio::sync::broadcast::Receiver;
use tokio_util::sync::CancellationToken;

use super::compaction_env::CompactionEnv;
use super::provider_summary::first_writer;
use crate::clock::now;
use crate::context::loaded_thread::LoadedPoint;
use crate::context::turn_context::TurnContext;
use crate::events::{ChangeNotification, Topic};
use crate::live::live_session::LiveSession;
use crate::live::session_compaction::CompactionGuard;
use crate::view::CompactionProgress;

/// Interval between attempts to store a summary that could not be stored.
const RETRY_INTERVAL: Duration = Duration::from_secs(2);

/// A compaction to run.
pub(crate) struct CompactionRequest {
    pub plan: Plan,
    pub trigger: CompactionTrigger,
    /// The user's words on what to keep in particular.
    pub keep: Option<String>,
}

/// A compaction that has started.
pub(crate) struct RunningCompaction {
    // Field order matters: the guard is dropped before the notification, so that readers see the final state.
    guard: CompactionGuard,
    notify_on_drop: NotifyOnDrop,
    /// The first model of the chain. The gate counts its failures.
    first_model: ModelRef,
}

/// Notifies the UI that a compaction has ended, however it ended.
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

/// Starts the only compaction that a session may have at a time; its status is "running" from now on.
///
/// # Errors
/// [`Error::Compacting`] while another runs, and if one was applied since the context was built.
pub(crate) async fn start(
    env: &Arc<CompactionEnv>,
    context: &TurnContext,
    plan: &Plan,
) -> Result<RunningCompaction> {
    let first_model = env.model_choices.first_summary_model(&context.model);
    let (_, first) = first_writer(env, context, plan);
    let (session_id, thread_id) = (context.session.id, context.loaded.thread.id);
    let progress = progress(thread_id, Some(&first), 1, 1);
    let live = env.live_sessions.get(session_id);
    let guard = live.begin_compaction(progress, context.compactions_applied)?;
    env.notifier.changed([Topic::Compaction { session_id }]);
    env.notifier.session_changed(session_id);
    let telling = NotifyOnDrop { env: Arc::clone(env), session_id, thread_id };
    Ok(RunningCompaction { guard, notify_on_drop: telling, first_model })
}

/// Runs a compaction that has started, and shows its progress and its end. An automatic one is logged.
///
/// # Errors
/// [`Error::NotCompacted`] if nothing changed.
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
    // The cache is dropped before the end is announced, so that readers load the new state.
    env.thread_cache.invalidate(*thread_id);
    begun.guard.end(result.as_ref().map(|it| it.point.id).map_err(Error::clone));
    if let Some(event) = automatic_event(trigger, &result, begun.first_model)
        && let Err(error) = env.store.append_activity(*thread_id, event, now()).await
    {
        tracing::warn!(%error, "a compaction is missing from the activity log");
    }
    result.map(|it| it.point)
}

/// A stored point.
struct WrittenPoint {
    point: CompactionPoint,
    /// True if no model wrote a summary: neither the readable one, nor an encrypted one beside it.
    local: bool,
}

/// The entry of the activity log. `None`: the user asked for the compaction.
fn automatic_event(
    trigger: CompactionTrigger,
    result: &Result<WrittenPoint>,
    first_model: ModelRef,
) -> Option<AutomaticEvent> {
    match trigger {
        CompactionTrigger::Threshold | CompactionTrigger::Overflow => {}
        CompactionTrigger::Manual | CompactionTrigger::Range | CompactionTrigger::Renewal => {
            return None;
        }
    }
    let failed = |reason| AutomaticEvent::NotCompacted { reason, model: Some(first_model) };
    Some(match result {
        Ok(WrittenPoint { point, local }) => AutomaticEvent::Compacted {
            point: point.id,
            before: point.before,
            after: point.after,
            local: *local,
        },
        Err(Error::NotCompacted { reason }) => failed(*reason),
        Err(Error::OverBudget { .. }) => failed(CompactionFailure::OverBudget),
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
    async fn run(&self) -> Result<WrittenPoint> {
        let plan = &self.order.plan;
        let written = {
            let mut writing = pin!(self.write());
            tokio::select! {
                written = &mut writing => written?,
                () = self.wait_until_unwanted() => {
                    // The work ends by itself, because its call is paid for and must be entered.
                    self.cancel.cancel();
                    if let Err(error) = writing.await {
                        tracing::debug!(%error, "a summary that is no longer wanted ended");
                    }
                    return Err(cancelled());
                }
            }
        };
        let without_text = written.encrypted.as_ref().filter(|it| !has_readable_text(&it.items));
        // Facts that only the readable summary has would be missing beside items without text.
        let (text, longest) = match without_text {
            Some(without_text) => ("", without_text.tokens.max(written.summary.tokens)),
            None => (written.summary.text.as_str(), written.summary.tokens),
        };
        let beside = plan.facts_room_beside(longest).unwrap_or_default();
        let facts = self.facts(text, beside).await?;
        let facts_text = facts::render(&facts.kept);
        let facts = self.context.counter.text(&facts_text);
        let after = match &written.encrypted {
            Some(encrypted) => plan.after(encrypted.tokens, without_text.map_or(0, |_| facts)),
            None => plan.after(written.summary.tokens, facts),
        };
        let point = NewCompaction {
            thread: self.context.loaded.thread.id,
            summary: written.summary.text,
            facts: facts_text,
            starts_after: plan.starts_after,
            boundary: plan.boundary,
            end: self.context.path_end,
            before: plan.before,
            after,
            covered: u32::try_from(self.originals().count()).unwrap_or(u32::MAX),
            fingerprint: fingerprint(self.originals()),
            unread: written.unsummarized_pins,
            replaces: self.replaces(),
            builds_on: self.builds_on()?,
            encrypted: written.encrypted,
            trigger: self.order.trigger,
            writer: written.writer,
            model: written.model,
            created_at: now(),
        };
        if self.cancel.is_cancelled() || !self.is_wanted().await? {
            return Err(cancelled());
        }
        let local = point.model.is_none() && point.encrypted.is_none();
        let point = self.store(point).await?;
        if written.is_provider_over_budget {
            self.log_missing(NoProviderSummaryReason::OverBudget).await;
        }
        Ok(WrittenPoint { point, local })
    }

    /// Stores the point of a summary. A summary that cannot be stored is paid for: it stays on the screen
    /// with the error and is stored when that is possible, unless the user cancels.
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
                () = tokio::time::sleep(RETRY_INTERVAL) => {}
                () = self.cancel.cancelled() => return Err(cancelled()),
                () = self.wait_until_unwanted() => return Err(cancelled()),
            }
        }
    }

    /// True if the compaction is wanted now. An automatic one is no longer wanted once the user switches
    /// automatic compaction off.
    async fn is_wanted(&self) -> Result<bool> {
        match self.order.trigger {
            CompactionTrigger::Manual | CompactionTrigger::Range | CompactionTrigger::Renewal => {
                Ok(true)
            }
            CompactionTrigger::Threshold | CompactionTrigger::Overflow => {
                self.env.contexts.is_summarize_active(self.live.session_id).await
            }
        }
    }

    /// Returns when the compaction is no longer wanted.
    async fn wait_until_unwanted(&self) {
        let mut changes = self.env.notifier.subscribe();
        while !matches!(self.is_wanted().await, Ok(false)) {
            self.wait_for_user_change(&mut changes).await;
        }
    }

    /// Returns when the settings or the session changed.
    async fn wait_for_user_change(&self, changes: &mut Receiver<ChangeNotification>) {
        let session = Topic::Session { session_id: self.live.session_id };
        let decides = |topic: &Topic| *topic == Topic::Settings {} || *topic == session;
        // If the channel overflowed, the lost notifications may have been such a change.
        while let Ok(ChangeNotification { topics }) = changes.recv().await
            && !topics.iter().any(decides)
        {}
    }

    /// The original messages that will be covered, without those that the user left out of the context.
    fn originals(&self) -> impl Iterator<Item = &Message> {
        let Plan { starts_after, boundary, .. } = self.order.plan;
        let all = self.context.loaded.covered_by((starts_after, boundary));
        all.filter(|message| !message.is_left_out())
    }

    /// The version of the newest point that applies when the compaction starts; `None`: none applies.
    fn replaces(&self) -> Option<PointVersion> {
        self.context.with_window(None, |window| {
            let replaced = window.latest_point()?;
            let summary = fingerprint([replaced.summary.message]);
            Some(PointVersion { point: replaced.point.id, summary })
        })
    }

    /// The version of the summary to update, when the compaction starts; `None`: a new summary is written.
    fn builds_on(&self) -> Result<Option<PointVersion>> {
        let point = self.previous()?;
        Ok(point.map(|LoadedPoint { point, summary, .. }| PointVersion {
            point: point.id,
            summary: fingerprint([summary]),
        }))
    }

    /// The facts of the originals that `summary` does not say, in at most `budget` tokens.
    pub async fn facts(&self, summary: &str, budget: u32) -> Result<FactSelection> {
        let Plan { starts_after, boundary, .. } = self.order.plan;
        self.context.facts((starts_after, boundary), summary, budget).await
    }

    /// The point whose summary is updated; `None`: the summary is written from the originals.
    ///
    /// # Errors
    /// `NotCompacted { Changed }` if the point was undone since the plan was made.
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
