//! OpenAI chat completions, and everything compatible with them.

mod answer;
mod kept;
mod request;

pub(super) use answer::Answer;
pub(super) use kept::SIGNED;
pub(super) use request::Body;
