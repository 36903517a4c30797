//! Conversations leaving and arriving as files.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod attached;
mod cherry;
mod exports;
mod imports;
mod sizes;
mod trees;

use std::fs::File;
use std::io::{Seek, Write};

use skein_domain::error::Result;
use skein_domain::ids::{SessionId, ThreadId};
use skein_domain::message::Message;
use skein_platform::paths::AppPaths;
use skein_store::{Store, TranscriptPage};
use skein_transfer::{ExportLabels, ImportOutcome, ImportReport};
use tempfile::TempDir;

const NOW: i64 = 1_800_000_000_000;

fn store() -> (TempDir, Store) {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(&AppPaths::in_folder(folder.path()), NOW).unwrap();
    (folder, store)
}

/// The last messages of a thread's path.
async fn last_page(store: &Store, thread: ThreadId) -> TranscriptPage {
    let last = store.path_ids(thread).await.unwrap().last().copied();
    store.transcript_page(thread, last, 10).await.unwrap()
}

async fn import(store: &Store, name: &str, bytes: Vec<u8>, now: i64) -> Result<Vec<ImportReport>> {
    let reports = skein_app::transfers::import(store, name, held(&bytes), now, |_, _| true).await?;
    Ok(reports.expect("nobody stopped it"))
}

/// A file with these bytes.
fn held(bytes: &[u8]) -> File {
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(bytes).unwrap();
    file.rewind().unwrap();
    file
}

fn words() -> ExportLabels {
    ExportLabels {
        language: "en".into(),
        untitled: "Untitled".into(),
        you: "You".into(),
        assistant: "Assistant".into(),
        summary: "Summary".into(),
        notice: "Notice".into(),
        reasoning: "Reasoning".into(),
    }
}

fn session_of(report: &ImportReport) -> SessionId {
    match report.outcome {
        ImportOutcome::Imported { session_id, .. } => session_id,
        ref other => panic!("not imported: {other:?}"),
    }
}

/// The texts of the current thread's path.
async fn path(store: &Store, session: SessionId) -> Vec<String> {
    let thread = store.session(session).await.unwrap().current_thread;
    let path = store.path_after(thread, None).await.unwrap();
    path.iter().map(Message::text).collect()
}
