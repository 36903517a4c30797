//! `cargo xtask licences`: the crates in the program on any system, with their licences, for the
//! page "About".
//!
//! Not here: the npm packages, which the interface's own build reads from its lock file.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use crate::TaskResult;
use crate::{paths, shell};

/// Writes the list.
pub fn write() -> TaskResult {
    let crates = crates(&["--target", "all"]).ok_or("`cargo tree` could not list the crates.")?;
    let path = list();
    let words = format!("[\n  {}\n]\n", Vec::from_iter(crates).join(",\n  "));
    fs::write(&path, words).map_err(|error| format!("{}: {error}", path.display()))
}

fn list() -> PathBuf {
    paths::ui().join("src/settings/about/crates.json")
}

/// A library of the program: a crate or an npm package.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ShippedLibrary {
    pub name: String,
    pub version: String,
    pub licence: String,
}

/// The lines of the list.
fn crates(target: &[&str]) -> Option<BTreeSet<String>> {
    let line = |it: &ShippedLibrary| format!("[{:?}, {:?}, {:?}]", it.name, it.version, it.licence);
    Some(shipped_crates(target)?.iter().map(line).collect())
}

/// The crates in the output of `cargo tree`, in order, without build dependencies and Skein's own
/// crates. `None` if Cargo failed.
pub fn shipped_crates(target: &[&str]) -> Option<Vec<ShippedLibrary>> {
    let mut words = vec!["cargo", "tree", "--locked", "--package", "skein", "--prefix", "none"];
    words.extend(["--edges", "normal,no-proc-macro", "--format", "{p}|{l}"]);
    words.extend(target);
    let lines = shell::output_of(&words)?;
    let crates: BTreeSet<ShippedLibrary> = lines.lines().filter_map(shipped_crate).collect();
    Some(crates.into_iter().collect())
}

/// A line such as `serde v1.0.229|MIT OR Apache-2.0`, with a star at its end if it was listed
/// before.
fn shipped_crate(found: &str) -> Option<ShippedLibrary> {
    let (name, licence) = found.trim_end_matches(" (*)").split_once('|')?;
    let (name, version) = name.split_once(" v")?;
    let is_ours = version.contains(' ');
    (!is_ours).then(|| ShippedLibrary {
        name: name.into(),
        version: version.into(),
        licence: in_order(licence),
    })
}

/// Alternatives in alphabetical order.
fn in_order(licence: &str) -> String {
    if licence.contains(" AND ") {
        return licence.to_owned();
    }
    let licence = licence.replace('/', " OR ");
    let alternatives: BTreeSet<&str> = licence.split(" OR ").map(str::trim).collect();
    Vec::from_iter(alternatives).join(" OR ")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Dependencies of other systems cannot be resolved without a network, but unused ones can be
    /// found.
    #[test]
    fn about_names_every_crate_of_the_program_and_no_other() {
        let written = fs::read_to_string(list()).unwrap();
        let written: BTreeSet<String> =
            written.lines().map(|line| line.trim().trim_end_matches(',').to_owned()).collect();
        let here = crates(&["--offline"]).unwrap();
        let missing: Vec<_> = here.difference(&written).collect();

        let lock = fs::read_to_string(paths::root().join("Cargo.lock")).unwrap();
        let is_locked = |line: &&String| {
            let mut words = line.split('"').skip(1).step_by(2);
            let (name, version) = (words.next().unwrap(), words.next().unwrap());
            lock.contains(&format!("name = \"{name}\"\nversion = \"{version}\"\n"))
        };
        let gone: Vec<_> =
            written.iter().filter(|line| line.starts_with("[\"") && !is_locked(line)).collect();
        assert_eq!((missing, gone), (vec![], vec![]), "run: cargo xtask licences");
    }

    #[test]
    fn alternatives_are_written_in_one_order() {
        for (written, read) in [
            ("MIT OR Apache-2.0", "Apache-2.0 OR MIT"),
            ("Apache-2.0 / MIT", "Apache-2.0 OR MIT"),
            ("MIT", "MIT"),
            ("(MIT OR Apache-2.0) AND Unicode-3.0", "(MIT OR Apache-2.0) AND Unicode-3.0"),
        ] {
            assert_eq!(in_order(written), read);
        }
    }
}
