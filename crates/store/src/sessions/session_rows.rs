//! Table `sessions`. A deleted session stays until it is purged, so that deleting can be undone.
//!
//! Events are ordered by ids and by a growing counter (`sessions.used`); times are for display
//! only.

use rusqlite::{Connection, Row, params};
use serde::{Deserialize, Serialize};
use skein_domain::error::Result;
use skein_domain::ids::{SessionId, ThreadId};
use skein_domain::message::ContentPart;
use skein_domain::model::ModelRef;
use skein_domain::session::{Session, SessionOverride, SessionOverrides, ThreadStart};
use specta::Type;

use super::purge::DELETION_LIFETIME;
use super::session_names::name;
use super::{queued_messages, thread_rows};
use crate::db::error::{StoreError, not_found};
use crate::db::sql_types::{JsonColumn, get_json, model_columns, model_from_row};
use crate::db::statements::{execute, query_all, query_first};
use crate::db::store::Store;

#[derive(Debug, Clone, Default, PartialEq)]
pub struct NewSession {
    /// `None` until it is named.
    pub title: Option<String>,
    /// `None` follows the global default.
    pub model: Option<ModelRef>,
    /// Settings that differ from the global ones.
    pub overrides: SessionOverrides,
    /// In milliseconds since the epoch.
    pub created_at: i64,
}

/// A deleted session that can be restored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct DeletedSession {
    /// Key.
    pub id: SessionId,
    /// The title of the session; `None`: it has none.
    pub title: Option<String>,
    /// The number of messages in all of its threads and branches.
    pub messages: u32,
    /// Milliseconds since the epoch.
    pub deleted_at: i64,
    /// Milliseconds since the epoch; the first start after it deletes the session permanently.
    pub kept_until: i64,
}

/// A session that is not deleted, with its current thread.
const SESSION: &str = "SELECT sessions.*, threads.id AS current_thread
     FROM sessions JOIN threads ON threads.session_id = sessions.id
     WHERE threads.ended_at IS NULL AND threads.deleted_at IS NULL
       AND sessions.deleted_at IS NULL";

impl Store {
    /// Creates a session with its first, empty thread.
    pub async fn create_session(&self, new: NewSession) -> Result<Session> {
        self.write(move |tx| create(tx, new)).await
    }

    /// The oldest session; created from `new` if there is none. Concurrent calls create one session
    /// only.
    pub async fn first_session(&self, new: NewSession) -> Result<Session> {
        self.write(move |tx| match all(tx)?.into_iter().next() {
            Some(first) => Ok(first),
            None => create(tx, new),
        })
        .await
    }

    /// A session whose composer will get these parts, if there are any: an unused one, or a new
    /// one.
    pub async fn session_for_draft(
        &self,
        for_box: Vec<ContentPart>,
        model: Option<ModelRef>,
        now: i64,
    ) -> Result<SessionId> {
        self.write(move |tx| {
            let session = unused_or_new(tx, now)?;
            let id = session.id;
            set_model(tx, id, model.as_ref())?;
            touch_session(tx, session.current_thread, now)?;
            if !for_box.is_empty() {
                queued_messages::insert_for_composer(tx, id, &for_box, now)?;
            }
            Ok(id)
        })
        .await
    }

    /// An unused session, or a new one. The model of an unused one stays.
    pub async fn unused_session(&self, now: i64) -> Result<SessionId> {
        self.write(move |tx| Ok(unused_or_new(tx, now)?.id)).await
    }

    /// All sessions: pinned ones first, then the last used one.
    pub async fn sessions(&self) -> Result<Vec<Session>> {
        self.read(|tx| Ok(all(tx)?)).await
    }

    pub async fn session(&self, id: SessionId) -> Result<Session> {
        self.read(move |tx| get_session(tx, id)).await
    }

    /// Sets the title of a session; `None` removes it.
    pub async fn rename_session(&self, id: SessionId, title: Option<String>) -> Result<()> {
        let sql = "UPDATE sessions SET title = ?2 WHERE id = ?1";
        self.write_existing("session", sql, (id.0, title)).await
    }

    /// Names a session without a title; false if it has one, or is gone.
    pub async fn name_session(&self, id: SessionId, title: String) -> Result<bool> {
        let sql = "UPDATE sessions SET title = ?2 WHERE id = ?1 AND title IS NULL";
        Ok(self.write_rows(sql, (id.0, title)).await? > 0)
    }

