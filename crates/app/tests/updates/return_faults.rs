//! A kill and a full disk at each of the last file operations of the way back: the export, the staging of the
//! database, and the program.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use faulty_disk::{Step, StepFault};
use skein_app::app::App;
use skein_app::updates::cancel_unfinished_return;
use skein_app::view::UpdateAction;
use skein_domain::draft::Draft;
use skein_platform::paths::AppPaths;
use tempfile::TempDir;

use crate::fake_installer::{FakeInstaller, end_of};
use crate::faults::{PROGRAM, prepare, run};
use crate::subprocess;
use crate::update;

const TEST: &str = "return_faults::goes_back";
/// The operations of the way back.
const LAST_OPERATIONS: u32 = 30;
/// Printed when the session is stored.
const WRITTEN: &str = "a session was written";

/// Version 2.0.0 or 1.0.0 in a folder.
fn start(folder: &Path, version: &'static str) -> Arc<App> {
    let places = AppPaths::in_folder(folder);
    cancel_unfinished_return(&places, version);
    let app = App::open(places).unwrap();
    let installer = FakeInstaller::app_image(folder.join(PROGRAM));
    let (release, ends_process) = (Some("2.0.0").filter(|it| *it != version), version == "2.0.0");
    app.updates.connect(Arc::new(FakeInstaller { version, release, ends_process, ..installer }));
    app
}

fn copy(from: &Path) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let mut copy = Command::new("cp");
    assert!(copy.arg("-a").arg(from.join(".")).arg(folder.path()).status().unwrap().success());
    folder
}

#[tokio::test(flavor = "multi_thread")]
async fn k04_whatever_stops_the_way_back_the_program_is_whole_and_nothing_written_is_lost() {
    let updated = tempfile::tempdir().unwrap();
    prepare(updated.path());
    let app = start(updated.path(), "1.0.0");
    update(&app).await;
    app.close().await;
    drop(app);

    let folder = copy(updated.path());
    assert!(run(folder.path(), TEST, Step::Count).status.success());
    let last = faulty_disk::counted(folder.path());
    let (mut kept, mut exported) = (0, 0);
    for operation in last.saturating_sub(LAST_OPERATIONS)..=last {
        for fault in [StepFault::Kill, StepFault::Full] {
            let folder = copy(updated.path());
            let said = run(folder.path(), TEST, Step::Fault { operation, fault }).stdout;
            if !String::from_utf8_lossy(&said).contains(WRITTEN) {
                continue;
            }
            let version = match fs::read_to_string(folder.path().join(PROGRAM)).unwrap().as_str() {
                "old program" => "1.0.0",
                "new program" => "2.0.0",
                other => panic!("operation {operation}, {fault:?}: {other:?}"),
            };
            let app = start(folder.path(), version);
            let returned = app.updates.view().await.unwrap().returned;
            if !app.sessions.list().await.unwrap().is_empty() {
                kept += 1;
            } else if returned.is_some_and(|it| it.export.is_some()) {
                exported += 1;
            } else {
                panic!("operation {operation}, {fault:?}: the session is lost");
            }
        }
    }
    assert!(kept > 0 && exported > 0, "faults before and behind the staging: {kept}, {exported}");
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "the test above runs it, with a fault"]
async fn goes_back() {
    let app = start(&subprocess::folder(), "2.0.0");
    let session = app.sessions.create().await.unwrap();
    let draft = Draft { text: "Written since".to_owned(), ..Draft::default() };
    app.sessions.save_draft(session, draft, None).await.unwrap();
    println!("{WRITTEN}");
    let ended = end_of(&app, UpdateAction::GoBack).await;
    panic!("the disk let nothing end: {ended:?}");
}
