//! The thresholds of the strategies: the prompt, in tokens, from which a compaction or an archive is due.
//!
//! Not here: which of them acts (`compaction::gate`).

use serde::{Deserialize, Serialize};
use skein_domain::price::{PriceTable, TokenPrices};
use specta::Type;

use super::policy::Policy;
use super::{Limits, percent_of};

/// The window that the UI offers, and that the breakdown assumes, if a window is unknown (FR-3.3).
pub const ASSUMED_WINDOW: u32 = 96_000;

/// Windows up to this size have no built-in upper bound of the threshold, in tokens: 256k, which providers
/// count as 262,144.
const LARGEST_UNBOUND_WINDOW: u32 = 262_144;

/// The built-in upper bound of larger windows, in tokens: half as much again as the optimal size (D06); a
/// share of a window of a million tokens would be six times the optimum. The lower the bound, the less a
/// conversation costs (docs/measured.md); at the usual threshold law 3 allows no less than 138,086.
const QUALITY_BOUND: u32 = 150_000;

/// The lowest price step that acts as an upper bound, in tokens. A lower one would save money at the cost of
/// the replies (D06).
const LOWEST_PRICE_STEP: u32 = 100_000;

/// An upper bound of the compaction threshold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct UpperBound {
    /// The largest prompt that is not compacted, in tokens.
    pub tokens: u32,
    /// The reason for the bound.
    pub reason: UpperBoundReason,
}

/// The reason for an upper bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum UpperBoundReason {
    /// The user set it.
    User,
    /// Every token of a larger prompt costs more.
    PriceStep,
    /// The replies to a larger prompt would be worse.
    Quality,
}

impl Limits {
    /// FR-1.2: `min(floor(available × percent / 100), upper bound)`. A compaction is due when the estimate is
    /// above. If the window is unknown, only a bound that the user set applies (law 2).
    pub fn threshold(self, policy: &Policy) -> Option<u32> {
        let bound = self.upper_bound(policy).map(|bound| bound.tokens);
        [self.threshold_share(policy), bound].into_iter().flatten().min()
    }

    /// The share without the bound; `None`: the window is unknown.
    fn threshold_share(self, policy: &Policy) -> Option<u32> {
        Some(percent_of(self.available(policy.output_reserve)?, policy.compaction_threshold))
    }

    /// True if the threshold is the upper bound and not the share.
    pub fn is_bounded(self, policy: &Policy) -> bool {
        self.threshold(policy) != self.threshold_share(policy)
    }

    /// The upper bound of the threshold: the user's own; else, for windows above [`LARGEST_UNBOUND_WINDOW`],
    /// the smaller of the price step and [`QUALITY_BOUND`]. The latter is at least the share of the largest
    /// window without a bound, so that a larger window never has a smaller threshold (law 3).
    pub fn upper_bound(self, policy: &Policy) -> Option<UpperBound> {
        if let Some(tokens) = policy.compaction_bound {
            return Some(UpperBound { tokens, reason: UpperBoundReason::User });
        }
        self.window.or(self.max_input).filter(|size| *size > LARGEST_UNBOUND_WINDOW)?;
        let unbound = Self { window: Some(LARGEST_UNBOUND_WINDOW), ..Self::default() };
        let quality = QUALITY_BOUND.max(unbound.threshold_share(policy).unwrap_or_default());
        Some(match self.price_step.map(|step| step.saturating_sub(1)) {
            Some(tokens) if tokens <= quality => {
                UpperBound { tokens, reason: UpperBoundReason::PriceStep }
            }
            Some(_) | None => UpperBound { tokens: quality, reason: UpperBoundReason::Quality },
        })
    }

    /// The threshold for a plan, which needs a number: if the window is unknown, that of the assumed window.
    pub fn assumed_threshold(self, policy: &Policy) -> u32 {
        let assumed = Self { window: Some(ASSUMED_WINDOW), ..Self::default() };
        let threshold = self.threshold(policy).or_else(|| assumed.threshold(policy));
        threshold.unwrap_or(ASSUMED_WINDOW)
    }

    /// P03: `floor(window × archive_at / 100)`, of the largest prompt if that is smaller. The thread is
    /// archived when the estimate is above.
    pub fn archive_threshold(self, policy: &Policy) -> Option<u32> {
        Some(percent_of(self.max_prompt()?, policy.archive_at))
    }
}

/// The smallest prompt, in tokens, whose every token costs more than in a smaller one. Steps below 100,000
/// are ignored. `None`: there is none.
pub fn price_step(table: &PriceTable) -> Option<u32> {
    let steps = &table.standard;
    let is_dearer = |prices: &TokenPrices| {
        prices.input > steps.base.input || prices.cache_read > steps.base.cache_read
    };
    let mut tiers = steps.tiers.iter();
    let dearer = tiers.find(|tier| tier.from >= LOWEST_PRICE_STEP && is_dearer(&tier.prices));
    dearer.map(|tier| tier.from)
}
