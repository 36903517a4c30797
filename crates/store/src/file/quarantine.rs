//! Table `quarantine`: permissions in a foreign database, until the user decides on each.
//!
//! A file belongs to this installation if it has the installation's id, which is also stored
//! outside it (`AppPaths::installation`). A restored file, or one put into the folder by hand, has
//! another id or none. The transaction that gives it this id also moves everything that would act
//! without a question out of its tables. Nothing is lost: the user's approval puts it back.
//!
//! If `SKEIN_DATA_DIR` puts everything in one folder, a copy of the folder contains the
//! installation's id as well.
//!
//! Not here: the schema of such a file (`schema`), and the effect of a folder or grant (`tools`).

use std::fs;

use rusqlite::{Connection, Row, params};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use skein_domain::error::Result;
use skein_domain::ids::{GrantKey, SessionId};
use skein_domain::reminder::{Reminder, ReminderScope};
use skein_domain::session::SessionOverrides;
use skein_platform::atomic_file;
use skein_platform::paths::AppPaths;
use specta::Type;

use crate::db::error::{StoreError, not_found};
use crate::db::sql_types::{JsonColumn, get_json};
use crate::db::statements::{execute, query_all, query_decodable, query_first};
use crate::db::store::Store;
use crate::log::grants::{self, Grant};
use crate::sessions::{reminders, session_rows};

/// The id of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, Type)]
pub struct QuarantineId(pub i64);

/// A permission in a foreign database, which would act without a question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum QuarantinedItem {
    /// A tool that runs without approval.
    Grant {
        tool: GrantKey,
        /// In milliseconds since the epoch.
        granted_at: i64,
    },
    /// The workspace of a session.
    Folder { path: String },
    /// A reminder for every session.
    Reminder {
        /// The original reminder.
        reminder: Reminder,
    },
}

/// An undecided entry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct QuarantineEntry {
    pub id: QuarantineId,
    /// The session it applies to; `None`: all sessions.
    pub session: Option<SessionId>,
    /// The permission.
    pub permit: QuarantinedItem,
}

/// The user's decision on an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum QuarantineDecision {
    /// Restores the permission.
    Allow,
    /// Rejects it; it is not asked about again.
    Decline,
    /// Makes it undecided again.
    Reopen,
}

impl Store {
    /// Undecided entries, oldest first. An unreadable entry grants nothing and does not block the
    /// others, since a stranger may have written it.
    pub async fn quarantine(&self) -> Result<Vec<QuarantineEntry>> {
        let sql = "SELECT * FROM quarantine WHERE declined = 0 ORDER BY id";
        self.read(|tx| Ok(query_decodable(tx, sql, [], entry)?)).await
    }

    /// Decides on several entries at once.
    ///
    /// # Errors
    /// `NotFound` if one of them is gone; then nothing is decided.
    pub async fn decide_quarantine(
        &self,
        ids: Vec<QuarantineId>,
        decision: QuarantineDecision,
    ) -> Result<()> {
        self.write_durably(move |tx| {
            for id in &ids {
                decide(tx, *id, decision)?;
            }
            Ok(())
        })
        .await
    }
}

fn decide(
    connection: &Connection,
    id: QuarantineId,
    decision: QuarantineDecision,
) -> Result<(), StoreError> {
    let found = query_first(connection, "SELECT * FROM quarantine WHERE id = ?1", [id.0], entry)?
        .ok_or_else(|| not_found("quarantine"))?;
    let declined = match decision {
        QuarantineDecision::Allow => {
            restore_permission(connection, found)?;
            connection.execute("DELETE FROM quarantine WHERE id = ?1", [id.0])?;
            return Ok(());
        }
        QuarantineDecision::Decline => true,
        QuarantineDecision::Reopen => false,
    };
    let sql = "UPDATE quarantine SET declined = ?2 WHERE id = ?1";
    Ok(execute(connection, sql, params![id.0, declined])?)
}

