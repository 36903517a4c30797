//! Reads a line that nobody said: a tool's output, a file, a code block.
//!
//! A line that speaks to its reader is never kept: an order hidden in a result must not come back as a fact.

use super::candidate::{Candidate, CandidateList, CandidateSpan, LINE};
use super::clause::opening_mark;
use super::fact::{Author, FactKind, FactSource, UNIQUE_KINDS};
use super::filler::has_seconds;
use super::values::{Capitals, FactValue, content_word_count, values};
use super::words::cue_words::{Cues, han_cue_positions, han_cues};
use super::words::tokenize::{Word, quotations, words};
use super::words::word_stats::WordStats;

/// Bytes of a line that are read.
const READ: usize = 4_000;
/// Bytes of the name of a setting.
const LONGEST_KEY: usize = 40;
/// The ends of the parts of a line that is too long to be kept whole.
const PARTS: [char; 6] = [',', ';', '|', '\t', '，', '；'];

/// The marks between the parts of an entry: a key and its value, the columns of a row.
const SEPARATORS: [&str; 8] = [": ", "\":", "=", "|", "\t", "  ", ";", "："];
/// The cues of words to a reader, which an entry does not have.
const SPEAKS: Cues = Cues::ADDRESS.with(Cues::ORDER);

/// Where a line stands.
#[derive(Clone, Copy)]
pub(super) struct DocumentContext<'a> {
    /// The heading or section above it.
    pub under: Option<&'a str>,
    /// True if that is a section: its lines are settings of it.
    pub sectioned: bool,
    /// True if the passage is so short that each of its lines counts as a fact.
    pub brief: bool,
    /// True if it stands in a block of code.
    pub fenced: bool,
}

/// Adds at most one fact for a line, and for a long one at most one for every stretch of its parts.
pub(super) fn read_document_line<'a>(
    source: &FactSource<'a>,
    line: &'a str,
    context: DocumentContext<'a>,
    stats: &WordStats,
    list: &mut CandidateList<'a>,
) {
    let line = line.trim_end_matches([',', ';', '{', ' ']);
    if line.len() <= LINE {
        return read_stretch(source, line, context, stats, list);
    }
    for stretch in stretches(line) {
        read_stretch(source, stretch, context, stats, list);
    }
}

/// The part of a line that is read: of a very long one the parts that end before [`READ`].
fn whole_parts(line: &str) -> &str {
    let Some(head) = line.get(..line.floor_char_boundary(READ)).filter(|_| line.len() > READ)
    else {
        return line;
    };
    head.rfind(PARTS).and_then(|end| head.get(..end)).unwrap_or_default()
}

/// A long line in stretches of whole parts.
fn stretches(line: &str) -> impl Iterator<Item = &str> {
    let mut rest = whole_parts(line);
    std::iter::from_fn(move || {
        let limit = rest.floor_char_boundary(LINE.min(rest.len()));
        let end = match rest.get(..limit) {
            Some(head) if limit < rest.len() => head.rfind(PARTS).or_else(|| rest.find(PARTS)),
            Some(_) | None => None,
        };
        let (head, tail) = rest.split_at_checked(end.unwrap_or(rest.len()))?;
        rest = tail.trim_start_matches(PARTS);
        let done = head.is_empty() && rest.is_empty();
        (!done).then_some(head.trim_matches([' ', '{', '}']))
    })
}

fn read_stretch<'a>(
    source: &FactSource<'a>,
    line: &'a str,
    context: DocumentContext<'a>,
    stats: &WordStats,
    list: &mut CandidateList<'a>,
) {
    let words = words(line, 0, line.len());
    // A record that opens says nothing yet.
    let opens = line.ends_with(['[', '{']);
    if words.is_empty() || opens || is_order(line, &words) {
        return;
    }
    let cues = words.iter().filter(|word| !word.han);
    let cues = cues.fold(han_cues(line), |cues, word| cues.with(word.cues));
    let failed = cues.any(Cues::ERROR) || words.iter().any(|word| names_error(word.text));
    let capitals = Capitals { opens_sentence: true, of_nouns: false };
    let mut values = values(line, &words, &quotations(line), stats, capitals);
    // Of a few lines each may be what was looked for, where it is an entry and speaks to nobody.
    let setting = is_setting(line);
    let entry = (context.brief || setting)
        && !cues.any(SPEAKS)
        && SEPARATORS.iter().any(|mark| line.contains(mark));
    values.retain(|value| entry || telling(value.kind, line, &words));
    values.extend(definition(&words));
    let kind = match values.iter().map(|value| value.kind).min() {
        Some(_) | None if failed && line.len() > 12 => FactKind::Error,
        Some(kind) => kind,
        None if entry => FactKind::Statement,
        None => return,
    };
    let owned: Vec<&Word<'a>> = words.iter().collect();
    let says_itself = content_word_count(&words, &values) > 0;
    let under = context.under.filter(|_| context.sectioned || !says_itself);
    let range = (past_timestamp(line, &words, values.len()), line.len());
    let piece =
        CandidateSpan { line, range, words: &owned, values: &values, head: &[], under, kind, cues };
    // A piece of code that somebody shows was not said.
    if let Some(fact) = Candidate::new(&FactSource { author: Author::Material, ..*source }, &piece)
    {
        let code = context.fenced && source.author != Author::Material && !setting;
        list.begin_line(Candidate { code, timed: has_seconds(line), ..fact });
    }
}

