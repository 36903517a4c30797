//! Compactions by the person's hand, in the background, taken back, renewed and looked into.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use skein_context::compaction::decision::{CompactionAttempt, Decision, GateTrigger};
use skein_context::compaction::{Plan, PlanOutcome, PlanPurpose, plan};
use skein_context::facts;
use skein_domain::compaction_point::{CompactionPoint, CompactionTrigger};
use skein_domain::error::{CompactionFailure, Error, Result};
use skein_domain::ids::{MessageId, PointId, SessionId, ThreadId};
use skein_domain::message::{ContentPart, Inclusion, Message};
use skein_domain::model::ModelRef;
use skein_platform::blocking::run_blocking;
use skein_store::{AutomaticEvent, MessageParent, MessagePreview};
use tokio::task::JoinHandle;

use super::App;
use super::messages::PointMarkers;
use super::turn_context::TurnContext;
use crate::compactor::{self, CompactionRequest};
use crate::live_session::{LiveSession, TurnNumber};
use crate::view::{
    CompactionPreview, CompactionStatus, Compactions, ExcerptLength, FactStatus, FactView,
    MessageLine, MessagePosition, SummaryComparison,
};

impl App {
    /// What a compaction would do.
    ///
    /// # Errors
    /// [`Error::NotCompacted`] where nothing is old enough, [`Error::Stuck`] where it would not help.
    pub async fn preview_compaction(&self, session: SessionId) -> Result<CompactionPreview> {
        let context = self.turn_context(session).await?;
        let plan = by_hand(&context, PlanPurpose::UserRequest)?;
        let loaded = &context.loaded;
        let tail_from = loaded.up_to(plan.boundary).map_or(0, |covered| covered.len());
        let wanted: HashSet<_> = plan.covered.iter().collect();
        let placed = || loaded.messages().zip(places(loaded.messages())).enumerate();
        let covers = placed().filter(|(_, (message, _))| wanted.contains(&message.id));
        let keeps = placed().filter(|(at, (message, _))| match message.inclusion {
            Inclusion::Usual => *at >= tail_from,
            Inclusion::Pinned => true,
            Inclusion::LeftOut => false,
        });
        Ok(CompactionPreview {
            before: plan.before,
            after: plan.expected_after,
            summary: plan.summary_budget,
            facts: plan.anchors_budget,
            covers: covers.map(|(_, (_, place))| place).collect(),
            keeps: keeps.map(|(_, (_, place))| place).collect(),
            model: self.first_summary_model(&context.model).await?,
        })
    }

    /// What was compacted in the current thread, what of it is stale, and what can be put back.
    pub async fn compactions(&self, session: SessionId) -> Result<Compactions> {
        let context = self.turn_context(session).await?;
        let loaded = &context.loaded;
        let ids: Vec<_> = loaded.messages().map(|message| message.id).collect();
        let points: Vec<_> = loaded.points.iter().map(|point| point.point.clone()).collect();
        let stale = loaded.points.iter().filter(|point| point.stale);
        let stale = stale.map(|point| point.point.id).collect();
        Ok(Compactions {
            points: PointMarkers::of(&ids, &points, &stale).on_path(),
            undone: self.store.undone_point(loaded.thread.id).await?,
            pins: context.pin_usage(),
        })
    }

    /// Begins to compact by the person's hand. What it answers with is the end, which is shown as well:
    /// the person goes on meanwhile.
    ///
    /// # Errors
    /// Where there is nothing to begin with, and [`Error::Compacting`] while another runs.
    pub async fn compact(
        self: &Arc<Self>,
        session: SessionId,
        keep: Option<String>,
    ) -> Result<JoinHandle<Result<()>>> {
        let context = self.turn_context(session).await?;
        let plan = by_hand(&context, PlanPurpose::UserRequest)?;
        let keep = keep.map(|keep| keep.trim().to_owned()).filter(|keep| !keep.is_empty());
        self.begin_by_hand(
            context,
            CompactionRequest { plan, trigger: CompactionTrigger::Manual, keep },
        )
        .await
    }

    /// Begins to write the latest summary anew from the originals; as [`App::compact`].
    ///
    /// # Errors
    /// The same.
    pub async fn renew_summary(
        self: &Arc<Self>,
        session: SessionId,
    ) -> Result<JoinHandle<Result<()>>> {
        let context = self.turn_context(session).await?;
        let plan = by_hand(&context, PlanPurpose::Renewal)?;
        let trigger = CompactionTrigger::Renewal;
        self.begin_by_hand(context, CompactionRequest { plan, trigger, keep: None }).await
    }

    async fn begin_by_hand(
        self: &Arc<Self>,
        context: TurnContext,
        order: CompactionRequest,
    ) -> Result<JoinHandle<Result<()>>> {
        let begun = compactor::start(self, &context).await?;
        Ok(self.spawn(async move { compactor::run(begun, &context, order).await.map(|_| ()) }))
    }

