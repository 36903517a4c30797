//! The facts that are found in texts.

mod beside_summary;
mod clauses;
mod demands;
mod filler;
mod lists;
mod past;
mod properties;
mod ranking;
mod replacement;
mod scripts;
mod values;

use skein_domain::ids::MessageId;

use super::*;

fn said<'a>(author: Author, texts: &[&'a str]) -> Vec<FactSource<'a>> {
    let numbered = (1i64..).zip(texts);
    numbered
        .map(|(id, text)| FactSource { message: MessageId(id), author, text, document: None })
        .collect()
}

fn length(text: &str) -> u32 {
    u32::try_from(text.len()).unwrap()
}

/// Kind and words of what is found, in the order it was said.
fn found(voice: Author, texts: &[&str]) -> Vec<(FactKind, String)> {
    let mut facts = extract(&said(voice, texts));
    facts.sort_by_key(|fact| fact.message);
    facts.into_iter().map(|fact| (fact.kind, fact.text)).collect()
}

fn check(text: &str, expected: &[(FactKind, &str)]) {
    let mut found = found(Author::User, &[text]);
    let mut expected: Vec<(FactKind, String)> =
        expected.iter().map(|(kind, text)| (*kind, (*text).to_owned())).collect();
    found.sort();
    expected.sort();
    assert_eq!(found, expected);
}
