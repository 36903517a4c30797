//! Talking to real MCP servers from their registries, and to one that does what servers have been
//! seen to do. See `tests/mcp/README.md` for how they come to be there.
//!
//! Servers from registries need Node or Python. All other tests run on every system.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

#[path = "../../../tools/tests/tools_support/mod.rs"]
mod tools_support;

mod calls;
mod consent;
mod environment;
mod http_servers;
mod known_servers;
mod scripted_mcp;
mod secrets;
mod starts;
mod test_servers;
