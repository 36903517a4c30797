//! Table `stream_chunks`: the text of a message that is being streamed. Chunks are appended, never
//! changed. When the message is complete, its parts replace them; after a crash they are all that
//! is left.

use rusqlite::{Connection, params};
use skein_domain::error::Result;
use skein_domain::ids::MessageId;
use skein_domain::message::{ContentPart, MessageState};

use super::parts;
use crate::db::error::StoreError;
use crate::db::sql_types::JsonColumn;
use crate::db::statements::{execute, query_all};
use crate::db::store::Store;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StreamChunk {
    pub kind: StreamChunkKind,
    /// Appended to the last part of the message if that is of the same kind; otherwise begins a
    /// part.
    pub delta: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StreamChunkKind {
    Text,
    Reasoning,
}

impl Store {
    pub async fn append_chunks(&self, message: MessageId, chunks: Vec<StreamChunk>) -> Result<()> {
        self.write(move |tx| {
            let sql = "INSERT INTO chunks (message_id, kind, delta) VALUES (?1, ?2, ?3)";
            for chunk in chunks {
                let kind = match chunk.kind {
                    StreamChunkKind::Text => "text",
                    StreamChunkKind::Reasoning => "reasoning",
                };
                execute(tx, sql, params![message.0, kind, chunk.delta])?;
            }
            Ok(())
        })
        .await
    }
}

/// The parts of a streaming message: the stored ones, extended by the chunks.
pub(crate) fn merge_chunks(
    tx: &Connection,
    message: MessageId,
    mut stored: Vec<ContentPart>,
) -> rusqlite::Result<Vec<ContentPart>> {
    let mut statement =
        tx.prepare_cached("SELECT kind, delta FROM chunks WHERE message_id = ?1 ORDER BY id")?;
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

pub(crate) fn delete_chunks(tx: &Connection, message: MessageId) -> rusqlite::Result<()> {
    execute(tx, "DELETE FROM chunks WHERE message_id = ?1", [message.0])
}

/// Ends messages and tool calls that were unfinished when the program was killed: messages become
/// interrupted and keep their text, calls are cancelled.
pub(crate) fn interrupt_unfinished(tx: &Connection) -> Result<(), StoreError> {
    let sql = "SELECT id FROM messages WHERE state = '{\"type\":\"streaming\"}'";
    let growing: Vec<_> = query_all(tx, sql, [], |row| row.get(0).map(MessageId))?;
    for id in growing {
        let whole = merge_chunks(tx, id, parts::read(tx, id)?)?;
        parts::write(tx, id, &whole)?;
        delete_chunks(tx, id)?;
        let sql = "UPDATE messages SET state = ?2, revision = revision + 1 WHERE id = ?1";
        tx.execute(sql, params![id.0, JsonColumn(MessageState::Interrupted {})])?;
        // The user has not seen that the reply was interrupted.
        let sql = "UPDATE sessions SET unread = 1
                   WHERE id = (SELECT threads.session_id FROM messages
                               JOIN threads ON threads.id = messages.thread_id WHERE messages.id = ?1)";
        tx.execute(sql, [id.0])?;
    }
    Ok(parts::cancel_unfinished(tx)?)
}
