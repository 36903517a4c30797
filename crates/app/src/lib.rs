//! The services behind the interface: sessions, turns, compactions, models, settings, secrets. They bring
//! the store, the providers, the tools and the engine together.
//!
//! Not here: anything of Tauri.

pub mod app;
pub mod attachments;
pub mod catalog_refresh;
mod clock;
pub mod compactor;
pub mod deep_links;
pub mod events;
pub mod links;
pub mod live;
mod notifier;
pub mod reminders;
mod reply_limit;
pub mod secrets;
pub mod settings;
mod shared_state;
pub mod silent_truncation;
pub mod thread_archive;
pub mod transfers;
pub mod turn;
pub mod user_prompts;
pub mod view;
