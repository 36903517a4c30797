//! Context health as it is stored and shown (D01–D10). Not here: computing it (`context::health`).

use serde::{Deserialize, Serialize};
use specta::Type;

/// The health of the context at one generation. Stored with it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct HealthSnapshot {
    /// The level.
    pub level: HealthLevel,
    /// Reported prompt tokens; `None`: not reported.
    pub prompt: Option<u32>,
    /// D04: the limit of the model; `None`: unknown.
    pub limit: Option<u32>,
    /// D06: above it the level is caution; `None`: the limit is unknown and the user set none.
    pub optimal: Option<u32>,
    /// D07: above it the level is critical; `None`: the limit is unknown and the user set none.
    pub critical: Option<u32>,
    /// D05: `prompt / limit`; `None`: either is unknown.
    pub hard_util: Option<f64>,
    /// D05: `prompt / optimal`; `None`: either is unknown.
    pub optimal_util: Option<f64>,
}

/// The level of context health (D09).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum HealthLevel {
    /// Nothing was reported, or the limit is unknown.
    #[default]
    Unavailable,
    /// `prompt ≤ optimal`.
    Healthy,
    /// `prompt > optimal`.
    Caution,
    /// `prompt > critical`; it takes precedence over caution.
    Critical,
}
