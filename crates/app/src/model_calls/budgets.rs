//! Asks the budgets before a call of a model leaves, and keeps what was spent and agreed to.
//!
//! Every call passes here: replies, each generation of a tool loop, titles, summaries, side questions, and
//! what of these is sent again; only *Test connection* does not. Not here: what a call costs (`costs`), or
//! the rule (`context::cost::budget`).

use std::collections::HashSet;
use std::mem;
use std::sync::Arc;

use parking_lot::Mutex;
use skein_context::cost::budget::{Spending, agree_to_another, counts_in, gauges};
use skein_domain::budget::{
    Budget, BudgetAllowance, BudgetAmount, BudgetGauge, BudgetLevel, BudgetPeriod, BudgetScope,
    BudgetStop,
};
use skein_domain::cost::Cost;
use skein_domain::error::{Error, Result};
use skein_domain::generation::Purpose;
use skein_domain::ids::SessionId;
use skein_domain::model::ModelRef;
use skein_providers::RepeatCheck;
use skein_store::{LedgerEntry, Store};

use super::budget_file::{BudgetFile, PeriodAccount};
use crate::clock::now;
use crate::models::Models;
use crate::settings::SettingsFile;
use crate::shared_state::SharedState;
use crate::view::BudgetReport;

/// The budgets of the user.
pub struct Budgets {
    store: Store,
    settings: Arc<SettingsFile>,
    models: Arc<Models>,
    file: BudgetFile,
    /// Requests that the user agreed to one by one. They are for what comes next and are not stored.
    passes: Mutex<Vec<SingleRequestPass>>,
}

/// A yes to one request.
#[derive(Debug, PartialEq, Eq)]
struct SingleRequestPass {
    session: SessionId,
    purpose: Purpose,
    period: BudgetPeriod,
    limit: BudgetAmount,
}

/// A call that is to leave.
#[derive(Debug, Clone)]
pub(crate) struct PlannedCall {
    pub session: SessionId,
    pub purpose: Purpose,
    pub model: ModelRef,
}

impl Budgets {
    pub(crate) fn new(shared: &SharedState, models: Arc<Models>) -> Self {
        Self {
            store: shared.store.clone(),
            settings: Arc::clone(&shared.settings),
            models,
            file: BudgetFile::open(shared.paths.budgets()),
            passes: Mutex::default(),
        }
    }

    /// Lets a call leave, and uses up the yes to one request where it needs one. Returns the check for
    /// sending the same request again.
    ///
    /// # Errors
    /// [`Error::OverBudget`] where it needs a yes that the user has not given.
    pub(crate) async fn admit(self: &Arc<Self>, call: PlannedCall) -> Result<RepeatCheck> {
        let stops = self.stops(&call).await?;
        let mut passes = self.passes.lock();
        let pass_of = |stop: &BudgetStop| SingleRequestPass {
            session: call.session,
            purpose: call.purpose,
            period: stop.period.clone(),
            limit: stop.gauge.limit.clone(),
        };
        if let Some(stop) = stops.iter().find(|stop| !passes.contains(&pass_of(stop))) {
            return Err(Error::OverBudget { stop: Box::new(stop.clone()) });
        }
        passes.retain(|pass| !stops.iter().any(|stop| pass_of(stop) == *pass));
        drop(passes);
        if !stops.is_empty() {
            return Ok(RepeatCheck::none());
        }
        let budgets = Arc::clone(self);
        Ok(RepeatCheck::new(move || {
            let (budgets, call) = (Arc::clone(&budgets), call.clone());
            Box::pin(async move { budgets.check(&call).await })
        }))
    }

    /// Succeeds if a call may leave without a yes.
    async fn check(&self, call: &PlannedCall) -> Result<()> {
        let stop = self.stops(call).await?.into_iter().next();
        stop.map_or(Ok(()), |stop| Err(Error::OverBudget { stop: Box::new(stop) }))
    }

    /// The limits that are used up for a call.
    async fn stops(&self, call: &PlannedCall) -> Result<Vec<BudgetStop>> {
        let at = now();
        let settings = self.settings.get();
        let pricing = self.models.pricing(&call.model, None, at);
        let mut stops = Vec::new();
        for budget in settings.budgets.iter().filter(|budget| counts_in(budget, &pricing)) {
            let account = self.account(budget.scope, call.session, at).await?;
            let exceeded = gauges(budget, &account.spent, &account.agreements)
                .into_iter()
                .filter(|gauge| gauge.level == BudgetLevel::Exceeded);
            stops.extend(exceeded.map(|gauge| BudgetStop {
                period: account.period.clone(),
                is_floor: account.spent.is_floor_of(&gauge.limit),
                gauge,
                purpose: call.purpose,
            }));
        }
        Ok(stops)
    }

