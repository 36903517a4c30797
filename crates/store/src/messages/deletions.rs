//! Table `deletions`: deleting a message closes the gap between its neighbours, so that no branch
//! is cut off. A deletion can be undone until it is purged.

use rusqlite::{Connection, params};
use serde::{Deserialize, Serialize};
use skein_context::window::rounds::Rounds;
use skein_domain::error::{Error, Result};
use skein_domain::ids::{MessageId, SessionId, ThreadId};
use skein_domain::message::Message;
use specta::Type;

use super::{branch_path, message_previews, message_rows, point_rows};
use crate::db::error::{StoreError, not_found};
use crate::db::sql_types::{JsonColumn, get_json};
use crate::db::statements::{execute, query_all, query_first};
use crate::db::store::Store;
use crate::sessions::purge::DELETION_LIFETIME;
use crate::sessions::session_names::name;
use crate::sessions::thread_rows;

/// The id of a deletion, for undoing it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, Type)]
#[serde(transparent)]
pub struct DeletionId(pub i64);

/// All references to a deleted message: enough to undo the deletion and to redo it.
#[derive(Debug, Default, Serialize, Deserialize)]
struct DeletionGap {
    children: Vec<i64>,
    leaf: bool,
    /// The end of the path after the deletion, if the path ended with the message; `None`: the
    /// message's parent.
    #[serde(default)]
    leaf_now: Option<i64>,
    boundaries: Vec<i64>,
    /// The points that cover the messages after it, undone ones included.
    #[serde(default)]
    before: Vec<i64>,
    /// The points of `boundaries` that covered only the message, and were undone with it.
    #[serde(default)]
    emptied: Vec<i64>,
    /// True if the compaction point at the message was undone with it.
    #[serde(default)]
    undone: bool,
    /// The `undone_at` of the points that were undone with the message; `None`: the time of the deletion.
    #[serde(default)]
    undone_at: Option<i64>,
    #[serde(default)]
    end: PathEnd,
}

/// The new end of a path that ended with a deleted message.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) enum PathEnd {
    /// The newest sibling, if there is one.
    #[default]
    Alternative,
    /// The end before the message was added.
    Before,
}

/// A deleted message that can be restored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct DeletedMessage {
    /// The id to undo the deletion.
    pub deletion: DeletionId,
    /// The first line of its text, or the name of its first attachment; empty if it has neither.
    pub words: String,
    /// The session it was in.
    pub session: SessionId,
    /// The name of that session; `None`: it has none.
    pub title: Option<String>,
    /// Milliseconds since the epoch.
    pub deleted_at: i64,
    /// Milliseconds since the epoch; the first start after it deletes the message permanently.
    pub kept_until: i64,
}

/// A deletion that can be undone.
struct Deletion {
    id: DeletionId,
    message: MessageId,
    gap: DeletionGap,
    at: i64,
}

impl Store {
    /// Deletes a message: its children follow its parent, and a compaction point that begins after it
    /// or ends with it moves to the parent. The point is undone if nothing is left to cover, if its
    /// boundary has siblings, because it would then cover their parent, too, or if the branch then
    /// ends within a round, because no point covers the current round (law 6). A path that ended with
    /// the message continues with its newest sibling, or ends with its parent.
    ///
    /// # Errors
    /// `Invalid` for a summary: the compaction must be undone instead.
    pub async fn delete_message(&self, id: MessageId, now: i64) -> Result<DeletionId> {
        self.write(move |tx| delete(tx, id, PathEnd::Alternative, None, now)).await
    }

    /// Removes the message added last; the path ends with `leaf`, where it ended before.
    pub async fn retract_message(
        &self,
        id: MessageId,
        leaf: Option<MessageId>,
        now: i64,
    ) -> Result<DeletionId> {
        self.write(move |tx| delete(tx, id, PathEnd::Before, leaf, now)).await
    }

    /// The messages deleted by the user that can be restored, latest first, at most `limit`. Those
    /// of deleted sessions are restored with their session.
    pub async fn deleted_messages(&self, limit: u32) -> Result<Vec<DeletedMessage>> {
        self.read(move |tx| {
            let sql = "SELECT deletions.id, deletions.message_id, deletions.deleted_at,
                              sessions.id AS session_id, sessions.title
                       FROM deletions JOIN messages ON messages.id = deletions.message_id
                         JOIN threads ON threads.id = messages.thread_id
                         JOIN sessions ON sessions.id = threads.session_id
                       WHERE coalesce(deletions.undo ->> 'end', 'alternative') = 'alternative'
                         AND threads.deleted_at IS NULL AND sessions.deleted_at IS NULL
                       ORDER BY deletions.id DESC LIMIT ?1";
            Ok(query_all(tx, sql, [limit], |row| {
                let session = SessionId(row.get("session_id")?);
                let deleted_at: i64 = row.get("deleted_at")?;
                Ok(DeletedMessage {
                    deletion: DeletionId(row.get("id")?),
                    words: message_previews::stored_first_line(
                        tx,
                        MessageId(row.get("message_id")?),
                    )?,
                    session,
                    title: name(tx, session, row.get("title")?)?,
                    deleted_at,
                    kept_until: deleted_at + DELETION_LIFETIME,
                })
            })?)
        })
        .await
    }

