//! Threads that end and begin, in the whole program but its window: a real store, real settings, and a
//! model that says what it is told to.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod allowing;
mod another_model;
mod archive;
mod asking;
mod attachments;
mod branches;
mod budgets;
mod cache_misses;
mod changing_prefix;
mod choosing;
mod clearing;
mod closing;
mod cost_estimates;
mod crash;
mod cut_turns;
mod deferred_tools;
mod demo;
mod earlier_requests;
mod encrypted_compactions;
mod endings;
mod facts;
mod forking;
mod global_instructions;
mod large_pictures;
mod left_out;
mod loops;
mod naming;
mod pictures;
mod provider_compactions;
mod reminding;
mod scenario;
mod search;
mod sending;
mod servers;
mod session_states;
mod side_questions;
mod summaries;
mod superseded_reads;
mod thinking;
mod unstored;
mod waiting;
mod waits;
