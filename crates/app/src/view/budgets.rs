//! Budgets as Settings and the composer show them.

use serde::{Deserialize, Serialize};
use skein_domain::budget::{BudgetGauge, BudgetPeriod, BudgetScope};
use specta::Type;

/// How far a budget is used up.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct BudgetReport {
    /// The calls that it counts together.
    pub scope: BudgetScope,
    /// The current one of these.
    pub period: BudgetPeriod,
    /// Each of its limits.
    pub gauges: Vec<BudgetGauge>,
    /// The limit to warn of; `None`: none is near, or the user has dismissed the warning.
    pub warning: Option<BudgetGauge>,
    /// True if more was spent than is known.
    pub is_floor: bool,
}
