//! The cost of a compaction before it starts, and the number of messages after which it has paid for itself.
//!
//! The calls are those of the first model of the chain, when its first attempt succeeds. A rejected summary,
//! and calls of the next model, cost more.
//!
//! Not here: the arithmetic (`skein_context::cost`).

use std::sync::Arc;

use skein_context::compaction::{Plan, PlanPurpose};
use skein_context::cost::estimate::{
    CostEstimate, ExpectedCall, PaidAfter, TokenRange, estimate, paid_after,
};
use skein_context::summary::{SummaryForm, SummaryJob, SummaryRequest};
use skein_context::tokens::TokenCounter;
use skein_context::tokens::message_tokens::{MESSAGE_OVERHEAD, Tokenizer, count_parts};
use skein_context::tokens::token_count::TokenCount;
use skein_domain::compaction_point::SummaryWriter;
use skein_domain::draft::Draft;
use skein_domain::error::Result;
use skein_domain::ids::SessionId;
use skein_domain::model::ModelRef;
use skein_platform::blocking::run_blocking;

use super::provider_summary::{asked_form, first_writer, provider_job};
use super::summary_writer::{piecewise_job, summary_model};
use super::{CompactionService, plan_for_user};
use crate::clock::now;
use crate::context::loaded_thread::LoadedPoint;
use crate::context::turn_context::TurnContext;

/// The reasoning that is expected beside a summary at most, in tokens. A model that reasons for longer costs
/// more.
const REASONING_TOKENS: u32 = 4_000;

/// The largest number of calls of one compaction that are priced.
const MAX_CALLS: usize = 200;

impl CompactionService {
    /// The cost of a summary written by `model`, and the number of messages after which it has paid for
    /// itself. `after`: the tokens of the window afterwards.
    pub(super) async fn cost_of(
        &self,
        context: &TurnContext,
        plan: &Plan,
        (writer, model): (SummaryWriter, &ModelRef),
        after: TokenRange,
    ) -> Result<(Option<CostEstimate>, Option<PaidAfter>)> {
        let models = &self.env.models;
        let calls = self.expected_calls(context, plan, (writer, model)).await?;
        let cost = estimate(&calls, &models.pricing(model, None, now()));
        let pricing = models.pricing(&context.model, None, now());
        let (before, after) = (context.provider_tokens(plan.before), context.provider_range(after));
        let paid_after = paid_after(&cost, before, after, &pricing);
        Ok((Some(cost), paid_after))
    }

    /// The cost of a compaction and of the next message after it, where the provider's cache has lost a long
    /// conversation. `None`: it has not, there is nothing to compact, or the two are in different currencies.
    pub async fn compact_first_cost(
        &self,
        session: SessionId,
        draft: Draft,
    ) -> Result<Option<CostEstimate>> {
        let next = self.context_reports.estimate(session, draft).await?.cost;
        let (Some(_), Some(next)) = (next.expired, next.compacted) else { return Ok(None) };
        let context = self.contexts.of(session).await?;
        let Ok(plan) = plan_for_user(&context, PlanPurpose::UserRequest) else { return Ok(None) };
        let (writer, model) = first_writer(&self.env, &context, &plan);
        let calls = self.expected_calls(&context, &plan, (writer, &model)).await?;
        let uncached: Vec<_> =
            calls.into_iter().map(|call| ExpectedCall { cached: 0, ..call }).collect();
        let pricing = self.env.models.pricing(&model, None, now());
        Ok(estimate(&uncached, &pricing).plus(next))
    }

    /// The calls of a compaction by this model.
    async fn expected_calls(
        &self,
        context: &TurnContext,
        plan: &Plan,
        (writer, model): (SummaryWriter, &ModelRef),
    ) -> Result<Vec<ExpectedCall>> {
        if writer == SummaryWriter::Provider {
            let form = asked_form(&self.env, context, plan);
            let call = form.and_then(|form| provider_call(context, plan, form));
            return Ok(call.into_iter().collect());
        }
        match conversation_call(context, plan, model) {
            Some(call) => Ok(vec![call]),
            None => self.piecewise_calls(context, plan, model).await,
        }
    }

