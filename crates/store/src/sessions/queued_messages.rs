//! Table `queued_messages`: messages that the user sent while a turn ran, and messages for the
//! composer that it has not taken yet.
//!
//! A queued message is kept until it is sent or withdrawn. Not here: when the next one is sent
//! (`app::turns`), moving one into the composer (`drafts`).

use rusqlite::{Connection, Row, params};
use skein_domain::error::Result;
use skein_domain::ids::{SessionId, WaitingId};
use skein_domain::message::ContentPart;
use skein_domain::message::queued_message::QueuedMessage;

use crate::db::error::{StoreError, not_found};
use crate::db::sql_types::{JsonColumn, get_json};
use crate::db::statements::{execute, query_first};
use crate::db::store::Store;

impl Store {
    /// The queued messages of a session, in the order of sending.
    pub async fn queued_messages(&self, session: SessionId) -> Result<Vec<QueuedMessage>> {
        let sql = "SELECT * FROM waiting WHERE session_id = ?1 ORDER BY id";
        self.read_rows(sql, [session.0], queued_message).await
    }

    /// True if a message will be sent automatically after the present turn.
    pub async fn has_queued_message(&self, session: SessionId) -> Result<bool> {
        self.read(move |tx| Ok(has_queued(tx, session)?)).await
    }

    /// Withdraws a queued message.
    ///
    /// # Errors
    /// `NotFound` if it was sent meanwhile.
    pub async fn remove_queued(&self, id: WaitingId) -> Result<()> {
        self.write(move |tx| remove(tx, id)).await
    }

    /// Puts a message back at its old place in the queue. It is synced to the disk when this
    /// returns.
    pub async fn restore_queued(&self, session: SessionId, taken: QueuedMessage) -> Result<()> {
        self.write_durably(move |tx| {
            let QueuedMessage { id, parts, for_box, created_at } = taken;
            // A message that was returned meanwhile may have its id.
            let sql = "INSERT INTO waiting (id, session_id, parts, for_box, created_at)
                       VALUES ((SELECT ?1 WHERE ?1 NOT IN (SELECT id FROM waiting)), ?2, ?3, ?4, ?5)";
            let row = params![id.0, session.0, JsonColumn(parts), for_box, created_at];
            Ok(execute(tx, sql, row)?)
        })
        .await
    }
}

/// True if a message will be sent automatically.
pub(crate) fn has_queued(tx: &Connection, session: SessionId) -> rusqlite::Result<bool> {
    let sql = "SELECT 1 FROM waiting WHERE session_id = ?1 AND for_box = 0";
    tx.prepare_cached(sql)?.exists([session.0])
}

/// Inserts a message that is sent automatically.
pub(crate) fn insert(
    tx: &Connection,
    session: SessionId,
    parts: &[ContentPart],
    now: i64,
) -> rusqlite::Result<()> {
    insert_row(tx, session, parts, false, now)
}

/// Inserts a message for the composer.
pub(crate) fn insert_for_composer(
    tx: &Connection,
    session: SessionId,
    parts: &[ContentPart],
    now: i64,
) -> rusqlite::Result<()> {
    insert_row(tx, session, parts, true, now)
}

fn insert_row(
    tx: &Connection,
    session: SessionId,
    parts: &[ContentPart],
    for_box: bool,
    now: i64,
) -> rusqlite::Result<()> {
    let sql =
        "INSERT INTO waiting (session_id, parts, for_box, created_at) VALUES (?1, ?2, ?3, ?4)";
    execute(tx, sql, params![session.0, JsonColumn(parts), for_box, now])
}

/// Inserts a message for the composer before all others.
pub(crate) fn insert_first_for_composer(
    tx: &Connection,
    session: SessionId,
    parts: &[ContentPart],
    created_at: i64,
) -> rusqlite::Result<()> {
    let sql = "INSERT INTO waiting (id, session_id, parts, for_box, created_at)
               VALUES ((SELECT min(id) - 1 FROM waiting), ?1, ?2, 1, ?3)";
    execute(tx, sql, params![session.0, JsonColumn(parts), created_at])
}

pub(crate) fn remove(tx: &Connection, id: WaitingId) -> Result<(), StoreError> {
    let changed = tx.execute("DELETE FROM waiting WHERE id = ?1", [id.0])?;
    if changed == 0 { Err(not_found("waiting message")) } else { Ok(()) }
}

pub(crate) fn first(
    tx: &Connection,
    session: SessionId,
) -> Result<Option<QueuedMessage>, StoreError> {
    let sql = "SELECT * FROM waiting WHERE session_id = ?1 ORDER BY for_box, id LIMIT 1";
    Ok(query_first(tx, sql, [session.0], queued_message)?)
}

fn queued_message(row: &Row) -> rusqlite::Result<QueuedMessage> {
    Ok(QueuedMessage {
        id: WaitingId(row.get("id")?),
        parts: get_json(row, "parts")?,
        for_box: row.get("for_box")?,
        created_at: row.get("created_at")?,
    })
}
