//! How much a compaction keeps: conversations with planted facts, compacted again and again by the
//! real engine and the demo model, and questions about them afterwards.

pub mod conversation;
pub mod dice;
pub mod facts;
pub mod filler;
pub mod phrases;
