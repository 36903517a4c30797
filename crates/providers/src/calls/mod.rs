//! A call from its request to its end, and what is known of one before it is made.

pub(crate) mod configured_model;
pub(crate) mod connection_test;
mod extra_body;
pub(crate) mod factory;
mod http_call;
