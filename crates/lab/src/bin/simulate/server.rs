//! A server that enforces its window with a tokeniser of its own.

use skein_context::limits::scale;
use skein_lab::random::Random;

/// The windows that are out there, in tokens.
pub const WINDOWS: [u32; 9] =
    [4_096, 8_192, 16_385, 32_768, 65_536, 131_072, 200_000, 400_000, 1_048_576];

#[derive(Debug, Clone, Copy)]
pub struct Server {
    /// What it takes, prompt and at least one token of an answer, as it counts.
    pub window: u32,
    /// Its tokens for a hundred of ours.
    percent: u32,
}

impl Server {
    /// One whose tokeniser is off by up to a quarter, either way.
    pub fn new(dice: &mut Random, window: u32) -> Self {
        let percent = 75 + u32::try_from(dice.below(51)).unwrap_or(0);
        Self { window, percent }
    }

    /// The same, with a window without an end.
    pub fn unlimited(self) -> Self {
        Self { window: u32::MAX, ..self }
    }

    /// So many of our tokens, as it counts and reports them.
    pub fn counts(&self, tokens: u32) -> u32 {
        scale(tokens, self.percent, 100)
    }

    /// Whether it answers a prompt of so many of our tokens.
    pub fn takes(&self, tokens: u32) -> bool {
        self.counts(tokens) < self.window
    }
}
