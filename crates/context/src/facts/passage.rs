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

/// The most facts of an output whose rows are written side by side.
const ROWS: usize = 12;
/// The most facts of an output whose records of several lines are written side by side.
const RECORDED: usize = 60;
/// The most lines of a brief output: each of its entries may be what was looked for.
const BRIEF: usize = 24;
/// The most facts of an output that make no series of rows.
const FEW: usize = 3;
/// The mark between rows side by side.
const ROW: &str = "; ";

/// Adds the facts of one passage to the list. `question` is the last question of the passage before it.
pub(super) fn collect_candidates<'a>(
    source: &FactSource<'a>,
    question: Option<&'a str>,
    stats: &WordStats,
    list: &mut CandidateList<'a>,
) {
    let mut reader = PassageReader::new(source, question, stats, list);
    for line in source.text.lines() {
        reader.read_line(line);
    }
    reader.finish();
}

/// Reads the lines of one passage.
struct PassageReader<'p, 'a> {
    source: &'p FactSource<'a>,
    stats: &'p WordStats,
    list: &'p mut CandidateList<'a>,
    /// The number of candidates before the passage.
    first: usize,
    is_material: bool,
    is_brief: bool,
    /// The heading above the line, or the question before the passage.
    under: Option<&'a str>,
    /// True for the lines that belong to the heading above them.
    headed: bool,
    /// The line before, without its marks.
    above: Option<&'a str>,
    /// True if the line before was an item under the same heading: the next item joins its line of facts.
    joins_previous: bool,
    section: Option<Section<'a>>,
    /// True within a block of code.
    fenced: bool,
    /// The number of candidates before the block of code that began last.
    block: usize,
    /// The numbers of candidates before which a record of several lines ends or begins.
    borders: Vec<usize>,
}

impl<'p, 'a> PassageReader<'p, 'a> {
    fn new(
        source: &'p FactSource<'a>,
        question: Option<&'a str>,
        stats: &'p WordStats,
        list: &'p mut CandidateList<'a>,
    ) -> Self {
        let first = list.candidates.len();
        let is_material = source.author == Author::Material;
        let lines = || source.text.lines().filter(|line| !is_border(line));
        Self {
            source,
            stats,
            list,
            first,
            is_material,
            is_brief: is_material && lines().count() <= BRIEF,
            under: question,
            headed: false,
            above: None,
            joins_previous: false,
            section: None,
            fenced: false,
            block: first,
            borders: Vec::new(),
        }
    }

    fn read_line(&mut self, raw: &'a str) {
        let line = raw.trim();
        if self.is_material && (is_border(line) || line.starts_with("- ")) {
            self.borders.push(self.list.candidates.len());
        }
        if line.starts_with("```") || line.starts_with("~~~") {
            return self.read_fence();
        }
        let body = unmarked(line);
        if body.is_empty() {
            return;
        }
        if body.chars().all(|c| matches!(c, '-' | '|' | ':' | '=' | ' ' | '+')) {
            if line.starts_with('|') {
                (self.under, self.headed) = (self.above, true);
            }
            return;
        }
        // The rows under a heading need no mark of a list.
        let is_row = self.headed && !self.is_material && !self.fenced && is_pair(body);
        let listed = body.len() < line.len() || is_row;
        if !listed && !self.fenced && std::mem::replace(&mut self.headed, false) {
            self.under = None;
        }
        let heading = line.starts_with('#') || body.ends_with([':', '：']);
        self.section = Section::of(raw, self.section);
        let is_setting = self.section.is_some() && !listed && non_dialogue::is_setting(body);
        if self.fenced || line.starts_with('>') || is_setting || self.is_material {
            self.read_document_line(body);
        } else {
            self.read_dialogue_line(body, listed && !heading);
        }
        self.above = Some(body);
        if heading {
            self.under = Some(heading_clause(body.trim_end_matches([':', '：']), self.stats));
            self.headed = true;
            self.joins_previous = false;
        }
    }

    /// Begins or ends a block of code.
    fn read_fence(&mut self) {
        self.fenced = !self.fenced && !self.is_material;
        self.section = None;
        match self.fenced {
            true => self.block = self.list.candidates.len(),
            false => join_block(self.list.candidates.get_mut(self.block..).unwrap_or_default()),
        }
    }

