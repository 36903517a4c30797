//! Compactions: adding a point with its summary, undoing the latest one and redoing it.
//!
//! A point and its summary appear and disappear together.

use rusqlite::Connection;
use skein_context::compaction::{self, fingerprint};
use skein_context::facts::RULES;
use skein_context::window::applied_points::{PointSpan, applied_points, points_on_path};
use skein_domain::compaction_point::{CompactionPoint, CompactionTrigger, SummaryWriter};
use skein_domain::encrypted_summary::EncryptedSummary;
use skein_domain::error::{CompactionFailure, Error, Result};
use skein_domain::ids::{MessageId, PointId, ThreadId};
use skein_domain::message::{ContentPart, MessageKind, MessageState, Origin, Role};
use skein_domain::model::ModelRef;

use super::branch_path::{newest_leaf, path_ids_between, path_ids_to};
use super::message_rows::{self, MessageParent, NewMessage};
use super::{encrypted_summaries, point_rows};
use crate::content::{generations, parts};
use crate::db::error::StoreError;
use crate::db::statements::{query_all, query_first};
use crate::db::store::Store;
use crate::sessions::thread_rows;

#[derive(Debug, Clone, PartialEq)]
pub struct NewCompaction {
    pub thread: ThreadId,
    pub summary: String,
    /// The last message before the covered ones; `None`: the path is covered from its first message on.
    pub starts_after: Option<MessageId>,
    /// The last covered message.
    pub boundary: MessageId,
    /// The end of the path that the summary was made for.
    pub end: MessageParent,
    /// Estimated tokens of the window before.
    pub before: u32,
    /// Estimated tokens of the window after.
    pub after: u32,
    /// The number of covered messages.
    pub covered: u32,
    /// The fingerprint of everything it covers when the summary was made.
    pub fingerprint: String,
    /// Covered messages that the summary does not contain because they were pinned.
    pub unread: Vec<MessageId>,
    /// The newest point that applied before; `None` if there was none.
    pub replaces: Option<PointVersion>,
    /// The point whose summary went into this one; `None` if it was made of original messages
    /// alone.
    pub builds_on: Option<PointVersion>,
    /// Facts of the covered messages, to be sent beside the summary.
    pub facts: String,
    /// The items that the provider's own compaction gave for the covered messages; `None`: it gave none.
    pub encrypted: Option<EncryptedSummary>,
    pub trigger: CompactionTrigger,
    pub writer: SummaryWriter,
    /// The model that wrote the summary; `None` if it was extracted without a model.
    pub model: Option<ModelRef>,
    /// In milliseconds since the epoch.
    pub created_at: i64,
}

/// The version of a point when a compaction began. If the user has undone it or edited its summary
/// since, the compaction must not override that.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PointVersion {
    pub point: PointId,
    /// The fingerprint of its summary.
    pub summary: String,
}

impl Store {
    /// Applies a compaction: adds its summary beside the leaf, and its point. Undone points can no
    /// longer be redone.
    ///
    /// # Errors
    /// `NotCompacted { Changed }` if a covered message or the replaced point has changed.
    pub async fn add_point(&self, new: NewCompaction) -> Result<CompactionPoint> {
        self.write_durably(move |tx| add(tx, new)).await
    }

    /// Replaces the text of a summary and the facts of its point. Its encrypted summary is dropped.
    pub async fn edit_summary(
        &self,
        id: MessageId,
        text: String,
        facts: Option<(PointId, String)>,
    ) -> Result<()> {
        self.write_durably(move |tx| {
            parts::write(tx, id, &[ContentPart::Text { text }])?;
            message_rows::mark_changed(tx, id)?;
            encrypted_summaries::delete(tx, id)?;
            if let Some((point, facts)) = facts {
                point_rows::set_facts(tx, point, &facts)?;
            }
            Ok(generations::forget_reports(tx, id)?)
        })
        .await
    }

