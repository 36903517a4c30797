//! The services behind the UI: sessions, turns, compactions, models, settings, secrets. They combine the
//! store, the providers, the tools and the engine.
//!
//! Not here: anything of Tauri.

pub mod app;
mod attachments;
mod background;
mod clock;
mod compaction;
mod context;
pub mod deep_links;
pub mod events;
mod links;
mod live;
pub mod maintenance;
mod mcp;
mod messages;
mod model_calls;
pub mod models;
mod notifier;
mod providers;
mod reminders;
pub mod secrets;
mod sessions;
pub mod settings;
mod settings_service;
mod shared_state;
mod side_questions;
pub mod tasks;
mod threads;
mod tools;
pub mod transfers;
pub mod turn;
pub mod updates;
mod user_prompts;
pub mod view;
mod wiring;
