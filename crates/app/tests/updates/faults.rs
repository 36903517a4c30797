//! A kill and a full disk at each of the last file operations of an update, which replace the program. Those
//! before them copy the database, which the crash test covers.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use std::sync::Arc;

use faulty_disk::{Step, StepFault, set_step};
use serde_json::json;
use skein_app::app::App;
use skein_platform::paths::AppPaths;

use crate::fake_installer::{FakeInstaller, HOST};
use crate::subprocess;
use crate::update;

pub const PROGRAM: &str = "Skein.AppImage";
/// The record, the link, and the program with its syncs and renames.
const LAST_OPERATIONS: u32 = 24;

pub fn prepare(folder: &Path) {
    let settings = json!({ "catalogueRefresh": false, "dailyBackup": false, "updateHost": HOST });
    fs::write(folder.join("settings.json"), settings.to_string()).unwrap();
    fs::write(folder.join(PROGRAM), "old program").unwrap();
}

/// Runs a test in this folder, with a step.
pub fn run(folder: &Path, test: &str, step: Step) -> Output {
    let mut child: Command = subprocess::command(test, folder);
    set_step(&mut child, folder, step);
    child.output().unwrap()
}

/// The number of file operations that a test makes.
fn count(test: &str) -> u32 {
    let folder = tempfile::tempdir().unwrap();
    prepare(folder.path());
    assert!(run(folder.path(), test, Step::Count).status.success(), "{test}");
    faulty_disk::counted(folder.path())
}

#[tokio::test(flavor = "multi_thread")]
async fn k03_whatever_stops_an_update_the_program_is_whole_and_the_database_opens() {
    let test = "faults::updates";
    let last = count(test);
    let (mut kept, mut replaced) = (0, 0);
    for operation in last.saturating_sub(LAST_OPERATIONS)..=last {
        for fault in [StepFault::Kill, StepFault::Full] {
            let folder = tempfile::tempdir().unwrap();
            prepare(folder.path());
            run(folder.path(), test, Step::Fault { operation, fault });
            let program = fs::read_to_string(folder.path().join(PROGRAM)).unwrap();
            match program.as_str() {
                "old program" => {
                    kept += 1;
                    let is_there = |name: &str| folder.path().join(name).exists();
                    let is_second = is_there(&format!("{PROGRAM}.previous"));
                    let is_spoken_of = fault == StepFault::Kill || is_there("updates/update.json");
                    assert!(is_spoken_of || !is_second, "operation {operation}");
                }
                "new program" => replaced += 1,
                other => panic!("operation {operation}, {fault:?}: {other:?}"),
            }
            let app = App::open(AppPaths::in_folder(folder.path())).unwrap();
            let sessions = app.sessions.list().await.unwrap();
            assert_eq!(sessions.len(), 1, "operation {operation}, {fault:?}");
        }
    }
    assert!(kept > 0 && replaced > 0, "faults before and behind the rename: {kept}, {replaced}");
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "the test above runs it, with a fault"]
async fn updates() {
    let folder = subprocess::folder();
    let app = App::open(AppPaths::in_folder(&folder)).unwrap();
    app.sessions.create().await.unwrap();
    let installer =
        FakeInstaller { ends_process: true, ..FakeInstaller::app_image(folder.join(PROGRAM)) };
    app.updates.connect(Arc::new(installer));
    let ended = update(&app).await;
    panic!("the disk let nothing end: {ended:?}");
}
