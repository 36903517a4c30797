//! Walks the lines of a passage and hands each to its reader: talk or material.

use super::clause::{Name, Value};
use super::cues::Cues;
use super::lexicon::Lexicon;
use super::stretch::About;
use super::{Anchor, AnchorKind, AnchorSource, Voice, material, talk};
use crate::message::MessageId;

/// Values of an anchor that are looked at: its text has room for no more, and those of a line of nothing else
/// would be compared with those of every other.
const VALUES: usize = 64;

/// How surely a constraint or a decision is meant to last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Lasting {
    /// Its words say so.
    Surely,
    /// It may be only talk.
    Perhaps,
    /// It is the person's talk of themselves.
    Spoken,
    /// Only if what it is about has been wished for or decided before.
    Again,
}

/// An anchor in the making: slices of its message.
#[derive(Debug, Clone)]
pub(super) struct Found<'a> {
    pub message: MessageId,
    pub voice: Voice,
    pub kind: AnchorKind,
    pub text: &'a str,
    pub values: Vec<(AnchorKind, &'a str)>,
    pub under: Option<&'a str>,
    pub subject: Vec<u64>,
    /// The things of the subject.
    pub names: Vec<Name>,
    pub lasting: Lasting,
    pub cues: Cues,
    pub question: bool,
    /// How many of its sort (errors, or others) are in the same passage, itself included.
    pub crowd: u32,
    pub was: Option<&'a str>,
    pub replaced_by: Option<MessageId>,
    /// Which anchor, by its place in what was found, gave an earlier value for the same thing.
    pub earlier: Option<usize>,
    pub weight: u32,
}

impl<'a> Found<'a> {
    /// A text of a line with what it is about, not yet weighed against others.
    pub fn new(
        (message, voice): (MessageId, Voice),
        kind: AnchorKind,
        (line, text): (&'a str, &'a str),
        about: About,
        cues: Cues,
    ) -> Self {
        let About { values, subject, names } = about;
        let slice = |value: &Value| Some((value.kind, line.get(value.start..value.end)?));
        Self {
            message,
            voice,
            kind,
            text,
            values: values.iter().filter_map(slice).take(VALUES).collect(),
            under: None,
            subject,
            names,
            lasting: Lasting::Perhaps,
            cues,
            question: false,
            crowd: 1,
            was: None,
            replaced_by: None,
            earlier: None,
            weight: 0,
        }
    }

    /// Owns what it points at.
    pub fn into_anchor(self) -> Anchor {
        Anchor {
            kind: self.kind,
            text: self.text.to_owned(),
            values: self.values.iter().map(|(_, value)| (*value).to_owned()).collect(),
            under: self.under.map(str::to_owned),
            was: self.was.map(str::to_owned),
            replaced_by: self.replaced_by,
            message: self.message,
            voice: self.voice,
            weight: self.weight,
        }
    }
}

/// Finds the anchors of one passage. `asked` is what the passage before it asked last.
pub(super) fn collect<'a>(
    source: &AnchorSource<'a>,
    asked: Option<&'a str>,
    lexicon: &Lexicon,
    found: &mut Vec<Found<'a>>,
) {
    let before = found.len();
    let mut fenced = false;
    let mut under = asked;
    let mut headed = false;
    for line in source.text.lines() {
        let line = line.trim();
        if line.starts_with("```") || line.starts_with("~~~") {
            fenced = !fenced && source.voice != Voice::Material;
            continue;
        }
        let body = unmarked(line);
        if body.is_empty() {
            continue;
        }
        let quoted = line.starts_with('>');
        let listed = body.len() < line.len();
        if !listed && !fenced && std::mem::replace(&mut headed, false) {
            under = None;
        }
        if fenced || quoted || source.voice == Voice::Material {
            material::read(source.message, body, under, lexicon, found);
        } else {
            talk::read(source, body, under, lexicon, found);
        }
        let heading = line.starts_with('#') || body.ends_with([':', '：']);
        if heading {
            under = Some(body.trim_end_matches([':', '：']));
            headed = true;
        }
    }
    count_crowds(found.get_mut(before..).unwrap_or_default());
}

/// Counts of each anchor of a passage how many of its sort there are. An error is judged among errors:
/// one in a long log stands out.
fn count_crowds(found: &mut [Found<'_>]) {
    let errors = found.iter().filter(|anchor| anchor.kind == AnchorKind::Error).count();
    let others = found.len() - errors;
    for anchor in found {
        let crowd = if anchor.kind == AnchorKind::Error { errors } else { others };
        anchor.crowd = u32::try_from(crowd).unwrap_or(u32::MAX);
    }
}

/// A line without the marks of a list, a heading, a quotation or a table at its start.
fn unmarked(line: &str) -> &str {
    let bare = line.trim_start_matches(['#', '>', '|', ' ', '\t', '*', '•', '+']);
    let bare = bare.strip_prefix("- ").unwrap_or(bare);
    let number = bare.trim_start_matches(|c: char| c.is_ascii_digit());
    let listed = bare.len() - number.len();
    if (1..=2).contains(&listed)
        && let Some(item) = number.strip_prefix(". ").or_else(|| number.strip_prefix(") "))
    {
        return item.trim_start();
    }
    bare.trim_start_matches("[ ] ").trim_start_matches("[x] ").trim_end_matches(['|', ' '])
}

/// The part of `text` between two offsets, cut to `limit` bytes around `keep`, at spaces or Han.
pub(super) fn window(
    text: &str,
    (mut start, mut end): (usize, usize),
    keep: (usize, usize),
    limit: usize,
) -> &str {
    if end.saturating_sub(start) > limit {
        let spare = limit.saturating_sub(keep.1.saturating_sub(keep.0));
        let from = keep.0.saturating_sub(spare * 2 / 3).max(start);
        start = text.get(start..keep.0).map_or(keep.0, |lead| cut_after(lead, start, from));
        let to = (start + limit).min(end);
        end = text.get(start..end).map_or(end, |tail| cut_before(tail, start, to));
    }
    text.get(start..end).unwrap_or_default().trim()
}

/// The first place at or after `from` where `text`, which begins at `offset`, may be cut.
fn cut_after(text: &str, offset: usize, from: usize) -> usize {
    let mut places =
        text.char_indices().map(|(at, c)| (at + offset, c)).skip_while(|(at, _)| *at < from);
    places
        .find(|(at, c)| *at == offset || c.is_whitespace() || super::words::is_han(*c))
        .map_or(offset + text.len(), |(at, _)| at)
}

/// The last place at or before `to` where `text`, which begins at `offset`, may be cut.
fn cut_before(text: &str, offset: usize, to: usize) -> usize {
    let places =
        text.char_indices().map(|(at, c)| (at + offset, c)).take_while(|(at, _)| *at <= to);
    let cut = places.filter(|(_, c)| c.is_whitespace() || super::words::is_han(*c)).last();
    match cut {
        Some((at, _)) if to < offset + text.len() => at,
        Some(_) | None => offset + text.floor_char_boundary(to.saturating_sub(offset)),
    }
}
