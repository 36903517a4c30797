//! Builds a conversation from a fact set: its statements in order, spread over filler up to a given
//! length.

use std::collections::BTreeMap;

use skein_context::tokens::message_tokens::Tokenizer;

use super::set::{Fact, Language, Passage, Speaker};
use super::text::holds;
use crate::random::Random;

/// The percentage of the length over which statements are spread. Filler follows, so that in the
/// end a summary covers every statement.
const SPREAD: u32 = 92;

/// The model's reply between two adjacent user messages.
const ACKNOWLEDGEMENT: &str = "OK.";

/// A conversation and the things stated in it.
#[derive(Debug, Clone, Default)]
pub struct Conversation {
    /// In order.
    pub passages: Vec<Passage>,
    /// The stated things, by key.
    pub things: Vec<Thing>,
    /// The length in tokens.
    pub tokens: u32,
}

/// A thing that is given one or several values.
#[derive(Debug, Clone)]
pub struct Thing {
    /// The key in the set.
    pub key: String,
    /// The search query that finds it.
    pub query: String,
    /// Its values, oldest first, each with the index of its passage.
    pub values: Vec<(usize, Fact)>,
}

impl Thing {
    /// The newest value within the first passages and the earlier ones; `None` if there is none.
    pub fn within(&self, passages: usize) -> Option<(&Fact, Vec<&Fact>)> {
        let known = self.values.iter().filter(|(said_in, _)| *said_in < passages);
        let mut known: Vec<&Fact> = known.map(|(_, fact)| fact).collect();
        let newest = known.pop()?;
        known.retain(|fact| fact.value != newest.value);
        Some((newest, known))
    }
}

/// Builds a conversation of about this many tokens. The same seed gives the same conversation.
pub fn spread(counter: &impl Tokenizer, set: &Language, tokens: u32, seed: u64) -> Conversation {
    let mut conversation = Conversation::default();
    let mut values: BTreeMap<String, Vec<(usize, Fact)>> = BTreeMap::new();
    let mut filler = Filler::of(set, seed);
    let count = u32::try_from(set.statements.len()).unwrap_or(u32::MAX).max(1);
    let own = set.statements.iter().map(|statement| counter.text(&statement.passage.text));
    let own: u32 = own.sum();
    let between = (tokens * SPREAD / 100).saturating_sub(own);
    let mut filled = 0;
    for (index, statement) in (1..).zip(&set.statements) {
        while filled < between / count * index && own + filled < tokens {
            let passage = filler.next();
            filled += counter.text(&passage.text);
            conversation.say(passage);
        }
        conversation.say(statement.passage.clone());
        let place = conversation.passages.len() - 1;
        for fact in &statement.facts {
            values.entry(fact.key.clone()).or_default().push((place, fact.clone()));
        }
    }
    while own + filled < tokens {
        let passage = filler.next();
        filled += counter.text(&passage.text);
        conversation.say(passage);
    }
    let query = |key: &String| set.queries.get(key).cloned().unwrap_or_default();
    let thing = |(key, values)| Thing { query: query(&key), key, values };
    conversation.things = values.into_iter().map(thing).collect();
    conversation.tokens = own + filled;
    conversation
}

impl Conversation {
    fn say(&mut self, passage: Passage) {
        let follows_user = self.passages.last().is_some_and(|last| last.by == Speaker::User);
        if passage.by == Speaker::User && follows_user {
            let text = ACKNOWLEDGEMENT.to_owned();
            self.passages.push(Passage { by: Speaker::Assistant, text });
        }
        self.passages.push(passage);
    }
}

/// The filler of a set, shuffled in each round, with changed digits from the second round on.
struct Filler {
    passages: Vec<Passage>,
    values: Vec<String>,
    random: Random,
    next: usize,
}

impl Filler {
    fn of(set: &Language, seed: u64) -> Self {
        let mut random = Random::new(seed);
        let mut passages = set.filler.clone();
        random.shuffle(&mut passages);
        let facts = set.statements.iter().flat_map(|statement| &statement.facts);
        let values = facts.map(|fact| fact.value.clone()).collect();
        Self { passages, values, random, next: 0 }
    }

    fn next(&mut self) -> Passage {
        if self.next > 0 && self.next.is_multiple_of(self.passages.len()) {
            self.random.shuffle(&mut self.passages);
        }
        let place = self.next.checked_rem(self.passages.len()).unwrap_or(0);
        let is_first_time = self.next < self.passages.len();
        self.next += 1;
        let Some(Passage { by, text }) = self.passages.get(place).cloned() else {
            return Passage { by: Speaker::Assistant, text: ACKNOWLEDGEMENT.to_owned() };
        };
        let text = if is_first_time { text } else { self.varied(&text) };
        Passage { by, text }
    }

    /// The text with changed digits, unless that would produce a value of the set.
    fn varied(&mut self, text: &str) -> String {
        let mut last_was_digit = false;
        let other = |letter: char| {
            let is_digit = letter.is_ascii_digit();
            let leads = is_digit && !std::mem::replace(&mut last_was_digit, is_digit);
            match letter {
                '0' if leads => '0',
                _ if is_digit => {
                    let least = usize::from(leads);
                    let digit = least + self.random.below(10 - least);
                    u32::try_from(digit).ok().and_then(|it| char::from_digit(it, 10)).unwrap_or('1')
                }
                _ => letter,
            }
        };
        let varied: String = text.chars().map(other).collect();
        let states = self.values.iter().any(|value| holds(&varied, value) && !holds(text, value));
        if states { text.to_owned() } else { varied }
    }
}
