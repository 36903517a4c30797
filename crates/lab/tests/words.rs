//! The words that the measurement plants may not be known to what finds them again: no phrase of a
//! generator's sentences, and nothing it plants, stands in a list of the extractor or the demo model.
//!
//! What both sides may share is plain language, a word at a time: "decided", "limit", "March".
//! The generator of `unseen` is not asked: it was written without reading those lists, and nobody who changed
//! them had read it, so what both have (weekdays, titles) each has from the language.
#![allow(clippy::expect_used)]

#[path = "memory/fresh.rs"]
mod fresh;
#[path = "memory/other.rs"]
mod other;
#[path = "memory/plain.rs"]
mod plain;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use skein_lab::memory::conversation::OWN;
use skein_lab::memory::phrases::Phrases;

/// Planted names that are also what some file or a month is called: both are known from elsewhere.
const COINCIDENCES: &[&str] = &["jun", "parquet", "sqlite", "svelte", "vue", "zig"];

/// Where the words are that find facts and answers.
const READERS: &[&str] = &[
    "../context/src/anchors",
    "../context/src/recall.rs",
    "../context/src/summary",
    "../runtime/src/providers/demo",
];

/// Words that join others: a run of them is nobody's phrase.
const JOINING: &str = "a about after again all an and are as at be been before but by can did do does for \
     from get go had has have he her his how i if in into is it its let me more my no not of off on one or \
     our out over she so some than that the their them then there these they this those to too under until \
     up us was we were what when where which while who whom why will with would you your";
/// The same in Chinese, a character each.
const HAN_JOINING: &str =
    "的了是在和与也就都而把被我你他她它们这那有要会吗呢吧到为用请个上中里从给对说一不没么什哪几";

/// Han characters in a row that are a phrase: more than a word.
const PHRASE: usize = 3;

/// All text literals of the readers, their tests left out.
fn literals() -> Vec<String> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = Vec::new();
    for place in READERS {
        let place = here.join(place);
        let files = if place.is_dir() {
            let entries = fs::read_dir(&place).expect("a folder of the readers");
            entries.map(|entry| entry.expect("a file of the readers").path()).collect()
        } else {
            vec![place]
        };
        let sources = files.iter().filter(|file| file.extension().is_some_and(|end| end == "rs"));
        for file in sources.filter(|file| file.file_stem().is_some_and(|name| name != "tests")) {
            let text = fs::read_to_string(file).expect("a source of the readers");
            quoted(text.split("#[cfg(test)]").next().unwrap_or_default(), &mut found);
        }
    }
    found
}

/// The text literals of a source, in lower case, with the breaks of its long ones closed.
fn quoted(source: &str, found: &mut Vec<String>) {
    let mut rest = source;
    while let Some(first) = rest.chars().next() {
        let until = |open: &str, close: &str| {
            let inside = rest.strip_prefix(open)?;
            inside.split_once(close).map(|(text, after)| (text.to_owned(), after))
        };
        if let Some((_, after)) = until("//", "\n").or_else(|| until("'\"'", "")) {
            rest = after;
        } else if let Some((text, after)) = until("r#\"", "\"#").or_else(|| until("r\"", "\"")) {
            found.push(text.to_lowercase());
            rest = after;
        } else if let Some(inside) = rest.strip_prefix('"') {
            let escaped = |at: usize| {
                let before = inside.get(..at).unwrap_or_default();
                (before.len() - before.trim_end_matches('\\').len()) % 2 == 1
            };
            let end = inside.match_indices('"').map(|(at, _)| at).find(|at| !escaped(*at));
            let (text, after) = inside.split_at(end.unwrap_or(inside.len()));
            let closed = text.split("\\\n").map(str::trim_start).collect::<String>();
            found.push(closed.to_lowercase());
            rest = after.strip_prefix('"').unwrap_or_default();
        } else {
            rest = rest.strip_prefix(first).unwrap_or_default();
        }
    }
}

/// The words of a text and what stands between them: a phrase ends where more than a space does.
fn phrases(text: &str) -> Vec<Vec<String>> {
    let lower = text.to_lowercase();
    let pieces =
        lower.split(|letter: char| !(letter.is_ascii_alphabetic() || " '’".contains(letter)));
    let words = |piece: &str| piece.split_whitespace().map(str::to_owned).collect();
    pieces.map(words).filter(|words: &Vec<String>| !words.is_empty()).collect()
}

