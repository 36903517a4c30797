//! Table `encrypted_summaries`: the items that a provider's own compaction gave for the messages of a
//! summary.
//!
//! OpenAI's have the user's messages word for word. Not here: when they are sent (`context::window`).

use std::collections::HashMap;

use rusqlite::{Connection, params};
use skein_domain::encrypted_summary::EncryptedSummary;
use skein_domain::error::Result;
use skein_domain::ids::{MessageId, ThreadId};
use skein_domain::model::ModelRef;

use crate::db::sql_types::{JsonColumn, get_json, get_model};
use crate::db::statements::execute;
use crate::db::store::Store;

/// Deletes the items that may contain a message deleted before a time. They do not say which messages they
/// contain: an older message of the thread may be in them, unless it was deleted a day before they were made.
/// A day is more than a call takes, or a clock is corrected by.
pub(crate) const DELETE_QUOTES: &str = "
    DELETE FROM encrypted_summaries
    WHERE EXISTS
      (SELECT 1 FROM messages AS summary JOIN messages AS gone ON gone.thread_id = summary.thread_id
       WHERE summary.id = message_id AND gone.id < summary.id
         AND gone.deleted_at < ?1 AND gone.deleted_at > summary.created_at - 24 * 60 * 60 * 1000
         AND gone.kind ->> 'type' <> 'summary')";

impl Store {
    /// The models whose providers keep an encrypted summary in a thread, by the readable summary beside it.
    pub async fn encrypting_models(
        &self,
        thread: ThreadId,
    ) -> Result<HashMap<MessageId, ModelRef>> {
        let sql = "SELECT encrypted_summaries.* FROM encrypted_summaries
                   JOIN messages ON messages.id = message_id WHERE thread_id = ?1";
        self.read_rows(sql, [thread.0], |row| {
            Ok((MessageId(row.get("message_id")?), get_model(row)?))
        })
        .await
    }

    /// The encrypted summaries of a thread's points, each by its readable summary.
    pub async fn encrypted_summaries(
        &self,
        thread: ThreadId,
    ) -> Result<HashMap<MessageId, EncryptedSummary>> {
        let sql = "SELECT encrypted_summaries.* FROM points
                   JOIN encrypted_summaries ON message_id = summary_id WHERE thread_id = ?1";
        self.read_rows(sql, [thread.0], |row| {
            let summary = EncryptedSummary {
                origin: row.get("origin")?,
                model: get_model(row)?,
                items: get_json(row, "items")?,
                tokens: row.get("tokens")?,
            };
            Ok((MessageId(row.get("message_id")?), summary))
        })
        .await
    }

    /// Deletes the encrypted summaries of an origin, which nothing else can read. False if there are none.
    pub async fn delete_encrypted_summaries(&self, origin: String) -> Result<bool> {
        let sql = "DELETE FROM encrypted_summaries WHERE origin = ?1";
        Ok(self.write_rows(sql, [origin]).await? > 0)
    }
}

pub(crate) fn insert(
    tx: &Connection,
    summary: MessageId,
    encrypted: &EncryptedSummary,
) -> rusqlite::Result<()> {
    let sql = "INSERT INTO encrypted_summaries
                 (message_id, origin, model_provider, model, items, tokens)
               VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
    let EncryptedSummary { origin, model, items, tokens } = encrypted;
    let items = JsonColumn(items);
    execute(tx, sql, params![summary.0, origin, model.provider.0, model.model, items, tokens])
}

pub(crate) fn delete(tx: &Connection, summary: MessageId) -> rusqlite::Result<()> {
    execute(tx, "DELETE FROM encrypted_summaries WHERE message_id = ?1", [summary.0])
}
