//! Exports conversations to files, and imports them from files.
//!
//! An export contains the conversation and never a key. An import is untrusted data, and each conversation
//! has a report; an import without conversations is an error. Not here: the file formats (`skein-transfer`).

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
    ImportedConversation,
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
    labels: &ExportLabels,
    now: i64,
) -> Result<String> {
    let conversation = snapshot::snapshot_session(store, session).await?;
    let name = store.session_name(session).await?;
    let name = name.as_deref().unwrap_or(&labels.untitled);
    skein_transfer::render(conversation, format, name, labels, now)
}

/// One thread as a conversation of its own, in Skein's JSON, which [`import`] reads.
pub async fn export_thread(store: &Store, thread: ThreadId, now: i64) -> Result<String> {
    skein_transfer::render_json(snapshot::snapshot_thread(store, thread).await?, now)
}

/// All sessions as one archive, each in Skein's JSON, which [`import`] reads. `goes_on` is called before
/// each; if it returns false, the written part is useless. Blocks: do not call it on a thread of the async
/// runtime.
pub fn export_all(
    store: &Store,
    runtime: &Handle,
    sessions: &[SessionId],
    now: i64,
    to: impl Write + Seek,
    may_continue: impl Fn() -> bool,
) -> Result<()> {
    let storage = |error: std::io::Error| Error::Storage { detail: error.to_string() };
    let mut archive = ZipWriter::new(to);
    for (number, session) in (1_usize..).zip(sessions) {
        if !may_continue() {
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

/// Imports every conversation of a file: Skein's JSON, exports of ChatGPT, Claude, Chatbox, Open WebUI and
/// LibreChat, zipped or not, and backups of Cherry Studio. `goes_on` is called before each conversation with
/// the number done and the total; if it returns false, nothing of the file stays and the result is `None`.
/// The UI sees the conversations only when all are there. Only a few megabytes of the file, or one
/// conversation, are in memory at a time; but Chatbox and Cherry Studio write one JSON object, which is read
/// as a whole. A file that may exceed the memory is refused.
///
/// # Errors
/// `BadFile` if there is no conversation in it; those of the store. Nothing of the file stays then.
pub async fn import(
    store: &Store,
    name: &str,
    file: File,
    now: i64,
    on_progress: impl FnMut(u32, u32) -> bool,
) -> Result<Option<Vec<ImportReport>>> {
    let mut reports = Vec::new();
    let whole = add_all(store, name.to_owned(), file, now, on_progress, &mut reports).await;
    if whole != Ok(true) {
        store.discard_import(arrivals(&reports), now).await?;
    }
    Ok(whole?.then_some(reports))
}

/// Adds conversations as they are read, and shows them when all are there; `false`: the import was cancelled.
async fn add_all(
    store: &Store,
    name: String,
    file: File,
    now: i64,
    mut on_progress: impl FnMut(u32, u32) -> bool,
    reports: &mut Vec<ImportReport>,
) -> Result<bool> {
    // After a cancellation the receiver is dropped, which ends the reading.
    let (sender, mut receiver) = mpsc::channel(1);
    let reading = tokio::task::spawn_blocking(move || {
        skein_transfer::read(&name, file, |found, total| {
            sender.blocking_send((found, total)).is_ok()
        })
    });
    let mut batch = ImportBatch::default();
    while let Some((found, total)) = receiver.recv().await {
        let done = reports.len() + batch.entries.len();
        let [done, total] = [done, total].map(|it| u32::try_from(it).unwrap_or(u32::MAX));
        if !on_progress(done, total) {
            return Ok(false);
        }
        batch.push(found);
        if batch.is_full() {
            batch.store(store, now, reports).await?;
        }
    }
    batch.store(store, now, reports).await?;
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

/// The approximate number of messages, and bytes of their text, in one transaction: the user's own writes
/// wait for it.
const BATCH_MESSAGES: usize = 1_000;
const BATCH_BYTES: usize = 4 << 20;

/// Entries of a file that are stored together.
#[derive(Default)]
struct ImportBatch {
    entries: Vec<ImportEntry>,
    messages: usize,
    bytes: usize,
}

impl ImportBatch {
    fn push(&mut self, entry: ImportEntry) {
        if let Ok(ImportedConversation { conversation, .. }) = &entry.conversation {
            let messages = conversation.threads.iter().flat_map(|thread| &thread.messages);
            self.bytes += messages.map(|message| message.text().len()).sum::<usize>();
            self.bytes += conversation.blobs.values().map(|blob| blob.0.len()).sum::<usize>();
            self.messages += message_count(conversation);
        }
        self.entries.push(entry);
    }

    fn is_full(&self) -> bool {
        let most = self.messages.max(self.entries.len());
        most >= BATCH_MESSAGES || self.bytes >= BATCH_BYTES
    }

    /// Stores all entries in one transaction, reports the result of each, and clears the batch.
    async fn store(
        &mut self,
        store: &Store,
        now: i64,
        reports: &mut Vec<ImportReport>,
    ) -> Result<()> {
        let mut conversations = Vec::new();
        let mut counted = Vec::new();
        for ImportEntry { title, conversation } in std::mem::take(self).entries {
            let counts = conversation.map(|read| {
                let ImportedConversation { conversation, missing, unplaced } = read;
                let messages = message_count(&conversation);
                if messages == 0 && conversation.draft == Draft::default() {
                    return None;
                }
                conversations.push(conversation);
                Some((u32::try_from(messages).unwrap_or(u32::MAX), missing, unplaced))
            });
            counted.push((title, counts));
        }
        let mut ids = store.add_conversations(conversations, now).await?.into_iter();
        for (title, counts) in counted {
            let outcome = match counts {
                Err(fault) => ImportOutcome::Unreadable { fault },
                Ok(None) => ImportOutcome::Empty {},
                Ok(Some((messages, missing, unplaced))) => match ids.next() {
                    Some(session_id) => {
                        ImportOutcome::Imported { session_id, messages, missing, unplaced }
                    }
                    None => ImportOutcome::Empty {},
                },
            };
            reports.push(ImportReport { title, outcome });
        }
        Ok(())
    }
}

fn message_count(Conversation { threads, waiting, .. }: &Conversation) -> usize {
    threads.iter().map(|thread| thread.messages.len()).sum::<usize>() + waiting.len()
}
