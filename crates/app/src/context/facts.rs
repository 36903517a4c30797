//! Selects the facts that are carried beside a summary: after it is written, after the user edits it, and
//! after a message that it covers is left out or included again.
//!
//! Facts found by older rules (`facts::RULES`) are found again when their session is opened. Not here: the
//! rules (`skein_context::facts`).

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use futures::{StreamExt as _, TryStreamExt as _, stream};
use skein_context::facts::{self, FactSelection};
use skein_context::tokens::TokenCounter;
use skein_context::tokens::message_tokens::{Tokenizer, count_message, saturating_sum};
use skein_domain::compaction_point::CompactionPoint;
use skein_domain::error::{Error, Result};
use skein_domain::ids::{MessageId, PointId};
use skein_domain::message::{Inclusion, Message};
use skein_platform::blocking::run_blocking;
use skein_store::OutdatedFacts;

use super::loaded_thread::LoadedThread;
use super::turn_context::TurnContext;
use super::turn_contexts::TurnContexts;
use crate::clock::now;

/// The number of summaries whose facts are selected in parallel; each needs a processor.
const MAX_PARALLEL: usize = 4;

/// The inputs of a selection that all summaries of a conversation share.
struct FactSelector {
    counter: Arc<TokenCounter>,
    /// The compaction threshold, in tokens; it bounds the facts' room.
    threshold: u32,
    /// Tokens of the messages on the path that is shown, counted already.
    known: HashMap<MessageId, u32>,
}

impl FactSelector {
    fn of(context: &TurnContext) -> Self {
        let threshold = context.limits.assumed_threshold(&context.policy);
        Self::new(&context.loaded, &context.counter, threshold)
    }

    fn new(loaded: &LoadedThread, counter: &Arc<TokenCounter>, threshold: u32) -> Self {
        let counted = loaded.counted().into_iter();
        let known = counted.map(|it| (it.message.id, it.tokens.total())).collect();
        Self { counter: Arc::clone(counter), threshold, known }
    }

    /// The facts of `originals` to carry beside `summary`, one a line. The originals may be on any path.
    fn select(&self, originals: &[Message], summary: &str) -> String {
        let tokens = |message: &Message| match self.known.get(&message.id) {
            Some(tokens) => *tokens,
            None => count_message(self.counter.as_ref(), message).total(),
        };
        let sent = originals.iter().filter(|message| !message.is_left_out());
        let covered = saturating_sum(sent.map(tokens));
        let room = facts::facts_room_beside(self.counter.text(summary), covered, self.threshold);
        let facts = facts::facts_not_in(&facts::sources(originals), summary);
        let chosen = facts::fit_into_room(facts, room, |text| self.counter.text(text));
        facts::render(&chosen.kept)
    }
}

/// A compaction point that covers the message that the user pins, leaves out or takes back in.
struct CoveringPoint {
    point: PointId,
    summary: MessageId,
    /// A path to the message that already has the new inclusion, shared by all points on it.
    path: Arc<[Message]>,
    /// The indexes on `path` of the messages that the point covers.
    covered: Range<usize>,
}

impl CoveringPoint {
    fn originals(&self) -> &[Message] {
        self.path.get(self.covered.clone()).unwrap_or_default()
    }
}

impl TurnContext {
    /// The facts of the messages after one message up to and including another that `summary` does not say,
    /// in at most `room` tokens.
    ///
    /// # Errors
    /// [`Error::Storage`] if the search failed; there may be facts all the same.
    pub async fn facts(
        &self,
        covered: (Option<MessageId>, MessageId),
        summary: &str,
        room: u32,
    ) -> Result<FactSelection> {
        let (loaded, counter) = (Arc::clone(&self.loaded), Arc::clone(&self.counter));
        let summary = summary.to_owned();
        run_blocking("finding facts", move || {
            let originals = loaded.covered_by(covered);
            let facts = facts::facts_not_in(&facts::sources(originals), &summary);
            facts::fit_into_room(facts, room, |text| counter.text(text))
        })
        .await
    }
}

impl TurnContexts {
    /// The facts to carry beside a new text of a summary; `None`: the summary's point was undone.
    pub async fn facts_for_edited_summary(
        &self,
        summary: &Message,
        text: &str,
    ) -> Result<Option<(PointId, String)>> {
        let points = self.store.points(summary.thread_id).await?;
        let Some(point) = points.into_iter().find(|it| it.summary_message_id == summary.id) else {
            return Ok(None);
        };
        let choosing = FactSelector::of(&self.context_beside(summary).await?);
        let originals =
            self.store.path_between(point.after_message_id, point.boundary_message_id).await?;
        let text = text.to_owned();
        let facts =
            run_blocking("finding facts", move || choosing.select(&originals, &text)).await?;
        Ok(Some((point.id, facts)))
    }

