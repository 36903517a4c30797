//! The store against real files.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod automatic;
mod changed_since;
mod crash;
mod encrypted_summaries;
mod hostile_files;
mod learned;
mod ledger;
mod period_spending;
mod points;
mod quarantine;
mod ranges;
mod requests;
mod scenario;
mod search;
mod sessions;
mod subprocess;
mod tree;
