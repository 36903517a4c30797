//! Words, and where a line may be cut: quotations, sentences, clauses.
//!
//! Every function walks its text once; looking for a closing quotation mark is bounded by
//! [`QUOTE_CHARS`]. Not here: what a word means.

use super::cue_words::{Cues, cues_of};
use super::word_key::{fold_case, is_han, is_unspaced};

/// A quotation longer than this is prose between two stray marks.
const QUOTE_CHARS: usize = 160;

/// A run of characters without spaces, or of a script that has none, with the punctuation at its edges off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Word<'a> {
    /// Byte offset in the line.
    pub start: usize,
    /// As it was written.
    pub text: &'a str,
    /// True if it is written without spaces between words.
    pub han: bool,
    /// A hash of the word without regard to capitals; 0 where `han`.
    pub key: u64,
    /// The cues of the word; none where `han`, whose words are found by [`super::cue_words::han_cues`].
    pub cues: Cues,
}

impl Word<'_> {
    /// Byte offset of its end in the line.
    pub fn end(&self) -> usize {
        self.start + self.text.len()
    }
}

/// The words of `line` between two byte offsets.
pub(crate) fn words(line: &str, start: usize, end: usize) -> Vec<Word<'_>> {
    let mut words = Vec::new();
    let mut run: Option<(usize, bool)> = None;
    let text = line.get(start..end).unwrap_or_default();
    for (at, c) in text.char_indices().map(|(at, c)| (at + start, c)) {
        let class = match run {
            Some((from, false)) if c == '\'' && elides(line, from, at) => None,
            Some(_) | None => class(c),
        };
        if let Some((from, han)) = run
            && class != Some(han)
        {
            words.extend(word(line, from, at, han));
            run = None;
        }
        if run.is_none() {
            run = class.map(|han| (at, han));
        }
    }
    if let Some((from, han)) = run {
        words.extend(word(line, from, end, han));
    }
    words
}

/// True if an apostrophe ends a shortened word before another: "l'entrée", "dell'albergo", but not "don't" or
/// "Anna's".
fn elides(line: &str, from: usize, at: usize) -> bool {
    let before = line.get(from..at).unwrap_or_default();
    let after = line.get(at + 1..).unwrap_or_default();
    let short = before.chars().count() <= 4 && before.chars().all(char::is_alphabetic);
    short && after.chars().take(3).filter(|c| c.is_alphabetic()).count() == 3
}

/// `None` between words, else whether the character is of a script without spaces.
fn class(c: char) -> Option<bool> {
    if c.is_ascii_alphanumeric() {
        return Some(false);
    }
    let between = c.is_whitespace()
        || matches!(c, '\u{3000}'..='\u{303f}' | '\u{ff00}'..='\u{ff0f}' | '\u{ff1a}'..='\u{ff20}')
        || matches!(
            c,
            '\u{2018}' | '\u{201a}'..='\u{201f}' | '\u{2026}' | '\u{2192}' | '|' | '`' | '"' | ';'
        );
    (!between).then(|| is_unspaced(c))
}

fn word(line: &str, from: usize, to: usize, han: bool) -> Option<Word<'_>> {
    let raw = line.get(from..to)?;
    if han {
        return Some(Word { start: from, text: raw, han, key: 0, cues: Cues::default() });
    }
    if raw.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
        let key = fold_case(raw);
        return Some(Word { start: from, text: raw, han, key, cues: cues_of(key) });
    }
    let opened = raw.trim_start_matches(OPENING_MARKS);
    let start = from + (raw.len() - opened.len());
    let text = without_closing_marks(opened);
    let key = fold_case(text);
    let word = Word { start, text, han, key, cues: cues_of(key) };
    text.chars().any(char::is_alphanumeric).then_some(word)
}

