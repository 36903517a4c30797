//! Bad files and bad disks, from the store up to what the app says of them.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod faults;
#[allow(dead_code, reason = "the tests of the store use the rest of it")]
#[path = "../../../store/tests/store/scenario.rs"]
mod scenario;
#[path = "../../../store/tests/store/subprocess.rs"]
mod subprocess;
