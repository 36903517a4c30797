//! Detects "the context is too long" in the errors of all servers (P09).

mod cut_json;
mod detection;
mod numbers;
mod overflow_error;
mod patterns;
mod request_echo;
mod unwrap;

pub use detection::{ServerHints, detect_overflow};
pub use overflow_error::Overflow;
pub(crate) use request_echo::without_echo;
