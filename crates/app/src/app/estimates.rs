//! How full the window is and what fills it, for the person.

use skein_context::compaction::decision::CompactionAttempt;
use skein_context::compaction::forecast::{Forecast, forecast};
use skein_context::compaction::remediation::Remediation;
use skein_context::health::breakdown::{Breakdown, breakdown};
use skein_context::health::{HealthThresholds, health_snapshot};
use skein_context::limits::policy::Policy;
use skein_domain::draft::Draft;
use skein_domain::error::{Error, Result};
use skein_domain::generation::Generation;
use skein_domain::ids::{SessionId, ThreadId};
use skein_domain::message::{ContentPart, MessageKind, MessageState, Origin, Role};
use skein_domain::strategy::Strategy;
use skein_domain::usage::TokenUsage;
use skein_store::{ActivityLogEntry, MessageParent, NewMessage};

use super::App;
use super::turn_context::TurnContext;
use crate::events::Topic;
use crate::view::{ContextEstimate, HealthPoint, HealthView, PromptView, TokenShare};

impl App {
    /// The numbers beside the box: everything that would be sent now, the draft included.
    pub async fn estimate(&self, session: SessionId, draft: Draft) -> Result<ContextEstimate> {
        let context = self.turn_context(session).await?;
        let drafted = self.count_draft(context.counter.as_ref(), draft).await?;
        let facts =
            self.gate_inputs(&context, CompactionAttempt::None, Remediation::default()).await?;
        let (used, due) = context.with_window(drafted.as_draft(), |window| {
            (window.used, forecast(window, &facts.state(&context)))
        });
        let limit = context.spec.max_prompt();
        Ok(ContextEstimate {
            used,
            spread: context.counter.error_percent(),
            limit,
            window: context
                .limits
                .window
                .filter(|window| limit.is_some_and(|it| it.value < *window)),
            acts_at: acts_at(&context, due),
            acts_share: acts_share(&context, due),
            due,
            model: context.model,
        })
    }

    /// Q01: rows that sum to the window. Where no report holds, the draft is among them, so that they
    /// say the same as [`App::estimate`].
    pub async fn breakdown(&self, session: SessionId, draft: Draft) -> Result<Breakdown> {
        let context = self.turn_context(session).await?;
        self.breakdown_of(&context, draft).await
    }

    async fn breakdown_of(&self, context: &TurnContext, draft: Draft) -> Result<Breakdown> {
        let ledger = context.last_report(self).await?;
        let drafted = self.count_draft(context.counter.as_ref(), draft).await?;
        Ok(context.with_window(drafted.as_draft(), |window| {
            breakdown(window, context.limits, ledger.current(window, &context.model))
        }))
    }

    /// The request itself, part by part.
    pub async fn seen_by_model(&self, session: SessionId, draft: Draft) -> Result<PromptView> {
        let context = self.turn_context(session).await?;
        let whole = self.message_parts(draft.clone()).await?;
        let drafted = self.count_draft(context.counter.as_ref(), draft).await?.with_parts(whole);
        let left_out = context.loaded.messages().filter(|message| message.is_left_out()).count();
        Ok(context.with_window(drafted.as_draft(), |window| PromptView {
            lines: window.preview(),
            total: window.used,
            left_out: u32::try_from(left_out).unwrap_or(u32::MAX),
        }))
    }

    /// D16: the indicator of the current thread, and what stands in its way.
    pub async fn health(&self, session: SessionId) -> Result<HealthView> {
        let context = self.turn_context(session).await?;
        let reported = context.reported(self).await?;
        let (health, unmentioned) =
            reported.map(|reply| (reply.health, reply.unmentioned)).unwrap_or_default();
        Ok(HealthView {
            latest: health
                .unwrap_or_else(|| health_snapshot(&TokenUsage::default(), &context.spec)),
            unmentioned,
            waits: self.blocked_state(&context).await?,
        })
    }

    /// D16: the chart of a thread: its latest replies, at most so many, oldest first.
    pub async fn health_history(&self, thread: ThreadId, limit: u32) -> Result<Vec<HealthPoint>> {
        let replies = self.store.last_with_health(thread, limit).await?.into_iter();
        let point = |reply: Generation| {
            Some(HealthPoint {
                at: reply.started_at,
                health: reply.health?,
                cached: reply.usage.cached,
            })
        };
        Ok(replies.filter_map(point).collect())
    }

    /// `/context`: the breakdown as a card in the conversation, never sent to the model.
    pub async fn post_context(&self, session: SessionId) -> Result<()> {
        let context = self.turn_context(session).await?;
        let breakdown = self.breakdown_of(&context, Draft::default()).await?;
        let json = serde_json::to_string(&breakdown)
            .map_err(|error| Error::Storage { detail: error.to_string() })?;
        let thread_id = context.loaded.thread.id;
        let card = NewMessage {
            parent: MessageParent::Leaf,
            kind: MessageKind::Card {},
            role: Role::User,
            origin: Origin::Runtime,
            parts: vec![ContentPart::Text { text: json }],
            state: MessageState::Complete {},
            model: Some(context.model),
            created_at: self.now(),
        };
        self.store.append_message(thread_id, card).await?;
        self.notify_changed([Topic::Thread { thread_id }]);
        Ok(())
    }

    /// Everything that happened by itself in a thread, oldest first.
    pub async fn automatic_log(&self, thread: ThreadId) -> Result<Vec<ActivityLogEntry>> {
        self.store.activity_log(thread).await
    }
}

/// Where the strategy acts by itself, as things stand: the reported prompt size for `remind`, else the
/// estimate.
fn acts_at(context: &TurnContext, due: Option<Forecast>) -> Option<u32> {
    if let Some(Forecast::Stuck { instead, .. }) = due {
        return instead;
    }
    let Policy { automatic: true, strategy, .. } = context.policy else { return None };
    match strategy {
        Strategy::Summarize => context.limits.threshold(&context.policy),
        Strategy::Archive => context.limits.archive_threshold(&context.policy),
        Strategy::Remind => Some(HealthThresholds::of(&context.spec)?.optimal),
    }
}

/// What [`acts_at`] is a share of. `None` where it is no share: past the threshold, or under `remind`.
fn acts_share(context: &TurnContext, due: Option<Forecast>) -> Option<TokenShare> {
    if let Some(Forecast::Stuck { .. }) = due {
        return None;
    }
    let Policy { automatic: true, strategy, output_reserve, .. } = context.policy else {
        return None;
    };
    match strategy {
        Strategy::Summarize => Some(TokenShare {
            percent: context.policy.compaction_threshold,
            of: context.limits.available(output_reserve)?,
        }),
        Strategy::Archive => Some(TokenShare {
            percent: context.policy.archive_at,
            of: context.limits.max_prompt()?,
        }),
        Strategy::Remind => None,
    }
}
