//! Cuts the clauses of a sentence into facts. Not here: the clauses themselves, and what a fact is.

use super::clause::{Clause, TELLING};
use super::values::topic_stems;

/// Bytes of a clause that leads another, for it to be a fact of its own.
const LEADING: usize = 24;

/// The clauses of a sentence in facts, from one to another. A fact ends with a clause that gives a value;
/// what follows it is of the next, where that says what its value is of. None is longer than `longest`
/// bytes where there is a border to cut at. A condition stays with the clause before it and all behind it,
/// however long: nothing that may hold under a condition alone is told without it.
pub(super) fn pieces(clauses: &[&Clause<'_>], longest: usize) -> Vec<(usize, usize)> {
    let mut pieces: Vec<(usize, usize)> = Vec::new();
    let mut from = 0;
    let condition = clauses.iter().position(|clause| clause.has_condition());
    let is_bound = |at: usize| condition.is_some_and(|condition| at + 1 >= condition);
    for (at, clause) in clauses.iter().enumerate() {
        let next = clauses.get(at + 1);
        if next.is_some() && is_bound(at) {
            continue;
        }
        let own = clauses.get(from..=at).unwrap_or_default();
        let leads = next.is_some_and(|next| next.stands_alone() || names_again(own, next));
        let ends = clause.gives() || next.is_none() || leads;
        let length = |first: usize| clauses.get(first).map_or(0, |it| clause.end - it.start);
        if !ends && length(from) <= longest {
            continue;
        }
        let content: usize = own.iter().map(|clause| clause.content).sum();
        let short = content < TELLING || length(from) < LEADING;
        if leads && !clause.gives() && short && length(from) <= longest {
            continue;
        }
        let gives = own.iter().any(|clause| clause.gives());
        let tells = gives && own.iter().any(|clause| clause.names_something()) || leads;
        match pieces.last_mut() {
            Some(last) if !tells && length(last.0) <= longest => last.1 = at,
            Some(_) | None => pieces.push((from, at)),
        }
        from = at + 1;
    }
    pieces
}

/// True if a clause gives a value and begins with the same word as those before it: it names its thing itself
/// ("gurnard was moved, gurnard answers on port 23").
fn names_again(before: &[&Clause<'_>], clause: &Clause<'_>) -> bool {
    let name = |clause: &Clause<'_>| topic_stems(&clause.words, &[]).first().copied();
    let own = name(clause);
    clause.gives() && own.is_some() && before.first().and_then(|it| name(it)) == own
}