    /// Undoes a point that applies to a thread's path and returns it: `point`, or the newest. A usage report
    /// names only the newest point of its request, so that the reports are forgotten with another one.
    ///
    /// # Errors
    /// `NothingToUndo` if there is none.
    pub async fn undo_point(
        &self,
        thread: ThreadId,
        point: Option<PointId>,
        now: i64,
    ) -> Result<CompactionPoint> {
        self.write_durably(move |tx| {
            let leaf = thread_rows::leaf(tx, thread)?;
            let applied = points_that_apply(tx, thread, leaf)?;
            let newest = applied.iter().map(|it| it.id).max();
            let wanted = point.or(newest);
            let undone = applied.into_iter().find(|it| Some(it.id) == wanted);
            let undone = undone.ok_or(Error::NothingToUndo {})?;
            if newest != wanted {
                generations::forget_reports(tx, undone.summary_message_id)?;
            }
            let undone_at = point_rows::next_undone_at(tx, thread, now)?;
            point_rows::undo(tx, undone.id.0, now, undone_at)?;
            Ok(undone)
        })
        .await
    }

    /// Redoes the latest undone point of a thread's path whose covered messages are as they were.
    ///
    /// # Errors
    /// `NothingToRedo` if no point is undone, `NotCompacted { Changed }` if the covered messages of all
    /// have changed.
    pub async fn redo_point(&self, thread: ThreadId) -> Result<CompactionPoint> {
        self.write_durably(move |tx| {
            let latest = latest_undone(tx, thread)?.ok_or(Error::NothingToRedo {})?;
            require_unchanged(is_up_to_date(tx, &latest)?)?;
            point_rows::redo(tx, latest.id.0)?;
            let applied = points_that_apply(tx, thread, thread_rows::leaf(tx, thread)?)?;
            if applied.iter().map(|it| it.id).max() != Some(latest.id) {
                generations::forget_reports(tx, latest.summary_message_id)?;
            }
            Ok(latest)
        })
        .await
    }

    /// The point that [`Store::redo_point`] would redo.
    pub async fn undone_point(&self, thread: ThreadId) -> Result<Option<CompactionPoint>> {
        self.read(move |tx| latest_undone(tx, thread)).await
    }
}

/// The leaf beside which a summary belongs: that of the path, or, if the path has changed, of the
/// newest branch through the covered messages. A summary made for one branch stays with it,
/// whichever branch is shown.
fn leaf_for_summary(
    tx: &Connection,
    thread: ThreadId,
    boundary: MessageId,
    end: MessageParent,
) -> Result<Option<MessageId>, StoreError> {
    if let MessageParent::Under(Some(end)) = end
        && path_ids_to(tx, Some(end))?.contains(&boundary)
        && message_rows::get_without_parts(tx, end).is_ok()
    {
        return Ok(Some(end));
    }
    let leaf = thread_rows::leaf(tx, thread)?;
    if path_ids_to(tx, leaf)?.contains(&boundary) {
        return Ok(leaf);
    }
    Ok(Some(newest_leaf(tx, boundary)?))
}

fn add(tx: &Connection, new: NewCompaction) -> Result<CompactionPoint, StoreError> {
    let point = CompactionPoint {
        id: PointId(0),
        thread_id: new.thread,
        summary_message_id: MessageId(0),
        after_message_id: new.starts_after,
        boundary_message_id: new.boundary,
        before: new.before,
        after: new.after,
        covered: new.covered,
        fingerprint: new.fingerprint,
        unread: new.unread,
        anchors: new.facts,
        trigger: new.trigger,
        model: new.model.clone(),
        created_at: new.created_at,
    };
    require_unchanged(is_up_to_date(tx, &point)?)?;
    let end = leaf_for_summary(tx, new.thread, new.boundary, new.end)?;
    require_unchanged(newest_version(tx, new.thread, end)? == new.replaces)?;
    require_unchanged(new.builds_on.map_or(Ok(true), |it| is_version(tx, new.thread, &it))?)?;
    let summary = NewMessage {
        parent: MessageParent::Under(end),
        kind: MessageKind::Summary { writer: new.writer },
        role: Role::User,
        origin: if new.model.is_some() { Origin::Model } else { Origin::Runtime },
        parts: vec![ContentPart::Text { text: new.summary }],
        state: MessageState::Complete {},
        model: new.model,
        created_at: new.created_at,
    };
    let summary_message_id = message_rows::insert(tx, new.thread, summary)?.id;
    if let Some(encrypted) = &new.encrypted {
        encrypted_summaries::insert(tx, summary_message_id, encrypted)?;
    }
    tx.execute("DELETE FROM undone_points WHERE thread_id = ?1", [new.thread.0])?;
    Ok(point_rows::insert(tx, CompactionPoint { summary_message_id, ..point }, RULES)?)
}

