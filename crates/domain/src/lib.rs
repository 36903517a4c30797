//! Plain data that every layer shares: ids, messages, sessions, usage, errors' kinds. It is what is
//! stored, what is on the wire to the UI, and what exports hold.
//!
//! Not here: rules about it (`skein-context`), and anything that reads or writes.

#![deny(missing_docs)]

pub mod billing;
pub mod compaction_point;
pub mod conversation;
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

pub use billing::{cost, money, price};
pub use message::{draft, finish_reason};
