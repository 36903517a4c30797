//! Everything one call is made of, gathered from the rooms and counted: what the engine borrows to
//! assemble, decide and explain.
//!
//! Not here: any decision (`context::gate`), or the acts that follow it (`turn`).

use std::sync::Arc;

use skein_context::compaction::decision::{
    CompactionAttempt, Decision, GateState, GateTrigger, Verdict,
};
use skein_context::compaction::gate::decide;
use skein_context::compaction::remediation::Remediation;
use skein_context::compaction::{LowHeadroom, low_headroom, pinned_limit, pinned_tokens};
use skein_context::health::usage::{LastReport, UsageReport};
use skein_context::limits::Limits;
use skein_context::limits::policy::Policy;
use skein_context::tokens::TokenCounter;
use skein_context::tokens::message_tokens::{
    CountedText, MESSAGE_OVERHEAD, MessageTokens, Tokenizer, count_declaration,
};
use skein_context::window::{
    CountedDraft, CountedReminder, HistoryAccess, Prefix, Prompt, ReasoningReplay, Window,
    WindowInput, assemble,
};
use skein_context::{health, prompts, retrieval};
use skein_domain::error::Result;
use skein_domain::generation::Generation;
use skein_domain::health::HealthLevel;
use skein_domain::ids::SessionId;
use skein_domain::message::{ContentPart, Notice, OutputCap, OutputCapReason};
use skein_domain::model::{ModelRef, ModelSpec, ReasoningEffort};
use skein_domain::reminder::Reminder;
use skein_domain::session::{ClearedBy, Session};
use skein_domain::strategy::Strategy;
use skein_store::{AutomaticEvent, MessageParent};
use skein_tools::tool_set::ToolSet;

use super::App;
use super::passages::{self, RetrievedPassages};
use super::thread_cache::LoadedThread;
use crate::events::Topic;
use crate::view::{BlockReason, PinUsage};

/// The tool that looks into what has left the context.
const SEARCH_HISTORY: &str = "search_history";

/// Everything one call is made of.
pub(crate) struct TurnContext {
    pub session: Session,
    pub model: ModelRef,
    pub spec: ModelSpec,
    /// How hard the model is asked to think.
    pub effort: ReasoningEffort,
    pub policy: Policy,
    pub limits: Limits,
    pub counter: Arc<TokenCounter>,
    pub loaded: Arc<LoadedThread>,
    /// Where its path ends: what comes of it hangs there.
    pub path_end: MessageParent,
    pub toolbox: ToolSet,
    prefix: Arc<Prefix>,
    reminders: Vec<Reminder>,
    recall: HistoryAccess,
    /// Tokens of the tool that is declared once something has left the context: 0 where it is already, or
    /// never is.
    search_tool_tokens: u32,
    reasoning_back: ReasoningReplay,
    pub passages: Option<RetrievedPassages>,
}

/// What a call sends.
pub(crate) struct OutgoingPrompt {
    pub prompt: Prompt,
    /// Its tokens, by the own estimate.
    pub tokens: u32,
    /// The longest answer to ask for, in tokens; `None` leaves it to the provider.
    pub max_output: Option<u32>,
    /// Where that is less than the model gives: what for.
    pub shortened: Option<OutputCap>,
}

impl TurnContext {
    /// Tokens of the declarations of tools.
    pub fn tool_tokens(&self) -> u32 {
        self.prefix.tools.iter().fold(0, |sum, tool| sum.saturating_add(tool.tokens))
    }

