//! Reports for the UI: how full the window is, what fills it, and what the next message does.
//!
//! Not here: the numbers themselves (`skein_context`), the cost of the next message (`next_message_cost`).

use std::sync::Arc;

use skein_context::compaction::decision::{CompactionAttempt, GateState};
use skein_context::compaction::forecast::{Forecast, forecast};
use skein_context::compaction::remediation::Remediation;
use skein_context::compaction::{PlanOutcome, PlanPurpose, plan};
use skein_context::health::breakdown::{Breakdown, breakdown};
use skein_context::health::superseded_reads::{SupersededRead, superseded_reads};
use skein_context::health::{HealthThresholds, health_snapshot};
use skein_context::limits::policy::Policy;
use skein_context::savings::{ContextSaving, context_savings};
use skein_context::tokens::message_tokens::count_declaration;
use skein_domain::draft::Draft;
use skein_domain::error::Result;
use skein_domain::generation::Generation;
use skein_domain::ids::{SessionId, ThreadId};
use skein_domain::strategy::Strategy;
use skein_domain::tool_declaration::ToolDeclaration;
use skein_domain::usage::TokenUsage;
use skein_platform::paths::AppPaths;
use skein_store::{PromptView, Store};
use skein_tools::Tool;
use skein_tools::files::workspace::Workspace;

use super::context_card::context_card;
use super::gate::ContextGate;
use super::next_message_cost::{NextPrompt, reading_cost};
use super::turn_context::TurnContext;
use super::turn_contexts::TurnContexts;
use crate::attachments::Attachments;
use crate::events::Topic;
use crate::models::Models;
use crate::models::model_choices::ModelChoices;
use crate::notifier::Notifier;
use crate::settings::SettingsFile;
use crate::tools::Tools;
use crate::view::{ContextEstimate, DraftSize, HealthPoint, HealthView, TokenShare, ToolView};

/// The context reports of every session.
pub struct ContextReports {
    pub(crate) store: Store,
    pub(crate) settings: Arc<SettingsFile>,
    pub(crate) paths: AppPaths,
    pub(crate) notifier: Notifier,
    pub(crate) attachments: Arc<Attachments>,
    pub(crate) models: Arc<Models>,
    pub(crate) model_choices: Arc<ModelChoices>,
    pub(crate) tools: Arc<Tools>,
    pub(crate) contexts: Arc<TurnContexts>,
    pub(crate) gate: Arc<ContextGate>,
}

impl ContextReports {
    /// Every tool with its switch and its tokens. Tools that need a folder are listed even if the session has
    /// none, because they are switched on and off for all sessions.
    pub async fn tools(&self, session: SessionId) -> Result<Vec<ToolView>> {
        let TurnContext { session, counter, toolbox, left_out_tools, .. } =
            self.contexts.of(session).await?;
        let choices = self.tools.choices();
        // The tools are only described: no call uses this folder.
        let folder = self.tools.open_workspace(&session);
        let folder = folder.or_else(|| Workspace::open(&self.paths.config).ok());
        let tools = self.tools.every_tool(&session, folder).await;
        let view = |tool: &Arc<dyn Tool>| {
            let ToolDeclaration { name, description, family, .. } = tool.declaration();
            let limit = choices.output_limits.get(&name).copied();
            ToolView {
                tokens: count_declaration(counter.as_ref(), &tool.declaration()),
                on: choices.is_on(&name),
                declared: toolbox.get(&name).is_some(),
                left_out: left_out_tools.contains(&name),
                deferred: toolbox.is_deferred(&name),
                output_limit: limit.unwrap_or_else(|| tool.output_limit()),
                family,
                description,
                name,
            }
        };
        Ok(tools.iter().map(view).collect())
    }

    /// The numbers beside the composer: the tokens and the cost of the next request, draft included.
    pub async fn estimate(&self, session: SessionId, draft: Draft) -> Result<ContextEstimate> {
        let context = self.contexts.of(session).await?;
        let drafted = self.attachments.count_draft(context.counter.as_ref(), draft).await?;
        let (next, due) = context.with_window(drafted.as_draft(), |window| {
            let compacted = match plan(window, context.limits, PlanPurpose::UserRequest) {
                PlanOutcome::Compact { plan } => Some(plan.range_after()),
                PlanOutcome::Fine {} | PlanOutcome::Stuck { .. } => None,
            };
            let point = window.latest_point().map(|covered| covered.point.id);
            let next = NextPrompt { used: window.used, compacted, point };
            let state = GateState {
                remediation: Remediation::default(),
                ..self.gate.state(&context, window, CompactionAttempt::None)
            };
            (next, forecast(window, &state))
        });
        let limit = context.spec.max_prompt();
        Ok(ContextEstimate {
            used: next.used,
            spread: context.counter.error_percent(),
            limit,
            window: context
                .limits
                .window
                .filter(|window| limit.is_some_and(|it| it.value < *window)),
            acts_at: acts_at(&context, due),
            acts_share: acts_share(&context, due),
            price_step: context.limits.price_step,
            due,
            cost: self.next_message_cost(&context, next).await?,
            model: context.model,
        })
    }