/// A word without the marks that close something around it. A bracket that was opened inside stays.
fn without_closing_marks(word: &str) -> &str {
    let count = |mark: char| word.matches(mark).count();
    let mut surplus = BRACKETS.map(|(open, close)| count(close).saturating_sub(count(open)));
    let mut text = word;
    while let Some(shorter) = text.strip_suffix(CLOSING_MARKS) {
        let bracket = BRACKETS.iter().position(|(_, close)| text.ends_with(*close));
        match bracket.and_then(|at| surplus.get_mut(at)) {
            Some(0) => break,
            Some(surplus) => *surplus -= 1,
            None => {}
        }
        text = shorter;
    }
    text
}

/// Marks that may stand at the start of a word and are no part of it; `=` where a label in Han is before it.
const OPENING_MARKS: [char; 12] = ['(', '[', '{', '<', '\'', '*', ',', ';', ':', '!', '?', '='];
/// Marks that may stand at the end of a word and are no part of it.
const CLOSING_MARKS: [char; 12] = [')', ']', '}', '>', '.', ',', ';', ':', '*', '\'', '!', '?'];
/// The brackets, each with the one that closes it.
const BRACKETS: [(char, char); 4] = [('(', ')'), ('[', ']'), ('{', '}'), ('<', '>')];

/// Words in quotation marks or backticks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Quotation {
    /// Byte offset of the opening mark.
    pub open: usize,
    /// Byte offset of the first character inside.
    pub start: usize,
    /// Byte offset past the last character inside.
    pub end: usize,
    /// Byte offset past the closing mark.
    pub close: usize,
    /// True if the marks are backticks: code.
    pub code: bool,
}

/// All quotations of a line, none inside another.
pub(crate) fn quotations(line: &str) -> Vec<Quotation> {
    let mut quotations: Vec<Quotation> = Vec::new();
    let mut rest = line.char_indices().peekable();
    let mut before = ' ';
    while let Some((open, mark)) = rest.next() {
        let opens = closing(mark).filter(|_| mark != '\'' || !before.is_alphanumeric());
        before = mark;
        let Some(close_mark) = opens else { continue };
        let start = open + mark.len_utf8();
        let inside = line.get(start..).unwrap_or_default();
        let Some((length, _)) =
            inside.char_indices().take(QUOTE_CHARS).find(|(_, c)| *c == close_mark)
        else {
            continue;
        };
        if length == 0 {
            continue;
        }
        let end = start + length;
        let close = end + close_mark.len_utf8();
        while rest.next_if(|(at, _)| *at < close).is_some() {}
        quotations.push(Quotation { open, start, end, close, code: mark == '`' });
    }
    quotations
}

fn closing(mark: char) -> Option<char> {
    match mark {
        '"' | '`' | '\'' => Some(mark),
        '“' => Some('”'),
        '「' => Some('」'),
        '『' => Some('』'),
        '《' => Some('》'),
        '«' => Some('»'),
        _ => None,
    }
}

/// A sentence of a line, cut at its commas.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Sentence {
    /// Byte offset of its start.
    pub start: usize,
    /// Byte offset of its end, its final mark included.
    pub end: usize,
    /// Byte ranges without the commas between them.
    pub segments: Vec<(usize, usize)>,
    /// True if it ends in a question mark.
    pub question: bool,
}

/// The sentences of a line. Marks inside quotations do not end anything.
pub(crate) fn sentences(line: &str, quotations: &[Quotation]) -> Vec<Sentence> {
    let mut sentences = Vec::new();
    let mut segments = Vec::new();
    let (mut sentence_start, mut segment_start) = (0, 0);
    let mut quoted = quotations.iter().peekable();
    let mut chars = line.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        while quoted.next_if(|quote| quote.close <= at).is_some() {}
        if quoted.peek().is_some_and(|quote| quote.open <= at) {
            continue;
        }
        let spaced = chars.peek().is_none_or(|(_, next)| next.is_whitespace() || is_han(*next));
        let after = at + c.len_utf8();
        let ends = ends(line, at, c, spaced);
        if ends || cuts(line, at, c, spaced) {
            segments.push((segment_start, at));
            segment_start = after;
        }
        if ends {
            let segments = std::mem::take(&mut segments);
            let question = matches!(c, '?' | '？');
            sentences.push(Sentence { start: sentence_start, end: after, segments, question });
            sentence_start = after;
        }
    }
    if segment_start < line.len() {
        segments.push((segment_start, line.len()));
    }
    if !segments.is_empty() {
        let end = line.len();
        sentences.push(Sentence { start: sentence_start, end, segments, question: false });
    }
    sentences
}

