//! How much a compaction keeps: conversations with planted facts, compacted again and again by the
//! real engine and the demo model, and questions about them afterwards.
//!
//! Read in this order: `phrases` and `facts` say what is planted, `conversation` writes, `engine`
//! compacts, `ask` asks, `measure` does all of it for one conversation, `report` adds up. Not here:
//! anything the product uses; none of these words is known to what finds anchors.

pub mod ask;
pub mod baselines;
pub mod conversation;
pub mod dice;
pub mod engine;
pub mod facts;
pub mod filler;
pub mod history;
pub mod measure;
pub mod phrases;
pub mod report;
pub mod score;
pub mod svg;
