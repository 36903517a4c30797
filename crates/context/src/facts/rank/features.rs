//! The features of a fact that tell how likely somebody needs it later. Not here: how much each weighs.

use super::surroundings::Surroundings;
use crate::facts::candidate::{Candidate, REPLY};
use crate::facts::fact::{Author, FactKind, UNIQUE_KINDS};
use crate::facts::words::cue_words::Cues;
use crate::facts::words::tokenize::words;
use crate::facts::words::word_key::is_han;

/// Bytes of an output or a reply that is brief: it says little but what was asked for.
const BRIEF_BYTES: f32 = 150.0;
/// Facts of a passage that has few.
const FEW: u32 = 12;
/// Bytes of a token, in scripts with spaces.
const TOKEN_BYTES: f32 = 4.0;
/// How much a user's repetition with other digits is of a routine.
const USER_ROUTINE: f32 = 0.33;
/// The number of facts that hold a word which tells nothing of its thing.
const COMMON: f32 = 2.0;

/// Marks of code and of records that programs exchange.
const CODE_MARKS: [char; 4] = ['{', '}', '(', ')'];

/// Marks before the first word of a record.
const OPENING_MARKS: [char; 5] = ['"', '{', '[', ' ', '-'];
/// The characters that end the first cell of a row.
const CELL_ENDS: [char; 5] = [' ', '|', '\t', ',', '='];

/// The value of a feature for a candidate: 0 or 1 for those that hold or not, else a logarithm or a share.
type Feature = fn(&Evidence<'_, '_>) -> f32;

/// All features, each with its name.
pub(super) const FEATURES: [(&str, Feature); 54] = [
    ("constant", |_| 1.0),
    ("code", |it| flag(it.candidate.code)),
    ("value", |it| flag(it.gives_value)),
    ("entry", |it| flag(it.candidate.entry)),
    ("entry with value", |it| flag(it.candidate.entry && it.gives_value)),
    ("listed", |it| flag(it.is_listed())),
    ("listed among few", |it| flag(it.is_listed() && it.candidate.crowd <= FEW)),
    ("continues", |it| flag(it.continues())),
    ("continues with value", |it| flag(it.continues() && it.gives_value)),
    ("lead", |it| flag(it.candidate.lead)),
    ("talk", |it| flag(it.is_talk())),
    ("talk beside value", |it| flag(it.is_talk() && it.is_beside_value())),
    ("doubt", |it| it.has_cue(Cues::DOUBT)),
    ("change", |it| it.has_cue(Cues::CHANGE)),
    ("suggestion", |it| it.has_cue(Cues::POSSIBLE)),
    ("pronoun", |it| it.has_cue(Cues::PRONOUN)),
    ("negation", |it| it.has_cue(Cues::NEGATION)),
    ("question", |it| flag(it.candidate.question)),
    ("serves answer", |it| flag(it.candidate.serves_answer && !it.gives_value)),
    ("serves answer with value", |it| flag(it.candidate.serves_answer && it.gives_value)),
    ("name", |it| it.has_kind(&[FactKind::Name])),
    ("name with value", |it| it.has_kind(&[FactKind::Name]) * flag(it.gives_value)),
    ("quotation", |it| it.has_kind(&[FactKind::Quote])),
    ("symbol", |it| it.has_kind(&[FactKind::Symbol])),
    ("date", |it| it.has_kind(&[FactKind::Date])),
    ("identifier", |it| it.has_kind(&UNIQUE_KINDS)),
    ("number", |it| it.has_kind(&[FactKind::Number])),
    ("digit", |it| flag(it.is_digit())),
    ("values", |it| (it.candidate.values.len().max(1) as f32).ln()),
    ("error", |it| flag(it.candidate.kind == FactKind::Error)),
    ("under heading", |it| flag(it.candidate.under.is_some())),
    (LENGTH, |it| it.length()),
    ("length without value", |it| it.length() * flag(!it.gives_value)),
    ("passage length", |it| (it.candidate.passage as f32 / BRIEF_BYTES).max(1.0).ln()),
    ("long passage", |it| flag(it.candidate.passage > REPLY)),
    ("crowd", |it| (it.candidate.crowd.max(1) as f32).ln()),
    ("particularity", |it| it.surroundings.frequency.particularity(it.candidate)),
    ("commonness", |it| (it.surroundings.frequency.least(it.candidate) / COMMON).max(1.0).ln()),
    ("routine", |it| it.routine()),
    ("last of routine", |it| flag(it.surroundings.routine.is_last(it.candidate))),
    ("mentioned", |it| flag(it.mentions() > 0)),
    ("mentions", |it| (1.0 + it.mentions() as f32).ln()),
    ("mentioned without value", |it| flag(it.mentions() > 0 && !it.gives_value)),
    ("mentioned passage", |it| (1.0 + it.mentioned_in_passage() as f32).ln()),
    ("line", |it| (it.in_line().max(1) as f32).ln()),
    ("singular", |it| flag(it.candidate.singular)),
    ("marks", |it| it.share_of_marks()),
    ("code marks", |it| flag(it.candidate.text.contains(CODE_MARKS))),
    ("given again", |it| flag(it.is_given_again())),
    ("share given again", |it| it.share_given_again()),
    ("share renewed", |it| it.share_renewed()),
    ("opens with name", |it| flag(it.opens_with_name())),
    ("stop words", |it| it.share_of_stop_words()),
    ("opens passage", |it| flag(it.opens_passage())),
];

