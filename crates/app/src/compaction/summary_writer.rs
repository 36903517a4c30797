//! Writes a summary: with the first model of a chain that can, else from sentences of the messages.
//!
//! A summary whose prompt the server cut silently is asked for again in smaller pieces, as after an overflow
//! error. Not here: storing it (`compactor`), the prompts and their pieces (`skein_context::summary`).

use std::collections::HashSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use skein_context::compaction::Plan;
use skein_context::facts;
use skein_context::limits::Limits;
use skein_context::summary::{
    self, Completeness, Summary, SummaryInput, SummaryJob, SummaryModel, SummaryRejection,
    SummaryRequest,
};
use skein_context::tokens::TokenCounter;
use skein_context::tokens::message_tokens::Tokenizer;
use skein_context::tokens::token_count::TokenCount;
use skein_domain::compaction_point::SummaryWriter;
use skein_domain::encrypted_summary::EncryptedSummary;
use skein_domain::error::{CompactionFailure, Error, Result};
use skein_domain::finish_reason::FinishReason;
use skein_domain::generation::Purpose;
use skein_domain::ids::MessageId;
use skein_domain::message::Message;
use skein_domain::model::{ModelRef, ModelSpec};
use skein_domain::provider_config::ReasoningEffort;
use skein_platform::blocking::run_blocking;

use super::compactor::{CompactionRequest, Compactor, cancelled, progress};
use crate::context::loaded_thread::{LoadedPoint, LoadedThread};
use crate::context::turn_context::TurnContext;
use crate::model_calls::side_request::{SideReply, SideRequest};
use crate::models::silent_truncation::{Truncation, implied_window};

/// The number of times that a summary is started again in smaller pieces, if its model takes less than
/// assumed.
const MAX_RESTARTS: u32 = 3;

/// Interval between updates of a growing summary.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(100);

/// A summary that was accepted.
pub(super) struct WrittenSummary {
    pub summary: Summary,
    pub writer: SummaryWriter,
    /// The model that wrote it; `None`: the program made it from sentences.
    pub model: Option<ModelRef>,
    /// The pinned messages before the boundary whose text the summary was not made from.
    pub unsummarized_pins: Vec<MessageId>,
    /// The items beside it that only the provider can read; `None`: there are none.
    pub encrypted: Option<EncryptedSummary>,
    /// True if a budget did not allow the provider's own compaction.
    pub is_provider_over_budget: bool,
}

/// The model of a summary's calls, and their parameters.
#[derive(Clone, Copy)]
pub(super) struct SummaryCall<'a> {
    pub model: &'a ModelRef,
    pub counter: &'a TokenCounter,
    pub effort: ReasoningEffort,
    /// True if the reported prompt tokens are compared with the count, to detect a cut prompt.
    pub checks_truncation: bool,
}

