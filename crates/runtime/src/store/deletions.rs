//! Table `deletions`: a message leaves its path and what hung on it closes the gap, so that nothing
//! is cut off; all of it can be undone until it is purged.

use rusqlite::{Connection, OptionalExtension, params};
use serde::{Deserialize, Serialize};
use skein_context::message::{Message, MessageId};
use specta::Type;

use super::fault::{Fault, not_found};
use super::row::Json;
use super::{Store, messages, path};
use crate::error::{Error, Result};

/// Key of a deletion, for undoing it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, Type)]
#[serde(transparent)]
pub struct DeletionId(pub i64);

/// What pointed at a deleted message.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Gap {
    children: Vec<i64>,
    leaf: bool,
    /// Where the path ends instead, if it ended with the message; `None`: with its parent.
    #[serde(default)]
    leaf_now: Option<i64>,
    boundaries: Vec<i64>,
}

/// Where a path leads that ended with a deleted message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// Through its newest alternative, where it has one.
    Alternative,
    /// To what was before it: where it ended before the message was added.
    Before,
}

impl Store {
    /// Deletes a message: what followed it follows what was before it, and the boundary of a
    /// compaction point re-anchors there. A point with nothing left to cover is undone. Where the path
    /// ended with it, it leads through its newest alternative, or ends with what was before it.
    ///
    /// # Errors
    /// `Invalid` for the summary of a compaction: that is undone instead.
    pub async fn delete_message(&self, id: MessageId, now: i64) -> Result<DeletionId> {
        self.write(move |tx| delete(tx, id, End::Alternative, now)).await
    }

    /// Takes the message back that was added last: the path ends where it ended before.
    pub async fn take_back_message(&self, id: MessageId, now: i64) -> Result<DeletionId> {
        self.write(move |tx| delete(tx, id, End::Before, now)).await
    }

    /// Puts a deleted message back in its place.
    pub async fn undo_deletion(&self, id: DeletionId) -> Result<Message> {
        self.write(move |tx| undo(tx, id)).await
    }
}

/// See [`Store::delete_message`].
pub(super) fn delete(
    connection: &Connection,
    id: MessageId,
    end: End,
    now: i64,
) -> Result<DeletionId, Fault> {
    let message = messages::get(connection, id)?;
    if message.is_summary() {
        return Err(Error::Invalid { detail: "a summary is undone, not deleted".into() }.into());
    }
    let parent = message.parent_id.map(|parent| parent.0);
    let leaf = messages::leaf(connection, message.thread_id)? == Some(id);
    let instead = match end {
        End::Alternative if leaf => path::other_end(connection, &message)?,
        End::Alternative | End::Before => None,
    };
    let gap = Gap {
        children: numbers(connection, "SELECT id FROM messages WHERE parent_id = ?1", id)?,
        leaf,
        leaf_now: instead.map(|end| end.0),
        boundaries: numbers(connection, "SELECT id FROM points WHERE boundary_id = ?1", id)?,
    };
    connection.execute("UPDATE messages SET deleted_at = ?2 WHERE id = ?1", params![id.0, now])?;
    connection.execute(
        "UPDATE messages SET parent_id = ?2 WHERE parent_id = ?1",
        params![id.0, parent],
    )?;
    if gap.leaf {
        messages::set_leaf(connection, message.thread_id, instead.or(message.parent_id))?;
    }
    match parent {
        Some(parent) => connection.execute(
            "UPDATE points SET boundary_id = ?2 WHERE boundary_id = ?1",
            params![id.0, parent],
        )?,
        None => {
            for point in &gap.boundaries {
                super::points::undo(connection, *point, now)?;
            }
            gap.boundaries.len()
        }
    };
    connection.execute(
        "INSERT INTO deletions (thread_id, message_id, undo, deleted_at) VALUES (?1, ?2, ?3, ?4)",
        params![message.thread_id.0, id.0, Json(gap), now],
    )?;
    Ok(DeletionId(connection.last_insert_rowid()))
}

fn undo(connection: &Connection, id: DeletionId) -> Result<Message, Fault> {
    let message = connection
        .prepare_cached("SELECT message_id FROM deletions WHERE id = ?1")?
        .query_row([id.0], |row| row.get(0).map(MessageId))
        .optional()?
        .ok_or_else(|| not_found("deletion"))?;
    let gap = gap_of(connection, message.0)?.unwrap_or_default();
    connection.execute("UPDATE messages SET deleted_at = NULL WHERE id = ?1", [message.0])?;
    connection.execute("DELETE FROM deletions WHERE id = ?1", [id.0])?;
    let message = messages::get(connection, message)?;
    take_back(connection, &message, gap)?;
    messages::get(connection, message.id)
}

/// What pointed at the message and points at what was before it by now, points at the message again;
/// and so does, as long as they are away, what pointed at those behind it.
fn take_back(connection: &Connection, message: &Message, gap: Gap) -> Result<(), Fault> {
    let (id, before) = (message.id.0, message.parent_id.map(|parent| parent.0));
    for child in gap.children {
        connection.execute(
            "UPDATE messages SET parent_id = ?1 WHERE id = ?2 AND parent_id IS ?3",
            params![id, child, before],
        )?;
        if let Some(gap) = gap_of(connection, child)? {
            take_back(connection, message, gap)?;
        }
    }
    if gap.leaf {
        connection.execute(
            "UPDATE threads SET leaf_id = ?1 WHERE id = ?2 AND leaf_id IS coalesce(?3, ?4)",
            params![id, message.thread_id.0, gap.leaf_now, before],
        )?;
    }
    for point in gap.boundaries {
        if before.is_none() {
            super::points::redo(connection, point)?;
        }
        connection.execute(
            "UPDATE points SET boundary_id = ?1 WHERE id = ?2 AND boundary_id IN (?1, ?3)",
            params![id, point, before],
        )?;
    }
    Ok(())
}

/// What pointed at a message that is deleted.
fn gap_of(connection: &Connection, message: i64) -> rusqlite::Result<Option<Gap>> {
    let gap = connection
        .prepare_cached(
            "SELECT undo FROM deletions WHERE message_id = ?1 ORDER BY id DESC LIMIT 1",
        )?
        .query_row([message], |row| row.get(0))
        .optional()?;
    Ok(gap.map(|Json(gap)| gap))
}

fn numbers(connection: &Connection, sql: &str, id: MessageId) -> rusqlite::Result<Vec<i64>> {
    connection.prepare_cached(sql)?.query_map([id.0], |row| row.get(0))?.collect()
}