    pub async fn thread_of_deletion(&self, id: DeletionId) -> Result<ThreadId> {
        self.read(move |tx| {
            let sql = "SELECT messages.thread_id
                       FROM deletions JOIN messages ON messages.id = message_id
                       WHERE deletions.id = ?1";
            let found = query_first(tx, sql, [id.0], |row| row.get(0).map(ThreadId))?;
            found.ok_or_else(|| not_found("deletion"))
        })
        .await
    }

    /// Restores a deleted message. The result is the same as if it had never been deleted.
    pub async fn undo_deletion(&self, id: DeletionId) -> Result<Message> {
        self.write(move |tx| undo(tx, id)).await
    }
}

/// Deletes a message, see [`Store::delete_message`] and [`Removal`].
pub(crate) fn delete(
    tx: &Connection,
    id: MessageId,
    end: PathEnd,
    before: Option<MessageId>,
    now: i64,
) -> Result<DeletionId, StoreError> {
    let message = message_rows::get(tx, id)?;
    if message.is_summary() {
        return Err(Error::Invalid { detail: "a summary is undone, not deleted".into() }.into());
    }
    let undone_at = point_rows::next_undone_at(tx, message.thread_id, now)?;
    let gap = remove_from_path(tx, &message, Removal { end, before, at: now, undone_at })?;
    let sql =
        "INSERT INTO deletions (thread_id, message_id, undo, deleted_at) VALUES (?1, ?2, ?3, ?4)";
    tx.execute(sql, params![message.thread_id.0, id.0, JsonColumn(gap), now])?;
    Ok(DeletionId(tx.last_insert_rowid()))
}

/// The state of the path from which a message is removed.
struct Removal {
    end: PathEnd,
    /// The end of the path before the message was added, if that is not its parent.
    before: Option<MessageId>,
    at: i64,
    /// The `undone_at` of points that are undone with the message.
    undone_at: i64,
}

/// Removes a message from its path and closes the gap.
fn remove_from_path(
    tx: &Connection,
    message: &Message,
    Removal { end, before, at, undone_at }: Removal,
) -> Result<DeletionGap, StoreError> {
    let (id, parent) = (message.id, message.parent_id.map(|parent| parent.0));
    let leaf = thread_rows::leaf(tx, message.thread_id)? == Some(id);
    let instead = match end {
        PathEnd::Alternative if leaf => branch_path::alternative_leaf(tx, message)?,
        PathEnd::Before if leaf => {
            before.filter(|before| message_rows::get_without_parts(tx, *before).is_ok())
        }
        PathEnd::Alternative | PathEnd::Before => None,
    };
    let gap = DeletionGap {
        children: numbers(tx, "SELECT id FROM messages WHERE parent_id = ?1", id)?,
        leaf,
        leaf_now: instead.map(|end| end.0),
        boundaries: numbers(tx, "SELECT id FROM points WHERE boundary_id = ?1", id)?,
        before: numbers(
            tx,
            "SELECT id FROM points WHERE after_id = ?1
             UNION ALL SELECT id FROM undone_points WHERE after_id = ?1",
            id,
        )?,
        emptied: query_all(
            tx,
            "SELECT id FROM points WHERE boundary_id = ?1 AND after_id = ?2",
            params![id.0, parent],
            |row| row.get(0),
        )?,
        undone: parent.is_none() || has_siblings(tx, message)? || leaves_open_round(tx, message)?,
        undone_at: Some(undone_at),
        end,
    };
    tx.execute("UPDATE messages SET deleted_at = ?2 WHERE id = ?1", params![id.0, at])?;
    let sql = "UPDATE messages SET parent_id = ?2 WHERE parent_id = ?1";
    tx.execute(sql, params![id.0, parent])?;
    if gap.leaf {
        thread_rows::set_leaf(tx, message.thread_id, instead.or(message.parent_id))?;
    }
    let undone = if gap.undone { &gap.boundaries } else { &gap.emptied };
    for point in undone {
        point_rows::undo(tx, *point, at, undone_at)?;
    }
    for (table, border) in
        [("points", "boundary_id"), ("points", "after_id"), ("undone_points", "after_id")]
    {
        let sql = format!("UPDATE {table} SET {border} = ?2 WHERE {border} = ?1");
        tx.execute(&sql, params![id.0, parent])?;
    }
    Ok(gap)
}

