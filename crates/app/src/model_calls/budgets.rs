//! Asks the budgets before a call of a model leaves, and keeps what was spent and agreed to.
//!
//! Every call passes here: replies, each generation of a tool loop, titles, summaries, side questions, tests
//! of providers, and what of these is sent again. Not here: what a call costs (`costs`), or the rule
//! (`context::cost::budget`).

use std::collections::HashSet;
use std::future::ready;
use std::mem;
use std::sync::Arc;

use parking_lot::Mutex;
use skein_context::cost::Pricing;
use skein_context::cost::budget::{Spending, agree_to_another, counts_in, gauges};
use skein_context::cost::estimate::{CostEstimate, ExpectedCall, TokenRange, estimate};
use skein_context::cost::prompt_cache::CacheLifetime;
use skein_domain::budget::{
    Budget, BudgetAllowance, BudgetAmount, BudgetGauge, BudgetLevel, BudgetPeriod, BudgetScope,
    BudgetStop,
};
use skein_domain::cost::Cost;
use skein_domain::error::{Error, Result};
use skein_domain::generation::CallPurpose;
use skein_domain::ids::SessionId;
use skein_domain::model::ModelRef;
use skein_domain::provider_config::ProviderConfig;
use skein_providers::RepeatCheck;
use skein_store::{LedgerEntry, Store};

use super::budget_file::{BudgetFile, PeriodAccount};
use super::calls_under_way::{BudgetReservation, CallsUnderWay, may_be_billed};
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
    under_way: Arc<CallsUnderWay>,
    /// One call at a time, so that each counts what the one before may cost.
    admission_lock: tokio::sync::Mutex<()>,
    /// Requests that the user agreed to one by one. They are for what comes next and are not stored.
    passes: Mutex<Vec<SingleRequestPass>>,
}

/// A yes to one request.
#[derive(Debug, PartialEq, Eq)]
struct SingleRequestPass {
    session: Option<SessionId>,
    purpose: CallPurpose,
    period: BudgetPeriod,
    limit: BudgetAmount,
}

/// A call that is to leave.
#[derive(Debug, Clone)]
pub(crate) struct PlannedCall {
    /// `None`: it belongs to no session, and counts in the budgets of its day and month.
    pub session: Option<SessionId>,
    pub purpose: CallPurpose,
    pub model: ModelRef,
    /// The configuration that is called; `None`: the stored one of the model's provider.
    pub unsaved_provider: Option<ProviderConfig>,
    /// The most tokens that its provider may count of the prompt.
    pub prompt: u32,
    /// The longest reply, in tokens; `None`: unknown.
    pub max_output: Option<u32>,
    /// How long the provider is asked to keep the prompt: an hour costs more.
    pub cache_lifetime: CacheLifetime,
}

/// A call that may leave.
pub(crate) struct AdmittedCall {
    /// The check for sending the same request again.
    pub repeat_check: RepeatCheck,
    /// Counts the most that the call may cost; to be dropped when the call is booked.
    pub reservation: BudgetReservation,
}

impl Budgets {
    pub(crate) fn new(shared: &SharedState, models: Arc<Models>) -> Self {
        Self {
            store: shared.store.clone(),
            settings: Arc::clone(&shared.settings),
            models,
            file: BudgetFile::open(shared.paths.budgets()),
            under_way: Arc::default(),
            admission_lock: tokio::sync::Mutex::default(),
            passes: Mutex::default(),
        }
    }

    /// Lets a call leave, and uses up each yes to one request of its session and purpose, needed or not.
    ///
    /// # Errors
    /// [`Error::OverBudget`] where it needs a yes that the user has not given.
    pub(crate) async fn admit(self: &Arc<Self>, call: PlannedCall) -> Result<AdmittedCall> {
        let _alone = self.admission_lock.lock().await;
        let stops = self.stops(&call, None).await?;
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
        // An agreement for this request is used up, even if the request no longer needs it.
        passes.retain(|pass| (pass.session, pass.purpose) != (call.session, call.purpose));
        drop(passes);
        let reservation = self.under_way.reserve(call.session, self.most_of(&call));
        let (budgets, own, is_agreed) = (Arc::clone(self), reservation.number(), !stops.is_empty());
        let repeat_check = RepeatCheck::new(move |broken| {
            let is_billed = may_be_billed(broken);
            if is_billed {
                budgets.under_way.add_broken_attempt(own);
            }
            // The yes was to one request, and a refused attempt was none.
            if is_agreed && !is_billed {
                return Box::pin(ready(Ok(())));
            }
            let (budgets, call) = (Arc::clone(&budgets), call.clone());
            Box::pin(async move { budgets.check(&call, own).await })
        });
        Ok(AdmittedCall { repeat_check, reservation })
    }

    /// Succeeds if a call of this number may leave again without a yes.
    async fn check(&self, call: &PlannedCall, own: u64) -> Result<()> {
        let stop = self.stops(call, Some(own)).await?.into_iter().next();
        stop.map_or(Ok(()), |stop| Err(Error::OverBudget { stop: Box::new(stop) }))
    }

