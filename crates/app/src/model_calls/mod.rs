//! What every call of a model has in common: its limits, its usage, and what both teach.

pub(crate) mod reply_ending;
pub(crate) mod reply_limit;
pub(crate) mod side_request;
pub(crate) mod usage_recording;
