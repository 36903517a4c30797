//! Compactions: adding a point with its summary, undoing the latest one and redoing it.
//!
//! A point and its summary appear and disappear together.

use std::collections::HashMap;

use rusqlite::Connection;
use skein_context::compaction::{fingerprint, is_up_to_date};
use skein_context::facts::RULES;
use skein_domain::compaction_point::{CompactionPoint, CompactionTrigger};
use skein_domain::error::{CompactionFailure, Error, Result};
use skein_domain::ids::{MessageId, PointId, ThreadId};
use skein_domain::message::{ContentPart, MessageKind, MessageState, Origin, Role};
use skein_domain::model::ModelRef;

use super::message_rows::{self, MessageParent, NewMessage};
use super::{branch_path, point_rows};
use crate::content::{generations, parts};
use crate::db::error::StoreError;
use crate::db::statements::query_first;
use crate::db::store::Store;
use crate::sessions::thread_rows;

/// A compaction to apply.
#[derive(Debug, Clone, PartialEq)]
pub struct NewCompaction {
    pub thread: ThreadId,
    /// The text of the summary.
    pub summary: String,
    /// The last message it covers.
    pub boundary: MessageId,
    /// The end of the path that the summary was made for.
    pub end: MessageParent,
    /// Estimated tokens of the window before.
    pub before: u32,
    /// Estimated tokens of the window after.
    pub after: u32,
    /// The number of covered messages.
    pub covered: u32,
    /// The fingerprint of everything up to the boundary when the summary was made.
    pub fingerprint: String,
    /// Covered messages that the summary does not contain because they were pinned.
    pub unread: Vec<MessageId>,
    /// The point that applied before; `None` if there was none.
    pub replaces: Option<PointVersion>,
    /// The point whose summary went into this one; `None` if it was made of original messages
    /// alone.
    pub builds_on: Option<PointVersion>,
    /// Facts of the covered messages, to be sent beside the summary.
    pub anchors: String,
    /// The reason.
    pub trigger: CompactionTrigger,
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

    /// Replaces the text of a summary and the facts of its point.
    pub async fn edit_summary(
        &self,
        id: MessageId,
        text: String,
        facts: Option<(PointId, String)>,
    ) -> Result<()> {
        self.write_durably(move |tx| {
            parts::write(tx, id, &[ContentPart::Text { text }])?;
            message_rows::mark_changed(tx, id)?;
            if let Some((point, facts)) = facts {
                point_rows::set_facts(tx, point, &facts)?;
            }
            Ok(generations::forget_reports(tx, id)?)
        })
        .await
    }

    /// Undoes the point that applies to a thread's path and returns it.
    ///
    /// # Errors
    /// `NothingToUndo` if there is none.
    pub async fn undo_latest_point(&self, thread: ThreadId, now: i64) -> Result<CompactionPoint> {
        self.write_durably(move |tx| {
            let leaf = thread_rows::leaf(tx, thread)?;
            let latest = applicable_point(tx, thread, leaf)?.ok_or(Error::NothingToUndo {})?;
            point_rows::undo(tx, latest.id.0, now)?;
            Ok(latest)
        })
        .await
    }

