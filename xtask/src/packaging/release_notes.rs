//! `cargo xtask release-notes v1.2.3`: prints the section of a version in CHANGELOG.md, once the tag, the
//! manifest and the changelog name the same version.

use std::fs;

use crate::{TaskResult, paths};

/// Prints the notes of the version that a tag names.
pub fn print(arguments: &[String]) -> TaskResult {
    let [tag] = arguments else {
        return Err("Which version? cargo xtask release-notes v1.2.3".into());
    };
    print!("{}", of_tag(tag)?);
    Ok(())
}

/// The notes of the version that a tag names.
///
/// # Errors
/// The manifest has another version, or the changelog has no section for it.
pub fn of_tag(tag: &str) -> TaskResult<String> {
    let read = |name: &str| {
        fs::read_to_string(paths::root().join(name)).map_err(|error| format!("{name}: {error}"))
    };
    let version = tag.strip_prefix('v').unwrap_or(tag);
    let manifest = read("Cargo.toml")?;
    if !manifest.lines().any(|line| line == format!("version = \"{version}\"")) {
        return Err(format!("The tag is {tag}, but Cargo.toml has another version."));
    }
    section(&read("CHANGELOG.md")?, version)
        .ok_or_else(|| format!("CHANGELOG.md has no section \"## {version}\"."))
}

/// The text below the heading of a version; `None` if there is none.
fn section(changelog: &str, version: &str) -> Option<String> {
    let is_heading = |line: &&str| line.starts_with("## ");
    let of_version = |line: &&str| line.split([' ', '[', ']']).any(|word| word == version);
    let mut lines = changelog.lines().skip_while(|line| !(is_heading(line) && of_version(line)));
    lines.next()?;
    let notes: Vec<&str> = lines.take_while(|line| !is_heading(line)).collect();
    let notes = notes.join("\n");
    Some(format!("{}\n", notes.trim())).filter(|notes| notes.len() > 1)
}

#[cfg(test)]
mod tests {
    use super::section;

    const CHANGELOG: &str = "# Changelog\n\n## Unreleased\n\n## [1.2.3] - 2026-11-27\n\n### Added\n\n- A loom.\n\n## 1.2.2\n\n- Less.\n";

    #[test]
    fn the_notes_of_a_version_are_its_section_alone() {
        assert_eq!(section(CHANGELOG, "1.2.3").unwrap(), "### Added\n\n- A loom.\n");
        assert_eq!(section(CHANGELOG, "1.2.2").unwrap(), "- Less.\n");
        assert_eq!(section(CHANGELOG, "1.2"), None);
        assert_eq!(section(CHANGELOG, "Unreleased"), None, "an empty section is no release");
    }
}