/// True if a line sets one thing and does nothing: `timeout: 45s`, `retries = 3`.
pub(super) fn is_setting(line: &str) -> bool {
    let plain = |key: &str| {
        let key = key.trim().trim_matches('"');
        let fits = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
        !key.is_empty() && key.len() <= LONGEST_KEY && key.chars().all(fits)
    };
    line.split_once([':', '=']).is_some_and(|(key, value)| {
        plain(key) && !value.trim().is_empty() && !value.starts_with([':', '=', '/'])
    }) && !line.contains('(')
        && !line.ends_with(';')
}

/// Where a line of a log begins to say something: past the time at its start, where it has more.
fn past_timestamp(line: &str, words: &[Word<'_>], values: usize) -> usize {
    let is_time = |word: &&Word<'_>| {
        let mut bytes = word.text.bytes();
        word.text.len() >= 8
            && bytes.clone().next().is_some_and(|byte| byte.is_ascii_digit())
            && bytes.all(|it| {
                it.is_ascii_digit() || matches!(it, b':' | b'-' | b'T' | b'Z' | b'.' | b'/')
            })
            && word.text.contains([':', '-'])
    };
    let times = words.iter().take_while(is_time).count();
    match words.get(times) {
        Some(word) if times > 0 && values > times => opening_mark(line, 0, word.start),
        Some(_) | None => 0,
    }
}

/// True if a text commands its reader: it begins with an order, or has one and addresses somebody.
pub(super) fn is_order<'w, 'a: 'w>(
    text: &str,
    words: impl IntoIterator<Item = &'w Word<'a>>,
) -> bool {
    let (mut orders, mut addresses, mut first) = (0, 0, true);
    for word in words.into_iter().filter(|word| !word.han) {
        orders += usize::from(word.cues.any(Cues::ORDER));
        addresses += usize::from(word.cues.any(Cues::ADDRESS));
        if std::mem::take(&mut first) && word.cues.any(Cues::ORDER) {
            return true;
        }
    }
    if !text.is_ascii() {
        for (_, _, cue) in han_cue_positions(text) {
            orders += usize::from(cue.any(Cues::ORDER));
            addresses += usize::from(cue.any(Cues::ADDRESS));
        }
    }
    orders > 0 && orders + addresses > 1
}

/// `ENOENT`, `TypeError`, `E0382`, `java.lang.IllegalStateException`.
fn names_error(word: &str) -> bool {
    let numbered = word
        .strip_prefix('E')
        .is_some_and(|code| code.len() >= 3 && code.bytes().all(|b| b.is_ascii_digit()));
    let known =
        ["ENOENT", "EACCES", "ECONNREFUSED", "ECONNRESET", "ETIMEDOUT", "EADDRINUSE", "EPERM"];
    numbered || known.contains(&word) || word.ends_with("Error") || word.ends_with("Exception")
}

/// True if a kind of value says something where values are plenty.
fn telling(kind: FactKind, line: &str, words: &[Word<'_>]) -> bool {
    let is_plain = matches!(kind, FactKind::Number | FactKind::Date);
    UNIQUE_KINDS.contains(&kind) || is_plain && line.len() <= LINE && words.len() >= 2
}

/// The name that a line of code defines.
fn definition(words: &[Word<'_>]) -> Option<FactValue> {
    const DEFINE: [&str; 9] =
        ["fn", "def", "class", "struct", "enum", "trait", "interface", "func", "function"];
    let at = words.iter().take(4).position(|word| DEFINE.contains(&word.text))?;
    let name = words.get(at + 1)?;
    let length =
        name.text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(name.text.len());
    let end = name.start + length;
    (length > 1).then_some(FactValue { kind: FactKind::Symbol, start: name.start, end })
}