/// True if a message has siblings: its parent belongs to another branch, too.
fn has_siblings(tx: &Connection, message: &Message) -> rusqlite::Result<bool> {
    let siblings = branch_path::children(tx, message.thread_id, message.parent_id)?;
    Ok(siblings.into_iter().any(|id| id != message.id))
}

/// True if the branch of a message ends without it, and within a round: with the user's message, or
/// with tool calls.
fn leaves_open_round(tx: &Connection, message: &Message) -> Result<bool, StoreError> {
    let Some(parent) = message.parent_id else { return Ok(false) };
    if !branch_path::children(tx, message.thread_id, Some(message.id))?.is_empty() {
        return Ok(false);
    }
    let parent = message_rows::get(tx, parent)?;
    Ok(Rounds::of([&parent]).complete_count() == 0)
}

/// Puts a message back into its gap. References move back to it, unless the user has moved them
/// elsewhere since.
fn restore_into_gap(tx: &Connection, id: MessageId, gap: &DeletionGap) -> Result<(), StoreError> {
    tx.execute("UPDATE messages SET deleted_at = NULL WHERE id = ?1", [id.0])?;
    let message = message_rows::get(tx, id)?;
    let (thread, before) = (message.thread_id.0, message.parent_id.map(|parent| parent.0));
    for child in &gap.children {
        let sql = "UPDATE messages SET parent_id = ?1
                   WHERE id = ?2 AND parent_id IS ?3 AND thread_id = ?4";
        tx.execute(sql, params![id.0, child, before, thread])?;
    }
    if gap.leaf {
        let sql = "UPDATE threads SET leaf_id = ?1 WHERE id = ?2 AND leaf_id IS coalesce(?3, ?4)";
        tx.execute(sql, params![id.0, thread, gap.leaf_now, before])?;
    }
    for point in &gap.boundaries {
        if before.is_none() || gap.undone || gap.emptied.contains(point) {
            point_rows::redo(tx, *point)?;
        }
        let sql = "UPDATE points SET boundary_id = ?1 WHERE id = ?2 AND boundary_id IS ?3";
        tx.execute(sql, params![id.0, point, before])?;
    }
    for (point, table) in gap.before.iter().flat_map(|it| [(it, "points"), (it, "undone_points")]) {
        let sql = format!("UPDATE {table} SET after_id = ?1 WHERE id = ?2 AND after_id IS ?3");
        tx.execute(&sql, params![id.0, point, before])?;
    }
    Ok(())
}

/// Undoes a deletion. A gap is only known as it was when the message was deleted, so later
/// deletions are undone first and then redone. The order of undoing therefore does not matter.
fn undo(tx: &Connection, id: DeletionId) -> Result<Message, StoreError> {
    let latest_first = later_deletions(tx, id)?;
    let (undone, later) = latest_first.split_last().ok_or_else(|| not_found("deletion"))?;
    for deletion in &latest_first {
        restore_into_gap(tx, deletion.message, &deletion.gap)?;
    }
    tx.execute("DELETE FROM deletions WHERE id = ?1", [id.0])?;
    for deletion in later.iter().rev() {
        let message = message_rows::get(tx, deletion.message)?;
        let removal = Removal {
            end: deletion.gap.end,
            before: deletion.gap.leaf_now.map(MessageId),
            at: deletion.at,
            undone_at: deletion.gap.undone_at.unwrap_or(deletion.at),
        };
        let gap = remove_from_path(tx, &message, removal)?;
        let sql = "UPDATE deletions SET undo = ?2 WHERE id = ?1";
        execute(tx, sql, params![deletion.id.0, JsonColumn(gap)])?;
    }
    message_rows::get(tx, undone.message)
}

/// A deletion and the later ones in the present thread of its message, latest first.
fn later_deletions(tx: &Connection, id: DeletionId) -> rusqlite::Result<Vec<Deletion>> {
    let sql = "SELECT deletions.id, message_id, undo, deletions.deleted_at
               FROM deletions JOIN messages ON messages.id = message_id
               WHERE deletions.id >= ?1
                 AND messages.thread_id = (SELECT messages.thread_id
                                           FROM deletions JOIN messages ON messages.id = message_id
                                           WHERE deletions.id = ?1)
               ORDER BY deletions.id DESC";
    query_all(tx, sql, [id.0], |row| {
        Ok(Deletion {
            id: DeletionId(row.get("id")?),
            message: MessageId(row.get("message_id")?),
            gap: get_json(row, "undo")?,
            at: row.get("deleted_at")?,
        })
    })
}

fn numbers(tx: &Connection, sql: &str, id: MessageId) -> rusqlite::Result<Vec<i64>> {
    query_all(tx, sql, [id.0], |row| row.get(0))
}
