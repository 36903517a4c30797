//! Context health: the size of the last prompt as the provider reported it (D01–D10).
//!
//! A size that was not reported is unavailable: never zero, never an estimate. Not here: estimates
//! (`tokens`).

pub mod breakdown;
pub mod deferred_tools_report;
pub mod superseded_reads;
pub mod usage;

use skein_domain::health::{HealthLevel, HealthSnapshot};
use skein_domain::model::ModelSpec;
use skein_domain::usage::TokenUsage;

use crate::limits::scale;

/// D06: the optimal size in tokens, above which replies may get worse, unless the user set another.
const DEFAULT_OPTIMAL: u32 = 100_000;

/// D08: evaluations from one caution notice to the next, unless the user set another number.
pub const DEFAULT_CADENCE: u32 = 10;

/// The two health thresholds of a model, in tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HealthThresholds {
    /// D06: above it the level is caution.
    pub optimal: u32,
    /// D07: above it the level is critical.
    pub critical: u32,
}

impl HealthThresholds {
    /// D06, D07: the user's values apply as they are. Otherwise critical is nine tenths of the largest
    /// prompt, because a prompt above that limit could never be reported. Optimal is 100,000 if that is below
    /// critical; else four fifths of the largest prompt, or, if even that is not below critical, four fifths
    /// of critical: so every model has a caution range. `None`: the largest prompt is unknown.
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
    // Some providers report a prompt of zero when they do not know it.
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

/// D08: evaluations from one caution notice to the next. A setting of zero counts as absent.
pub fn caution_cadence(spec: &ModelSpec) -> u32 {
    let configured = spec.limits.caution_remediation_cadence_generations;
    configured.filter(|cadence| *cadence > 0).unwrap_or(DEFAULT_CADENCE)
}
