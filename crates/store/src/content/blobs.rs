//! Table `blobs`: the bytes of attachments and of tools' pictures, each stored once.

use std::ops::Range;

use rusqlite::{Connection, params};
use sha2::{Digest, Sha256};
use skein_domain::error::Result;
use skein_domain::ids::{BlobId, SessionId};

use crate::db::error::not_found;
use crate::db::sql_types::JsonColumn;
use crate::db::statements::{execute, query_all, query_first, query_one};
use crate::db::store::Store;

impl Store {
    /// Stores bytes and returns their key, which is a hash: the same bytes have the same key.
    pub async fn put_blob(&self, bytes: Vec<u8>, now: i64) -> Result<BlobId> {
        self.write(move |tx| Ok(insert(tx, &bytes, now)?)).await
    }

    /// The bytes of an attachment.
    pub async fn blob(&self, id: BlobId) -> Result<Vec<u8>> {
        self.read(move |tx| {
            let sql = "SELECT bytes FROM blobs WHERE id = ?1";
            let bytes = query_first(tx, sql, [id.0], |row| row.get(0))?;
            bytes.ok_or_else(|| not_found("attachment"))
        })
        .await
    }
}

/// Stores bytes once and renews their time.
pub(crate) fn insert(tx: &Connection, bytes: &[u8], now: i64) -> rusqlite::Result<BlobId> {
    insert_once(tx, bytes, now, "DO UPDATE SET created_at = excluded.created_at")
}

/// Stores bytes of an import. Bytes that existed before keep their time, so that discarding the
/// import does not remove them.
pub(crate) fn insert_imported(tx: &Connection, bytes: &[u8], now: i64) -> rusqlite::Result<BlobId> {
    insert_once(tx, bytes, now, "DO NOTHING")
}

fn insert_once(
    tx: &Connection,
    bytes: &[u8],
    now: i64,
    on_conflict: &str,
) -> rusqlite::Result<BlobId> {
    let digest = Sha256::digest(bytes);
    let sql = format!(
        "INSERT INTO blobs (sha256, bytes, created_at) VALUES (?1, ?2, ?3)
         ON CONFLICT (sha256) {on_conflict}"
    );
    execute(tx, &sql, params![digest.as_slice(), bytes, now])?;
    let sql = "SELECT id FROM blobs WHERE sha256 = ?1";
    query_one(tx, sql, [digest.as_slice()], |row| row.get(0).map(BlobId))
}

const SWEEP: &str = "
    DELETE FROM blobs WHERE created_at >= ?1 AND created_at < ?2
      AND NOT EXISTS (SELECT 1 FROM parts WHERE parts.blob_id = blobs.id)
      AND id NOT IN (SELECT picture.value ->> '$.blob'
                     FROM parts, json_each(parts.rest, '$.call.state.output.pictures') AS picture
                     WHERE parts.kind = 'tool'
                       AND json_type(parts.rest, '$.call.state.output.pictures') IS NOT NULL)
      AND id NOT IN (SELECT attachment.value ->> '$.blob'
                     FROM drafts, json_each(drafts.attachments) AS attachment)
      AND id NOT IN (SELECT attachment.value ->> '$.blob'
                     FROM edits, json_each(edits.attachments) AS attachment
                     WHERE edits.attachments IS NOT NULL)
      AND id NOT IN (SELECT part.value ->> '$.blob'
                     FROM waiting, json_each(waiting.parts) AS part
                     WHERE part.value ->> '$.blob' IS NOT NULL)";

/// The ids of the blobs that messages, drafts and queued messages of a session refer to.
const BLOBS_OF_SESSION: &str = "
    SELECT parts.blob_id
    FROM threads JOIN messages ON messages.thread_id = threads.id
      JOIN parts ON parts.message_id = messages.id
    WHERE threads.session_id = ?1 AND parts.blob_id IS NOT NULL
    UNION
    SELECT picture.value ->> '$.blob'
    FROM threads JOIN messages ON messages.thread_id = threads.id
      JOIN parts ON parts.message_id = messages.id,
      json_each(parts.rest, '$.call.state.output.pictures') AS picture
    WHERE threads.session_id = ?1 AND parts.kind = 'tool'
      AND json_type(parts.rest, '$.call.state.output.pictures') IS NOT NULL
    UNION
    SELECT attachment.value ->> '$.blob'
    FROM drafts, json_each(drafts.attachments) AS attachment
    WHERE drafts.session_id = ?1
    UNION
    SELECT attachment.value ->> '$.blob'
    FROM threads JOIN messages ON messages.thread_id = threads.id
      JOIN edits ON edits.message_id = messages.id, json_each(edits.attachments) AS attachment
    WHERE threads.session_id = ?1 AND edits.attachments IS NOT NULL
    UNION
    SELECT part.value ->> '$.blob'
    FROM waiting, json_each(waiting.parts) AS part
    WHERE waiting.session_id = ?1 AND part.value ->> '$.blob' IS NOT NULL";

/// The blobs that a session refers to, including those that other sessions use as well.
pub(crate) fn blobs_of_session(
    tx: &Connection,
    session: SessionId,
) -> rusqlite::Result<Vec<BlobId>> {
    query_all(tx, BLOBS_OF_SESSION, [session.0], |row| row.get(0).map(BlobId))
}

/// Deletes those of these blobs that were stored within a time range and are unreferenced.
pub(crate) fn delete_unreferenced_of(
    tx: &Connection,
    these: Vec<BlobId>,
    came: Range<i64>,
) -> rusqlite::Result<()> {
    let sql = format!("{SWEEP} AND id IN (SELECT value FROM json_each(?3))");
    execute(tx, &sql, params![came.start, came.end, JsonColumn(these)])
}

/// Deletes all blobs that were stored within a time range and that no message, queued message or
/// draft refers to.
pub(crate) fn delete_unreferenced(tx: &Connection, came: Range<i64>) -> rusqlite::Result<()> {
    execute(tx, SWEEP, [came.start, came.end])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::content::{requests, tool_outputs};
    use crate::sessions::purge;
    use skein_platform::paths::AppPaths;

    #[test]
    fn what_is_swept_is_found_without_walking_over_the_rest() {
        let folder = tempfile::tempdir().unwrap();
        let places = AppPaths::in_folder(folder.path());
        drop(Store::open(&places, 0).unwrap());
        let raw = Connection::open(places.database()).unwrap();
        let sweeps = [
            (SWEEP, vec!["blobs USING INDEX blobs_by_time", "parts USING INDEX parts_pictured"]),
            (tool_outputs::SWEEP, vec!["outputs USING INDEX outputs_by_time"]),
            (
                requests::DELETE_QUOTES,
                vec![
                    "request_lines USING INDEX request_lines_quoting",
                    "messages USING INDEX messages_deleted",
                ],
            ),
            (purge::PURGE_MESSAGES, vec!["messages USING INDEX messages_deleted"]),
        ];
        for (sql, found) in sweeps {
            let mut plan = raw.prepare(&format!("EXPLAIN QUERY PLAN {sql}")).unwrap();
            let unbound = rusqlite::params_from_iter(vec![0; plan.parameter_count()]);
            let steps = plan.query_map(unbound, |row| row.get::<_, String>("detail")).unwrap();
            let steps = steps.collect::<rusqlite::Result<Vec<_>>>().unwrap().join("\n");
            let steps = steps.replace("COVERING ", "");
            assert!(found.iter().all(|it| steps.contains(it)), "{steps}");
        }
    }
}
