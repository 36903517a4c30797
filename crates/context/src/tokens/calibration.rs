//! What a provider's reports teach about a model whose tokeniser is not published.

use serde::{Deserialize, Serialize};
use specta::Type;

/// How many of the model's tokens one counted token stands for, learned report by report.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase", default)]
pub struct Calibration {
    /// Model tokens per counted token, 0.5–3.
    pub factor: f64,
    /// Mean distance of a report from what was counted of its prompt, as a share of that: 0.1 is shown
    /// as ± 10 %. The first report is not among them: what was counted before it was a guess.
    pub spread: f64,
    /// Reports learned from; while 0 the factor is an assumption.
    pub reports: u32,
}

impl Default for Calibration {
    fn default() -> Self {
        Self { factor: 1.0, spread: 0.0, reports: 0 }
    }
}

/// Below this, what the provider adds unseen weighs more than the text.
const FEWEST_TOKENS: u32 = 200;
/// From fewer reports nothing can be said of how far they lie apart.
const FEWEST_REPORTS: u32 = 3;
/// A report has at least this share in the factor, so that it follows a model that changes.
const LEAST_WEIGHT: f64 = 0.2;
/// Counts are made with a factor in steps of a twentieth, so that kept counts seldom expire.
const STEPS: f64 = 20.0;

/// A report this near to what was counted teaches the factor, whatever was declared: a twentieth.
const NEAR: u32 = 20;

/// What a report of `reported` tokens is to be held against, of a prompt counted as `counted`, of which
/// `declared` are declarations of tools. `None`: it teaches nothing.
///
/// Some templates drop declarations or rewrite them, so that between the prompt without them and all of it
/// nobody can tell the template's doing from the tokeniser's.
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
    /// What is known after one more report. `counted` is what a counter with this calibration said
    /// of the very prompt that the provider reported as `reported`.
    pub fn observe(self, counted: u32, reported: u32) -> Self {
        if counted < FEWEST_TOKENS || reported == 0 {
            return self;
        }
        let seen = f64::from(reported) / f64::from(counted) * self.stepped();
        let seen = seen.clamp(0.5, 3.0);
        let weight = (1.0 / (f64::from(self.reports) + 1.0)).max(LEAST_WEIGHT);
        let factor = self.factor + (seen - self.factor) * weight;
        // By the factor that was counted with: with the one just learned none would ever seem far off.
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

    /// What a counter with this calibration would have said of what one with another counted.
    pub fn recounted(self, counted: u32, by: Self) -> u32 {
        // Positive and far below 2⁵³: the cast saturates.
        (f64::from(counted) / by.stepped() * self.stepped()).round() as u32
    }

    /// Counted tokens as the model counts them.
    pub fn apply(self, tokens: u32) -> u32 {
        // Positive and far below 2⁵³: rounding up loses nothing, and the cast saturates.
        (f64::from(tokens) * self.stepped()).ceil() as u32
    }

    /// Tokens counted with a factor above 1, as they are without it: the least that they can be.
    pub fn without_excess(self, tokens: u32) -> u32 {
        // Never more than there were: the cast loses a fraction alone.
        (f64::from(tokens) / self.stepped().max(1.0)) as u32
    }

    pub(super) fn family(self) -> String {
        format!("*{:.2}", self.stepped())
    }

    /// How far a count may be off, in whole percent, rounded up. `None`: too few reports to say.
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