    /// Looks at the window, with a draft that is not sent yet.
    pub fn with_window<R>(
        &self,
        draft: Option<(&[ContentPart], &MessageTokens)>,
        look: impl FnOnce(&Window<'_>) -> R,
    ) -> R {
        let counter = self.counter.as_ref();
        let (path, points) = (self.loaded.counted(), self.loaded.covered());
        let reminders: Vec<_> =
            self.reminders.iter().map(|it| CountedReminder::new(counter, it)).collect();
        look(&assemble(WindowInput {
            prefix: &self.prefix,
            path: &path,
            points: &points,
            history_access: &self.recall,
            passages: self.passages.as_ref().map(|passages| &passages.text),
            reminders: &reminders,
            draft: draft.map(|(parts, tokens)| CountedDraft { parts, tokens }),
            policy: &self.policy,
            reasoning_replay: self.reasoning_back,
        }))
    }

    /// What a call sends now.
    pub fn outgoing(&self) -> OutgoingPrompt {
        self.with_window(None, |window| {
            let most = self.spec.max_output.map(|most| most.value);
            let max_output = self.max_output(window.used.tokens);
            let shorter = max_output.filter(|tokens| Some(*tokens) != most);
            OutgoingPrompt {
                prompt: window.prompt(),
                tokens: window.used.tokens,
                max_output,
                shortened: shorter.map(|tokens| OutputCap { tokens, by: OutputCapReason::Window }),
            }
        })
    }

    /// The same, within a limit that a refusal named, whoever else said more of the window. `None`: the
    /// refusal named none.
    pub fn limited_to(mut self, named: Option<u32>) -> Self {
        let window = self.limits.window;
        self.limits.window =
            named.map_or(window, |named| Some(window.map_or(named, |window| window.min(named))));
        self
    }

    /// What the model can give, within what the window leaves.
    fn max_output(&self, used: u32) -> Option<u32> {
        let most = self.spec.max_output.map(|most| most.value)?;
        let left = self.limits.window.map(|window| window.saturating_sub(used));
        Some(left.map_or(most, |left| most.min(left.max(256))))
    }

    /// The last report of this thread.
    pub async fn last_report(&self, app: &App) -> Result<LastReport> {
        let last = app.store.last_reply(self.loaded.thread.id).await?;
        Ok(ledger(last.as_ref()))
    }

    /// Law 7: the last reply of this thread, while what was reported of it tells of this context: no
    /// point, edit, deletion, clear or change of model came since, nor is something else sent always.
    pub async fn reported(&self, app: &App) -> Result<Option<Generation>> {
        let last = app.store.last_reply(self.loaded.thread.id).await?;
        let ledger = ledger(last.as_ref());
        let holds = self.with_window(None, |window| ledger.current(window, &self.model).is_some());
        Ok(last.filter(|_| holds))
    }

    /// Law 7: how this context stands by the report of its last reply; `None`: none holds.
    pub async fn health_level(&self, app: &App) -> Result<Option<HealthLevel>> {
        let reported = self.reported(app).await?;
        Ok(reported.and_then(|reply| reply.health).map(|health| health.level))
    }

    /// Tokens of the conversation that the provider last said it had cached; 0 where it said nothing
    /// that still holds.
    pub async fn cached_tokens(&self, app: &App) -> Result<u32> {
        let reported = self.reported(app).await?;
        Ok(reported.and_then(|reply| reply.usage.cached).unwrap_or_default())
    }

    /// Whether compaction by itself has hardly any room to work with.
    fn tight(&self) -> Option<BlockReason> {
        let compacts = self.policy.automatic && self.policy.strategy == Strategy::Summarize;
        let tight =
            compacts.then(|| self.with_window(None, |window| low_headroom(window, self.limits)))?;
        tight.map(|LowHeadroom { floor, limit }| BlockReason::Tight { floor, limit })
    }

    /// What the pinned messages take of what they may.
    pub fn pin_usage(&self) -> PinUsage {
        let path = self.loaded.counted();
        let pinned = path.iter().filter(|counted| counted.message.is_pinned()).count();
        PinUsage {
            messages: u32::try_from(pinned).unwrap_or(u32::MAX),
            tokens: pinned_tokens(&path),
            limit: pinned_limit(&self.prefix, &self.policy, self.limits),
        }
    }
}

/// What the gate is told beside the window.
pub(super) struct GateInputs {
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

/// What a thread's last reply reported of its context.
fn ledger(last: Option<&Generation>) -> LastReport {
    let report = |last: &Generation| {
        Some(UsageReport {
            message_id: last.message_id?,
            at: last.place?,
            point: last.point,
            prefix: last.prefix.clone(),
            model: last.model.clone(),
            usage: last.usage,
        })
    };
    LastReport { report: last.and_then(report) }
}

impl App {
    /// Gathers what the next call of a session would be made of.
    pub(crate) async fn turn_context(&self, session: SessionId) -> Result<TurnContext> {
        self.turn_context_for(session, None, MessageParent::Leaf).await
    }

    /// The same for whoever answers, `None` being the session's own model, and of the path that ends
    /// there.
    pub(crate) async fn turn_context_for(
        &self,
        session: SessionId,
        model: Option<&ModelRef>,
        end: MessageParent,
    ) -> Result<TurnContext> {
        let session = self.store.session(session).await?;
        let model = model.cloned().unwrap_or_else(|| self.session_model(&session));
        self.build_turn_context(session, model, end).await
    }

