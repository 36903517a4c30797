//! Holding facts to a room, and the lines the model reads.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

use skein_domain::ids::MessageId;

use super::fact::{Author, Fact, FactKind};
use crate::limits::percent_of;
use crate::tag_escape::is_line_end;

/// Percent of what was covered that facts may take.
const SHARE: u32 = 8;
/// Percent of what was covered that summary and facts may take together, where the summary leaves room.
const TOGETHER: u32 = 10;
/// The same where little was covered, in tenths of a percent: what was said exactly is a larger part of that.
const TOGETHER_SHORT: u32 = 151;
/// Tokens up to which that holds.
const SHORT: u32 = 1_291;
/// Lines that do not fit in a row before only shorter ones than all of those are tried.
const MISFITS: u32 = 32;

/// Lines of a message that may be written in one: counting one again for each of its facts stays cheap.
const SHARING: u32 = 32;
/// The mark between facts of a line that are no neighbours in it.
const APART: &str = "; ";

const FACTS: &str = include_str!("../prompts/facts.md");
const DEMANDS: &str = include_str!("../prompts/constraints.md");

/// The facts that are carried, and those that are not.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FactSelection {
    /// The newest message first, each in its order.
    pub kept: Vec<Fact>,
    /// Best first.
    pub left_out: Vec<Fact>,
}

/// Tokens that facts may take: 8 % of what was covered, at most a tenth of the threshold.
pub fn facts_room(covered: u32, threshold: u32) -> u32 {
    percent_of(covered, SHARE).min(threshold / 10)
}

/// Tokens that summary and facts may take together: 10 % of the covered tokens, 15.1 % of a
/// short conversation. Facts may use what a short summary leaves of it.
pub fn summary_and_facts_room(covered: u32) -> u32 {
    percent_of(covered, TOGETHER).max((percent_of(covered, TOGETHER_SHORT) / 10).min(SHORT))
}

/// Tokens that facts may take beside a summary of so many: [`room`], or what a thin summary left.
pub fn facts_room_beside(summary: u32, covered: u32, threshold: u32) -> u32 {
    let left = summary_and_facts_room(covered).saturating_sub(summary).min(threshold / 8);
    facts_room(covered, threshold).max(left)
}

/// Keeps the best facts that fit: what [`render`] makes of them counts at most `room`, if `count` gives a
/// text no more than the sum of its lines. A line may lose some of its facts; what was demanded or decided
/// is carried whole: half of a sentence may say the opposite. Filler comes last, and only where all that the
/// user said is carried.
pub fn fit_into_room(facts: Vec<Fact>, room: u32, count: impl Fn(&str) -> u32) -> FactSelection {
    let mut left = room;
    let mut headings: Vec<&str> = Vec::new();
    // Known when the first filler comes: all that the user said is before it.
    let mut lacks_room: Option<bool> = None;
    let mut misfits = 0;
    let mut shortest_misfit = usize::MAX;
    let lasting = lasting(&facts);
    let mut lines: HashMap<LineKey, (Vec<Fact>, u32)> = HashMap::new();
    let mut chosen = FactSelection::default();
    for group in groups(facts) {
        let Some(first) = group.first() else { continue };
        let is_users = |fact: &Fact| fact.author == Author::User;
        if first.filler && *lacks_room.get_or_insert_with(|| chosen.left_out.iter().any(is_users)) {
            chosen.left_out.extend(group);
            continue;
        }
        let length: usize = group.iter().map(|fact| fact.text.len()).sum();
        if misfits >= MISFITS && length >= shortest_misfit {
            chosen.left_out.extend(group);
            continue;
        }
        let key = LineKey::of(first, &lasting);
        let heading = if key.lasts { DEMANDS } else { FACTS };
        let opening = if headings.contains(&heading) { 0 } else { count(heading) };
        let (kept, cost) = lines.entry(key).or_default();
        let mut with: Vec<Fact> = kept.iter().chain(&group).cloned().collect();
        with.sort_by_key(|fact| fact.place);
        let needed = count(&line(with.iter()));
        match needed.saturating_sub(*cost).saturating_add(opening) {
            more if more <= left => {
                (*kept, *cost, left, misfits) = (with, needed, left - more, 0);
                if opening > 0 {
                    headings.push(heading);
                }
            }
            _ => {
                misfits += 1;
                shortest_misfit = shortest_misfit.min(length);
                chosen.left_out.extend(group);
            }
        }
    }
    chosen.kept = lines.into_values().flat_map(|(kept, _)| kept).collect();
    chosen.kept.sort_by_key(|fact| (Reverse(fact.message), fact.line, fact.place));
    chosen
}

