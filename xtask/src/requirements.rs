//! Every numbered requirement has a test that carries its number in its name: `fr_1_2_…`, `us_6_…`,
//! `d09_…`, `p03_…`, `q08_…`. What the test proves is for whoever reads it; that there is one is
//! seen here.
//!
//! The numbers are those of the five documents that Skein was written after: compaction of a
//! conversation (FR, with its stories US), context health (D), the check before sending (P) and the
//! breakdown of the window (Q).
#![cfg(test)]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::place;

/// The first and the last number under each prefix, as test names write it.
const REQUIREMENTS: [(&str, u32, u32); 9] = [
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
];

fn requirements() -> BTreeSet<String> {
    let numbers = |(prefix, first, last): (&'static str, u32, u32)| {
        (first..=last).map(move |number| match prefix {
            "d" | "p" | "q" => format!("{prefix}{number:02}"),
            _ => format!("{prefix}{number}"),
        })
    };
    REQUIREMENTS.into_iter().flat_map(numbers).collect()
}

/// The requirements that the name of a test carries.
fn carried(name: &str) -> BTreeSet<String> {
    let name = name.to_ascii_lowercase();
    let words: Vec<&str> = name.split(|it: char| !it.is_ascii_alphanumeric()).collect();
    let known = requirements();
    let two = words.windows(2).map(|pair| pair.join("_"));
    let three = words.windows(3).map(|three| three.join("_"));
    let one = words.iter().map(|&word| word.to_owned());
    one.chain(two).chain(three).filter(|carried| known.contains(carried)).collect()
}

/// The names of a file's tests, and of what else it calls a function or gives a title.
fn names<'a>(path: &str, text: &'a str) -> Vec<&'a str> {
    let after = |mark: &'static str, end: char| {
        text.split(mark).skip(1).filter_map(move |rest| rest.split(end).next())
    };
    match path {
        _ if path.ends_with(".rs") => after("fn ", '(').collect(),
        _ if path.contains(".test.ts") => after("it('", '\'').chain(after(")('", '\'')).collect(),
        _ => Vec::new(),
    }
}

fn proven() -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for folder in ["crates", "src-tauri", "tests", "ui/src"] {
        look_into(&place::root().join(folder), &mut found);
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
    check("law_12_two_d1_or_d100", &[]);
}
