//! Ollama's own API.
//!
//! Its imitation of OpenAI's cannot be told the window, and cuts off the front of what does not
//! fit without a word; here `num_ctx` is always said.

mod request;
mod response;

pub(super) use request::Body;
pub(super) use response::Decoder;