/// True if the character at `at` ends a sentence. `spaced`: a space follows, or nothing.
fn ends(line: &str, at: usize, c: char, spaced: bool) -> bool {
    match c {
        '。' | '！' | '？' => true,
        '.' => spaced && !abbreviates(line, at) && !trails_off(line, at),
        '!' | '?' => spaced,
        _ => false,
    }
}

/// True if it cuts one.
fn cuts(line: &str, at: usize, c: char, spaced: bool) -> bool {
    match c {
        '，' | '、' | '；' | '—' => true,
        ',' => spaced && !dates(line, at),
        ';' | '–' => spaced,
        '.' | '…' => spaced && trails_off(line, at),
        '-' => spaced && line.get(..at).is_some_and(|before| before.ends_with(' ')),
        _ => false,
    }
}

/// True if the comma at `at` stands in a date, between a day and its year.
fn dates(line: &str, at: usize) -> bool {
    let day = line.get(..at).is_some_and(|before| before.ends_with(|c: char| c.is_ascii_digit()));
    let after = line.get(at + 1..).unwrap_or_default().trim_start();
    let digits = after.bytes().take_while(u8::is_ascii_digit).count();
    day && digits == 4
}

/// True if the full stop at `at` belongs to a shortened word ("e.g.", "Dr.", an initial).
fn abbreviates(line: &str, at: usize) -> bool {
    let before = line.get(..at).unwrap_or_default();
    let mut letters = before.chars().rev();
    let last: String =
        letters.by_ref().take_while(|c| c.is_alphabetic() || *c == '.').take(4).collect();
    let single = last.chars().count() == 1 && last.chars().all(char::is_uppercase);
    // A day or a floor in German: "3. Mai", "2. Stock".
    let ordinal = before.ends_with(|c: char| c.is_ascii_digit())
        && before.chars().rev().take_while(char::is_ascii_digit).count() <= 2
        && line.get(at + 1..).is_some_and(|after| continues(after.trim_start()));
    // "ext. 4417", "Nr. 12": a short word before a number.
    let short = before.chars().rev().take_while(|c| c.is_alphabetic()).count();
    let numbered = (1..=4).contains(&short)
        && line
            .get(at + 1..)
            .is_some_and(|after| after.trim_start().starts_with(|c: char| c.is_ascii_digit()));
    single
        || ordinal
        || numbered
        || matches!(
            last.as_str(),
            "g.e" | "e.i" | "sv" | "rD" | "rM" | "srM" | "sM" | "oN" | "rN" | "B.z" | "h.d" | "rtS"
        )
}

/// True if the full stop or the dots at `at` end dots after which the sentence goes on.
fn trails_off(line: &str, at: usize) -> bool {
    let dots = line.get(..at).is_some_and(|before| before.ends_with('.'));
    let dots = dots || line.get(at..).is_some_and(|rest| rest.starts_with('…'));
    let after = line.get(at..).unwrap_or_default().trim_start_matches(['.', '…']).trim_start();
    dots && after.starts_with(|c: char| c.is_lowercase() || c.is_ascii_digit())
}

/// True if what follows an ordinal's full stop goes on: a word that names a month, or one written small.
fn continues(after: &str) -> bool {
    let end = after.find(|c: char| !c.is_alphanumeric()).unwrap_or(after.len());
    let word = after.get(..end).unwrap_or_default();
    cues_of(fold_case(word)).any(Cues::CALENDAR) || word.starts_with(char::is_lowercase)
}
