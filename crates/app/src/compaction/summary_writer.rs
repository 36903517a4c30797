//! Has a summary written: by the first model of a chain that manages to, else by the program itself.
//!
//! A summary whose prompt the server cut silently is asked for again in smaller pieces, as after an overflow
//! error.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use skein_context::compaction::Plan;
use skein_context::facts::{self, FactSelection};
use skein_context::limits::Limits;
use skein_context::summary::{
    self, Completeness, Summary, SummaryInput, SummaryJob, SummaryModel, SummaryRejection,
    SummaryRequest,
};
use skein_context::tokens::TokenCounter;
use skein_context::tokens::message_tokens::Tokenizer;
use skein_context::tokens::token_count::TokenCount;
use skein_domain::error::{CompactionFailure, Error, Result};
use skein_domain::finish_reason::FinishReason;
use skein_domain::generation::Purpose;
use skein_domain::ids::MessageId;
use skein_domain::message::Message;
use skein_domain::model::{ModelRef, ModelSpec};
use skein_domain::provider_config::ReasoningEffort;
use skein_platform::blocking::run_blocking;

use super::compactor::{CompactionRequest, Compactor, cancelled, progress};
use crate::context::thread_cache::{LoadedPoint, LoadedThread};
use crate::context::turn_context::TurnContext;
use crate::model_calls::side_request::{SideReply, SideRequest};
use crate::models::silent_truncation::{Truncation, implied_window};

/// So often a summary is begun anew in smaller pieces, where its model takes less than was thought.
const CUT_ANEW: u32 = 3;

/// So often a summary is shown as it grows: models write faster than anybody reads.
const SHOWN_EVERY: Duration = Duration::from_millis(100);

/// A summary and who wrote it.
pub(super) struct WrittenSummary {
    pub summary: Summary,
    pub model: Option<ModelRef>,
    /// The pins before the boundary that it was not made of.
    pub unsummarized_pins: Vec<MessageId>,
}

/// Whom a summary is asked of, and how.
#[derive(Clone, Copy)]
struct SummaryCall<'a> {
    model: &'a ModelRef,
    counter: &'a TokenCounter,
    effort: ReasoningEffort,
    /// Whether what is reported of a prompt is held against what was sent.
    checks_truncation: bool,
}