    /// Redoes the latest undone point of a thread's path.
    ///
    /// # Errors
    /// `NothingToRedo` if there is none, `NotCompacted { Changed }` if the covered messages have
    /// changed.
    pub async fn redo_point(&self, thread: ThreadId) -> Result<CompactionPoint> {
        self.write_durably(move |tx| {
            let latest = latest_undone(tx, thread)?.ok_or(Error::NothingToRedo {})?;
            refuse_changed(tx, latest.boundary_message_id, &latest.fingerprint, &latest.unread)?;
            point_rows::redo(tx, latest.id.0)?;
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
    connection: &Connection,
    thread: ThreadId,
    boundary: MessageId,
    end: MessageParent,
) -> Result<Option<MessageId>, StoreError> {
    if let MessageParent::Under(Some(end)) = end
        && branch_path::path_ids_to(connection, Some(end))?.contains(&boundary)
        && message_rows::get_without_parts(connection, end).is_ok()
    {
        return Ok(Some(end));
    }
    let leaf = thread_rows::leaf(connection, thread)?;
    if branch_path::path_ids_to(connection, leaf)?.contains(&boundary) {
        return Ok(leaf);
    }
    Ok(Some(branch_path::newest_leaf(connection, boundary)?))
}

fn add(connection: &Connection, new: NewCompaction) -> Result<CompactionPoint, StoreError> {
    refuse_changed(connection, new.boundary, &new.fingerprint, &new.unread)?;
    let end = leaf_for_summary(connection, new.thread, new.boundary, new.end)?;
    refuse_replaced(connection, new.thread, end, new.replaces)?;
    require_unchanged(connection, new.thread, new.builds_on)?;
    let summary = NewMessage {
        parent: MessageParent::Under(end),
        kind: MessageKind::Summary {},
        role: Role::User,
        origin: if new.model.is_some() { Origin::Model } else { Origin::Runtime },
        parts: vec![ContentPart::Text { text: new.summary }],
        state: MessageState::Complete {},
        model: new.model.clone(),
        created_at: new.created_at,
    };
    let summary = message_rows::insert(connection, new.thread, summary)?.id;
    connection.execute("DELETE FROM undone_points WHERE thread_id = ?1", [new.thread.0])?;
    let point = CompactionPoint {
        id: PointId(0),
        thread_id: new.thread,
        summary_message_id: summary,
        boundary_message_id: new.boundary,
        before: new.before,
        after: new.after,
        covered: new.covered,
        fingerprint: new.fingerprint,
        unread: new.unread,
        anchors: new.anchors,
        trigger: new.trigger,
        model: new.model,
        created_at: new.created_at,
    };
    Ok(point_rows::insert(connection, point, RULES)?)
}

fn refuse_changed(
    connection: &Connection,
    boundary: MessageId,
    expected: &str,
    unread: &[MessageId],
) -> Result<(), StoreError> {
    let covered = branch_path::path_ids_to(connection, Some(boundary))?;
    let covered: Vec<_> = covered
        .into_iter()
        .map(|id| message_rows::get(connection, id))
        .collect::<Result<_, _>>()?;
    if is_up_to_date(expected, unread, &covered) {
        return Ok(());
    }
    Err(Error::NotCompacted { reason: CompactionFailure::Changed }.into())
}

fn refuse_replaced(
    connection: &Connection,
    thread: ThreadId,
    end: Option<MessageId>,
    expected: Option<PointVersion>,
) -> Result<(), StoreError> {
    let applying =
        applicable_point(connection, thread, end)?.map(|point| -> Result<_, StoreError> {
            let summary = message_rows::get(connection, point.summary_message_id)?;
            Ok(PointVersion { point: point.id, summary: fingerprint([&summary]) })
        });
    if applying.transpose()? == expected {
        return Ok(());
    }
    Err(Error::NotCompacted { reason: CompactionFailure::Changed }.into())
}

/// Fails if a message that went into a summary was changed or deleted meanwhile.
fn require_unchanged(
    connection: &Connection,
    thread: ThreadId,
    expected: Option<PointVersion>,
) -> Result<(), StoreError> {
    let Some(PointVersion { point, summary }) = expected else { return Ok(()) };
    let sql = "SELECT summary_id FROM points WHERE id = ?1 AND thread_id = ?2";
    let message =
        query_first(connection, sql, [point.0, thread.0], |row| row.get(0).map(MessageId))?;
    let message = message.map(|id| message_rows::get(connection, id)).transpose()?;
    if message.is_some_and(|message| fingerprint([&message]) == summary) {
        return Ok(());
    }
    Err(Error::NotCompacted { reason: CompactionFailure::Changed }.into())
}

/// The point that covers most of the path to `end`, the newest among equals: the one that the
/// window is assembled with.
fn applicable_point(
    connection: &Connection,
    thread: ThreadId,
    end: Option<MessageId>,
) -> Result<Option<CompactionPoint>, StoreError> {
    let on_path = on_path(connection, thread, end, "SELECT * FROM points WHERE thread_id = ?1")?;
    let latest = on_path.into_iter().max_by_key(|(boundary, point)| (*boundary, point.id));
    Ok(latest.map(|(_, point)| point))
}

/// Points are undone from the latest backwards, possibly within one millisecond.
fn latest_undone(
    connection: &Connection,
    thread: ThreadId,
) -> Result<Option<CompactionPoint>, StoreError> {
    let sql = "SELECT * FROM undone_points WHERE thread_id = ?1 ORDER BY undone_at DESC, id";
    let leaf = thread_rows::leaf(connection, thread)?;
    Ok(on_path(connection, thread, leaf, sql)?.into_iter().map(|(_, point)| point).next())
}

/// Points of the query `sql` whose boundary lies on the path to `end`, each with its index on that
/// path.
fn on_path(
    connection: &Connection,
    thread: ThreadId,
    end: Option<MessageId>,
    sql: &str,
) -> Result<Vec<(usize, CompactionPoint)>, StoreError> {
    let path = branch_path::path_ids_to(connection, end)?;
    let places: HashMap<_, _> = path.into_iter().zip(0_usize..).collect();
    let mut statement = connection.prepare_cached(sql)?;
    let mut found = Vec::new();
    for candidate in statement.query_map([thread.0], point_rows::point)? {
        let candidate = candidate?;
        let place = places.get(&candidate.boundary_message_id);
        found.extend(place.map(|place| (*place, candidate)));
    }
    Ok(found)
}
