//! The stored data of earlier versions opens unchanged. Each folder beside this file has the name of a commit
//! and the files that the program of that commit wrote: a database (`skein.db`) with its contents
//! (`contents.json`), the id of its installation if the version has one, settings, an exported session
//! (`looms.json`) and an archived thread.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod contents;
mod database;
mod files;
mod program;
mod settings;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};
use skein_domain::ids::SessionId;
use skein_domain::session::Session;
use skein_platform::paths::AppPaths;
use skein_store::Store;
use tempfile::TempDir;

const VERSIONS: [&str; 2] = ["222c0ce", "7af9e2e"];

/// The session with the compactions and the attachments.
const LOOMS: &str = "Looms 织机";

const NOW: i64 = 1_800_000_000_000;

/// The folder of a version.
fn data(version: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/old_data").join(version)
}

fn json(path: &Path) -> Value {
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

/// The contents of the database of a version, in the names of this one.
fn expected(version: &str) -> Value {
    let text = fs::read_to_string(data(version).join("contents.json")).unwrap();
    // Migration 22: a grant of a host becomes one of its encrypted pages.
    let text = text.replace(r#""fetch_page loom"#, r#""fetch_page https://loom"#);
    serde_json::from_str(&text).unwrap()
}

/// A copy of what a version wrote.
struct OldFolder {
    folder: TempDir,
}

impl OldFolder {
    /// The folder of the version itself: this one is its update.
    fn of(version: &str) -> Self {
        let old = Self::from_elsewhere(version);
        let copy = |name: &str| fs::copy(data(version).join(name), old.path(name)).unwrap();
        copy("settings.json");
        if data(version).join("installation").exists() {
            copy("installation");
        }
        // Its database was open here.
        fs::write(old.path("skein.lock"), [0]).unwrap();
        old
    }

    /// The database alone, in the folder of a new installation.
    fn from_elsewhere(version: &str) -> Self {
        let old = Self { folder: tempfile::tempdir().unwrap() };
        fs::copy(data(version).join("skein.db"), old.path("skein.db")).unwrap();
        old
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn paths(&self) -> AppPaths {
        AppPaths::in_folder(self.folder.path())
    }

    fn store(&self) -> Store {
        Store::open(&self.paths(), NOW).unwrap()
    }
}

async fn titled(store: &Store, title: &str) -> Session {
    let sessions = store.sessions().await.unwrap();
    sessions.into_iter().find(|it| it.title.as_deref() == Some(title)).unwrap()
}

/// The same of what is expected.
fn titled_in<'a>(contents: &'a Value, title: &str) -> &'a Value {
    let sessions = contents["sessions"].as_array().unwrap();
    sessions.iter().find(|it| it["title"] == title).unwrap()
}

/// Fails with the first difference: the whole of it cannot be read.
fn assert_same(found: &Value, expected: &Value, place: &str) {
    match (found, expected) {
        (Value::Object(found), Value::Object(expected)) => {
            let keys = |it: &Map<String, Value>| it.keys().cloned().collect::<BTreeSet<_>>();
            assert_eq!(keys(found), keys(expected), "at {place}");
            for (key, expected) in expected {
                assert_same(&found[key], expected, &format!("{place}/{key}"));
            }
        }
        (Value::Array(found), Value::Array(expected)) => {
            for (number, (found, expected)) in found.iter().zip(expected).enumerate() {
                assert_same(found, expected, &format!("{place}/{number}"));
            }
            assert_eq!(found.len(), expected.len(), "at {place}");
        }
        _ => assert_eq!(found, expected, "at {place}"),
    }
}

/// The session of an imported file.
async fn import(store: &Store, path: &Path) -> SessionId {
    let name = path.file_name().unwrap().to_str().unwrap();
    let file = fs::File::open(path).unwrap();
    let reports = skein_app::transfers::import(store, name, file, NOW, |_, _| true).await;
    let reports = reports.unwrap().unwrap();
    let [report] = &reports[..] else { panic!("{reports:?}") };
    let skein_transfer::ImportOutcome::Imported { session_id, missing: 0, unplaced: 0, .. } =
        report.outcome
    else {
        panic!("{report:?}")
    };
    session_id
}