impl Compactor<'_> {
    /// What came back, if it may stand there. Who writes too much for the compaction to be worth it, or for
    /// the call to fit, has failed as whoever writes nothing: the next is asked.
    fn accept(&self, text: &str, ending: Completeness) -> Result<Summary> {
        let Plan { replaced, .. } = self.order.plan;
        let summary =
            summary::validate_summary(self.context.counter.as_ref(), text, ending, replaced)
                .map_err(|reason| Error::NotCompacted { reason: not_compacted(reason) })?;
        let beside = self.order.plan.facts_budget(summary.tokens);
        let too_long = Error::NotCompacted { reason: CompactionFailure::TooLittleGained };
        beside.map(|_| summary).ok_or(too_long)
    }

    /// Down the chain: the first model that manages, else the program itself.
    pub(super) async fn write(&self) -> Result<WrittenSummary> {
        for model in self.env.model_choices.summary_models(&self.context.model) {
            match self.write_with(&model).await {
                Ok(written) => return Ok(written),
                Err(error) if is_cancelled(&error) => return Err(error),
                Err(error) => {
                    tracing::warn!(model = %model.model, %error, "the summary model failed");
                }
            }
        }
        let facts = self.facts("", self.order.plan.anchors_budget).await?;
        let summary = self.write_locally(&facts)?;
        Ok(WrittenSummary {
            summary,
            model: None,
            unsummarized_pins: self.order.plan.unread.clone(),
        })
    }

    async fn write_with(&self, model: &ModelRef) -> Result<WrittenSummary> {
        let written = |summary, unread| WrittenSummary {
            summary,
            model: Some(model.clone()),
            unsummarized_pins: unread,
        };
        if let Some(mut job) = self.in_place(model).await? {
            // What is cached of a conversation is read only by who thinks as hard about it.
            let effort = self.context.effort;
            let counter = self.context.counter.as_ref();
            let asking = SummaryCall { model, counter, effort, checks_truncation: false };
            match self.ask_all(asking, &mut job).await {
                Err(error) if !is_cancelled(&error) => {
                    tracing::info!(model = %model.model, %error, "no summary in place");
                }
                // The conversation holds the pins as well.
                done => return Ok(written(done?, Vec::new())),
            }
        }
        let summary = self.write_in_pieces(model).await?;
        Ok(written(summary, self.order.plan.unread.clone()))
    }

    /// A summary of the messages as text, in pieces that the model takes. Where it takes less than was
    /// thought, and says so or shows it, they are cut anew: no summary fails because the conversation is too
    /// long.
    async fn write_in_pieces(&self, model: &ModelRef) -> Result<Summary> {
        let counter = self.env.models.counter(model).await?;
        let effort = self.env.models.background_effort(model);
        let mut writer = self.writer(model).await?;
        let mut cut_anew = 0;
        loop {
            let mut job = self.cut(Arc::clone(&counter), writer).await?;
            let counter = counter.as_ref();
            // Who reports less than was sent, however little that is, leaves out what was read before.
            let is_watched = cut_anew < CUT_ANEW;
            let asking = SummaryCall { model, counter, effort, checks_truncation: is_watched };
            let done = self.ask_all(asking, &mut job).await;
            let Err(Error::TooLong { limit: named, output_only: false, .. }) = done else {
                return done;
            };
            let Some(refused) = job.request().filter(|_| is_watched) else { return done };
            cut_anew += 1;
            let asked = refused.text_tokens(counter).saturating_add(refused.max_output);
            writer = writer.with_limit(asked, named);
            tracing::info!(model = %model.model, ?writer, "a summary is begun anew in smaller pieces");
        }
    }

    /// What a model is to read, cut into calls that it takes. A long conversation takes a while.
    async fn cut(&self, counter: Arc<TokenCounter>, writer: SummaryModel) -> Result<SummaryJob> {
        let CompactionRequest { plan, keep, .. } = &self.order;
        let previous = self.previous()?.and_then(LoadedPoint::summary_text).map(str::to_owned);
        let (loaded, plan, keep) = (Arc::clone(&self.context.loaded), plan.clone(), keep.clone());
        run_blocking("cutting", move || {
            let (previous, keep) = (previous.as_deref(), keep.as_deref());
            in_pieces(&loaded, &plan, (previous, keep), counter.as_ref(), writer)
        })
        .await
    }

    /// What is known of a model that is to write. Of the session's own a refusal may have taught more.
    async fn writer(&self, model: &ModelRef) -> Result<SummaryModel> {
        Ok(summary_model(&self.env.models.spec(model).await?, self.context, model))
    }

    /// A call that goes on with the conversation itself, where its own model writes the summary and
    /// reading what the provider has cached is cheaper than sending the messages anew.
    async fn in_place(&self, model: &ModelRef) -> Result<Option<SummaryJob>> {
        let context = self.context;
        if *model != context.model {
            return Ok(None);
        }
        let cached = context.cached_tokens(&self.env.store).await?;
        let (keep, plan) = (self.order.keep.as_deref(), &self.order.plan);
        let counter = context.counter.as_ref();
        let longest = context.spec.max_output.map(|most| most.value);
        Ok(context.with_window(None, |window| {
            SummaryJob::continuing_conversation(
                counter,
                window,
                plan,
                keep,
                cached,
                context.limits,
                longest,
            )
        }))
    }

    /// Makes the calls of a job, and accepts what comes of them. One that is refused stays the next of the
    /// job.
    async fn ask_all(&self, asking: SummaryCall<'_>, job: &mut SummaryJob) -> Result<Summary> {
        let counter = asking.counter;
        let mut asked = 0;
        let mut ending = Completeness::Complete;
        while let Some(request) = job.request() {
            asked += 1;
            let left = u32::try_from(job.remaining()).unwrap_or(u32::MAX);
            let answer = self.ask(asking, request, (asked, asked + left - 1)).await?;
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
        let summary = self.accept(&job.text(), ending)?;
        self.refuse_empty_words(&summary).await?;
        Ok(summary)
    }

    /// A few words that hold nothing of what they stand for are no summary, however a model ended them.
    async fn refuse_empty_words(&self, summary: &Summary) -> Result<()> {
        let Plan { summary_budget, anchors_budget, .. } = self.order.plan;
        if !summary::is_thin(summary, summary_budget) {
            return Ok(());
        }
        let facts = self.facts("", anchors_budget).await?;
        if summary::lacks_content(summary, summary_budget, &facts.kept) {
            let reason = not_compacted(SummaryRejection::SaysNothing {});
            return Err(Error::NotCompacted { reason });
        }
        Ok(())
    }

    /// Makes one call of several, and shows what comes of it as it arrives.
    async fn ask(
        &self,
        asking: SummaryCall<'_>,
        request: SummaryRequest,
        (piece, pieces): (u32, u32),
    ) -> Result<SideReply> {
        let SummaryCall { model, counter, effort, checks_truncation: is_watched } = asking;
        let thread = self.context.loaded.thread.id;
        let mut progress = progress(thread, Some(model), piece, pieces);
        self.show(&progress);
        let sent = || TokenCount { tokens: request.text_tokens(counter), basis: counter.basis() };
        let sent = is_watched.then(sent);
        let question = SideRequest {
            thread,
            purpose: Purpose::Summary,
            model,
            prompt: request.prompt,
            sent,
            max_output: request.max_output,
            effort,
        };
        let mut shown = Instant::now();
        let heard = |delta: &str| {
            progress.text.push_str(delta);
            if shown.elapsed() >= SHOWN_EVERY {
                self.show(&progress);
                shown = Instant::now();
            }
        };
        let answered = self.env.side_requests.send(question, self.cancel, heard).await;
        if let Err(Error::TooLong { limit: Some(window), output_only: false, .. }) = &answered {
            self.env.models.learn_window_from_error(thread, model, *window).await?;
        }
        let answer = answered?;
        answer.truncation.map_or(Ok(answer), |cut| Err(refusal(cut)))
    }

    fn write_locally(&self, facts: &FactSelection) -> Result<Summary> {
        self.show(&progress(self.context.loaded.thread.id, None, 1, 1));
        let counter = self.context.counter.as_ref();
        let facts = facts::lines_to_read(&facts.kept);
        let Plan { summary_budget: budget, covered: ids, .. } = &self.order.plan;
        let (budget, originals) = (*budget, covered(self.context.loaded.messages(), ids));
        let previous = self.previous()?.and_then(LoadedPoint::summary_text);
        let text = summary::extractive_summary(counter, &originals, previous, &facts, budget);
        self.accept(&text, Completeness::Complete)
    }
}

