//! The man page, the completions, the licence texts and the bills of materials.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::package::{Kind, Package};
use crate::system::{folder, output};

#[test]
fn the_man_page_and_the_completions_have_every_option() {
    for kind in [Kind::Deb, Kind::Rpm] {
        let unpacked = Package::built(kind).unpacked();
        let share = unpacked.path().join("usr/share");
        let page = share.join("man/man1/skein.1");
        let mut man = Command::new("man");
        man.args(["--warnings", "--encoding=ascii", "--local-file"]).arg(&page);
        let result = man.env("MANWIDTH", "100").output().expect("man is installed");
        assert_eq!(String::from_utf8_lossy(&result.stderr), "", "{kind:?}: no warning");
        let page = String::from_utf8_lossy(&result.stdout).into_owned();
        let bash = share.join("bash-completion/completions/skein");
        output(Command::new("bash").arg("-n").arg(&bash));
        let bash = fs::read_to_string(bash).expect("it is text");
        for option in ["--data", "--safe-mode", "--hidden", "--help", "--version"] {
            assert!(page.contains(option), "{kind:?}: {option} on the man page\n{page}");
            assert!(bash.contains(option), "{kind:?}: {option} in the completions\n{bash}");
        }
    }
}

#[test]
fn every_library_with_a_licence_text_is_in_a_bill_of_materials() {
    let bills = folder("SKEIN_BILLS");
    let known: BTreeSet<String> = ["skein-crates.cdx.json", "skein-packages.cdx.json"]
        .iter()
        .flat_map(|name| components(&bills.join(name)))
        .collect();
    for kind in [Kind::Deb, Kind::Rpm] {
        let unpacked = Package::built(kind).unpacked();
        let texts = unpacked.path().join("usr/share/doc/skein/THIRD-PARTY-LICENCES.txt.gz");
        let texts = output(Command::new("gzip").args(["--decompress", "--stdout"]).arg(texts));
        let named: BTreeSet<&str> = texts.lines().filter_map(library).collect();
        assert!(named.len() > 300, "{kind:?}: {} libraries", named.len());
        let unknown: Vec<_> = named.iter().filter(|name| !known.contains(**name)).collect();
        assert!(unknown.is_empty(), "{kind:?}: in no bill of materials: {unknown:?}");
    }
}

/// The libraries of a bill, as `name version`.
fn components(bill: &Path) -> Vec<String> {
    let bill = fs::read_to_string(bill).expect("`cargo xtask test --packages` writes it");
    let bill: Value = serde_json::from_str(&bill).expect("it is JSON");
    let all = bill["components"].as_array().expect("a bill has components");
    all.iter()
        .map(|it| {
            let text = |key: &str| it[key].as_str().unwrap_or_default();
            let group = it["group"].as_str().map(|group| format!("{group}/")).unwrap_or_default();
            format!("{group}{} {}", text("name"), text("version"))
        })
        .collect()
}

/// `name version` of a line such as `serde 1.0.2 (MIT OR Apache-2.0)` or `katex 0.16.4 (npm)`; `None` for
/// the lines of the texts.
fn library(line: &str) -> Option<&str> {
    let (name, licence) = line.split_once(" (")?;
    let (word, version) = name.split_once(' ')?;
    let is_version = version.starts_with(|first: char| first.is_ascii_digit())
        && version.split('.').count() >= 3
        && !version.contains(' ');
    (is_version && licence.ends_with(')') && word == word.to_lowercase()).then_some(name)
}
