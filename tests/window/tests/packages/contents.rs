//! The files of the packages, their sizes, and what their entries for the desktop say.

use std::fs;
use std::process::Command;

use crate::package::{Kind, Package, PackagedFile};
use crate::system::output;

const KINDS: [Kind; 2] = [Kind::Deb, Kind::Rpm];

/// The largest file that is offered for download, in bytes: 15 MiB.
const DOWNLOAD: u64 = 15 << 20;
/// The most that it takes when it is installed, in bytes: 45 MB.
const INSTALLED: u64 = 45_000_000;

#[test]
fn a_package_has_these_files_and_no_others() {
    for kind in KINDS {
        let completions = match kind {
            Kind::Deb => "vendor-completions",
            Kind::Rpm => "site-functions",
        };
        let file = |path: &str| {
            let mode = if path.ends_with("/bin/skein") { "-rwxr-xr-x" } else { "-rw-r--r--" };
            PackagedFile { path: path.into(), mode: mode.into(), owner: "0/0".into() }
        };
        let expected = [
            "/usr/bin/skein",
            "/usr/share/applications/Skein.desktop",
            "/usr/share/bash-completion/completions/skein",
            "/usr/share/doc/skein/LICENSE-APACHE",
            "/usr/share/doc/skein/LICENSE-MIT",
            "/usr/share/doc/skein/THIRD-PARTY-LICENCES.txt.gz",
            "/usr/share/fish/vendor_completions.d/skein.fish",
            "/usr/share/icons/hicolor/128x128/apps/skein.png",
            "/usr/share/icons/hicolor/16x16/apps/skein.png",
            "/usr/share/icons/hicolor/24x24/apps/skein.png",
            "/usr/share/icons/hicolor/256x256/apps/skein.png",
            "/usr/share/icons/hicolor/32x32/apps/skein.png",
            "/usr/share/icons/hicolor/48x48/apps/skein.png",
            "/usr/share/icons/hicolor/512x512/apps/skein.png",
            "/usr/share/icons/hicolor/64x64/apps/skein.png",
            "/usr/share/icons/hicolor/scalable/apps/skein.svg",
            "/usr/share/man/man1/skein.1",
            "/usr/share/metainfo/app.skein.desktop.metainfo.xml",
            &format!("/usr/share/zsh/{completions}/_skein"),
        ];
        assert_eq!(Package::built(kind).files(), expected.map(file), "{kind:?}");
    }
}

#[test]
fn a_package_keeps_to_its_size() {
    for kind in KINDS {
        let package = Package::built(kind);
        let size = fs::metadata(&package.file).expect("it is there").len();
        let folder = package.unpacked();
        let files = package.files();
        let installed = files.iter().map(|file| folder.path().join(&file.path[1..]));
        let installed: u64 =
            installed.map(|file| fs::metadata(file).expect("it was unpacked").len()).sum();
        println!("{kind:?}: {size} bytes, {installed} installed");
        assert!(size <= DOWNLOAD, "{kind:?}: {size} bytes to download");
        assert!(installed <= INSTALLED, "{kind:?}: {installed} bytes installed");
    }
}

#[test]
fn the_desktop_finds_the_program_by_valid_entries() {
    for kind in KINDS {
        let folder = Package::built(kind).unpacked();
        let share = folder.path().join("usr/share");
        let entry = share.join("applications/Skein.desktop");
        let said = output(Command::new("desktop-file-validate").arg(&entry));
        assert_eq!(said, "", "{kind:?}: neither an error nor a hint");
        let metainfo = share.join("metainfo/app.skein.desktop.metainfo.xml");
        output(Command::new("appstreamcli").args(["validate", "--no-net"]).arg(metainfo));
        let entry = fs::read_to_string(entry).expect("it is text");
        for line in ["Exec=skein %U", "Icon=skein", "Name=Skein"] {
            assert!(entry.lines().any(|it| it == line), "{kind:?}: {line} in {entry}");
        }
        let links = entry.lines().find_map(|line| line.strip_prefix("MimeType="));
        assert!(links.is_some_and(|it| it.contains("x-scheme-handler/skein;")), "{entry}");
    }
}
