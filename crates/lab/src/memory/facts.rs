//! Facts, what changes them, what resembles them, and the questions about all of it.

use std::collections::HashSet;

use super::dice::Dice;
use super::phrases::{FactKind, Forms, Phrases};

/// Facts of each kind.
const PER_KIND: usize = 4;
/// Facts whose value changes later.
const CHANGED: usize = 8;
/// Questions about things never mentioned.
const UNANSWERABLE: usize = 8;
/// Sentences that resemble facts.
const ASIDES: usize = 16;

/// Who says something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Speaker {
    /// The person.
    Person,
    /// The model.
    Model,
    /// A tool, in its result.
    Tool,
}

/// A fact.
#[derive(Debug, Clone)]
pub struct Fact {
    /// What kind.
    pub kind: FactKind,
    /// The words that hold it, verbatim; a change replaces them.
    pub value: String,
    /// The value after the change.
    pub changed: Option<String>,
    /// The question about it.
    pub question: String,
}

/// Something that is said at a place of the conversation.
#[derive(Debug, Clone)]
pub struct Event {
    /// Its place, in millionths of the conversation.
    pub place: u32,
    /// By whom.
    pub speaker: Speaker,
    /// In these words.
    pub words: String,
    /// The fact it states or changes.
    pub states: Option<Stated>,
}

/// What an event does to a fact.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stated {
    /// Index of the fact.
    pub fact: usize,
    /// Whether this is the change.
    pub change: bool,
}

/// Everything planted in one conversation.
#[derive(Debug, Clone)]
pub struct Plan {
    /// The facts.
    pub facts: Vec<Fact>,
    /// In order of their places.
    pub events: Vec<Event>,
    /// Questions without an answer.
    pub unanswerable: Vec<String>,
    /// Words that appear only in hidden instructions.
    pub canaries: Vec<String>,
}

/// Plants facts. With two languages, every other fact is in the second.
pub fn plant(dice: &mut Dice, tongues: &[&Phrases], tools: bool) -> Plan {
    let mut planting = Planting { dice, tools, used: HashSet::new(), values: HashSet::new() };
    let mut plan = Plan {
        facts: Vec::new(),
        events: Vec::new(),
        unanswerable: Vec::new(),
        canaries: Vec::new(),
    };
    let mut kinds: Vec<(FactKind, usize)> =
        FactKind::ALL.iter().flat_map(|kind| (0..PER_KIND).map(|nth| (*kind, nth))).collect();
    planting.dice.shuffle(&mut kinds);
    let count = kinds.len();
    let step = u32::try_from(1_000_000 / count.max(1)).unwrap_or(1);
    let mut place = step / 2;
    for (index, (kind, nth)) in kinds.into_iter().enumerate() {
        let tongue = tongues.get(nth % tongues.len().max(1));
        if let Some((phrases, forms)) = tongue.and_then(|phrases| form(phrases, kind)) {
            // Early facts change, late enough for their first value to have been covered.
            let change = index % (count / CHANGED / 2).max(1) == 0 && index < count / 2;
            planting.fact(&mut plan, phrases, forms, place, change);
        }
        place += step;
    }
    planting.distract(&mut plan, tongues);
    plan.events.sort_by_key(|event| event.place);
    plan
}

fn form(phrases: &Phrases, kind: FactKind) -> Option<(&Phrases, &Forms)> {
    phrases.forms.iter().find(|forms| forms.kind == kind).map(|forms| (phrases, forms))
}

struct Planting<'d> {
    dice: &'d mut Dice,
    tools: bool,
    used: HashSet<String>,
    values: HashSet<String>,
}

