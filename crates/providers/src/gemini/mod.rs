//! Google's Gemini API.

mod request;
mod response;

pub(super) use request::Body;
pub(super) use response::Decoder;

/// Marks signatures as ours, so that another provider's are never sent here.
pub(super) const SIGNED: &str = "gemini:";
