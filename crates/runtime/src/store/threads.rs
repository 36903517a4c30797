//! Table `threads`: a session's stretches, and the one step from one to the next.

use rusqlite::{Connection, OptionalExtension, Row, params};
use serde::Serialize;
use serde::de::DeserializeOwned;
use skein_context::message::{MessageId, Origin};
use skein_context::session::{Beginning, SessionId, Thread, ThreadId};

use super::Store;
use super::fault::{Fault, not_found};
use super::messages::{self, NewMessage, Parent};
use super::row::Json;
use crate::error::{Error, Result};

/// A thread that takes the place of a session's current one.
#[derive(Debug, Clone, PartialEq)]
pub struct NewThread {
    /// Of which session.
    pub session: SessionId,
    /// Why.
    pub beginning: Beginning,
    /// Its first message, said by the program.
    pub notice: Option<NewMessage>,
    /// P07, D15: the leaf of the thread before, which moves here to be answered.
    pub carried: Option<MessageId>,
    /// Milliseconds since the epoch.
    pub at: i64,
}

impl Store {
    /// The threads of a session, the current one first, then the latest first.
    pub async fn threads(&self, session: SessionId) -> Result<Vec<Thread>> {
        self.read(move |tx| {
            let mut statement = tx.prepare_cached(
                "SELECT * FROM threads WHERE session_id = ?1 AND deleted_at IS NULL
                 ORDER BY ended_at IS NOT NULL, number DESC",
            )?;
            let found =
                statement.query_map([session.0], thread)?.collect::<rusqlite::Result<_>>()?;
            Ok(found)
        })
        .await
    }

    /// One thread.
    pub async fn thread(&self, id: ThreadId) -> Result<Thread> {
        self.read(move |tx| get(tx, id)).await
    }

    /// Ends a session's current thread and begins the next: thread, notice and carried message in
    /// one transaction that is on the disk when this returns.
    pub async fn begin_thread(&self, new: NewThread) -> Result<Thread> {
        self.write_surely(move |tx| begin(tx, new)).await
    }

    /// Undoes [`Store::begin_thread`]: the thread before is current again. A carried message nobody
    /// has answered goes back with it; a thread in which more was said stays readable, ended.
    pub async fn undo_thread(&self, id: ThreadId, now: i64) -> Result<Thread> {
        self.write_surely(move |tx| undo(tx, id, now)).await
    }

    /// The state of caution and critical in a thread; `None` where there is none.
    pub async fn remediation<T>(&self, thread: ThreadId) -> Result<Option<T>>
    where
        T: DeserializeOwned + Send + 'static,
    {
        self.read(move |tx| {
            let state: Option<Option<Json<T>>> = tx
                .prepare_cached("SELECT remediation FROM threads WHERE id = ?1")?
                .query_row([thread.0], |row| row.get(0))
                .optional()?;
            Ok(state.flatten().map(|Json(state)| state))
        })
        .await
    }

    /// Keeps the state of caution and critical in a thread.
    pub async fn set_remediation<T>(&self, thread: ThreadId, state: Option<T>) -> Result<()>
    where
        T: Serialize + Send + 'static,
    {
        self.write(move |tx| {
            tx.prepare_cached("UPDATE threads SET remediation = ?2 WHERE id = ?1")?
                .execute(params![thread.0, state.map(Json)])?;
            Ok(())
        })
        .await
    }
}

/// One thread.
pub(super) fn get(connection: &Connection, id: ThreadId) -> Result<Thread, Fault> {
    let found = connection
        .prepare_cached("SELECT * FROM threads WHERE id = ?1 AND deleted_at IS NULL")?
        .query_row([id.0], thread)
        .optional()?;
    found.ok_or_else(|| not_found("thread"))
}