    fn read_document_line(&mut self, body: &'a str) {
        let (under, sectioned) = match self.section {
            Some(section) if section.name != body => (Some(section.name), true),
            Some(_) | None => (self.under, false),
        };
        let (brief, fenced) = (self.is_brief, self.fenced);
        let context = non_dialogue::DocumentContext { under, sectioned, brief, fenced };
        non_dialogue::read_document_line(self.source, body, context, self.stats, self.list);
        self.joins_previous = false;
    }

    fn read_dialogue_line(&mut self, body: &'a str, item: bool) {
        let count = self.list.candidates.len();
        let (headed, goes_on) = (item && self.headed, self.joins_previous);
        let context =
            dialogue::LineContext { under: self.under, headed, item, joins_previous: goes_on };
        dialogue::read_dialogue_line(self.source, body, context, self.stats, self.list);
        self.joins_previous = item && self.list.candidates.len() > count;
    }

    /// Compares the candidates of the passage with each other.
    fn finish(self) {
        let Self { first, mut borders, is_material, .. } = self;
        drop_headings(&mut self.list.candidates, first);
        let own = self.list.candidates.get_mut(first..).unwrap_or_default();
        count_crowds(own);
        if is_material {
            mark_singular(own);
            let several = own.len() > FEW;
            own.iter_mut().for_each(|candidate| candidate.row = several);
        }
        let asks = request::asks_for_something(self.source);
        own.iter_mut().for_each(|candidate| candidate.serves_answer = asks);
        borders.iter_mut().for_each(|border| *border -= first);
        borders.retain(|border| (1..own.len()).contains(border));
        borders.dedup();
        if is_material && own.len() <= if borders.is_empty() { ROWS } else { RECORDED } {
            join_rows(own, &borders);
        }
    }
}

/// Removes, from an index on, the candidates that are the heading of others and give nothing by themselves.
fn drop_headings(candidates: &mut Vec<Candidate<'_>>, from: usize) {
    let own = candidates.split_off(from.min(candidates.len()));
    let heads: HashSet<&str> = own.iter().filter_map(|it| it.under).collect();
    let is_heading = |it: &Candidate<'_>| heads.iter().any(|head| head.contains(it.text));
    candidates.extend(own.iter().filter(|it| !is_heading(it)).cloned());
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
fn join_block(candidates: &mut [Candidate<'_>]) {
    if candidates.len() <= RECORDED && candidates.iter().all(|it| !it.code) {
        join_rows(candidates, &[]);
    }
}

/// True if a line has nothing but marks, or nothing at all.
fn is_border(line: &str) -> bool {
    !line.contains(char::is_alphanumeric)
}

/// Puts what a short output says in lines side by side: rows of one table tell of each other. A record of
/// several lines between `borders` stays together; without any, each row is one.
fn join_rows(candidates: &mut [Candidate<'_>], borders: &[usize]) {
    let each: Vec<usize> = (1..candidates.len()).collect();
    let borders = if borders.is_empty() { &each } else { borders };
    let mut filled = 0;
    let mut line: Option<(usize, Option<&str>)> = None;
    let mut from = 0;
    for to in borders.iter().copied().chain([candidates.len()]) {
        let record = candidates.get(from..to).unwrap_or_default();
        let length: usize = record.iter().map(|it| it.text.len() + ROW.len()).sum();
        if filled + length > LINE {
            line = None;
        }
        for candidate in candidates.get_mut(from..to).unwrap_or_default() {
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
fn mark_singular(candidates: &mut [Candidate<'_>]) {
    let is_mark = |c: &char| !c.is_alphanumeric() && !c.is_whitespace() && !matches!(c, '-' | '.');
    let made = |it: &Candidate<'_>| {
        let mut marks: Vec<char> = it.text.chars().filter(is_mark).collect();
        marks.dedup();
        marks.into_iter().collect::<String>()
    };
    let mut times: HashMap<String, u32> = HashMap::new();
    for candidate in candidates.iter() {
        *times.entry(made(candidate)).or_default() += 1;
    }
    for candidate in candidates {
        candidate.singular = times.get(&made(candidate)) == Some(&1);
    }
}

/// Counts of each fact of a passage how many of its sort there are. An error is judged among errors: one
/// in a long log stands out.
fn count_crowds(candidates: &mut [Candidate<'_>]) {
    let errors = candidates.iter().filter(|it| it.kind == FactKind::Error).count();
    let others = candidates.len() - errors;
    for candidate in candidates {
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
