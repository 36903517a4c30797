//! The display name of a session: its title, or else the beginning of its first user message. A
//! session without text has no name.

use std::collections::HashMap;

use rusqlite::Connection;
use skein_context::summary::provisional_title;
use skein_domain::error::Result;
use skein_domain::ids::SessionId;

use crate::content::first_line::first_line_of_part;
use crate::db::statements::{query_all, query_first};
use crate::db::store::Store;

/// The texts that may name a session, in order of preference: the first messages of its first
/// thread in their latest version. Only ids are read here, because a text may have megabytes.
const NAMING_TEXTS: &str = r#"
    SELECT words.id
    FROM threads AS stretches
      CROSS JOIN messages AS roots ON roots.thread_id = stretches.id AND roots.parent_id IS NULL
      CROSS JOIN parts AS words ON words.message_id = roots.id
    WHERE stretches.session_id = ?1 AND stretches.deleted_at IS NULL
      AND roots.deleted_at IS NULL AND roots.origin = 'person' AND roots.kind = '{"type":"chat"}'
      AND words.kind = 'text'
    ORDER BY stretches.number, roots.id DESC, words.position"#;

/// The name of a session: its title, or else the beginning of its first message.
pub(crate) fn name(
    tx: &Connection,
    id: SessionId,
    title: Option<String>,
) -> rusqlite::Result<Option<String>> {
    title.map_or_else(|| first_line_of_session(tx, id), |title| Ok(Some(title)))
}

/// The first line that is not blank, read without the rest of the text.
fn first_line_of_session(tx: &Connection, id: SessionId) -> rusqlite::Result<Option<String>> {
    let mut openings = tx.prepare_cached(NAMING_TEXTS)?;
    let mut rows = openings.query([id.0])?;
    while let Some(row) = rows.next()? {
        let line = first_line_of_part(tx, row.get("id")?)?;
        if let Some(name) = provisional_title(&line) {
            return Ok(Some(name));
        }
    }
    Ok(None)
}

impl Store {
    /// The names of all sessions that have one and are not deleted, by session id.
    pub async fn session_names(&self) -> Result<HashMap<SessionId, String>> {
        self.read(|tx| {
            let sql = "SELECT id, title FROM sessions WHERE deleted_at IS NULL";
            let named: Vec<_> = query_all(tx, sql, [], |row| {
                let id = SessionId(row.get("id")?);
                Ok((id, name(tx, id, row.get("title")?)?))
            })?;
            Ok(named.into_iter().filter_map(|(id, name)| Some((id, name?))).collect())
        })
        .await
    }

    /// The name of a session; `None` if it has none yet.
    pub async fn session_name(&self, id: SessionId) -> Result<Option<String>> {
        self.read(move |tx| {
            let sql = "SELECT title FROM sessions WHERE id = ?1";
            Ok(query_first(tx, sql, [id.0], |row| name(tx, id, row.get("title")?))?.flatten())
        })
        .await
    }
}
