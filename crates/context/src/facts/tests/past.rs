//! Values that held before: told later, they take no place.

use super::said;
use crate::facts::*;

const CASES: &[[&str; 2]] = &[
    ["The gate code of the depot is 7443", "The gate code of the depot was previously 7000"],
    ["The limit of the queue is 400", "Formerly the limit of the queue was 250"],
    ["the limit of the queue is 400", "formerly the limit of the queue was 250"],
    ["The train to Bern leaves at 16:35", "The earlier train to Bern leaves at 14:05"],
    ["The desk of Mara is 411", "The former desk of Mara was 305"],
    ["Der Zug nach Kassel geht um 21:12", "Der Zug nach Kassel ging früher um 08:47"],
    ["Das Limit der Warteschlange ist 400", "Das Limit der Warteschlange war vorher 250"],
    ["The gate code is 7443", "The gate code was actually previously 7000"],
    ["仓库的门禁码是7443", "仓库的门禁码之前是7000"],
    ["食堂的分机是5511", "食堂的分机原来是5222"],
];

fn changed(facts: &[Fact]) -> bool {
    facts.iter().any(|fact| fact.replaced_by.is_some() || fact.was.is_some())
}

#[test]
fn f02_a_value_of_the_past_that_is_told_later_takes_no_place() {
    for case in CASES {
        for author in [Author::User, Author::Model] {
            let facts = extract(&said(author, case));
            assert!(!changed(&facts), "{case:?} {facts:?}");
            assert!(facts.iter().any(|fact| case[0].starts_with(&fact.text)), "{case:?} {facts:?}");
        }
    }
}

#[test]
fn f02_a_change_behind_a_value_of_the_past_was_what_held_last() {
    let facts = extract(&said(
        Author::User,
        &[
            "The gate code of the depot is 7443.",
            "The gate code of the depot was previously 7000.",
            "The gate code of the depot is now 8011.",
        ],
    ));
    let was: Vec<_> = facts.iter().filter_map(|fact| fact.was.as_deref()).collect();
    assert_eq!(was, ["7443"], "{facts:?}");
}
