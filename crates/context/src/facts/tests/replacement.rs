//! Newer values that take the place of older ones, and values that do not.

use skein_domain::ids::MessageId;

use super::{length, said};
use crate::facts::*;

#[test]
fn the_newest_value_holds_and_says_what_it_was() {
    let facts = extract(&said(
        Author::User,
        &[
            "By the way, the staging database listens on port 5433, which surprised everyone.",
            "Correction: the staging database now listens on port 6001.",
        ],
    ));
    let newest = facts.iter().find(|fact| fact.message == MessageId(2));
    let oldest = facts.iter().find(|fact| fact.message == MessageId(1));
    assert_eq!(newest.and_then(|fact| fact.was.as_deref()), Some("5433"));
    assert_eq!(oldest.and_then(|fact| fact.replaced_by), Some(MessageId(2)));
}

/// The words of the statements that still hold.
fn holding(texts: &[&str]) -> Vec<String> {
    let mut facts = extract(&said(Author::User, texts));
    facts.retain(|fact| fact.replaced_by.is_none());
    facts.sort_by_key(|fact| fact.message);
    facts.into_iter().map(|fact| fact.text).collect()
}

#[test]
fn a_newer_value_of_the_same_identity_takes_the_place_where_something_says_that_it_changed() {
    let cases: &[&[&str]] = &[
        &["The brass kettle is at v2.1.9.", "The brass kettle was bumped to v1.9.6"],
        &["铜壶计时器的版本是2.1.9。", "铜壶计时器的版本现在是1.9.6"],
        &["Der Flug nach Oslo geht um 14:35.", "Der Flug nach Oslo geht jetzt um 15:10"],
        &["Tom Wolff's extension is 4712.", "Tom Wolff's extension changed from 4712 to 4799"],
        &["The deploy port is 7443.", "The deploy port is 9001 now, not 7443"],
        &["We decided that the port is 7000.", "We decided that the port is now 7443"],
    ];
    for case in cases {
        assert_eq!(holding(case), [case[1]], "{case:?}");
    }
}

#[test]
fn a_suggestion_behind_a_change_leaves_it_a_change() {
    let cases = [
        [
            "The flight to Oslo leaves at 14:35.",
            "The flight to Oslo now leaves at 15:10, so you can sleep.",
        ],
        [
            "Der Flug nach Oslo geht um 14:35.",
            "Der Flug nach Oslo geht jetzt um 15:10, du kannst schlafen.",
        ],
        ["铜壶计时器的版本是2.1.9。", "铜壶计时器的版本现在是1.9.6，你可以试试。"],
    ];
    for case in cases {
        let [newest] = holding(&case).try_into().unwrap_or_else(|all| panic!("{all:?}"));
        assert!(case[1].starts_with(&newest), "{newest}");
    }
}

#[test]
fn f01_f02_without_a_sign_of_change_or_the_same_identity_both_values_stand() {
    let cases: &[&[&str]] = &[
        &["The brass kettle is at v2.1.9", "The brass kettle is at v1.9.6"],
        &["The flight to Oslo leaves at 14:35", "The flight to Athens now leaves at 17:55"],
        &["the flight to oslo leaves at 14:35", "the flight to athens now leaves at 17:55"],
        &["The flight from Oslo leaves at 14:35", "The flight to Oslo now leaves at 17:55"],
        &["张志强的分机是4411", "王建国的分机改为4712"],
        &["Der Flug nach Oslo geht um 14:35", "Der Flug nach Athen geht jetzt um 17:55"],
        &["Anna's extension is 4411", "Anna's room is now 305"],
        &["Room 305 is booked until 10:00", "Room 306 is now booked until 11:00"],
        &["The host db-north-01 is offline", "The host db-south-02 is now offline"],
        &["Her extension is 4411", "His extension is now 4412"],
        &["The team needs 4 desks", "The team also needs 6 chairs now"],
        &["We never use port 7000", "The port is now 7443"],
        &["The shop opens at 09:10", "The shop opens at 09:10 and 15:20"],
        &["The shop opens at 09:10", "The shop now opens at 09:10 and 15:20"],
        &["The shop opens at 09:10", "The shop now opens from 09:10 to 15:20"],
        &["The shop opens at 09:10", "Now the shop opens from 09:10 to 15:20"],
        &["The shop opens at 09:10", "The shop was changed to open at 09:10 and 15:20"],
        &["The plan of the annex costs 1240", "The extended plan of the annex costs 1890"],
        &["The lamp Lumo costs 49", "The updated lamp Lumo costs 59"],
        &["The switch of the lab is at 10.0.0.4", "The replaced switch of the lab was at 10.0.0.9"],
        &["Der Plan des Anbaus kostet 1240", "Der geänderte Plan des Anbaus kostet 1890"],
        &["The printer of the annex costs 1240", "The new printer of the annex costs 1890"],
        &["Der Zug nach Kassel geht um 08:47", "Der neue Zug nach Kassel geht um 21:12"],
    ];
    for case in cases {
        assert_eq!(holding(case), *case);
    }
}

