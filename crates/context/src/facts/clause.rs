//! The clauses of a sentence, between its commas, with what is in each; and what a clause is about: the
//! identity of the fact that it gives.

use std::collections::HashSet;

use super::attribute::{describes, han_cues_of_statement};
use super::fact::{FactKind, UNIQUE_KINDS};
use super::values::{Capitals, FactValue, content_word_count, pair, values};
use super::words::cue_words::{Cues, han_cue_positions, han_cues, is_han_function};
use super::words::tokenize::{Quotation, Sentence, Word, words};
use super::words::word_key::{fold_case, stem};
use super::words::word_stats::WordStats;

/// The marks between the head of a sentence and its statement.
const HEADS: [char; 2] = [':', '：'];
/// Words that say what a clause is about, beside its values, for it to say so by itself.
pub(super) const TELLING: usize = 2;
/// Telling words of a clause that needs nothing before it, though none of them is known for a name.
const SELF_CONTAINED: usize = 7;

/// Words of a reason, for it to be more than a time: "since Monday".
const SENTENCE: usize = 4;
/// Words that begin a reason in Chinese.
const HAN_REASONS: [&str; 4] = ["因为", "由于", "毕竟", "免得"];

/// A clause of a line with what is in it.
pub(super) struct Clause<'a> {
    pub start: usize,
    pub end: usize,
    pub words: Vec<Word<'a>>,
    pub values: Vec<FactValue>,
    /// How many words say what it is about, the values left out.
    pub content: usize,
    /// True if it is one of several clauses in one frame: an entry of a list.
    pub entry: bool,
}

impl Clause<'_> {
    /// True if it has a value that its characters tell.
    pub fn has_shape(&self) -> bool {
        self.values.iter().any(|value| value.kind != FactKind::Name)
    }

    /// True if it gives something: a value with a shape, or as an entry of a list.
    pub fn gives(&self) -> bool {
        self.has_shape() || self.entry
    }

    /// True if it gives a value and names the thing that has it, so that nothing before it is needed.
    pub fn stands_alone(&self) -> bool {
        let named = self.values.iter().any(|value| value.kind == FactKind::Name);
        let named = named && self.content > 0 || self.content >= SELF_CONTAINED;
        self.gives() && (named || self.entry) && !is_anaphoric(self)
    }

    /// True if it sets a condition for what its sentence tells.
    pub fn has_condition(&self) -> bool {
        self.cues().any(Cues::CONDITION)
    }

    /// True if what its sentence tells before it may hold under a condition alone, or not at all: it denies
    /// what was said, in a word or by pointing at it.
    pub fn limits(&self) -> bool {
        let points_back = self.content < TELLING || is_anaphoric(self);
        self.has_condition() || points_back && self.cues().any(Cues::NEGATION)
    }

    /// Everything its words tell together.
    fn cues(&self) -> Cues {
        let of = |word: &Word<'_>| word.cues.with(han_cues(word.text));
        self.words.iter().fold(Cues::default(), |told, word| told.with(of(word)))
    }

    /// True if it names the thing that its values are of.
    pub fn names_something(&self) -> bool {
        self.content > 0 || self.values.iter().any(|value| value.kind == FactKind::Name)
    }
}

/// The clauses of a sentence that have words.
pub(super) fn clauses<'a>(
    line: &'a str,
    sentence: &Sentence,
    quoted: &[Quotation],
    stats: &WordStats,
    nouns: bool,
) -> Vec<Clause<'a>> {
    let quotes_of = |start: usize, end: usize| -> Vec<Quotation> {
        let from = quoted.partition_point(|quote| quote.open < start);
        quoted.iter().skip(from).take_while(|quote| quote.open < end).copied().collect()
    };
    let segments = sentence.segments.iter().enumerate();
    let made = segments.map(|(index, &(start, end))| {
        let words = words(line, start, end);
        let capitals = Capitals { opens_sentence: index == 0, of_nouns: nouns };
        let values = values(line, &words, &quotes_of(start, end), stats, capitals);
        let content = content_word_count(&words, &values);
        let start = words.first().map_or(start, |word| opening_mark(line, start, word.start));
        let end = start + line.get(start..end).map_or(0, |text| text.trim_end().len());
        Clause { start, end, words, values, content, entry: false }
    });
    made.filter(|clause| !clause.words.is_empty()).collect()
}