/// The feature that grows with the tokens of a fact.
pub(super) const LENGTH: &str = "length";

fn flag(holds: bool) -> f32 {
    f32::from(u8::from(holds))
}

/// A candidate among all others.
pub(super) struct Evidence<'c, 'a> {
    pub candidate: &'c Candidate<'a>,
    /// The place of the candidate among all.
    pub at: usize,
    /// True if it gives a value, or is ranked as if it did.
    pub gives_value: bool,
    pub surroundings: &'c Surroundings,
}

impl Evidence<'_, '_> {
    /// How far it is a routine that comes again with other digits. A person who tells of several things in
    /// the same words tells more than a program that does.
    fn routine(&self) -> f32 {
        let is_new = self.surroundings.routine.is_new(self.candidate);
        let share = if self.candidate.author == Author::User { USER_ROUTINE } else { 1.0 };
        flag(!is_new) * share
    }

    fn is_listed(&self) -> bool {
        self.surroundings.listed.get(self.at).copied().unwrap_or_default()
    }

    fn continues(&self) -> bool {
        self.surroundings.continuations.continuing.get(self.at).copied().unwrap_or_default()
    }

    fn is_given_again(&self) -> bool {
        self.surroundings.continuations.outdated.contains_key(&self.at)
    }

    /// The share of its names that a later fact has which may have taken its place, 0 to 1.
    fn share_given_again(&self) -> f32 {
        self.surroundings.continuations.outdated.get(&self.at).copied().unwrap_or_default()
    }

    /// The share of the names of an earlier fact that it has whose place it may have taken, 0 to 1.
    fn share_renewed(&self) -> f32 {
        self.surroundings.continuations.renewing.get(&self.at).copied().unwrap_or_default()
    }

    fn mentions(&self) -> usize {
        self.surroundings.mentions.get(self.at).copied().unwrap_or_default()
    }

    fn mentioned_in_passage(&self) -> usize {
        self.surroundings.mentioned_in_passage(self.candidate)
    }

    fn in_line(&self) -> u32 {
        self.surroundings.in_line.get(&self.candidate.line).copied().unwrap_or_default()
    }

    fn is_beside_value(&self) -> bool {
        self.surroundings.giving.contains(&self.candidate.message)
    }

    /// True if somebody says something that gives no value, is no entry of a list and no demand.
    fn is_talk(&self) -> bool {
        let candidate = self.candidate;
        let is_said = candidate.author != Author::Material;
        is_said && !candidate.is_explicit && !candidate.entry && !self.gives_value
    }

    fn has_cue(&self, cue: Cues) -> f32 {
        flag(self.candidate.cues.any(cue))
    }

    fn has_kind(&self, kinds: &[FactKind]) -> f32 {
        flag(self.candidate.values.iter().any(|(kind, _)| kinds.contains(kind)))
    }

    /// True if single digits are all that it gives.
    fn is_digit(&self) -> bool {
        let is_digit = |(kind, value): &(FactKind, &str)| {
            *kind == FactKind::Number && value.len() == '1'.len_utf8()
        };
        !self.candidate.values.is_empty() && self.candidate.values.iter().all(is_digit)
    }

    /// True if it begins with a word in letters that is no label and no call: the rows of a roster do,
    /// those of a log or of a list of files seldom.
    fn opens_with_name(&self) -> bool {
        let text = self.candidate.text.trim_start_matches(OPENING_MARKS);
        let first = text.split(CELL_ENDS).next().unwrap_or_default();
        first.starts_with(char::is_alphabetic) && !first.ends_with(':') && !first.contains('(')
    }

    /// True for the first fact of its passage.
    fn opens_passage(&self) -> bool {
        self.surroundings.opening.contains(&self.at)
    }

    /// The share of words that tell nothing, 0 to 1: prose has many, a row or a note few.
    fn share_of_stop_words(&self) -> f32 {
        let text = self.candidate.text;
        let words = words(text, 0, text.len());
        let stops = words.iter().filter(|word| word.cues.any(Cues::STOP)).count();
        stops as f32 / words.len().max(1) as f32
    }

    /// The logarithm of about how many tokens the text has, and one.
    fn length(&self) -> f32 {
        let text = self.candidate.text;
        let han = text.chars().filter(|c| is_han(*c)).count();
        let bytes = text.len() - han * '字'.len_utf8();
        (1.0 + han as f32 + bytes as f32 / TOKEN_BYTES).ln()
    }

    /// The share of punctuation in the text, in tenths.
    fn share_of_marks(&self) -> f32 {
        let text = self.candidate.text;
        let marks = text.chars().filter(|c| !c.is_alphanumeric() && !c.is_whitespace()).count();
        marks as f32 * 10.0 / text.chars().count().max(1) as f32
    }
}
