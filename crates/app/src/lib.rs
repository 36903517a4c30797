//! The services behind the interface: sessions, turns, compactions, models, settings, secrets. They bring
//! the store, the providers, the tools and the engine together.
//!
//! Not here: anything of Tauri.

pub mod app;
pub mod catalog_refresh;
pub mod compactor;
pub mod deep_links;
pub mod events;
mod image_resize;
pub mod live_session;
pub mod reply_builder;
mod reply_limit;
pub mod secrets;
pub mod settings;
pub mod silent_truncation;
pub mod thread_archive;
pub mod transfers;
pub mod turn;
pub mod turn_broadcast;
pub mod view;
