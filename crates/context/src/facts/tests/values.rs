//! Values, and the clause that is kept for each.

use super::{check, found, said};
use crate::facts::extract::resolved;
use crate::facts::*;

#[test]
fn a_value_comes_with_the_shortest_clause_that_says_what_it_is() {
    check(
        "By the way, the staging database listens on port 5433, which surprised everyone.",
        &[(FactKind::Number, "the staging database listens on port 5433")],
    );
    check("我们的部署端口是7443，大家都没想到。", &[(FactKind::Number, "我们的部署端口是7443")]);
}

#[test]
fn every_kind_is_told_by_its_shape() {
    let cases = [
        ("The crash happens in src/billing/tax.rs:142 for sure.", FactKind::CodeLocation),
        ("The log settings are kept in /etc/skein/log.toml here.", FactKind::Path),
        ("The design lives at https://example.org/a/b?c=1 for now.", FactKind::Url),
        ("Commit 3f9a2bc broke the release build.", FactKind::Hash),
        ("The build runs on version 2.14.1 of the compiler.", FactKind::Version),
        ("The invoice number is INV-2024-0081 as printed.", FactKind::Identifier),
        ("The upload limit is 250 MB per file.", FactKind::Number),
        ("The launch happens on March 15 in Vienna.", FactKind::Date),
        ("The parser calls read_token() too often.", FactKind::Symbol),
        ("The upload failed with \"disk quota exceeded\" again.", FactKind::Error),
        ("发布日期是2025年3月15日。", FactKind::Date),
        ("请求的超时时间设成30秒。", FactKind::Number),
    ];
    for (text, kind) in cases {
        let kinds: Vec<FactKind> =
            found(Author::User, &[text]).into_iter().map(|(kind, _)| kind).collect();
        assert_eq!(kinds, [kind], "{text}");
    }
}

#[test]
fn a_piece_of_something_in_brackets_is_no_value() {
    let values = |text: &str| -> Vec<String> {
        let facts = extract(&said(Author::User, &[text]));
        facts.into_iter().flat_map(|fact| fact.values).collect()
    };
    let cut = values("For the year 4711 we match with (19|20)\\d{2} and nothing else.");
    assert!(cut.iter().all(|value| !value.contains(['(', ')', '{', '}'])), "{cut:?}");
    assert_eq!(values("The route is /users/{id}/keys/{key}."), ["/users/{id}/keys/{key}"]);
    assert_eq!(
        values("(See https://example.org/wiki/Loom_(tool).)"),
        ["https://example.org/wiki/Loom_(tool)"]
    );
}

#[test]
fn f04_the_digits_of_a_longer_word_are_no_part_of_a_date() {
    let facts = extract(&said(Author::User, &["新的期限是6月2Kq。"]));
    let values: Vec<String> = facts.into_iter().flat_map(|fact| fact.values).collect();
    assert!(!values.iter().any(|value| value == "6月2"), "{values:?}");
}

#[test]
fn a_value_behind_a_label_in_chinese_is_a_value() {
    let facts = extract(&said(Author::Material, &["编号=BUG-3071  处理人=段思齐"]));
    assert_eq!(facts[0].values, ["BUG-3071"]);
}

#[test]
fn a_title_in_chinese_names_a_thing_and_is_no_value() {
    let text = "好消息，《远山》的首映场地借到了，文化宫二号厅，不收钱。";
    let found = extract(&said(Author::User, &[text]));
    assert!(found.iter().any(|fact| fact.text.contains("二号厅")), "{found:?}");
}

#[test]
fn a_long_value_is_carried_whole_or_not_at_all() {
    let address = format!("https://example.org/{}", "ab1/".repeat(60));
    let found = extract(&said(Author::User, &[&format!("The design lives at {address} now.")]));
    assert!(found.iter().any(|fact| fact.text.contains(&address)), "{found:?}");
    let endless = format!("The design lives at https://example.org/{} now.", "ab1/".repeat(600));
    assert!(extract(&said(Author::User, &[&endless])).is_empty());
}

#[test]
fn a_part_of_a_very_long_line_is_read_whole_or_not_at_all() {
    let parts: Vec<String> = (0..900).map(|at| format!("\"k{at}\":\"AB-{:05}\"", at * 7)).collect();
    let line = format!("{{{}}}", parts.join(","));
    for fact in extract(&said(Author::Material, &[&line])) {
        for value in fact.values {
            assert!(parts.iter().any(|part| part.contains(&format!("\"{value}\""))), "{value}");
        }
    }
}

#[test]
fn a_word_is_the_same_word_with_a_capital_that_is_not_ascii() {
    let texts = ["Änderung: Tisch 4 bleibt frei", "änderung: Tisch 4 bleibt frei"];
    let identities: Vec<Vec<u64>> = texts
        .iter()
        .map(|text| resolved(&said(Author::User, &[text]))[0].identity.clone())
        .collect();
    assert_eq!(identities[0], identities[1]);
}

#[test]
fn what_a_short_reply_records_is_a_fact_without_any_shape_or_capital() {
    let text = "noted: billing goes on postgres, sessions live in valkey.";
    assert_eq!(found(Author::Model, &[text]).len(), 1);
    let explained =
        format!("{text} {}", "the loom holds the warp and the reed beats it. ".repeat(9));
    assert!(found(Author::Model, &[&explained]).is_empty());
}
