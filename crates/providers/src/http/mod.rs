//! The transport: addresses, keys, timeouts, and one request to a server.

pub(crate) mod api_key;
pub(crate) mod base_url;
pub(crate) mod endpoint;
pub(crate) mod timeouts;
