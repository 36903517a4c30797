//! Usage and costs.

use skein_app::view::BudgetReport;
use skein_domain::budget::{BudgetAllowance, BudgetAmount, BudgetPeriod, BudgetStop};
use skein_domain::ids::SessionId;
use skein_store::{UsageGrouping, UsageTotal};

use crate::commands::commands;

commands! {
    /// Totals of usage since a time, in milliseconds since the epoch.
    fn usage_totals(by: UsageGrouping, since: i64) -> Vec<UsageTotal> => store.usage_totals;

    /// Writes every entry into a file that the user chose, as CSV.
    fn export_usage(path: String) -> () => costs.export;

    /// The use of each budget; budgets of sessions only if a session is given.
    fn budgets(session: Option<SessionId>) -> Vec<BudgetReport> => budgets.reports;

    /// Lets calls leave beyond a used-up budget. `session`: `None` if the call belongs to none.
    fn allow_over_budget(
        session: Option<SessionId>,
        stop: BudgetStop,
        allowance: BudgetAllowance,
    ) -> () => budgets.allow;

    /// Shows the warning before this stop no more.
    fn dismiss_budget_warning(period: BudgetPeriod, stop: BudgetAmount) -> ()
        => budgets.dismiss_warning;
}