    /// The same conversation, measured by what is known of its model by now.
    pub(crate) async fn refresh_limits(&self, context: TurnContext) -> Result<TurnContext> {
        let spec = self.spec(&context.model).await?;
        let settings = self.settings.get().policy();
        let policy = Policy::resolve(&settings, &context.session.overrides, &spec.limits);
        Ok(TurnContext { limits: Limits::of(&spec), policy, spec, ..context })
    }

    /// The same, as if another model were chosen.
    pub(crate) async fn turn_context_with_model(
        &self,
        session: Session,
        model: ModelRef,
    ) -> Result<TurnContext> {
        self.build_turn_context(session, model, MessageParent::Leaf).await
    }

    async fn build_turn_context(
        &self,
        session: Session,
        model: ModelRef,
        end: MessageParent,
    ) -> Result<TurnContext> {
        let spec = self.spec(&model).await?;
        let counter = self.counter(&model).await?;
        let settings = self.settings.get();
        let policy = Policy::resolve(&settings.policy(), &session.overrides, &spec.limits);
        let limits = Limits::of(&spec);
        let mut loaded =
            self.thread_cache.get(&self.store, session.current_thread, &counter).await?;
        if loaded.has_outdated_facts {
            let threshold = limits.assumed_threshold(&policy);
            self.refresh_outdated_facts(&loaded, &counter, threshold).await?;
            self.notify_changed([Topic::Context { session_id: session.id }]);
            loaded = self.thread_cache.get(&self.store, session.current_thread, &counter).await?;
        }
        let loaded = match end {
            MessageParent::Leaf => loaded,
            MessageParent::Under(end) => LoadedThread::ending_at(loaded, &self.store, end).await?,
        };
        let has_past = loaded.is_compacted() || loaded.thread.number > 1;
        let toolbox = self.tool_set(&session, &spec, &policy).await;
        let (toolbox, to_come) = match has_past {
            true => (toolbox, None),
            // Every declaration takes room: there is nothing to search yet.
            false => toolbox.without(SEARCH_HISTORY),
        };
        let to_come = to_come.map(|tool| count_declaration(counter.as_ref(), &tool));
        let prefix = self.prefix(&session, &toolbox, &counter).await;
        let reminders = self.store.reminders(session.id).await?;
        let has_tools = toolbox.get(SEARCH_HISTORY).is_some();
        let line = CountedText::new(counter.as_ref(), retrieval::LINE);
        let finds = settings.recall_passages && !loaded.is_compacted();
        let found = finds.then(|| passages::retrieval_budget(limits, &policy)).flatten();
        let recall = match (to_come, found) {
            _ if has_tools => HistoryAccess::Available(line),
            (Some(tool), _) => HistoryAccess::Later { tokens: tool.saturating_add(line.tokens) },
            (None, Some(budget)) => HistoryAccess::Later { tokens: retrieval::max_tokens(budget) },
            (None, None) => HistoryAccess::Never,
        };
        let reasoning_back = self.reasoning_back(&model);
        let mut context = TurnContext {
            limits,
            effort: self.session_effort(&session, &model, &spec),
            session,
            model,
            spec,
            policy,
            counter,
            loaded,
            path_end: end,
            toolbox,
            prefix,
            reminders,
            recall,
            search_tool_tokens: to_come.unwrap_or_default(),
            reasoning_back,
            passages: None,
        };
        if !has_tools && settings.recall_passages {
            context.passages = context.retrieve_passages().await;
        }
        Ok(context)
    }

    /// Whether the model of a session is reminded by itself, as the person wants it at this moment.
    pub(crate) async fn is_remind_active(&self, session: SessionId) -> Result<bool> {
        self.acts(session, Strategy::Remind).await
    }

    /// Whether a session is compacted by itself, as the person wants it at this moment.
    pub(crate) async fn is_summarize_active(&self, session: SessionId) -> Result<bool> {
        self.acts(session, Strategy::Summarize).await
    }

    async fn acts(&self, session: SessionId, strategy: Strategy) -> Result<bool> {
        let session = self.store.session(session).await?;
        let limits = self.spec(&self.session_model(&session)).await?.limits;
        let policy = Policy::resolve(&self.settings.get().policy(), &session.overrides, &limits);
        Ok(policy.automatic && policy.strategy == strategy)
    }

