//! What every call of a model has in common: its limits, its usage, and what both teach.

pub mod costs;
pub(crate) mod prompt_cache_key;
pub(crate) mod reply_ending;
pub(crate) mod reply_limit;
pub(crate) mod side_request;
pub(crate) mod usage_recording;
mod usage_report;
