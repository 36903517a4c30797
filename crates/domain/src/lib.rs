//! Plain data that all layers share: ids, messages, sessions, usage, kinds of errors. These types are stored,
//! sent to the UI, and exported.
//!
//! Not here: rules about the data (`skein-context`), and reading or writing it.

#![deny(missing_docs)]

pub mod billing;
pub mod cache_miss;
pub mod compaction_point;
pub mod conversation;
pub mod encrypted_summary;
pub mod error;
pub mod generation;
pub mod health;
pub mod ids;
pub mod message;
pub mod model;
pub mod provider_config;
pub mod reminder;
pub mod session;
pub mod strategy;
pub mod tool_declaration;
pub mod usage;

pub use billing::{budget, cost, money, price};
pub use message::{draft, finish_reason};
