//! What the window shows, as data: the shapes that commands answer with.
//!
//! Derived for showing, never stored. Domain types travel as they are; a shape is here only where
//! the window needs several things at one moment. Not here: words (`ui/src/i18n`).

mod compaction;
mod context;
mod conversation;
mod data;
mod providers;
mod settings;

pub use compaction::*;
pub use context::*;
pub use conversation::*;
pub use data::*;
pub use providers::*;
pub use settings::*;
