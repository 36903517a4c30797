//! Facts and passages are quotations: every clause, value and passage stands in its message, word for word,
//! and no value is a piece of a longer word or number.
//!
//! Input: texts between zero bytes, each with one byte for its author.
#![no_main]

use libfuzzer_sys::fuzz_target;
use skein_context::facts::{Author, Fact, FactSource, extract, facts_not_in, fit_into_room, render};
use skein_context::retrieval::{self, PassageIndex, best_passages, retrieve};
use skein_domain::ids::MessageId;

fuzz_target!(|input: &[u8]| {
    let text = String::from_utf8_lossy(input);
    let sources: Vec<_> = text.split('\0').zip(1..).map(|(text, id)| source(text, id)).collect();
    let room = count(&text) / 4;

    extract(&sources).iter().for_each(|fact| check_fact(fact, &sources));
    let kept = fit_into_room(facts_not_in(&sources, ""), room, count).kept;
    assert!(kept.is_empty() || count(&render(&kept)) <= room, "above the room of {room}");

    let index = PassageIndex::of(&sources);
    let query = sources.last().map_or("", |source| source.text);
    for passage in best_passages(query, &index, usize::MAX) {
        let is_quoted =
            |it: &FactSource| it.message == passage.message && it.text.contains(passage.text);
        assert!(sources.iter().any(is_quoted), "not in its message: {passage:?}");
    }
    let found = retrieve(query, &index, room, count);
    assert!(count(&retrieval::render(&found)) <= room, "above the room of {room}");
});

fn source(text: &str, id: i64) -> FactSource<'_> {
    let mut chars = text.chars();
    let (author, document) = match chars.next().map_or(0, |first| u32::from(first) % 4) {
        0 => (Author::Material, None),
        1 => (Author::User, None),
        2 => (Author::Model, None),
        _ => (Author::Material, Some("hosts.txt")),
    };
    FactSource { message: MessageId(id), author, text: chars.as_str(), document }
}

fn check_fact(fact: &Fact, sources: &[FactSource<'_>]) {
    let message = sources.iter().find(|source| source.message == fact.message);
    let message = message.map_or("", |source| source.text);
    assert!(!fact.text.trim().is_empty(), "an empty fact: {fact:?}");
    assert!(message.contains(&*fact.text), "not in its message: {fact:?}");
    assert!(fact.values.iter().all(|value| is_whole(value, message)), "a piece: {fact:?}");
    let was_said = |was: &str| sources.iter().any(|source| is_whole(was, source.text));
    assert!(fact.was.as_deref().is_none_or(was_said), "never said: {fact:?}");
}

/// True if the text has the words, and no Latin letter or digit continues them.
fn is_whole(words: &str, text: &str) -> bool {
    let is_word = |char: Option<char>| char.is_some_and(|char| char.is_ascii_alphanumeric());
    text.match_indices(words).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let after = text[at + words.len()..].chars().next();
        !(is_word(before) && is_word(words.chars().next()))
            && !(is_word(words.chars().next_back()) && is_word(after))
    })
}

fn count(text: &str) -> u32 {
    u32::try_from(text.chars().count()).unwrap_or(u32::MAX)
}
