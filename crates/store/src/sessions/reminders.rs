//! Table `reminders`: notes that outlive a thread.
//!
//! The user may change any of them. The model may change those of its session that the user did not
//! write, because injected text could talk it into anything.

use rusqlite::{Connection, Row, params};
use skein_domain::error::{Error, Result};
use skein_domain::health::HealthLevel;
use skein_domain::ids::{ReminderId, SessionId, ThreadId};
use skein_domain::message::Origin;
use skein_domain::reminder::{Reminder, ReminderScope};

use crate::db::error::{StoreError, not_found};
use crate::db::sql_types::{EnumColumn, JsonColumn, get_enum, get_json};
use crate::db::statements::{execute, query_all, query_first, query_one};
use crate::db::store::Store;

/// A reminder to add after the others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewReminder {
    /// Never empty.
    pub content: String,
    pub scope: ReminderScope,
    pub origin: Origin,
    /// True for a handoff.
    pub continuation: bool,
    /// The health of the context at that time; `None` if unknown, or not a handoff.
    pub level: Option<HealthLevel>,
    /// In milliseconds since the epoch.
    pub created_at: i64,
}

impl Store {
    /// The reminders of a session, its own and the global ones, in the user's order.
    pub async fn reminders(&self, session: SessionId) -> Result<Vec<Reminder>> {
        self.read(move |tx| Ok(of_session(tx, session)?)).await
    }

    /// Adds a reminder after the others.
    ///
    /// # Errors
    /// `Invalid` if its content is blank.
    pub async fn add_reminder(&self, new: NewReminder) -> Result<Reminder> {
        self.write_durably(move |tx| {
            let added = add(tx, &new)?;
            assign_current_thread(tx, added.id)?;
            Ok(added)
        })
        .await
    }

    /// Replaces the content and scope of a reminder, for the user.
    ///
    /// # Errors
    /// `Invalid` if the content is blank, `NotFound` for an unknown id.
    pub async fn update_reminder(
        &self,
        id: ReminderId,
        content: String,
        scope: ReminderScope,
        now: i64,
    ) -> Result<Reminder> {
        self.write_durably(move |tx| {
            update(tx, id, &content, Origin::Person, now)?;
            let sql = "UPDATE reminders SET session_id = ?2 WHERE id = ?1";
            tx.execute(sql, params![id.0, session_of(scope)])?;
            assign_current_thread(tx, id)?;
            get(tx, id)
        })
        .await
    }

    /// Replaces the content of a reminder, for the model of a session.
    ///
    /// # Errors
    /// `Invalid` if the content is blank or the model may not change it; `NotFound` if the session
    /// does not see it.
    pub async fn update_own_reminder(
        &self,
        id: ReminderId,
        session: SessionId,
        content: String,
        now: i64,
    ) -> Result<Reminder> {
        self.write_durably(move |tx| {
            require_own(tx, id, session)?;
            update(tx, id, &content, Origin::Model, now)?;
            assign_current_thread(tx, id)?;
            get(tx, id)
        })
        .await
    }

    /// Deletes a reminder and returns it, so that it can be restored.
    ///
    /// # Errors
    /// `NotFound` for an unknown id.
    pub async fn delete_reminder(&self, id: ReminderId) -> Result<Reminder> {
        self.write(move |tx| {
            let deleted = get(tx, id)?;
            tx.execute("DELETE FROM reminders WHERE id = ?1", [id.0])?;
            Ok(deleted)
        })
        .await
    }

    /// Deletes a reminder, for the model of a session.
    ///
    /// # Errors
    /// `Invalid` if the model may not delete it, `NotFound` if the session does not see it.
    pub async fn delete_own_reminder(&self, id: ReminderId, session: SessionId) -> Result<()> {
        self.write(move |tx| {
            require_own(tx, id, session)?;
            Ok(execute(tx, "DELETE FROM reminders WHERE id = ?1", [id.0])?)
        })
        .await
    }

    /// Restores a deleted reminder at its old place.
    pub async fn restore_reminder(&self, deleted: Reminder) -> Result<()> {
        self.write_durably(move |tx| {
            restore(tx, &deleted)?;
            Ok(assign_current_thread(tx, deleted.id)?)
        })
        .await
    }

