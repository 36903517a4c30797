//! Errors of servers: their meaning, and how a call recovers from them.

pub(crate) mod account_limit;
pub(crate) mod call_error;
pub(crate) mod classify;
pub(crate) mod error_message;
mod error_reason;
mod output_limit;
pub mod overflow;
pub(crate) mod retry;
#[cfg(test)]
mod tests;