    pub async fn set_session_pinned(&self, id: SessionId, pinned: bool) -> Result<()> {
        let sql = "UPDATE sessions SET pinned = ?2 WHERE id = ?1";
        self.write_existing("session", sql, (id.0, pinned)).await
    }

    /// Changes one setting of a session.
    pub async fn set_override(&self, id: SessionId, decided: SessionOverride) -> Result<()> {
        self.write(move |tx| {
            let overrides = get_session(tx, id)?.overrides.with(decided);
            Ok(set_overrides(tx, id, &overrides)?)
        })
        .await
    }

    /// Sets the model of the next generation; `None` follows the global default.
    pub async fn set_session_model(&self, id: SessionId, model: Option<ModelRef>) -> Result<()> {
        self.write(move |tx| {
            let changed = set_model(tx, id, model.as_ref())?;
            if changed == 0 { Err(not_found("session")) } else { Ok(()) }
        })
        .await
    }

    /// The models chosen in sessions, without duplicates.
    pub async fn chosen_models(&self) -> Result<Vec<ModelRef>> {
        self.read(|tx| {
            let sql = "SELECT DISTINCT model_provider, model FROM sessions
                       WHERE deleted_at IS NULL AND model IS NOT NULL";
            let models: Vec<_> = query_all(tx, sql, [], model_from_row)?;
            Ok(models.into_iter().flatten().collect())
        })
        .await
    }

    /// Deletes sessions, all at once. [`Store::restore_sessions`] restores them until they are
    /// purged. Deleted ones stay as they are.
    pub async fn delete_sessions(&self, ids: Vec<SessionId>, now: i64) -> Result<()> {
        let sql = "UPDATE sessions SET deleted_at = ?2
                   WHERE deleted_at IS NULL AND id IN (SELECT value FROM json_each(?1))";
        self.write_rows(sql, (JsonColumn(ids), now)).await.map(drop)
    }

    /// Restores deleted sessions, all at once. Purged ones are skipped.
    ///
    /// # Errors
    /// `NotFound` if all of them are purged.
    pub async fn restore_sessions(&self, ids: Vec<SessionId>) -> Result<()> {
        let sql = "UPDATE sessions SET deleted_at = NULL
                   WHERE id NOT IN (SELECT session_id FROM arrivals)
                     AND id IN (SELECT value FROM json_each(?1))";
        self.write_existing("session", sql, [JsonColumn(ids)]).await
    }

    /// The sessions that [`Store::restore_sessions`] can restore, latest first.
    pub async fn deleted_sessions(&self) -> Result<Vec<DeletedSession>> {
        self.read(|tx| {
            let sql = "SELECT id, title, deleted_at,
                              (SELECT count(*)
                               FROM messages JOIN threads ON threads.id = messages.thread_id
                               WHERE threads.session_id = sessions.id AND messages.deleted_at IS NULL
                                 AND messages.beside = 0 AND messages.carried = 0) AS messages
                       FROM sessions
                       WHERE deleted_at IS NOT NULL AND id NOT IN (SELECT session_id FROM arrivals)
                       ORDER BY deleted_at DESC, id DESC";
            Ok(query_all(tx, sql, [], |row| {
                let id = SessionId(row.get("id")?);
                let deleted_at: i64 = row.get("deleted_at")?;
                Ok(DeletedSession {
                    id,
                    title: name(tx, id, row.get("title")?)?,
                    messages: row.get("messages")?,
                    deleted_at,
                    kept_until: deleted_at + DELETION_LIFETIME,
                })
            })?)
        })
        .await
    }

    /// The time of the latest message, by the clock at its writing; `None` if there is none.
    pub async fn newest_message_at(&self) -> Result<Option<i64>> {
        let newest = self.read_row("SELECT max(created_at) FROM messages", [], |row| row.get(0));
        Ok(newest.await?.flatten())
    }
}