/// Puts a permission back to where it acts. What the user has chosen since then stays.
fn restore_permission(connection: &Connection, entry: QuarantineEntry) -> Result<(), StoreError> {
    match entry.permit {
        QuarantinedItem::Grant { tool, granted_at } => {
            grants::insert(connection, entry.session, &tool, granted_at)?
        }
        // A folder that the user chose since then takes precedence.
        QuarantinedItem::Folder { path } => {
            for (id, mut overrides) in overrides(connection)? {
                if Some(id) == entry.session && overrides.folder.is_none() {
                    overrides.folder = Some(path.clone());
                    session_rows::set_overrides(connection, id, &overrides)?;
                }
            }
        }
        QuarantinedItem::Reminder { reminder } => {
            reminders::restore_with_any_id(connection, &reminder)?
        }
    }
    Ok(())
}

/// The id of this installation; created if there is none.
pub(crate) fn installation_id(
    connection: &Connection,
    places: &AppPaths,
) -> Result<String, StoreError> {
    if let Some(id) = stored_id(places) {
        return Ok(id);
    }
    let path = places.installation();
    let sql = "SELECT lower(hex(randomblob(16)))";
    let id: String = connection.query_row(sql, [], |row| row.get(0))?;
    // If it cannot be stored, the next start asks again, which is acceptable.
    if let Err(error) = atomic_file::write_private(&path, id.as_bytes()) {
        tracing::warn!(%error, "the id of this installation is not kept");
    }
    Ok(id)
}

/// The stored id of this installation; `None` if there is none.
fn stored_id(places: &AppPaths) -> Option<String> {
    let kept = fs::read_to_string(places.installation()).unwrap_or_default();
    let kept = kept.trim();
    let is_id = kept.len() == 32 && kept.bytes().all(|it| it.is_ascii_hexdigit());
    is_id.then(|| kept.to_owned())
}

/// The origin and state of a database before its migration.
pub(crate) struct DatabaseOrigin {
    /// The schema version; 0 for a new file.
    pub version: u32,
    /// True if the schema version of the database has an installation id.
    pub has_id: bool,
    /// True if a database was open in this folder before and was not replaced since.
    pub was_open: bool,
}

/// True if a database before its migration belongs to another or an unknown installation.
pub(crate) fn is_from_elsewhere(
    connection: &Connection,
    places: &AppPaths,
    before: &DatabaseOrigin,
) -> rusqlite::Result<bool> {
    let id = stored_id(places);
    if before.version == 0 || before.has_id && has_this_id(connection, id.as_deref())? {
        return Ok(false);
    }
    // Installations have no id before their first start with a version that knows them.
    let is_update = id.is_none() && before.was_open && !before.has_id;
    Ok(!is_update)
}

fn has_this_id(connection: &Connection, id: Option<&str>) -> rusqlite::Result<bool> {
    let sql = "SELECT count(*) = 1 AND max(id) = ?1 FROM installation";
    let is_it: Option<bool> = connection.query_row(sql, [id], |row| row.get(0))?;
    Ok(is_it == Some(true))
}

/// Makes a database this installation's own. The permissions of a foreign one are quarantined.
pub(crate) fn adopt_database(
    connection: &Connection,
    id: &str,
    from_elsewhere: bool,
) -> Result<(), StoreError> {
    if has_this_id(connection, Some(id))? {
        return Ok(());
    }
    if from_elsewhere {
        quarantine_permissions(connection)?;
    }
    connection.execute("DELETE FROM installation", [])?;
    connection.execute("INSERT INTO installation (id) VALUES (?1)", [id])?;
    Ok(())
}

/// Removes the installation id, so that the next start treats the file as foreign. The id in a
/// restored file proves nothing.
pub(crate) fn clear_installation(connection: &Connection) -> rusqlite::Result<()> {
    if has_id(connection)? {
        connection.execute("DELETE FROM installation", [])?;
    }
    Ok(())
}

/// True if the schema of a database has an installation id.
pub(crate) fn has_id(connection: &Connection) -> rusqlite::Result<bool> {
    let sql =
        "SELECT count(*) > 0 FROM sqlite_schema WHERE type = 'table' AND name = 'installation'";
    connection.query_row(sql, [], |row| row.get(0))
}