    /// The calls that read the messages as text.
    async fn piecewise_calls(
        &self,
        context: &TurnContext,
        plan: &Plan,
        model: &ModelRef,
    ) -> Result<Vec<ExpectedCall>> {
        let counter = self.env.models.counter(model).await?;
        let writer = summary_model(&self.env.models.spec(model).await?, context, model);
        let previous = context.loaded.points.iter().find(|it| Some(it.point.id) == plan.previous);
        let previous = previous.and_then(LoadedPoint::summary_text).map(str::to_owned);
        let (loaded, plan) = (Arc::clone(&context.loaded), plan.clone());
        run_blocking("pricing a compaction", move || {
            let job = piecewise_job(&loaded, &plan, (previous.as_deref(), None), &counter, writer);
            calls_of(job, &counter, &plan)
        })
        .await
    }
}

/// The call in which the provider summarizes the messages; `None`: they do not fit one.
fn provider_call(context: &TurnContext, plan: &Plan, form: SummaryForm) -> Option<ExpectedCall> {
    let cached = context.cached_tokens();
    let request = provider_job(context, plan, (form, None))?.request()?;
    let prompt = context.provider_tokens(request.prompt_tokens(context.counter.as_ref()));
    Some(summary_call(prompt, cached, &request, plan))
}

/// The call that continues the conversation to get its summary. `None`: the summary is not written that
/// way.
fn conversation_call(context: &TurnContext, plan: &Plan, model: &ModelRef) -> Option<ExpectedCall> {
    if *model != context.model {
        return None;
    }
    let cached = context.cached_tokens();
    let counter = context.counter.as_ref();
    let longest = context.spec.max_output.map(|most| most.value);
    let limits = context.limits;
    let job = context.with_window(None, |window| {
        SummaryJob::continuing_conversation(counter, window, plan, None, cached, limits, longest)
    });
    let request = job?.request()?;
    // The conversation has at least the tokens of its texts, and at most all that is sent.
    let instructions = request.prompt.messages.last();
    let instruction_tokens =
        instructions.map_or(0, |last| count_parts(counter, &last.parts).total());
    let texts = context.provider_tokens(request.text_tokens(counter)).least;
    let all = context.provider_tokens(plan.before.saturating_add(instruction_tokens));
    let prompt = TokenRange { least: texts.min(all.least), most: all.most };
    Some(summary_call(prompt, all.most, &request, plan))
}

/// The calls of a job whose every reply is as long as a summary may be.
fn calls_of(mut job: SummaryJob, counter: &TokenCounter, plan: &Plan) -> Vec<ExpectedCall> {
    let answer = "word ".repeat(plan.summary_room as usize);
    let mut calls = Vec::new();
    while let Some(request) = job.request().filter(|_| calls.len() < MAX_CALLS) {
        let tokens = request.text_tokens(counter).saturating_add(2 * MESSAGE_OVERHEAD);
        let count = TokenCount { tokens, basis: counter.basis() };
        let prompt = TokenRange::around(count, counter.error_percent());
        calls.push(summary_call(prompt, 0, &request, plan));
        job.push_reply(counter, &answer);
    }
    calls
}

/// A call whose reply is a summary, reasoning included.
fn summary_call(
    prompt: TokenRange,
    cached: u32,
    request: &SummaryRequest,
    plan: &Plan,
) -> ExpectedCall {
    let longest = plan.summary_room.saturating_mul(2).saturating_add(REASONING_TOKENS);
    let longest = longest.min(request.max_output);
    let answer = (plan.summary_room / 8).min(longest);
    ExpectedCall { prompt, cached, answer, longest_answer: Some(longest) }
}