fn create(tx: &Connection, new: NewSession) -> Result<Session, StoreError> {
    let (provider, model) = model_columns(new.model.as_ref());
    let sql = "INSERT INTO sessions
                 (title, model_provider, model, overrides, created_at, updated_at, used)
               VALUES (?1, ?2, ?3, ?4, ?5, ?5,
                       max(?5, (SELECT coalesce(min(max(used), 9223372036854775806) + 1, 0) FROM sessions)))";
    tx.execute(
        sql,
        params![new.title, provider, model, JsonColumn(&new.overrides), new.created_at],
    )?;
    let id = SessionId(tx.last_insert_rowid());
    thread_rows::insert(tx, id, &ThreadStart::First {}, new.created_at, None)?;
    get_session(tx, id)
}

fn all(tx: &Connection) -> rusqlite::Result<Vec<Session>> {
    query_all(
        tx,
        &format!("{SESSION} ORDER BY pinned DESC, used DESC, sessions.id DESC"),
        [],
        session,
    )
}

/// Sets the model of a session that has none.
pub(crate) fn set_missing_model(
    tx: &Connection,
    id: SessionId,
    model: &ModelRef,
) -> rusqlite::Result<()> {
    let sql = "UPDATE sessions SET model_provider = ?2, model = ?3 WHERE id = ?1 AND model IS NULL";
    let (provider, model) = model_columns(Some(model));
    execute(tx, sql, params![id.0, provider, model])
}

/// Sets or removes the model of a session; returns the number of changed sessions.
fn set_model(tx: &Connection, id: SessionId, model: Option<&ModelRef>) -> rusqlite::Result<usize> {
    let (provider, model) = model_columns(model);
    let sql = "UPDATE sessions SET model_provider = ?2, model = ?3 WHERE id = ?1";
    tx.execute(sql, params![id.0, provider, model])
}

pub(crate) fn set_overrides(
    tx: &Connection,
    id: SessionId,
    overrides: &impl Serialize,
) -> rusqlite::Result<()> {
    let sql = "UPDATE sessions SET overrides = ?2 WHERE id = ?1";
    execute(tx, sql, params![id.0, JsonColumn(overrides)])
}

/// Marks the session of a thread as the last used one, even if the clock was set back.
pub(crate) fn touch_session(tx: &Connection, thread: ThreadId, now: i64) -> rusqlite::Result<()> {
    let sql = "UPDATE sessions
               SET updated_at = ?2,
                   used = max(?2, (SELECT min(max(used), 9223372036854775806) + 1 FROM sessions))
               WHERE id = (SELECT session_id FROM threads WHERE id = ?1)";
    execute(tx, sql, params![thread.0, now])
}

fn unused_or_new(tx: &Connection, now: i64) -> Result<Session, StoreError> {
    match unused_session(tx)? {
        Some(unused) => Ok(unused),
        None => create(tx, NewSession { created_at: now, ..NewSession::default() }),
    }
}

/// The latest session without messages, drafts, a title or settings. Its model does not count.
fn unused_session(tx: &Connection) -> rusqlite::Result<Option<Session>> {
    let mut statement = tx.prepare_cached(&format!(
        "{SESSION} AND sessions.title IS NULL AND sessions.pinned = 0
           AND threads.number = 1
           AND NOT EXISTS (SELECT 1 FROM messages WHERE thread_id = threads.id)
           AND NOT EXISTS (SELECT 1 FROM drafts WHERE session_id = sessions.id)
           AND NOT EXISTS (SELECT 1 FROM waiting WHERE session_id = sessions.id)
           AND NOT EXISTS (SELECT 1 FROM reminders WHERE session_id = sessions.id)
         ORDER BY sessions.id DESC"
    ))?;
    let undecided = |row: &rusqlite::Result<Session>| {
        row.as_ref().map_or(true, |it| it.overrides == SessionOverrides::default())
    };
    statement.query_map([], session)?.find(undecided).transpose()
}

pub(crate) fn get_session(tx: &Connection, id: SessionId) -> Result<Session, StoreError> {
    let found = query_first(tx, &format!("{SESSION} AND sessions.id = ?1"), [id.0], session)?;
    found.ok_or_else(|| not_found("session"))
}

fn session(row: &Row) -> rusqlite::Result<Session> {
    Ok(Session {
        id: SessionId(row.get("id")?),
        title: row.get("title")?,
        pinned: row.get("pinned")?,
        current_thread: ThreadId(row.get("current_thread")?),
        model: model_from_row(row)?,
        overrides: get_json(row, "overrides")?,
        created_at: row.get("created_at")?,
        updated_at: row.get("updated_at")?,
    })
}
