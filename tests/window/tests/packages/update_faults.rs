//! A full disk and a kill at each step of the download of a deb: the database is copied, the package kept,
//! that of the running version made for the way back, and the update noted.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use faulty_disk::{Fault, Operation, has_killed, set};
use scripted_server::Server;
use skein_window::{ReleaseKeys, Setup, Skein, open_updates, reads, serve, until};
use tempfile::TempDir;

use crate::deb::installed_version;
use crate::package::{Kind, Package};
use crate::system::{System, converse, output};
use crate::updates::{AFTER, BEFORE, files, start};

/// The kills: the step, the operation and the files.
const KILLS: [(&str, Operation, &str); 7] = [
    ("within the copy of the database", Operation::Write, "*/backups/unfinished"),
    ("before the package is written", Operation::Name, "*/updates/.skein-*"),
    ("within the package", Operation::Write, "*/updates/.skein-*"),
    ("before the package has its name", Operation::Name, "*/updates/skein-0.0.2.deb"),
    ("within the files of the running version", Operation::Name, "*-0.0.1.contents/DEBIAN"),
    ("before its package has its name", Operation::Name, "*/updates/skein-0.0.1.deb"),
    ("before the update is noted", Operation::Name, "*/updates/pending-update.json"),
];

/// The offered package, which these tests do not install.
const PACKAGE_BYTES: usize = 300_000;
/// The unit of space on a disk in memory.
const PAGE_BYTES: usize = 4096;

/// The older version installed, and a server with the newer one.
struct Given {
    system: System,
    keys: ReleaseKeys,
    server: Server,
    folder: TempDir,
}

impl Given {
    fn new() -> Self {
        let (system, folder) = (System::new(), tempfile::tempdir().expect("a folder"));
        let package = Package::built(Kind::Deb);
        system.install(&package.with_test_build(BEFORE, folder.path()));
        let keys = ReleaseKeys::new();
        let server = serve(keys.offer("deb", AFTER, vec![b'#'; PACKAGE_BYTES]));
        Self { system, keys, server, folder }
    }

    /// The installed version, in which the user has written something. The daily question for a release was
    /// asked.
    fn start(&self, setup: Setup) -> Skein {
        let mut skein = start(&self.keys, &self.server, setup);
        converse(&skein, "7443");
        open_updates(&skein);
        skein.get("button", "Download").see();
        skein.quit();
        skein.reopen();
        skein
    }
}

impl Drop for Given {
    fn drop(&mut self) {
        self.system.apt(&["remove", "skein"]);
    }
}

/// A disk in memory in place of a folder of the system.
struct SmallDisk(PathBuf);

impl SmallDisk {
    fn mount(system: &System, folder: &Path, pages: usize) -> Self {
        let folder = system.path(folder.to_str().expect("test folders have plain names"));
        fs::create_dir_all(&folder).expect("it can be written");
        let size = format!("size={},mode=700", pages * PAGE_BYTES);
        output(Command::new("mount").args(["-t", "tmpfs", "-o", &size, "none"]).arg(&folder));
        Self(folder)
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        Command::new("umount").arg(&self.0).status().ok();
    }
}

#[test]
fn k03_a_full_disk_during_the_download_of_a_deb_says_so_and_keeps_no_part_of_it() {
    let given = Given::new();
    let skein = given.start(Setup::new());
    open_updates(&skein);
    let (updates, pages) = (skein.folder().join("updates"), PACKAGE_BYTES.div_ceil(PAGE_BYTES));
    for (full, pages) in [("within the package", pages - 1), ("behind the package", pages)] {
        let disk = SmallDisk::mount(&given.system, &updates, pages);
        skein.get("button", "Look now").click();
        skein.get("button", "Download").click();
        reads(&skein, "the disk is full or read-only, or you may not write there. Make room");
        reads(&skein, "This version keeps running.");
        skein.screenshot("package-full-disk");
        assert_eq!(files(&disk.0), [""; 0], "{full}");
    }
    // There is room for the package and the record, and none for the way back.
    let disk = SmallDisk::mount(&given.system, &updates, pages + 1);
    skein.get("button", "Look now").click();
    skein.get("button", "Download").click();
    reads(&skein, "its signature is right");
    assert_eq!(files(&disk.0), ["pending-update.json", "skein-0.0.2.deb"]);
    assert_eq!(installed_version(&given.system), BEFORE);
    drop((skein, disk));
}

#[test]
fn k03_a_kill_at_any_step_of_the_download_of_a_deb_leaves_the_old_version_and_all_messages() {
    let given = Given::new();
    let library = given.folder.path().join("disk.so");
    fs::copy(faulty_disk::LIBRARY, &library).expect("the folder can be written");
    let preload = library.to_str().expect("test folders have plain names");
    let mut skein = given.start(Setup::new().variable("LD_PRELOAD", preload));
    let updates = skein.folder().join("updates");
    for (step, operation, pattern) in KILLS {
        open_updates(&skein);
        skein.get("button", "Look now").click();
        skein.get("button", "Download").see();
        set(skein.folder(), Some(Fault::Kill(operation, pattern)));
        skein.get("button", "Download").click();
        until(step, || has_killed(skein.folder()) && !skein.is_running());
        assert_eq!(installed_version(&given.system), BEFORE, "{step}");
        skein.reopen();
        reads(&skein, "The port of the staging server is 7443.");
        assert_eq!(files(&updates), [""; 0], "{step}");
    }
    open_updates(&skein);
    skein.get("button", "Look now").click();
    skein.get("button", "Download").click();
    reads(&skein, "its signature is right");
    assert_eq!(files(&updates), ["pending-update.json", "skein-0.0.1.deb", "skein-0.0.2.deb"]);
    skein.quit();
}
