//! The facts that a summary does not say, and their room.

use super::{length, said};
use crate::facts::*;

#[test]
fn the_room_is_eight_percent_of_what_was_covered_and_at_most_a_tenth_of_the_threshold() {
    assert_eq!(facts_room(10_000, 100_800), 800);
    assert_eq!(facts_room(300_000, 100_800), 10_080);
}

#[test]
fn what_a_summary_says_word_for_word_is_not_carried_beside_it() {
    let texts =
        ["The tile composer is registered under FBS-38481.", "We deploy on 10 December 2026."];
    let beside = facts_not_in(&said(Author::User, &texts), "- We deploy on 10 December 2026.\n");
    let texts: Vec<_> = beside.iter().map(|fact| fact.text.as_str()).collect();
    assert_eq!(texts, ["The tile composer is registered under FBS-38481"]);
}

#[test]
fn of_two_values_for_a_thing_both_are_carried_though_the_summary_says_one() {
    let texts =
        ["The museum broker may take 17 MB.", "The museum broker may take 26 MB, they say."];
    let summary =
        "- The museum broker may take 17 MB\n- The museum broker may take 26 MB, they say";
    let mut facts = facts_not_in(&said(Author::User, &texts), summary);
    facts.sort_by_key(|fact| fact.message);
    let texts: Vec<_> = facts.iter().map(|fact| fact.values.concat()).collect();
    assert_eq!(texts, ["17 MB", "26 MB"]);
}

#[test]
fn what_takes_back_what_the_summary_says_comes_first() {
    let texts = [
        "The museum broker may take 17 MB.",
        "You must never use tabs.",
        "The museum broker may take 26 MB now.",
    ];
    let beside = facts_not_in(&said(Author::User, &texts), "- The museum broker may take 17 MB");
    assert_eq!(beside[0].values, ["26 MB"]);
}

#[test]
fn an_item_of_a_list_is_not_carried_where_a_line_of_the_summary_has_it_under_its_heading() {
    let sources = said(Author::User, &["Ports:\n- deploy: 7443\n- loom: 7000"]);
    let texts = |summary: &str| -> Vec<String> {
        facts_not_in(&sources, summary).into_iter().map(|fact| fact.text).collect()
    };
    assert_eq!(texts("- Ports › deploy: 7443"), ["loom: 7000"]);
    assert_eq!(texts("Ports\ndeploy: 7443").len(), 2, "a heading in another line");
}

#[test]
fn an_item_of_a_list_is_carried_under_its_heading_though_the_summary_has_its_words() {
    let facts = facts_not_in(&said(Author::User, &["Ports:\n- deploy: 7443"]), "deploy: 7443");
    assert_eq!(facts.len(), 1);
}

#[test]
fn a_newer_value_that_a_summary_says_is_carried_where_an_older_one_is() {
    let texts = [
        "Extensions:\n- Anna Berg: 4411\n- Tom Wolff: 4712",
        "Tom Wolff sits upstairs from today and answers on 4799.",
    ];
    let summary = "- Tom Wolff sits upstairs from today and answers on 4799";
    let kept = facts_not_in(&said(Author::User, &texts), summary);
    let lines = render(&fit_into_room(kept, 1_000, length).kept);
    assert!(lines.contains("2 Tom Wolff sits upstairs"), "{lines}");
}
