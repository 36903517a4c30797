//! A fact set: statements with facts, and filler. `data/FORMAT.md` describes the file format.

use std::collections::BTreeMap;
use std::path::Path;
use std::{fs, io};

use serde::Deserialize;

use super::text::{holds, stands};

/// A set of statements in one or more languages.
#[derive(Debug, Clone, Deserialize)]
pub struct FactSet {
    /// The name in the tables.
    pub name: String,
    /// The languages, measured separately.
    pub languages: Vec<Language>,
}

/// The part of a set in one language.
#[derive(Debug, Clone, Deserialize)]
pub struct Language {
    /// For example `en`.
    pub language: String,
    /// In the order of the conversation.
    pub statements: Vec<Statement>,
    /// A search query for each key.
    pub queries: BTreeMap<String, String>,
    /// Passages without facts.
    pub filler: Vec<Passage>,
}

/// A passage that states facts.
#[derive(Debug, Clone, Deserialize)]
pub struct Statement {
    #[serde(flatten)]
    pub passage: Passage,
    pub facts: Vec<Fact>,
}

/// A message of one side.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Passage {
    pub by: Speaker,
    pub text: String,
}

/// A side of a conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Speaker {
    User,
    Assistant,
    /// A tool that the model called.
    Tool,
}

/// A value of a thing.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Fact {
    /// The key of the thing, the same for all its values.
    pub key: String,
    /// Words that a line must contain beside the value, to name the thing.
    pub subject: Vec<String>,
    /// As it stands in the text.
    pub value: String,
}

impl FactSet {
    /// Reads a file.
    ///
    /// # Errors
    /// It cannot be read, is no set, or violates the format.
    pub fn read(path: &Path) -> io::Result<Self> {
        let set: Self = serde_json::from_str(&fs::read_to_string(path)?)?;
        match set.breaches().first() {
            None => Ok(set),
            Some(breach) => Err(io::Error::other(format!("{}: {breach}", path.display()))),
        }
    }

    /// The violations of the format, as texts.
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

    /// The set in lower case.
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