    /// The model that is the first to be asked for a summary.
    pub(crate) async fn first_summary_model(&self, model: &ModelRef) -> Result<Option<ModelRef>> {
        Ok(self.summary_models(model).await?.into_iter().next())
    }

    /// Why the thread could not be compacted by itself, time and again since it last was, as things stand.
    pub(super) async fn compaction_failures(
        &self,
        context: &TurnContext,
    ) -> Result<Vec<CompactionFailure>> {
        match self.first_summary_model(&context.model).await? {
            Some(model) => self.store.compaction_failures(context.loaded.thread.id, model).await,
            None => Ok(Vec::new()),
        }
    }

    /// Stops the compaction that runs; nothing changes.
    pub async fn cancel_compaction(&self, session: SessionId) -> Result<()> {
        self.live_session(session).cancel_compaction();
        Ok(())
    }

    /// What the compaction of a session is doing, or how the last one ended.
    pub async fn compaction_status(&self, session: SessionId) -> Result<CompactionStatus> {
        Ok(self.live_session(session).compaction_status())
    }

    /// Takes back the latest point.
    pub async fn undo_compaction(&self, thread: ThreadId) -> Result<()> {
        self.store.undo_latest_point(thread, self.now()).await?;
        self.notify_thread_changed(thread).await
    }

    /// Puts back the point undone last.
    pub async fn redo_compaction(&self, thread: ThreadId) -> Result<()> {
        self.store.redo_point(thread).await?;
        self.notify_thread_changed(thread).await
    }

    /// The person's own words for a summary.
    pub async fn edit_summary(&self, message: MessageId, text: String) -> Result<()> {
        let stored = self.store.message(message).await?;
        if !stored.is_summary() {
            return Err(Error::Invalid { detail: "not a summary".into() });
        }
        if text.trim().is_empty() {
            return Err(Error::NotCompacted { reason: CompactionFailure::Empty });
        }
        let live = self.live_session(self.store.thread(stored.thread_id).await?.session_id);
        let _alone = live.facts_lock.lock().await;
        let facts = self.facts_for_edited_summary(&stored, &text).await?;
        self.store.edit_summary(message, text, facts).await?;
        self.notify_thread_changed(stored.thread_id).await
    }

    /// What was covered beside what is kept.
    pub async fn compare(&self, point: PointId, thread: ThreadId) -> Result<SummaryComparison> {
        let points = self.store.points(thread).await?;
        let found = points.into_iter().find(|it| it.id == point);
        let point = found.ok_or_else(|| Error::NotFound { what: "compaction".into() })?;
        let originals = self.store.path_to(point.boundary_message_id).await?;
        let summary = self.store.message(point.summary_message_id).await?.text();
        let covered: Vec<_> = places(&originals).collect();
        let extract = move || facts::extract(&facts::sources(&originals));
        let found = run_blocking("finding facts", extract).await?;
        Ok(SummaryComparison {
            anchors: lines(found, &covered, &summary, &point),
            covered,
            summary,
            point,
        })
    }

    /// What messages say, for those of a list that are looked at: of more than [`LISTED_AT_ONCE`] the
    /// first.
    pub async fn message_lines(
        &self,
        ids: Vec<MessageId>,
        extent: ExcerptLength,
    ) -> Result<Vec<MessageLine>> {
        let wanted = ids.into_iter().take(LISTED_AT_ONCE).collect();
        Ok(match extent {
            ExcerptLength::All => {
                self.store.messages(wanted).await?.into_iter().map(message_line).collect()
            }
            ExcerptLength::Beginning => {
                self.store.message_previews(wanted).await?.into_iter().map(beginning).collect()
            }
        })
    }

    /// After a turn, in the background: the conversation is compacted while the person reads, unless
    /// the turn has tried to already, and a new session gets its title, unless the turn has failed:
    /// what refused it is not asked for more. Where another model than the session's answered, it is asked
    /// for the title; what the conversation is compacted for is the next message, which the session's own
    /// answers.
    pub(crate) fn after_turn(
        self: &Arc<Self>,
        live: Arc<LiveSession>,
        turn: TurnNumber,
        attempt: CompactionAttempt,
        failed: bool,
        answered_by: Option<ModelRef>,
    ) {
        let app = Arc::clone(self);
        self.spawn(async move {
            let followed = async {
                let context = app.tidy(&live, attempt).await?;
                let model = answered_by.unwrap_or_else(|| context.model.clone());
                match failed {
                    true => Ok(()),
                    false => app.name_session(live, turn, context, model).await,
                }
            };
            if let Err(error) = followed.await {
                tracing::warn!(%error, "what follows a turn failed");
            }
        });
    }

