//! What a server wants otherwise than its kind, and how much it lets through.

pub(crate) mod quirk;
pub(crate) mod quirk_memory;