/// Everything the words of a sentence tell together.
pub(super) fn sentence_cues(line: &str, sentence: &Sentence, clauses: &[Clause<'_>]) -> Cues {
    let words: Vec<&Word<'_>> = clauses.iter().flat_map(|clause| &clause.words).collect();
    let of = |(at, word): (usize, &&Word<'_>)| {
        let before = at.checked_sub(1).and_then(|before| words.get(before));
        let is_attribute = describes(before.copied(), word, words.get(at + 1).copied());
        if is_attribute { word.cues.without(Cues::CHANGE) } else { word.cues }
    };
    let cues = words.iter().enumerate().map(of).fold(Cues::default(), Cues::with);
    let text = line.get(sentence.start..sentence.end).unwrap_or_default();
    han_cues_of_statement(text).fold(cues, |told, (_, _, cue)| told.with(cue))
}

/// Where the first word of a sentence stands that gives any of the signs `wanted`.
pub(super) fn first_cue(
    line: &str,
    sentence: &Sentence,
    clauses: &[Clause<'_>],
    wanted: Cues,
) -> Option<usize> {
    let words = clauses.iter().flat_map(|clause| &clause.words);
    let words = words.filter(|word| word.cues.any(wanted)).map(|word| word.start);
    let text = line.get(sentence.start..sentence.end).unwrap_or_default();
    let han = han_cue_positions(text).filter(|(_, _, cue)| cue.any(wanted));
    words.chain(han.map(|(at, _, _)| sentence.start + at)).min()
}

/// Where a clause begins: at its first word, or the mark that is written onto it.
pub(super) fn opening_mark(line: &str, start: usize, word: usize) -> usize {
    let before = line.get(start..word).unwrap_or_default();
    word - before.chars().next_back().filter(|mark| !mark.is_whitespace()).map_or(0, char::len_utf8)
}

/// Without the clauses that open a sentence and say nothing: "by the way". "If not" does say something.
pub(super) fn without_idle_opening<'c, 'a>(clauses: &'c [Clause<'a>]) -> &'c [Clause<'a>] {
    const LIMITS: Cues = Cues::CONDITION.with(Cues::DOUBT);
    let idle = |clause: &Clause<'_>| {
        clause.values.is_empty() && clause.content == 0 && !clause.cues().any(LIMITS)
    };
    let from = clauses.iter().position(|clause| !idle(clause)).unwrap_or_default();
    clauses.get(from..).unwrap_or(clauses)
}

/// Without the clauses from one on that gives a reason for what those before it tell, where none of them
/// gives anything itself or sets a condition.
pub(super) fn without_reason<'c, 'a>(clauses: &'c [Clause<'a>]) -> &'c [Clause<'a>] {
    let gives_reason = |clause: &Clause<'_>| {
        let mut words = clause.words.iter().filter(|word| !word.cues.any(Cues::OPENER)).take(2);
        let is_reason = |word: &Word<'_>| match word.han {
            true => HAN_REASONS.iter().any(|reason| word.text.starts_with(reason)),
            false => word.cues.any(Cues::REASON),
        };
        words.any(is_reason) && words_length(&clause.words) >= SENTENCE
    };
    let reason = clauses.iter().skip(1).position(gives_reason);
    let Some((statement, reason)) = reason.and_then(|at| clauses.split_at_checked(at + 1)) else {
        return clauses;
    };
    let gives_value = statement.iter().any(|clause| !clause.values.is_empty());
    let needed = reason.iter().any(|clause| clause.gives() || clause.has_condition());
    if gives_value && !needed { statement } else { clauses }
}

/// Where the head of a clause ends: at the colon between its words, if it has one.
pub(super) fn head_end(line: &str, clause: &Clause<'_>) -> Option<usize> {
    clause.words.windows(2).find_map(|two| match two {
        [a, b] => line.get(a.end()..b.start)?.find(HEADS).map(|mark| a.end() + mark),
        _ => None,
    })
}