/// A model that is to write a summary of a context.
pub(super) fn summary_model(
    spec: &ModelSpec,
    context: &TurnContext,
    model: &ModelRef,
) -> SummaryModel {
    let own = (*model == context.model).then(|| context.limits.max_prompt()).flatten();
    let window = [Limits::of(spec).max_prompt(), own].into_iter().flatten().min();
    SummaryModel { window, max_output: spec.max_output.map(|most| most.value) }
}

/// The calls that read the covered messages as text, beside the summary so far and what the user asked to
/// keep.
pub(super) fn in_pieces(
    loaded: &LoadedThread,
    plan: &Plan,
    (previous, keep): (Option<&str>, Option<&str>),
    counter: &TokenCounter,
    writer: SummaryModel,
) -> SummaryJob {
    let covered = covered(loaded.messages(), &plan.covered);
    let budget = plan.summary_budget;
    SummaryJob::new(counter, SummaryInput { covered: &covered, previous, keep, budget }, writer)
}

/// These messages of a path, in its order.
fn covered<'l>(path: impl Iterator<Item = &'l Message>, wanted: &[MessageId]) -> Vec<&'l Message> {
    let wanted: HashSet<_> = wanted.iter().collect();
    path.filter(|message| wanted.contains(&message.id)).collect()
}

/// What a report of a prompt that was cut says, as a refusal would have.
fn refusal(Truncation { how, read, sent }: Truncation) -> Error {
    let (limit, actual) = (implied_window(how, read), Some(sent));
    Error::TooLong { limit, actual, output_only: false, message: String::new() }
}

/// Why nothing was compacted, where a summary was not accepted.
fn not_compacted(reason: SummaryRejection) -> CompactionFailure {
    match reason {
        SummaryRejection::Empty {} | SummaryRejection::SaysNothing {} => CompactionFailure::Empty,
        SummaryRejection::CutOff {} => CompactionFailure::CutOff,
        SummaryRejection::NotShorter { .. } => CompactionFailure::NotShorter,
    }
}

/// Whether the person stopped it: nobody else is asked then.
fn is_cancelled(error: &Error) -> bool {
    *error == cancelled()
}
