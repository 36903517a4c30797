//! `cargo run -p skein-lab --bin fit_facts FILE…`: fits the weights by which facts are ranked to fact sets,
//! and writes them into `crates/context/src/facts/rank/weights.rs`.
//!
//! A logistic regression: of each fact of the sets' shortest conversations, as written and in lower case,
//! the chance that it holds the newest value of a thing beside its subject. A feature has one weight for all
//! facts and, added to it, one for each sort of author; each conversation has a constant of its own. A set
//! that is to judge the weights is left out of the files.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs, io};

use skein_context::facts::{Author, Fact, FactSource, extract_features, feature_names};
use skein_context::tokens::TokenCounter;
use skein_domain::ids::MessageId;
use skein_lab::memory::conversation::spread;
use skein_lab::memory::measure::{LENGTHS, SEED};
use skein_lab::memory::program::ARGUMENTS;
use skein_lab::memory::set::{FactSet, Language, Passage, Speaker};
use skein_lab::memory::text::{holds, names};

const WEIGHTS: &str = "crates/context/src/facts/rank/weights.rs";
/// Groups of weights: those for all facts, and those of each sort of author.
const GROUPS: usize = 4;
/// Steps of the gradient descent.
const STEPS: i32 = 1_500;
/// The size of the first step; later ones are smaller.
const RATE: f64 = 0.05;
/// How strongly a weight is drawn to 0, as a number of examples.
const PENALTY: f64 = 1.0;
/// How much of its former moments a gradient keeps, for its mean and for its square (Adam).
const MOMENTS: (f64, f64) = (0.9, 0.999);

/// Features that raise a weight by at least so much, for all authors and for each again.
const RAISING: [(&str, f64); 6] = [
    ("value", 0.0),
    ("name", 0.0),
    ("change", 0.0),
    ("particularity", 0.0),
    ("under heading", 0.0),
    ("last of routine", 0.25),
];
/// Features that never raise a weight.
const LOWERING: [&str; 10] = [
    "code",
    "talk",
    "talk beside value",
    "doubt",
    "suggestion",
    "question",
    "digit",
    "error",
    "routine",
    "given again",
];

/// A fact: its inputs that are not 0, each with the index of its parameter.
struct Example {
    inputs: Vec<(usize, f64)>,
    is_needed: bool,
}

/// A parameter that is fitted, with the moments of its gradient.
struct Parameter {
    value: f64,
    least: f64,
    most: f64,
    mean: f64,
    square: f64,
}

fn main() -> io::Result<()> {
    let sets = env::args().skip(1).map(|file| FactSet::read(Path::new(&file)));
    let sets: Vec<FactSet> = sets.collect::<io::Result<_>>()?;
    if sets.is_empty() {
        return Err(io::Error::other("name the fact sets that the weights are fitted to"));
    }
    let languages = sets.iter().flat_map(|set| &set.languages);
    let languages: Vec<Language> =
        languages.flat_map(|language| [language.clone(), language.lowered()]).collect();
    let examples: Vec<Example> =
        languages.iter().enumerate().flat_map(|(at, language)| examples(language, at)).collect();
    let names = feature_names();
    let mut parameters: Vec<Parameter> =
        (0..GROUPS).flat_map(|_| names.iter().map(|name| Parameter::of(name))).collect();
    parameters.extend(languages.iter().map(|_| Parameter::of("")));
    for step in 1..=STEPS {
        descend(&mut parameters, &examples, step);
    }
    let needed = examples.iter().filter(|example| example.is_needed).count();
    println!("{} facts, {needed} of them needed", examples.len());
    fs::write(WEIGHTS, source_text(&names, &parameters))
}

/// The facts of a conversation that is made of a language, which is the `at`th.
fn examples(language: &Language, at: usize) -> Vec<Example> {
    let [tokens, ..] = LENGTHS;
    let counter = TokenCounter::for_model("gpt-4o");
    let conversation = spread(&counter, language, tokens, SEED);
    let passages = conversation.passages.iter().zip(1..);
    let sources: Vec<_> = passages.map(|(it, id)| source(it, MessageId(id))).collect();
    let facts = extract_features(&sources);
    let mut lines: HashMap<u32, String> = HashMap::new();
    for (fact, _) in &facts {
        let under = fact.under.as_deref().unwrap_or_default();
        let _ = write!(lines.entry(fact.line).or_default(), "{under}; {}; ", fact.text);
    }
    let newest = conversation.things.iter().filter_map(|thing| thing.values.last());
    let newest: Vec<_> = newest.map(|(_, value)| value).collect();
    let conversation = feature_names().len() * GROUPS + at;
    let example = |(fact, features): (Fact, Vec<f32>)| {
        let line = lines.get(&fact.line).map(String::as_str).unwrap_or_default();
        let is_needed =
            newest.iter().any(|value| holds(&fact.text, &value.value) && names(line, value));
        Example { inputs: inputs(&features, fact.author, conversation), is_needed }
    };
    facts.into_iter().map(example).collect()
}