impl Compactor<'_> {
    /// Validates the text of a summary. Fails if it is too long for the compaction to be worthwhile: the next
    /// model of the chain is tried then, as after an empty reply.
    fn validate(&self, text: &str, ending: Completeness) -> Result<Summary> {
        let Plan { replaced, .. } = self.order.plan;
        let summary =
            summary::validate_summary(self.context.counter.as_ref(), text, ending, replaced)
                .map_err(|reason| Error::NotCompacted { reason: not_compacted(reason) })?;
        let beside = self.order.plan.facts_room_beside(summary.tokens);
        let too_long = Error::NotCompacted { reason: CompactionFailure::TooLittleGained };
        beside.map(|_| summary).ok_or(too_long)
    }

    /// Writes the summary with the provider's own compaction if the user wants that, with the first model of
    /// the chain that can, or else from sentences of the messages. Where a budget is in the way of a model
    /// and none after it can, nothing is written: the user is asked.
    pub(super) async fn write(&self) -> Result<WrittenSummary> {
        let mut over_budget = None;
        match self.write_by_provider().await {
            Ok(Some(written)) => return Ok(written),
            Ok(None) => {}
            Err(error @ Error::OverBudget { .. }) => over_budget = Some(error),
            Err(error) => return Err(error),
        }
        let is_provider_over_budget = over_budget.is_some();
        for model in self.env.model_choices.summary_models(&self.context.model) {
            match self.write_with(&model).await {
                Ok(written) => return Ok(WrittenSummary { is_provider_over_budget, ..written }),
                Err(error) if is_cancelled(&error) => return Err(error),
                Err(error @ Error::OverBudget { .. }) => over_budget = over_budget.or(Some(error)),
                Err(error) => {
                    tracing::warn!(model = %model.model, %error, "the summary model failed");
                }
            }
        }
        if let Some(error) = over_budget {
            return Err(error);
        }
        Ok(WrittenSummary {
            summary: self.write_locally().await?,
            writer: SummaryWriter::Skein,
            model: None,
            unsummarized_pins: self.order.plan.unread.clone(),
            encrypted: None,
            is_provider_over_budget,
        })
    }

    async fn write_with(&self, model: &ModelRef) -> Result<WrittenSummary> {
        let written = |summary, unread| WrittenSummary {
            summary,
            writer: SummaryWriter::Skein,
            model: Some(model.clone()),
            unsummarized_pins: unread,
            encrypted: None,
            is_provider_over_budget: false,
        };
        if let Some(mut job) = self.conversation_job(model) {
            // The provider's cache of the conversation applies only to a request with the same reasoning
            // effort.
            let effort = self.context.effort;
            let counter = self.context.counter.as_ref();
            let asking = SummaryCall { model, counter, effort, checks_truncation: false };
            match self.run_job(asking, &mut job).await {
                Err(error) if !is_cancelled(&error) => {
                    tracing::info!(model = %model.model, %error, "no summary in place");
                }
                // The conversation contains the pinned messages as well.
                done => return Ok(written(done?, Vec::new())),
            }
        }
        let summary = self.write_in_pieces(model).await?;
        Ok(written(summary, self.order.plan.unread.clone()))
    }

    /// Writes a summary of the messages as text, in pieces that the model takes. If the model takes less than
    /// assumed, and reports an error or a cut prompt, the messages are divided into smaller pieces.
    async fn write_in_pieces(&self, model: &ModelRef) -> Result<Summary> {
        let counter = self.env.models.counter(model).await?;
        let effort = self.env.models.background_effort(model);
        let mut writer = self.load_summary_model(model).await?;
        let mut restarts = 0;
        loop {
            let mut job = self.make_piecewise_job(Arc::clone(&counter), writer).await?;
            let counter = counter.as_ref();
            // A server that reports too few tokens even for the smallest pieces excludes cached ones.
            let checks_truncation = restarts < MAX_RESTARTS;
            let asking = SummaryCall { model, counter, effort, checks_truncation };
            let done = self.run_job(asking, &mut job).await;
            let Err(Error::TooLong { limit: named, output_only: false, .. }) = done else {
                return done;
            };
            let Some(refused) = job.request().filter(|_| checks_truncation) else { return done };
            restarts += 1;
            let refused_tokens = refused.text_tokens(counter).saturating_add(refused.max_output);
            writer = writer.with_limit(refused_tokens, named);
            tracing::info!(model = %model.model, ?writer, "a summary starts again in smaller pieces");
        }
    }

    /// Divides the messages into calls that the model takes, on a blocking thread.
    async fn make_piecewise_job(
        &self,
        counter: Arc<TokenCounter>,
        writer: SummaryModel,
    ) -> Result<SummaryJob> {
        let CompactionRequest { plan, keep, .. } = &self.order;
        let previous = self.previous()?.and_then(LoadedPoint::summary_text).map(str::to_owned);
        let (loaded, plan, keep) = (Arc::clone(&self.context.loaded), plan.clone(), keep.clone());
        run_blocking("dividing a conversation for its summary", move || {
            let (previous, keep) = (previous.as_deref(), keep.as_deref());
            piecewise_job(&loaded, &plan, (previous, keep), counter.as_ref(), writer)
        })
        .await
    }

    /// The limits of the model that writes the summary.
    async fn load_summary_model(&self, model: &ModelRef) -> Result<SummaryModel> {
        Ok(summary_model(&self.env.models.spec(model).await?, self.context, model))
    }

    /// A job that continues the conversation itself. `None`: another model writes the summary, or reading the
    /// provider's cache of the conversation is not cheaper than sending the messages as text.
    fn conversation_job(&self, model: &ModelRef) -> Option<SummaryJob> {
        let context = self.context;
        if *model != context.model {
            return None;
        }
        let cached = context.cached_tokens();
        let (keep, plan) = (self.order.keep.as_deref(), &self.order.plan);
        let counter = context.counter.as_ref();
        let longest = context.spec.max_output.map(|most| most.value);
        context.with_window(None, |window| {
            SummaryJob::continuing_conversation(
                counter,
                window,
                plan,
                keep,
                cached,
                context.limits,
                longest,
            )
        })
    }

    /// Makes the calls of a job and validates the summary. A call that fails remains the job's next one.
    pub(super) async fn run_job(
        &self,
        asking: SummaryCall<'_>,
        job: &mut SummaryJob,
    ) -> Result<Summary> {
        let counter = asking.counter;
        let mut calls = 0;
        let mut ending = Completeness::Complete;
        while let Some(request) = job.request() {
            calls += 1;
            let left = u32::try_from(job.remaining()).unwrap_or(u32::MAX);
            let answer = self.run_call(asking, request, (calls, calls + left - 1)).await?;
            ending = match answer.finish {
                Some(FinishReason::Stop) => Completeness::Complete,
                Some(
                    FinishReason::ToolCalls
                    | FinishReason::Length
                    | FinishReason::WindowFull
                    | FinishReason::Filtered,
                )
                | None => Completeness::Truncated,
            };
            if ending == Completeness::Truncated {
                break;
            }
            job.push_reply(counter, &answer.text);
        }
        let summary = self.validate(&job.text(), ending)?;
        self.check_content(&summary).await?;
        Ok(summary)
    }

    /// Rejects a very short summary that contains nothing of the messages.
    async fn check_content(&self, summary: &Summary) -> Result<()> {
        let Plan { summary_room, facts_room, .. } = self.order.plan;
        if !summary::is_thin(summary, summary_room) {
            return Ok(());
        }
        let facts = self.facts("", facts_room).await?;
        if summary::lacks_content(summary, summary_room, &facts.kept) {
            let reason = not_compacted(SummaryRejection::SaysNothing {});
            return Err(Error::NotCompacted { reason });
        }
        Ok(())
    }

    /// Makes one call of a job, and shows the text as it arrives.
    pub(super) async fn run_call(
        &self,
        asking: SummaryCall<'_>,
        request: SummaryRequest,
        (piece, pieces): (u32, u32),
    ) -> Result<SideReply> {
        let SummaryCall { model, counter, effort, checks_truncation } = asking;
        let thread = self.context.loaded.thread.id;
        let mut progress = progress(thread, Some(model), piece, pieces);
        self.show(&progress);
        let tokens = TokenCount { tokens: request.prompt_tokens(counter), basis: counter.basis() };
        let question = SideRequest {
            thread,
            purpose: Purpose::Summary,
            model,
            prompt: request.prompt,
            by_provider: request.by_provider,
            tokens: Some(tokens),
            checks_truncation,
            max_output: Some(request.max_output),
            effort,
        };
        let mut shown = Instant::now();
        let on_text = |delta: &str| {
            progress.text.push_str(delta);
            if shown.elapsed() >= PROGRESS_INTERVAL {
                self.show(&progress);
                shown = Instant::now();
            }
        };
        let answered = self.env.side_requests.send(question, self.cancel, on_text).await;
        if let Err(Error::TooLong { limit: Some(window), output_only: false, .. }) = &answered {
            self.env.models.learn_window_from_error(thread, model, *window).await?;
        }
        if answered.is_err() {
            let TurnContext { model, encrypted_origin, .. } = self.context;
            let origin = encrypted_origin.as_deref();
            self.env.models.delete_rejected_summaries(thread, model, origin).await?;
        }
        let answer = answered?;
        answer.truncation.map_or(Ok(answer), |cut| Err(truncation_error(cut)))
    }

    /// Writes the summary from sentences of the messages, without a model.
    pub(super) async fn write_locally(&self) -> Result<Summary> {
        let facts = self.facts("", self.order.plan.facts_room).await?;
        self.show(&progress(self.context.loaded.thread.id, None, 1, 1));
        let counter = self.context.counter.as_ref();
        let facts = facts::lines_to_read(&facts.kept);
        let Plan { summary_room: room, covered: ids, .. } = &self.order.plan;
        let (room, originals) = (*room, covered(self.context.loaded.messages(), ids));
        let previous = self.previous()?.and_then(LoadedPoint::summary_text);
        let text = summary::extractive_summary(counter, &originals, previous, &facts, room);
        self.validate(&text, Completeness::Complete)
    }
}