    async fn account(
        &self,
        scope: BudgetScope,
        session: SessionId,
        at: i64,
    ) -> Result<PeriodAccount> {
        let (period, stored) = self.store.period_spending(scope, session, at).await?;
        Ok(self.file.account(&period, &stored))
    }

    /// Counts a call, before it is entered in the ledger. One that cannot be counted is logged: the ledger
    /// knows it. `estimated_prompt`, in tokens, counts where the provider reported none.
    pub(super) async fn count(&self, entry: &LedgerEntry, estimated_prompt: Option<u32>) {
        let counted = async {
            let settings = self.settings.get();
            if settings.budgets.is_empty() {
                return Ok(());
            }
            let session = self.store.thread(entry.thread).await?.session_id;
            let scopes: HashSet<_> = settings.budgets.iter().map(|budget| budget.scope).collect();
            for scope in scopes {
                let (period, stored) = self.store.period_spending(scope, session, entry.at).await?;
                let call = spending(entry, estimated_prompt);
                // The sum is made in the change, so that no other session's call is lost.
                let add = |account: &mut PeriodAccount| {
                    account.spent = mem::take(&mut account.spent).or_larger(&stored).plus(&call);
                };
                self.file.change(&period, add).await?;
            }
            Ok::<_, Error>(())
        };
        if let Err(error) = counted.await {
            tracing::warn!(%error, "a call could not be counted beside the ledger");
        }
    }

    /// Notes the user's yes to what a question named.
    pub async fn allow(
        &self,
        session: SessionId,
        stop: BudgetStop,
        allowance: BudgetAllowance,
    ) -> Result<()> {
        let BudgetStop { period, gauge, purpose, .. } = stop;
        match allowance {
            BudgetAllowance::Once => {
                let limit = gauge.limit;
                self.passes.lock().push(SingleRequestPass { session, purpose, period, limit });
                Ok(())
            }
            BudgetAllowance::Another => {
                let agreement = agree_to_another(&gauge);
                let change = |account: &mut PeriodAccount| {
                    account.agreements.retain(|agreed| agreed.limit != agreement.limit);
                    account.agreements.push(agreement);
                };
                self.file.change(&period, change).await
            }
        }
    }

    /// Shows a warning no more until another stop is near.
    pub async fn dismiss_warning(&self, period: BudgetPeriod, stop: BudgetAmount) -> Result<()> {
        self.file.change(&period, |account| account.dismissed.push(stop)).await
    }

    /// How far each budget is used up; those of a session only where one is named.
    pub async fn reports(&self, session: Option<SessionId>) -> Result<Vec<BudgetReport>> {
        let at = now();
        let mut reports = Vec::new();
        for budget in &self.settings.get().budgets {
            let of = match (budget.scope, session) {
                (BudgetScope::Session, None) => continue,
                (_, Some(session)) => session,
                (BudgetScope::Day | BudgetScope::Month, None) => SessionId(0),
            };
            reports.push(report(budget, self.account(budget.scope, of, at).await?));
        }
        Ok(reports)
    }
}

fn report(budget: &Budget, account: PeriodAccount) -> BudgetReport {
    let gauges = gauges(budget, &account.spent, &account.agreements);
    let is_new = |gauge: &&BudgetGauge| {
        gauge.level == BudgetLevel::Warning && !account.dismissed.contains(&gauge.stop)
    };
    BudgetReport {
        scope: budget.scope,
        warning: gauges.iter().find(is_new).cloned(),
        gauges,
        is_floor: account.spent.is_floor,
        period: account.period,
    }
}

/// A call as a sum of one. With an estimated prompt it is still a floor.
fn spending(entry: &LedgerEntry, estimated_prompt: Option<u32>) -> Spending {
    let LedgerEntry { usage, cost, .. } = entry;
    let prompt = usage.prompt.or(estimated_prompt).unwrap_or(0);
    let tokens = u64::from(prompt) + u64::from(usage.completion.unwrap_or(0));
    let is_partial = matches!(cost, Cost::AtLeast { .. });
    Spending {
        money: match cost {
            Cost::Known { money } | Cost::AtLeast { money } => vec![money.clone()],
            Cost::Unknown {} | Cost::NotBilled {} => Vec::new(),
        },
        tokens,
        unpriced_tokens: if *cost == (Cost::Unknown {}) { tokens } else { 0 },
        is_floor: is_partial || usage.prompt.is_none() || usage.completion.is_none(),
    }
}
