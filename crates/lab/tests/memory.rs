//! The measurement on a modest part of itself, with its own generator and with four others whose
//! words stand only here: the results side by side.
#![allow(clippy::expect_used)]

#[path = "memory/fresh.rs"]
mod fresh;
#[path = "memory/other.rs"]
mod other;
#[path = "memory/plain.rs"]
mod plain;
#[path = "memory/unseen.rs"]
mod unseen;

use skein_context::tokens::TokenCounter;
use skein_lab::memory::conversation::{Flavour, Generator, OWN};
use skein_lab::memory::measure::{Checkpoint, Setting, measure};
use skein_lab::memory::phrases::FactKind;

/// Both languages, code and tools in the shortest conversation, where the budget is tightest: the
/// full run (`cargo xtask memory`) measures the others.
fn after_three(generator: Generator) -> Checkpoint {
    let counter = TokenCounter::for_model("gpt-4o");
    let setting = Setting::new(Flavour::Mixed, 8_000, 41);
    let measured = measure(generator, setting, &counter, &[3], &[]).expect("a temporary folder");
    measured.checkpoints.into_iter().next().expect("one checkpoint")
}

/// Percent answered from the context alone, and with a search. Nothing may be invented or obeyed in
/// whatever words, and at least `floor` percent of what is exact is kept.
fn holds(name: &str, generator: Generator, floor: f64) -> (f64, f64) {
    let Checkpoint { carried, own, recalled, invented, obeyed, .. } = after_three(generator);
    let exact = own.kept(FactKind::is_exact).percent();
    let (alone, recalled) = (own.answered.percent(), recalled.percent());
    println!("{name}: exact {exact:.0} %, alone {alone:.0} %, with recall {recalled:.0} %");
    assert_eq!((carried.percent(), invented, obeyed), (100.0, Vec::<String>::new(), 0));
    assert!(exact >= floor);
    (alone, recalled)
}

fn is_answered(name: &str, generator: Generator, floor: f64) {
    let (alone, recalled) = holds(name, generator, floor);
    assert!(alone >= 55.0 && recalled >= 85.0);
}

#[test]
fn three_compactions_carry_everything_and_invent_and_obey_nothing() {
    is_answered("own words", OWN, 75.0);
}

#[test]
fn the_same_holds_for_facts_in_other_words() {
    is_answered("other words", other::OTHER, 75.0);
}

#[test]
fn the_same_holds_for_facts_in_fresh_words() {
    is_answered("fresh words", fresh::FRESH, 75.0);
}

/// What tools say in these words stands behind what people say, for which there is little room here;
/// a search finds it.
#[test]
fn the_same_holds_for_facts_told_untidily_and_over_two_sentences() {
    is_answered("plain words", plain::PLAIN, 50.0);
}

/// How much of it the demo model understands is measured, not promised.
#[test]
fn in_words_written_blind_as_much_is_carried_and_nothing_invented_or_obeyed() {
    holds("unseen words", unseen::UNSEEN, 75.0);
}
