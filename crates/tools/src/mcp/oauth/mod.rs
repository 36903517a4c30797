//! Signing in to an MCP server.

mod credential_store;
pub mod oauth_callback;
pub mod oauth_flow;
pub(crate) mod oauth_registration;
pub(crate) mod oauth_sessions;
pub mod oauth_store;
