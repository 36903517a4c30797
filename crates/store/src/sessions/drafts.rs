//! Table `drafts`: the content of a session's composer, kept until it is sent.
//!
//! A draft is saved at every pause in typing, so it refers to attachments by their blobs, and the
//! text of a file is written once, when it is sent. Only the composer writes it. Text that others
//! put into the composer is queued (`queued_messages`) until the composer takes it, so that a save
//! cannot overwrite it.

use rusqlite::{Connection, params};
use skein_domain::draft::Draft;
use skein_domain::error::Result;
use skein_domain::ids::SessionId;
use skein_domain::message::ContentPart;
use skein_domain::message::queued_message::WaitingId;

use super::queued_messages;
use crate::db::sql_types::{JsonColumn, get_json};
use crate::db::statements::execute;
use crate::db::store::{Durability, Store};

impl Store {
    /// Moves the composer's content to the end of the queue, in one transaction that is synced to
    /// the disk.
    pub async fn queue_message(
        &self,
        session: SessionId,
        parts: Vec<ContentPart>,
        now: i64,
    ) -> Result<()> {
        self.write_durably(move |tx| {
            set(tx, session, &Draft::default(), now)?;
            Ok(queued_messages::insert(tx, session, &parts, now)?)
        })
        .await
    }

    /// The draft of a session; empty if there is none.
    pub async fn draft(&self, session: SessionId) -> Result<Draft> {
        let sql = "SELECT text, attachments FROM drafts WHERE session_id = ?1";
        let draft = self.read_row(sql, [session.0], |row| {
            Ok(Draft { text: row.get("text")?, attachments: get_json(row, "attachments")? })
        });
        Ok(draft.await?.unwrap_or_default())
    }

    /// Stores the draft of a session; an empty one is deleted. The queued message `taken` into it
    /// is removed in the same transaction.
    ///
    /// # Errors
    /// `NotFound` if that message was sent meanwhile; then nothing changes.
    pub async fn set_draft(
        &self,
        session: SessionId,
        draft: Draft,
        taken: Option<WaitingId>,
        now: i64,
    ) -> Result<()> {
        // The queued message was synced to the disk, so the draft that contains it must be, too.
        let durability = if taken.is_some() { Durability::Power } else { Durability::Process };
        self.write_as(durability, move |tx| {
            if let Some(taken) = taken {
                queued_messages::remove(tx, taken)?;
            }
            Ok(set(tx, session, &draft, now)?)
        })
        .await
    }
}

pub(crate) fn set(
    tx: &Connection,
    session: SessionId,
    draft: &Draft,
    now: i64,
) -> rusqlite::Result<()> {
    if *draft == Draft::default() {
        return execute(tx, "DELETE FROM drafts WHERE session_id = ?1", [session.0]);
    }
    let sql = "INSERT INTO drafts (session_id, text, attachments, updated_at)
               VALUES (?1, ?2, ?3, ?4)
               ON CONFLICT (session_id) DO UPDATE
               SET text = excluded.text, attachments = excluded.attachments,
                   updated_at = excluded.updated_at";
    execute(tx, sql, params![session.0, draft.text, JsonColumn(&draft.attachments), now])
}
