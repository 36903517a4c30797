//! The common parts of all calls of a model: their limits, their budgets, their usage and their costs.

mod budget_file;
pub mod budgets;
pub(crate) mod calls_under_way;
pub mod connection_test;
pub mod costs;
pub(crate) mod prompt_cache_key;
pub(crate) mod reply_ending;
pub(crate) mod reply_limit;
pub(crate) mod side_request;
mod side_stream;
pub(crate) mod usage_recording;
mod usage_report;
