//! Learns a correction factor from a provider's reports, for a model whose tokeniser is not published.

use serde::{Deserialize, Serialize};
use specta::Type;

/// The number of the model's tokens for one counted token, learned report by report.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase", default)]
pub struct Calibration {
    /// Model tokens per counted token, 0.5–3.
    pub factor: f64,
    /// Mean distance of a report from the count of its prompt, as a share of the count: 0.1 is shown as ± 10
    /// %. Excludes the first report, because the count before it had no factor.
    pub spread: f64,
    /// The number of reports learned from; while it is 0 the factor is an assumption.
    pub reports: u32,
}

impl Default for Calibration {
    fn default() -> Self {
        Self { factor: 1.0, spread: 0.0, reports: 0 }
    }
}

/// The smallest count that is learned from, in tokens. In a shorter prompt the text that the provider adds
/// weighs too much.
const FEWEST_TOKENS: u32 = 200;
/// The fewest reports that give an average error.
const FEWEST_REPORTS: u32 = 3;
/// The least weight of a new report in the factor, so that the factor follows a model that changes.
const LEAST_WEIGHT: f64 = 0.2;
/// Steps of the factor per unit: it is rounded to a twentieth, so that stored counts seldom expire.
const STEPS: f64 = 20.0;

/// The divisor of a count within which a report counts as near and is always learned from: a twentieth.
const NEAR: u32 = 20;

/// The count to compare with a report of `reported` tokens, for a prompt counted as `counted` tokens,
/// `declared` of them for declarations of tools. `None`: the report cannot be compared.
///
/// Some chat templates drop or rewrite declarations. A report between the prompt without them and the whole
/// prompt may differ because of the template or because of the tokeniser.
pub fn comparable_count(counted: u32, declared: u32, reported: u32) -> Option<u32> {
    let least = counted.saturating_sub(declared);
    let is_near = counted.abs_diff(reported) <= counted / NEAR;
    match reported {
        _ if is_near || reported >= counted => Some(counted),
        _ if reported <= least => Some(least),
        _ => None,
    }
}

impl Calibration {
    /// The calibration after one more report. `counted` is the count with this calibration of the prompt that
    /// the provider reported as `reported`.
    pub fn observe(self, counted: u32, reported: u32) -> Self {
        if counted < FEWEST_TOKENS || reported == 0 {
            return self;
        }
        let seen = f64::from(reported) / f64::from(counted) * self.stepped();
        let seen = seen.clamp(0.5, 3.0);
        let weight = (1.0 / (f64::from(self.reports) + 1.0)).max(LEAST_WEIGHT);
        let factor = self.factor + (seen - self.factor) * weight;
        // By the factor used for the count: with the one just learned every distance would be small.
        let distance = (seen / self.stepped() - 1.0).abs();
        let spread = match self.reports {
            0 => 0.0,
            1 => distance,
            before => {
                let weight = (1.0 / f64::from(before)).max(LEAST_WEIGHT);
                self.spread + (distance - self.spread) * weight
            }
        };
        Self { factor, spread, reports: self.reports.saturating_add(1) }
    }

    /// Converts a count made with another calibration to this one.
    pub fn recounted(self, counted: u32, by: Self) -> u32 {
        // Positive and far below 2⁵³: the cast saturates.
        (f64::from(counted) / by.stepped() * self.stepped()).round() as u32
    }

    /// Converts a count of the tokeniser to the model's tokens.
    pub fn apply(self, tokens: u32) -> u32 {
        // Positive and far below 2⁵³: rounding up loses nothing, and the cast saturates.
        (f64::from(tokens) * self.stepped()).ceil() as u32
    }

    /// A count without a factor above 1: the fewest tokens that the text can have.
    pub fn without_excess(self, tokens: u32) -> u32 {
        // Never more than the count: the cast only drops the fraction.
        (f64::from(tokens) / self.stepped().max(1.0)) as u32
    }

    pub(super) fn family(self) -> String {
        format!("*{:.2}", self.stepped())
    }

    /// The average error of a count, in whole percent, rounded up. `None`: too few reports.
    pub fn error_percent(self) -> Option<u32> {
        // At most 500, and never negative.
        (self.reports >= FEWEST_REPORTS).then(|| (self.spread * 100.0).ceil() as u32)
    }

    fn stepped(self) -> f64 {
        stepped(self.factor)
    }
}

fn stepped(factor: f64) -> f64 {
    (factor.clamp(0.5, 3.0) * STEPS).round() / STEPS
}