    /// The tokens of a draft, and the prompt limit of the session's model.
    pub async fn draft_size(&self, session: SessionId, draft: Draft) -> Result<DraftSize> {
        let model = self.model_choices.session_model(&self.store.session(session).await?);
        let counter = self.models.counter(&model).await?;
        let drafted = self.attachments.count_draft(&counter, draft).await?;
        let tokens = drafted.tokens();
        let spec = self.models.spec(&model).await?;
        Ok(DraftSize {
            tokens: tokens.total().saturating_sub(tokens.overhead),
            limit: spec.max_prompt().map(|limit| limit.value),
        })
    }

    /// Q01: rows that sum to the tokens of the window. The draft is among them if no provider report applies,
    /// so that they agree with [`ContextReports::estimate`].
    pub async fn breakdown(&self, session: SessionId, draft: Draft) -> Result<Breakdown> {
        let context = self.contexts.of(session).await?;
        self.breakdown_of(&context, draft).await
    }

    async fn breakdown_of(&self, context: &TurnContext, draft: Draft) -> Result<Breakdown> {
        let ledger = context.last_report();
        let drafted = self.attachments.count_draft(context.counter.as_ref(), draft).await?;
        let mut breakdown = context.with_window(drafted.as_draft(), |window| {
            breakdown(window, context.limits, ledger.current(window, &context.model))
        });
        if let Some(deferred) = &mut breakdown.deferred_tools {
            deferred.saved_cost = Some(reading_cost(context, &self.models, deferred.saved));
        }
        Ok(breakdown)
    }

    /// The parts of the next request that may not be needed, the largest first.
    pub async fn savings(&self, session: SessionId) -> Result<Vec<ContextSaving>> {
        let context = self.contexts.of(session).await?;
        let mut savings =
            context.with_window(None, |window| context_savings(window, context.limits));
        for saving in &mut savings {
            saving.cost = Some(reading_cost(&context, &self.models, saving.tokens));
        }
        Ok(savings)
    }

    /// W06: the reads of the current thread whose outputs later reads replace in the next request.
    pub async fn superseded_reads(&self, session: SessionId) -> Result<Vec<SupersededRead>> {
        let context = self.contexts.of(session).await?;
        Ok(context.with_window(None, superseded_reads))
    }

    /// The next request, part by part.
    pub async fn seen_by_model(&self, session: SessionId, draft: Draft) -> Result<PromptView> {
        let context = self.contexts.of(session).await?;
        let whole = self.attachments.message_parts(draft.clone()).await?;
        let drafted =
            self.attachments.count_draft(context.counter.as_ref(), draft).await?.with_parts(whole);
        Ok(context.prompt_view(drafted.as_draft()))
    }

    /// D16: the health of the current thread, and the reason why it is blocked.
    pub async fn health(&self, session: SessionId) -> Result<HealthView> {
        let context = self.contexts.of(session).await?;
        Ok(context.with_window(None, |window| {
            let reported = context.reply_reported_in(window);
            let health = reported.and_then(|reply| reply.health.clone());
            HealthView {
                latest: health
                    .unwrap_or_else(|| health_snapshot(&TokenUsage::default(), &context.spec)),
                unmentioned: reported.and_then(|reply| reply.unmentioned),
                waits: self.gate.block_reason(&context, window),
            }
        }))
    }

    /// D16: the chart of a thread: its latest `limit` replies at most, oldest first.
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

    /// `/context`: posts the breakdown as a card in the conversation. It is never sent to the model.
    pub async fn post_context(&self, session: SessionId) -> Result<()> {
        let context = self.contexts.of(session).await?;
        let breakdown = self.breakdown_of(&context, Draft::default()).await?;
        let thread_id = context.loaded.thread.id;
        let card = context_card(&breakdown, context.model)?;
        self.store.append_message(thread_id, card).await?;
        self.notifier.changed([Topic::Thread { thread_id }]);
        Ok(())
    }
}

/// The tokens at which the strategy acts. Compared with the reported prompt under `remind`, else with the
/// estimate. `None`: it does not act.
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

/// [`acts_at`] as a share. `None`: it is no share, because another limit applies or the strategy is `remind`.
fn acts_share(context: &TurnContext, due: Option<Forecast>) -> Option<TokenShare> {
    if let Some(Forecast::Stuck { .. }) = due {
        return None;
    }
    let Policy { automatic: true, strategy, output_reserve, .. } = context.policy else {
        return None;
    };
    match strategy {
        Strategy::Summarize if context.limits.is_bounded(&context.policy) => None,
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
