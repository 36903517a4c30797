//! Table `token_counts`: the tokens of each part of a message, by tokenizer family.

use std::collections::HashMap;

use rusqlite::params;
use skein_context::tokens::message_tokens::MessageTokens;
use skein_domain::error::Result;
use skein_domain::ids::{MessageId, ThreadId};

use crate::db::sql_types::{JsonColumn, get_json};
use crate::db::statements::execute;
use crate::db::store::Store;

impl Store {
    /// The counts of a thread's messages in one tokenizer family, without those of messages that
    /// have changed since.
    pub async fn token_counts(
        &self,
        thread: ThreadId,
        family: String,
    ) -> Result<HashMap<MessageId, MessageTokens>> {
        let sql = "SELECT message_id, tokens
                   FROM messages JOIN token_counts ON token_counts.message_id = messages.id
                   WHERE thread_id = ?1 AND family = ?2
                     AND token_counts.revision = messages.revision";
        self.read_rows(sql, (thread.0, family), |row| {
            Ok((MessageId(row.get("message_id")?), get_json(row, "tokens")?))
        })
        .await
    }

    /// Stores the counts of messages in their present state.
    pub async fn put_token_counts(
        &self,
        family: String,
        counts: Vec<(MessageId, MessageTokens)>,
    ) -> Result<()> {
        self.write(move |tx| {
            let sql = "INSERT OR REPLACE INTO token_counts (message_id, family, revision, tokens)
                       SELECT id, ?2, revision, ?3 FROM messages WHERE id = ?1";
            for (message, tokens) in counts {
                execute(tx, sql, params![message.0, family, JsonColumn(tokens)])?;
            }
            Ok(())
        })
        .await
    }
}
