//! The beginning and the end of a clause.

use super::{length, said};
use crate::facts::*;

#[test]
fn a_clause_names_its_subject_before_a_comma_behind_its_value_and_beside_its_reason() {
    for text in [
        "I was wrong about the brass lamp, the fault is in src/lamp.rs:40",
        "The almanac says March 2, 2032 for the brass lamp",
        "We have since renamed it: the brass lamp uses etc/lamp.toml",
    ] {
        let found = extract(&said(Author::User, &[text]));
        assert!(found.iter().any(|it| it.text.contains("brass lamp")), "{found:?}");
    }
}

#[test]
fn what_one_sentence_names_and_the_next_gives_a_value_for_is_kept_together() {
    for (text, kept) in [
        ("Which pump do we have? I looked, 77.2.1.", "Which pump do we have? I looked, 77.2.1"),
        (
            "Marek asked about the brass lamp. I told them 2.8.69.",
            "Marek asked about the brass lamp. I told them 2.8.69",
        ),
        (
            "About posters. My aunt wants two colours, so do I.",
            "About posters. My aunt wants two colours, so do I.",
        ),
        ("铜壶什么时候到？2031-05-17。", "铜壶什么时候到？2031-05-17"),
        ("海报？只用两种颜色，谢谢。", "海报？只用两种颜色，谢谢"),
    ] {
        let found = extract(&said(Author::User, &[text]));
        assert!(found.iter().any(|it| it.text == kept), "{found:?}");
    }
}

#[test]
fn a_question_behind_a_statement_does_not_make_it_one() {
    let stated = "Set the brass lamp to 794 users, will you?";
    let asked = "Is the brass lamp set to 794 users or to fewer?";
    let weight = |text| extract(&said(Author::User, &[text])).first().map(|it| it.weight);
    assert!(weight(stated) > weight(asked), "{:?} {:?}", weight(stated), weight(asked));
}

#[test]
fn a_clause_that_opens_with_a_quotation_is_kept_with_its_mark() {
    let text = "“E71: 没有水”修好了，铜壶接着报“E72：没有电”。";
    let found = extract(&said(Author::User, &[text]));
    let texts: Vec<_> = found.iter().map(|it| it.text.as_str()).collect();
    assert_eq!(texts, ["“E71: 没有水”修好了", "铜壶接着报“E72：没有电”"]);
    let line = render(&fit_into_room(found, 1_000, length).kept);
    assert!(line.contains(text.trim_end_matches('。')), "{line}");
}

#[test]
fn a_name_that_leads_to_a_value_is_kept_with_it() {
    let text = "The games night is at Marguerite's this month, 27 Tanner Row, third floor.";
    let idle = "She laughed a lot about the story of the borrowed ladder and the cat.";
    let found = extract(&said(Author::User, &[text, idle]));
    let heading = length(include_str!("../../prompts/facts.md"));
    let kept = render(&fit_into_room(found, heading + 80, length).kept);
    assert!(kept.contains("Marguerite") && kept.contains("27 Tanner Row"), "{kept}");
}

#[test]
fn what_a_line_leads_with_gives_way_to_the_value_it_leads_to() {
    let text = "The locksmith came by after the attempted break-in, the keypad at Gorse Cottage takes 2046.";
    let found = extract(&said(Author::User, &[text]));
    let whole = render(&fit_into_room(found.clone(), 1_000, length).kept);
    assert!(whole.contains(text.trim_end_matches('.')), "{whole}");
    assert_eq!(found[0].text, "the keypad at Gorse Cottage takes 2046");
    let heading = length(include_str!("../../prompts/facts.md"));
    let tight = render(&fit_into_room(found, heading + 60, length).kept);
    assert!(tight.ends_with("1 the keypad at Gorse Cottage takes 2046\n"), "{tight}");
}

#[test]
fn f06_what_denies_a_statement_or_a_heading_is_told_with_it() {
    for text in [
        "The deploy service of the staging team listens on 7443, which is not true.",
        "The deploy service of the staging team listens on 7443, not any more.",
        "Der Wartungsdienst von Loom lauscht auf 7443, nicht mehr.",
        "El servicio de Loom escucha en 7443, eso no.",
        "预发布团队的部署服务监听7443端口，这不对。",
    ] {
        let found = extract(&said(Author::User, &[text]));
        assert_eq!(found[0].text, text.trim_end_matches(['.', '。']));
    }
    for heading in [
        "Not true, the ports of spring",
        "The ports of spring, not valid",
        "春天的端口清单，不对了",
    ] {
        let list = format!("{heading}:\n- deploy: 7443");
        let found = extract(&said(Author::User, &[&list]));
        let item = found.iter().find(|it| it.text == "deploy: 7443").unwrap();
        assert_eq!(item.under.as_deref(), Some(heading));
    }
}

#[test]
fn a_reason_without_a_value_is_left_out_and_a_condition_in_it_is_not() {
    let cases = [
        (
            "The ticket service is written in Elixir, because two of us know it well.",
            "The ticket service is written in Elixir",
        ),
        (
            "La taquilla se escribe con Elixir, porque dos de nosotros lo conocen bien.",
            "La taquilla se escribe con Elixir",
        ),
        ("订单服务用 Kotlin 重写，因为组里三个人都写过。", "订单服务用 Kotlin 重写"),
    ];
    for (text, kept) in cases {
        let found = extract(&said(Author::User, &[text]));
        assert_eq!(found[0].text, kept);
    }
    for text in [
        "The ticket service is written in Elixir, because it fails if Redis is down.",
        "The ticket service is written in Elixir, because port 7443 was taken by Redis.",
        "Anna's deputy, since Monday, is Rafael",
    ] {
        let found = extract(&said(Author::User, &[text]));
        let told: String = found.iter().map(|fact| fact.text.as_str()).collect();
        assert!(told.contains("Redis") || told.contains("Rafael"), "{found:?}");
    }
}

#[test]
fn a_clause_that_names_its_thing_again_is_told_without_what_leads_it() {
    let told = "gurnard had to move over to another switch, gurnard answers on 10.44.2.23";
    let facts = extract(&said(Author::User, &[told]));
    assert!(facts.iter().any(|it| it.text == "gurnard answers on 10.44.2.23"), "{facts:?}");
}
