//! Walks the lines of a passage and hands each to its reader: dialogue, or what nobody said.

use std::collections::{HashMap, HashSet};

use super::candidate::{Candidate, CandidateList, HEADING, LINE};
use super::clause::{TELLING, clauses, sentence_cues};
use super::fact::{Author, FactKind, FactSource};
use super::parallel::is_pair;
use super::words::cue_words::Cues;
use super::words::tokenize::{quotations, sentences, words};
use super::words::word_stats::{WordStats, capitalises_nouns};
use super::{dialogue, non_dialogue, request};

/// Facts of an output that is short enough for its lines to be told side by side, and what stands between
/// them.
const ROWS: usize = 12;
/// The same where a record takes several lines.
const RECORDED: usize = 60;
/// Lines of an output that is brief: each of its entries may be what was looked for.
const BRIEF: usize = 24;
/// Facts of an output that are too few for a series of rows.
const FEW: usize = 3;
const ROW: &str = "; ";
/// Finds the facts of one passage. `asked` is what the passage before it asked last.
pub(super) fn collect_candidates<'a>(
    source: &FactSource<'a>,
    asked: Option<&'a str>,
    stats: &WordStats,
    found: &mut CandidateList<'a>,
) {
    let before = found.candidates.len();
    let material = source.author == Author::Material;
    let brief = material && source.text.lines().filter(|line| !is_border(line)).count() <= BRIEF;
    // Where a record of several lines ends, or the next begins.
    let mut borders: Vec<usize> = Vec::new();
    let mut fenced = false;
    let mut under = asked;
    let mut headed = false;
    let mut above: Option<&'a str> = None;
    // The line before was an item under the same heading: the next stands in the same line of facts.
    let mut goes_on = false;
    let mut section: Option<Section<'a>> = None;
    let mut block = found.candidates.len();
    for raw in source.text.lines() {
        let line = raw.trim();
        if material && (is_border(line) || line.starts_with("- ")) {
            borders.push(found.candidates.len());
        }
        if line.starts_with("```") || line.starts_with("~~~") {
            fenced = !fenced && source.author != Author::Material;
            section = None;
            match fenced {
                true => block = found.candidates.len(),
                false => join_block(found.candidates.get_mut(block..).unwrap_or_default()),
            }
            continue;
        }
        let body = unmarked(line);
        if body.is_empty() {
            continue;
        }
        if body.chars().all(|c| matches!(c, '-' | '|' | ':' | '=' | ' ' | '+')) {
            if line.starts_with('|') {
                (under, headed) = (above, true);
            }
            continue;
        }
        let quoted = line.starts_with('>');
        // The rows under a heading need no mark of a list.
        let listed = body.len() < line.len() || headed && !material && !fenced && is_pair(body);
        if !listed && !fenced && std::mem::replace(&mut headed, false) {
            under = None;
        }
        let heading = line.starts_with('#') || body.ends_with([':', '：']);
        let found_before = found.candidates.len();
        section = Section::of(raw, section);
        let sets = section.is_some() && !listed && non_dialogue::is_setting(body);
        if fenced || quoted || sets || source.author == Author::Material {
            let (under, sectioned) = match section {
                Some(section) if section.name != body => (Some(section.name), true),
                Some(_) | None => (under, false),
            };
            let place = non_dialogue::DocumentContext { under, sectioned, brief, fenced };
            non_dialogue::read_document_line(source, body, place, stats, found);
            goes_on = false;
        } else {
            let item = listed && !heading;
            let place = dialogue::LineContext { under, headed: item && headed, item, goes_on };
            dialogue::read_dialogue_line(source, body, place, stats, found);
            goes_on = item && found.candidates.len() > found_before;
        }
        above = Some(body);
        if heading {
            under = Some(heading_clause(body.trim_end_matches([':', '：']), stats));
            headed = true;
            goes_on = false;
        }
    }
    drop_headings(&mut found.candidates, before);
    let own = found.candidates.get_mut(before..).unwrap_or_default();
    count_crowds(own);
    if material {
        mark_singular(own);
        let several = own.len() > FEW;
        own.iter_mut().for_each(|candidate| candidate.row = several);
    }
    let asks = request::asks_for_something(source);
    own.iter_mut().for_each(|candidate| candidate.asked = asks);
    borders.iter_mut().for_each(|border| *border -= before);
    borders.retain(|border| (1..own.len()).contains(border));
    borders.dedup();
    if material && own.len() <= if borders.is_empty() { ROWS } else { RECORDED } {
        join_rows(own, &borders);
    }
}

/// Takes out, from a place on, what is told as the heading of others and gives nothing by itself.
fn drop_headings(found: &mut Vec<Candidate<'_>>, from: usize) {
    let own = found.split_off(from.min(found.len()));
    let heads: HashSet<&str> = own.iter().filter_map(|it| it.under).collect();
    let is_told = |it: &Candidate<'_>| heads.iter().any(|head| head.contains(it.text));
    found.extend(own.iter().filter(|it| !is_told(it)).cloned());
}

/// The clause of a heading that says what stands under it: its first with telling words. All of it where
/// another clause may limit that.
fn heading_clause<'a>(text: &'a str, stats: &WordStats) -> &'a str {
    const LIMITS: Cues = Cues::CONDITION
        .with(Cues::NEGATION)
        .with(Cues::DOUBT)
        .with(Cues::CHANGE)
        .with(Cues::PAST)
        .with(Cues::POSSIBLE);
    let quoted = quotations(text);
    let nouns = capitalises_nouns(&words(text, 0, text.len()));
    let mut telling = None;
    for sentence in sentences(text, &quoted) {
        let clauses = clauses(text, &sentence, &quoted, stats, nouns);
        if sentence_cues(text, &sentence, &clauses).any(LIMITS) {
            return text;
        }
        let first = clauses.iter().find(|clause| clause.content >= TELLING);
        telling = first.and_then(|it| text.get(it.start..it.end)).or(telling);
    }
    telling.unwrap_or(text)
}

