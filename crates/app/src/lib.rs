//! The services behind the interface: sessions, turns, compactions, models, settings, secrets. They bring
//! the store, the providers, the tools and the engine together.
//!
//! Not here: anything of Tauri.

pub mod app;
pub mod archive;
pub mod catalog_refresh;
pub mod compact;
pub mod events;
pub mod links;
pub mod live;
mod reduced;
pub mod reply;
mod reply_limit;
pub mod secrets;
pub mod settings;
pub mod silent;
pub mod stage;
pub mod transfers;
pub mod turn;
pub mod view;
