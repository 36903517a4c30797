//! Table `edits`: unsent edits of messages. Like a draft of the composer (`drafts`), an edit is
//! kept until it is sent or discarded.

use rusqlite::params;
use serde::{Deserialize, Serialize};
use skein_domain::draft::Attachment;
use skein_domain::error::Result;
use skein_domain::ids::{MessageId, SessionId, ThreadId};
use specta::Type;

use crate::db::sql_types::{JsonColumn, get_json};
use crate::db::statements::execute;
use crate::db::store::Store;

/// The changes of an unsent edit.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct MessageEdit {
    /// The text; `None` if unchanged.
    pub text: Option<String>,
    /// Pictures and files; `None` if unchanged.
    pub attachments: Option<Vec<Attachment>>,
}

/// An edit that the user began and has not sent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct UnsentEdit {
    /// The edited message.
    pub message_id: MessageId,
    /// The thread of the edited message.
    pub thread_id: ThreadId,
    /// The changes.
    pub edit: MessageEdit,
}

impl Store {
    /// Stores the edit of a message; one without changes is deleted.
    pub async fn set_edit(&self, message: MessageId, edit: MessageEdit, now: i64) -> Result<()> {
        self.write(move |tx| {
            if edit == MessageEdit::default() {
                execute(tx, "DELETE FROM edits WHERE message_id = ?1", [message.0])?;
                return Ok(());
            }
            let sql = "INSERT INTO edits (message_id, text, attachments, updated_at)
                       VALUES (?1, ?2, ?3, ?4)
                       ON CONFLICT (message_id) DO UPDATE
                       SET text = excluded.text, attachments = excluded.attachments,
                           updated_at = excluded.updated_at";
            let attachments = edit.attachments.map(JsonColumn);
            Ok(execute(tx, sql, params![message.0, edit.text, attachments, now])?)
        })
        .await
    }

    /// The edits in a session, the last changed one at the end.
    pub async fn edits(&self, session: SessionId) -> Result<Vec<UnsentEdit>> {
        let sql = "SELECT messages.id, messages.thread_id, edits.text, edits.attachments
                   FROM edits JOIN messages ON messages.id = edits.message_id
                     JOIN threads ON threads.id = messages.thread_id
                   WHERE threads.session_id = ?1 AND messages.deleted_at IS NULL
                   ORDER BY edits.updated_at, messages.id";
        self.read_rows(sql, [session.0], |row| {
            let (text, attachments) = (row.get("text")?, get_json(row, "attachments")?);
            Ok(UnsentEdit {
                message_id: MessageId(row.get("id")?),
                thread_id: ThreadId(row.get("thread_id")?),
                edit: MessageEdit { text, attachments },
            })
        })
        .await
    }
}
