//! The summary that the provider of the conversation's model writes with its own compaction, where the user
//! wants that.
//!
//! Beside one that only the provider can read stands a summary of sentences of the messages, which the user
//! reads and other models are sent: a model that wrote it would be paid for the same messages once more.
//!
//! Where it writes none, the summary is written as without that choice, and the activity log says so. Not
//! here: the request (`skein_context::summary`), or the providers that can be asked (`models`).

use skein_context::compaction::Plan;
use skein_context::summary::{SummaryForm, SummaryJob};
use skein_context::window::item_tokens;
use skein_domain::compaction_point::SummaryWriter;
use skein_domain::encrypted_summary::EncryptedSummary;
use skein_domain::error::{CompactionFailure, Error, Result};
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
    (form, keep): (SummaryForm, Option<&str>),
) -> Option<SummaryJob> {
    let longest = context.spec.max_output.map(|most| most.value);
    let counter = context.counter.as_ref();
    context.with_window(None, |window| {
        SummaryJob::by_provider(counter, window, plan, (form, keep), context.limits, longest)
    })
}

/// The writer of the summary of a plan and its model, if its first attempt succeeds.
pub(super) fn first_writer(
    env: &CompactionEnv,
    context: &TurnContext,
    plan: &Plan,
) -> (SummaryWriter, ModelRef) {
    let form = asked_form(env, context, plan);
    let job = form.and_then(|form| provider_job(context, plan, (form, None)));
    if job.is_some_and(|job| can_gain(env, context, plan, &job)) {
        return (SummaryWriter::Provider, context.model.clone());
    }
    (SummaryWriter::Skein, env.model_choices.first_summary_model(&context.model))
}

/// The least tokens of the encrypted summary of a plan: those of the user's messages that it keeps word for
/// word. `None`: the first writer is not the provider, or writes a text.
pub(super) fn least_encrypted_tokens(
    env: &CompactionEnv,
    context: &TurnContext,
    plan: &Plan,
) -> Option<u32> {
    let form = asked_form(env, context, plan).filter(|form| *form == SummaryForm::Encrypted)?;
    let job = provider_job(context, plan, (form, None))?;
    can_gain(env, context, plan, &job).then(|| kept_tokens(env, context, &job))
}

/// True if the summary of a job may be short enough for the compaction to be worthwhile.
fn can_gain(env: &CompactionEnv, context: &TurnContext, plan: &Plan, job: &SummaryJob) -> bool {
    let kept = kept_tokens(env, context, job);
    kept == 0 || plan.facts_room_beside(kept).is_some()
}

/// The tokens of the user's messages that the summary of a job keeps word for word.
fn kept_tokens(env: &CompactionEnv, context: &TurnContext, job: &SummaryJob) -> u32 {
    let request = job.request().filter(|_| env.models.keeps_user_messages(&context.model));
    request.map_or(0, |request| request.user_tokens(context.counter.as_ref()))
}

/// The form of the summary that the provider is asked for; `None`: the user does not want that, there are no
/// messages to send to it, or it would be an encrypted one of a range within the path, before which the
/// provider may ignore all messages.
pub(super) fn asked_form(
    env: &CompactionEnv,
    context: &TurnContext,
    plan: &Plan,
) -> Option<SummaryForm> {
    let form = env.models.provider_summary_form(&context.model)?;
    let is_possible = form == SummaryForm::Readable || plan.starts_after.is_none();
    (is_possible && !plan.covered.is_empty()).then_some(form)
}

impl Compactor<'_> {
    /// The summary of the provider; `None`: it writes none, and the log says why.
    ///
    /// # Errors
    /// The compaction was cancelled, or a budget is in the way.
    pub(super) async fn write_by_provider(&self) -> Result<Option<WrittenSummary>> {
        let (context, order) = (self.context, &self.order);
        let model = &context.model;
        let Some(form) = asked_form(self.env, context, &order.plan) else { return Ok(None) };
        let form_and_instructions = (form, order.keep.as_deref());
        let Some(mut job) = provider_job(context, &order.plan, form_and_instructions) else {
            self.log_missing(NoProviderSummaryReason::TooLong).await;
            return Ok(None);
        };
        if !can_gain(self.env, context, &order.plan, &job) {
            self.log_missing(NoProviderSummaryReason::GainsTooLittle).await;
            return Ok(None);
        }
        // The provider's cache of the conversation applies only to a request with the same reasoning effort.
        let asking = SummaryCall {
            model,
            counter: context.counter.as_ref(),
            effort: context.effort,
            checks_truncation: false,
        };
        let written = match form {
            SummaryForm::Readable => {
                self.run_job(asking, &mut job).await.map(|summary| WrittenSummary {
                    summary,
                    writer: SummaryWriter::Provider,
                    model: Some(model.clone()),
                    // The messages are sent with the pinned ones among them.
                    unsummarized_pins: Vec::new(),
                    encrypted: None,
                    is_provider_over_budget: false,
                })
            }
            SummaryForm::Encrypted => self.write_encrypted(asking, &job).await,
        };
        match written {
            Ok(written) => Ok(Some(written)),
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

    /// Asks the provider for its encrypted summary, and writes the readable one beside it without a model.
    async fn write_encrypted(
        &self,
        asking: SummaryCall<'_>,
        job: &SummaryJob,
    ) -> Result<WrittenSummary> {
        let unusable = |reason| Error::NotCompacted { reason };
        let request = job.request().ok_or(unusable(CompactionFailure::NothingToCover))?;
        let answer = self.run_call(asking, request, (1, 1)).await?;
        let items = answer.encrypted.ok_or(unusable(CompactionFailure::Empty))?;
        let encrypted = EncryptedSummary {
            origin: self.context.encrypted_origin.clone().unwrap_or_default(),
            model: asking.model.clone(),
            tokens: item_tokens(asking.counter, &items, answer.usage.completion),
            items,
        };
        let plan = &self.order.plan;
        if plan.facts_room_beside(encrypted.tokens).is_none() {
            return Err(unusable(CompactionFailure::TooLittleGained));
        }
        Ok(WrittenSummary {
            summary: self.write_locally().await?,
            writer: SummaryWriter::Skein,
            model: None,
            unsummarized_pins: plan.unread.clone(),
            encrypted: Some(encrypted),
            is_provider_over_budget: false,
        })
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