fn require_unchanged(is_unchanged: bool) -> Result<(), StoreError> {
    let changed = || Error::NotCompacted { reason: CompactionFailure::Changed }.into();
    if is_unchanged { Ok(()) } else { Err(changed()) }
}

/// True if the messages that a point covers are as they were.
fn is_up_to_date(tx: &Connection, point: &CompactionPoint) -> Result<bool, StoreError> {
    let (after, boundary) = (point.after_message_id, point.boundary_message_id);
    let covered = message_rows::get_all(tx, path_ids_between(tx, after, boundary)?)?;
    Ok(compaction::is_up_to_date(&point.fingerprint, &point.unread, &covered))
}

/// The newest point that applies to the path to `end`.
fn newest_version(
    tx: &Connection,
    thread: ThreadId,
    end: Option<MessageId>,
) -> Result<Option<PointVersion>, StoreError> {
    let newest = points_that_apply(tx, thread, end)?.into_iter().max_by_key(|it| it.id);
    let Some(point) = newest else { return Ok(None) };
    let summary = fingerprint([&message_rows::get(tx, point.summary_message_id)?]);
    Ok(Some(PointVersion { point: point.id, summary }))
}

/// True if a point of the thread has the summary it had then.
fn is_version(
    tx: &Connection,
    thread: ThreadId,
    PointVersion { point, summary }: &PointVersion,
) -> Result<bool, StoreError> {
    let sql = "SELECT summary_id FROM points WHERE id = ?1 AND thread_id = ?2";
    let message = query_first(tx, sql, [point.0, thread.0], message_rows::message_id)?;
    let message = message.map(|id| message_rows::get(tx, id)).transpose()?;
    Ok(message.is_some_and(|message| fingerprint([&message]) == *summary))
}

/// The points that the window of the path to `end` is assembled with.
fn points_that_apply(
    tx: &Connection,
    thread: ThreadId,
    end: Option<MessageId>,
) -> Result<Vec<CompactionPoint>, StoreError> {
    let sql = "SELECT * FROM points WHERE thread_id = ?1";
    let points: Vec<CompactionPoint> = query_all(tx, sql, [thread.0], point_rows::point)?;
    let applied = applied_points(&points, path_ids_to(tx, end)?);
    Ok(applied.into_iter().map(|span| span.point.clone()).collect())
}

/// The point to redo: the latest undone one whose covered messages are as they were, or, if all have
/// changed, the latest. Points of an older version that were undone within one millisecond were undone from
/// the latest backwards.
fn latest_undone(tx: &Connection, thread: ThreadId) -> Result<Option<CompactionPoint>, StoreError> {
    let sql = "SELECT * FROM undone_points WHERE thread_id = ?1 ORDER BY undone_at DESC, id";
    let undone: Vec<CompactionPoint> = query_all(tx, sql, [thread.0], point_rows::point)?;
    if undone.is_empty() {
        return Ok(None);
    }
    let path = path_ids_to(tx, thread_rows::leaf(tx, thread)?)?;
    let on_path = points_on_path(&undone, path);
    for PointSpan { point, .. } in &on_path {
        if is_up_to_date(tx, point)? {
            return Ok(Some(CompactionPoint::clone(point)));
        }
    }
    Ok(on_path.first().map(|span| span.point.clone()))
}
