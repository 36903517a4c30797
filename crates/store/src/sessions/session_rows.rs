//! Table `sessions`. A deleted session stays until it is purged, so that deleting can be undone.
//!
//! The order of events follows from ids and from a counter of use that only grows (`sessions.used`); times
//! are only shown.

use rusqlite::{Connection, Row, params};
use skein_domain::error::Result;
use skein_domain::ids::{SessionId, ThreadId};
use skein_domain::message::ContentPart;
use skein_domain::model::ModelRef;
use skein_domain::session::{Session, SessionOverride, SessionOverrides};

use super::queued_messages;
use super::session_names::name;
use crate::db::error::{StoreError, not_found};
use crate::db::sql_types::{JsonColumn, model_columns, model_from_row};
use crate::db::statements::{execute, query_all, query_first};
use crate::db::store::Store;

/// A session to be stored.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct NewSession {
    /// `None` until it is named.
    pub title: Option<String>,
    /// `None` follows the global default.
    pub model: Option<ModelRef>,
    /// Settings that differ from the global ones.
    pub overrides: SessionOverrides,
    /// Milliseconds since the epoch.
    pub created_at: i64,
}

/// A session that was deleted and is not purged yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeletedSessionRecord {
    pub id: SessionId,
    /// Title; `None`: it has no name.
    pub title: Option<String>,
    /// Messages in all of its threads and branches.
    pub messages: u32,
    /// Time, in milliseconds since the epoch.
    pub at: i64,
}

/// A session that is not deleted, with its current thread.
const SESSION: &str = "SELECT sessions.*, threads.id AS current_thread
     FROM sessions JOIN threads ON threads.session_id = sessions.id
     WHERE threads.ended_at IS NULL AND threads.deleted_at IS NULL
       AND sessions.deleted_at IS NULL";

impl Store {
    /// Makes a session with its first, empty thread.
    pub async fn create_session(&self, new: NewSession) -> Result<Session> {
        self.write(move |tx| create(tx, new)).await
    }

    /// The first of all sessions; where there is none, this one. However many ask at once, one is
    /// made.
    pub async fn first_session(&self, new: NewSession) -> Result<Session> {
        self.write(move |tx| match all(tx)?.into_iter().next() {
            Some(first) => Ok(first),
            None => create(tx, new),
        })
        .await
    }

    /// A session with this for its composer, where it says anything: one that nobody has used yet, or a
    /// new one.
    pub async fn session_for_draft(
        &self,
        for_box: Vec<ContentPart>,
        model: Option<ModelRef>,
        now: i64,
    ) -> Result<SessionId> {
        self.write(move |tx| {
            let session = match unused(tx)? {
                Some(unused) => unused,
                None => create(tx, NewSession { created_at: now, ..NewSession::default() })?,
            };
            let id = session.id;
            let (provider, model) = model_columns(model.as_ref());
            let sql = "UPDATE sessions SET model_provider = ?2, model = ?3 WHERE id = ?1";
            tx.execute(sql, params![id.0, provider, model])?;
            touch_session(tx, session.current_thread, now)?;
            if !for_box.is_empty() {
                queued_messages::insert(tx, id, &for_box, true, now)?;
            }
            Ok(id)
        })
        .await
    }

    /// All sessions: pinned ones first, then the one that was used last.
    pub async fn sessions(&self) -> Result<Vec<Session>> {
        self.read(|tx| Ok(all(tx)?)).await
    }

    pub async fn session(&self, id: SessionId) -> Result<Session> {
        self.read(move |tx| get_session(tx, id)).await
    }

    /// Names a session; `None` takes its name away.
    pub async fn rename_session(&self, id: SessionId, title: Option<String>) -> Result<()> {
        self.change_session("UPDATE sessions SET title = ?2 WHERE id = ?1", id, title).await
    }

    /// Names a session that has no name; `false`: it has one, or is gone.
    pub async fn name_session(&self, id: SessionId, title: String) -> Result<bool> {
        self.write(move |tx| {
            let sql = "UPDATE sessions SET title = ?2 WHERE id = ?1 AND title IS NULL";
            Ok(tx.execute(sql, params![id.0, title])? > 0)
        })
        .await
    }

