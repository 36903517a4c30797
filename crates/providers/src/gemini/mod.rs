//! Google's Gemini API.

mod answer;
mod request;

pub(super) use answer::Answer;
pub(super) use request::Body;

/// Marks signatures as ours, so that another provider's are never sent here.
pub(super) const SIGNED: &str = "gemini:";
