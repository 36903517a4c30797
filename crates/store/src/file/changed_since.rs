//! The sessions that differ from those of an earlier backup of this database.

use std::collections::HashMap;
use std::path::Path;

use rusqlite::Connection;
use skein_domain::error::Result;
use skein_domain::ids::SessionId;

use crate::db::connections::open_reader;
use crate::db::error::error_from_sqlite;
use crate::db::statements::query_all;
use crate::db::store::Store;

/// The state of each session as one text. It names only columns of the schema of version 0.1, so that it also
/// reads a backup from before a migration. No times are compared: the clock may have been set back.
const STATES: &str = "
    SELECT s.id, json_array(
      s.title, s.pinned, s.model_provider, s.model, s.overrides, s.updated_at,
      (SELECT json_array(count(*), max(m.id), total(m.revision), count(m.deleted_at),
          group_concat(CASE WHEN m.pinned + m.left_out THEN m.id * 2 + m.left_out END ORDER BY m.id))
         FROM messages m JOIN threads t ON t.id = m.thread_id WHERE t.session_id = s.id),
      (SELECT json_array(count(*), max(p.id))
         FROM points p JOIN threads t ON t.id = p.thread_id WHERE t.session_id = s.id),
      (SELECT json_array(count(*), max(t.id), total(t.leaf_id)) FROM threads t WHERE t.session_id = s.id),
      (SELECT json_array(d.text, d.attachments) FROM drafts d WHERE d.session_id = s.id),
      (SELECT json_array(count(*), max(w.id)) FROM waiting w WHERE w.session_id = s.id),
      (SELECT json_array(count(*), max(r.id), max(r.updated_at)) FROM reminders r WHERE r.session_id = s.id))
    FROM sessions s WHERE s.deleted_at IS NULL";

impl Store {
    /// The sessions of the sidebar that are new or different since this backup was made.
    ///
    /// # Errors
    /// Those of reading either file.
    pub async fn sessions_changed_since(&self, backup: &Path) -> Result<Vec<SessionId>> {
        let shown: Vec<_> = self.sessions().await?.into_iter().map(|session| session.id).collect();
        let backup = backup.to_owned();
        self.off_thread(move |inner| {
            let now = inner.read_snapshot(|tx| states(tx, &inner.path))?;
            let then = states(&open_reader(&backup)?, &backup)?;
            let changed = |id: &SessionId| now.get(&id.0) != then.get(&id.0);
            Ok(shown.into_iter().filter(changed).collect())
        })
        .await
    }
}

fn states(connection: &Connection, path: &Path) -> Result<HashMap<i64, String>> {
    let states = query_all(connection, STATES, [], |row| Ok((row.get(0)?, row.get(1)?)));
    states.map_err(|error| error_from_sqlite(&error, path))
}