    /// Keeps a session at the top, or lets it go.
    pub async fn set_session_pinned(&self, id: SessionId, pinned: bool) -> Result<()> {
        self.change_session("UPDATE sessions SET pinned = ?2 WHERE id = ?1", id, pinned).await
    }

    /// Changes one thing that a session decides otherwise than the global settings.
    pub async fn set_override(&self, id: SessionId, decided: SessionOverride) -> Result<()> {
        self.write(move |tx| {
            let overrides = get_session(tx, id)?.overrides.with(decided);
            let sql = "UPDATE sessions SET overrides = ?2 WHERE id = ?1";
            tx.execute(sql, params![id.0, JsonColumn(overrides)])?;
            Ok(())
        })
        .await
    }

    /// Chooses the model of the next generation; `None` follows the global default.
    pub async fn set_session_model(&self, id: SessionId, model: Option<ModelRef>) -> Result<()> {
        self.write(move |tx| {
            let (provider, model) = model_columns(model.as_ref());
            let sql = "UPDATE sessions SET model_provider = ?2, model = ?3 WHERE id = ?1";
            let changed = tx.execute(sql, params![id.0, provider, model])?;
            if changed == 0 { Err(not_found("session")) } else { Ok(()) }
        })
        .await
    }

    /// The models that are chosen in sessions, each once.
    pub async fn chosen_models(&self) -> Result<Vec<ModelRef>> {
        self.read(|tx| {
            let sql = "SELECT DISTINCT model_provider, model FROM sessions
                       WHERE deleted_at IS NULL AND model IS NOT NULL";
            let models: Vec<_> = query_all(tx, sql, [], model_from_row)?;
            Ok(models.into_iter().flatten().collect())
        })
        .await
    }

    /// Takes sessions out of the list, all at once; [`Store::restore_sessions`] brings them back until
    /// they are purged. What is gone already stays as it is.
    pub async fn delete_sessions(&self, ids: Vec<SessionId>, now: i64) -> Result<()> {
        self.write(move |tx| {
            let sql = "UPDATE sessions SET deleted_at = ?2
                       WHERE deleted_at IS NULL AND id IN (SELECT value FROM json_each(?1))";
            tx.execute(sql, params![JsonColumn(ids), now])?;
            Ok(())
        })
        .await
    }

    /// Brings deleted sessions back, all at once; what is gone for good stays so.
    ///
    /// # Errors
    /// `NotFound` where that is each of them.
    pub async fn restore_sessions(&self, ids: Vec<SessionId>) -> Result<()> {
        self.write(move |tx| {
            let sql = "UPDATE sessions SET deleted_at = NULL
                       WHERE id NOT IN (SELECT session_id FROM arrivals)
                         AND id IN (SELECT value FROM json_each(?1))";
            let restored = tx.execute(sql, params![JsonColumn(ids)])?;
            if restored == 0 { Err(not_found("session")) } else { Ok(()) }
        })
        .await
    }

    /// The sessions that [`Store::restore_sessions`] would bring back, the latest first.
    pub async fn deleted_sessions(&self) -> Result<Vec<DeletedSessionRecord>> {
        self.read(|tx| {
            let mut statement = tx.prepare_cached(
                "SELECT id, title, deleted_at,
                   (SELECT count(*)
                    FROM messages JOIN threads ON threads.id = messages.thread_id
                    WHERE threads.session_id = sessions.id AND messages.deleted_at IS NULL
                      AND messages.beside = 0 AND messages.carried = 0) AS messages
                 FROM sessions
                 WHERE deleted_at IS NOT NULL AND id NOT IN (SELECT session_id FROM arrivals)
                 ORDER BY deleted_at DESC, id DESC",
            )?;
            let deleted = statement.query_map([], |row| {
                let id = SessionId(row.get("id")?);
                Ok(DeletedSessionRecord {
                    id,
                    title: name(tx, id, row.get("title")?)?,
                    messages: row.get("messages")?,
                    at: row.get("deleted_at")?,
                })
            })?;
            Ok(deleted.collect::<rusqlite::Result<_>>()?)
        })
        .await
    }

    /// Time of the latest message, by the clock of its writing; `None`: there is no message.
    pub async fn newest_message_at(&self) -> Result<Option<i64>> {
        self.read(|tx| {
            Ok(tx.query_row("SELECT max(created_at) FROM messages", [], |row| row.get(0))?)
        })
        .await
    }

