//! The commands of [`crate::ipc::contract`], each a few lines that call a service of `app`.

pub mod about;
pub mod announcer;
pub mod attachments;
pub mod closing;
pub mod conversation;
pub mod desktop;
pub mod failed_start;
pub mod links;
pub mod maintenance;
pub mod mcp;
pub mod providers;
pub mod reminders;
pub mod settings;
pub mod tools;
pub mod transfers;
pub mod updates;
pub mod usage;

use std::sync::Arc;

use skein_app::app::App;
use tauri::State;

pub use skein_domain::error::Result;

/// The running program.
pub type AppState<'a> = State<'a, Arc<App>>;
