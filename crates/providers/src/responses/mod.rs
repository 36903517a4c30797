//! OpenAI Responses.
//!
//! Nothing is left with the provider (`store: false`), so reasoning travels back and forth
//! encrypted.

mod request;
mod response;

pub(super) use request::Body;
pub(super) use response::Decoder;

/// Marks signatures as ours, so that another provider's are never sent here.
pub(super) const SIGNED: &str = "responses:";