/// Every run of words of a text that has at least two that do not merely join, at its ends.
fn runs(text: &str) -> BTreeSet<String> {
    let joins = |word: &String| JOINING.split(' ').any(|one| one == word);
    let mut found = BTreeSet::new();
    for words in phrases(text) {
        for from in 0..words.len() {
            for to in from + 2..=words.len().min(from + 5) {
                let run = words.get(from..to).unwrap_or_default();
                let ends = run.first().into_iter().chain(run.last());
                if ends.clone().count() == 2 && ends.clone().all(|word| !joins(word)) {
                    found.insert(run.join(" "));
                }
            }
        }
    }
    found
}

/// Every stretch of Han characters of a text that is a phrase.
fn stretches(text: &str) -> BTreeSet<String> {
    let letters: Vec<char> = text.chars().collect();
    let han =
        |letter: &char| matches!(letter, '\u{4e00}'..='\u{9fff}') && !HAN_JOINING.contains(*letter);
    letters.windows(PHRASE).filter(|four| four.iter().all(han)).map(String::from_iter).collect()
}

fn sentences(phrases: &Phrases) -> impl Iterator<Item = &'static str> {
    let forms = phrases.forms.iter();
    let said = forms.flat_map(|forms| {
        [forms.person, forms.model, forms.tool, forms.change, forms.ask, forms.aside]
    });
    said.flatten().chain(phrases.hidden).copied()
}

/// What is planted: things, the words values are made of, what the person prefers.
fn planted(phrases: &Phrases) -> BTreeSet<String> {
    let lists = phrases.lists.iter().filter(|(name, _)| !["month", "weekday"].contains(name));
    let listed = lists.flat_map(|(_, words)| *words);
    let wished = phrases.preferences.iter().flat_map(|(_, value, other)| [value, other]);
    let things = phrases.first.iter().flat_map(|first| {
        phrases.second.iter().map(move |second| format!("{first}{}{second}", phrases.between))
    });
    let values = listed.chain(wished).map(|text| (*text).to_owned());
    values.chain(things).map(|text| text.to_lowercase()).collect()
}

fn generators() -> [(&'static str, &'static Phrases); 8] {
    [
        ("own", OWN.english),
        ("own", OWN.chinese),
        ("other", other::OTHER.english),
        ("other", other::OTHER.chinese),
        ("fresh", fresh::FRESH.english),
        ("fresh", fresh::FRESH.chinese),
        ("plain", plain::PLAIN.english),
        ("plain", plain::PLAIN.chinese),
    ]
}

#[test]
fn no_phrase_of_a_generators_sentences_stands_in_a_list_of_what_finds_them() {
    let literals = literals();
    let known: BTreeSet<String> =
        literals.iter().flat_map(|text| runs(text).into_iter().chain(stretches(text))).collect();
    assert!(known.len() > 100, "the lists were not found");
    let mut shared = BTreeSet::new();
    for (name, phrases) in generators() {
        for sentence in sentences(phrases) {
            let said = runs(sentence).into_iter().chain(stretches(sentence));
            shared
                .extend(said.filter(|run| known.contains(run)).map(|run| format!("{name}: {run}")));
        }
    }
    assert_eq!(shared, BTreeSet::new());
}

#[test]
fn nothing_that_is_planted_stands_in_a_list_of_what_finds_it() {
    let literals = literals();
    let mut known: BTreeSet<&str> = literals.iter().map(String::as_str).collect();
    let words = literals.iter().flat_map(|text| text.split([' ', '|', '(', ')', '\n']));
    known.extend(words.map(|word| word.trim_matches(['\\', 'b', '?', '[', ']'])));
    let mut shared = BTreeSet::new();
    for (name, phrases) in generators() {
        let planted = planted(phrases);
        let both = planted.iter().map(String::as_str).filter(|text| known.contains(text));
        let both = both.filter(|text| !COINCIDENCES.contains(text));
        shared.extend(both.map(|text| format!("{name}: {text}")));
    }
    assert_eq!(shared, BTreeSet::new());
}
