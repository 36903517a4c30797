//! The limits of a call: its window, the largest prompt, and what is available of it. All are whole numbers.
//!
//! Not here: the sources of a window's size (`skein_domain::model`, `catalog`), and the prompts from which a
//! compaction is due (`threshold`).

pub mod catalog;
pub mod compaction_threshold;
pub mod policy;

use serde::{Deserialize, Serialize};
use skein_domain::model::ModelSpec;
use specta::Type;

/// The limits of one call, in tokens. `None` is unknown.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Limits {
    /// Prompt and output together.
    pub window: Option<u32>,
    /// The prompt alone, if the provider limits it.
    pub max_input: Option<u32>,
    /// See [`ModelSpec::price_step`].
    #[serde(default)]
    pub price_step: Option<u32>,
}

impl Limits {
    /// The limits of a model.
    pub fn of(spec: &ModelSpec) -> Self {
        Self {
            window: spec.window.map(|window| window.value),
            max_input: spec.max_input.map(|input| input.value),
            price_step: spec.price_step,
        }
    }

    /// The largest prompt: the smaller of both limits. `None`: neither is known.
    pub fn max_prompt(self) -> Option<u32> {
        [self.window, self.max_input].into_iter().flatten().min()
    }

    /// The largest prompt that leaves room for a reply: the reserve, or a quarter of the window if that is
    /// less. A call above it waits for a compaction.
    pub fn prompt_limit_with_reserve(self, output_reserve: u32) -> Option<u32> {
        let roomy = self.window.map(|window| window.saturating_sub(output_reserve.min(window / 4)));
        Self { window: roomy, ..self }.max_prompt()
    }

    /// FR-1.2: `max(window − reserve, floor(window / 2))`, at most the provider's limit of the prompt; if
    /// only that limit is known, all of it. `None`: neither is known, and nothing is triggered (law 2).
    pub fn available(self, output_reserve: u32) -> Option<u32> {
        let Some(window) = self.window else { return self.max_input };
        let available = window.saturating_sub(output_reserve).max(window / 2);
        Some(self.max_input.map_or(available, |input| available.min(input)))
    }
}

/// `floor(tokens × percent / 100)`, without overflow.
pub fn percent_of(tokens: u32, percent: u32) -> u32 {
    scale(tokens, percent, 100)
}

/// `floor(tokens × numerator / denominator)`, without overflow; 0 for a denominator of 0.
pub fn scale(tokens: u32, numerator: u32, denominator: u32) -> u32 {
    let product = u64::from(tokens) * u64::from(numerator);
    product
        .checked_div(u64::from(denominator))
        .map_or(0, |scaled| u32::try_from(scaled).unwrap_or(u32::MAX))
}