/// The heading of some lines of a file: `[server]`, or `server:` above indented lines.
#[derive(Clone, Copy)]
struct Section<'a> {
    name: &'a str,
    /// Bytes before its name; `None`: it ends where another begins.
    indent: Option<usize>,
}

impl<'a> Section<'a> {
    /// The section that a line stands in or opens, after that of the line before it.
    fn of(raw: &'a str, before: Option<Self>) -> Option<Self> {
        let line = raw.trim();
        let indent = raw.len() - raw.trim_start().len();
        let plain = |name: &str| {
            name.len() <= HEADING
                && name.contains(char::is_alphabetic)
                && !name.contains(['(', ',', '=', ':', '[', '{'])
        };
        let bracketed = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
        if let Some(name) = bracketed.filter(|name| plain(name)) {
            return Some(Self { name, indent: None });
        }
        let opened = line.trim_end_matches(['{', '[', ' ']);
        let name = opened.strip_suffix([':', '=']).map(|it| it.trim().trim_matches(['"', '\'']));
        if let Some(name) = name.filter(|name| plain(name)) {
            return Some(Self { name: name.trim_start_matches("- "), indent: Some(indent) });
        }
        before.filter(|it| it.indent.is_none_or(|above| indent > above))
    }
}

/// Puts the settings that somebody shows side by side, those of each section in a line.
fn join_block(found: &mut [Candidate<'_>]) {
    if found.len() <= RECORDED && found.iter().all(|it| !it.code) {
        join_rows(found, &[]);
    }
}

/// True if a line has nothing but marks, or nothing at all.
fn is_border(line: &str) -> bool {
    !line.contains(char::is_alphanumeric)
}

/// Puts what a short output says in lines side by side: rows of one table tell of each other. A record of
/// several lines between `borders` stays together; without any, each row is one.
fn join_rows(found: &mut [Candidate<'_>], borders: &[usize]) {
    let each: Vec<usize> = (1..found.len()).collect();
    let borders = if borders.is_empty() { &each } else { borders };
    let mut filled = 0;
    let mut line: Option<(usize, Option<&str>)> = None;
    let mut from = 0;
    for to in borders.iter().copied().chain([found.len()]) {
        let record = found.get(from..to).unwrap_or_default();
        let length: usize = record.iter().map(|it| it.text.len() + ROW.len()).sum();
        if filled + length > LINE {
            line = None;
        }
        for candidate in found.get_mut(from..to).unwrap_or_default() {
            let own = candidate.text.len() + ROW.len();
            match line.filter(|(_, under)| *under == candidate.under && filled + own <= LINE) {
                Some((line, _)) => (candidate.line, candidate.joint) = (line, ROW),
                None => {
                    filled = 0;
                    line = Some((candidate.line, candidate.under));
                }
            }
            filled += own;
        }
        from = to;
    }
}

/// Marks the lines of an output whose marks (`=`, `|`, quotes, …) stand in an order of their own: titles and
/// sums, not rows.
fn mark_singular(found: &mut [Candidate<'_>]) {
    let is_mark = |c: &char| !c.is_alphanumeric() && !c.is_whitespace() && !matches!(c, '-' | '.');
    let made = |it: &Candidate<'_>| {
        let mut marks: Vec<char> = it.text.chars().filter(is_mark).collect();
        marks.dedup();
        marks.into_iter().collect::<String>()
    };
    let mut times: HashMap<String, u32> = HashMap::new();
    for candidate in found.iter() {
        *times.entry(made(candidate)).or_default() += 1;
    }
    for candidate in found {
        candidate.singular = times.get(&made(candidate)) == Some(&1);
    }
}

/// Counts of each fact of a passage how many of its sort there are. An error is judged among errors: one
/// in a long log stands out.
fn count_crowds(found: &mut [Candidate<'_>]) {
    let errors = found.iter().filter(|it| it.kind == FactKind::Error).count();
    let others = found.len() - errors;
    for candidate in found {
        let crowd = if candidate.kind == FactKind::Error { errors } else { others };
        candidate.crowd = u32::try_from(crowd).unwrap_or(u32::MAX);
    }
}

/// A line without the marks of a list, a heading, a quotation or a table at its start.
fn unmarked(line: &str) -> &str {
    let bare = line.trim_start_matches(['#', '>', '|', ' ', '\t', '*', '•', '·', '–', '+']);
    let bare = bare.strip_prefix("- ").unwrap_or(bare);
    let number = bare.trim_start_matches(|c: char| c.is_ascii_digit());
    let listed = bare.len() - number.len();
    if (1..=2).contains(&listed)
        && let Some(item) = number.strip_prefix(". ").or_else(|| number.strip_prefix(") "))
        && !is_date(item)
    {
        return item.trim_start();
    }
    bare.trim_start_matches("[ ] ").trim_start_matches("[x] ").trim_end_matches(['|', ' '])
}

/// True if a line that begins with a number and a full stop goes on with a month: "3. Mai".
fn is_date(item: &str) -> bool {
    let end = item.find(|c: char| !c.is_alphanumeric()).unwrap_or(item.len());
    words(item, 0, end).first().is_some_and(|word| word.cues.any(Cues::CALENDAR))
}
