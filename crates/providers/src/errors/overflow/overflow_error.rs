//! An overflow of the context, as far as the provider gave its numbers.

/// The provider says that the context is too long. `None` where it gave no number.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Overflow {
    /// Its limit in tokens.
    pub limit: Option<u32>,
    /// The tokens it counted, the answer asked for included where it counts that too.
    pub actual: Option<u32>,
    /// The tokens of `actual` that were asked for as an answer.
    pub output: Option<u32>,
    /// Whether asking for a shorter answer would suffice.
    pub output_only: bool,
    pub message: String,
}

/// Tokens left free when a shorter answer is asked for: counting differs by a few.
const MARGIN: u32 = 64;
/// The shortest answer worth asking for, in tokens.
const SHORTEST: u32 = 256;

impl Overflow {
    /// The longest answer that would have fitted, where only the answer was too long and one worth
    /// having would fit.
    pub fn fitting_output(&self) -> Option<u32> {
        let (limit, actual, output) = (self.limit?, self.actual?, self.output?);
        let room = limit.checked_sub(actual.checked_sub(output)?)?.checked_sub(MARGIN)?;
        // vLLM reads no more of a prompt than shows that it does not fit: how long it is, nobody knows.
        let unread = actual == limit.saturating_add(1);
        let room = if unread { room.min(output / 2) } else { room };
        Some(room).filter(|room| self.output_only && *room >= SHORTEST)
    }
}
