//! The cost of the next message of a session, before it is sent.
//!
//! It is the cost of one request; the results of tool calls are sent in further requests. Not here: the
//! arithmetic (`skein_context::cost`), or the cost of a compaction (`compaction::compaction_cost`).

use skein_context::cost::Pricing;
use skein_context::cost::estimate::{
    AnswerLength, CostEstimate, ExpectedCall, TokenRange, estimate,
};
use skein_context::cost::prompt_cache::{CacheLifetime, LONGEST_LIFETIME, LastRequest};
use skein_context::tokens::token_count::TokenCount;
use skein_context::window::prefix_tokens;
use skein_domain::error::Result;
use skein_domain::generation::Generation;
use skein_domain::ids::PointId;
use skein_store::Store;

use super::context_reports::ContextReports;
use super::turn_context::TurnContext;
use crate::clock::now;
use crate::models::Models;
use crate::view::NextMessageCost;

/// A prompt from so many tokens on is long: a word is said when the provider's cache has lost it.
const LONG_PROMPT: u32 = 32_000;

/// The size of the next prompt.
pub(super) struct NextPrompt {
    /// Tokens of the prompt.
    pub used: TokenCount,
    /// Tokens of the prompt after a compaction, from a summary and facts of no length to ones as long as
    /// allowed; `None`: there is nothing to compact.
    pub compacted: Option<TokenRange>,
    /// The compaction point that applies; `None`: none does.
    pub point: Option<PointId>,
}

/// The part of the next prompt that may be in the provider's cache, in tokens.
pub(crate) struct CachedPrompt {
    /// The likely part, by the provider's cache rules and the last request.
    pub likely: u32,
    /// The largest possible part, also from requests of other sessions.
    pub possible: u32,
    /// True if the cache held the conversation and has lost it by now.
    pub is_expired: bool,
}

impl ContextReports {
    /// The cost of the next message as it stands, and after a compaction.
    pub(super) async fn next_message_cost(
        &self,
        context: &TurnContext,
        next: NextPrompt,
    ) -> Result<NextMessageCost> {
        let tokens = next.used.tokens;
        let cached = cached_prompt(&self.store, &self.models, context, &next).await?;
        let replies = context.status.latest_replies.iter();
        let latest: Vec<_> = replies
            .filter(|reply| reply.finish.is_some())
            .filter_map(|reply| reply.usage.completion)
            .collect();
        let answer = AnswerLength::expected(&latest, context.max_output(tokens));
        let pricing = pricing(context, &self.models);
        let estimated = |prompt: TokenRange, cached: u32| {
            let call =
                ExpectedCall { prompt, cached, answer: answer.least, longest_answer: answer.most };
            estimate(&[call], &pricing)
        };
        // After a compaction only the system prompt and the tools are the same as before.
        let always = always_sent(context).most;
        let is_lost = cached.is_expired && tokens >= LONG_PROMPT && next.compacted.is_some();
        Ok(NextMessageCost {
            expired: is_lost.then(|| estimated(context.provider_tokens(tokens), 0)),
            now: estimated(context.provider_tokens(tokens), cached.possible),
            cached: cached.likely,
            fresh: tokens.saturating_sub(cached.likely),
            answer,
            declares_tools: context.tool_tokens() > 0,
            compacted: next.compacted.map(|range| estimated(context.provider_range(range), always)),
        })
    }
}

/// The cost of a conversation that a model reads for the first time, without its reply.
pub(crate) fn uncached_cost(context: &TurnContext, models: &Models) -> CostEstimate {
    let tokens = context.with_window(None, |window| window.used.tokens);
    let prompt = context.provider_tokens(tokens);
    let call = ExpectedCall { prompt, cached: 0, answer: 0, longest_answer: Some(0) };
    estimate(&[call], &models.pricing(&context.model, None, now()))
}

/// The cost of reading some tokens of the next message: from the cache at least, anew at most.
pub(super) fn reading_cost(context: &TurnContext, models: &Models, tokens: u32) -> CostEstimate {
    let prompt = TokenRange { least: tokens, most: tokens };
    let call = ExpectedCall { prompt, cached: tokens, answer: 0, longest_answer: Some(0) };
    estimate(&[call], &pricing(context, models))
}

/// The prices of the next message: those of an hour's writes, where it will be kept so long.
fn pricing(context: &TurnContext, models: &Models) -> Pricing {
    models.pricing(&context.model, None, now()).with_cache_lifetime(context.cache_lifetime)
}

/// The part of a thread's next prompt that may be in the provider's cache.
async fn cached_prompt(
    store: &Store,
    models: &Models,
    context: &TurnContext,
    next: &NextPrompt,
) -> Result<CachedPrompt> {
    let age = |reply: &Generation| now() - reply.started_at - i64::from(reply.duration_ms);
    let last = context
        .reported()
        .and_then(|reply| Some(LastRequest { prompt: reply.usage.prompt?, age: age(reply) }));
    let start = store.request_start(context.loaded.thread.id).await?;
    let asked_for = start.as_ref().map_or(CacheLifetime::Usual, |start| start.lifetime);
    let rules = models.cache_rules(&context.model).asked_for(asked_for);
    let likely = rules.likely_cached(last, next.used.tokens);
    // The cache may hold a request whose report no longer describes this context.
    let sent = context.status.last_reply();
    let sent = sent.filter(|reply| reply.model == context.model && reply.point == next.point);
    let has_cache = start.is_some_and(|start| start.has_cache);
    let is_expired = has_cache && sent.is_some_and(|reply| age(reply) > rules.expiry);
    let sent = sent.filter(|reply| age(reply) <= LONGEST_LIFETIME).map_or(0, |reply| {
        let (prompt, answer) = (reply.usage.prompt, reply.usage.completion);
        prompt.unwrap_or(0).saturating_add(answer.unwrap_or(0))
    });
    Ok(CachedPrompt { likely, possible: sent.max(always_sent(context).most), is_expired })
}

/// Tokens of the system prompt and the tools, which another session may have sent before.
fn always_sent(context: &TurnContext) -> TokenRange {
    context.provider_tokens(prefix_tokens(&context.prefix))
}
