//! Connections to an MCP server: over HTTP, or to a program's standard input and output.

pub(crate) mod client_handler;
pub(crate) mod connection;
pub(crate) mod http_answer;
pub(crate) mod http_client;
pub(crate) mod http_events;
pub(crate) mod message_check;
pub(crate) mod stdout;
