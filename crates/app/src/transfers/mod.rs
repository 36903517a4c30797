//! Conversations leaving the store as files, and arriving in it from files.
//!
//! What leaves holds what was said and never a key. What arrives is read as foreign data and
//! reported conversation by conversation: nothing imported is never called a success. Not here: what the
//! files look like (`skein-transfer`).

pub(crate) mod exports;
mod fork;
pub(crate) mod imports;
mod snapshot;

use std::fs::File;
use std::io::{Seek, Write};

use skein_domain::conversation::Conversation;
use skein_domain::draft::Draft;
use skein_domain::error::{Error, Result};
use skein_domain::ids::{SessionId, ThreadId};
use skein_store::Store;
use skein_transfer::{
    CONVERSATIONS, ExportFormat, ExportLabels, ImportEntry, ImportOutcome, ImportReport,
};
use tokio::runtime::Handle;
use tokio::sync::mpsc;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

pub use fork::fork;

/// A session as the text of a file.
pub async fn export(
    store: &Store,
    session: SessionId,
    format: ExportFormat,
    words: &ExportLabels,
    now: i64,
) -> Result<String> {
    let conversation = snapshot::snapshot_session(store, session).await?;
    let name = store.session_name(session).await?;
    let name = name.as_deref().unwrap_or(&words.untitled);
    skein_transfer::render(conversation, format, name, words, now)
}

/// One thread as a conversation of its own, in Skein's own JSON: [`import`] reads it back.
pub async fn export_thread(store: &Store, thread: ThreadId, now: i64) -> Result<String> {
    skein_transfer::render_json(snapshot::snapshot_thread(store, thread).await?, now)
}

/// Every session as one archive, each as Skein's own JSON: [`import`] reads it back. `goes_on` is asked
/// before each; where it says no, what is written so far is of no use. Blocks: not for a thread on which
/// the runtime's own tasks run.
pub fn export_all(
    store: &Store,
    runtime: &Handle,
    sessions: &[SessionId],
    now: i64,
    to: impl Write + Seek,
    goes_on: impl Fn() -> bool,
) -> Result<()> {
    let storage = |error: std::io::Error| Error::Storage { detail: error.to_string() };
    let mut archive = ZipWriter::new(to);
    for (number, session) in (1_usize..).zip(sessions) {
        if !goes_on() {
            return Err(Error::Storage { detail: "the export was stopped".into() });
        }
        let text = runtime.block_on(async {
            skein_transfer::render_json(snapshot::snapshot_session(store, *session).await?, now)
        })?;
        let name = format!("{}{number:05}.json", CONVERSATIONS);
        let begun = archive.start_file(name, SimpleFileOptions::default());
        begun.map_err(|error| storage(error.into()))?;
        archive.write_all(text.as_bytes()).map_err(storage)?;
    }
    archive.finish().map_err(|error| storage(error.into()))?;
    Ok(())
}

/// Imports every conversation of a file: Skein's own JSON, the exports of ChatGPT, Claude, Chatbox,
/// Open WebUI and LibreChat, zipped or not, and a backup of Cherry Studio. `goes_on` hears before each
/// how many are done and how many there are; where it says no, nothing of the file stays and the answer
/// is `None`. Nobody sees any of it before all of it is there. Of the file no more is in memory than a
/// few conversations; but Chatbox and Cherry Studio write all of theirs as one JSON object, which is read
/// as a whole. What is larger than memory can be taken to be is refused.
///
/// # Errors
/// `BadFile` when there is no conversation in it at all; those of the store, when nothing of the
/// file stays either.
pub async fn import(
    store: &Store,
    name: &str,
    file: File,
    now: i64,
    goes_on: impl FnMut(u32, u32) -> bool,
) -> Result<Option<Vec<ImportReport>>> {
    let mut reports = Vec::new();
    let whole = add_all(store, name.to_owned(), file, now, goes_on, &mut reports).await;
    if whole != Ok(true) {
        store.discard_import(arrivals(&reports), now).await?;
    }
    Ok(whole?.then_some(reports))
}

/// Adds them one after the other as they are read, and shows them once all are there; `false`: it was
/// stopped before.
async fn add_all(
    store: &Store,
    name: String,
    file: File,
    now: i64,
    mut goes_on: impl FnMut(u32, u32) -> bool,
    reports: &mut Vec<ImportReport>,
) -> Result<bool> {
    // Whoever does not go on takes no more of them, and the reading ends.
    let (give, mut given) = mpsc::channel(1);
    let reading = tokio::task::spawn_blocking(move || {
        skein_transfer::read(&name, file, |found, total| give.blocking_send((found, total)).is_ok())
    });
    while let Some((found, total)) = given.recv().await {
        let [done, total] = [reports.len(), total].map(|it| u32::try_from(it).unwrap_or(u32::MAX));
        if !goes_on(done, total) {
            return Ok(false);
        }
        reports.push(add(store, found, now).await?);
    }
    reading.await.map_err(|broken| Error::Storage { detail: broken.to_string() })??;
    store.publish_import(arrivals(reports)).await?;
    Ok(true)
}

fn arrivals(reports: &[ImportReport]) -> Vec<SessionId> {
    let arrivals = reports.iter().filter_map(|report| match report.outcome {
        ImportOutcome::Imported { session_id, .. } => Some(session_id),
        ImportOutcome::Empty {} | ImportOutcome::Unreadable { .. } => None,
    });
    arrivals.collect()
}

async fn add(store: &Store, found: ImportEntry, now: i64) -> Result<ImportReport> {
    let ImportEntry { title, conversation } = found;
    let outcome = match conversation {
        Err(fault) => ImportOutcome::Unreadable { fault },
        Ok(read) => {
            let Conversation { threads, waiting, draft, .. } = &read.conversation;
            let said = threads.iter().map(|thread| thread.messages.len()).sum::<usize>();
            match said + waiting.len() {
                0 if *draft == Draft::default() => ImportOutcome::Empty {},
                messages => ImportOutcome::Imported {
                    session_id: store.add_conversation(read.conversation, now).await?,
                    messages: u32::try_from(messages).unwrap_or(u32::MAX),
                    missing: read.missing,
                    unplaced: read.unplaced,
                },
            }
        }
    };
    Ok(ImportReport { title, outcome })
}
