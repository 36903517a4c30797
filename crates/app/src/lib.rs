//! The services behind the interface: sessions, turns, compactions, models, settings, secrets. They bring
//! the store, the providers, the tools and the engine together.
//!
//! Not here: anything of Tauri.

pub mod app;
pub mod attachments;
mod clock;
pub mod compactor;
pub mod context;
pub mod deep_links;
pub mod events;
pub mod links;
pub mod live;
pub mod maintenance;
pub mod mcp;
pub mod models;
mod notifier;
pub mod providers;
pub mod reminders;
mod reply_limit;
pub mod secrets;
pub mod settings;
pub mod settings_service;
mod shared_state;
pub mod thread_archive;
pub mod tools;
pub mod transfers;
pub mod turn;
pub mod user_prompts;
pub mod view;
