//! The files the scanners read.

use std::fs;
use std::path::Path;

use crate::place;

/// A Rust file or a manifest.
pub struct Source {
    /// From the root of the checkout, with `/` on every platform.
    pub path: String,
    /// The text without comments and without what follows `#[cfg(test)]`.
    pub code: String,
}

impl Source {
    pub fn new(path: &str, text: &str) -> Self {
        let product = text.split("#[cfg(test)]").next().unwrap_or_default();
        let code = product
            .lines()
            .map(|line| if line.trim_start().starts_with("//") { "" } else { line })
            .collect::<Vec<_>>()
            .join("\n");
        Self { path: path.to_owned(), code }
    }

    pub fn is_in(&self, folder: &str) -> bool {
        self.path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
    }

    /// Whether it is part of what runs: no test, no bench.
    pub fn is_product(&self) -> bool {
        self.path.contains("/src/")
            && self.path.ends_with(".rs")
            && !self.path.ends_with("/tests.rs")
    }

    /// Everything it names but by importing, re-exporting or defining it.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let mut importing = false;
        let lines = self.code.lines().filter(move |line| {
            let import = importing || begins_import(line.trim_start());
            importing = import && !line.contains(';');
            !import
        });
        let mut before = "";
        lines.flat_map(|line| line.split(not_in_a_name)).filter(move |name| {
            let defined = before == "fn";
            before = name;
            !defined
        })
    }

    /// The names of its functions that other modules may call.
    pub fn public_functions(&self) -> impl Iterator<Item = &str> {
        let public = self.code.lines().map(str::trim_start).filter(|line| line.starts_with("pub"));
        public.filter_map(|line| line.split_once(" fn ")?.1.split(not_in_a_name).next())
    }

    /// The path of this file's module in the crate whose sources are in `folder`:
    /// `tools/mcp.rs` is `["tools", "mcp"]`, `tools/mod.rs` and `tools.rs` are `["tools"]`.
    pub fn module_of(&self, folder: &str) -> Option<Vec<String>> {
        let file = self.path.strip_prefix(folder)?.strip_prefix('/')?.strip_suffix(".rs")?;
        let file = file.strip_suffix("/mod").unwrap_or(file);
        Some(file.split('/').map(str::to_owned).collect())
    }

    /// The names of a manifest's dependencies. For `crates/context`, those for tests are left
    /// out: they may read files. `None` where this is no manifest.
    pub fn dependencies(&self) -> Option<Vec<String>> {
        self.path.ends_with("Cargo.toml").then(|| {
            let tests_too = !self.is_in("crates/context");
            let counts = |section: &str| {
                section.ends_with("dependencies") && (tests_too || !section.starts_with("dev-"))
            };
            let mut names = Vec::new();
            let mut inside = false;
            for line in self.code.lines().map(str::trim) {
                if let Some(section) = line.strip_prefix('[').and_then(|l| l.strip_suffix(']')) {
                    inside = counts(section);
                    // `[dependencies.reqwest]`
                    if let Some((section, name)) = section.rsplit_once('.')
                        && counts(section)
                    {
                        names.push(name.to_owned());
                    }
                } else if inside && let Some((name, _)) = line.split_once(['.', '=', ' ']) {
                    names.push(name.to_owned());
                }
            }
            names
        })
    }
}

fn begins_import(line: &str) -> bool {
    let line = line.strip_prefix("pub").unwrap_or(line).trim_start();
    ["use ", "(crate) use ", "(super) use "].iter().any(|start| line.starts_with(start))
}

fn not_in_a_name(letter: char) -> bool {
    !letter.is_alphanumeric() && letter != '_'
}

/// Every Rust file and manifest of the product, without what the scanners themselves are.
pub fn sources() -> Vec<Source> {
    let root = place::root();
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
