//! The scorer detects errors: a false "(was …)", a swapped subject, a value that is missing,
//! outdated, or part of another.
#![allow(clippy::expect_used, clippy::indexing_slicing)]

use skein_lab::memory::conversation::Thing;
use skein_lab::memory::program::Request;
use skein_lab::memory::score::{Share, Standing, invented, lines, remarks, standing};
use skein_lab::memory::set::{Fact, Passage, Speaker};
use skein_lab::memory::text::holds;

fn thing(key: &str, subject: &str, values: &[&str]) -> Thing {
    let fact = |value: &&str| Fact {
        key: key.to_owned(),
        subject: vec![subject.to_owned()],
        value: (*value).to_owned(),
    };
    let values = values.iter().map(fact).enumerate().collect();
    Thing { key: key.to_owned(), query: subject.to_owned(), values }
}

fn flights() -> [Thing; 2] {
    [thing("athens", "Athens", &["17:55"]), thing("oslo", "Oslo", &["14:35", "15:10"])]
}

fn judged(facts: &str) -> [Standing; 2] {
    let request = Request { facts: facts.to_owned(), ..Request::default() };
    flights().map(|thing| {
        let (newest, older) = thing.within(9).expect("it was said");
        standing(&lines(&request), newest, &older)
    })
}

const RIGHT: Standing = Standing { exact: true, right: true };
const NOT_RIGHT: Standing = Standing { exact: true, right: false };
const MISSING: Standing = Standing { exact: false, right: false };

#[test]
fn a_value_in_a_line_with_its_subject_is_right() {
    let facts = "3 Athens leaves at 17:55\n3 Oslo at 14:35\n9 Oslo now leaves at 15:10";
    assert_eq!(judged(facts), [RIGHT, RIGHT]);
    assert_eq!(judged("9 Oslo now leaves at 15:10\n3 Oslo at 14:35")[1], RIGHT, "by its number");
}

#[test]
fn a_swapped_subject_is_not_right_but_exact() {
    assert_eq!(judged("3 Athens at 15:10\n3 Oslo at 17:55"), [NOT_RIGHT, NOT_RIGHT]);
}

#[test]
fn a_missing_value_is_neither() {
    assert_eq!(judged("3 Athens is warm\n3 Oslo at 14:35"), [MISSING, MISSING]);
}

#[test]
fn an_older_value_in_a_newer_place_is_not_right() {
    assert_eq!(judged("3 Oslo at 15:10\n9 Oslo at 14:35")[1], NOT_RIGHT);
    let both = "9 Oslo moved from 14:35 to 15:10";
    assert_eq!(judged(both)[1], RIGHT, "a line with both tells of the change");
}

#[test]
fn a_remark_with_another_things_value_is_false() {
    let of = |facts| remarks(facts, &flights()).false_of;
    assert_eq!(of("9 Oslo leaves at 15:10 (was 14:35)"), Share { of: 0, all: 1 });
    assert_eq!(of("3 Athens leaves at 17:55 (was 14:35)"), Share { of: 1, all: 1 });
    assert_eq!(of("9 Oslo leaves at 15:10 (was 17:55)"), Share { of: 1, all: 1 });
    assert_eq!(of("3 Oslo leaves at 14:35 (was 15:10)"), Share { of: 1, all: 1 }, "not before it");
    let list = "9 Oslo 15:10 (was 14:35), Athens 17:55";
    assert_eq!(of(list), Share { of: 0, all: 1 }, "wherever it stands");
    let list = "9 Oslo 15:10 (was 17:55), Athens 17:55 (replaced in 12)";
    assert_eq!(of(list), Share { of: 1, all: 1 });
    let filler = "5 the book has 68 pages (was 48)";
    assert_eq!(of(filler), Share::default(), "of nothing in the set");
}

#[test]
fn words_that_nobody_said_are_invented() {
    let text = "The flight to Athens leaves at 17:55.\n# Trips\n- Oslo: 15:10".to_owned();
    let said = [Passage { by: Speaker::User, text }];
    let of = |facts| invented(facts, &said).len();
    assert_eq!(of("Verbatim, each after its number:\n1 Trips › Oslo: 15:10 (was 14:35)"), 0);
    assert_eq!(of("1 The flight to Athens leaves at 17:55 (replaced in 4)"), 0);
    assert_eq!(of("1 The flight to Athens leaves at 15:10"), 1);
    assert_eq!(of("1 The  flight to Athens leaves at 17:55"), 0);
    assert_eq!(of("1 17:55. # Trips"), 1);
}

#[test]
fn a_part_of_another_value_is_not_that_value() {
    let parts = [
        ("ext. 44170", "4417"),
        ("1.2.3", "1.2"),
        ("€41,000", "€41"),
        ("heron-011", "heron-01"),
        ("/data/bak/old", "/data/bak"),
        ("15号桌", "5号桌"),
    ];
    for (text, value) in parts {
        assert!(!holds(text, value), "{value} in {text}");
    }
    for (text, value) in [("at 17:55.", "17:55"), ("改到周三下午", "周三"), ("v1.2, now", "1.2")]
    {
        assert!(holds(text, value), "{value} in {text}");
    }
}
