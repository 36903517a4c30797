//! Table `stream_chunks`: a message as it grows. Appended, never rewritten; when the message ends they are
//! replaced by its parts, and when the program was killed they are all there is.

use rusqlite::{Connection, params};
use skein_domain::error::Result;
use skein_domain::ids::MessageId;
use skein_domain::message::{ContentPart, MessageState};

use super::parts;
use crate::db::error::StoreError;
use crate::db::sql_types::JsonColumn;
use crate::db::statements::execute;
use crate::db::store::Store;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StreamChunk {
    /// Kind of the text.
    pub kind: StreamChunkKind,
    /// Appended to the last part of the message if that is of this kind; else they begin a part.
    pub delta: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StreamChunkKind {
    /// Words of the answer.
    Text,
    /// Words of the reasoning.
    Reasoning,
}

impl Store {
    /// Keeps what has arrived of a growing message since the last call.
    pub async fn append_chunks(&self, message: MessageId, chunks: Vec<StreamChunk>) -> Result<()> {
        self.write(move |tx| {
            let mut insert = tx.prepare_cached(
                "INSERT INTO chunks (message_id, kind, delta) VALUES (?1, ?2, ?3)",
            )?;
            for chunk in chunks {
                let kind = match chunk.kind {
                    StreamChunkKind::Text => "text",
                    StreamChunkKind::Reasoning => "reasoning",
                };
                insert.execute(params![message.0, kind, chunk.delta])?;
            }
            Ok(())
        })
        .await
    }
}

/// The parts of a growing message: those stored, then what has arrived since.
pub(crate) fn merge_chunks(
    connection: &Connection,
    message: MessageId,
    mut stored: Vec<ContentPart>,
) -> rusqlite::Result<Vec<ContentPart>> {
    let mut statement = connection
        .prepare_cached("SELECT kind, delta FROM chunks WHERE message_id = ?1 ORDER BY id")?;
    let mut rows = statement.query([message.0])?;
    while let Some(row) = rows.next()? {
        let kind: String = row.get("kind")?;
        let delta: String = row.get("delta")?;
        match (kind.as_str(), stored.last_mut()) {
            ("text", Some(ContentPart::Text { text }))
            | ("reasoning", Some(ContentPart::Reasoning { text, .. })) => text.push_str(&delta),
            ("reasoning", _) => {
                stored.push(ContentPart::Reasoning { text: delta, signature: None });
            }
            (_, _) => stored.push(ContentPart::Text { text: delta }),
        }
    }
    Ok(stored)
}

/// Drops the chunks of a message whose parts are known.
pub(crate) fn delete_chunks(connection: &Connection, message: MessageId) -> rusqlite::Result<()> {
    execute(connection, "DELETE FROM chunks WHERE message_id = ?1", [message.0])
}

/// Ends what a killed program left unfinished: growing messages become interrupted and keep their text,
/// open tool calls are cancelled.
pub(crate) fn interrupt_unfinished(connection: &Connection) -> Result<(), StoreError> {
    let growing = connection
        .prepare("SELECT id FROM messages WHERE state = '{\"type\":\"streaming\"}'")?
        .query_map([], |row| row.get(0).map(MessageId))?
        .collect::<rusqlite::Result<Vec<_>>>()?;
    for id in growing {
        let whole = merge_chunks(connection, id, parts::read(connection, id)?)?;
        parts::write(connection, id, &whole)?;
        delete_chunks(connection, id)?;
        let sql = "UPDATE messages SET state = ?2, revision = revision + 1 WHERE id = ?1";
        connection.execute(sql, params![id.0, JsonColumn(MessageState::Interrupted {})])?;
        // Nobody has seen how it ended.
        let sql = "UPDATE sessions SET unread = 1
                   WHERE id = (SELECT threads.session_id FROM messages
                               JOIN threads ON threads.id = messages.thread_id WHERE messages.id = ?1)";
        connection.execute(sql, [id.0])?;
    }
    Ok(parts::cancel_unfinished(connection)?)
}
