//! What a model sees, and what to do as its window fills.
//!
//! Everything here is a function of its arguments: no IO, no clock, no async, no environment. Time
//! and ids are passed in. What cannot fail returns no `Result`.
//!
//! Read in this order: [`message`] and [`session`] are the nouns; [`window::assemble`] builds what
//! the model will see; [`gate::decide`] answers the one question asked before every call and after
//! every turn.
//!
//! A number such as FR-1.7, D09 or P03 is a requirement: `docs/requirements.md` says of what.

#![deny(missing_docs)]

pub mod breakdown;
pub mod catalog;
pub mod compaction;
pub mod cost;
pub mod facts;
pub mod forecast;
pub mod gate;
pub mod handoff;
mod hash;
pub mod health;
pub mod limits;
pub mod message_tokens;
pub mod policy;
pub mod prompts;
pub mod remediation;
pub mod retrieval;
pub mod rounds;
pub mod summary;
mod tag_escape;
pub mod tokens;
pub mod usage;
pub mod window;
