//! Table `quarantine`: what a database from elsewhere would allow, until the user decides on each of it.
//!
//! A file belongs to this installation where it has the installation's id, which is also kept outside of it
//! (`Places::installation`). One that was restored, or put into the folder by hand, has another id or none:
//! in the transaction that gives it this one, everything in it that would act without a question leaves the
//! tables in which it acts. Nothing of it is dropped, and a yes puts it back as it was.
//!
//! If `SKEIN_DATA_DIR` puts everything in one folder, whoever hands over the folder hands over the
//! installation's id too.
//!
//! Not here: the schema of such a file (`schema`), and what a folder or a permission then opens (`tools`).

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
use crate::db::sql_types::JsonColumn;
use crate::db::statements::{execute, query_first};
use crate::db::store::Store;
use crate::sessions::reminders;

/// An entry of the quarantine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, Type)]
pub struct QuarantineId(pub i64);

/// A permission in a foreign database: with it, something would act without a question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum QuarantinedItem {
    /// A tool that runs without being asked about.
    Grant {
        /// The permission.
        tool: GrantKey,
        /// Milliseconds since the epoch.
        granted_at: i64,
    },
    /// A folder that the tools of a session may touch.
    Folder {
        /// Its path.
        path: String,
    },
    /// A reminder that every session is given.
    Reminder {
        /// As it was.
        reminder: Reminder,
    },
}

/// Something that the user has not decided on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct QuarantineEntry {
    /// Its id.
    pub id: QuarantineId,
    /// In which session it would hold; `None`: in every one.
    pub session: Option<SessionId>,
    /// The permission it asks for.
    pub permit: QuarantinedItem,
}

/// The user's decision on an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum QuarantineDecision {
    /// It holds again.
    Allow,
    /// It does not, and is not asked about again.
    Decline,
    /// It is asked about again.
    Reopen,
}

impl Store {
    /// Undecided entries, in the order they were found. An unreadable entry grants nothing and does not
    /// block the others, since a stranger may have written it.
    pub async fn quarantine(&self) -> Result<Vec<QuarantineEntry>> {
        self.read(|tx| {
            let mut statement =
                tx.prepare_cached("SELECT * FROM quarantine WHERE declined = 0 ORDER BY id")?;
            let found = statement.query_map([], |row| Ok(entry(row).ok()))?;
            let found = found.collect::<rusqlite::Result<Vec<_>>>()?;
            Ok(found.into_iter().flatten().collect())
        })
        .await
    }

    /// Decides on all of these at once.
    ///
    /// # Errors
    /// `NotFound` where one of them is no longer there; nothing is decided then.
    pub async fn decide_quarantine(
        &self,
        ids: Vec<QuarantineId>,
        decision: QuarantineDecision,
    ) -> Result<()> {
        self.write_surely(move |tx| {
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
            put_back(connection, found)?;
            connection.execute("DELETE FROM quarantine WHERE id = ?1", [id.0])?;
            return Ok(());
        }
        QuarantineDecision::Decline => true,
        QuarantineDecision::Reopen => false,
    };
    let sql = "UPDATE quarantine SET declined = ?2 WHERE id = ?1";
    connection.execute(sql, params![id.0, declined])?;
    Ok(())
}

/// Restores the permission of an entry.
fn put_back(connection: &Connection, entry: QuarantineEntry) -> Result<(), StoreError> {
    let session = entry.session.map(|session| session.0);
    match entry.permit {
        QuarantinedItem::Grant { tool, granted_at } => {
            let sql =
                "INSERT OR IGNORE INTO grants (session_id, tool, granted_at) VALUES (?1, ?2, ?3)";
            connection.execute(sql, params![session, tool.as_str(), granted_at])?;
        }
        // A folder that was chosen since is the newer word.
        QuarantinedItem::Folder { path } => {
            for (id, mut overrides) in overrides(connection)? {
                if Some(id) == session && overrides.folder.is_none() {
                    overrides.folder = Some(path.clone());
                    set_overrides(connection, id, overrides)?;
                }
            }
        }
        QuarantinedItem::Reminder { reminder } => {
            reminders::restore_with_new_id(connection, &reminder)?
        }
    }
    Ok(())
}

/// Reads the id of this installation, and makes one where there is none.
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
    // Without it the next start asks once more, which is no reason not to start.
    if let Err(error) = atomic_file::write_private(&path, id.as_bytes()) {
        tracing::warn!(%error, "the id of this installation is not kept");
    }
    Ok(id)
}