/// Length of several clauses in words.
pub(super) fn length(clauses: &[Clause<'_>]) -> usize {
    clauses.iter().map(|clause| words_length(&clause.words)).sum()
}

/// Length in words. Two Chinese characters count as one word.
pub(super) fn words_length(words: &[Word<'_>]) -> usize {
    let of = |word: &Word<'_>| if word.han { word.text.chars().count().div_ceil(2) } else { 1 };
    words.iter().map(of).sum()
}

/// True if a clause begins with a word that stands for an earlier one.
pub(super) fn is_anaphoric(clause: &Clause<'_>) -> bool {
    let first = clause.words.iter().find(|word| !word.cues.any(Cues::OPENER));
    first.is_some_and(|word| {
        let points = ["this", "that", "these", "those", "which"];
        let points = points.iter().any(|it| word.text.eq_ignore_ascii_case(it));
        points
            || word.cues.any(Cues::PRONOUN)
            || word.text.starts_with(['它', '这', '那', '其', '他', '她'])
    })
}

/// The identity of a fact: its words but for the value that it gives, those that join others, and those that
/// say that something changed. Every name, number and identifier is among them. Sorted, each once.
///
/// Two facts are of the same thing only where these are equal: whatever differs may be a name.
pub(super) fn identity(
    words: &[&Word<'_>],
    values: &[FactValue],
    given: Option<FactValue>,
) -> Vec<u64> {
    const TELLS_NO_THING: Cues = Cues::ARTICLE
        .with(Cues::CHANGE)
        .with(Cues::URGE)
        .with(Cues::OPENER)
        .with(Cues::DECISION)
        .with(Cues::PRONOUN);
    let starts = |at: usize| values.iter().any(|it| it.start == at && is_replaceable(it.kind));
    let mut keys = Vec::new();
    for (at, word) in words.iter().enumerate() {
        let inside = |value: FactValue| word.start >= value.start && word.end() <= value.end;
        // "on 14 May" and "to 16 May" differ in their value alone.
        let leads = || words.get(at + 1).is_some_and(|next| starts(next.start));
        if given.is_some_and(inside) || word.cues.any(Cues::FUNCTION) && leads() {
            continue;
        }
        // "The extended plan" is another than "the plan".
        let is_named = || {
            let before = at.checked_sub(1).and_then(|before| words.get(before));
            describes(before.copied(), word, words.get(at + 1).copied())
        };
        if word.han {
            han_keys(outside(word, given), &mut keys);
        } else if !word.cues.any(TELLS_NO_THING) || is_named() {
            let name = word.text.strip_suffix("'s").or_else(|| word.text.strip_suffix("’s"));
            let numbered = word.text.bytes().any(|byte| byte.is_ascii_digit());
            let key = if numbered { fold_case(word.text) } else { stem(name.unwrap_or(word.text)) };
            // "From Oslo to Athens" is another way than "from Athens to Oslo".
            let next = words.get(at + 1..).unwrap_or_default().iter();
            let mut next = next.filter(|it| !it.han && !it.cues.any(TELLS_NO_THING));
            let bound = next.next().filter(|it| joins(word) && !starts(it.start));
            keys.push(key ^ bound.map_or(0, |it| stem(it.text).rotate_left(1)));
        }
    }
    keys.sort_unstable();
    keys.dedup();
    keys
}

/// True for a word that says how the next one belongs to its clause. Two letters may do that in any language.
fn joins(word: &Word<'_>) -> bool {
    let is_short = word.text.chars().all(char::is_lowercase) && word.text.chars().count() <= 2;
    word.cues.any(Cues::FUNCTION) || is_short && word.cues == Cues::default()
}

/// The part of a run of Han that is not of a value that begins or ends in it.
fn outside<'a>(run: &Word<'a>, given: Option<FactValue>) -> &'a str {
    let Some(value) = given.filter(|value| value.start < run.end() && run.start < value.end) else {
        return run.text;
    };
    let before = run.text.get(..value.start.saturating_sub(run.start)).unwrap_or_default();
    let after = run.text.get(value.end.saturating_sub(run.start)..).unwrap_or_default();
    if before.is_empty() { after } else { before }
}

/// Neighbouring characters of each piece between the characters that join words and the words that say that
/// something changed; a piece of one character is itself.
fn han_keys(run: &str, keys: &mut Vec<u64>) {
    let mut passing = vec![false; run.len()];
    for (at, length, cue) in han_cues_of_statement(run) {
        if cue.any(Cues::CHANGE.with(Cues::DECISION)) {
            passing.iter_mut().skip(at).take(length).for_each(|it| *it = true);
        }
    }
    let mut piece: Vec<char> = Vec::new();
    let mut end = |piece: &mut Vec<char>| {
        // Only the whole tells 娜娜 from 娜娜娜.
        let once: HashSet<&char> = piece.iter().collect();
        if once.len() < piece.len() {
            keys.push(fold_case(&piece.iter().collect::<String>()));
        }
        match piece.as_slice() {
            [one] => keys.push(pair('\0', *one)),
            several => keys.extend(several.windows(2).filter_map(|two| match two {
                [a, b] => Some(pair(*a, *b)),
                _ => None,
            })),
        }
        piece.clear();
    };
    for (at, c) in run.char_indices() {
        if is_han_function(c) || passing.get(at).copied().unwrap_or(false) {
            end(&mut piece);
        } else {
            piece.push(c);
        }
    }
    end(&mut piece);
}

/// The value that a fact gives: its last, where nothing but passing words follows. A value in the midst of
/// a clause may as well be what the clause is about, and so may a name.
pub(super) fn given_value(words: &[&Word<'_>], values: &[FactValue]) -> Option<FactValue> {
    const JOINS: Cues = Cues::ARTICLE.with(Cues::FUNCTION).with(Cues::CHANGE).with(Cues::PAST);
    const PASSING: Cues = JOINS.with(Cues::UNIT);
    let value = *values.last().filter(|value| is_replaceable(value.kind))?;
    let passes = |word: &&&Word<'_>| match word.han {
        true => {
            let text = outside(word, Some(value));
            let mut keys = Vec::new();
            han_keys(text, &mut keys);
            keys.is_empty()
        }
        false => word.cues.any(PASSING),
    };
    let mut after = words.iter().filter(|word| word.end() > value.end);
    let closes = after.all(|word| passes(&word));
    let before = words.iter().any(|word| word.start < value.start && !word.cues.any(JOINS));
    (closes && before).then_some(value)
}

/// True if a value of this kind can take the place of another.
pub(super) fn is_replaceable(kind: FactKind) -> bool {
    UNIQUE_KINDS.contains(&kind) || matches!(kind, FactKind::Date | FactKind::Number)
}
