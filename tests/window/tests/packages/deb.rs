//! The life of the deb: installed as an older version, used, updated, used, removed.

use skein_window::Skein;

use crate::package::{Kind, Package};
use crate::system::{System, converse};

#[test]
fn k01_the_deb_installs_starts_updates_and_leaves_the_conversations() {
    let system = System::new();
    let package = Package::built(Kind::Deb);
    let folder = tempfile::tempdir().expect("a folder");

    system.install(&package.as_version("0.0.1", folder.path()));
    assert_eq!(installed_version(&system), "0.0.1");
    assert_eq!(system.missing_libraries(), Vec::<String>::new());
    let mut skein = Skein::start();
    assert_eq!(skein.run("return document.title"), "Skein");
    converse(&skein, "7443");
    skein.quit();

    system.install(&package.file);
    let version = installed_version(&system);
    assert_ne!(version, "0.0.1");
    assert_eq!(system.run(&["skein", "--version"]).trim(), format!("skein {version}"));
    skein.reopen();
    skein.get("article", "Assistant").first().see();
    skein.get("article", "Assistant").last().text_that("is kept", |text| text.contains("7443"));
    converse(&skein, "8081");
    skein.screenshot("package-deb");
    skein.quit();

    system.apt(&["remove", "skein"]);
    assert_eq!(system.present(&package), Vec::<String>::new());
    assert!(skein.folder().join("skein.db").is_file(), "the conversations are the user's");
}

pub fn installed_version(system: &System) -> String {
    system.run(&["dpkg-query", "--show", "--showformat", "${Version}", "skein"])
}
