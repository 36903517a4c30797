//! Budgets as Settings and the composer show them.

use serde::{Deserialize, Serialize};
use skein_domain::budget::{BudgetGauge, BudgetPeriod, BudgetScope};
use specta::Type;

/// The use of a budget.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct BudgetReport {
    /// The calls that the budget counts together.
    pub scope: BudgetScope,
    /// The session, day or month that is counted now.
    pub period: BudgetPeriod,
    /// A gauge for each limit of the budget.
    pub gauges: Vec<BudgetGauge>,
    /// The limit to warn of; `None`: none is near, or the user has dismissed the warning.
    pub warning: Option<BudgetGauge>,
    /// True if more was spent than is known.
    pub is_floor: bool,
}
