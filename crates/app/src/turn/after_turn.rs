//! The work after a turn, in the background: a compaction, and a title for a new session.
//!
//! Not here: deciding whether to compact (`context::gate`), or writing the title (`titles`).

use std::sync::Arc;

use skein_context::compaction::Plan;
use skein_context::compaction::decision::{CompactionAttempt, Decision, GateTrigger};
use skein_domain::compaction_point::CompactionTrigger;
use skein_domain::error::{Error, Result};
use skein_domain::model::ModelRef;
use skein_store::{AutomaticEvent, Store};

use crate::compaction::compaction_env::CompactionEnv;
use crate::compaction::compactor::{self, CompactionRequest};
use crate::context::gate::ContextGate;
use crate::context::turn_context::TurnContext;
use crate::context::turn_contexts::TurnContexts;
use crate::live::LiveSessions;
use crate::live::live_session::LiveSession;
use crate::live::title_attempts::TurnNumber;
use crate::model_calls::side_request::SideRequests;
use crate::models::Models;
use crate::models::model_choices::ModelChoices;
use crate::notifier::Notifier;
use crate::settings::SettingsFile;
use crate::tasks::Tasks;

/// The services for the work after a turn, and for a compaction beside one.
pub(crate) struct AfterTurn {
    pub store: Store,
    pub settings: Arc<SettingsFile>,
    pub notifier: Notifier,
    pub tasks: Tasks,
    pub live_sessions: Arc<LiveSessions>,
    pub models: Arc<Models>,
    pub model_choices: Arc<ModelChoices>,
    pub contexts: Arc<TurnContexts>,
    pub gate: Arc<ContextGate>,
    pub side_requests: Arc<SideRequests>,
    pub compaction: Arc<CompactionEnv>,
}

impl AfterTurn {
    /// Works in the background after a turn: compacts the conversation for the next message, unless the turn
    /// already tried to, and names a new session. A failed turn names no session, so that a provider that
    /// refused the turn is not called again. The title comes from `answered_by`; `None`: from the session's
    /// own model. The compaction always uses the session's own model, because that answers the next message.
    pub fn run(
        self: &Arc<Self>,
        live: Arc<LiveSession>,
        turn: TurnNumber,
        attempt: CompactionAttempt,
        failed: bool,
        answered_by: Option<ModelRef>,
    ) {
        let after = self.tasks.track(Arc::clone(self));
        self.tasks.spawn_waiting(async move {
            let followed = async {
                let context = after.compact_if_needed(&live, attempt).await?;
                let model = answered_by.unwrap_or_else(|| context.model.clone());
                match failed {
                    true => Ok(()),
                    false => Self::name_session(after, live, turn, context, model).await,
                }
            };
            if let Err(error) = followed.await {
                tracing::warn!(%error, "what follows a turn failed");
            }
        });
    }

    async fn compact_if_needed(
        self: &Arc<Self>,
        live: &Arc<LiveSession>,
        attempt: CompactionAttempt,
    ) -> Result<TurnContext> {
        let context = self.contexts.of(live.session_id).await?;
        if !live.compaction.is_running() {
            let verdict = self.gate.ask(&context, GateTrigger::TurnCompleted, attempt).await?;
            self.apply_decision(&context, verdict.decision).await?;
        }
        Ok(context)
    }

    async fn apply_decision(&self, context: &TurnContext, decision: Decision) -> Result<()> {
        match decision {
            Decision::Compact { plan, .. } => {
                let order =
                    CompactionRequest { plan, trigger: CompactionTrigger::Threshold, keep: None };
                let Ok(begun) = compactor::start(&self.compaction, context, &order.plan).await
                else {
                    return Ok(());
                };
                match compactor::run(begun, context, order).await {
                    Ok(_) | Err(Error::NotCompacted { .. }) => Ok(()),
                    Err(error) => Err(error),
                }
            }
            Decision::Stuck { floor, limit } => {
                self.gate.report_blocked(context, AutomaticEvent::Stuck { floor, limit }).await
            }
            Decision::Paused { .. } => {
                self.gate.report_blocked(context, AutomaticEvent::Stopped {}).await
            }
            Decision::Go {}
            | Decision::Notice { .. }
            | Decision::Clear { .. }
            | Decision::Archive { .. }
            | Decision::Withhold { .. }
            | Decision::Held { .. }
            | Decision::TooLong { .. } => Ok(()),
        }
    }

    /// Compacts while a call with the `planned` context runs. `model` answers that call; `None`: the
    /// session's own model.
    pub fn compact_in_background(
        self: &Arc<Self>,
        live: Arc<LiveSession>,
        plan: Plan,
        model: Option<ModelRef>,
        planned: &TurnContext,
    ) {
        let (after, end) = (Arc::clone(self), planned.path_end);
        let compactions_applied = planned.compactions_applied;
        self.tasks.spawn(async move {
            let order =
                CompactionRequest { plan, trigger: CompactionTrigger::Threshold, keep: None };
            let work = async {
                let mut context =
                    after.contexts.of_turn(live.session_id, model.as_ref(), end).await?;
                // The plan was made before any later compaction, so the request counts from the same number.
                context.compactions_applied = compactions_applied;
                let begun = compactor::start(&after.compaction, &context, &order.plan).await?;
                compactor::run(begun, &context, order).await
            };
            if let Err(error) = work.await {
                tracing::info!(%error, "the conversation was not compacted");
            }
        });
    }
}