fn begin(connection: &Connection, new: NewThread) -> Result<Thread, Fault> {
    let before = super::sessions::get(connection, new.session)?.current_thread;
    connection
        .execute("UPDATE threads SET ended_at = ?2 WHERE id = ?1", params![before.0, new.at])?;
    connection.execute(
        "INSERT INTO threads (session_id, number, beginning, carried_id, created_at)
         VALUES (?1, (SELECT max(number) + 1 FROM threads WHERE session_id = ?1), ?2, ?3, ?4)",
        params![new.session.0, Json(&new.beginning), new.carried.map(|message| message.0), new.at],
    )?;
    let id = ThreadId(connection.last_insert_rowid());
    if let Some(notice) = new.notice {
        messages::insert(connection, id, NewMessage { parent: Parent::Leaf, ..notice })?;
    }
    if let Some(carried) = new.carried {
        carry(connection, carried, before, id)?;
    }
    get(connection, id)
}

/// Moves the leaf of one thread to the end of another.
fn carry(
    connection: &Connection,
    message: MessageId,
    from: ThreadId,
    to: ThreadId,
) -> Result<(), Fault> {
    if messages::leaf(connection, from)? != Some(message) {
        return Err(Error::Invalid { detail: "only a leaf can be carried over".into() }.into());
    }
    let parent = messages::get(connection, message)?.parent_id;
    messages::set_leaf(connection, from, parent)?;
    connection.execute(
        "UPDATE messages
         SET thread_id = ?2, parent_id = (SELECT leaf_id FROM threads WHERE id = ?2),
             number = (SELECT coalesce(max(number), 0) + 1 FROM messages WHERE thread_id = ?2)
         WHERE id = ?1",
        params![message.0, to.0],
    )?;
    Ok(messages::set_leaf(connection, to, Some(message))?)
}

fn undo(connection: &Connection, id: ThreadId, now: i64) -> Result<Thread, Fault> {
    let ending = get(connection, id)?;
    if ending.ended_at.is_some() {
        return Err(
            Error::Invalid { detail: "only the current thread can be undone".into() }.into()
        );
    }
    let before = connection
        .prepare_cached(
            "SELECT * FROM threads WHERE session_id = ?1 AND number < ?2 AND deleted_at IS NULL
             ORDER BY number DESC LIMIT 1",
        )?
        .query_row(params![ending.session_id.0, ending.number], thread)
        .optional()?
        .ok_or_else(|| not_found("thread before"))?;
    connection.execute("UPDATE threads SET ended_at = ?2 WHERE id = ?1", params![id.0, now])?;
    connection.execute("UPDATE threads SET ended_at = NULL WHERE id = ?1", [before.id.0])?;
    if !was_used(connection, id)? {
        if let Some(carried) = carried(connection, id)? {
            carry(connection, carried, id, before.id)?;
        }
        connection
            .execute("UPDATE threads SET deleted_at = ?2 WHERE id = ?1", params![id.0, now])?;
    }
    get(connection, before.id)
}

/// Whether anything was said in a thread beyond its notice and the message carried into it.
fn was_used(connection: &Connection, id: ThreadId) -> rusqlite::Result<bool> {
    connection
        .prepare_cached(
            "SELECT EXISTS (
               SELECT 1 FROM messages JOIN threads ON threads.id = messages.thread_id
               WHERE thread_id = ?1 AND origin <> ?2 AND messages.deleted_at IS NULL
                 AND messages.id IS NOT threads.carried_id)",
        )?
        .query_row(params![id.0, super::row::Word(Origin::Runtime)], |row| row.get(0))
}

/// The message that was carried into a thread, while it still is its leaf.
fn carried(connection: &Connection, id: ThreadId) -> rusqlite::Result<Option<MessageId>> {
    let carried: Option<i64> = connection
        .prepare_cached("SELECT carried_id FROM threads WHERE id = ?1 AND leaf_id = carried_id")?
        .query_row([id.0], |row| row.get(0))
        .optional()?
        .flatten();
    Ok(carried.map(MessageId))
}

fn thread(row: &Row) -> rusqlite::Result<Thread> {
    let Json(beginning) = row.get("beginning")?;
    Ok(Thread {
        id: ThreadId(row.get("id")?),
        session_id: SessionId(row.get("session_id")?),
        number: row.get("number")?,
        leaf: row.get::<_, Option<i64>>("leaf_id")?.map(MessageId),
        beginning,
        created_at: row.get("created_at")?,
        ended_at: row.get("ended_at")?,
    })
}