/// A passage as the program takes facts from it.
fn source(passage: &Passage, message: MessageId) -> FactSource<'_> {
    let (author, document) = match passage.by {
        Speaker::User => (Author::User, None),
        Speaker::Assistant => (Author::Model, None),
        Speaker::Tool => (Author::Material, Some(ARGUMENTS)),
    };
    FactSource { message, author, text: &passage.text, document }
}

/// The features of a fact as inputs of the weights for all, of those of its author, and of the constant of
/// its conversation.
fn inputs(features: &[f32], author: Author, conversation: usize) -> Vec<(usize, f64)> {
    let own = match author {
        Author::User => features.len(),
        Author::Model => features.len() * 2,
        Author::Material => features.len() * 3,
    };
    let features = features.iter().enumerate().filter(|(_, value)| **value != 0.0);
    let features = features.map(|(at, value)| (at, f64::from(*value)));
    let both = features.flat_map(|(at, value)| [(at, value), (own + at, value)]);
    both.chain([(conversation, 1.0)]).collect()
}

impl Parameter {
    fn of(name: &str) -> Self {
        let least = RAISING.iter().find(|(raising, _)| *raising == name);
        let least = least.map_or(f64::NEG_INFINITY, |(_, least)| *least);
        let most = if LOWERING.contains(&name) { 0.0 } else { f64::INFINITY };
        Self { value: 0.0, least, most, mean: 0.0, square: 0.0 }
    }

    fn descend(&mut self, gradient: f64, step: i32) {
        let (mean, square) = MOMENTS;
        self.mean = mean * self.mean + (1.0 - mean) * gradient;
        self.square = square * self.square + (1.0 - square) * gradient * gradient;
        let first = self.mean / (1.0 - mean.powi(step));
        let second = self.square / (1.0 - square.powi(step));
        let rate = RATE * (1.0 - f64::from(step) / f64::from(STEPS + 1));
        let value = self.value - rate * first / (second.sqrt() + 1e-8);
        self.value = value.clamp(self.least, self.most);
    }
}

/// Moves all parameters a step towards what the examples show.
fn descend(parameters: &mut [Parameter], examples: &[Example], step: i32) {
    let mut gradients: Vec<f64> = parameters.iter().map(|it| it.value * PENALTY).collect();
    for example in examples {
        let known = |(at, value): &(usize, f64)| Some(parameters.get(*at)?.value * value);
        let score: f64 = example.inputs.iter().filter_map(known).sum();
        let needed = if example.is_needed { 1.0 } else { 0.0 };
        let error = 1.0 / (1.0 + (-score).exp()) - needed;
        for (at, value) in &example.inputs {
            if let Some(gradient) = gradients.get_mut(*at) {
                *gradient += error * value;
            }
        }
    }
    for (parameter, gradient) in parameters.iter_mut().zip(gradients) {
        parameter.descend(gradient / examples.len().max(1) as f64, step);
    }
}

fn source_text(names: &[&str], parameters: &[Parameter]) -> String {
    let value = |at: usize| parameters.get(at).map_or(0.0, |it| it.value);
    let mut text = String::from(
        "//! How much each feature tells of the chance that a fact is needed later.\n\
         //! The program `fit_facts` of the lab writes this file.\n\n\
         use super::features::FEATURES;\n\n\
         /// A feature and its weights for what the user said, what a model said, and what nobody said.\n\
         pub(super) const WEIGHTS: [(&str, [f32; 3]); FEATURES.len()] = [\n",
    );
    for (at, name) in names.iter().enumerate() {
        let of = |sort: usize| value(at) + value(names.len() * sort + at);
        // No weight is written as -0.00.
        let [user, model, material] =
            [1, 2, 3].map(|sort| (of(sort) * 100.0).round() / 100.0 + 0.0);
        let _ = writeln!(text, "    ({name:?}, [{user:.2}, {model:.2}, {material:.2}]),");
    }
    text + "];\n"
}