    /// The limits that are used up for a call, or may be by the other calls under way and its own broken
    /// attempts.
    async fn stops(&self, call: &PlannedCall, own: Option<u64>) -> Result<Vec<BudgetStop>> {
        let at = now();
        let settings = self.settings.get();
        let pricing = self.pricing(call, at);
        let mut stops = Vec::new();
        for budget in settings.budgets.iter().filter(|budget| counts_in(budget, &pricing)) {
            let Some(account) = self.account(budget.scope, call.session, at).await? else {
                continue;
            };
            let PeriodAccount { period, spent, agreements, .. } = account;
            let under_way = self.under_way.spending(budget.scope, call.session, own);
            let with_others = gauges(budget, &spent.clone().plus(&under_way), &agreements);
            let alone = gauges(budget, &spent, &agreements).into_iter();
            let exceeded = alone
                .zip(with_others)
                .filter(|(_, with_others)| with_others.level == BudgetLevel::Exceeded);
            stops.extend(exceeded.map(|(gauge, with_others)| {
                BudgetStop {
                    period: period.clone(),
                    is_floor: spent.is_floor_of(&gauge.limit),
                    under_way: (gauge.level != BudgetLevel::Exceeded)
                        .then(|| difference(&with_others.spent, &gauge.spent)),
                    gauge,
                    purpose: call.purpose,
                }
            }));
        }
        Ok(stops)
    }

    /// The most that a call may cost, as far as its length and its prices are known.
    fn most_of(&self, call: &PlannedCall) -> Spending {
        let (prompt, output) = (call.prompt, call.max_output.unwrap_or(0));
        let tokens = u64::from(prompt) + u64::from(output);
        let range = TokenRange { least: prompt, most: prompt };
        let call_of_it =
            ExpectedCall { prompt: range, cached: 0, answer: output, longest_answer: Some(output) };
        let pricing = self.pricing(call, now());
        let pricing = pricing.with_cache_lifetime(call.cache_lifetime);
        let cost = estimate(&[call_of_it], &pricing);
        let unpriced_tokens = if cost == (CostEstimate::Unknown {}) { tokens } else { 0 };
        let money = match cost {
            CostEstimate::Between { most, .. } => vec![most],
            CostEstimate::AtLeast { least } => vec![least],
            CostEstimate::Unknown {} | CostEstimate::NotBilled {} => Vec::new(),
        };
        Spending { money, tokens, unpriced_tokens, is_floor: false }
    }

    fn pricing(&self, call: &PlannedCall, at: i64) -> Pricing {
        self.models.pricing_of_call(&call.model, call.unsaved_provider.as_ref(), None, at)
    }

    /// `None` for a session's budget where no session is named.
    async fn account(
        &self,
        scope: BudgetScope,
        session: Option<SessionId>,
        at: i64,
    ) -> Result<Option<PeriodAccount>> {
        let spending = self.store.period_spending(scope, session, at).await?;
        Ok(spending.map(|(period, stored)| self.file.account(&period, &stored)))
    }

    /// Counts a call, before it is entered in the ledger. One that cannot be counted is logged: the ledger
    /// knows it. `estimated_prompt`, in tokens, counts where the provider reported none.
    pub(super) async fn count(&self, entry: &LedgerEntry, estimated_prompt: Option<u32>) {
        let counted = async {
            let settings = self.settings.get();
            if settings.budgets.is_empty() {
                return Ok(());
            }
            let session = match entry.thread {
                Some(thread) => Some(self.store.thread(thread).await?.session_id),
                None => None,
            };
            let scopes: HashSet<_> = settings.budgets.iter().map(|budget| budget.scope).collect();
            for scope in scopes {
                let stored = self.store.period_spending(scope, session, entry.at).await?;
                let Some((period, stored)) = stored else { continue };
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

    /// Notes the user's yes to what a question named; `None`: the call belongs to no session.
    pub async fn allow(
        &self,
        session: Option<SessionId>,
        stop: BudgetStop,
        allowance: BudgetAllowance,
    ) -> Result<()> {
        let BudgetStop { period, mut gauge, purpose, under_way, .. } = stop;
        match allowance {
            BudgetAllowance::Once => {
                let limit = gauge.limit;
                self.passes.lock().push(SingleRequestPass { session, purpose, period, limit });
                Ok(())
            }
            BudgetAllowance::Another => {
                // The calls under way are among what the user agrees to.
                let expected = under_way.map_or(0, |amount| amount.number());
                let spent = gauge.spent.number().saturating_add(expected);
                gauge.spent = gauge.spent.with_number(spent);
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

    /// The use of each budget; budgets of sessions only if a session is given.
    pub async fn reports(&self, session: Option<SessionId>) -> Result<Vec<BudgetReport>> {
        let at = now();
        let mut reports = Vec::new();
        for budget in &self.settings.get().budgets {
            let account = self.account(budget.scope, session, at).await?;
            reports.extend(account.map(|account| report(budget, account)));
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

fn difference(whole: &BudgetAmount, part: &BudgetAmount) -> BudgetAmount {
    whole.with_number(whole.number().saturating_sub(part.number()))
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
