//! Compactions from the outside: the whole program without its window, against a server that answers as
//! it is told. What the provider is sent, byte for byte, and what the person can do about a point.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod concurrent_turns;
mod pieces;
mod pins;
mod points;
mod ranges;
mod requests;
mod scenario;
mod start_and_end;
