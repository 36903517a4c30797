//! Updates of an installed deb from a server on this machine, and the way back.

use std::fs;
use std::path::Path;

use scripted_server::Server;
use serde_json::json;
use skein_window::{
    DownloadEnd, Offer, ReleaseKeys, Setup, Skein, agreed, open_updates, reads, serve, until,
};

use crate::deb::installed_version;
use crate::package::{Kind, Package};
use crate::system::{System, converse};

/// The versions before and after the update.
pub const BEFORE: &str = "0.0.1";
pub const AFTER: &str = "0.0.2";

pub fn start(keys: &ReleaseKeys, server: &Server, setup: Setup) -> Skein {
    // A daily copy of the database would come between the steps of an update.
    let settings = agreed(server, json!({ "dailyBackup": false }));
    keys.setup(server, BEFORE, setup.settings(&settings)).start()
}

/// Closes Skein, runs the command that it shows, as root, and starts what is installed then.
fn run_shown_command(skein: &mut Skein, system: &System) {
    let code = "return [...document.querySelectorAll('code')].map((it) => it.textContent)\
                .find((it) => it.startsWith('sudo ')) ?? null";
    until("a command is shown", || !skein.run(code).is_null());
    let command = skein.run(code).as_str().unwrap_or_default().to_owned();
    skein.quit();
    let as_root = command.strip_prefix("sudo ").expect("it needs the rights of root");
    system.run(&["sh", "-c", as_root]);
    skein.set_variable("SKEIN_TEST_VERSION", &installed_version(system));
    skein.reopen();
}

/// The files in a folder of updates, by name.
pub fn files(updates: &Path) -> Vec<String> {
    let entries = fs::read_dir(updates).into_iter().flatten().flatten();
    let mut names: Vec<_> =
        entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

#[test]
fn k01_k03_k04_a_deb_is_updated_from_a_server_and_goes_back_with_what_was_written_since() {
    let (system, package) = (System::new(), Package::built(Kind::Deb));
    let folder = tempfile::tempdir().expect("a folder");
    system.answer_yes();
    system.install(&package.with_test_build(BEFORE, folder.path()));
    let newer = fs::read(package.with_test_build(AFTER, folder.path())).expect("it was made");
    let keys = ReleaseKeys::new();
    let server = serve(keys.offer("deb", AFTER, newer));
    let mut skein = start(&keys, &server, Setup::new());
    converse(&skein, "7443");

    open_updates(&skein);
    skein.get("button", "Download").click();
    reads(&skein, "its signature is right");
    skein.screenshot("package-update");
    assert_eq!(installed_version(&system), BEFORE);
    run_shown_command(&mut skein, &system);
    assert_eq!(installed_version(&system), AFTER);
    let copies = fs::read_dir(skein.folder().join("backups")).expect("the database was copied");
    assert!(copies.count() > 0);
    skein.get("article", "Assistant").last().text_that("is kept", |text| text.contains("7443"));
    converse(&skein, "8081");

    open_updates(&skein);
    skein.get("button", &format!("Go back to version {BEFORE}…")).click();
    skein.get("button", "Export and show the command").click();
    reads(&skein, "from now on nothing is stored");
    skein.screenshot("package-go-back");
    run_shown_command(&mut skein, &system);
    assert_eq!(installed_version(&system), BEFORE);
    reads(&skein, &format!("Skein has gone back from version {AFTER}"));
    reads(&skein, "1 session changed with that version.");
    skein.screenshot("package-returned");
    let sessions = skein.get("navigation", "Sessions");
    let before = sessions.any("link").count();
    skein.get("button", "Import them").click();
    reads(&skein, "What was written since was imported");
    until("it stands beside the original", || sessions.any("link").count() == before + 1);
    skein.quit();
    system.apt(&["remove", "skein"]);
}

#[test]
fn k03_a_deb_that_is_not_as_announced_is_not_kept() {
    let (system, package) = (System::new(), Package::built(Kind::Deb));
    let folder = tempfile::tempdir().expect("a folder");
    system.install(&package.with_test_build(BEFORE, folder.path()));
    let keys = ReleaseKeys::new();
    let good = keys.offer("deb", AFTER, vec![b'#'; 300_000]);
    let stranger = ReleaseKeys::new().sign("deb", &good.package, AFTER);
    let older = keys.sign("deb", &good.package, "0.0.0");
    for (offer, words) in [
        (Offer { signature: stranger, ..good.clone() }, "right signature"),
        (Offer { end: DownloadEnd::CutOff, ..good.clone() }, "was cut off"),
        (Offer { signature: older, ..good }, "signed as another version"),
    ] {
        let server = serve(offer);
        let mut skein = start(&keys, &server, Setup::new());
        open_updates(&skein);
        skein.get("button", "Download").click();
        reads(&skein, words);
        assert_eq!(files(&skein.folder().join("updates")), [""; 0], "{words}");
        skein.quit();
    }
    system.apt(&["remove", "skein"]);
}
