//! Updates: a server of releases on this machine, and `$APPIMAGE` at a program that is really replaced.
//!
//! The AppImage is a script that starts the program under test in a version of its own.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use scripted_server::Server;
use serde_json::json;
use skein_window::{
    DownloadEnd, Offer, ReleaseKeys, Setup, Skein, agreed, open_updates, program, reads,
    redirect_to, serve, until,
};
use tempfile::TempDir;

use crate::actions::{say, send};
use crate::scripted::{Play, model, settings};

/// The file name of the AppImage.
pub const IMAGE: &str = "Skein.AppImage";

/// An AppImage in a folder, and the keys of those who release it.
pub struct Maker {
    keys: ReleaseKeys,
    folder: TempDir,
}

impl Maker {
    pub fn new() -> Self {
        let folder = tempfile::Builder::new().prefix("skein-appimage-").tempdir().unwrap();
        let maker = Self { keys: ReleaseKeys::new(), folder };
        fs::write(maker.image(), script("0.1.0")).unwrap();
        let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        fs::set_permissions(maker.image(), mode).unwrap();
        maker
    }

    pub fn image(&self) -> PathBuf {
        self.folder.path().join(IMAGE)
    }

    pub fn installed(&self) -> Vec<u8> {
        fs::read(self.image()).unwrap()
    }

