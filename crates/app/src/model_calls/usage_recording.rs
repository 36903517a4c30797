//! Measures a generation: usage, health, and what both teach about the model.
//!
//! Not here: storing it with its reply (`turn`), the cost (`costs`).

use std::sync::Arc;

use skein_context::compaction::fingerprint;
use skein_context::cost::cache_miss::{RequestStart, cache_miss};
use skein_context::health;
use skein_context::tokens::comparable_count;
use skein_context::tokens::message_tokens::Tokenizer;
use skein_context::tokens::token_count::{Basis, TokenCount};
use skein_domain::cache_miss::CacheMiss;
use skein_domain::error::{Error, Result};
use skein_domain::finish_reason::FinishReason;
use skein_domain::generation::{Generation, Purpose};
use skein_domain::ids::{MessageId, PointId, ThreadId};
use skein_domain::message::Message;
use skein_domain::model::ValueSource;
use skein_domain::usage::TokenUsage;
use skein_store::Store;

use super::reply_ending::ReplyEnding;
use crate::clock::now;
use crate::context::turn_context::TurnContext;
use crate::models::Models;
use crate::models::silent_truncation::{self, Truncation, TruncationKind, detect_truncation};
use crate::shared_state::SharedState;

/// The measurement of a call that wrote a reply.
pub(crate) struct ReplyUsage {
    /// The data to store.
    pub generation: Generation,
    sent: SentPrompt,
    /// Why the provider's cache was not used; `None`: it was, or nothing is known of it.
    miss: Option<CacheMiss>,
    /// The silent truncation; stored only if it harms the conversation.
    pub truncation: Option<Truncation>,
}

/// Measures replies, and learns from them.
pub(crate) struct UsageRecording {
    store: Store,
    models: Arc<Models>,
}

impl UsageRecording {
    pub fn new(shared: &SharedState, models: Arc<Models>) -> Self {
        Self { store: shared.store.clone(), models }
    }

    /// D01, D02, D10: usage and health of a generation, to be stored with its reply. For a reply that was
    /// stopped or failed, the usage reported until then; `None`: nothing was. Only complete replies calibrate
    /// the counter and are checked for silent truncation.
    pub(crate) async fn measure_reply(
        &self,
        context: &TurnContext,
        reply: &Message,
        usage: TokenUsage,
        ending: &ReplyEnding,
    ) -> Option<ReplyUsage> {
        let finish = match ending {
            ReplyEnding::Finished(reason) => Some(*reason),
            ReplyEnding::Interrupted | ReplyEnding::Failed(_) if usage.is_unavailable() => {
                return None;
            }
            ReplyEnding::Interrupted | ReplyEnding::Failed(_) => None,
        };
        let mut sent = SentPrompt::of(context);
        let is_window_declared = self.models.sends_num_ctx(&context.model.provider);
        let unmentioned = finish
            .and_then(|reason| find_truncation(context, &sent, is_window_declared, usage, reason));
        let place = self.place_of_report(context, &sent).await.unwrap_or_else(|error| {
            // The reply matters more than the position of its report.
            tracing::warn!(%error, "where a reply stands could not be read");
            None
        });
        let snapshot = health::health_snapshot(&usage, &context.spec);
        let generation = Generation {
            message_id: Some(reply.id),
            place,
            purpose: Purpose::Reply,
            model: context.model.clone(),
            usage,
            point: sent.point,
            prefix: Some(sent.prefix.clone()),
            health: Some(snapshot),
            finish,
            started_at: reply.created_at,
            duration_ms: elapsed(reply.created_at, now()),
            unmentioned: unmentioned.filter(|it| it.how.harms() || disproves(it, context)),
        };
        let miss = self.compare_with_last_request(&mut sent.start, &generation, reply.thread_id);
        let miss = miss.await.unwrap_or_else(|error| {
            tracing::warn!(%error, "the last request could not be read");
            None
        });
        Some(ReplyUsage { generation, sent, miss, truncation: unmentioned })
    }

    /// Why the cache was not used for a request; notes in its start whether the provider has a cache.
    async fn compare_with_last_request(
        &self,
        start: &mut RequestStart,
        generation: &Generation,
        thread: ThreadId,
    ) -> Result<Option<CacheMiss>> {
        let TokenUsage { cached, cache_written, .. } = generation.usage;
        start.has_cache = cached.max(cache_written).is_some_and(|tokens| tokens > 0);
        let Some(before) = self.store.request_start(thread).await? else { return Ok(None) };
        start.has_cache |= before.has_cache && before.model == start.model;
        let paused = generation.started_at - before.ended_at;
        let rules = self.models.cache_rules(&generation.model);
        Ok(cache_miss(&before, start, &generation.usage, paused, rules))
    }

    /// Keeps the start of a reply's request, for the next one to be compared with, and why the cache was not
    /// used.
    pub(crate) async fn keep_request_start(&self, reply: &Message, measurement: &ReplyUsage) {
        let (start, miss) = (measurement.sent.start.clone(), measurement.miss.clone());
        let kept = self.store.set_request_start((reply.thread_id, reply.id), start, miss).await;
        if let Err(error) = kept {
            // The reply is stored; only the cause of the next cache miss is lost.
            tracing::warn!(%error, "the start of a request could not be stored");
        }
    }

