//! Rows that programs made, and the room that they leave to what the user said.

use proptest::prelude::*;
use skein_domain::ids::MessageId;

use super::length;
use crate::facts::*;

/// Rows of logs, counters, listings and ids; their words are of letters that no other text here has.
fn machine_row() -> impl Strategy<Value = String> {
    let word = "[qxzj]{4,9}";
    prop_oneof![
        (0u32..60, word, 1u32..9_999)
            .prop_map(|(at, word, value)| format!("09:14:{at:02} {word} took {value} ms")),
        "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}",
        "[0-9a-f]{5}[0-9][a-f][0-9a-f]{5}  [1-9][0-9]{2}",
        (word, word, 1u32..99).prop_map(|(a, b, at)| format!("/{a}/{b}/{at}.bin")),
        (word, 1u32..99, 1u32..999).prop_map(|(word, at, value)| {
            let row = |of: u32| format!("{word}{}: {} jjqx", at + of, value + of);
            [row(1), row(2), row(3)].join("\n")
        }),
    ]
}

/// Words of a user, with a value or a decision in them.
fn users_words() -> impl Strategy<Value = String> {
    let name = "[BDFGKLMPRSTV][aeiou][bdfgklmnprstv][aeiou][nrslm]";
    prop_oneof![
        (name, 100u32..999).prop_map(|(name, v)| format!("The desk of {name} is {v}.")),
        (name, name, 10u32..24).prop_map(|(a, b, hour)| {
            format!("For the trip that {a} and {b} have in mind, the bus leaves at {hour}:35.")
        }),
        (name, 100u32..999).prop_map(|(name, v)| format!("We decided that {name} gets desk {v}.")),
        name.prop_map(|name| format!("Never send the offers to {name} before noon.")),
        ("[赵钱孙李周吴郑王][志国建美][强华芳明]", 100u32..999)
            .prop_map(|(name, v)| format!("{name}的分机是{v}。")),
    ]
}

/// A turn: what the user says, what a model answers, and the rows of an output.
fn turn() -> impl Strategy<Value = (String, &'static str, Vec<String>)> {
    let answer = prop_oneof![Just("I have noted that."), Just("The list goes out on Friday.")];
    (users_words(), answer, proptest::collection::vec(machine_row(), 8..30))
}

fn passages<'a>(turns: &'a [(String, &'static str, String)]) -> Vec<FactSource<'a>> {
    let of = |(at, (user, model, output)): (i64, &'a (String, &'static str, String))| {
        let texts =
            [(Author::User, user.as_str()), (Author::Model, model), (Author::Material, output)];
        let passage = move |(of, (author, text))| FactSource {
            message: MessageId(at * 3 + of),
            author,
            text,
            document: None,
        };
        (0i64..).zip(texts).map(passage)
    };
    (0i64..).zip(turns).flat_map(of).collect()
}

fn texts(facts: &[Fact], wanted: impl Fn(&Fact) -> bool) -> Vec<&str> {
    facts.iter().filter(|fact| wanted(fact)).map(|fact| fact.text.as_str()).collect()
}

proptest! {
    #[test]
    fn f07_no_filler_takes_room_that_a_fact_of_the_user_would_need(
        turns in proptest::collection::vec(turn(), 1..8), percent in 1u32..110
    ) {
        let turns: Vec<_> = turns
            .into_iter()
            .map(|(user, model, rows)| (user, model, rows.join("\n")))
            .collect();
        let found = extract(&passages(&turns));
        let is_filler = |fact: &Fact| fact.author == Author::Material;
        let all = fit_into_room(found.clone(), u32::MAX, length);
        prop_assert!(all.left_out.is_empty(), "what fits is carried");
        prop_assert!(all.kept.iter().any(is_filler) && !all.kept.iter().all(is_filler));
        let room = length(&render(&all.kept)) * percent / 100;
        let chosen = fit_into_room(found, room, length);
        let lost = texts(&chosen.left_out, |fact| fact.author == Author::User);
        let filler = texts(&chosen.kept, is_filler);
        prop_assert!(lost.is_empty() || filler.is_empty(), "{lost:?} for {filler:?}");
    }
}

/// The texts that are filler where a user says `said` and an output has these rows.
fn filler(said: &str, rows: &[&str]) -> Vec<String> {
    let output = rows.join("\n");
    let passage =
        |id, author, text| FactSource { message: MessageId(id), author, text, document: None };
    let passages = [passage(1, Author::User, said), passage(2, Author::Material, &output)];
    let mut facts = extract(&passages);
    facts.sort_by_key(|fact| fact.place);
    facts.into_iter().filter(|fact| fact.filler).map(|fact| fact.text).collect()
}

const LOG: [&str; 4] = [
    "2026-03-04 09:14:02 kettle-worker took 311 ms",
    "2026-03-04 09:14:05 kettle-worker took 298 ms",
    "2026-03-04 09:14:09 flusher wrote 9f3a2c1 to /var/blob/77.bin",
    "2026-03-04 09:14:11 kettle-worker failed with EPERM",
];

#[test]
fn f07_rows_with_a_time_in_seconds_are_filler_but_for_errors() {
    let expected = [
        "kettle-worker took 311 ms",
        "kettle-worker took 298 ms",
        "flusher wrote 9f3a2c1 to /var/blob/77.bin",
    ];
    assert_eq!(filler("The desk of Mara is 305.", &LOG), expected);
}

#[test]
fn f07_a_row_that_has_a_word_or_a_long_number_of_somebody_is_no_filler() {
    for said in
        ["Did the Kettle start?", "the flusher hangs", "写到 9f3a2c1 了", "kettles and flushers"]
    {
        let found = filler(said, &LOG);
        assert!(found.len() < 3, "{said} {found:?}");
    }
    assert_eq!(filler("Look at /var/log at 09:14.", &LOG).len(), 2, "a part of a path names it");
}

#[test]
fn f07_rows_of_names_and_the_rows_of_a_brief_output_are_no_filler() {
    let none: [&[&str]; 4] = [
        &[
            "Crannaway | 16:45 | berth 2",
            "Brannoch | 07:25 | quay 5",
            "Oswin | 11:15 | pier 1",
            "Ulla | 12:10 | dock 9",
        ],
        &[
            "heron 10.20.7.91 greta",
            "egret 10.20.7.92 tilda",
            "crane 10.20.7.93 mona",
            "ibis 10.20.7.94 vera",
        ],
        &["9f3a2c1d", "77ab01c9"],
        &["timeout: 45s", "retries: 3", "listen: 0.0.0.0:5601", "retention: 14d"],
    ];
    for rows in none {
        assert_eq!(filler("The desk of Mara is 305.", rows), [""; 0]);
    }
}
