//! The source files that the scanners read.

use std::fs;
use std::path::Path;

use crate::cfg_test::without_tests;
use crate::paths;

/// A Rust file or a manifest.
pub struct Source {
    /// Relative to the checkout, with `/` on every platform.
    pub path: String,
    /// The text without comments and items of `#[cfg(test)]`.
    pub code: String,
    /// Comment lines with their numbers.
    pub comments: Vec<(usize, String)>,
}

impl Source {
    pub fn new(path: &str, text: &str) -> Self {
        let is_comment = |line: &str| line.trim_start().starts_with("//");
        let code: Vec<&str> =
            text.lines().map(|line| if is_comment(line) { "" } else { line }).collect();
        let comments = (1..).zip(text.lines()).filter(|(_, line)| is_comment(line));
        Self {
            path: path.to_owned(),
            code: without_tests(&code.join("\n")),
            comments: comments.map(|(number, line)| (number, line.to_owned())).collect(),
        }
    }

    pub fn is_in(&self, folder: &str) -> bool {
        self.path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
    }

    /// True for code that runs in the product: no tests, no benchmarks.
    pub fn is_product(&self) -> bool {
        self.path.contains("/src/")
            && self.path.ends_with(".rs")
            && !self.path.ends_with("/tests.rs")
            && !self.path.contains("/tests/")
    }

    /// The lines without imports and re-exports.
    pub fn lines_without_imports(&self) -> impl Iterator<Item = &str> {
        self.lines().filter(|(_, imports)| !imports).map(|(line, _)| line)
    }

    /// The lines of imports and re-exports.
    pub fn imports(&self) -> impl Iterator<Item = &str> {
        self.lines().filter(|(_, imports)| *imports).map(|(line, _)| line)
    }

    /// The lines; true for imports and re-exports.
    fn lines(&self) -> impl Iterator<Item = (&str, bool)> {
        let mut importing = false;
        self.code.lines().map(move |line| {
            let import = importing || begins_import(line.trim_start());
            importing = import && !line.contains(';');
            (line, import)
        })
    }

    /// The names of a manifest's dependencies, without those for tests. `None` if it is not a
    /// manifest.
    pub fn dependencies(&self) -> Option<Vec<String>> {
        self.path.ends_with("Cargo.toml").then(|| {
            let counts =
                |section: &str| section.ends_with("dependencies") && !section.starts_with("dev-");
            let mut names = Vec::new();
            let mut inside = false;
            let mut of_one = false;
            for line in self.code.lines().map(str::trim) {
                if let Some(section) = line.strip_prefix('[').and_then(|l| l.strip_suffix(']')) {
                    inside = counts(section);
                    of_one = false;
                    // `[dependencies.reqwest]`
                    if let Some((section, name)) = section.rsplit_once('.')
                        && counts(section)
                    {
                        of_one = true;
                        names.push(name.to_owned());
                    }
                } else if inside && let Some((name, _)) = line.split_once(['.', '=', ' ']) {
                    names.push(name.to_owned());
                }
                // A renamed dependency.
                if inside || of_one {
                    names.extend(package(line));
                }
            }
            names
        })
    }
}

/// The crate name in `package = "…"`.
fn package(line: &str) -> Option<String> {
    let (_, value) = line.split_once("package")?;
    let value = value.trim_start().strip_prefix('=')?;
    value.split('"').nth(1).map(str::to_owned)
}

fn begins_import(line: &str) -> bool {
    let line = line.strip_prefix("pub").unwrap_or(line).trim_start();
    ["use ", "(crate) use ", "(super) use "].iter().any(|start| line.starts_with(start))
}

/// Every Rust file and manifest of the product, without the scanners.
pub fn sources() -> Vec<Source> {
    let root = paths::root();
    let mut sources = Vec::new();
    for folder in ["crates", "src-tauri"] {
        collect(&root, &root.join(folder), &mut sources);
    }
    sources
}

fn collect(root: &Path, folder: &Path, sources: &mut Vec<Source>) {
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let path = entry.path();
        let name = entry.file_name().to_string_lossy().into_owned();
        if path.is_dir() && !["target", "gen", "node_modules"].contains(&name.as_str()) {
            collect(root, &path, sources);
        } else if name.ends_with(".rs") || name == "Cargo.toml" {
            let relative = path.strip_prefix(root).unwrap().to_string_lossy().replace('\\', "/");
            sources.push(Source::new(&relative, &fs::read_to_string(&path).unwrap()));
        }
    }
}
