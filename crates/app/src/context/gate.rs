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
use skein_context::{health, prompts};
use skein_domain::error::Result;
use skein_domain::generation::Generation;
use skein_domain::message::Notice;
use skein_domain::session::ClearedBy;
use skein_domain::strategy::Strategy;
use skein_store::{AutomaticEvent, Store, ThreadStatus};

use super::turn_context::TurnContext;
use crate::clock::now;
use crate::events::Topic;
use crate::models::model_choices::ModelChoices;
use crate::notifier::Notifier;
use crate::settings::SettingsFile;
use crate::shared_state::SharedState;
use crate::view::BlockReason;

/// The inputs of the gate beside the window.
pub(crate) struct GateInputs {
    reported: Option<Generation>,
    remediation: Remediation,
    queued: bool,
    attempt: CompactionAttempt,
    failures: u32,
    beginning: u32,
    notice: u32,
}

impl GateInputs {
    pub fn state(&self, context: &TurnContext) -> GateState<'_> {
        GateState {
            limits: context.limits,
            health: self.reported.as_ref().and_then(|reply| reply.health.as_ref()),
            remediation: self.remediation,
            cadence: health::caution_cadence(&context.spec),
            queued: self.queued,
            attempt: self.attempt,
            failures: self.failures,
            new_thread_tokens: self.beginning,
            notice_tokens: self.notice,
        }
    }
}

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
        let thread = context.loaded.thread.id;
        let status = self.status(context).await?;
        let before = status.remediation;
        let inputs = self.inputs(context, attempt, before, status);
        let verdict = context.with_window(None, |it| decide(it, &inputs.state(context), trigger));
        let later = matches!(verdict.decision, Decision::Clear { .. } | Decision::Notice { .. });
        if !later && verdict.remediation != before {
            self.store.set_remediation(thread, verdict.remediation).await?;
        }
        Ok(verdict)
    }

    /// The stored state of the thread of a context, in one read.
    pub async fn status(&self, context: &TurnContext) -> Result<ThreadStatus> {
        let (session, thread) = (context.session.id, context.loaded.thread.id);
        let summary_model = self.model_choices.first_summary_model(&context.model);
        self.store.thread_status(session, thread, Some(summary_model)).await
    }

    /// The inputs of the gate for a thread with this status.
    pub fn inputs(
        &self,
        context: &TurnContext,
        attempt: CompactionAttempt,
        remediation: Remediation,
        status: ThreadStatus,
    ) -> GateInputs {
        GateInputs {
            reported: context.current_report(status.last_reply),
            remediation,
            queued: status.has_queued_message,
            attempt,
            failures: u32::try_from(status.compaction_failures.len()).unwrap_or(u32::MAX),
            beginning: self.new_thread_tokens(context),
            notice: self.longest_notice(context),
        }
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
    pub fn block_reason(&self, context: &TurnContext, status: ThreadStatus) -> Option<BlockReason> {
        let last_failure = status.compaction_failures.last().copied();
        let (attempt, remediation) = (CompactionAttempt::None, Remediation::default());
        let inputs = self.inputs(context, attempt, remediation, status);
        let trigger = GateTrigger::TurnCompleted;
        let verdict = context.with_window(None, |it| decide(it, &inputs.state(context), trigger));
        match verdict.decision {
            Decision::Stuck { floor, limit } => Some(BlockReason::Stuck { floor, limit }),
            Decision::Paused { used, limit } => {
                last_failure.map(|reason| BlockReason::Paused { reason, used, limit })
            }
            Decision::Go {} | Decision::Compact { .. } => context.low_headroom_reason(),
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
