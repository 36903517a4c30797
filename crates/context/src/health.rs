//! Context health: how large the last prompt was, in the provider's own words (D01–D10).
//!
//! Only reported usage enters here. What is not reported is unavailable: never zero, never an
//! estimate.

pub mod breakdown;
pub mod usage;

use skein_domain::health::{HealthLevel, HealthSnapshot};
use skein_domain::model::ModelSpec;
use skein_domain::usage::TokenUsage;

use crate::limits::scale;

/// D06: past it answers may get worse, where the user set nothing else.
const DEFAULT_OPTIMAL: u32 = 100_000;

/// D08: evaluations from one caution notice to the next, where the user set nothing else.
pub const DEFAULT_CADENCE: u32 = 10;

/// The two thresholds of a model, in tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HealthThresholds {
    /// D06.
    pub optimal: u32,
    /// D07.
    pub critical: u32,
}

impl HealthThresholds {
    /// D06, D07: what the user set is taken as it is. Otherwise critical is nine tenths of what a
    /// prompt may take, because a prompt above that limit could never be reported. Optimal is 100,000 if
    /// that is below critical; else four fifths of what a prompt may take, or, if even that is not below
    /// critical, four fifths of critical: so every model has a caution range. `None`: nobody knows what
    /// a prompt may take.
    pub fn of(spec: &ModelSpec) -> Option<Self> {
        let most = spec.max_prompt().map(|most| most.value).filter(|most| *most > 0)?;
        let critical = spec.limits.critical_max_tokens.unwrap_or_else(|| scale(most, 9, 10));
        let default = [DEFAULT_OPTIMAL, scale(most, 4, 5)];
        let optimal = spec.limits.optimal_max_tokens.unwrap_or_else(|| {
            let below = default.into_iter().find(|optimal| *optimal < critical);
            below.unwrap_or_else(|| scale(critical, 4, 5))
        });
        Some(Self { optimal, critical })
    }
}

/// D01, D10: the snapshot of one generation.
pub fn health_snapshot(usage: &TokenUsage, spec: &ModelSpec) -> HealthSnapshot {
    // A prompt of zero is a provider's way of not saying.
    let prompt = usage.prompt.filter(|prompt| *prompt > 0);
    let limit = spec.health_limit().filter(|limit| *limit > 0);
    let thresholds = HealthThresholds::of(spec);
    let level = match (prompt, thresholds) {
        (Some(prompt), Some(thresholds)) if prompt > thresholds.critical => HealthLevel::Critical,
        (Some(prompt), Some(thresholds)) if prompt > thresholds.optimal => HealthLevel::Caution,
        (Some(_), Some(_)) => HealthLevel::Healthy,
        (None, _) | (_, None) => HealthLevel::Unavailable,
    };
    let share = |whole: Option<u32>| {
        let whole = whole.filter(|whole| *whole > 0)?;
        Some(f64::from(prompt?) / f64::from(whole))
    };
    HealthSnapshot {
        level,
        prompt,
        limit,
        optimal: thresholds.map(|thresholds| thresholds.optimal),
        critical: thresholds.map(|thresholds| thresholds.critical),
        hard_util: share(limit),
        optimal_util: share(thresholds.map(|thresholds| thresholds.optimal)),
    }
}

/// D08: evaluations from one caution notice to the next. Zero, which no one can mean, counts as
/// absent.
pub fn caution_cadence(spec: &ModelSpec) -> u32 {
    let configured = spec.limits.caution_remediation_cadence_generations;
    configured.filter(|cadence| *cadence > 0).unwrap_or(DEFAULT_CADENCE)
}