    async fn tidy(
        self: &Arc<Self>,
        live: &Arc<LiveSession>,
        attempt: CompactionAttempt,
    ) -> Result<TurnContext> {
        let context = self.turn_context(live.session_id).await?;
        if !live.is_compacting() {
            let verdict = self.ask_gate(&context, GateTrigger::TurnCompleted, attempt).await?;
            self.settle(&context, verdict.decision).await?;
        }
        Ok(context)
    }

    async fn settle(self: &Arc<Self>, context: &TurnContext, decision: Decision) -> Result<()> {
        match decision {
            Decision::Compact { plan, .. } => {
                let order =
                    CompactionRequest { plan, trigger: CompactionTrigger::Threshold, keep: None };
                let Ok(begun) = compactor::start(self, context).await else { return Ok(()) };
                match compactor::run(begun, context, order).await {
                    Ok(_) | Err(Error::NotCompacted { .. }) => Ok(()),
                    Err(error) => Err(error),
                }
            }
            Decision::Stuck { floor, limit } => {
                self.report_blocked(context, AutomaticEvent::Stuck { floor, limit }).await
            }
            Decision::Paused { .. } => {
                self.report_blocked(context, AutomaticEvent::Stopped {}).await
            }
            Decision::Go {}
            | Decision::Notice { .. }
            | Decision::Clear { .. }
            | Decision::Archive { .. }
            | Decision::Withhold { .. }
            | Decision::Held { .. }
            | Decision::TooLong { .. } => Ok(()),
        }
    }

    /// Compacts beside a call that leaves with the old context, for who answers it.
    pub(crate) fn compact_in_background(
        self: &Arc<Self>,
        live: Arc<LiveSession>,
        plan: Plan,
        model: Option<ModelRef>,
        end: MessageParent,
    ) {
        let app = Arc::clone(self);
        self.spawn(async move {
            let order =
                CompactionRequest { plan, trigger: CompactionTrigger::Threshold, keep: None };
            let work = async {
                let context = app.turn_context_for(live.session_id, model.as_ref(), end).await?;
                let begun = compactor::start(&app, &context).await?;
                compactor::run(begun, &context, order).await
            };
            if let Err(error) = work.await {
                tracing::info!(%error, "the conversation was not compacted");
            }
        });
    }
}

/// The plan of a compaction the person asked for.
fn by_hand(context: &TurnContext, purpose: PlanPurpose) -> Result<Plan> {
    match context.with_window(None, |window| plan(window, context.limits, purpose)) {
        PlanOutcome::Compact { plan } => Ok(plan),
        PlanOutcome::Fine {} => {
            Err(Error::NotCompacted { reason: CompactionFailure::NothingToCover })
        }
        PlanOutcome::Stuck { floor, limit } => Err(Error::Stuck { floor, limit }),
    }
}

/// How many messages of a list are read at once, at most.
const LISTED_AT_ONCE: usize = 100;

/// Where the messages of a path stand on it.
fn places<'a>(
    path: impl IntoIterator<Item = &'a Message>,
) -> impl Iterator<Item = MessagePosition> {
    let numbered = path.into_iter().zip(1..);
    numbered.map(|(message, number)| MessagePosition { message_id: message.id, number })
}

fn message_line(message: Message) -> MessageLine {
    let words = message.parts.iter().filter_map(|part| match part {
        ContentPart::Text { text } => Some(text.as_str()),
        ContentPart::Reasoning { .. } => None,
        ContentPart::Image(picture) => Some(picture.name.as_str()),
        ContentPart::File { name, .. } => Some(name.as_str()),
        ContentPart::Tool { call } => Some(call.name.as_str()),
    });
    MessageLine {
        words: words.collect::<Vec<_>>().join("\n"),
        message_id: message.id,
        kind: message.kind,
        origin: message.origin,
        inclusion: message.inclusion,
    }
}

fn beginning(
    MessagePreview { message_id, kind, origin, inclusion, words }: MessagePreview,
) -> MessageLine {
    MessageLine { message_id, kind, origin, inclusion, words }
}

/// Facts of the originals, those that are carried first.
fn lines(
    found: Vec<facts::Fact>,
    covered: &[MessagePosition],
    summary: &str,
    point: &CompactionPoint,
) -> Vec<FactView> {
    let places: HashMap<_, _> = covered.iter().map(|it| (it.message_id, it.number)).collect();
    let line = |anchor: facts::Fact| FactView {
        message_id: anchor.message,
        number: places.get(&anchor.message).copied(),
        fate: match anchor.replaced_by {
            _ if point.anchors.contains(&anchor.text) => FactStatus::Carried,
            Some(_) => FactStatus::Replaced,
            None if anchor.is_said_in(summary) => FactStatus::Said,
            None => FactStatus::LeftOut,
        },
        text: anchor.text,
    };
    let mut lines: Vec<_> = found.into_iter().map(line).collect();
    lines.sort_by_key(|line| line.fate);
    lines
}
