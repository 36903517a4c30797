//! The store against real files.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod given;
mod points;
mod sessions;
mod tree;