    /// True if a handoff was written while the thread was its session's current one.
    pub async fn has_handoff(&self, thread: ThreadId) -> Result<bool> {
        let sql =
            "SELECT 1 FROM reminders WHERE thread_id = ?1 AND continuation = 1 AND origin <> ?2";
        let handoff = self.read_row(sql, (thread.0, EnumColumn(Origin::Runtime)), |_| Ok(()));
        Ok(handoff.await?.is_some())
    }

    /// Sorts reminders in this order; unnamed ones keep their places.
    pub async fn order_reminders(&self, order: Vec<ReminderId>) -> Result<()> {
        self.write(move |tx| {
            let sql = "UPDATE reminders SET position = ?2 WHERE id = ?1";
            for (position, id) in (1_i64..).zip(order) {
                execute(tx, sql, params![id.0, position])?;
            }
            Ok(())
        })
        .await
    }
}

/// The reminders of a session, its own and the global ones, in the user's order.
pub(super) fn of_session(tx: &Connection, session: SessionId) -> rusqlite::Result<Vec<Reminder>> {
    let sql = "SELECT * FROM reminders WHERE session_id IS NULL OR session_id = ?1
               ORDER BY position, id";
    query_all(tx, sql, [session.0], reminder)
}

/// Adds a reminder after the others.
fn add(tx: &Connection, new: &NewReminder) -> Result<Reminder, StoreError> {
    refuse_blank(&new.content)?;
    let added = Reminder {
        id: ReminderId(0),
        content: new.content.clone(),
        scope: new.scope,
        origin: new.origin,
        continuation: new.continuation,
        level: new.level,
        position: 0,
        created_at: new.created_at,
        updated_at: new.created_at,
    };
    insert(tx, &added)?;
    get(tx, ReminderId(tx.last_insert_rowid()))
}

/// Adds a reminder under a new id after the others.
pub(crate) fn insert(tx: &Connection, reminder: &Reminder) -> rusqlite::Result<()> {
    insert_at(tx, None, None, reminder)
}

/// Adds a reminder with its id and position, unless the id is taken.
fn restore(tx: &Connection, gone: &Reminder) -> rusqlite::Result<()> {
    insert_at(tx, Some(gone.id.0), Some(gone.position), gone)
}

fn insert_at(
    tx: &Connection,
    id: Option<i64>,
    position: Option<u32>,
    reminder: &Reminder,
) -> rusqlite::Result<()> {
    let sql = "INSERT INTO reminders
                 (id, session_id, content, origin, continuation, level, position, created_at, updated_at)
               VALUES (?1, ?2, ?3, ?4, ?5, ?6,
                       coalesce(?7, (SELECT coalesce(max(position), 0) + 1 FROM reminders)), ?8, ?9)
               ON CONFLICT (id) DO NOTHING";
    let row = params![
        id,
        session_of(reminder.scope),
        reminder.content,
        EnumColumn(reminder.origin),
        reminder.continuation,
        reminder.level.map(EnumColumn),
        position,
        reminder.created_at,
        reminder.updated_at
    ];
    execute(tx, sql, row)
}

/// Replaces the content of a reminder and makes `origin` its author. The program may replace only
/// its own.
fn update(
    tx: &Connection,
    id: ReminderId,
    content: &str,
    origin: Origin,
    now: i64,
) -> Result<(), StoreError> {
    refuse_blank(content)?;
    let sql = "UPDATE reminders
               SET origin = iif(content = ?2, origin, ?4), content = ?2, updated_at = ?3
               WHERE id = ?1";
    Ok(execute(tx, sql, params![id.0, content, now, EnumColumn(origin)])?)
}

/// Fails if the model of a session may not change a reminder. One of another session is not found.
fn require_own(tx: &Connection, id: ReminderId, session: SessionId) -> Result<(), StoreError> {
    let found = get(tx, id)?;
    let detail = match (found.scope, found.origin) {
        (ReminderScope::Session { session_id }, _) if session_id != session => {
            return Err(not_found("reminder"));
        }
        (_, Origin::Person) => "that reminder is the person's; say what you would change",
        (ReminderScope::Everywhere {}, _) => {
            "that reminder holds in every session; say what you would change"
        }
        (ReminderScope::Session { .. }, Origin::Model | Origin::Runtime) => return Ok(()),
    };
    Err(Error::Invalid { detail: detail.into() }.into())
}

