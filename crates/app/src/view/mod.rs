//! The data that the UI shows: the types that commands return.
//!
//! A view is computed and never stored. Domain types are returned as they are; a type is here only if the UI
//! needs several values of the same moment. Not here: texts (`ui/src/i18n`).

mod budgets;
mod compaction;
mod context;
mod conversation;
mod data;
mod providers;
mod settings;
mod side_question;
mod updates;

pub use budgets::*;
pub use compaction::*;
pub use context::*;
pub use conversation::*;
pub use data::*;
pub use providers::*;
pub use settings::*;
pub use side_question::*;
pub use updates::*;
