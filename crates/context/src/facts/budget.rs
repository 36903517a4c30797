//! Holding facts to a budget, and the lines the model reads.

use std::cmp::Reverse;

use super::{Fact, FactKind};
use crate::limits::percent_of;
use crate::tag_escape::is_line_end;

/// Percent of what was covered that facts may take.
const SHARE: u32 = 8;
/// Percent of what was covered that summary and facts may take together, where the summary leaves room.
const TOGETHER: u32 = 10;
/// The same where little was covered: what was said exactly is a larger part of that.
const TOGETHER_SHORT: u32 = 16;
/// Tokens up to which that holds.
const SHORT: u32 = 1_350;
/// Lines that do not fit in a row before the rest is taken not to fit either.
const MISFITS: u32 = 32;

const FACTS: &str = include_str!("../prompts/facts.md");
const DEMANDS: &str = include_str!("../prompts/constraints.md");

/// What is carried and what is not.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FactSelection {
    /// The newest message first, each in its order.
    pub kept: Vec<Fact>,
    /// Best first.
    pub left_out: Vec<Fact>,
}

/// Tokens that facts may take: 8 % of what was covered, at most a tenth of the threshold.
pub fn facts_budget(covered: u32, threshold: u32) -> u32 {
    percent_of(covered, SHARE).min(threshold / 10)
}

/// Tokens that summary and facts may take together: 10 % of the covered tokens, 16 % of a short
/// conversation. Facts may use what a short summary leaves of it.
pub fn summary_and_facts_budget(covered: u32) -> u32 {
    percent_of(covered, TOGETHER).max(percent_of(covered, TOGETHER_SHORT).min(SHORT))
}

/// Tokens that facts may take beside a summary of so many: [`budget`], or what a thin summary left.
pub fn facts_budget_beside(summary: u32, covered: u32, threshold: u32) -> u32 {
    let left = summary_and_facts_budget(covered).saturating_sub(summary).min(threshold / 8);
    facts_budget(covered, threshold).max(left)
}

/// Keeps the best lines that fit: what [`render`] makes of them counts at most `budget`, if `count` gives a
/// text no more than the sum of its lines. Of a line that does not fit its first facts are kept.
pub fn fit_budget(facts: Vec<Fact>, budget: u32, count: impl Fn(&str) -> u32) -> FactSelection {
    let headings = count(FACTS).saturating_add(count(DEMANDS));
    let mut left = budget.saturating_sub(headings);
    let mut misfits = 0;
    let mut chosen = FactSelection::default();
    for group in lines(facts) {
        if misfits == MISFITS {
            chosen.left_out.extend(group);
            continue;
        }
        let (kept, cost) = beginning(&group, left, &count);
        misfits = if kept > 0 { 0 } else { misfits + 1 };
        left = left.saturating_sub(cost);
        let mut group = group.into_iter();
        chosen.kept.extend(group.by_ref().take(kept));
        chosen.left_out.extend(group);
    }
    chosen.kept.sort_by_key(|fact| (Reverse(fact.message), fact.line));
    chosen
}

/// How many facts of a line fit, from its first, and what they cost. What was demanded or decided is carried
/// whole: half of a sentence may say the opposite.
fn beginning(line: &[Fact], left: u32, count: impl Fn(&str) -> u32) -> (usize, u32) {
    let least = if line.iter().any(lasts) { line.len() } else { 1 };
    let fits = |facts: usize| {
        let cost = count(&self::line(line.get(..facts).unwrap_or(line)));
        (cost <= left).then_some((facts, cost))
    };
    (least..=line.len()).rev().find_map(fits).unwrap_or((0, 0))
}

/// Whether it was demanded or decided.
fn lasts(fact: &Fact) -> bool {
    matches!(fact.kind, FactKind::Constraint | FactKind::Decision)
}

/// The lines of facts, each where its best fact stands; those that hold nothing but replaced values last.
fn lines(facts: Vec<Fact>) -> Vec<Vec<Fact>> {
    let mut places: std::collections::HashMap<u32, usize> = std::collections::HashMap::new();
    let mut lines: Vec<Vec<Fact>> = Vec::new();
    for fact in facts {
        let place = *places.entry(fact.line).or_insert(lines.len());
        match lines.get_mut(place) {
            Some(line) => line.push(fact),
            None => lines.push(vec![fact]),
        }
    }
    lines.iter_mut().for_each(|line| line.sort_by_key(|fact| fact.place));
    lines.sort_by_key(|line| line.iter().all(|fact| fact.replaced_by.is_some()));
    lines
}

/// The lines carried beside a summary, the newest first; empty when there are none.
pub fn render(kept: &[Fact]) -> String {
    let lines: Vec<&[Fact]> = kept.chunk_by(|a, b| a.line == b.line).collect();
    let (demands, facts): (Vec<&[Fact]>, Vec<&[Fact]>) =
        lines.into_iter().partition(|line| line.iter().any(lasts));
    let mut text = String::new();
    for (heading, lines) in [(DEMANDS, demands), (FACTS, facts)] {
        if !lines.is_empty() {
            text.push_str(heading);
            text.extend(lines.into_iter().map(line));
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
        let line = self::line(line);
        let (_, words) = line.split_once(' ').unwrap_or_default();
        format!("- {}", words.trim_end())
    };
    lines.map(words).collect()
}

/// `12 Ports › deploy: 7443 (was 7000); test: 7444 (replaced in 31)`
fn line(facts: &[Fact]) -> String {
    let Some(first) = facts.first() else { return String::new() };
    let mut text = first.message.0.to_string();
    text.push(' ');
    if let Some(under) = &first.under {
        text.push_str(under);
        text.push_str(" › ");
    }
    for fact in facts {
        text.push_str(&fact.joint);
        text.push_str(&fact.text);
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
