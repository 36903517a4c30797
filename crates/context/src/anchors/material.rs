//! Reads a line that nobody said: a tool's output, a file, a code block.
//!
//! What speaks to its reader here is never kept: an instruction hidden in a result must not come
//! back as a fact.

use super::AnchorKind;
use super::Voice;
use super::clause::{Value, names, subject, values};
use super::collect::{Found, window};
use super::cues::{Cues, han_cues};
use super::lexicon::Lexicon;
use super::stretch::About;
use super::words::{Word, quotations, words};
use crate::message::MessageId;

/// Bytes of a line that are read.
const READ: usize = 600;
/// Bytes of a line that are kept.
const KEPT: usize = 160;

/// Adds at most one anchor for a line.
pub(super) fn read<'a>(
    message: MessageId,
    line: &'a str,
    under: Option<&'a str>,
    lexicon: &Lexicon,
    found: &mut Vec<Found<'a>>,
) {
    let line = line.get(..line.floor_char_boundary(READ)).unwrap_or_default();
    let line = line.trim_end_matches([',', ';', '{', ' ']);
    let words = words(line, 0, line.len());
    if words.is_empty() || commands(line, &words) {
        return;
    }
    let english = words.iter().filter(|word| !word.han);
    let told = english.fold(han_cues(line), |told, word| told.with(word.cues));
    let failed = told.any(Cues::ERROR) || words.iter().any(|word| names_error(word.text));
    let mut values = values(line, &words, &quotations(line), lexicon, true);
    values.retain(|value| telling(value.kind, line, &words));
    let defined = definition(&words);
    values.extend(defined);
    let kind = match values.iter().map(|value| value.kind).min() {
        Some(_) | None if failed && line.len() > 12 => AnchorKind::Error,
        Some(kind) => kind,
        None => return,
    };
    let keep = values.first().map_or((0, 0), |value| (value.start, value.end));
    let names = names(&words, &values);
    let subject = subject(&words, &values, &names);
    let text = window(line, (0, line.len()), keep, KEPT);
    let under = under.filter(|_| subject.is_empty());
    let about = About { values, subject, names };
    let read = Found::new((message, Voice::Material), kind, (line, text), about, told);
    found.push(Found { under, ..read });
}

/// Whether a line tells its reader what to do.
fn commands(line: &str, words: &[Word<'_>]) -> bool {
    let heard = words.iter().filter(|word| word.cues.any(Cues::COMMAND));
    heard.take(2).count() == 2 || han_cues(line).any(Cues::COMMAND)
}

/// `ENOENT`, `TypeError`, `E0382`, `java.lang.IllegalStateException`.
fn names_error(word: &str) -> bool {
    let shouted =
        word.len() > 4 && word.starts_with('E') && word.bytes().all(|b| b.is_ascii_uppercase());
    let numbered = word
        .strip_prefix('E')
        .is_some_and(|code| code.len() >= 3 && code.bytes().all(|b| b.is_ascii_digit()));
    let known =
        ["ENOENT", "EACCES", "ECONNREFUSED", "ECONNRESET", "ETIMEDOUT", "EADDRINUSE", "EPERM"];
    numbered
        || shouted && known.contains(&word)
        || word.ends_with("Error")
        || word.ends_with("Exception")
}

/// Whether a kind of value says something where values are plenty.
fn telling(kind: AnchorKind, line: &str, words: &[Word<'_>]) -> bool {
    match kind {
        AnchorKind::Number | AnchorKind::Date => line.len() <= 120 && words.len() >= 2,
        AnchorKind::Symbol | AnchorKind::Quote | AnchorKind::Name => false,
        AnchorKind::Constraint
        | AnchorKind::Decision
        | AnchorKind::Error
        | AnchorKind::CodeLocation
        | AnchorKind::Identifier
        | AnchorKind::Path
        | AnchorKind::Version
        | AnchorKind::Hash
        | AnchorKind::Url => true,
    }
}

/// The name that a line of code defines.
fn definition(words: &[Word<'_>]) -> Option<Value> {
    let defines = |word: &Word<'_>| {
        matches!(
            word.text,
            "fn" | "def"
                | "class"
                | "struct"
                | "enum"
                | "trait"
                | "interface"
                | "func"
                | "function"
        )
    };
    let at = words.iter().take(4).position(defines)?;
    let name = words.get(at + 1)?;
    let length =
        name.text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(name.text.len());
    let end = name.start + length;
    (length > 1).then_some(Value { kind: AnchorKind::Symbol, start: name.start, end })
}
