//! Properties over arbitrary texts and names.

use proptest::prelude::*;

use super::said;
use crate::facts::*;

/// Text with the marks that extraction looks at, in any order.
fn hostile() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        "[a-zA-Z0-9./_:@#=-]{1,12}",
        "[\"'`“”「」()<>|*,;!?。，：]{1,3}",
        "[一-龥]{1,6}",
        Just(" ".to_owned()),
        Just("\n- ".to_owned()),
        Just("\n```\n".to_owned()),
        Just("must never now 端口改为".to_owned()),
        Just("7443 ms".to_owned()),
        Just("é🙂’".to_owned()),
    ];
    proptest::collection::vec(piece, 0..60).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn everything_kept_is_word_for_word_in_its_message(
        texts in proptest::collection::vec(hostile(), 1..5)
    ) {
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        for fact in extract(&said(Author::User, &texts)) {
            let source = texts[usize::try_from(fact.message.0).unwrap() - 1];
            prop_assert!(!fact.text.trim().is_empty());
            prop_assert!(source.contains(&fact.text));
            prop_assert!(fact.values.iter().all(|value| fact.text.contains(value.as_str())));
        }
    }

    #[test]
    fn every_fact_stands_in_the_summary_or_beside_it(
        texts in proptest::collection::vec(hostile(), 1..5), summary in hostile()
    ) {
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let messages = said(Author::User, &texts);
        let beside = facts_not_in(&messages, &summary);
        for fact in extract(&messages) {
            let carried = beside.iter().any(|it| it.text == fact.text);
            prop_assert!(carried || summary.contains(&fact.text));
        }
    }

    #[test]
    fn what_is_rendered_keeps_to_the_room_and_nothing_is_lost_between_kept_and_left_out(
        texts in proptest::collection::vec(hostile(), 1..5), room in 0u32..2_000
    ) {
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let facts = extract(&said(Author::User, &texts));
        let all = facts.len();
        let count = |text: &str| u32::try_from(text.len()).unwrap();
        let chosen = fit_into_room(facts, room, count);
        prop_assert!(count(&render(&chosen.kept)) <= room);
        prop_assert_eq!(chosen.kept.len() + chosen.left_out.len(), all);
    }
}

/// Names that no list of the extractor has: letters at random.
fn names(count: usize) -> impl Strategy<Value = Vec<String>> {
    let name = "[BDFGKLMPRSTVZ][aeiou][bdfgklmnprstvz][aeiou][kxzq]";
    proptest::collection::btree_set(name, count..count + 4)
        .prop_map(|names| names.into_iter().collect())
}

fn han_names(count: usize) -> impl Strategy<Value = Vec<String>> {
    let name = "[赵钱孙李周吴郑王冯陈褚卫蒋沈韩杨][一中国有现志强梅芳为上文武德]{2}";
    proptest::collection::btree_set(name, count..count + 4)
        .prop_map(|names| names.into_iter().collect())
}

/// Names in scripts that are neither Latin nor Han.
fn other_names(count: usize) -> impl Strategy<Value = Vec<String>> {
    let name = prop_oneof![
        "[БГДКЛМПРСТ][аеиоу][бгдклмнпрст][аеиоу]",
        "[ΒΓΔΚΛΜΠΡΣΤ][αειο][βγδκλμπρστ][αειος]",
        "[بتجدرسكلمن]{4}",
        "[אבגדהכלמנר]{4}",
        "[कगचजतदनपबमरलस]{2}ा[कगचजतदनपबमरलस]",
        "[アイウエオカキクケコサシスナニ]{2,4}",
        "[가나다라마바사아자하]{3}",
        "[กขคงจชดตนบปพมยรลวส]{2}า[กขคงนบมยล]",
    ];
    proptest::collection::btree_set(name, count..count + 4)
        .prop_map(|names| names.into_iter().collect())
}

/// Frames in which one thing is said of many: of today, with a sign of change, and of the past.
const FRAMES: [[&str; 3]; 13] = [
    [
        "The flight to {} leaves at {v}.",
        "The flight to {} now leaves at {v}.",
        "The flight to {} previously leaves at {v}.",
    ],
    [
        "{}'s extension is {v}.",
        "{}'s extension was changed to {v}.",
        "{}'s extension was formerly changed to {v}.",
    ],
    ["Room of {}: {v}", "Room of {}, updated: {v}", "Room of {}, originally: {v}"],
    [
        "Der Flug nach {} geht um {v}.",
        "Der Flug nach {} geht jetzt um {v}.",
        "Der Flug nach {} geht früher um {v}.",
    ],
    [
        "Die Durchwahl von {} ist {v}.",
        "Die Durchwahl von {} ist jetzt {v}.",
        "Die Durchwahl von {} war bisher {v}.",
    ],
    [
        "Le train de {} part à {v}.",
        "Le train de {} part maintenant à {v}.",
        "Update: le train de {} part à {v}, previously.",
    ],
    [
        "La habitación de {} es la {v}.",
        "Update: la habitación de {} es la {v}.",
        "Formerly la habitación de {} es la {v}.",
    ],
    ["L'interno di {} è {v}.", "L'interno di {} adesso è {v}.", "L'interno di {} era {v}."],
    ["Кабинет {}: {v}", "Update: кабинет {}: {v}", "Previously: кабинет {}: {v}"],
    ["{}の内線は{v}", "Now: {}の内線は{v}", "Earlier: {}の内線は{v}"],
    ["{}的分机是{v}。", "{}的分机改为{v}。", "{}的分机之前是{v}。"],
    ["去{}的航班{v}起飞。", "去{}的航班现在{v}起飞。", "去{}的航班以前{v}起飞。"],
    ["{}的房间是{v}", "{}的房间现在是{v}", "{}的房间原来改成{v}"],
];
/// The places of a sentence with a sign of change and of one of the past in a frame.
const CHANGED: usize = 1;
const PAST: usize = 2;

