//! Acts: stores, talks to providers, runs tools. Knows nothing of Tauri.
//!
//! The rooms `store`, `providers`, `tools`, `settings` and `secrets` never reach one another, by whatever
//! way; only `live`, `turn`, `compact` and `app` bring them together, and none of the rooms knows these.

mod apart;
pub mod app;
pub mod archive;
pub mod attach;
pub mod catalog_refresh;
pub mod compact;
pub mod documents;
mod encoding;
pub mod error;
pub mod events;
pub mod file_permissions;
pub mod files;
mod json_repair;
pub mod links;
pub mod live;
pub mod memory;
pub mod net;
pub mod places;
pub mod prompts;
pub mod provider_config;
pub mod providers;
mod redactor;
mod reduced;
pub mod reply;
mod reply_limit;
pub mod secrets;
pub mod settings;
pub mod shown;
pub mod silent;
pub mod skills;
pub mod stage;
pub mod steps;
pub mod store;
pub mod tools;
pub mod transfer;
pub mod turn;
pub mod unmentioned;
pub mod view;
