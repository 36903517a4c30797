//! Computes the cost of every call and adds it to the ledger, with the prices at its time.
//!
//! A call that was refused, or whose connection failed before the request was sent, is not billed and not
//! added. One that broke off afterwards is of unknown cost, also where it was repeated. Not here: which
//! prices apply (`models::pricing`).

use std::sync::Arc;

use skein_context::cost::{BilledCall, Prices, cost, prices_of};
use skein_domain::cost::{BillingReport, Cost};
use skein_domain::finish_reason::FinishReason;
use skein_domain::generation::CallPurpose;
use skein_domain::ids::{MessageId, ThreadId};
use skein_domain::message::Message;
use skein_domain::model::ModelRef;
use skein_domain::provider_config::ProviderConfig;
use skein_domain::usage::TokenUsage;
use skein_store::{LedgerEntry, Store};

use super::budgets::Budgets;
use super::calls_under_way::may_be_billed;
use super::reply_ending::ReplyEnding;
use crate::models::Models;
use crate::shared_state::SharedState;

/// A call that has ended.
#[derive(Clone, Copy)]
pub(crate) struct EndedCall<'a> {
    /// `None`: it belongs to no conversation.
    pub thread: Option<ThreadId>,
    pub message: Option<MessageId>,
    pub purpose: CallPurpose,
    pub model: &'a ModelRef,
    /// The configuration that was called; `None`: the stored one of the model's provider.
    pub unsaved_provider: Option<&'a ProviderConfig>,
    pub usage: TokenUsage,
    /// The estimated tokens of the prompt, for a call whose provider reports none; `None`: not counted.
    pub estimated_prompt: Option<u32>,
    pub report: &'a BillingReport,
    /// The finish reason; `None`: it was stopped or failed.
    pub finish: Option<FinishReason>,
    /// The start, in milliseconds since the epoch.
    pub started_at: i64,
}

/// A reply's call that has ended.
pub(crate) struct ReplyCall<'a> {
    pub model: &'a ModelRef,
    pub reply: &'a Message,
    pub usage: TokenUsage,
    /// The estimated tokens of the prompt.
    pub estimated_prompt: u32,
    /// The attempts before it that may be billed.
    pub broken_attempts: u32,
    pub report: &'a BillingReport,
    pub ending: &'a ReplyEnding,
}

/// Adds every call to the ledger, and sums the entries up.
pub struct Costs {
    pub(super) store: Store,
    models: Arc<Models>,
    budgets: Arc<Budgets>,
}

impl Costs {
    pub(crate) fn new(shared: &SharedState, models: Arc<Models>, budgets: Arc<Budgets>) -> Self {
        Self { store: shared.store.clone(), models, budgets }
    }

    /// The entry of a reply, which the budgets have counted; `None`: its call was refused, and nothing
    /// is billed.
    pub(crate) async fn reply_entry(&self, call: ReplyCall<'_>) -> Option<LedgerEntry> {
        let ReplyCall { model, reply, usage, estimated_prompt, report, ending, .. } = call;
        let mut ended = EndedCall {
            thread: Some(reply.thread_id),
            message: Some(reply.id),
            purpose: CallPurpose::Reply,
            started_at: reply.created_at,
            model,
            unsaved_provider: None,
            usage,
            estimated_prompt: Some(estimated_prompt),
            report,
            finish: None,
        };
        self.enter_broken_attempts(call.broken_attempts, ended).await;
        match ending {
            ReplyEnding::Finished(reason) => ended.finish = Some(*reason),
            ReplyEnding::Failed(error)
                if reply.parts.is_empty() && usage.is_unavailable() && !may_be_billed(error) =>
            {
                return None;
            }
            ReplyEnding::Interrupted | ReplyEnding::Failed(_) => {}
        }
        let entry = self.ledger_entry(ended);
        self.budgets.count(&entry, Some(estimated_prompt)).await;
        Some(entry)
    }

    /// Adds the attempts at a call that broke off before an answer and were repeated.
    pub(super) async fn enter_broken_attempts(&self, attempts: u32, call: EndedCall<'_>) {
        let (usage, report) = (TokenUsage::default(), BillingReport::default());
        for _ in 0..attempts {
            let attempt = EndedCall { message: None, usage, report: &report, finish: None, ..call };
            self.enter(attempt).await;
        }
    }

    /// Computes the cost of a call.
    fn ledger_entry(&self, ended: EndedCall) -> LedgerEntry {
        let EndedCall { report, usage, unsaved_provider, started_at: at, .. } = ended;
        let answered_by = report.model.as_deref();
        let pricing = self.models.pricing_of_call(ended.model, unsaved_provider, answered_by, at);
        let call = BilledCall { usage: &usage, report, finish: ended.finish };
        let cost = cost(call, &pricing);
        let prices = match (&pricing.prices, &cost) {
            (
                Prices::User(table) | Prices::Catalogue(table),
                Cost::Known { .. } | Cost::AtLeast { .. },
            ) => prices_of(call, table).copied(),
            _ => None,
        };
        LedgerEntry {
            at,
            thread: ended.thread,
            message: ended.message,
            purpose: ended.purpose,
            model: ended.model.clone(),
            answered_by: report.model.clone(),
            service_tier: report.service_tier.clone(),
            cache_written_hour: report.cache_written_hour,
            usage,
            cost,
            prices,
        }
    }

    /// Adds a call without a message, and returns its cost. An error is only logged: the work goes on.
    pub(crate) async fn enter(&self, ended: EndedCall<'_>) -> Cost {
        let estimated_prompt = ended.estimated_prompt;
        let entry = self.ledger_entry(ended);
        let cost = entry.cost.clone();
        self.budgets.count(&entry, estimated_prompt).await;
        if let Err(error) = self.store.add_ledger_entry(entry).await {
            tracing::warn!(%error, "what a call cost could not be entered");
        }
        cost
    }
}