/// Moves everything that would act without a question out of its tables.
fn quarantine_permissions(connection: &Connection) -> Result<(), StoreError> {
    delete_orphans(connection)?;
    let grants: Vec<_> = query_all(connection, "SELECT * FROM grants ORDER BY id", [], |row| {
        let Grant { tool, session } = grants::grant(row)?;
        Ok((session, QuarantinedItem::Grant { tool, granted_at: row.get("granted_at")? }))
    })?;
    for (session, permit) in grants {
        add(connection, session, permit)?;
    }
    connection.execute("DELETE FROM grants", [])?;
    for (id, mut overrides) in overrides(connection)? {
        if let Some(path) = overrides.folder.take() {
            add(connection, Some(id), QuarantinedItem::Folder { path })?;
            session_rows::set_overrides(connection, id, &overrides)?;
        }
    }
    quarantine_unreadable_folders(connection)?;
    for reminder in reminders::global_reminders(connection)? {
        add(connection, None, QuarantinedItem::Reminder { reminder })?;
    }
    connection.execute("DELETE FROM reminders WHERE session_id IS NULL", [])?;
    // Queued messages are not sent by themselves: the user sends or deletes each.
    connection.execute("UPDATE waiting SET for_box = 1", [])?;
    Ok(())
}

/// Moves folders out of overrides that this version cannot read, because a later one may.
fn quarantine_unreadable_folders(connection: &Connection) -> rusqlite::Result<()> {
    let sql = "SELECT id, overrides FROM sessions";
    let kept: Vec<(_, String)> = query_all(connection, sql, [], |row| {
        Ok((SessionId(row.get("id")?), row.get("overrides")?))
    })?;
    for (id, text) in kept {
        let is_read = serde_json::from_str::<SessionOverrides>(&text).is_ok();
        let fields = serde_json::from_str::<Map<String, Value>>(&text).ok().filter(|_| !is_read);
        let Some(mut fields) = fields else { continue };
        if let Some(Value::String(path)) = fields.remove("folder") {
            add(connection, Some(id), QuarantinedItem::Folder { path })?;
        }
        session_rows::set_overrides(connection, id, &fields)?;
    }
    Ok(())
}

/// Deletes rows of missing sessions. They would belong to the next session that gets the id.
fn delete_orphans(connection: &Connection) -> rusqlite::Result<()> {
    for table in ["grants", "reminders", "waiting", "drafts", "quarantine"] {
        let sql = format!(
            "DELETE FROM {table}
             WHERE session_id IS NOT NULL AND session_id NOT IN (SELECT id FROM sessions)"
        );
        connection.execute(&sql, [])?;
    }
    Ok(())
}

fn add(
    connection: &Connection,
    session: Option<SessionId>,
    permit: QuarantinedItem,
) -> rusqlite::Result<()> {
    let sql = "INSERT INTO quarantine (session_id, permit) VALUES (?1, ?2)";
    execute(connection, sql, params![session.map(|it| it.0), JsonColumn(permit)])
}

/// The overrides of every session whose settings can be read, by session id.
fn overrides(connection: &Connection) -> rusqlite::Result<Vec<(SessionId, SessionOverrides)>> {
    query_decodable(connection, "SELECT id, overrides FROM sessions", [], |row| {
        Ok((SessionId(row.get("id")?), get_json(row, "overrides")?))
    })
}

fn entry(row: &Row) -> rusqlite::Result<QuarantineEntry> {
    let mut permit = get_json(row, "permit")?;
    let session = row.get::<_, Option<i64>>("session_id")?.map(SessionId);
    // A foreign entry may claim another scope than the one shown to the user.
    if let QuarantinedItem::Reminder { reminder } = &mut permit {
        reminder.scope = match session {
            Some(session_id) => ReminderScope::Session { session_id },
            None => ReminderScope::Everywhere {},
        };
    }
    Ok(QuarantineEntry { id: QuarantineId(row.get("id")?), session, permit })
}
