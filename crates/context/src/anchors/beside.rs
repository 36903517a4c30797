//! What is worth carrying beside a summary: the facts that it does not say itself.
//!
//! Chosen after the summary is written, and again when the person edits it, or leaves out or takes in
//! something that it covers: what the words leave out is found in the originals anew, so that nothing is
//! lost by trusting them.

use std::collections::HashSet;

use super::collect::Found;
use super::{Anchor, AnchorSource, listed, settled};

/// All anchors of the passages that `summary` does not say word for word, best first. Anchors that
/// correct something the summary says come before all others: the older value alone would mislead.
///
/// Where two values were given for a fact, both stay even if the summary has one of them: only the
/// numbers of their messages tell which came later.
pub fn beside(messages: &[AnchorSource<'_>], summary: &str) -> Vec<Anchor> {
    let mut found = settled(messages);
    for at in corrections(&found, summary) {
        if let Some(newer) = found.get_mut(at) {
            newer.weight = u32::MAX;
        }
    }
    let earlier: HashSet<usize> = found.iter().filter_map(|anchor| anchor.earlier).collect();
    let disputed =
        |at: usize, anchor: &Found<'_>| anchor.earlier.is_some() || earlier.contains(&at);
    let judged = found
        .into_iter()
        .enumerate()
        .map(|(at, anchor)| (disputed(at, &anchor), anchor.into_anchor()));
    let unsaid = judged.filter(|(disputed, anchor)| *disputed || !anchor.is_said_in(summary));
    listed(unsaid.map(|(_, anchor)| anchor))
}

/// Those whose earlier value stands in the summary, while they do not.
fn corrections(found: &[Found<'_>], summary: &str) -> Vec<usize> {
    let corrects = |newer: &Found<'_>| {
        let older = newer.earlier.and_then(|at| found.get(at));
        older.is_some_and(|older| summary.contains(older.text)) && !summary.contains(newer.text)
    };
    let newer = found.iter().enumerate().filter(|(_, anchor)| corrects(anchor));
    newer.map(|(at, _)| at).collect()
}