    /// Asks the gate, and stores where the thread stands now. A clear and a notice store that
    /// themselves, in one step with all the rest.
    pub(crate) async fn ask_gate(
        &self,
        context: &TurnContext,
        trigger: GateTrigger,
        attempt: CompactionAttempt,
    ) -> Result<Verdict> {
        let thread = context.loaded.thread.id;
        let before = self.store.remediation(thread).await?;
        let verdict = self.verdict(context, trigger, attempt, before).await?;
        let later = matches!(verdict.decision, Decision::Clear { .. } | Decision::Notice { .. });
        if !later && verdict.remediation != before {
            self.store.set_remediation(thread, verdict.remediation).await?;
        }
        Ok(verdict)
    }

    async fn verdict(
        &self,
        context: &TurnContext,
        trigger: GateTrigger,
        attempt: CompactionAttempt,
        remediation: Remediation,
    ) -> Result<Verdict> {
        let facts = self.gate_inputs(context, attempt, remediation).await?;
        Ok(context.with_window(None, |window| decide(window, &facts.state(context), trigger)))
    }

    /// Gathers what the gate is told beside the window.
    pub(super) async fn gate_inputs(
        &self,
        context: &TurnContext,
        attempt: CompactionAttempt,
        remediation: Remediation,
    ) -> Result<GateInputs> {
        let failures = self.compaction_failures(context).await?.len();
        Ok(GateInputs {
            reported: context.reported(self).await?,
            remediation,
            queued: self.store.has_queued_message(context.session.id).await?,
            attempt,
            failures: u32::try_from(failures).unwrap_or(u32::MAX),
            beginning: self.beginning(context),
            notice: self.longest_notice(context),
        })
    }

    /// Tokens that the thread after this one would begin with and this one is sent without.
    fn beginning(&self, context: &TurnContext) -> u32 {
        let TurnContext { policy, counter, search_tool_tokens: to_come, .. } = context;
        let notice = match policy.strategy {
            Strategy::Summarize => return 0,
            Strategy::Archive => Notice::Archived { percent: policy.archive_at },
            Strategy::Remind => Notice::Cleared { by: ClearedBy::Countdown, local_package: true },
        };
        let notice = counter.text(&prompts::notice_text(&notice, self.settings.get().language()));
        notice.saturating_add(MESSAGE_OVERHEAD).saturating_add(*to_come)
    }

    /// Tokens of the longest notice that may be added to a thread before a call.
    fn longest_notice(&self, context: &TurnContext) -> u32 {
        match context.policy.strategy {
            Strategy::Summarize | Strategy::Archive => return 0,
            Strategy::Remind => {}
        }
        let language = self.settings.get().language();
        // Of numbers as long as any of a window.
        let (prompt, optimal) = (88_888_888, 88_888_888);
        let notices = [Notice::Caution { prompt, optimal }, Notice::Critical { remaining: 4 }];
        let tokens = notices.map(|it| context.counter.text(&prompts::notice_text(&it, language)));
        tokens.into_iter().fold(0, u32::max).saturating_add(MESSAGE_OVERHEAD)
    }

    /// What a conversation waits for the person with. Nothing keeps it: the gate is asked what it would
    /// say now.
    pub(super) async fn blocked_state(&self, context: &TurnContext) -> Result<Option<BlockReason>> {
        let now = Remediation::default();
        let verdict =
            self.verdict(context, GateTrigger::TurnCompleted, CompactionAttempt::None, now).await?;
        Ok(match verdict.decision {
            Decision::Stuck { floor, limit } => Some(BlockReason::Stuck { floor, limit }),
            Decision::Paused { used, limit } => {
                let last = self.compaction_failures(context).await?.pop();
                last.map(|reason| BlockReason::Paused { reason, used, limit })
            }
            Decision::Go {} | Decision::Compact { .. } => context.tight(),
            Decision::Notice { .. }
            | Decision::Clear { .. }
            | Decision::Archive { .. }
            | Decision::Withhold { .. }
            | Decision::Held { .. }
            | Decision::TooLong { .. } => None,
        })
    }

    /// Shows that a conversation waits for the person, and notes it.
    pub(crate) async fn report_blocked(
        &self,
        context: &TurnContext,
        why: AutomaticEvent,
    ) -> Result<()> {
        self.store.append_activity(context.loaded.thread.id, why, self.now()).await?;
        self.notify_changed([Topic::Context { session_id: context.session.id }]);
        Ok(())
    }
}
