//! The compactions of a session for the UI: preview, start, cancel, list, undo, redo, edit and compare.
//!
//! Not here: automatic compactions (`turn`), the plan of a compaction (`skein_context::compaction`).

mod compaction_cost;
pub(crate) mod compaction_env;
pub(crate) mod compactor;
mod provider_summary;
mod summary_comparison;
mod summary_writer;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use skein_context::compaction::{ChosenRange, Plan, PlanOutcome, PlanPurpose, plan};
use skein_context::cost::estimate::TokenRange;
use skein_domain::compaction_point::{CompactionPoint, CompactionTrigger};
use skein_domain::error::{CompactionFailure, Error, Result};
use skein_domain::ids::{MessageId, PointId, SessionId, ThreadId};
use skein_domain::message::{Inclusion, Message};
use skein_store::Store;
use tokio::task::JoinHandle;

use crate::clock::now;
use crate::context::context_reports::ContextReports;
use crate::context::turn_context::TurnContext;
use crate::context::turn_contexts::TurnContexts;
use crate::live::LiveSessions;
use crate::messages::point_markers::PointMarkers;
use crate::messages::thread_writer::ThreadWriter;
use crate::tasks::Tasks;
use crate::view::{CompactionPreview, CompactionStatus, Compactions, MessagePosition};
use compaction_env::CompactionEnv;
use compactor::CompactionRequest;
use provider_summary::{first_writer, least_encrypted_tokens};

/// The compactions of every thread, as the user starts, reads and undoes them.
pub struct CompactionService {
    pub(crate) store: Store,
    pub(crate) tasks: Tasks,
    pub(crate) live_sessions: Arc<LiveSessions>,
    pub(crate) thread_writer: Arc<ThreadWriter>,
    pub(crate) contexts: Arc<TurnContexts>,
    pub(crate) context_reports: Arc<ContextReports>,
    pub(crate) env: Arc<CompactionEnv>,
}

impl CompactionService {
    /// The plan and the cost of a compaction of `range`, or of the older messages.
    ///
    /// # Errors
    /// [`Error::NotCompacted`] if nothing is old enough or the summary of a range would gain nothing,
    /// [`Error::Stuck`] if a compaction would not help.
    pub async fn preview(
        &self,
        session: SessionId,
        range: Option<ChosenRange>,
    ) -> Result<CompactionPreview> {
        let context = self.contexts.of(session).await?;
        let plan = plan_for_user(&context, purpose(range))?;
        let (writer, model) = first_writer(&self.env, &context, &plan);
        let least = least_encrypted_tokens(&self.env, &context, &plan);
        let expected = match least {
            // The provider decides how long its summary is; the plan limits it from above alone.
            Some(least) => TokenRange {
                least: plan.after(least, 0),
                most: plan.at_most.unwrap_or(plan.before).max(plan.after(least, 0)),
            },
            None => plan.range_after(),
        };
        let (cost, paid_after) = self.cost_of(&context, &plan, (writer, &model), expected).await?;
        let loaded = &context.loaded;
        let replaced = loaded.between(plan.starts_after, plan.boundary);
        let wanted: HashSet<_> = plan.covered.iter().collect();
        let applied = loaded.applied_ranges();
        let is_covered = |at: usize| applied.iter().any(|range| range.contains(&at));
        let placed = || loaded.messages().zip(positions(loaded.messages(), 0)).enumerate();
        let covers = placed().filter(|(_, (message, _))| wanted.contains(&message.id));
        let keeps = placed().filter(|(at, (message, _))| match message.inclusion {
            Inclusion::Usual => !replaced.contains(at) && !is_covered(*at),
            Inclusion::Pinned => true,
            Inclusion::LeftOut => false,
        });
        Ok(CompactionPreview {
            before: plan.before,
            after: expected.most,
            summary: least.unwrap_or(plan.summary_room),
            facts: least.map_or(plan.facts_room, |_| 0),
            covers: covers.map(|(_, (_, place))| place).collect(),
            keeps: keeps.map(|(_, (_, place))| place).collect(),
            writer,
            encrypted: least.is_some(),
            model: Some(model),
            cost,
            paid_after,
        })
    }

    /// The points of the current thread, which of them are stale, and which one can be put back.
    pub async fn list(&self, session: SessionId) -> Result<Compactions> {
        let context = self.contexts.of(session).await?;
        let loaded = &context.loaded;
        let ids: Vec<_> = loaded.messages().map(|message| message.id).collect();
        let points: Vec<_> = loaded.points.iter().map(|point| point.point.clone()).collect();
        let stale = loaded.points.iter().filter(|point| point.stale);
        let stale = stale.map(|point| point.point.id).collect();
        let encrypted = self.store.encrypting_models(loaded.thread.id).await?;
        let by_id: HashMap<_, _> =
            loaded.points.iter().map(|it| (it.point.id, it.summary.writer())).collect();
        let writer = |point: &CompactionPoint| by_id.get(&point.id).copied().unwrap_or_default();
        Ok(Compactions {
            points: PointMarkers::of(&ids, &points, &stale, &encrypted).on_path(writer),
            undone: self.store.undone_point(loaded.thread.id).await?,
            pins: context.pin_usage(),
        })
    }

