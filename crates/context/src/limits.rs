//! The numbers a window is measured against: what may be used, when a compaction is due, when a
//! thread is archived. Integers throughout.
//!
//! Not here: where a window's size comes from (`model`, the catalogue).

pub mod catalog;
pub mod policy;

use serde::{Deserialize, Serialize};
use skein_domain::model::ModelSpec;
use specta::Type;

use crate::limits::policy::Policy;

/// Offered with one click, and assumed by the breakdown, where a window is unknown (FR-3.3).
pub const ASSUMED_WINDOW: u32 = 96_000;

/// What one call may hold, in tokens. `None` is unknown.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Limits {
    /// Prompt and output together.
    pub window: Option<u32>,
    /// The prompt alone, where the provider says so.
    pub max_input: Option<u32>,
}

impl Limits {
    /// The limits of a model.
    pub fn of(spec: &ModelSpec) -> Self {
        Self {
            window: spec.window.map(|window| window.value),
            max_input: spec.max_input.map(|input| input.value),
        }
    }

    /// What a prompt cannot exceed: the smaller of the two. `None`: neither is known.
    pub fn max_prompt(self) -> Option<u32> {
        [self.window, self.max_input].into_iter().flatten().min()
    }

    /// What a prompt may take and still leave room for an answer: the reserve, or a quarter of the
    /// window where that is less. A call above it waits for a compaction.
    pub fn prompt_limit_with_reserve(self, output_reserve: u32) -> Option<u32> {
        let roomy = self.window.map(|window| window.saturating_sub(output_reserve.min(window / 4)));
        Self { window: roomy, ..self }.max_prompt()
    }

    /// FR-1.2: `max(window − reserve, floor(window / 2))`, and never more than the provider takes
    /// as a prompt; where that alone is known, all of it. `None`: neither is, and nothing is triggered
    /// by it (law 2).
    pub fn available(self, output_reserve: u32) -> Option<u32> {
        let Some(window) = self.window else { return self.max_input };
        let available = window.saturating_sub(output_reserve).max(window / 2);
        Some(self.max_input.map_or(available, |input| available.min(input)))
    }

    /// FR-1.2: `floor(available × percent / 100)`. A compaction is due when the estimate is above.
    pub fn threshold(self, policy: &Policy) -> Option<u32> {
        Some(percent_of(self.available(policy.output_reserve)?, policy.compaction_threshold))
    }

    /// The same for a plan, which needs a number: with an unknown window, that of the assumed one.
    pub fn assumed_threshold(self, policy: &Policy) -> u32 {
        let assumed = Self { window: Some(ASSUMED_WINDOW), max_input: None };
        let threshold = self.threshold(policy).or_else(|| assumed.threshold(policy));
        threshold.unwrap_or(ASSUMED_WINDOW)
    }

    /// P03: `floor(window × archive_at / 100)`, of what a prompt may take where that is less. The thread
    /// is archived when the estimate is above.
    pub fn archive_threshold(self, policy: &Policy) -> Option<u32> {
        Some(percent_of(self.max_prompt()?, policy.archive_at))
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
