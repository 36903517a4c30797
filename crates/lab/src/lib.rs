//! What the programs in `src/bin` share. They are run by `cargo xtask <name>`.
//!
//! Not here: anything the product itself needs, and anything that draws a window.

pub mod memory;
pub mod random;