#[test]
fn what_could_be_changed_or_would_under_a_condition_has_not_changed() {
    let cases: &[&[&str]] = &[
        &["如果要限制，可以把前面换成85", "如果要限制，可以把前面换成93"],
        &["The limit is 40 rows", "If you want more, you could now replace the limit by 90 rows"],
        &["If you can, replace port 7000 by 7443", "If you can, replace port 7000 by 9001"],
        &[
            "Wenn du magst, ersetzt du statt 7000 jetzt 7443",
            "Wenn du magst, ersetzt du statt 7000 jetzt 9001",
        ],
        &[
            "Si tu veux, remplace maintenant le port, 7443",
            "Si tu veux, remplace maintenant le port, 9001",
        ],
        &[
            "Si quieres, podrías poner ahora el puerto 7443",
            "Si quieres, podrías poner ahora el puerto 9001",
        ],
        &["The port could now be 7443", "The port could now be 9001"],
        &["The port is 7443", "I suggest that the port is now 9001"],
        &["The port is 7443", "The port is now 9001, if you agree"],
        &[
            "The train to Bern leaves at 14:35.",
            "The train to Bern leaves at 16:35, so you can take the earlier one instead.",
        ],
        &["去伯尔尼的火车14:35出发。", "去伯尔尼的火车16:35出发，你可以改成早一班。"],
    ];
    for case in cases {
        for author in [Author::User, Author::Model] {
            let facts = extract(&said(author, case));
            let changed = |it: &Fact| it.replaced_by.is_some() || it.was.is_some();
            assert!(!facts.iter().any(changed), "{case:?} {facts:?}");
        }
    }
}

#[test]
fn a_change_of_one_thing_takes_nothing_from_another_in_the_same_words() {
    let cases: &[&[&str]] = &[
        &["The brass kettle was bumped to v2.1.9", "The copper funnel was bumped to v1.9.6"],
        &[
            "We reversed that for the brass kettle, it will be Zig because it is small",
            "We reversed that for the copper funnel, it will be Go because it is small",
        ],
        &["铜壶计时器的方向变了，改成Zig", "锡罐称重器的方向变了，改成Rust"],
        &["东门记录仪升级到2.1.9了", "西门记录仪升级到1.9.6了"],
    ];
    for case in cases {
        assert_eq!(holding(case), *case);
    }
}

#[test]
fn what_a_tool_returned_never_replaces_what_was_said() {
    let mut passages = said(Author::User, &["The staging database listens on port 5433."]);
    passages.push(FactSource {
        message: MessageId(2),
        author: Author::Material,
        text: "staging database now listens on port: 6001",
        document: None,
    });
    assert!(extract(&passages).iter().all(|fact| fact.replaced_by.is_none()));
}

#[test]
fn what_was_replaced_is_told_so_and_stays_while_there_is_room() {
    let texts = [
        "Extensions:\n- Anna Berg: 4411\n- Tom Wolff: 4712",
        "Extensions:\n- Tom Wolff, updated: 4799",
    ];
    let lines = |room| {
        let found = extract(&said(Author::User, &texts));
        render(&fit_into_room(found, room, length).kept)
    };
    let text = lines(1_000);
    assert!(
        text.contains("1 Extensions › Anna Berg: 4411; Tom Wolff: 4712 (replaced in 2)\n"),
        "{text}"
    );
    assert!(text.contains("2 Extensions › Tom Wolff, updated: 4799 (was 4712)\n"), "{text}");
    assert!(text.find("\n2 ") < text.find("\n1 "), "the newest first: {text}");
    let alone = ["The port of loom is 7000.", "The port of loom is now 7443."];
    let found = extract(&said(Author::User, &alone));
    let tight = fit_into_room(found, length(&render(&[])) + 330, length);
    assert_eq!(tight.kept[0].values, ["7443"]);
}

