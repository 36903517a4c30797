//! Measures the facts that survive compaction: conversations are built from fact sets and compacted
//! by the program itself, and the following requests are scored line by line. No real model is
//! involved.
//!
//! Reading order: `set` parses a fact set, `conversation` spreads it, `program` compacts it,
//! `score` scores a request, `measure` does all of it for one conversation, `report` sums up and prints.

pub mod conversation;
pub mod measure;
pub mod program;
pub mod report;
pub mod score;
pub mod set;
pub mod summariser;
pub mod text;
