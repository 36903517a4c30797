//! The context engine: assembles what a model sees, and decides what to do as its window fills.
//!
//! Everything here is a function of its arguments: no IO, no clock, no async, no environment. Time and ids
//! are passed in. A function that cannot fail returns no `Result`.
//!
//! Read in this order: [`skein_domain::message`] and [`skein_domain::session`] have the data;
//! [`window::assemble()`] builds the request; [`compaction::gate::decide`] decides what must happen before a
//! call and after a turn.
//!
//! A number such as FR-1.7, D09 or P03 is a requirement of `docs/requirements.md`.

#![deny(missing_docs)]

pub mod compaction;
pub mod cost;
pub mod facts;
mod hash;
pub mod health;
pub mod limits;
pub mod prompts;
pub mod retrieval;
pub mod savings;
pub mod summary;
mod tag_escape;
pub mod tokens;
pub mod window;
