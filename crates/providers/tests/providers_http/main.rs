//! Providers against a scripted server.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, clippy::string_slice)]

mod hosts;
mod keys;
mod model_lists;
mod quirks;
mod reasoning;
mod reply_length;
mod requests;
mod retries;
mod scenario;
mod timeouts;
