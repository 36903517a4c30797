//! Talking to real MCP servers from their registries, and to one that does what servers have been
//! seen to do. See `tests/mcp/README.md` for how they come to be there.
//!
//! The servers are programs of Python and Node that are started as Unix starts them. Tests that need none of
//! them run on every system.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

#[path = "../../../tools/tests/tools_support/mod.rs"]
mod tools_support;

mod calls;
mod consent;
mod environment;
mod http_servers;
mod known_servers;
mod secrets;
mod starts;
mod test_servers;
