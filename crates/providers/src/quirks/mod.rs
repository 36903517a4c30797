//! Differences of single servers from their kind, and the limits that they have stated.

pub(crate) mod quirk;
pub(crate) mod quirk_memory;