/// The facts that are carried together or not at all, each group where its best fact stands. Behind them come
/// those of lines that hold nothing but replaced values, and filler last.
fn groups(facts: Vec<Fact>) -> Vec<Vec<Fact>> {
    let whole = lasting(&facts);
    let holding = facts.iter().filter(|fact| fact.replaced_by.is_none()).map(|fact| fact.line);
    let holding: HashSet<u32> = holding.collect();
    let mut places: HashMap<u32, usize> = HashMap::new();
    let mut groups: Vec<Vec<Fact>> = Vec::new();
    for fact in facts {
        let known = places.get(&fact.line).filter(|_| whole.contains(&fact.line)).copied();
        match known.and_then(|at| groups.get_mut(at)) {
            Some(group) => group.push(fact),
            None => {
                places.insert(fact.line, groups.len());
                groups.push(vec![fact]);
            }
        }
    }
    let is_replaced = |group: &[Fact]| group.iter().all(|fact| !holding.contains(&fact.line));
    groups.sort_by_key(|group| (group.iter().all(|fact| fact.filler), is_replaced(group)));
    groups
}

/// The numbers of the lines in which something was demanded or decided.
fn lasting(facts: &[Fact]) -> HashSet<u32> {
    facts.iter().filter(|it| lasts(it)).map(|it| it.line).collect()
}

/// The properties that the facts of one line share. Facts that somebody says in a message under one
/// heading share a line, so that the number and the heading stand once; an output keeps its rows apart.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct LineKey {
    message: MessageId,
    author: Author,
    lasts: bool,
    under: Option<String>,
    /// Of an output its line, else one number for [`SHARING`] lines.
    row: u32,
}

impl LineKey {
    fn of(fact: &Fact, lasting: &HashSet<u32>) -> Self {
        let sharing = if fact.author == Author::Material { 1 } else { SHARING };
        Self {
            message: fact.message,
            author: fact.author,
            lasts: lasting.contains(&fact.line),
            under: fact.under.clone(),
            row: fact.line / sharing,
        }
    }
}

/// True if it was demanded or decided.
fn lasts(fact: &Fact) -> bool {
    matches!(fact.kind, FactKind::Constraint | FactKind::Decision)
}

/// The lines carried beside a summary, the newest first; empty when there are none.
pub fn render(kept: &[Fact]) -> String {
    let lasting = lasting(kept);
    let mut places: HashMap<LineKey, usize> = HashMap::new();
    let mut lines: Vec<(bool, Vec<&Fact>)> = Vec::new();
    for fact in kept {
        let key = LineKey::of(fact, &lasting);
        let lasts = key.lasts;
        let place = *places.entry(key).or_insert(lines.len());
        match lines.get_mut(place) {
            Some((_, facts)) => facts.push(fact),
            None => lines.push((lasts, vec![fact])),
        }
    }
    let mut text = String::new();
    for (heading, lasts) in [(DEMANDS, true), (FACTS, false)] {
        let mut lines = lines.iter().filter(|(of, _)| *of == lasts).peekable();
        if lines.peek().is_some() {
            text.push_str(heading);
            text.extend(lines.map(|(_, facts)| line(facts.iter().copied())));
        }
    }
    text
}

/// The lines of a text that is read from top to bottom: the oldest first, so that what comes later holds, and
/// without what was replaced.
pub fn lines_to_read(kept: &[Fact]) -> Vec<String> {
    let holds = |line: &&[Fact]| line.iter().all(|fact| fact.replaced_by.is_none());
    let lines = kept.chunk_by(|a, b| a.line == b.line).filter(holds).rev();
    let words = |line: &[Fact]| {
        let line = self::line(line.iter());
        let (_, words) = line.split_once(' ').unwrap_or_default();
        format!("- {}", words.trim_end())
    };
    lines.map(words).collect()
}

/// The text of a fact as its line shows it. The columns of an output stand one space apart: the spaces that
/// align them cost room and say nothing. A text with a mark that may open a quotation keeps its own.
fn shown_text(fact: &Fact) -> Cow<'_, str> {
    const QUOTES: [char; 3] = ['"', '\'', '`'];
    let is_aligned = fact.text.contains("  ") || fact.text.contains('\t');
    if fact.author != Author::Material || !is_aligned || fact.text.contains(QUOTES) {
        return Cow::Borrowed(&fact.text);
    }
    Cow::Owned(fact.text.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// `12 Ports › deploy: 7443 (was 7000); test: 7444 (replaced in 31)`
fn line<'f>(facts: impl Iterator<Item = &'f Fact>) -> String {
    let mut text = String::new();
    let mut before: Option<&Fact> = None;
    for fact in facts {
        match before {
            None => {
                let under = fact.under.iter().map(|under| format!("{under} › "));
                text.push_str(&format!("{} {}", fact.message.0, under.collect::<String>()));
            }
            Some(last) if last.line == fact.line && last.place + 1 == fact.place => {
                text.push_str(&fact.joint);
            }
            Some(_) => text.push_str(APART),
        }
        before = Some(fact);
        text.push_str(&shown_text(fact));
        if let Some(was) = &fact.was {
            text.push_str(&format!(" (was {was})"));
        }
        if let Some(newer) = fact.replaced_by {
            text.push_str(&format!(" (replaced in {})", newer.0));
        }
    }
    // No line in a document begins as another fact does.
    text.replace(is_line_end, " ") + "\n"
}
