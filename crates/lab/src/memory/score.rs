//! What is measured, and how it is told from the texts alone.

use std::collections::BTreeMap;

use serde::Serialize;

use super::conversation::Conversation;
use super::phrases::FactKind;

/// So many of so many.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Share {
    /// How many hold.
    pub of: u32,
    /// How many there are.
    pub all: u32,
}

impl Share {
    /// Counts one more.
    pub fn add(&mut self, holds: bool) {
        self.of += u32::from(holds);
        self.all += 1;
    }

    /// Takes another share into this one.
    pub fn join(&mut self, other: Self) {
        self.of += other.of;
        self.all += other.all;
    }

    /// In percent; of nothing, all holds.
    pub fn percent(self) -> f64 {
        if self.all == 0 { 100.0 } else { f64::from(self.of) * 100.0 / f64::from(self.all) }
    }
}

/// A fact as it stands when a conversation has been told so far.
#[derive(Debug, Clone)]
pub struct Standing<'c> {
    /// Its index in the plan.
    pub fact: usize,
    /// Its kind.
    pub kind: FactKind,
    /// The value that holds now.
    pub value: &'c str,
    /// The value that held before; `None`: it has not changed.
    pub before: Option<&'c str>,
    /// Index of the message that said the value that holds.
    pub said_in: usize,
    /// The question about it.
    pub question: &'c str,
}

/// The facts told in the first `told` messages, with the values that hold then.
pub fn standing(conversation: &Conversation, told: usize) -> Vec<Standing<'_>> {
    let mut facts: BTreeMap<usize, Standing<'_>> = BTreeMap::new();
    for (place, stated) in conversation.places.iter().filter(|(place, _)| *place < told) {
        let Some(fact) = conversation.plan.facts.get(stated.fact) else { continue };
        let (value, before) = match fact.changed.as_deref().filter(|_| stated.change) {
            Some(value) => (value, Some(fact.value.as_str())),
            None => (fact.value.as_str(), None),
        };
        let standing = Standing {
            fact: stated.fact,
            kind: fact.kind,
            value,
            before,
            said_in: *place,
            question: &fact.question,
        };
        facts.insert(stated.fact, standing);
    }
    facts.into_values().collect()
}

/// Whether a text holds a value word for word, whatever the spaces between.
pub fn holds(text: &str, value: &str) -> bool {
    text.contains(value)
}

/// Words of `text` that look like identifiers and are nowhere in `source`: invented.
pub fn invented(text: &str, source: &str) -> Vec<String> {
    let mut invented = Vec::new();
    for line in text.lines() {
        // Anchors begin with the number of their message, which is not a claim about the world.
        let numbered = line.split_once(' ');
        let numbered = numbered.filter(|(number, _)| number.bytes().all(|b| b.is_ascii_digit()));
        let line = numbered.map_or(line, |(_, rest)| rest);
        for word in line.split(|c: char| c.is_whitespace() || "，。；：（）“”、？！".contains(c))
        {
            let word = word.trim_matches(|c: char| !c.is_ascii_alphanumeric());
            let telling =
                word.is_ascii() && word.len() > 3 && word.bytes().any(|b| b.is_ascii_digit());
            if telling && !source.contains(word) {
                invented.push(word.to_owned());
            }
        }
    }
    invented
}