    /// The index on the path of the reply to this context. Law 7: `None` if a message was left out or
    /// included meanwhile, or the summary was rewritten.
    async fn place_of_report(
        &self,
        context: &TurnContext,
        sent: &SentPrompt,
    ) -> Result<Option<u32>> {
        let left_out = self.store.excluded_messages(context.loaded.thread.id).await?;
        let mut path = context.loaded.messages();
        let same = path.all(|message| message.is_left_out() == left_out.contains(&message.id))
            && self.are_summaries_as_sent(sent).await?;
        Ok(u32::try_from(context.loaded.messages().len()).ok().filter(|_| same))
    }

    /// True if the summaries that were sent are unchanged.
    async fn are_summaries_as_sent(&self, sent: &SentPrompt) -> Result<bool> {
        for (id, sent) in &sent.summaries {
            match self.store.message(*id).await {
                Ok(summary) if fingerprint([&summary]) == *sent => {}
                // The summary was edited or undone.
                Ok(_) | Err(Error::NotFound { .. }) => return Ok(false),
                Err(error) => return Err(error),
            }
        }
        Ok(true)
    }

    /// Calibrates the counter of a model without its own tokeniser with the report and the estimate of the
    /// same prompt. Skips truncated prompts and incomplete replies.
    pub(crate) async fn calibrate_counter(
        &self,
        context: &TurnContext,
        measurement: &ReplyUsage,
    ) -> Result<()> {
        let ReplyUsage { generation, sent, truncation: unmentioned, .. } = measurement;
        if generation.finish.is_none() {
            return Ok(());
        }
        let (model, known) = (context.model.clone(), context.counter.calibration());
        let usage = generation.usage;
        if let Some(read) = usage.prompt {
            self.models.knowledge.window_evidence.refute(&context.model, read);
        }
        let is_cut = unmentioned.as_ref().is_some_and(|it| it.how.is_cut());
        // The tokens of images and encrypted reasoning say nothing about the tokeniser.
        if let Some(reported) = usage.prompt.filter(|_| !is_cut && !sent.has_estimates)
            && context.counter.basis() != Basis::Exact
        {
            let comparable = comparable_count(sent.used.tokens, context.tool_tokens(), reported);
            if let Some(estimated) = comparable {
                self.store.save_calibration(model, estimated, known, reported, now()).await?;
                self.models.notify_limits_changed();
            }
        }
        Ok(())
    }
}

/// The data of a sent prompt that its report is compared with, read from the window once.
struct SentPrompt {
    used: TokenCount,
    /// True if a part of it can only be estimated.
    has_estimates: bool,
    /// The compaction point that applied.
    point: Option<PointId>,
    /// The fingerprint of the prefix.
    prefix: String,
    /// The start that the next request is expected to repeat.
    start: RequestStart,
    /// The summaries in it, with the fingerprints of their texts.
    summaries: Vec<(MessageId, String)>,
}

impl SentPrompt {
    fn of(context: &TurnContext) -> Self {
        context.with_window(None, |window| Self {
            used: window.used,
            has_estimates: window.has_estimates(),
            point: window.latest_point().map(|covered| covered.point.id),
            prefix: window.conversation.prefix.fingerprint.clone(),
            start: RequestStart::of(window, context.model.clone(), context.cache_lifetime, now()),
            summaries: window
                .summaries()
                .map(|it| (it.summary.message.id, fingerprint([it.summary.message])))
                .collect(),
        })
    }
}

/// Detects a silent truncation. A learned factor above 1 is ignored here, because text that providers add may
/// have caused it. Declarations of tools are ignored too, because providers rewrite them: only the rest was
/// certainly sent.
fn find_truncation(
    context: &TurnContext,
    sent: &SentPrompt,
    is_window_declared: bool,
    usage: TokenUsage,
    finish: FinishReason,
) -> Option<Truncation> {
    let SentPrompt { used, has_estimates: guessed, .. } = sent;
    let known = context.counter.calibration();
    let sent = known.without_excess(used.tokens.saturating_sub(context.tool_tokens()));
    let believed = silent_truncation::SentEstimate {
        prompt: (!guessed).then_some(sent),
        is_calibrated: used.basis <= Basis::Calibrated,
        window: context.limits.window,
        is_window_declared,
    };
    let how = detect_truncation(&usage, finish, believed)?;
    Some(Truncation { how, read: usage.prompt?, sent })
}

/// True if the report proves that the window set by the user is too small.
fn disproves(unmentioned: &Truncation, context: &TurnContext) -> bool {
    let own = context.spec.window.is_some_and(|window| window.source == ValueSource::Person);
    own && unmentioned.how == TruncationKind::AboveWindow
}

/// Milliseconds between two times; 0 if the clock was set back in between.
pub(super) fn elapsed(from: i64, to: i64) -> u32 {
    u32::try_from(to.saturating_sub(from).max(0)).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_during_which_the_clock_was_set_back_took_no_time_that_is_known() {
        assert_eq!(elapsed(1_000, 3_500), 2_500);
        assert_eq!(elapsed(3_500, 1_000), 0);
        assert_eq!(elapsed(0, i64::MAX), u32::MAX);
    }
}
