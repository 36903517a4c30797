//! Asks the engine's gate before a call, with the stored state that it decides by.
//!
//! Not here: the decision (`skein_context::compaction::gate`), or applying it (`turn`).

use std::sync::Arc;

use skein_context::compaction::decision::{
    CompactionAttempt, Decision, GateState, GateTrigger, Verdict,
};
use skein_context::compaction::gate::decide;
use skein_context::compaction::remediation::Remediation;
use skein_context::tokens::message_tokens::{MESSAGE_OVERHEAD, Tokenizer};
use skein_context::window::Window;
use skein_context::{health, prompts};
use skein_domain::error::{CompactionFailure, Result};
use skein_domain::message::Notice;
use skein_domain::session::ClearedBy;
use skein_domain::strategy::Strategy;
use skein_store::{AutomaticEvent, Store};

use super::turn_context::TurnContext;
use crate::clock::now;
use crate::events::Topic;
use crate::models::model_choices::ModelChoices;
use crate::notifier::Notifier;
use crate::settings::SettingsFile;
use crate::shared_state::SharedState;
use crate::view::BlockReason;

/// Asks the engine's gate, with the stored state of a thread.
pub(crate) struct ContextGate {
    store: Store,
    settings: Arc<SettingsFile>,
    notifier: Notifier,
    model_choices: Arc<ModelChoices>,
}

impl ContextGate {
    pub fn new(shared: &SharedState, model_choices: Arc<ModelChoices>) -> Self {
        Self {
            store: shared.store.clone(),
            settings: Arc::clone(&shared.settings),
            notifier: shared.notifier.clone(),
            model_choices,
        }
    }

    /// Asks the gate, and stores the new state of the reminders. For a clear and for a notice the caller
    /// stores it, in the transaction that changes the thread.
    pub async fn ask(
        &self,
        context: &TurnContext,
        trigger: GateTrigger,
        attempt: CompactionAttempt,
    ) -> Result<Verdict> {
        let before = context.status.remediation;
        let verdict = context.with_window(None, |window| {
            decide(window, &self.state(context, window, attempt), trigger)
        });
        let later = matches!(verdict.decision, Decision::Clear { .. } | Decision::Notice { .. });
        if !later && verdict.remediation != before {
            self.store.set_remediation(context.loaded.thread.id, verdict.remediation).await?;
        }
        Ok(verdict)
    }

    /// The inputs of the gate beside the window.
    pub fn state<'a>(
        &self,
        context: &'a TurnContext,
        window: &Window<'_>,
        attempt: CompactionAttempt,
    ) -> GateState<'a> {
        let failures = self.failures(context).count();
        GateState {
            limits: context.limits,
            health: context.reply_reported_in(window).and_then(|reply| reply.health.as_ref()),
            remediation: context.status.remediation,
            cadence: health::caution_cadence(&context.spec),
            queued: context.status.has_queued_message,
            attempt,
            failures: u32::try_from(failures).unwrap_or(u32::MAX),
            new_thread_tokens: self.new_thread_tokens(context),
            notice_tokens: self.longest_notice(context),
        }
    }

    /// The failed compactions for which the first model for summaries was asked: another may succeed.
    fn failures(
        &self,
        context: &TurnContext,
    ) -> impl DoubleEndedIterator<Item = CompactionFailure> {
        let failed = &context.status.failed_compactions;
        let first_model =
            (!failed.is_empty()).then(|| self.model_choices.first_summary_model(&context.model));
        let of_model =
            failed.iter().filter(move |failed| Some(&failed.model) == first_model.as_ref());
        of_model.map(|failed| failed.reason)
    }

    /// Tokens that a new thread would begin with beside the messages carried over; 0 if the strategy begins
    /// none.
    fn new_thread_tokens(&self, context: &TurnContext) -> u32 {
        let TurnContext { policy, counter, search_tool_tokens: to_come, .. } = context;
        let notice = match policy.strategy {
            Strategy::Summarize => return 0,
            Strategy::Archive => Notice::Archived { percent: policy.archive_at },
            Strategy::Remind => Notice::Cleared { by: ClearedBy::Countdown, local_package: true },
        };
        let notice = counter.text(&prompts::notice_text(&notice, self.settings.get().language()));
        notice.saturating_add(MESSAGE_OVERHEAD).saturating_add(*to_come)
    }

    /// Tokens of the longest notice that may be added to a thread before a call; 0 if the strategy adds none.
    fn longest_notice(&self, context: &TurnContext) -> u32 {
        match context.policy.strategy {
            Strategy::Summarize | Strategy::Archive => return 0,
            Strategy::Remind => {}
        }
        let language = self.settings.get().language();
        // These numbers have as many digits as any window.
        let (prompt, optimal) = (88_888_888, 88_888_888);
        let notices = [Notice::Caution { prompt, optimal }, Notice::Critical { remaining: 4 }];
        let tokens = notices.map(|it| context.counter.text(&prompts::notice_text(&it, language)));
        tokens.into_iter().fold(0, u32::max).saturating_add(MESSAGE_OVERHEAD)
    }

    /// The reason why a conversation waits for the user; `None`: it does not. It is not stored: the gate is
    /// asked again each time.
    pub fn block_reason(&self, context: &TurnContext, window: &Window<'_>) -> Option<BlockReason> {
        let state = GateState {
            remediation: Remediation::default(),
            ..self.state(context, window, CompactionAttempt::None)
        };
        match decide(window, &state, GateTrigger::TurnCompleted).decision {
            Decision::Stuck { floor, limit } => Some(BlockReason::Stuck { floor, limit }),
            Decision::Paused { used, limit } => {
                let reason = self.failures(context).next_back()?;
                Some(BlockReason::Paused { reason, used, limit })
            }
            Decision::Go {} | Decision::Compact { .. } => context.low_headroom_reason(window),
            Decision::Notice { .. }
            | Decision::Clear { .. }
            | Decision::Archive { .. }
            | Decision::Withhold { .. }
            | Decision::Held { .. }
            | Decision::TooLong { .. } => None,
        }
    }

    /// Logs that a conversation waits for the user, and shows it.
    pub async fn report_blocked(&self, context: &TurnContext, why: AutomaticEvent) -> Result<()> {
        self.store.append_activity(context.loaded.thread.id, why, now()).await?;
        self.notifier.changed([Topic::Context { session_id: context.session.id }]);
        Ok(())
    }
}
