//! The summary that the provider of the conversation's model writes with its own compaction, where the user
//! wants that.
//!
//! Where it writes none, the summary is written as without that choice, and the activity log says so. Not
//! here: the request (`skein_context::summary`), or the providers that can be asked (`models`).

use skein_context::compaction::Plan;
use skein_context::summary::SummaryJob;
use skein_domain::compaction_point::SummaryWriter;
use skein_domain::error::{Error, Result};
use skein_domain::model::ModelRef;
use skein_providers::ProviderCompactionState;
use skein_store::{AutomaticEvent, NoProviderSummaryReason};

use super::compaction_env::CompactionEnv;
use super::compactor::Compactor;
use super::summary_writer::{SummaryCall, WrittenSummary};
use crate::clock::now;
use crate::context::turn_context::TurnContext;

/// The call in which the provider summarizes the messages of a plan; `None`: they do not fit one.
pub(super) fn provider_job(
    context: &TurnContext,
    plan: &Plan,
    keep: Option<&str>,
) -> Option<SummaryJob> {
    let longest = context.spec.max_output.map(|most| most.value);
    let counter = context.counter.as_ref();
    context.with_window(None, |window| {
        SummaryJob::by_provider(counter, window, plan, keep, context.limits, longest)
    })
}

/// The writer of the summary of a plan and its model, if its first attempt succeeds.
pub(super) fn first_writer(
    env: &CompactionEnv,
    context: &TurnContext,
    plan: &Plan,
) -> (SummaryWriter, ModelRef) {
    if is_provider_asked(env, context, plan) && provider_job(context, plan, None).is_some() {
        return (SummaryWriter::Provider, context.model.clone());
    }
    (SummaryWriter::Skein, env.model_choices.first_summary_model(&context.model))
}

/// True if the user wants the provider to write the summary of a plan, and there are messages to send to it.
fn is_provider_asked(env: &CompactionEnv, context: &TurnContext, plan: &Plan) -> bool {
    !plan.covered.is_empty() && env.models.is_summarized_by_provider(&context.model)
}

impl Compactor<'_> {
    /// The summary of the provider; `None`: it writes none, and the log says why.
    ///
    /// # Errors
    /// The compaction was cancelled, or a budget is in the way.
    pub(super) async fn write_by_provider(&self) -> Result<Option<WrittenSummary>> {
        let (context, order) = (self.context, &self.order);
        let model = &context.model;
        if !is_provider_asked(self.env, context, &order.plan) {
            return Ok(None);
        }
        let Some(mut job) = provider_job(context, &order.plan, order.keep.as_deref()) else {
            self.log_missing(NoProviderSummaryReason::TooLong).await;
            return Ok(None);
        };
        // The provider's cache of the conversation applies only to a request with the same reasoning effort.
        let asking = SummaryCall {
            model,
            counter: context.counter.as_ref(),
            effort: context.effort,
            checks_truncation: false,
        };
        match self.run_job(asking, &mut job).await {
            Ok(summary) => Ok(Some(WrittenSummary {
                summary,
                writer: SummaryWriter::Provider,
                model: Some(model.clone()),
                // The messages are sent with the pinned ones among them.
                unsummarized_pins: Vec::new(),
                is_provider_over_budget: false,
            })),
            Err(error) if self.cancel.is_cancelled() => Err(error),
            Err(error @ Error::OverBudget { .. }) => Err(error),
            Err(error) => {
                tracing::warn!(model = %model.model, %error, "the provider wrote no summary");
                let is_refused = self.env.models.provider_compaction(model)
                    == Some(ProviderCompactionState::Refused);
                self.log_missing(match error {
                    Error::TooLong { .. } => NoProviderSummaryReason::TooLong,
                    _ if is_refused => NoProviderSummaryReason::Refused,
                    _ => NoProviderSummaryReason::Failed,
                })
                .await;
                Ok(None)
            }
        }
    }

    /// Logs the reason why the provider wrote no summary.
    pub(super) async fn log_missing(&self, reason: NoProviderSummaryReason) {
        let event = AutomaticEvent::NoProviderSummary { model: self.context.model.clone(), reason };
        let thread = self.context.loaded.thread.id;
        if let Err(error) = self.env.store.append_activity(thread, event, now()).await {
            tracing::warn!(%error, "a missing summary of a provider is missing from the log");
        }
    }
}
