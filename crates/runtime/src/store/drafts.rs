//! Table `drafts`: what stands in a session's box. Survives everything but sending.
//!
//! It names its attachments by where their bytes are: it is kept at every pause in typing, and what a
//! file says is written once, when it is sent. It is the box's own: what else is to stand there waits
//! (`waiting`) until the box takes it in, so that no save of the box can overwrite it.

use rusqlite::{Connection, OptionalExtension, params};
use serde::{Deserialize, Serialize};
use skein_context::message::{BlobId, ContentPart, Message, Picture};
use skein_context::session::{SessionId, ThreadId};
use specta::Type;

use super::messages::{self, NewMessage};
use super::row::Json;
use super::waiting::{self, WaitingId};
use super::{Store, Surety};
use crate::error::Result;

/// What goes along with a message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Attachment {
    /// A picture.
    Image(Picture),
    /// A file whose text is sent.
    File {
        /// Where its bytes are.
        blob: BlobId,
        /// As the person knows it.
        name: String,
        /// For example `text/plain`.
        media_type: String,
        /// Size of the file.
        bytes: u32,
    },
}

impl Attachment {
    /// Where its bytes are.
    pub fn blob(&self) -> BlobId {
        match self {
            Self::Image(Picture { blob, .. }) | Self::File { blob, .. } => *blob,
        }
    }

    /// As the person knows it.
    pub fn name(&self) -> &str {
        match self {
            Self::Image(Picture { name, .. }) | Self::File { name, .. } => name,
        }
    }

    /// The same elsewhere, where its bytes have another key.
    #[must_use]
    pub fn at(self, blob: BlobId) -> Self {
        match self {
            Self::Image(picture) => Self::Image(Picture { blob, ..picture }),
            Self::File { name, media_type, bytes, .. } => {
                Self::File { blob, name, media_type, bytes }
            }
        }
    }

    /// As a message holds it, with what a file says.
    pub fn part(self, text: String) -> ContentPart {
        match self {
            Self::Image(picture) => ContentPart::Image(picture),
            Self::File { blob, name, media_type, bytes } => {
                ContentPart::File { blob, name, media_type, text, bytes }
            }
        }
    }
}

/// What stands in a session's box.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Draft {
    /// The words.
    pub text: String,
    /// Pictures and files.
    pub attachments: Vec<Attachment>,
}

impl Store {
    /// The draft of a session; empty when there is none.
    pub async fn draft(&self, session: SessionId) -> Result<Draft> {
        self.read(move |tx| {
            let draft = tx
                .prepare_cached("SELECT text, attachments FROM drafts WHERE session_id = ?1")?
                .query_row([session.0], |row| {
                    let Json(attachments) = row.get("attachments")?;
                    Ok(Draft { text: row.get("text")?, attachments })
                })
                .optional()?;
            Ok(draft.unwrap_or_default())
        })
        .await
    }

    /// Keeps the draft of a session; an empty one removes it. What it has `taken` in waits no longer,
    /// in the same step.
    ///
    /// # Errors
    /// `NotFound` when that was sent meanwhile: then nothing changes.
    pub async fn set_draft(
        &self,
        session: SessionId,
        draft: Draft,
        taken: Option<WaitingId>,
        now: i64,
    ) -> Result<()> {
        // What waits is on the disk, and stays there under its other name.
        let surety = if taken.is_some() { Surety::Power } else { Surety::Process };
        self.write_as(surety, move |tx| {
            if let Some(taken) = taken {
                waiting::remove(tx, taken)?;
            }
            Ok(set(tx, session, &draft, now)?)
        })
        .await
    }

    /// What stood in the box joins its thread, in one step. On the disk when this returns.
    pub async fn send_draft(
        &self,
        session: SessionId,
        thread: ThreadId,
        new: NewMessage,
    ) -> Result<Message> {
        self.write_surely(move |tx| {
            set(tx, session, &Draft::default(), new.created_at)?;
            messages::append(tx, thread, new)
        })
        .await
    }
}

/// Keeps the draft of a session; an empty one removes it.
pub(super) fn set(
    connection: &Connection,
    session: SessionId,
    draft: &Draft,
    now: i64,
) -> rusqlite::Result<()> {
    if *draft == Draft::default() {
        connection
            .prepare_cached("DELETE FROM drafts WHERE session_id = ?1")?
            .execute([session.0])?;
        return Ok(());
    }
    connection
        .prepare_cached(
            "INSERT INTO drafts (session_id, text, attachments, updated_at)
             VALUES (?1, ?2, ?3, ?4)
             ON CONFLICT (session_id) DO UPDATE
             SET text = excluded.text, attachments = excluded.attachments,
                 updated_at = excluded.updated_at",
        )?
        .execute(params![session.0, draft.text, Json(&draft.attachments), now])?;
    Ok(())
}
