//! Conversations leaving and arriving as files.
//!
//! What leaves holds what was said and never a key. What arrives is read as foreign data and
//! reported conversation by conversation: nothing imported is never called a success.

mod chatbox;
mod chatgpt;
mod claude;
mod gather;
mod html;
mod json;
mod markdown;
mod sources;
mod tree;

use serde::{Deserialize, Serialize};
use skein_context::session::SessionId;
use specta::Type;

pub use sources::{Found, read};

use crate::error::{Error, Result};
use crate::store::Store;

/// What a conversation is exported as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum ExportFormat {
    /// The current thread, for reading.
    Markdown,
    /// The current thread as one page that needs nothing else, for reading.
    Html,
    /// Everything, for importing again.
    Json,
}

/// The words of an export, in the person's language.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ExportWords {
    /// BCP 47, for example `en`.
    pub language: String,
    /// Where a session has no title.
    pub untitled: String,
    /// Over the person's messages.
    pub you: String,
    /// Over the model's.
    pub assistant: String,
    /// Over summaries.
    pub summary: String,
    /// Over the program's.
    pub notice: String,
    /// Over reasoning.
    pub reasoning: String,
}

/// What became of one conversation of an imported file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ImportReport {
    /// As it is called in the file.
    pub title: Option<String>,
    /// What became of it.
    pub outcome: ImportOutcome,
}

/// What became of a conversation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum ImportOutcome {
    /// It is a session now.
    Imported {
        /// Which.
        session_id: SessionId,
        /// How many messages came, on all branches.
        messages: u32,
        /// Attachments that the file names without holding them.
        missing: u32,
    },
    /// Nobody said anything in it.
    Empty {},
    /// It cannot be read.
    Unreadable {
        /// Why, for a report.
        detail: String,
    },
}

/// A session as the text of a file.
pub async fn export(
    store: &Store,
    session: SessionId,
    format: ExportFormat,
    words: &ExportWords,
    now: i64,
) -> Result<String> {
    let conversation = gather::gather(store, session).await?;
    match format {
        ExportFormat::Markdown => Ok(markdown::render(&conversation, words)),
        ExportFormat::Html => Ok(html::render(&conversation, words)),
        ExportFormat::Json => json::render(conversation, now),
    }
}

/// Imports every conversation of a file: Skein's own JSON, or the exports of ChatGPT, Claude and
/// Chatbox, zipped or not.
///
/// # Errors
/// `BadFile` when there is no conversation in it at all.
pub async fn import(
    store: &Store,
    name: &str,
    bytes: Vec<u8>,
    now: i64,
) -> Result<Vec<ImportReport>> {
    let file = name.to_owned();
    // A hundred megabytes of history take seconds to read.
    let found = tokio::task::spawn_blocking(move || read(&file, bytes)).await;
    let found = found.map_err(|broken| Error::Storage { detail: broken.to_string() })??;
    let mut reports = Vec::new();
    for Found { title, conversation } in found {
        let outcome = match conversation {
            Err(detail) => ImportOutcome::Unreadable { detail },
            Ok(read) => {
                let threads = read.conversation.threads.iter();
                let messages: usize = threads.map(|thread| thread.messages.len()).sum();
                if messages == 0 {
                    ImportOutcome::Empty {}
                } else {
                    let session = store.add_conversation(read.conversation, now).await?;
                    ImportOutcome::Imported {
                        session_id: session.id,
                        messages: u32::try_from(messages).unwrap_or(u32::MAX),
                        missing: read.missing,
                    }
                }
            }
        };
        reports.push(ImportReport { title, outcome });
    }
    if reports.is_empty() {
        let detail = "no conversation in it".to_owned();
        return Err(Error::BadFile { name: name.to_owned(), detail });
    }
    Ok(reports)
}