#[test]
fn the_same_key_of_the_same_file_read_again_takes_the_place_of_the_older_value() {
    let file = Some(r#"{"path":"deploy/app.toml"}"#);
    let read = |id, text, document| FactSource {
        message: MessageId(id),
        author: Author::Material,
        text,
        document,
    };
    let before = "name = loom\nport = 7000\nworkers = 14";
    let after = "name = loom\nport = 7443\nworkers = 14";
    let holds = |sources: &[FactSource<'_>]| {
        let found = extract(sources);
        let replaced = found.iter().find(|fact| fact.replaced_by.is_some());
        replaced.map(|fact| fact.text.clone())
    };
    let again = [read(1, before, file), read(2, after, file)];
    assert_eq!(holds(&again).as_deref(), Some("port = 7000"));
    let other = [read(1, before, file), read(2, after, Some(r#"{"path":"deploy/web.toml"}"#))];
    assert_eq!(holds(&other), None);
    let nameless = [read(1, before, Some("{}")), read(2, after, Some("{}"))];
    assert_eq!(holds(&nameless), None);
}

#[test]
fn lines_that_are_read_from_top_to_bottom_end_with_what_holds() {
    let texts = [
        "The port of loom is 7000. The flight to Oslo leaves at 14:35, the one to Porto at 09:20.",
        "The port of loom is now 7443.",
        "Oslo is at 15:10 because of the strike.",
    ];
    let kept = fit_into_room(extract(&said(Author::User, &texts)), 1_000, length).kept;
    assert_eq!(
        lines_to_read(&kept),
        [
            "- The flight to Oslo leaves at 14:35, the one to Porto at 09:20",
            "- The port of loom is now 7443 (was 7000)",
            "- Oslo is at 15:10 because of the strike",
        ]
    );
}

#[test]
fn of_two_values_that_share_their_names_the_later_is_kept_first() {
    let texts = [
        "Tom Wolff of the Bergen office answers on extension 4712.",
        "From today Tom Wolff in Bergen picks up on extension 4799.",
    ];
    let found = extract(&said(Author::User, &texts));
    assert_eq!(found[0].values.last().map(String::as_str), Some("4799"));
    let all = render(&fit_into_room(found.clone(), 1_000, length).kept);
    assert!(all.contains("4712") && !all.contains("replaced"), "both stand: {all}");
}

#[test]
fn f02_a_word_of_change_that_describes_a_thing_names_another_thing() {
    let cases: &[[&str; 2]] = &[
        ["Our plan costs 1240", "Our extended plan costs 1890"],
        ["Plan: 1240", "Extended plan: 1890"],
        ["plan costs 1240", "updated plan costs 1890"],
        ["Mara's plan costs 1240", "Mara's revised plan costs 1890"],
        ["This lamp costs 49", "This replaced lamp costs 59"],
        ["The price of the plan is 1240", "The price of the extended plan is 1890"],
        ["The price of plan Lumo is 1240", "The price of upgraded plan Lumo is 1890"],
        ["套餐的价格是1240", "升级套餐的价格是1890"],
        ["保修的价格是200", "延长保修的价格是300"],
        ["方案的费用是1240", "更新的方案的费用是1890"],
        ["The extended plan costs 1240", "The extended plan costs 1890"],
        ["Our updated plan costs 1240", "Our updated plan costs 1890"],
        ["升级套餐的价格是1240", "升级套餐的价格是1890"],
        ["The shop opens at 09:10", "The shop now opens at 15:20 and 09:10"],
        ["The shop opens at 09:10", "The shop now opens at 09:10 or at 15:20"],
        ["The shop opens at 09:10", "The shop now opens at 09:10 and at 15:20"],
        ["The shop opens at 09:10", "The shop now opens at 09:10 as well as 15:20"],
        ["The shop opens at 09:10", "The shop now opens at 09:10 and again at 15:20"],
        ["The shop opens at 09:10", "The shop now opens at 09:10, 12:30 and 15:20"],
        ["The shop opens at 09:10", "The shop was changed to open from 09:10 to 15:20"],
        ["The shop opens at 09:10", "The shop was extended to open from 09:10 until 15:20"],
        ["The shop opens at 09:10", "Updated: the shop opens at 09:10 and at 15:20"],
        ["Der Laden öffnet um 09:10", "Der Laden öffnet jetzt um 09:10 und um 15:20"],
        ["Der Laden öffnet um 09:10", "Der Laden öffnet jetzt von 09:10 bis 15:20"],
        ["Der Laden öffnet um 09:10", "Geändert: der Laden öffnet um 09:10 und 15:20"],
        ["商店的开门时间是09:10", "商店的开门时间现在是09:10和15:20"],
        ["商店的开门时间是09:10", "商店的开门时间改为09:10和15:20"],
        ["商店的开门时间是09:10", "商店的开门时间改为09:10到15:20"],
    ];
    for case in cases {
        let facts = extract(&said(Author::User, case));
        let changed = facts.iter().any(|it| it.replaced_by.is_some() || it.was.is_some());
        assert!(!changed, "{case:?} {facts:?}");
    }
}

#[test]
fn f02_a_word_of_change_beside_its_value_or_behind_its_thing_is_a_change() {
    let cases: &[[&str; 3]] = &[
        ["The plan costs 1240", "The plan now costs 1890", "1240"],
        ["The meeting is at 14:00", "The meeting was moved to 15:30", "14:00"],
        ["We have lunch at 12:00", "We moved lunch to 13:30", "12:00"],
        ["Plan: 1240", "Plan, updated: 1890", "1240"],
        ["The meeting is at 14:35", "The meeting moved from 14:35 to 15:10", "14:35"],
        ["Die Sitzung ist um 14:35", "Die Sitzung wurde von 14:35 auf 15:10 verlegt", "14:35"],
        ["记录仪升级到2.1.8了", "记录仪升级到2.1.9了", "2.1.8"],
        ["会议推迟到14:00", "会议推迟到15:30", "14:00"],
        ["会议的时间是14:00", "更正：会议的时间是15:30", "14:00"],
    ];
    for [older, newer, was] in cases {
        let facts = extract(&said(Author::User, &[older, newer]));
        let found: Vec<_> =
            facts.iter().filter_map(|it| it.replaced_by.and(Some(&it.values))).collect();
        assert_eq!(found, [&[*was]], "{older} | {newer}");
    }
}
