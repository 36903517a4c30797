//! `cargo xtask lines`: the size of the code.
//!
//! A product line is any line, including comments and blank lines, of a Rust file below
//! `crates/*/src` or `src-tauri/src`, outside of `#[cfg(test)]`, of folders named `tests` and of
//! files named `tests.rs`. The programs of `crates/lab`, the tests, `xtask` and the UI are counted
//! separately.

use std::path::Path;
use std::{fmt, fs};

use crate::cfg_test::without_tests;
use crate::{TaskResult, paths, shell};

#[derive(Debug, Default, PartialEq, Eq)]
struct LineCounts {
    product: usize,
    lab: usize,
    xtask: usize,
    rust_tests: usize,
    ui: usize,
    ui_tests: usize,
}

pub fn print() -> TaskResult {
    let files = shell::output_of(&["git", "ls-files"]).ok_or("Git does not list the files.")?;
    let mut counts = LineCounts::default();
    for path in files.lines() {
        // A deleted file that is not yet committed has no lines.
        if let Ok(text) = fs::read_to_string(paths::root().join(path)) {
            counts.add(path, &text);
        }
    }
    print!("{counts}");
    Ok(())
}

impl LineCounts {
    fn add(&mut self, path: &str, text: &str) {
        match Path::new(path).extension().and_then(|extension| extension.to_str()) {
            Some("rs") => self.add_rust(path, text),
            Some("ts" | "tsx" | "css") if path != "ui/src/ipc/bindings.ts" => {
                let is_test = path.contains(".test.") || path.starts_with("ui/test/");
                let count = if is_test { &mut self.ui_tests } else { &mut self.ui };
                *count += text.lines().count();
            }
            _ => {}
        }
    }

    fn add_rust(&mut self, path: &str, text: &str) {
        let all = text.lines().count();
        let is_product = path.contains("/src/")
            && !path.starts_with("tests/")
            && !path.contains("/tests/")
            && !path.ends_with("/tests.rs");
        let product = if is_product { without_tests(text).lines().count() } else { 0 };
        self.rust_tests += all - product;
        let count = match path {
            _ if path.starts_with("crates/lab/") => &mut self.lab,
            _ if path.starts_with("xtask/") => &mut self.xtask,
            _ => &mut self.product,
        };
        *count += product;
    }
}

impl fmt::Display for LineCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, lines) in [
            ("product (Rust)", self.product),
            ("crates/lab", self.lab),
            ("xtask", self.xtask),
            ("Rust tests", self.rust_tests),
            ("ui", self.ui),
            ("ui tests", self.ui_tests),
        ] {
            writeln!(f, "{name:<16}{lines:>7}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::LineCounts;

    #[test]
    fn tests_and_programs_that_measure_are_counted_apart() {
        let mut counts = LineCounts::default();
        let text = "fn a() {}\n\n// b\n#[cfg(test)]\nmod tests {\n    fn c() {}\n}\n";
        for path in ["crates/app/src/app.rs", "crates/lab/src/main.rs", "xtask/src/main.rs"] {
            counts.add(path, text);
        }
        counts.add("crates/app/tests/app.rs", "fn d() {}\n");
        counts.add("ui/src/App.tsx", "a\nb\n");
        counts.add("ui/src/App.test.tsx", "a\n");
        counts.add("ui/src/ipc/bindings.ts", "generated\n");
        let expected =
            LineCounts { product: 3, lab: 3, xtask: 3, rust_tests: 13, ui: 2, ui_tests: 1 };
        assert_eq!(counts, expected);
    }
}
