//! Context health as it is stored and shown (D01–D10). Not here: how it is judged (`context::health`).

use serde::{Deserialize, Serialize};
use specta::Type;

/// How full the window was at one generation. Stored with it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct HealthSnapshot {
    /// How it stands.
    pub level: HealthLevel,
    /// Reported prompt tokens; `None`: not reported.
    pub prompt: Option<u32>,
    /// D04: the limit of the model; `None`: unknown.
    pub limit: Option<u32>,
    /// D06: caution is above it; `None` where the limit is unknown and the user set nothing.
    pub optimal: Option<u32>,
    /// D07: critical is above it; `None` where the limit is unknown and the user set nothing.
    pub critical: Option<u32>,
    /// D05: `prompt / limit`; `None` where either is unknown.
    pub hard_util: Option<f64>,
    /// D05: `prompt / optimal`; `None` where either is unknown.
    pub optimal_util: Option<f64>,
}

/// How the context stands (D09).
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
    /// `prompt > critical`; it wins over caution.
    Critical,
}