/// The id of this installation as it is kept; `None`: none is.
fn stored_id(places: &AppPaths) -> Option<String> {
    let kept = fs::read_to_string(places.installation()).unwrap_or_default();
    let kept = kept.trim();
    let is_id = kept.len() == 32 && kept.bytes().all(|it| it.is_ascii_hexdigit());
    is_id.then(|| kept.to_owned())
}

/// Which installation wrote a database, and in which state it was before migration.
pub(crate) struct DatabaseOrigin {
    /// Its format; 0: it was made just now.
    pub version: u32,
    /// Whether its format was one in which a database has the id of its installation.
    pub has_id: bool,
    /// Whether a database was open in this folder before, and nothing has taken its place since.
    pub was_open: bool,
}

/// Whether a database that is not migrated yet is another installation's, or nobody knows whose.
pub(crate) fn is_from_elsewhere(
    connection: &Connection,
    places: &AppPaths,
    before: &DatabaseOrigin,
) -> rusqlite::Result<bool> {
    let id = stored_id(places);
    if before.version == 0 || before.has_id && has_this_id(connection, id.as_deref())? {
        return Ok(false);
    }
    // Before the first start with a version that knows of this, no installation had an id.
    let is_update = id.is_none() && before.was_open && !before.has_id;
    Ok(!is_update)
}

fn has_this_id(connection: &Connection, id: Option<&str>) -> rusqlite::Result<bool> {
    let sql = "SELECT count(*) = 1 AND max(id) = ?1 FROM installation";
    let is_it: Option<bool> = connection.query_row(sql, [id], |row| row.get(0))?;
    Ok(is_it == Some(true))
}

/// Makes a database this installation's own. What one from elsewhere would allow goes into the quarantine.
pub(crate) fn adopt_database(
    connection: &Connection,
    id: &str,
    from_elsewhere: bool,
) -> Result<(), StoreError> {
    if has_this_id(connection, Some(id))? {
        return Ok(());
    }
    if from_elsewhere {
        seize(connection)?;
    }
    connection.execute("DELETE FROM installation", [])?;
    connection.execute("INSERT INTO installation (id) VALUES (?1)", [id])?;
    Ok(())
}

/// Has the next start take a database for one from elsewhere: a file that is restored says of itself what
/// somebody wrote there.
pub(crate) fn clear_installation(connection: &Connection) -> rusqlite::Result<()> {
    if has_id(connection)? {
        connection.execute("DELETE FROM installation", [])?;
    }
    Ok(())
}

/// Whether databases of this format have the id of their installation.
pub(crate) fn has_id(connection: &Connection) -> rusqlite::Result<bool> {
    let sql =
        "SELECT count(*) > 0 FROM sqlite_schema WHERE type = 'table' AND name = 'installation'";
    connection.query_row(sql, [], |row| row.get(0))
}

/// Takes everything that would act without a question out of the tables in which it acts.
fn seize(connection: &Connection) -> Result<(), StoreError> {
    drop_ownerless(connection)?;
    let mut grants = connection.prepare("SELECT * FROM grants ORDER BY id")?;
    let grants = grants.query_map([], |row| {
        let permit = QuarantinedItem::Grant {
            tool: GrantKey::new(row.get::<_, String>("tool")?),
            granted_at: row.get("granted_at")?,
        };
        Ok((row.get::<_, Option<i64>>("session_id")?, permit))
    })?;
    for (session, permit) in grants.collect::<rusqlite::Result<Vec<_>>>()? {
        add(connection, session, permit)?;
    }
    connection.execute("DELETE FROM grants", [])?;
    for (id, mut overrides) in overrides(connection)? {
        if let Some(path) = overrides.folder.take() {
            add(connection, Some(id), QuarantinedItem::Folder { path })?;
            set_overrides(connection, id, overrides)?;
        }
    }
    seize_unreadable(connection)?;
    for reminder in reminders::global_reminders(connection)? {
        add(connection, None, QuarantinedItem::Reminder { reminder })?;
    }
    connection.execute("DELETE FROM reminders WHERE session_id IS NULL", [])?;
    // Sent by the user alone, as what waited in an imported file.
    connection.execute("UPDATE waiting SET for_box = 1", [])?;
    Ok(())
}

