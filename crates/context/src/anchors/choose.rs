//! Holding anchors to a budget, and the lines the model reads.

use super::{Anchor, AnchorKind};
use crate::limits::percent;

/// Percent of what was covered that anchors may take.
const SHARE: u32 = 8;
/// Anchors that do not fit in a row before the rest is taken not to fit either.
const MISFITS: u32 = 32;

const FACTS: &str = include_str!("../prompts/anchors.md");
const DEMANDS: &str = include_str!("../prompts/constraints.md");

/// What is carried and what is not.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Chosen {
    /// In the order of their messages.
    pub kept: Vec<Anchor>,
    /// Best first; replaced values last.
    pub left_out: Vec<Anchor>,
}

/// Tokens that anchors may take: 8 % of what was covered, at most a tenth of the threshold.
pub fn budget(covered: u32, threshold: u32) -> u32 {
    percent(covered, SHARE).min(threshold / 10)
}

/// Keeps the best anchors that fit: what [`render`] makes of them counts at most `budget`, if
/// `count` gives a text no more than the sum of its lines.
pub fn choose(anchors: Vec<Anchor>, budget: u32, count: impl Fn(&str) -> u32) -> Chosen {
    let mut chosen = Chosen::default();
    let mut replaced = Vec::new();
    let headings = count(FACTS).saturating_add(count(DEMANDS));
    let mut left = budget.saturating_sub(headings);
    let mut misfits = 0;
    for anchor in anchors {
        if anchor.replaced_by.is_some() {
            replaced.push(anchor);
            continue;
        }
        let cost = if misfits < MISFITS { count(&line(&anchor)) } else { u32::MAX };
        if cost <= left {
            left -= cost;
            misfits = 0;
            chosen.kept.push(anchor);
        } else {
            misfits += 1;
            chosen.left_out.push(anchor);
        }
    }
    chosen.kept.sort_by_key(|anchor| anchor.message);
    chosen.left_out.append(&mut replaced);
    chosen
}

/// The lines carried beside a summary; empty when there are none.
pub fn render(kept: &[Anchor]) -> String {
    let lasting =
        |anchor: &&Anchor| matches!(anchor.kind, AnchorKind::Constraint | AnchorKind::Decision);
    let (demands, facts): (Vec<&Anchor>, Vec<&Anchor>) = kept.iter().partition(lasting);
    let mut text = String::new();
    for (heading, anchors) in [(DEMANDS, demands), (FACTS, facts)] {
        if !anchors.is_empty() {
            text.push_str(heading);
            text.extend(anchors.into_iter().map(line));
        }
    }
    text
}

/// `12 Ports › deploy: 7443 (was 7000)`
fn line(anchor: &Anchor) -> String {
    let under = anchor.under.as_ref().map(|under| format!("{under} › ")).unwrap_or_default();
    let was = anchor.was.as_ref().map(|was| format!(" (was {was})")).unwrap_or_default();
    format!("{} {under}{}{was}\n", anchor.message.0, anchor.text)
}
