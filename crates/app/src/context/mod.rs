//! What a call is made of, gathered and counted.

mod prefix_cache;
pub(crate) mod prefixes;
