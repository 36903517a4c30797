//! A summary beside the messages that it covers, and the facts of these.

use std::collections::HashMap;

use skein_context::facts;
use skein_domain::compaction_point::CompactionPoint;
use skein_domain::error::{Error, Result};
use skein_domain::ids::{PointId, ThreadId};
use skein_platform::blocking::run_blocking;

use super::{CompactionService, positions};
use crate::view::{FactStatus, FactView, MessagePosition, SummaryComparison};

impl CompactionService {
    /// A summary beside the messages that it covers.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the thread has no such point.
    pub async fn compare(&self, point: PointId, thread: ThreadId) -> Result<SummaryComparison> {
        let points = self.store.points(thread).await?;
        let point = points.into_iter().find(|it| it.id == point);
        let point = point.ok_or_else(|| Error::NotFound { what: "compaction".into() })?;
        let originals =
            self.store.path_between(point.after_message_id, point.boundary_message_id).await?;
        let before = match point.after_message_id {
            Some(after) => self.store.ancestor_ids(after).await?.len(),
            None => 0,
        };
        let summary = self.store.message(point.summary_message_id).await?.text();
        let covered: Vec<_> = positions(&originals, before).collect();
        let extract = move || facts::extract(&facts::sources(&originals));
        let facts = run_blocking("finding facts", extract).await?;
        Ok(SummaryComparison {
            anchors: fact_views(facts, &covered, &summary, &point),
            covered,
            summary,
            point,
        })
    }
}

/// The facts of the originals, sorted by their status; those that are carried come first.
fn fact_views(
    facts: Vec<facts::Fact>,
    covered: &[MessagePosition],
    summary: &str,
    point: &CompactionPoint,
) -> Vec<FactView> {
    let places: HashMap<_, _> = covered.iter().map(|it| (it.message_id, it.number)).collect();
    let view = |fact: facts::Fact| FactView {
        message_id: fact.message,
        number: places.get(&fact.message).copied(),
        fate: match fact.replaced_by {
            _ if point.anchors.contains(&fact.text) => FactStatus::Carried,
            Some(_) => FactStatus::Replaced,
            None if fact.is_said_in(summary) => FactStatus::Said,
            None => FactStatus::LeftOut,
        },
        text: fact.text,
    };
    let mut views: Vec<_> = facts.into_iter().map(view).collect();
    views.sort_by_key(|line| line.fate);
    views
}