proptest! {
    #[test]
    fn f03_what_is_said_to_have_been_was_said_of_that_very_thing(
        told in proptest::collection::vec(
            (0..FRAMES.len(), 0..3usize, 0usize..6, 1000u32..9999), 1..24
        ),
        latin in names(6), han in han_names(6), others in other_names(6),
        foreign in any::<bool>(), lower in any::<bool>(),
    ) {
        let text = |(frame, tense, name, value): &(usize, usize, usize, u32)| {
            let frame = FRAMES[*frame][*tense];
            let native = if frame.contains('的') { &han } else { &latin };
            let name = if foreign { &others[*name] } else { &native[*name] };
            let text = frame.replace("{}", name).replace("{v}", &value.to_string());
            if lower { text.to_lowercase() } else { text }
        };
        let texts: Vec<String> = told.iter().map(text).collect();
        let refs: Vec<&str> = texts.iter().map(String::as_str).collect();
        for fact in extract(&said(Author::User, &refs)) {
            let at = usize::try_from(fact.message.0).unwrap() - 1;
            let (frame, tense, name, _) = told[at];
            if let Some(was) = &fact.was {
                let earlier = told[..at].iter().any(|(other, then, named, value)| {
                    let held = *then != PAST && value.to_string() == *was;
                    *other == frame && *named == name && held
                });
                prop_assert!(earlier && tense != PAST, "{texts:#?} {fact:?}");
            }
            if let Some(newer) = fact.replaced_by {
                let (other, then, named, _) = told[usize::try_from(newer.0).unwrap() - 1];
                let is_change = other == frame && named == name && then == CHANGED;
                prop_assert!(is_change, "{texts:#?} {fact:?}");
            }
        }
    }

    #[test]
    fn no_value_has_a_bracket_that_is_open(
        pieces in proptest::collection::vec("[a-z0-9./|\\\\=:-]{1,6}|[()\\[\\]{}]{1,3}| ", 1..40)
    ) {
        let text = pieces.concat();
        for fact in extract(&said(Author::User, &[&text])) {
            for value in fact.values.iter().chain(&fact.was) {
                for (open, close) in [('(', ')'), ('[', ']'), ('{', '}')] {
                    let closed = value.matches(open).count() == value.matches(close).count();
                    prop_assert!(closed, "{:?} in {:?}", value, text);
                }
            }
        }
    }

    #[test]
    fn whatever_is_only_possible_replaces_nothing(
        steps in proptest::collection::vec((0usize..6, 1000u32..9999), 1..12), lower in any::<bool>(),
    ) {
        let frames = [
            "If you like, you could replace the limit by {v} now.",
            "You might move the limit to {v} instead.",
            "Wenn du willst, könnte das Limit jetzt {v} sein.",
            "Si tu veux, la limite pourrait maintenant être {v}.",
            "Si quieres, el límite podría ser ahora {v}.",
            "如果要限制，可以把上限换成{v}。",
        ];
        let texts: Vec<String> = steps
            .iter()
            .map(|(frame, value)| frames[*frame].replace("{v}", &value.to_string()))
            .map(|text| if lower { text.to_lowercase() } else { text })
            .collect();
        let refs: Vec<&str> = texts.iter().map(String::as_str).collect();
        for author in [Author::User, Author::Model] {
            for fact in extract(&said(author, &refs)) {
                prop_assert!(fact.was.is_none() && fact.replaced_by.is_none(), "{:?}", fact);
            }
        }
    }

    #[test]
    fn a_roster_of_any_names_gives_a_fact_for_each_with_its_own_value(
        latin in names(3), han in han_names(3), lower in any::<bool>(), shape in 0usize..5,
    ) {
        let chinese = shape >= 3;
        let mut names = if chinese { han } else { latin };
        if lower {
            names.iter_mut().for_each(|name| *name = name.to_lowercase());
        }
        let entry = |(at, name): (usize, &String)| match shape {
            0 => format!("{name} has extension {}", 4400 + at),
            1 => format!("{name} {}", 4400 + at),
            2 => format!("{name} unter der {}", 4400 + at),
            3 => format!("{name}的分机是{}", 4400 + at),
            _ => format!("{name}{}", 4400 + at),
        };
        let entries: Vec<String> = names.iter().enumerate().map(entry).collect();
        let rosters = [
            entries.join(if chinese { "、" } else { ", " }),
            format!("{}\n- {}", if chinese { "名单：" } else { "List:" }, entries.join("\n- ")),
        ];
        for roster in rosters {
            let found = extract(&said(Author::User, &[&roster]));
            prop_assert_eq!(found.len(), names.len(), "{} {:?}", roster, found);
            for (at, name) in names.iter().enumerate() {
                let value = (4400 + at).to_string();
                let pair = |fact: &Fact| {
                    let others = names.iter().filter(|it| *it != name);
                    fact.text.contains(name.as_str())
                        && fact.text.contains(&value)
                        && others.clone().all(|other| name.contains(other.as_str()) || !fact.text.contains(other.as_str()))
                };
                prop_assert!(found.iter().any(pair), "{} {:?}", roster, found);
            }
        }
    }
}
