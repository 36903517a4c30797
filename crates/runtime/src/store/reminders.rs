//! Table `reminders`: notes that outlive a thread.

use rusqlite::{Connection, OptionalExtension, Row, params};
use skein_context::message::Origin;
use skein_context::reminder::{Reminder, ReminderId, Scope};
use skein_context::session::SessionId;

use super::Store;
use super::fault::{Fault, not_found};
use super::row::Word;
use crate::error::{Error, Result};

/// A reminder to be stored, placed after the others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewReminder {
    /// Never empty.
    pub content: String,
    /// Where it holds.
    pub scope: Scope,
    /// Who wrote it.
    pub origin: Origin,
    /// Whether it is the continuation package.
    pub continuation: bool,
    /// Milliseconds since the epoch.
    pub created_at: i64,
}

impl Store {
    /// What holds in a session: its own reminders and those for all, in the person's order.
    pub async fn reminders(&self, session: SessionId) -> Result<Vec<Reminder>> {
        self.read(move |tx| {
            let mut statement = tx.prepare_cached(
                "SELECT * FROM reminders WHERE session_id IS NULL OR session_id = ?1
                 ORDER BY position, id",
            )?;
            let found =
                statement.query_map([session.0], reminder)?.collect::<rusqlite::Result<_>>()?;
            Ok(found)
        })
        .await
    }

    /// Adds a reminder after the others.
    ///
    /// # Errors
    /// `Invalid` when its content is blank.
    pub async fn add_reminder(&self, new: NewReminder) -> Result<Reminder> {
        self.write_surely(move |tx| {
            refuse_blank(&new.content)?;
            tx.execute(
                "INSERT INTO reminders
                   (session_id, content, origin, continuation, position, created_at, updated_at)
                 VALUES (?1, ?2, ?3, ?4,
                         (SELECT coalesce(max(position), 0) + 1 FROM reminders), ?5, ?5)",
                params![
                    session_of(new.scope),
                    new.content,
                    Word(new.origin),
                    new.continuation,
                    new.created_at
                ],
            )?;
            get(tx, ReminderId(tx.last_insert_rowid()))
        })
        .await
    }

    /// Replaces what a reminder says.
    ///
    /// # Errors
    /// `Invalid` when the content is blank, `NotFound` for an unknown id.
    pub async fn update_reminder(
        &self,
        id: ReminderId,
        content: String,
        now: i64,
    ) -> Result<Reminder> {
        self.write_surely(move |tx| {
            refuse_blank(&content)?;
            tx.execute(
                "UPDATE reminders SET content = ?2, updated_at = ?3 WHERE id = ?1",
                params![id.0, content, now],
            )?;
            get(tx, id)
        })
        .await
    }

    /// Makes a reminder hold elsewhere.
    pub async fn move_reminder(&self, id: ReminderId, scope: Scope) -> Result<Reminder> {
        self.write(move |tx| {
            tx.execute(
                "UPDATE reminders SET session_id = ?2 WHERE id = ?1",
                params![id.0, session_of(scope)],
            )?;
            get(tx, id)
        })
        .await
    }

    /// Removes a reminder and returns it, so that it can be added again.
    ///
    /// # Errors
    /// `NotFound` for an unknown id.
    pub async fn delete_reminder(&self, id: ReminderId) -> Result<Reminder> {
        self.write(move |tx| {
            let gone = get(tx, id)?;
            tx.execute("DELETE FROM reminders WHERE id = ?1", [id.0])?;
            Ok(gone)
        })
        .await
    }

    /// Puts reminders in this order; those not named keep their places.
    pub async fn order_reminders(&self, order: Vec<ReminderId>) -> Result<()> {
        self.write(move |tx| {
            let mut place =
                tx.prepare_cached("UPDATE reminders SET position = ?2 WHERE id = ?1")?;
            for (position, id) in (1_i64..).zip(order) {
                place.execute(params![id.0, position])?;
            }
            Ok(())
        })
        .await
    }
}

fn get(connection: &Connection, id: ReminderId) -> Result<Reminder, Fault> {
    let found = connection
        .prepare_cached("SELECT * FROM reminders WHERE id = ?1")?
        .query_row([id.0], reminder)
        .optional()?;
    found.ok_or_else(|| not_found("reminder"))
}

fn refuse_blank(content: &str) -> Result<(), Fault> {
    if content.trim().is_empty() {
        return Err(Error::Invalid { detail: "an empty reminder".into() }.into());
    }
    Ok(())
}

fn session_of(scope: Scope) -> Option<i64> {
    match scope {
        Scope::Session { session_id } => Some(session_id.0),
        Scope::Everywhere {} => None,
    }
}

fn reminder(row: &Row) -> rusqlite::Result<Reminder> {
    let Word(origin) = row.get("origin")?;
    let session: Option<i64> = row.get("session_id")?;
    Ok(Reminder {
        id: ReminderId(row.get("id")?),
        content: row.get("content")?,
        scope: match session {
            Some(session) => Scope::Session { session_id: SessionId(session) },
            None => Scope::Everywhere {},
        },
        origin,
        continuation: row.get("continuation")?,
        position: row.get("position")?,
        created_at: row.get("created_at")?,
        updated_at: row.get("updated_at")?,
    })
}