    /// Starts a compaction that the user asked for. The handle returns its end, which is also shown.
    ///
    /// # Errors
    /// Those of [`CompactionService::preview`], and [`Error::Compacting`] while another runs.
    pub async fn compact(
        self: &Arc<Self>,
        session: SessionId,
        range: Option<ChosenRange>,
        keep: Option<String>,
    ) -> Result<JoinHandle<Result<()>>> {
        let context = self.contexts.of(session).await?;
        let plan = plan_for_user(&context, purpose(range))?;
        let keep = keep.map(|keep| keep.trim().to_owned()).filter(|keep| !keep.is_empty());
        let trigger = range.map_or(CompactionTrigger::Manual, |_| CompactionTrigger::Range);
        self.start_for_user(context, CompactionRequest { plan, trigger, keep }).await
    }

    /// Starts writing the summary of `point`, or of the path from its first message on, again from the
    /// originals; as [`CompactionService::compact`].
    ///
    /// # Errors
    /// Those of [`CompactionService::compact`].
    pub async fn renew_summary(
        self: &Arc<Self>,
        session: SessionId,
        point: Option<PointId>,
    ) -> Result<JoinHandle<Result<()>>> {
        let context = self.contexts.of(session).await?;
        let of_range = context.with_window(None, |window| {
            let points = window.ranges.iter().map(|range| range.summary.point.id);
            points.into_iter().find(|id| Some(*id) == point)
        });
        let purpose = of_range.map_or(PlanPurpose::Renewal, PlanPurpose::RangeRenewal);
        let plan = plan_for_user(&context, purpose)?;
        let is_chosen = of_range.is_none()
            && context.with_window(None, |window| {
                window.applied_point.is_some_and(|it| it.point.trigger == CompactionTrigger::Range)
            });
        let trigger = if is_chosen { CompactionTrigger::Range } else { CompactionTrigger::Renewal };
        self.start_for_user(context, CompactionRequest { plan, trigger, keep: None }).await
    }

    async fn start_for_user(
        self: &Arc<Self>,
        context: TurnContext,
        order: CompactionRequest,
    ) -> Result<JoinHandle<Result<()>>> {
        let begun = compactor::start(&self.env, &context, &order.plan).await?;
        Ok(self
            .tasks
            .spawn(async move { compactor::run(begun, &context, order).await.map(|_| ()) }))
    }

    /// Cancels the running compaction; the thread stays as it is.
    pub async fn cancel(&self, session: SessionId) -> Result<()> {
        self.live_sessions.get(session).compaction.cancel();
        Ok(())
    }

    /// The progress of the running compaction of a session, or how the last one ended.
    pub async fn status(&self, session: SessionId) -> Result<CompactionStatus> {
        Ok(self.live_sessions.get(session).compaction.status())
    }

    /// Undoes a point whose summary is sent: `point`, or the newest.
    pub async fn undo(&self, thread: ThreadId, point: Option<PointId>) -> Result<()> {
        self.store.undo_point(thread, point, now()).await?;
        self.thread_writer.notify_thread_changed(thread).await
    }

    /// Puts back the point undone last, and returns it.
    pub async fn redo(&self, thread: ThreadId) -> Result<PointId> {
        let point = self.store.redo_point(thread).await?;
        self.thread_writer.notify_thread_changed(thread).await?;
        Ok(point.id)
    }

    /// Replaces the text of a summary with the user's, and selects its facts again.
    ///
    /// # Errors
    /// [`Error::Invalid`] if the message is no summary, [`Error::NotCompacted`] if the text is empty.
    pub async fn edit_summary(&self, message: MessageId, text: String) -> Result<()> {
        let stored = self.store.message(message).await?;
        if !stored.is_summary() {
            return Err(Error::Invalid { detail: "not a summary".into() });
        }
        if text.trim().is_empty() {
            return Err(Error::NotCompacted { reason: CompactionFailure::Empty });
        }
        let live = self.live_sessions.get(self.store.thread(stored.thread_id).await?.session_id);
        let _alone = live.facts_lock.lock().await;
        let facts = self.contexts.facts_for_edited_summary(&stored, &text).await?;
        self.store.edit_summary(message, text, facts).await?;
        self.thread_writer.notify_thread_changed(stored.thread_id).await
    }
}

/// The plan of a compaction that the user asked for.
fn plan_for_user(context: &TurnContext, purpose: PlanPurpose) -> Result<Plan> {
    match context.with_window(None, |window| plan(window, context.limits, purpose)) {
        PlanOutcome::Compact { plan } => Ok(plan),
        PlanOutcome::Fine {} => {
            Err(Error::NotCompacted { reason: CompactionFailure::NothingToCover })
        }
        PlanOutcome::Stuck { .. } if matches!(purpose, PlanPurpose::Range(_)) => {
            Err(Error::NotCompacted { reason: CompactionFailure::TooLittleGained })
        }
        PlanOutcome::Stuck { floor, limit } => Err(Error::Stuck { floor, limit }),
    }
}

fn purpose(range: Option<ChosenRange>) -> PlanPurpose {
    range.map_or(PlanPurpose::UserRequest, PlanPurpose::Range)
}

/// The messages of a path after the first `before` with their numbers, from 1.
fn positions<'a>(
    path: impl IntoIterator<Item = &'a Message>,
    before: usize,
) -> impl Iterator<Item = MessagePosition> {
    let numbered = path.into_iter().zip(u32::try_from(before).unwrap_or(u32::MAX)..);
    let numbered = numbered.map(|(message, before)| (message, before.saturating_add(1)));
    numbered.map(|(message, number)| MessagePosition { message_id: message.id, number })
}
