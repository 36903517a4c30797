//! A full disk and a kill at each step of the update of an AppImage: the database is copied, the package
//! written beside the program, the way back noted, the program replaced and restarted.

use std::fs;
use std::process::Command;

use faulty_disk::{Fault, Operation, has_killed, set};
use scripted_server::Server;
use serde_json::json;
use skein_window::{Setup, Skein, agreed, open_updates, reads, serve, until};

use crate::actions::say;
use crate::updates::{IMAGE, Maker, script, wait_for_start};

/// The versions before and after the update.
const BEFORE: &str = "0.1.0";
const AFTER: &str = "0.2.0";
/// A message from before the update.
const MESSAGE: &str = "The kiosk code is KX-4471.";

/// The kills: the step, the operation, the files, and the version that is there then.
const KILLS: [(&str, Operation, &str, &str); 13] = [
    ("before the copy of the database", Operation::Name, "*/backups/unfinished", BEFORE),
    ("within the copy of the database", Operation::Write, "*/backups/unfinished", BEFORE),
    ("before the copy has its name", Operation::Name, "*/backups/skein-v*", BEFORE),
    ("before the package is written", Operation::Name, "*-appimage-*/.skein-*", BEFORE),
    ("within the package", Operation::Write, "*-appimage-*/.skein-*", BEFORE),
    ("before the package is on the disk", Operation::Sync, "*-appimage-*/.skein-*", BEFORE),
    ("before the program is kept", Operation::Name, "*/Skein.AppImage.previous", BEFORE),
    ("before the record is written", Operation::Name, "*/updates/.skein-*", BEFORE),
    ("within the record", Operation::Write, "*/updates/.skein-*", BEFORE),
    ("before the record has its name", Operation::Name, "*/updates/update.json", BEFORE),
    ("before the program is replaced", Operation::Name, "*/Skein.AppImage", BEFORE),
    ("after the program is replaced", Operation::Sync, "*-appimage-??????", AFTER),
    ("at the start of the new version", Operation::Write, "*/skein.db-shm", AFTER),
];

/// Skein on a disk whose faults the test gives, with a message. The daily question for a release was asked.
fn start(maker: &Maker, server: &Server) -> Skein {
    let settings = agreed(server, json!({ "dailyBackup": false }));
    let folder = maker.image().parent().unwrap().display().to_string();
    let setup = Setup::new()
        .settings(&settings)
        .variable("LD_PRELOAD", faulty_disk::LIBRARY)
        .variable(faulty_disk::OTHER_FOLDER, &folder);
    let mut skein = maker.setup(server, setup).start();
    say(&skein, MESSAGE);
    open_updates(&skein);
    skein.get("button", "Install and restart").see();
    reopen(&mut skein, BEFORE);
    skein
}

/// Opens this version with the driver.
fn reopen(skein: &mut Skein, version: &str) {
    skein.kill();
    skein.set_variable("SKEIN_TEST_VERSION", version);
    skein.reopen();
    reads(skein, MESSAGE);
}

/// Checks that the AppImage is this version, and starts it.
fn check_program(maker: &Maker, version: &str, step: &str) {
    assert_eq!(maker.installed(), script(version), "{step}");
    let folder = tempfile::tempdir().unwrap();
    let mut program = Command::new(maker.image());
    let ended = program.arg("--version").env("SKEIN_DATA_DIR", folder.path()).output().unwrap();
    assert!(ended.status.success(), "{step}");
}

#[test]
fn k03_a_full_disk_during_an_update_says_so_and_leaves_the_old_version() {
    let maker = Maker::new();
    let server = serve(maker.offer(AFTER));
    let mut skein = start(&maker, &server);
    open_updates(&skein);
    for (full, fault) in [
        ("the whole disk", Fault::Full),
        ("the copy of the database", Fault::FullFor("*/backups/*")),
        ("the package", Fault::FullFor("*-appimage-*/*")),
        ("the record", Fault::FullFor("*/updates/*")),
    ] {
        skein.get("button", "Look now").click();
        skein.get("button", "Install and restart").see();
        set(skein.folder(), Some(fault));
        skein.get("button", "Install and restart").click();
        let words = "the disk is full or read-only, or you may not write there. Make room";
        reads(&skein, words);
        reads(&skein, "This version keeps running.");
        skein.screenshot("updates-full-disk");
        check_program(&maker, BEFORE, full);
        assert_eq!(maker.files(), [IMAGE], "{full}");
        set(skein.folder(), None);
    }
    skein.get("button", "Look now").click();
    skein.get("button", "Install and restart").click();
    wait_for_start(&skein, AFTER);
    check_program(&maker, AFTER, "with room");
    reopen(&mut skein, AFTER);
}

#[test]
fn k03_a_kill_at_any_step_of_an_update_leaves_a_program_that_starts_with_all_messages() {
    let maker = Maker::new();
    let server = serve(maker.offer(AFTER));
    let mut skein = start(&maker, &server);
    for (step, operation, files, version) in KILLS {
        open_updates(&skein);
        skein.get("button", "Look now").click();
        skein.get("button", "Install and restart").see();
        set(skein.folder(), Some(Fault::Kill(operation, files)));
        skein.get("button", "Install and restart").click();
        until(step, || has_killed(skein.folder()) && !skein.is_running());
        check_program(&maker, version, step);
        reopen(&mut skein, version);
        let left = maker.files().into_iter().find(|name| name.starts_with(".skein-"));
        assert_eq!(left, None, "{step}");
        if version == AFTER {
            fs::write(maker.image(), script(BEFORE)).unwrap();
            reopen(&mut skein, BEFORE);
        }
    }
    open_updates(&skein);
    skein.get("button", "Look now").click();
    skein.get("button", "Install and restart").click();
    wait_for_start(&skein, AFTER);
    reopen(&mut skein, AFTER);
    say(&skein, "The new version goes on.");
}
