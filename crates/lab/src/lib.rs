//! Shared code of the programs in `src/bin`, which `cargo xtask <name>` runs.
//!
//! Not here: code that the product needs, and anything that opens a window.

pub mod memory;
pub mod random;
