//! The engine against its requirements: a test that proves a number of the rulings names it, one
//! that proves a law of the design begins with `law_`.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod due;
mod fixture;

mod batches;
mod breakdown;
mod cleaning;
mod compaction;
mod conversations;
mod deferred_tools;
mod encrypted_summaries;
mod gate;
mod health;
mod laws;
mod left_out;
mod limits;
mod linear;
mod pictures;
mod points;
mod provider_compaction;
mod ranges;
mod remediation;
mod savings;
mod summary;
mod superseded_reads;
mod usage;
mod window;
