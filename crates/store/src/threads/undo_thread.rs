//! Undoes the step to a new thread. Carried messages return, unless they were answered meanwhile.

use std::collections::HashSet;

use rusqlite::{Connection, params};
use skein_context::compaction::remediation::is_answer;
use skein_domain::error::{Error, Result};
use skein_domain::ids::{MessageId, ThreadId};
use skein_domain::message::{Origin, Role};
use skein_domain::session::Thread;

use super::move_messages::{MoveReason, move_messages};
use crate::db::error::{StoreError, not_found};
use crate::db::sql_types::EnumColumn;
use crate::db::statements::{query_all, query_first};
use crate::db::store::Store;
use crate::messages::branch_path;
use crate::messages::message_rows::{self, MessageParent};
use crate::sessions::{reminders, thread_rows};

impl Store {
    /// Undoes [`Store::begin_thread`]: the previous thread becomes current again. Carried messages
    /// without a reply go back with it, and the handoff is deleted. If more was written in the new
    /// thread, it stays readable, ended. If an earlier reply was carried along, everything after it
    /// goes back, too: the conversation before and after it stays one, and newer messages become an
    /// alternative branch.
    pub async fn undo_thread(&self, id: ThreadId, now: i64) -> Result<Thread> {
        self.write_durably(move |tx| undo(tx, id, now)).await
    }

    /// True if a thread has no messages on any branch, except notices.
    pub async fn thread_is_empty(&self, thread: ThreadId) -> Result<bool> {
        let sql = "SELECT 1 FROM messages
                   WHERE thread_id = ?1 AND deleted_at IS NULL AND kind ->> 'type' <> 'notice'";
        Ok(self.read_row(sql, [thread.0], |_| Ok(())).await?.is_none())
    }
}

fn undo(tx: &Connection, id: ThreadId, now: i64) -> Result<Thread, StoreError> {
    let ending = thread_rows::get(tx, id)?;
    if ending.ended_at.is_some() {
        return Err(Error::Invalid { detail: "only the current thread is undone".into() }.into());
    }
    // Not always the preceding number: a resumed thread begins the next one when it ends.
    let sql = "SELECT * FROM threads WHERE session_id = ?1 AND number < ?2 AND deleted_at IS NULL
               ORDER BY ended_at = ?3 DESC, ended_at DESC, number DESC LIMIT 1";
    let before = query_first(
        tx,
        sql,
        params![ending.session_id.0, ending.number, ending.created_at],
        thread_rows::thread,
    )?
    .ok_or_else(|| not_found("thread before"))?;
    thread_rows::end(tx, id, now)?;
    let sql = "UPDATE threads
               SET ended_at = NULL, ended_leaf_id = NULL,
                   leaf_id = coalesce((SELECT id FROM messages
                                       WHERE id = ended_leaf_id AND deleted_at IS NULL), leaf_id)
               WHERE id = ?1";
    tx.execute(sql, [before.id.0])?;
    if let Some(returning) = returned_messages(tx, &ending)? {
        move_messages(tx, &returning, (id, MessageParent::Leaf), before.id, MoveReason::Undo)?;
        reminders::delete_handoff(tx, id, ending.session_id, ending.created_at)?;
        // A branch beside the returned messages may have messages of its own.
        if !has_user_message(tx, id)? {
            let sql = "UPDATE threads SET deleted_at = ?2 WHERE id = ?1";
            tx.execute(sql, params![id.0, now])?;
        }
    }
    thread_rows::get(tx, before.id)
}

/// The part of a thread's path that returns to the previous thread; `None` if the thread stays as
/// it is.
fn returned_messages(
    tx: &Connection,
    thread: &Thread,
) -> Result<Option<Vec<MessageId>>, StoreError> {
    let carried = carried(tx, thread.id)?;
    let mut path = branch_path::path_ids_to(tx, thread.leaf)?;
    let begin = path.iter().position(|id| carried.contains(id));
    if let Some(begin) = begin
        && is_answered(tx, thread.id, ReplyScope::Anew)?
    {
        // A summary here covers other messages than it would cover there.
        let whole = !has_points(tx, thread.id)?;
        return Ok(whole.then(|| path.split_off(begin)));
    }
    if has_user_message(tx, thread.id)? || is_answered(tx, thread.id, ReplyScope::Here)? {
        return Ok(None);
    }
    path.retain(|id| carried.contains(id));
    Ok(Some(path))
}

/// The replies of a thread that are searched.
#[derive(Clone, Copy)]
enum ReplyScope {
    /// Replies written in this thread.
    Here,
    /// Messages carried into this thread because another reply was requested in their place. Steps
    /// of a round carried in its middle do not count.
    Anew,
}

impl ReplyScope {
    fn sql(self) -> &'static str {
        match self {
            Self::Here => {
                "SELECT id FROM messages
                 WHERE thread_id = ?1 AND carried = 0 AND role = ?2 AND deleted_at IS NULL
                 ORDER BY id"
            }
            Self::Anew => {
                "SELECT id FROM messages AS former
                 WHERE thread_id = ?1 AND carried = 1 AND role = ?2 AND deleted_at IS NULL
                   AND EXISTS (SELECT 1 FROM messages AS other
                               WHERE other.parent_id = former.parent_id AND other.thread_id = ?1
                                 AND other.carried = 0 AND other.beside = 0 AND other.role = ?2
                                 AND other.deleted_at IS NULL)
                 ORDER BY id"
            }
        }
    }
}

/// True if such a reply answers a message.
fn is_answered(tx: &Connection, id: ThreadId, which: ReplyScope) -> Result<bool, StoreError> {
    let wanted = params![id.0, EnumColumn(Role::Assistant)];
    let replies: Vec<_> = query_all(tx, which.sql(), wanted, message_rows::message_id)?;
    Ok(message_rows::get_all(tx, replies)?.iter().any(is_answer))
}

/// True if a thread has compaction points.
fn has_points(tx: &Connection, id: ThreadId) -> rusqlite::Result<bool> {
    tx.prepare_cached("SELECT 1 FROM points WHERE thread_id = ?1")?.exists([id.0])
}

/// True if the user wrote anything in a thread, apart from the messages copied from the thread before.
fn has_user_message(tx: &Connection, id: ThreadId) -> rusqlite::Result<bool> {
    let sql = "SELECT 1 FROM messages
               WHERE thread_id = ?1 AND origin = ?2 AND carried = 0 AND deleted_at IS NULL";
    tx.prepare_cached(sql)?.exists(params![id.0, EnumColumn(Origin::Person)])
}

/// The messages carried into a thread, on any branch.
fn carried(tx: &Connection, id: ThreadId) -> rusqlite::Result<HashSet<MessageId>> {
    let sql = "SELECT id FROM messages WHERE thread_id = ?1 AND carried = 1";
    query_all(tx, sql, [id.0], message_rows::message_id)
}
