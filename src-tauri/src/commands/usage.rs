//! Usage and costs.

use skein_app::view::BudgetReport;
use skein_domain::budget::{BudgetAllowance, BudgetAmount, BudgetPeriod, BudgetStop};
use skein_domain::ids::SessionId;
use skein_store::{UsageGrouping, UsageTotal};

use crate::commands::{AppState, Result};

/// Totals of usage since a time, in milliseconds since the epoch.
#[tauri::command]
#[specta::specta]
pub async fn usage_totals(
    host: AppState<'_>,
    by: UsageGrouping,
    since: i64,
) -> Result<Vec<UsageTotal>> {
    host.costs.totals(by, since).await
}

/// Writes every entry into a file that the user chose, as CSV.
#[tauri::command]
#[specta::specta]
pub async fn export_usage(host: AppState<'_>, path: String) -> Result<()> {
    host.costs.export(path).await
}

/// The use of each budget; budgets of sessions only if a session is given.
#[tauri::command]
#[specta::specta]
pub async fn budgets(host: AppState<'_>, session: Option<SessionId>) -> Result<Vec<BudgetReport>> {
    host.budgets.reports(session).await
}

/// Lets calls leave beyond a used-up budget. `session`: `None` if the call belongs to none.
#[tauri::command]
#[specta::specta]
pub async fn allow_over_budget(
    host: AppState<'_>,
    session: Option<SessionId>,
    stop: BudgetStop,
    allowance: BudgetAllowance,
) -> Result<()> {
    host.budgets.allow(session, stop, allowance).await
}

/// Shows the warning before this stop no more.
#[tauri::command]
#[specta::specta]
pub async fn dismiss_budget_warning(
    host: AppState<'_>,
    period: BudgetPeriod,
    stop: BudgetAmount,
) -> Result<()> {
    host.budgets.dismiss_warning(period, stop).await
}