    /// The facts to carry by every point that covers a message, on any branch, after its inclusion changes.
    /// The summary itself may still mention a message that was left out, until it is written again.
    pub async fn facts_after_inclusion_change(
        &self,
        message: &Message,
        inclusion: Inclusion,
    ) -> Result<Vec<(PointId, String)>> {
        let points = self.store.points(message.thread_id).await?;
        let is_sent_as_before = message.is_left_out() == (inclusion == Inclusion::LeftOut);
        if is_sent_as_before || points.is_empty() {
            return Ok(Vec::new());
        }
        let context = self.context_beside(message).await?;
        let covering = self.covering_points(&context.loaded, points, message.id, inclusion).await?;
        let summaries = self.store.messages(covering.iter().map(|it| it.summary).collect()).await?;
        let mut summaries: HashMap<_, _> =
            summaries.into_iter().map(|summary| (summary.id, summary.text())).collect();
        let choosing = Arc::new(FactSelector::of(&context));
        let chosen = covering.into_iter().map(|it| {
            let (choosing, summary) = (Arc::clone(&choosing), summaries.remove(&it.summary));
            async move {
                let not_found = || Error::NotFound { what: "message".into() };
                let (point, summary) = (it.point, summary.ok_or_else(not_found)?);
                let find = move || choosing.select(it.originals(), &summary);
                Ok((point, run_blocking("finding facts", find).await?))
            }
        });
        stream::iter(chosen).buffered(MAX_PARALLEL).try_collect().await
    }

    /// The points that cover a message, with the messages that they cover after its inclusion changes.
    async fn covering_points(
        &self,
        loaded: &LoadedThread,
        points: Vec<CompactionPoint>,
        message: MessageId,
        inclusion: Inclusion,
    ) -> Result<Vec<CoveringPoint>> {
        let places: HashMap<_, _> = loaded.messages().map(|it| it.id).zip(0..).collect();
        let place = places.get(&message).copied();
        let shown = with_inclusion(loaded.messages().cloned(), message, inclusion);
        let mut covering = Vec::with_capacity(points.len());
        for point in points {
            let (id, summary) = (point.id, point.summary_message_id);
            let (path, covered) = match places.get(&point.boundary_message_id) {
                Some(end) => {
                    let after = |id| places.get(&id).map(|at| at + 1);
                    let Some(start) = point.after_message_id.map_or(Some(0), after) else {
                        continue;
                    };
                    let covered = start..end + 1;
                    if !place.is_some_and(|place| covered.contains(&place)) {
                        continue;
                    }
                    (Arc::clone(&shown), covered)
                }
                // The point is on another branch.
                None => {
                    let path = self
                        .store
                        .path_between(point.after_message_id, point.boundary_message_id)
                        .await?;
                    if !path.iter().any(|it| it.id == message) {
                        continue;
                    }
                    let covered = 0..path.len();
                    (with_inclusion(path.into_iter(), message, inclusion), covered)
                }
            };
            covering.push(CoveringPoint { point: id, summary, path, covered });
        }
        Ok(covering)
    }

    /// Finds the facts of points again that were found by older rules, because these may be wrong. Includes
    /// undone points, so that a redo brings no old facts back.
    pub(super) async fn refresh_outdated_facts(
        &self,
        loaded: &LoadedThread,
        counter: &Arc<TokenCounter>,
        threshold: u32,
    ) -> Result<()> {
        let thread = loaded.thread.id;
        let choosing = Arc::new(FactSelector::new(loaded, counter, threshold));
        let mut renewed = Vec::new();
        for outdated in self.store.outdated_facts(thread).await? {
            let OutdatedFacts { point, starts_after, boundary, summary } = outdated;
            let facts = match self.store.path_between(starts_after, boundary).await {
                Ok(originals) => {
                    let choosing = Arc::clone(&choosing);
                    run_blocking("finding facts", move || choosing.select(&originals, &summary))
                        .await?
                }
                // The covered messages of an undone point may be deleted; the point then carries no facts.
                Err(Error::NotFound { .. }) => String::new(),
                Err(error) => return Err(error),
            };
            renewed.push((point, facts));
        }
        self.store.renew_facts(thread, renewed, now()).await?;
        self.thread_cache.invalidate(thread);
        Ok(())
    }

    /// The context of the session that the message belongs to.
    async fn context_beside(&self, message: &Message) -> Result<TurnContext> {
        self.of(self.store.thread(message.thread_id).await?.session_id).await
    }
}

/// The path after the inclusion of one of its messages changes.
fn with_inclusion(
    path: impl Iterator<Item = Message>,
    wanted: MessageId,
    inclusion: Inclusion,
) -> Arc<[Message]> {
    let included = path.map(|message| match message.id == wanted {
        true => Message { inclusion, ..message },
        false => message,
    });
    included.collect()
}
