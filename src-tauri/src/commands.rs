//! What each command does: a few lines that hand the question to the runtime.

pub mod about;
pub mod attachments;
pub mod closing;
pub mod compactions;
pub mod context;
pub mod links;
pub mod maintenance;
pub mod mcp;
pub mod messages;
pub mod providers;
pub mod reminders;
pub mod sessions;
pub mod settings;
pub mod startup;
pub mod threads;
pub mod tools;
pub mod transfers;
pub mod turns;

use std::sync::Arc;

use skein_app::app::App;
use tauri::State;

pub use skein_domain::error::Result;

/// The running program.
pub type AppState<'a> = State<'a, Arc<App>>;
