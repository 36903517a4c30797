//! The cost of a compaction before it is done, and the number of messages after which it has paid for itself.
//!
//! The calls are those of the first model that would be asked, and of an attempt that succeeds: a summary
//! that is refused, and what is asked of the next model, come on top.

use std::sync::Arc;

use skein_context::compaction::Plan;
use skein_context::cost::estimate::{
    CostEstimate, ExpectedCall, PaidAfter, TokenRange, estimate, paid_after,
};
use skein_context::summary::{SummaryJob, SummaryRequest};
use skein_context::tokens::TokenCounter;
use skein_context::tokens::message_tokens::{MESSAGE_OVERHEAD, Tokenizer, count_parts};
use skein_context::tokens::token_count::TokenCount;
use skein_domain::error::Result;
use skein_domain::model::ModelRef;
use skein_platform::blocking::run_blocking;

use super::CompactionService;
use super::summary_writer::{in_pieces, summary_model};
use crate::clock::now;
use crate::context::thread_cache::LoadedPoint;
use crate::context::turn_context::TurnContext;

/// Tokens that a model is expected to think aloud beside its summary at most. One that thinks for longer
/// costs more.
const THINKING: u32 = 4_000;

/// Calls of one compaction that are looked at: each answer may make another necessary.
const MOST_CALLS: usize = 200;

impl CompactionService {
    /// The cost of a summary that a model writes, and when that has paid for itself.
    pub(super) async fn cost_of(
        &self,
        context: &TurnContext,
        plan: &Plan,
        model: &ModelRef,
    ) -> Result<(Option<CostEstimate>, Option<PaidAfter>)> {
        let models = &self.env.models;
        let calls = match self.in_place(context, plan, model).await? {
            Some(call) => vec![call],
            None => self.in_pieces(context, plan, model).await?,
        };
        let cost = estimate(&calls, &models.pricing(model, None, now()));
        let pricing = models.pricing(&context.model, None, now());
        let (before, after) =
            (context.provider_tokens(plan.before), context.provider_tokens(plan.expected_after));
        let paid_after = paid_after(&cost, before, after, &pricing);
        Ok((Some(cost), paid_after))
    }

    /// The call that goes on with the conversation itself, where that is how it would be done.
    async fn in_place(
        &self,
        context: &TurnContext,
        plan: &Plan,
        model: &ModelRef,
    ) -> Result<Option<ExpectedCall>> {
        if *model != context.model {
            return Ok(None);
        }
        let cached = context.cached_tokens(&self.store).await?;
        let counter = context.counter.as_ref();
        let longest = context.spec.max_output.map(|most| most.value);
        let limits = context.limits;
        let job = context.with_window(None, |window| {
            SummaryJob::continuing_conversation(
                counter, window, plan, None, cached, limits, longest,
            )
        });
        let Some(request) = job.and_then(|job| job.request()) else { return Ok(None) };
        // The conversation ends somewhere between its words alone and all that is sent.
        let asked = request.prompt.messages.last();
        let asked = asked.map_or(0, |last| count_parts(counter, &last.parts).total());
        let words = context.provider_tokens(request.text_tokens(counter)).least;
        let all = context.provider_tokens(plan.before.saturating_add(asked));
        let prompt = TokenRange { least: words.min(all.least), most: all.most };
        Ok(Some(summary_call(prompt, all.most, &request, plan)))
    }

    /// The calls that read the messages as text.
    async fn in_pieces(
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
            let job = in_pieces(&loaded, &plan, (previous.as_deref(), None), &counter, writer);
            calls_of(job, &counter, &plan)
        })
        .await
    }
}

/// The calls of a job, where each answer is as long as a summary may be.
fn calls_of(mut job: SummaryJob, counter: &TokenCounter, plan: &Plan) -> Vec<ExpectedCall> {
    let answer = "word ".repeat(plan.summary_budget as usize);
    let mut calls = Vec::new();
    while let Some(request) = job.request().filter(|_| calls.len() < MOST_CALLS) {
        let tokens = request.text_tokens(counter).saturating_add(2 * MESSAGE_OVERHEAD);
        let count = TokenCount { tokens, basis: counter.basis() };
        let prompt = TokenRange::around(count, counter.error_percent());
        calls.push(summary_call(prompt, 0, &request, plan));
        job.push_reply(counter, &answer);
    }
    calls
}

/// A call whose answer is a summary, thoughts included.
fn summary_call(
    prompt: TokenRange,
    cached: u32,
    request: &SummaryRequest,
    plan: &Plan,
) -> ExpectedCall {
    let longest = plan.summary_budget.saturating_mul(2).saturating_add(THINKING);
    let longest = longest.min(request.max_output);
    let answer = (plan.summary_budget / 8).min(longest);
    ExpectedCall { prompt, cached, answer, longest_answer: Some(longest) }
}
