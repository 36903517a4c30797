//! What a compaction keeps: conversations made of sets of facts, compacted by the program itself, and the
//! requests it sends afterwards, read line by line. No model answers anything.
//!
//! Read in this order: `set` is what is given, `conversation` spreads it, `program` compacts it, `score`
//! judges a request, `measure` does it all for one conversation, `report` adds up and prints.

pub mod conversation;
pub mod measure;
pub mod program;
pub mod report;
pub mod score;
pub mod set;
pub mod summariser;
pub mod text;