    async fn change_session(
        &self,
        sql: &'static str,
        id: SessionId,
        value: impl rusqlite::ToSql + Send + 'static,
    ) -> Result<()> {
        self.write(move |tx| {
            let changed = tx.execute(sql, params![id.0, value])?;
            if changed == 0 { Err(not_found("session")) } else { Ok(()) }
        })
        .await
    }
}

fn create(connection: &Connection, new: NewSession) -> Result<Session, StoreError> {
    let (provider, model) = model_columns(new.model.as_ref());
    let sql = "INSERT INTO sessions
                 (title, model_provider, model, overrides, created_at, updated_at, used)
               VALUES (?1, ?2, ?3, ?4, ?5, ?5,
                       max(?5, (SELECT coalesce(min(max(used), 9223372036854775806) + 1, 0) FROM sessions)))";
    connection.execute(
        sql,
        params![new.title, provider, model, JsonColumn(&new.overrides), new.created_at],
    )?;
    let id = SessionId(connection.last_insert_rowid());
    let sql = "INSERT INTO threads (session_id, number, created_at) VALUES (?1, 1, ?2)";
    connection.execute(sql, params![id.0, new.created_at])?;
    get_session(connection, id)
}

fn all(connection: &Connection) -> rusqlite::Result<Vec<Session>> {
    query_all(
        connection,
        &format!("{SESSION} ORDER BY pinned DESC, used DESC, sessions.id DESC"),
        [],
        session,
    )
}

/// Gives a session this model where it has none of its own.
pub(crate) fn set_missing_model(
    connection: &Connection,
    id: SessionId,
    model: &ModelRef,
) -> rusqlite::Result<()> {
    let sql = "UPDATE sessions SET model_provider = ?2, model = ?3 WHERE id = ?1 AND model IS NULL";
    let (provider, model) = model_columns(Some(model));
    connection.prepare_cached(sql)?.execute(params![id.0, provider, model])?;
    Ok(())
}

/// Notes that the session of a thread is used at this moment. It was used last, though the clock may have
/// been set back since another was.
pub(crate) fn touch_session(
    connection: &Connection,
    thread: ThreadId,
    now: i64,
) -> rusqlite::Result<()> {
    let sql = "UPDATE sessions
               SET updated_at = ?2,
                   used = max(?2, (SELECT min(max(used), 9223372036854775806) + 1 FROM sessions))
               WHERE id = (SELECT session_id FROM threads WHERE id = ?1)";
    execute(connection, sql, params![thread.0, now])
}

/// The latest session in which nothing was said, written, named or decided. Its model does not
/// count: whoever takes it says which one it is to have.
fn unused(connection: &Connection) -> rusqlite::Result<Option<Session>> {
    let mut statement = connection.prepare_cached(&format!(
        "{SESSION} AND sessions.title IS NULL AND sessions.pinned = 0
           AND threads.number = 1
           AND NOT EXISTS (SELECT 1 FROM messages WHERE thread_id = threads.id)
           AND NOT EXISTS (SELECT 1 FROM drafts WHERE session_id = sessions.id)
           AND NOT EXISTS (SELECT 1 FROM waiting WHERE session_id = sessions.id)
           AND NOT EXISTS (SELECT 1 FROM reminders WHERE session_id = sessions.id)
         ORDER BY sessions.id DESC"
    ))?;
    let undecided = |found: &rusqlite::Result<Session>| {
        found.as_ref().map_or(true, |it| it.overrides == SessionOverrides::default())
    };
    statement.query_map([], session)?.find(undecided).transpose()
}

/// One session that is not deleted.
pub(crate) fn get_session(connection: &Connection, id: SessionId) -> Result<Session, StoreError> {
    let found =
        query_first(connection, &format!("{SESSION} AND sessions.id = ?1"), [id.0], session)?;
    found.ok_or_else(|| not_found("session"))
}

fn session(row: &Row) -> rusqlite::Result<Session> {
    let JsonColumn(overrides) = row.get("overrides")?;
    Ok(Session {
        id: SessionId(row.get("id")?),
        title: row.get("title")?,
        pinned: row.get("pinned")?,
        current_thread: ThreadId(row.get("current_thread")?),
        model: model_from_row(row)?,
        overrides,
        created_at: row.get("created_at")?,
        updated_at: row.get("updated_at")?,
    })
}
