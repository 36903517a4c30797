//! Table `threads`: the threads of a session, and the leaf of each.
//!
//! Not here: the step from one thread to the next (`threads`).

use rusqlite::{Connection, Row, params};
use skein_context::compaction::remediation::Remediation;
use skein_domain::error::Result;
use skein_domain::ids::{MessageId, SessionId, ThreadId};
use skein_domain::session::{Thread, ThreadStart};

use crate::db::error::{StoreError, not_found};
use crate::db::sql_types::{JsonColumn, get_json};
use crate::db::statements::{execute, query_first};
use crate::db::store::Store;

impl Store {
    /// The threads of a session: the current one, then the others, latest first.
    pub async fn threads(&self, session: SessionId) -> Result<Vec<Thread>> {
        let sql = "SELECT * FROM threads WHERE session_id = ?1 AND deleted_at IS NULL
                   ORDER BY ended_at IS NOT NULL, number DESC";
        self.read_rows(sql, [session.0], thread).await
    }

    pub async fn thread(&self, id: ThreadId) -> Result<Thread> {
        self.read(move |tx| get(tx, id)).await
    }

    pub async fn set_remediation(&self, thread: ThreadId, state: Remediation) -> Result<()> {
        self.write(move |tx| Ok(store_remediation(tx, thread, state)?)).await
    }
}

/// Adds an empty thread after the others of its session.
pub(crate) fn insert(
    tx: &Connection,
    session: SessionId,
    beginning: &ThreadStart,
    created_at: i64,
    ended_at: Option<i64>,
) -> rusqlite::Result<ThreadId> {
    let sql = "INSERT INTO threads (session_id, number, beginning, created_at, ended_at)
               VALUES (?1, (SELECT coalesce(max(number), 0) + 1 FROM threads WHERE session_id = ?1),
                       ?2, ?3, ?4)";
    execute(tx, sql, params![session.0, JsonColumn(beginning), created_at, ended_at])?;
    Ok(ThreadId(tx.last_insert_rowid()))
}

/// The state of a thread's sequence of caution notices, countdown and clear.
pub(crate) fn remediation(tx: &Connection, thread: ThreadId) -> Result<Remediation, StoreError> {
    let sql = "SELECT remediation FROM threads WHERE id = ?1";
    let state = query_first(tx, sql, [thread.0], |row| get_json(row, "remediation"))?;
    state.ok_or_else(|| not_found("thread"))
}

pub(crate) fn store_remediation(
    tx: &Connection,
    id: ThreadId,
    state: Remediation,
) -> rusqlite::Result<()> {
    let sql = "UPDATE threads SET remediation = ?2 WHERE id = ?1";
    execute(tx, sql, params![id.0, JsonColumn(state)])
}

/// # Errors
/// [`StoreError`]: there is no such thread, or it is deleted.
pub(crate) fn get(tx: &Connection, id: ThreadId) -> Result<Thread, StoreError> {
    let sql = "SELECT * FROM threads WHERE id = ?1 AND deleted_at IS NULL";
    let found = query_first(tx, sql, [id.0], thread)?;
    found.ok_or_else(|| not_found("thread"))
}

pub(crate) fn leaf(tx: &Connection, thread: ThreadId) -> Result<Option<MessageId>, StoreError> {
    let sql = "SELECT leaf_id FROM threads WHERE id = ?1 AND deleted_at IS NULL";
    let leaf: Option<Option<i64>> = query_first(tx, sql, [thread.0], |row| row.get(0))?;
    Ok(leaf.ok_or_else(|| not_found("thread"))?.map(MessageId))
}

pub(crate) fn set_leaf(
    tx: &Connection,
    thread: ThreadId,
    leaf: Option<MessageId>,
) -> rusqlite::Result<()> {
    let sql = "UPDATE threads SET leaf_id = ?2 WHERE id = ?1";
    execute(tx, sql, params![thread.0, leaf.map(|leaf| leaf.0)])
}

/// Ends a thread and resets its remediation, so that a resumed thread begins anew.
pub(crate) fn end(tx: &Connection, id: ThreadId, at: i64) -> rusqlite::Result<()> {
    let sql = "UPDATE threads SET ended_at = ?2, remediation = ?3 WHERE id = ?1";
    execute(tx, sql, params![id.0, at, JsonColumn(Remediation::default())])
}

pub(crate) fn thread(row: &Row) -> rusqlite::Result<Thread> {
    Ok(Thread {
        id: ThreadId(row.get("id")?),
        session_id: SessionId(row.get("session_id")?),
        number: row.get("number")?,
        leaf: row.get::<_, Option<i64>>("leaf_id")?.map(MessageId),
        beginning: get_json(row, "beginning")?,
        created_at: row.get("created_at")?,
        ended_at: row.get("ended_at")?,
    })
}
