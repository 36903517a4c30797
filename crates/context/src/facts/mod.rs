//! Facts that a summary must not lose, found in the originals without a model: paths, links, identifiers,
//! numbers, versions, dates, errors, names, and the user's decisions and demands.
//!
//! Everything kept is a slice of a message, word for word and whole, so nothing can be invented; and it is
//! taken from the originals at every compaction, so nothing decays. Three things make a fact: the shape of
//! its values (`words/word_shape`), its identity (`clause`: every word that may be a name, a number or an
//! identifier, but the value given), and evidence that a newer value took the place of an older one
//! (`supersede`). Deliberately not here: a model, stored state, a dictionary of names, and any reading of
//! orders in what tools, files or models said: only the user's own words become decisions and demands.
//!
//! [`extract`] finds and ranks, [`facts_not_in`] leaves out what a summary says itself, [`fit_into_room`]
//! keeps what fits, [`render`] writes the lines.
//!
//! Each module uses those above it in this list alone: `fact`, `words`, `values`, `attribute`, `clause`,
//! `pieces`, `parallel`, `candidate`, `filler`, the readers (`request`, `dialogue`, `non_dialogue`,
//! `passage`), `rank` and `supersede`, then `extract`, and on top `missing_from_summary` and `room`.

mod attribute;
mod candidate;
mod clause;
mod dialogue;
mod extract;
mod fact;
mod filler;
mod missing_from_summary;
mod non_dialogue;
mod parallel;
mod passage;
mod pieces;
mod rank;
mod request;
mod room;
mod supersede;
mod values;
mod words;

pub use extract::{extract, extract_features};
pub(crate) use fact::contains_whole;
pub use fact::{Author, Fact, FactKind, FactSource, sources};
pub use missing_from_summary::facts_not_in;
pub use rank::feature_names;
pub use room::{
    FactSelection, facts_room, facts_room_beside, fit_into_room, lines_to_read, render,
    summary_and_facts_room,
};
pub(crate) use values::stems;

/// The rules by which facts are found, as a number: facts stored by older ones are found anew.
pub const RULES: u32 = 11;

#[cfg(test)]
mod tests;
