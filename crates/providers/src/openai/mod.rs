//! OpenAI chat completions, and everything compatible with them.

mod provider_state;
mod request;
mod response;

pub(super) use provider_state::SIGNED;
pub(super) use request::Body;
pub(super) use response::Decoder;