/// The limits of a model that writes a summary. For the model of the context, the context's limits apply too:
/// they may have been learned from an error.
pub(super) fn summary_model(
    spec: &ModelSpec,
    context: &TurnContext,
    model: &ModelRef,
) -> SummaryModel {
    let own = (*model == context.model).then(|| context.limits.max_prompt()).flatten();
    let window = [Limits::of(spec).max_prompt(), own].into_iter().flatten().min();
    SummaryModel { window, max_output: spec.max_output.map(|most| most.value) }
}

/// The calls that read the covered messages as text, together with the former summary and the user's words
/// on what to keep.
pub(super) fn piecewise_job(
    loaded: &LoadedThread,
    plan: &Plan,
    (previous, keep): (Option<&str>, Option<&str>),
    counter: &TokenCounter,
    writer: SummaryModel,
) -> SummaryJob {
    let covered = covered(loaded.messages(), &plan.covered);
    let summary_room = plan.summary_room;
    SummaryJob::new(
        counter,
        SummaryInput { covered: &covered, previous, keep, summary_room },
        writer,
    )
}

/// The messages of a path whose ids are `wanted`, in the path's order.
fn covered<'l>(path: impl Iterator<Item = &'l Message>, wanted: &[MessageId]) -> Vec<&'l Message> {
    let wanted: HashSet<_> = wanted.iter().collect();
    path.filter(|message| wanted.contains(&message.id)).collect()
}

/// The overflow error that a server should have returned for a prompt that it truncated.
fn truncation_error(Truncation { how, read, sent }: Truncation) -> Error {
    let (limit, actual) = (implied_window(how, read), Some(sent));
    Error::TooLong { limit, actual, output_only: false, message: String::new() }
}

/// The failure of a compaction whose summary was rejected.
fn not_compacted(reason: SummaryRejection) -> CompactionFailure {
    match reason {
        SummaryRejection::Empty {} | SummaryRejection::SaysNothing {} => CompactionFailure::Empty,
        SummaryRejection::CutOff {} => CompactionFailure::CutOff,
        SummaryRejection::NotShorter { .. } => CompactionFailure::NotShorter,
    }
}

/// True if the user cancelled the compaction: no further model is tried then.
fn is_cancelled(error: &Error) -> bool {
    *error == cancelled()
}
