//! Calls of models, and properties of a provider that are known before a call.

pub(crate) mod configured_model;
pub(crate) mod connection_test;
mod extra_body;
pub(crate) mod factory;
mod http_call;
