//! The use of the context window.

use skein_app::view::{
    CacheReport, ContextEstimate, DraftSize, HealthPoint, HealthView, StrategyNumbers,
};
use skein_context::health::breakdown::Breakdown;
use skein_context::health::superseded_reads::SupersededRead;
use skein_context::savings::ContextSaving;
use skein_domain::draft::Draft;
use skein_domain::ids::{MessageId, SessionId, ThreadId};
use skein_store::{ActivityLogEntry, PromptView};

use crate::commands::commands;

commands! {
    /// The numbers beside the composer.
    fn estimate(session_id: SessionId, draft: Draft) -> ContextEstimate => context.estimate;

    /// The tokens of a draft alone.
    fn draft_size(session_id: SessionId, draft: Draft) -> DraftSize => context.draft_size;

    /// The rows that add up to the context window (Q01).
    fn breakdown(session_id: SessionId, draft: Draft) -> Breakdown => context.breakdown;

    /// The parts of the next request that may not be needed, the largest first.
    fn context_savings(session_id: SessionId) -> Vec<ContextSaving> => context.savings;

    /// The reads whose outputs later reads of the same file replace in the next request.
    fn superseded_reads(session_id: SessionId) -> Vec<SupersededRead> => context.superseded_reads;

    /// The use of the provider's cache by the session.
    fn cache_report(session_id: SessionId) -> CacheReport => context.cache_report;

    /// The next request, part by part.
    fn seen_by_model(session_id: SessionId, draft: Draft) -> PromptView => context.seen_by_model;

    /// The request that a reply answered, part by part.
    fn seen_by_reply(message_id: MessageId) -> Option<PromptView> => store.sent_request;

    /// The health of the context (D16).
    fn health(session_id: SessionId) -> HealthView => context.health;

    /// The health of a thread's latest replies, for the chart (D16).
    fn health_history(thread_id: ThreadId, limit: u32) -> Vec<HealthPoint>
        => context.health_history;

    /// The numbers of each strategy, for the session's model or the model of new sessions.
    fn strategies(session_id: Option<SessionId>) -> StrategyNumbers => context.strategies;

    /// Posts the breakdown as a card that is never sent (`/context`).
    fn post_context(session_id: SessionId) -> () => context.post_context;

    /// The log of automatic events, oldest first.
    fn automatic_log(thread_id: ThreadId) -> Vec<ActivityLogEntry> => store.activity_log;
}
