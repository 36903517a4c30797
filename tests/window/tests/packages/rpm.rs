//! The rpm, installed without its requirements, which Debian knows by other names; these are compared with
//! what the program links.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use skein_window::Skein;

use crate::package::{Kind, Package};
use crate::system::{System, converse, output};

/// A library that is loaded by its name alone is in no list of the linker.
#[test]
fn the_program_names_no_library_that_it_does_not_link() {
    let folder = Package::built(Kind::Rpm).unpacked();
    let program = folder.path().join("usr/bin/skein");
    let linked = linked_libraries(&program);
    let bytes = std::fs::read(&program).expect("it was unpacked");
    let words = bytes.split(|byte| !byte.is_ascii_graphic());
    let words = words.filter_map(|word| std::str::from_utf8(word).ok());
    let named: BTreeSet<&str> =
        words.filter(|word| word.starts_with("lib") && word.contains(".so")).collect();
    let unknown: Vec<_> =
        named.iter().filter(|name| !linked.iter().any(|it| it == *name)).collect();
    assert!(named.len() > 5 && unknown.is_empty(), "{unknown:?} of {named:?}");
}

#[test]
fn the_rpm_requires_every_library_that_the_program_links() {
    let package = Package::built(Kind::Rpm);
    let required = package.query(&["--requires"]);
    let required: BTreeSet<&str> = required.lines().map(|line| line.trim()).collect();
    let folder = package.unpacked();
    let linked = linked_libraries(&folder.path().join("usr/bin/skein"));
    assert!(linked.len() > 5, "{linked:?}");
    let missing: Vec<String> = linked
        .into_iter()
        .filter(|name| !name.starts_with("ld-linux"))
        .map(|name| format!("{name}()(64bit)"))
        .filter(|name| !required.contains(name.as_str()))
        .collect();
    assert_eq!(missing, Vec::<String>::new());
}

#[test]
fn k01_the_rpm_installs_starts_and_leaves_the_conversations() {
    let system = System::new();
    let package = Package::built(Kind::Rpm);
    // The libraries come with the deb.
    system.install(&Package::built(Kind::Deb).file);
    system.apt(&["remove", "skein"]);
    assert_eq!(system.present(&package), Vec::<String>::new());

    let rpm = |words: &[&str]| {
        output(Command::new("rpm").arg("--root").arg(system.path("/")).args(words))
    };
    let file = package.file.display().to_string();
    rpm(&["--install", "--nodeps", "--nosignature", &file]);
    assert_eq!(system.present(&package).len(), package.files().len());
    assert_eq!(rpm(&["--verify", "--nodeps", "skein"]), "", "every file is as it was packed");
    let mut skein = Skein::start();
    converse(&skein, "7443");
    skein.screenshot("package-rpm");
    skein.quit();

    rpm(&["--erase", "--nodeps", "skein"]);
    assert_eq!(system.present(&package), Vec::<String>::new());
    assert!(skein.folder().join("skein.db").is_file(), "the conversations are the user's");
}

/// The libraries that the file of the program names for the linker.
fn linked_libraries(program: &Path) -> Vec<String> {
    let list = output(Command::new("readelf").args(["--dynamic", "--wide"]).arg(program));
    list.lines().filter_map(linked_library).map(str::to_owned).collect()
}

/// `libc.so.6` of a line such as `… (NEEDED)  Shared library: [libc.so.6]`.
fn linked_library(line: &str) -> Option<&str> {
    let (_, name) = line.split_once("(NEEDED)")?;
    name.split_once('[')?.1.split(']').next()
}
