//! What a session is called wherever it is shown: by its title, or until it has one, by the words the
//! person began it with. What nobody has written a word in has no name.

use std::collections::HashMap;

use rusqlite::{OptionalExtension, Row};
use skein_context::session::SessionId;
use skein_context::summary::opening;

use super::Store;
use crate::error::Result;

/// The column `opening` of a session without a title: what its first thread begins with, as it was
/// written last. No more of it is read than a name can take.
pub(super) const OPENING: &str = r#"CASE WHEN sessions.title IS NULL THEN (
    SELECT substr(ltrim(words.text, char(9, 10, 13, 32)), 1, 400)
    FROM threads AS stretches
      CROSS JOIN messages AS roots ON roots.thread_id = stretches.id AND roots.parent_id IS NULL
      CROSS JOIN parts AS words ON words.message_id = roots.id
    WHERE stretches.session_id = sessions.id AND stretches.deleted_at IS NULL
      AND roots.deleted_at IS NULL AND roots.origin = 'person' AND roots.kind = '{"type":"chat"}'
      AND words.kind = 'text' AND trim(words.text, char(9, 10, 13, 32)) <> ''
    ORDER BY stretches.number, roots.id DESC, words.position LIMIT 1) END AS opening"#;

/// What the session of a row with `title` and `opening` is called.
pub(super) fn name(row: &Row) -> rusqlite::Result<Option<String>> {
    let title: Option<String> = row.get("title")?;
    let words: Option<String> = row.get("opening")?;
    Ok(title.or_else(|| opening(&words?)))
}

impl Store {
    /// What each session is called that has a name and is not deleted.
    pub async fn names(&self) -> Result<HashMap<SessionId, String>> {
        self.read(|tx| {
            let mut statement = tx.prepare_cached(&format!(
                "SELECT id, title, {OPENING} FROM sessions WHERE deleted_at IS NULL"
            ))?;
            let named =
                statement.query_map([], |row| Ok((SessionId(row.get("id")?), name(row)?)))?;
            named
                .filter_map(|named| named.map(|(id, name)| Some((id, name?))).transpose())
                .collect::<rusqlite::Result<_>>()
                .map_err(Into::into)
        })
        .await
    }

    /// What one session is called; `None` where it has no name yet.
    pub async fn name(&self, id: SessionId) -> Result<Option<String>> {
        self.read(move |tx| {
            let sql = format!("SELECT title, {OPENING} FROM sessions WHERE id = ?1");
            Ok(tx.prepare_cached(&sql)?.query_row([id.0], name).optional()?.flatten())
        })
        .await
    }
}
