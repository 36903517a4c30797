//! Collects and counts the context of a call, and reports on it to the UI.
//!
//! Not here: any decision (`skein-context`), or what follows from one (`turn`, `compaction`).

mod cache_lifetime;
mod cache_report;
pub(crate) mod context_card;
pub(crate) mod context_reports;
mod facts;
pub(crate) mod gate;
pub(crate) mod loaded_thread;
pub(crate) mod next_message_cost;
mod passages;
mod prefix_cache;
pub(crate) mod prefixes;
mod session_states;
mod strategies;
mod system_prompt;
pub(crate) mod thread_cache;
pub(crate) mod turn_context;
pub(crate) mod turn_contexts;