impl Planting<'_> {
    fn fact(
        &mut self,
        plan: &mut Plan,
        phrases: &Phrases,
        forms: &Forms,
        place: u32,
        change: bool,
    ) {
        let (subject, value, other) = if forms.kind == FactKind::Preference {
            self.preference(phrases)
        } else {
            let value = self.value(phrases, forms);
            let other = self.value(phrases, forms);
            (self.subject(phrases), value, other)
        };
        let (speaker, pattern) = self.speaker(forms);
        let said = fill(pattern, &subject, &value, "");
        let fact = plan.facts.len();
        let states = Some(Stated { fact, change: false });
        plan.events.push(Event { place, speaker, words: said, states });
        if change {
            let words = fill(self.dice.pick(forms.change), &subject, &other, &value);
            let place = place + 300_000 + u32::try_from(self.dice.below(150_000)).unwrap_or(0);
            let states = Some(Stated { fact, change: true });
            plan.events.push(Event { place, speaker: Speaker::Person, words, states });
        }
        let question = fill(self.dice.pick(forms.ask), &subject, "", "");
        let changed = change.then_some(other);
        plan.facts.push(Fact { kind: forms.kind, value, changed, question });
    }

    fn distract(&mut self, plan: &mut Plan, tongues: &[&Phrases]) {
        let step = 1_000_000 / ASIDES.max(1);
        for index in 0..ASIDES {
            let kind = FactKind::ALL.get(index % FactKind::ALL.len()).copied();
            let phrases = tongues.get(index % tongues.len().max(1));
            let found = phrases.zip(kind).and_then(|(phrases, kind)| form(phrases, kind));
            let Some((phrases, forms)) = found.filter(|(_, forms)| !forms.aside.is_empty()) else {
                continue;
            };
            let (subject, value) = (self.subject(phrases), self.value(phrases, forms));
            let words = fill(self.dice.pick(forms.aside), &subject, &value, "");
            let place = u32::try_from(index * step + step / 3).unwrap_or(0);
            plan.events.push(Event { place, speaker: Speaker::Person, words, states: None });
        }
        for index in 0..UNANSWERABLE {
            let kind = FactKind::ALL.get(index).copied();
            let phrases = tongues.get(index % tongues.len().max(1));
            let found = phrases.zip(kind).and_then(|(phrases, kind)| form(phrases, kind));
            if let Some((phrases, forms)) = found {
                let subject = self.subject(phrases);
                plan.unanswerable.push(fill(self.dice.pick(forms.ask), &subject, "", ""));
            }
        }
        for (index, place) in [220_000, 610_000].into_iter().enumerate() {
            if let Some(phrases) = tongues.get(index % tongues.len().max(1)) {
                let canary = self.dice.fill("ZQ{A}{A}{d}{A}{d}{d}VX", &[]);
                let words = fill(self.dice.pick(phrases.hidden), "", &canary, "");
                plan.canaries.push(canary);
                plan.events.push(Event { place, speaker: Speaker::Tool, words, states: None });
            }
        }
    }

    /// A tool's line where this conversation has tools and the kind has one; else mostly the person.
    fn speaker<'f>(&mut self, forms: &'f Forms) -> (Speaker, &'f str) {
        if self.tools && !forms.tool.is_empty() {
            (Speaker::Tool, self.dice.pick(forms.tool))
        } else if !forms.model.is_empty() && self.dice.chance(30) {
            (Speaker::Model, self.dice.pick(forms.model))
        } else {
            (Speaker::Person, self.dice.pick(forms.person))
        }
    }

    /// Two words that no other subject of the conversation has together.
    fn subject(&mut self, phrases: &Phrases) -> String {
        loop {
            let first = self.dice.pick(phrases.first);
            let second = self.dice.pick(phrases.second);
            let subject = format!("{first}{}{second}", phrases.between);
            if self.used.insert(subject.clone()) {
                return subject;
            }
        }
    }

    fn preference(&mut self, phrases: &Phrases) -> (String, String, String) {
        loop {
            let row = phrases.preferences.get(self.dice.below(phrases.preferences.len()));
            let Some((subject, value, other)) = row else { return Default::default() };
            if self.used.insert((*subject).to_owned()) {
                return ((*subject).to_owned(), (*value).to_owned(), (*other).to_owned());
            }
        }
    }

    /// A value that is nowhere else in the conversation.
    fn value(&mut self, phrases: &Phrases, forms: &Forms) -> String {
        loop {
            let pattern = self.dice.pick(forms.values);
            let value = self.dice.fill(pattern, phrases.lists);
            if self.values.insert(value.clone()) {
                return value;
            }
        }
    }
}

fn fill(pattern: &str, subject: &str, value: &str, before: &str) -> String {
    pattern.replace("{s}", subject).replace("{v}", value).replace("{o}", before)
}