/// Takes the folders out of what no version until now reads: the next one may.
fn seize_unreadable(connection: &Connection) -> rusqlite::Result<()> {
    let mut statement = connection.prepare("SELECT id, overrides FROM sessions")?;
    let found = statement.query_map([], |row| Ok((row.get("id")?, row.get("overrides")?)))?;
    for (id, text) in found.collect::<rusqlite::Result<Vec<(i64, String)>>>()? {
        let is_read = serde_json::from_str::<SessionOverrides>(&text).is_ok();
        let fields = serde_json::from_str::<Map<String, Value>>(&text).ok().filter(|_| !is_read);
        let Some(mut fields) = fields else { continue };
        if let Some(Value::String(path)) = fields.remove("folder") {
            add(connection, Some(id), QuarantinedItem::Folder { path })?;
        }
        let sql = "UPDATE sessions SET overrides = ?2 WHERE id = ?1";
        execute(connection, sql, params![id, JsonColumn(fields)])?;
    }
    Ok(())
}

/// Rows of a session that is not there belong to nothing that can be opened. They would belong to the next
/// session that is given the number.
fn drop_ownerless(connection: &Connection) -> rusqlite::Result<()> {
    for table in ["grants", "reminders", "waiting", "drafts", "quarantine"] {
        connection.execute(
            &format!(
                "DELETE FROM {table}
                 WHERE session_id IS NOT NULL AND session_id NOT IN (SELECT id FROM sessions)"
            ),
            [],
        )?;
    }
    Ok(())
}

fn add(
    connection: &Connection,
    session: Option<i64>,
    permit: QuarantinedItem,
) -> rusqlite::Result<()> {
    let sql = "INSERT INTO quarantine (session_id, permit) VALUES (?1, ?2)";
    execute(connection, sql, params![session, JsonColumn(permit)])
}

/// The overrides of every session whose settings can be read, by session id.
fn overrides(connection: &Connection) -> rusqlite::Result<Vec<(i64, SessionOverrides)>> {
    let mut statement = connection.prepare_cached("SELECT id, overrides FROM sessions")?;
    let read = |row: &Row| {
        let overrides = row.get("overrides").map_or(None, |JsonColumn(overrides)| Some(overrides));
        Ok((row.get("id")?, overrides))
    };
    let found = statement.query_map([], read)?.collect::<rusqlite::Result<Vec<_>>>()?;
    Ok(found.into_iter().filter_map(|(id, overrides)| Some((id, overrides?))).collect())
}

fn set_overrides(
    connection: &Connection,
    id: i64,
    overrides: SessionOverrides,
) -> rusqlite::Result<()> {
    let sql = "UPDATE sessions SET overrides = ?2 WHERE id = ?1";
    execute(connection, sql, params![id, JsonColumn(overrides)])
}

fn entry(row: &Row) -> rusqlite::Result<QuarantineEntry> {
    let JsonColumn(mut permit) = row.get("permit")?;
    let session = row.get::<_, Option<i64>>("session_id")?.map(SessionId);
    // Somebody else may have written the entry: it holds where the user is told that it does.
    if let QuarantinedItem::Reminder { reminder } = &mut permit {
        reminder.scope = match session {
            Some(session_id) => ReminderScope::Session { session_id },
            None => ReminderScope::Everywhere {},
        };
    }
    Ok(QuarantineEntry { id: QuarantineId(row.get("id")?), session, permit })
}