    /// The AppImage and the files beside it, by name.
    pub fn files(&self) -> Vec<String> {
        let entries = fs::read_dir(self.folder.path()).unwrap();
        let mut names: Vec<_> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    /// A release that is in order.
    pub fn offer(&self, version: &'static str) -> Offer {
        self.keys.offer("AppImage", version, script(version))
    }

    /// Skein as an AppImage of version 0.1.0, with this server of releases.
    pub fn setup(&self, server: &Server, setup: Setup) -> Setup {
        let mounted = program(None).parent().unwrap().display().to_string();
        let setup =
            setup.variable("APPIMAGE", self.image().to_str().unwrap()).variable("APPDIR", &mounted);
        self.keys.setup(server, "0.1.0", setup)
    }

    fn start(&self, server: &Server) -> Skein {
        self.setup(server, Setup::new().settings(&agreed(server, json!({})))).start()
    }
}

/// A program of this version, with room behind it for a download that takes a moment.
pub fn script(version: &str) -> Vec<u8> {
    let program = program(None);
    let text = format!(
        "#!/bin/sh\ntouch \"$SKEIN_DATA_DIR/started-{version}\"\n\
         SKEIN_TEST_VERSION={version} exec '{}' \"$@\"\n",
        program.display()
    );
    [text.into_bytes(), vec![b'#'; 300_000]].concat()
}

fn install(skein: &Skein) {
    open_updates(skein);
    skein.get("button", "Install and restart").click();
}

/// Waits until the AppImage has started the program in this version.
pub fn wait_for_start(skein: &Skein, version: &str) {
    let mark = skein.folder().join(format!("started-{version}"));
    until(&format!("version {version} starts"), || mark.exists());
}

/// The program that restarted has no driver: it is ended, and started again with one.
fn take_over(skein: &mut Skein, version: &str) {
    skein.kill();
    skein.set_variable("SKEIN_TEST_VERSION", version);
    skein.reopen();
}

#[test]
fn k02_a_checkout_does_not_update_itself() {
    let skein = Skein::start();
    open_updates(&skein);
    reads(&skein, "This build does not update itself.");
    assert_eq!(skein.get("switch", "Look for updates once a day").count(), 0);
    skein.screenshot("updates-none");
}

#[test]
fn k02_k03_k04_an_update_is_agreed_to_installed_and_taken_back_with_what_was_written_since() {
    let maker = Maker::new();
    let server = serve(maker.offer("0.2.0"));
    let mut skein = maker.setup(&server, Setup::new()).start();
    say(&skein, "The kiosk code is KX-4471.");
    open_updates(&skein);
    assert_eq!(server.asked(), [], "nobody has agreed");
    skein.screenshot("updates-off");
    skein.get("switch", "Look for updates once a day").click();
    reads(&skein, "Skein 0.2.0 is available.");
    skein.get("button", "What is new").click();
    reads(&skein, "Warmer wool.");
    skein.screenshot("updates-available");
    skein.get("button", "Install and restart").click();
    wait_for_start(&skein, "0.2.0");
    assert_eq!(maker.installed(), script("0.2.0"));

    take_over(&mut skein, "0.2.0");
    say(&skein, "And this was said with the new version.");
    open_updates(&skein);
    skein.screenshot("updates-way-back");
    skein.get("button", "Go back to version 0.1.0…").click();
    skein.get("dialog", "Go back to version 0.1.0").see();
    skein.screenshot("updates-go-back");
    skein.get("button", "Go back and restart").click();
    wait_for_start(&skein, "0.1.0");
    assert_eq!(maker.installed(), script("0.1.0"));

    take_over(&mut skein, "0.1.0");
    reads(&skein, "Skein has gone back from version 0.2.0");
    reads(&skein, "1 session changed with that version.");
    skein.screenshot("updates-returned");
    let sessions = skein.get("navigation", "Sessions");
    let before = sessions.any("link").count();
    skein.get("button", "Import them").click();
    reads(&skein, "What was written since was imported");
    until("it stands beside the original", || sessions.any("link").count() == before + 1);
}

#[test]
fn k03_a_package_that_is_not_as_announced_changes_nothing_and_says_why() {
    let maker = Maker::new();
    let good = maker.offer("0.2.0");
    let stranger = Maker::new().keys.sign("AppImage", &good.package, "0.2.0");
    let deb = maker.keys.sign("deb", &good.package, "0.2.0");
    let older = maker.offer("0.0.9");
    for (name, offer, words) in [
        ("signature", Offer { signature: stranger, ..good.clone() }, "right signature"),
        ("kind", Offer { signature: deb, ..good.clone() }, "or for another system"),
        ("cut", Offer { end: DownloadEnd::CutOff, ..good.clone() }, "was cut off"),
        // An older program with its genuine signature, announced as a newer one.
        ("downgrade", Offer { version: "0.3.0", ..older }, "signed as another version"),
    ] {
        let server = serve(offer);
        let skein = maker.start(&server);
        install(&skein);
        reads(&skein, words);
        skein.screenshot(&format!("updates-{name}"));
        assert_eq!(maker.installed(), script("0.1.0"), "{name}");
        assert_eq!(maker.files(), [IMAGE], "{name}");
        skein.press("Escape");
        say(&skein, "The old version goes on.");
    }
}

#[test]
fn k02_a_redirect_is_followed_only_to_a_host_that_the_user_agreed_to() {
    let maker = Maker::new();
    let server = serve(maker.offer("0.2.0"));
    let address = redirect_to(&server);
    let host = |server: &Server| server.url().trim_start_matches("http://").to_owned();
    for (other, words) in [
        ("elsewhere.example".to_owned(), format!("The release is at {}, a host", host(&server))),
        (host(&server), "Skein 0.2.0 is available.".to_owned()),
    ] {
        let setup = Setup::new().variable("SKEIN_UPDATE_PACKAGE_HOST", &other);
        let skein = maker.setup(&address, setup).start();
        open_updates(&skein);
        reads(&skein, &format!("Nobody but {}, {other} is asked", host(&address)));
        assert_eq!(server.asked(), [], "nobody has agreed");
        skein.get("switch", "Look for updates once a day").click();
        reads(&skein, &words);
        if other == host(&server) {
            skein.get("button", "Install and restart").click();
            wait_for_start(&skein, "0.2.0");
        }
    }
    assert_eq!(maker.installed(), script("0.2.0"));
}

#[test]
fn k03_an_older_version_is_no_update() {
    let maker = Maker::new();
    let server = serve(maker.offer("0.0.9"));
    let skein = maker.start(&server);
    open_updates(&skein);
    reads(&skein, "Skein 0.1.0 is the newest version.");
}

#[test]
fn k03_an_update_waits_for_a_reply() {
    let maker = Maker::new();
    let server = serve(maker.offer("0.2.0"));
    // The reply goes on until it is stopped.
    let replies = model(|_, _| Play::Slowly(vec!["warp "; 600], Duration::from_secs(1)));
    let setup = settings(&replies, &agreed(&server, json!({})));
    let skein = maker.setup(&server, setup).start();
    send(&skein, "What does the weft do?");
    skein.get("button", "Stop").see();
    install(&skein);
    reads(&skein, "Waiting until nothing runs");
    skein.screenshot("updates-waiting");
    assert_eq!(maker.installed(), script("0.1.0"));
    skein.press("Escape");
    skein.get("button", "Stop").click_last();
    wait_for_start(&skein, "0.2.0");
}

#[test]
fn k03_a_kill_during_the_download_leaves_the_old_version() {
    let maker = Maker::new();
    let server = serve(Offer { end: DownloadEnd::Stalled, ..maker.offer("0.2.0") });
    let mut skein = maker.start(&server);
    install(&skein);
    reads(&skein, "Downloading: 100 kB of 300");
    skein.screenshot("updates-downloading");
    skein.get("button", "Cancel").click();
    skein.get("button", "Install and restart").click();
    reads(&skein, "Downloading: 100 kB of 300");
    skein.kill();
    assert_eq!(maker.installed(), script("0.1.0"));
    assert_eq!(maker.files(), [IMAGE]);
    skein.reopen();
    say(&skein, "The old version goes on.");
}
