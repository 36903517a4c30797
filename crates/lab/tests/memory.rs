//! Tests of the measurement: sets follow the rules of their format, conversations are reproducible,
//! and one of them is measured in the program.
#![allow(clippy::expect_used, clippy::indexing_slicing)]

use std::path::Path;

use skein_context::tokens::TokenCounter;
use skein_lab::memory::conversation::spread;
use skein_lab::memory::measure::{Setting, measure};
use skein_lab::memory::report::table;
use skein_lab::memory::set::{FactSet, Speaker};

fn set(name: &str) -> FactSet {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("data").join(name);
    FactSet::read(&file).expect("a set that keeps the rules")
}

#[test]
fn the_sets_keep_the_rules_and_a_broken_one_is_refused() {
    let mut set = set("blind_a.json");
    set.languages[0].statements[0].facts[0].value = "07:40".to_owned();
    set.languages[1].queries.clear();
    let breaches = set.breaches();
    assert!(breaches[0].contains("\"07:40\" is not in the text"), "{breaches:?}");
    assert!(breaches.iter().any(|breach| breach.ends_with("no query")), "{breaches:?}");
}

#[test]
fn a_conversation_has_its_length_every_statement_in_order_and_no_user_twice_in_a_row() {
    let counter = TokenCounter::for_model("gpt-4o");
    let language = &set("blind_a.json").languages[0];
    let conversation = spread(&counter, language, 32_000, 7);
    assert!((32_000..34_000).contains(&conversation.tokens), "{}", conversation.tokens);
    let mut said = conversation.passages.iter();
    for statement in &language.statements {
        assert!(said.any(|passage| *passage == statement.passage), "{:?}", statement.passage);
    }
    let is_user = |at: usize| conversation.passages[at].by == Speaker::User;
    assert!((1..conversation.passages.len()).all(|at| !is_user(at) || !is_user(at - 1)));
    let again = spread(&counter, language, 32_000, 7);
    assert_eq!(conversation.passages, again.passages);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_program_is_compacted_and_its_request_is_judged() {
    let language = set("blind_a.json").languages[0].clone();
    let setting = Setting { set: "blind-a".into(), language, lower: false, tokens: 8_000 };
    let measured = measure(setting).await.expect("the program runs");
    let row = measured.last;
    assert!(measured.compactions > 0 && row.right.all > 20, "{row:?}");
    assert!(row.right.of <= row.exact.of && row.exact.of <= row.reach.of, "{row:?}");
    assert_eq!(row.invented, 0, "{:?}", measured.findings);
    let table = table(&[measured], &[]);
    assert!(table.contains("\n| invented | 0 | 0 |"), "{table}");
}
