//! A text with its location, as a candidate of a search. Deleted texts and cards are excluded.

use rusqlite::{Connection, Result, Row, params};
use serde::{Deserialize, Serialize};
use skein_domain::ids::{MessageId, SessionId, ThreadId};
use skein_domain::message::{Origin, Role};
use specta::Type;

use super::search_index::{SearchScope, TextSource};
use crate::db::sql_types::EnumColumn;
use crate::db::statements::query_first;
use crate::sessions::session_names::name;

/// The message of a hit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct MessageLocation {
    pub thread_id: ThreadId,
    /// The number of the thread in its session.
    pub thread_number: u32,
    pub message_id: MessageId,
    /// The number of the message in its thread.
    pub message_number: u32,
    /// The role in requests.
    pub role: Role,
    /// The author.
    pub origin: Origin,
    /// In milliseconds since the epoch.
    pub at: i64,
}

/// A text and its location.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SearchDocument {
    pub(crate) part: i64,
    pub(crate) session: SessionId,
    /// Title or file name; `None` if it has none.
    pub(crate) name: Option<String>,
    pub(crate) place: MessageLocation,
    /// True if the message is excluded from the context.
    pub(crate) left_out: bool,
    /// Of a truncated output, the complete text.
    pub(crate) text: String,
}

/// The query from the part outwards: a cross join keeps this order.
fn select_documents(condition: &str) -> String {
    format!(
        r#"
    SELECT parts.id AS part, sessions.id AS session_id, sessions.title,
           threads.id AS thread_id, threads.number AS thread_number, messages.id AS message_id,
           messages.number AS message_number, messages.role, messages.origin,
           messages.created_at, messages.left_out, coalesce(outputs.text, parts.text) AS text
    FROM parts
      CROSS JOIN messages ON messages.id = parts.message_id
      CROSS JOIN threads ON threads.id = messages.thread_id
      CROSS JOIN sessions ON sessions.id = threads.session_id
      LEFT JOIN outputs ON outputs.id = parts.output_id
    WHERE messages.deleted_at IS NULL AND messages.kind <> '{{"type":"card"}}'
      AND threads.deleted_at IS NULL AND sessions.deleted_at IS NULL AND {condition}"#
    )
}

/// Loads the text of an index entry; `None` if it is deleted or never shown.
pub(crate) fn load_document(tx: &Connection, source: TextSource) -> Result<Option<SearchDocument>> {
    let (which, id) = match source {
        TextSource::Part(id) => ("parts.id", id),
        TextSource::Output(id) => ("parts.output_id", id),
    };
    let sql = select_documents(&format!("{which} = ?1 LIMIT 1"));
    query_first(tx, &sql, [id], |row| document_of(tx, row))
}

/// Loads the text of a source alone, for ranking.
pub(crate) fn load_text(tx: &Connection, source: TextSource) -> Result<Option<String>> {
    let (sql, id) = match source {
        TextSource::Part(id) => ("SELECT text FROM parts WHERE id = ?1", id),
        TextSource::Output(id) => ("SELECT text FROM outputs WHERE id = ?1", id),
    };
    query_first(tx, sql, [id], |row| row.get(0))
}

/// Of the newest `most` parts those whose text `fits` and that are `wanted`, newest first, at most
/// `limit`.
pub(crate) fn newest_documents(
    tx: &Connection,
    scope: SearchScope,
    most: u32,
    limit: usize,
    fits: impl Fn(&str) -> bool,
    wanted: impl Fn(&SearchDocument) -> bool,
) -> Result<Vec<SearchDocument>> {
    let within = match scope.session() {
        Some(_) => "parts.session_id = ?1",
        None => "?1 IS NULL",
    };
    let mut statement = tx.prepare_cached(&format!(
        "SELECT parts.id, coalesce(outputs.text, parts.text)
         FROM parts LEFT JOIN outputs ON outputs.id = parts.output_id
         WHERE {within} AND parts.kind <> 'reasoning' ORDER BY parts.id DESC LIMIT ?2"
    ))?;
    let mut rows = statement.query(params![scope.session(), most])?;
    let mut newest = Vec::new();
    while let Some(row) = rows.next()? {
        if newest.len() == limit {
            break;
        }
        let text = row.get_ref(1)?.as_str()?;
        if fits(text) {
            let document = load_document(tx, TextSource::Part(row.get(0)?))?;
            newest.extend(document.into_iter().filter(|document| wanted(document)));
        }
    }
    Ok(newest)
}

fn document_of(tx: &Connection, row: &Row) -> Result<SearchDocument> {
    let EnumColumn(role) = row.get("role")?;
    let EnumColumn(origin) = row.get("origin")?;
    let session = SessionId(row.get("session_id")?);
    Ok(SearchDocument {
        part: row.get("part")?,
        session,
        name: name(tx, session, row.get("title")?)?,
        place: MessageLocation {
            thread_id: ThreadId(row.get("thread_id")?),
            thread_number: row.get("thread_number")?,
            message_id: MessageId(row.get("message_id")?),
            message_number: row.get("message_number")?,
            role,
            origin,
            at: row.get("created_at")?,
        },
        left_out: row.get("left_out")?,
        text: row.get("text")?,
    })
}
