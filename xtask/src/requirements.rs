//! Checks that every numbered requirement has a test with its number in the name: `fr_1_2_…`,
//! `us_6_…`, `d09_…`, `p03_…`, `q08_…`, `f02_…`, `c04_…`, `w01_…`, `law_14_…`. Only the existence of the
//! test is checked.
//!
//! `docs/requirements.md` describes the numbers: compaction of a conversation (FR, with its stories
//! US), context health (D), the check before sending (P), the breakdown of the window (Q), facts (F),
//! costs (C), further work on the context (W), and the laws of the engine.
#![cfg(test)]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::paths;

/// The first and the last number of each prefix.
const REQUIREMENTS: [(&str, u32, u32); 13] = [
    ("fr_1_", 1, 8),
    ("fr_2_", 1, 5),
    ("fr_3_", 1, 5),
    ("fr_4_", 1, 5),
    ("fr_5_", 1, 4),
    ("us_", 1, 6),
    ("d", 1, 16),
    // P01 is the problem that P02 to P10 solve.
    ("p", 2, 10),
    ("q", 1, 14),
    ("f", 1, 7),
    ("c", 1, 9),
    ("w", 1, 9),
    ("law_", 1, 14),
];

fn requirements() -> BTreeSet<String> {
    let numbers = |(prefix, first, last): (&'static str, u32, u32)| {
        (first..=last).map(move |number| match prefix {
            "d" | "p" | "q" | "f" | "c" | "w" | "law_" => format!("{prefix}{number:02}"),
            _ => format!("{prefix}{number}"),
        })
    };
    REQUIREMENTS.into_iter().flat_map(numbers).collect()
}

/// The requirements in a test's name.
fn carried(name: &str) -> BTreeSet<String> {
    let name = name.to_ascii_lowercase();
    let words: Vec<&str> = name.split(|it: char| !it.is_ascii_alphanumeric()).collect();
    let known = requirements();
    let two = words.windows(2).map(|pair| pair.join("_"));
    let three = words.windows(3).map(|three| three.join("_"));
    let one = words.iter().map(|&word| word.to_owned());
    one.chain(two).chain(three).filter(|carried| known.contains(carried)).collect()
}

/// The names of a file's tests.
fn names<'a>(path: &str, text: &'a str) -> Vec<&'a str> {
    match path {
        _ if path.ends_with(".rs") => functions(text),
        _ if path.contains(".test.ts") => text.lines().filter_map(title).collect(),
        _ => Vec::new(),
    }
}

/// The functions of a Rust file that are tests and not ignored.
fn functions(text: &str) -> Vec<&str> {
    let (mut is_test, mut is_ignored) = (false, false);
    let mut found = Vec::new();
    for line in text.lines().map(str::trim_start) {
        is_test |= line.starts_with("#[test]") || line.starts_with("#[tokio::test");
        is_ignored |= line.starts_with("#[ignore");
        let function = line.strip_prefix("async ").unwrap_or(line).strip_prefix("fn ");
        let Some((name, _)) = function.and_then(|function| function.split_once('(')) else {
            continue;
        };
        if std::mem::take(&mut is_test) & !std::mem::take(&mut is_ignored) {
            found.push(name);
        }
    }
    found
}

/// The title of a UI test that begins on a line; of a table of tests, the one after the table.
fn title(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let one = line.strip_prefix("it('").or_else(|| line.strip_prefix("test('"));
    let (title, _) = one.or_else(|| Some(line.split_once(")('")?.1))?.split_once('\'')?;
    Some(title)
}

fn proven() -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for folder in ["crates", "src-tauri", "tests", "ui/src", "ui/test"] {
        look_into(&paths::root().join(folder), &mut found);
    }
    found
}

fn look_into(folder: &Path, found: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let path = entry.path();
        let name = path.to_string_lossy().into_owned();
        if path.is_dir() {
            look_into(&path, found);
        } else if name.ends_with(".rs") || name.contains(".test.ts") {
            let text = fs::read_to_string(&path).unwrap();
            found.extend(names(&name, &text).into_iter().flat_map(carried));
        }
    }
}

#[test]
fn every_requirement_has_a_test_of_its_number() {
    let missing: Vec<String> = requirements().difference(&proven()).cloned().collect();
    assert!(missing.is_empty(), "no test is named after {missing:?}");
}

#[test]
fn a_name_carries_the_numbers_that_stand_whole_in_it() {
    let check = |name: &str, expected: &[&str]| {
        assert_eq!(carried(name).iter().collect::<Vec<_>>(), expected, "{name}");
    };
    check("p03_p07_a_full_thread_is_archived", &["p03", "p07"]);
    check("us_1_fr_1_3_a_conversation", &["fr_1_3", "us_1"]);
    check("fr_4_5: a threshold of $0 percent", &["fr_4_5"]);
    check("fr_1_a_conversation", &[]);
    check("p11_what_no_document_asks_for", &[]);
    check("law_12_two_d1_or_d100", &["law_12"]);
    check("law_7_or_law_15", &[]);
}

#[test]
fn only_what_runs_as_a_test_proves_anything() {
    let rust = "fn p02_helps() {}\n\
                #[test]\nfn p03_is_one() {}\n\
                fn p04_comes_after_one() {}\n\
                #[tokio::test(flavor = \"multi_thread\")]\n    async fn p05_waits() {\n\
                #[test]\n#[ignore = \"the test above runs it\"]\nfn p06_is_left_out() {}\n\
                #[test]\n// Of a proptest.\nfn p07_draws(\n    thread in threads(),\n) {}\n";
    assert_eq!(names("a.rs", rust), ["p03_is_one", "p05_waits", "p07_draws"]);
    let page = "it('p02 is one', () => {})\n  test('p03 too', async () => {\n\
                it.skip('p04 is left out', () => {})\nedit('p05 is called')\n\
                ] as const)('p06 of each', (one) => {})\n";
    assert_eq!(names("a.test.tsx", page), ["p02 is one", "p03 too", "p06 of each"]);
}
