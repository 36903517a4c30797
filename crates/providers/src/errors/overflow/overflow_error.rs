//! The numbers of an overflow, as far as the provider states them.

use crate::errors::call_error::{MIN_OUTPUT, OUTPUT_MARGIN};

/// An overflow of the context window. `None`: the provider did not state the number.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Overflow {
    /// The limit, in tokens.
    pub limit: Option<u32>,
    /// The counted tokens, including the requested reply if the provider counts it.
    pub actual: Option<u32>,
    /// The part of `actual` that was requested as a reply, in tokens.
    pub output: Option<u32>,
    /// True if a shorter reply would suffice.
    pub output_only: bool,
    pub message: String,
}

impl Overflow {
    /// The longest reply that fits, in tokens; `None` if the prompt alone is too long or no useful
    /// reply fits.
    pub fn fitting_output(&self) -> Option<u32> {
        let (limit, actual, output) = (self.limit?, self.actual?, self.output?);
        let room = limit.checked_sub(actual.checked_sub(output)?)?.checked_sub(OUTPUT_MARGIN)?;
        // vLLM stops reading a prompt one token past the limit, so its length is unknown.
        let unread = actual == limit.saturating_add(1);
        let room = if unread { room.min(output / 2) } else { room };
        Some(room).filter(|room| self.output_only && *room >= MIN_OUTPUT)
    }
}