/// Marks a reminder's content as written in the current thread of its session.
fn assign_current_thread(tx: &Connection, id: ReminderId) -> rusqlite::Result<()> {
    let sql = "UPDATE reminders SET thread_id =
                 (SELECT threads.id FROM threads
                  WHERE threads.session_id = reminders.session_id AND ended_at IS NULL
                    AND deleted_at IS NULL)
               WHERE id = ?1";
    execute(tx, sql, [id.0])
}

pub(crate) fn global_reminders(tx: &Connection) -> rusqlite::Result<Vec<Reminder>> {
    let sql = "SELECT * FROM reminders WHERE session_id IS NULL ORDER BY position, id";
    query_all(tx, sql, [], reminder)
}

/// Restores a reminder, under a new id if its own is taken.
pub(crate) fn restore_with_any_id(tx: &Connection, gone: &Reminder) -> rusqlite::Result<()> {
    restore(tx, gone)?;
    if tx.changes() == 0 { insert(tx, gone) } else { Ok(()) }
}

/// Stores the handoff that a thread begins with, written in the previous thread (D15). A handoff of
/// the program replaces its previous one, which is kept in the thread for [`delete_handoff`].
pub(crate) fn save_handoff(
    tx: &Connection,
    written_in: ThreadId,
    thread: ThreadId,
    new: &NewReminder,
) -> Result<(), StoreError> {
    let before = match new.origin {
        Origin::Person | Origin::Model => None,
        Origin::Runtime => {
            let sql = "DELETE FROM reminders
                       WHERE session_id = ?1 AND continuation = 1 AND origin = ?2 RETURNING *";
            query_first(tx, sql, params![session_of(new.scope), EnumColumn(new.origin)], reminder)?
        }
    };
    let kept = add(tx, new)?;
    let sql = "UPDATE reminders SET thread_id = ?2 WHERE id = ?1";
    tx.execute(sql, params![kept.id.0, written_in.0])?;
    if let Some(before) = before {
        let sql = "UPDATE reminders SET position = ?2 WHERE id = ?1";
        tx.execute(sql, params![kept.id.0, before.position])?;
        let sql = "UPDATE threads SET replaced = ?2 WHERE id = ?1";
        tx.execute(sql, params![thread.0, JsonColumn(before)])?;
    }
    Ok(())
}

/// Deletes the handoff that a thread began with at this time, unless somebody has changed it since,
/// and restores the one it replaced.
pub(crate) fn delete_handoff(
    tx: &Connection,
    thread: ThreadId,
    session: SessionId,
    kept_at: i64,
) -> rusqlite::Result<()> {
    let sql = "DELETE FROM reminders
               WHERE session_id = ?1 AND continuation = 1 AND origin <> ?2
                 AND created_at = ?3 AND updated_at = ?3";
    tx.execute(sql, params![session.0, EnumColumn(Origin::Person), kept_at])?;
    let sql = "SELECT replaced FROM threads WHERE id = ?1";
    let replaced: Option<Reminder> =
        query_one(tx, sql, [thread.0], |row| get_json(row, "replaced"))?;
    replaced.map_or(Ok(()), |replaced| restore(tx, &replaced))
}

fn get(tx: &Connection, id: ReminderId) -> Result<Reminder, StoreError> {
    let sql = "SELECT * FROM reminders WHERE id = ?1";
    let found = query_first(tx, sql, [id.0], reminder)?;
    found.ok_or_else(|| not_found("reminder"))
}

fn refuse_blank(content: &str) -> Result<(), StoreError> {
    if content.trim().is_empty() {
        return Err(Error::Invalid { detail: "an empty reminder".into() }.into());
    }
    Ok(())
}

fn session_of(scope: ReminderScope) -> Option<i64> {
    match scope {
        ReminderScope::Session { session_id } => Some(session_id.0),
        ReminderScope::Everywhere {} => None,
    }
}

fn reminder(row: &Row) -> rusqlite::Result<Reminder> {
    let session: Option<i64> = row.get("session_id")?;
    Ok(Reminder {
        id: ReminderId(row.get("id")?),
        content: row.get("content")?,
        scope: match session {
            Some(session) => ReminderScope::Session { session_id: SessionId(session) },
            None => ReminderScope::Everywhere {},
        },
        origin: get_enum(row, "origin")?,
        continuation: row.get("continuation")?,
        level: get_enum(row, "level")?,
        position: row.get("position")?,
        created_at: row.get("created_at")?,
        updated_at: row.get("updated_at")?,
    })
}
