//! What each command does: a few lines that hand the question to the runtime.

pub mod about;
pub mod attachments;
pub mod closing;
pub mod compaction;
pub mod context;
pub mod conversation;
pub mod data;
pub mod links;
pub mod message;
pub mod providers;
pub mod reminders;
pub mod settings;
pub mod start;
pub mod tools;
pub mod turn;

use std::sync::Arc;

use skein_app::app::App;
use tauri::State;

pub use skein_domain::error::Result;

/// The running program.
pub type Host<'a> = State<'a, Arc<App>>;
