//! A set: statements with the facts in them, and filler. `data/FORMAT.md` says how one is written.

use std::collections::BTreeMap;
use std::path::Path;
use std::{fs, io};

use serde::Deserialize;

use super::text::{holds, stands};

/// A set of statements in one or more languages.
#[derive(Debug, Clone, Deserialize)]
pub struct FactSet {
    /// What it is called in the tables.
    pub name: String,
    /// Measured one by one.
    pub languages: Vec<Language>,
}

/// The part of a set in one language.
#[derive(Debug, Clone, Deserialize)]
pub struct Language {
    /// For example `en`.
    pub language: String,
    /// In the order they are said.
    pub statements: Vec<Statement>,
    /// By key: what a person types to find the value.
    pub queries: BTreeMap<String, String>,
    /// What says nothing about any key.
    pub filler: Vec<Passage>,
}

/// A passage that states facts.
#[derive(Debug, Clone, Deserialize)]
pub struct Statement {
    /// Who says it and how.
    #[serde(flatten)]
    pub passage: Passage,
    /// What it states.
    pub facts: Vec<Fact>,
    /// Whether it gives new values to keys that were given one before.
    #[serde(default)]
    pub changes: bool,
}

/// What one side says at once.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Passage {
    /// Which side.
    pub by: Speaker,
    /// Its words.
    pub text: String,
}

/// A side of a conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Speaker {
    /// The user.
    User,
    /// The model.
    Assistant,
    /// A tool that the model called.
    Tool,
}

/// One value of one thing.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Fact {
    /// The same for all values of that thing.
    pub key: String,
    /// What a line must hold beside the value, to say what it is the value of.
    pub subject: Vec<String>,
    /// As it stands in the text.
    pub value: String,
}

impl FactSet {
    /// Reads a file.
    ///
    /// # Errors
    /// Where it cannot be read, is no set, or breaks a rule of the format.
    pub fn read(path: &Path) -> io::Result<Self> {
        let set: Self = serde_json::from_str(&fs::read_to_string(path)?)?;
        match set.breaches().first() {
            None => Ok(set),
            Some(breach) => Err(io::Error::other(format!("{}: {breach}", path.display()))),
        }
    }

    /// The rules of the format that it breaks, in words.
    pub fn breaches(&self) -> Vec<String> {
        self.languages.iter().flat_map(Language::breaches).collect()
    }
}

impl Language {
    fn breaches(&self) -> Vec<String> {
        let mut breaches = Vec::new();
        for Statement { passage, facts, .. } in &self.statements {
            for fact in facts {
                let stated = || [&fact.value].into_iter().chain(&fact.subject);
                if let Some(missing) = stated().find(|text| !holds(&passage.text, text)) {
                    breaches.push(format!("{}: {missing:?} is not in the text", fact.key));
                }
                if !self.queries.contains_key(&fact.key) {
                    breaches.push(format!("{}: no query", fact.key));
                }
            }
        }
        for passage in &self.filler {
            let said = |fact: &&Fact| passage.text.lines().any(|line| stands(line, fact));
            let all = self.statements.iter().flat_map(|statement| &statement.facts);
            breaches.extend(all.filter(said).map(|fact| format!("{}: said in filler", fact.key)));
        }
        breaches
    }

    /// All of it in lower case.
    pub fn lowered(&self) -> Self {
        let mut lowered = self.clone();
        for Statement { passage, facts, .. } in &mut lowered.statements {
            lower(&mut passage.text);
            for fact in facts {
                lower(&mut fact.value);
                fact.subject.iter_mut().for_each(lower);
            }
        }
        lowered.filler.iter_mut().for_each(|passage| lower(&mut passage.text));
        lowered.queries.values_mut().for_each(lower);
        lowered
    }
}

fn lower(text: &mut String) {
    *text = text.to_lowercase();
}
