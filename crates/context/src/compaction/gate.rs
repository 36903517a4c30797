//! The one question asked before every call and after every turn: what is to be done about this
//! window?
//!
//! The three strategies never act together, and none acts where the person switched it off
//! (law 4). Not here: doing it.

use serde::{Deserialize, Serialize};
use skein_domain::health::{HealthLevel, HealthSnapshot};
use skein_domain::ids::MessageId;
use skein_domain::message::{ContentPart, Notice, Role, ToolCall, ToolState};
use skein_domain::strategy::Strategy;
use specta::Type;

use crate::compaction::remediation::{
    Remediation, RemediationAction, RemediationTrigger, pending_user_messages,
};
use crate::compaction::{Plan, PlanOutcome, PlanPurpose, plan};
use crate::limits::Limits;
use crate::window::{EntryContent, FixedTokens, PromptEntry, Window, WindowInput};

/// Compactions that may fail in a row before the program stops trying by itself.
const FAILURES_AT_MOST: u32 = 2;

/// An output is not worth its withholding that makes room for no more tokens.
const WITHHELD_LEAST: u32 = 100;

/// When the question is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GateTrigger {
    /// A turn has ended, in the background.
    TurnCompleted,
    /// The first generation of a turn is about to leave.
    BeforeSend,
    /// A further generation of a tool loop is about to leave.
    BeforeGeneration,
    /// P09: the provider said the context was too long.
    Overflow {
        /// Whether this is the repetition already.
        repeated: bool,
    },
    /// The person asked for a compaction.
    Manual,
    /// The person chose another model: what would happen, before it does.
    ModelSwitched,
}

/// What came of compacting by itself in this turn.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum CompactionAttempt {
    /// It was not tried.
    #[default]
    None,
    /// It was done, or goes on while the call is answered.
    Done,
    /// It gained too little, could not be done, or the person stopped it.
    Failed,
}

/// What the answer depends on beside the window.
#[derive(Debug, Clone, Copy)]
pub struct GateState<'a> {
    /// Of the model of the next call.
    pub limits: Limits,
    /// Of the last generation in this thread, while its report holds
    /// ([`crate::health::usage::Ledger::current`]); `None`: there is none.
    pub health: Option<&'a HealthSnapshot>,
    /// Where the thread stands.
    pub remediation: Remediation,
    /// D08, in evaluations.
    pub cadence: u32,
    /// Whether a further message of the person waits behind the running turn.
    pub queued: bool,
    /// What came of compacting by itself in this turn so far.
    pub attempt: CompactionAttempt,
    /// Compactions that failed in a row.
    pub failures: u32,
    /// Tokens that a new thread begins with and this one is sent without: its notice, and the tool that
    /// searches what came before.
    pub new_thread_tokens: u32,
    /// Tokens of the longest notice that the strategy `remind` may add, with its message's overhead.
    pub notice_tokens: u32,
}

impl GateState<'_> {
    /// A decision that leaves the state of the thread as it is.
    fn with(&self, decision: Decision) -> Verdict {
        Verdict { decision, remediation: self.remediation }
    }

    /// One automatic compaction in a turn, and none after two failures in a row. A further one only
    /// where the call could not leave without it: what such a one leaves fits ([`Plan::at_most`]), so that
    /// only what comes after it can ask for another.
    fn may_compact(&self, needed: bool) -> bool {
        let allowed = match self.attempt {
            CompactionAttempt::None => true,
            CompactionAttempt::Done => needed,
            CompactionAttempt::Failed => false,
        };
        allowed && self.failures < FAILURES_AT_MOST
    }
}

/// The answer, with the state to be stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    /// What is to be done.
    pub decision: Decision,
    /// Where the thread stands now; store it before acting.
    pub remediation: Remediation,
}

/// What is to be done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Decision {
    /// Nothing: the call may leave.
    Go {},
    /// Compact, then ask again. With [`Trigger::Manual`] and [`Trigger::ModelSwitched`]: a preview.
    Compact {
        /// How.
        plan: Plan,
        /// Whether the call has to wait for it, for want of room; else it may leave meanwhile.
        first: bool,
    },
    /// Append this notice to the path, then let the call leave.
    Notice {
        /// What it says.
        notice: Notice,
    },
    /// D15: begin a new thread by itself, then go on there.
    Clear {
        /// The person's messages that no reply has taken up: the first of the new thread.
        carry: Vec<MessageId>,
    },
    /// P04–P07: archive the thread and begin a new one, then go on there.
    Archive {
        /// The round in progress: the first of the new thread.
        carry: Vec<MessageId>,
        /// Percent of the window that was passed.
        percent: u32,
    },
    /// P09: this tool output leaves the context, not the store; then repeat the call once.
    Withhold {
        /// Where it is.
        message_id: MessageId,
        /// Which call.
        call_id: String,
    },
    /// Law 1: too little room is left for the answer, and no compaction would help. The call may still
    /// leave.
    Stuck {
        /// What would remain at least, in tokens.
        floor: u32,
        /// What may be used, in tokens.
        limit: u32,
    },
    /// Over the limit, but compaction has failed twice and waits for the person. The call may still
    /// leave: it fits.
    Paused {
        /// Estimated tokens.
        used: u32,
        /// What may be used, in tokens.
        limit: u32,
    },
    /// It cannot be sent as it is, and what would make it fit was stopped, has failed, or is the
    /// person's to do. The draft is kept, the numbers are shown.
    Held {
        /// Estimated tokens.
        used: u32,
        /// What a prompt may take, in tokens.
        limit: u32,
    },
    /// P07, P09: it cannot be sent. The draft is kept, the numbers are shown.
    TooLong {
        /// Tokens that cannot be done without.
        used: u32,
        /// What the model takes; `None`: unknown.
        limit: Option<u32>,
    },
}

/// What is to be done about a window.
pub fn decide(window: &Window<'_>, state: &GateState<'_>, trigger: GateTrigger) -> Verdict {
    let before_call = match trigger {
        GateTrigger::Manual => return state.with(by_hand(window, state.limits)),
        GateTrigger::Overflow { repeated } => {
            return state.with(overflowed(window, state, repeated));
        }
        GateTrigger::BeforeSend | GateTrigger::BeforeGeneration => true,
        GateTrigger::TurnCompleted | GateTrigger::ModelSwitched => false,
    };
    let policy = window.conversation.policy;
    // Where nobody is reminded a countdown does not wait either: switched back, it begins anew.
    let remediation = if before_call { Remediation::default() } else { state.remediation };
    let calm = |decision| Verdict { decision, remediation };
    match policy.strategy {
        Strategy::Summarize | Strategy::Archive | Strategy::Remind if !policy.automatic => {
            calm(Decision::Go {})
        }
        Strategy::Summarize => calm(summarizing(window, state, before_call)),
        Strategy::Archive if trigger == GateTrigger::TurnCompleted => calm(Decision::Go {}),
        Strategy::Archive => calm(archiving(window, state)),
        Strategy::Remind if before_call => reminding(window, state, trigger),
        Strategy::Remind => calm(Decision::Go {}),
    }
}

/// The person's own action, whatever the strategy.
fn by_hand(window: &Window<'_>, limits: Limits) -> Decision {
    match plan(window, limits, PlanPurpose::UserRequest) {
        PlanOutcome::Fine {} => Decision::Go {},
        PlanOutcome::Compact { plan } => Decision::Compact { plan, first: false },
        PlanOutcome::Stuck { floor, limit } => Decision::Stuck { floor, limit },
    }
}

/// Strategy `summarize` (FR).
fn summarizing(window: &Window<'_>, state: &GateState<'_>, before_call: bool) -> Decision {
    let policy = window.conversation.policy;
    let used = window.used.tokens;
    let past = past(window, state.limits).filter(|_| before_call);
    let low_on_room = window.exceeds(state.limits.prompt_limit_with_reserve(policy.output_reserve));
    match (plan(window, state.limits, PlanPurpose::Threshold), past) {
        (PlanOutcome::Fine {}, _) => Decision::Go {},
        (PlanOutcome::Compact { plan }, _) if state.may_compact(past.is_some()) => {
            Decision::Compact { plan, first: low_on_room }
        }
        (PlanOutcome::Compact { .. }, Some(limit)) => {
            without_outputs(window).unwrap_or(Decision::Held { used, limit })
        }
        (PlanOutcome::Stuck { floor, .. }, Some(most)) => {
            without_outputs(window).unwrap_or(Decision::TooLong { used: floor, limit: Some(most) })
        }
        (PlanOutcome::Compact { .. }, None) if state.attempt != CompactionAttempt::None => {
            Decision::Go {}
        }
        (PlanOutcome::Compact { .. }, None) => {
            let limit = state.limits.threshold(policy).unwrap_or(used);
            Decision::Paused { used, limit }
        }
        // Above the threshold, and yet there is room: nothing is in danger.
        (PlanOutcome::Stuck { .. }, None) if !low_on_room => Decision::Go {},
        (PlanOutcome::Stuck { floor, limit }, None) => Decision::Stuck { floor, limit },
    }
}

/// What a prompt may take, where this one takes more: it is known not to fit, and does not leave.
fn past(window: &Window<'_>, limits: Limits) -> Option<u32> {
    limits.max_prompt().filter(|most| window.used.tokens > *most)
}

/// Strategy `archive` (P03, P07).
fn archiving(window: &Window<'_>, state: &GateState<'_>) -> Decision {
    let policy = window.conversation.policy;
    if !window.exceeds(state.limits.archive_threshold(policy)) {
        return Decision::Go {};
    }
    let carry = in_progress(window);
    let alone = alone(window, state);
    let ceiling = state.limits.max_prompt();
    if ceiling.is_some_and(|most| alone > most) {
        return without_outputs(window)
            .unwrap_or(Decision::TooLong { used: alone, limit: ceiling });
    }
    if alone >= window.used.tokens {
        return Decision::Go {};
    }
    Decision::Archive { carry, percent: policy.archive_at }
}

/// Strategy `remind` (D11–D15). What does not fit is not counted as an evaluation: no generation comes
/// of it.
fn reminding(window: &Window<'_>, state: &GateState<'_>, trigger: GateTrigger) -> Verdict {
    let level = state.health.map_or(HealthLevel::Unavailable, |health| health.level);
    let occasion = occasion(window, state, trigger);
    let (remediation, step) = state.remediation.evaluate(level, occasion, state.cadence);
    let numbers = state.health.and_then(|health| health.prompt.zip(health.optimal));
    let decision = match step {
        RemediationAction::Nothing => Decision::Go {},
        RemediationAction::Caution => numbers.map_or(Decision::Go {}, |(prompt, optimal)| {
            Decision::Notice { notice: Notice::Caution { prompt, optimal } }
        }),
        RemediationAction::Countdown { remaining } => {
            Decision::Notice { notice: Notice::Critical { remaining } }
        }
        RemediationAction::Clear => cleared(window),
    };
    let added = if matches!(decision, Decision::Notice { .. }) { state.notice_tokens } else { 0 };
    match (past(window, state.limits), &decision) {
        (_, Decision::Clear { .. }) => Verdict { decision, remediation },
        (Some(limit), _) => overfull(window, state, level, limit),
        (None, _) if fits_with(window, state.limits, added) => Verdict { decision, remediation },
        (None, _) => without_notice(window, state, level),
    }
}

/// Before whose generation it is asked. A round that ran tools makes another one likely.
fn occasion(
    window: &Window<'_>,
    state: &GateState<'_>,
    trigger: GateTrigger,
) -> RemediationTrigger {
    let path = window.conversation.path;
    let goes_on = path.last().is_some_and(|last| last.message.role == Role::Assistant);
    match trigger {
        GateTrigger::BeforeSend if goes_on || has_tool_loop(window) => {
            RemediationTrigger::UserMessageBeforeTools
        }
        GateTrigger::BeforeSend => RemediationTrigger::UserMessage,
        GateTrigger::TurnCompleted
        | GateTrigger::BeforeGeneration
        | GateTrigger::Overflow { .. }
        | GateTrigger::Manual
        | GateTrigger::ModelSwitched => match state.queued {
            true => RemediationTrigger::ToolLoopBeforeQueued,
            false => RemediationTrigger::ToolLoop,
        },
    }
}

/// Whether tools are declared, and the last round that was answered ran some.
fn has_tool_loop(window: &Window<'_>) -> bool {
    let WindowInput { path, prefix, .. } = window.conversation;
    let last = window.rounds.start_of_last(1)..window.rounds.open_start();
    let messages = path.get(last).unwrap_or_default().iter();
    let mut parts = messages.flat_map(|counted| counted.message.parts.iter());
    !prefix.tools.is_empty() && parts.any(|part| matches!(part, ContentPart::Tool { .. }))
}

/// Whether a prompt takes so many tokens more.
fn fits_with(window: &Window<'_>, limits: Limits, added: u32) -> bool {
    limits.max_prompt().is_none_or(|most| window.used.tokens.saturating_add(added) <= most)
}

/// What becomes of a notice that the prompt has no room for: the call leaves without it, and the notice
/// stays due. A countdown that goes on has announced a clear: it comes now.
fn without_notice(window: &Window<'_>, state: &GateState<'_>, level: HealthLevel) -> Verdict {
    match state.remediation {
        Remediation::Critical { .. } if level == HealthLevel::Critical => {
            Verdict { decision: cleared(window), remediation: Remediation::default() }
        }
        Remediation::Calm {} | Remediation::Caution { .. } | Remediation::Critical { .. } => {
            state.with(Decision::Go {})
        }
    }
}

/// What becomes under `remind` of what does not fit. A countdown that goes on has announced a clear: it
/// comes now.
fn overfull(window: &Window<'_>, state: &GateState<'_>, level: HealthLevel, limit: u32) -> Verdict {
    if let Some(withheld) = without_outputs(window) {
        return state.with(withheld);
    }
    let alone = alone(window, state);
    match state.remediation {
        // P07: what is too large by itself no new thread helps.
        _ if alone > limit => state.with(Decision::TooLong { used: alone, limit: Some(limit) }),
        Remediation::Critical { .. } if level == HealthLevel::Critical => {
            Verdict { decision: cleared(window), remediation: Remediation::default() }
        }
        Remediation::Calm {} | Remediation::Caution { .. } | Remediation::Critical { .. } => {
            state.with(Decision::Held { used: window.used.tokens, limit })
        }
    }
}

fn cleared(window: &Window<'_>) -> Decision {
    let path = window.conversation.path.iter();
    Decision::Clear { carry: pending_user_messages(path.map(|counted| counted.message)) }
}

/// P09: the provider refused. One repetition, where automatic action is allowed.
fn overflowed(window: &Window<'_>, state: &GateState<'_>, repeated: bool) -> Decision {
    let policy = window.conversation.policy;
    if repeated || !policy.automatic {
        return too_long(window, state.limits);
    }
    let may_compact = match policy.strategy {
        Strategy::Summarize => state.may_compact(true),
        Strategy::Remind | Strategy::Archive => false,
    };
    let compaction = || match plan(window, state.limits, PlanPurpose::Overflow) {
        PlanOutcome::Compact { plan } if may_compact => {
            Some(Decision::Compact { plan, first: true })
        }
        PlanOutcome::Compact { .. } | PlanOutcome::Fine {} | PlanOutcome::Stuck { .. } => None,
    };
    oversized_output(window)
        .or_else(compaction)
        .or_else(|| largest_output(window))
        .unwrap_or_else(|| too_long(window, state.limits))
}

fn too_long(window: &Window<'_>, limits: Limits) -> Decision {
    Decision::TooLong { used: window.used.tokens, limit: limits.max_prompt() }
}

/// P09: what leaves where nothing else makes room.
fn without_outputs(window: &Window<'_>) -> Option<Decision> {
    oversized_output(window).or_else(|| largest_output(window))
}

/// The largest output of the last calls in the window, if it is oversized: more than a quarter of
/// everything sent.
fn oversized_output(window: &Window<'_>) -> Option<Decision> {
    let frames = window.conversation.prefix.fixed;
    let last = window.entries.iter().rev().find_map(|line| largest_of(calls(line, frames)))?;
    last.leaves(window.used.tokens / 4)
}

/// The largest output of all, where nothing else makes room: in one long round of many calls each of
/// them may be small. The model can read it again by its number.
fn largest_output(window: &Window<'_>) -> Option<Decision> {
    let frames = window.conversation.prefix.fixed;
    let calls = window.entries.iter().flat_map(|line| calls(line, frames));
    largest_of(calls)?.leaves(WITHHELD_LEAST)
}

/// A tool call that is sent.
#[derive(Clone, Copy)]
struct SentCall<'a> {
    message: MessageId,
    call: &'a ToolCall,
    /// Tokens that leave the context if the output of this call is dropped. The call itself stays.
    freed: u32,
}

impl SentCall<'_> {
    /// That its output leaves the context, if that makes room for more than so many tokens.
    fn leaves(self, more_than: u32) -> Option<Decision> {
        let SentCall { message: message_id, call, freed } = self;
        let leaves = freed > more_than;
        leaves.then(|| Decision::Withhold { message_id, call_id: call.call_id.clone() })
    }
}

fn largest_of<'a>(calls: impl Iterator<Item = SentCall<'a>>) -> Option<SentCall<'a>> {
    calls.max_by_key(|call| call.freed)
}

/// The tool calls of a line.
fn calls<'a>(
    line: &PromptEntry<'a>,
    frames: FixedTokens,
) -> impl Iterator<Item = SentCall<'a>> + use<'a> {
    line.content.as_tail_message().into_iter().flat_map(move |sent| {
        let message = sent.counted.message.id;
        sent.results(frames).map(move |(call, tokens)| {
            let freed = if has_output(call) { tokens.saturating_sub(frames.withheld) } else { 0 };
            SentCall { message, call, freed }
        })
    })
}

fn has_output(call: &ToolCall) -> bool {
    matches!(&call.state, ToolState::Done { output } if !output.withheld)
}

/// The messages of the round in progress, or of that whose reply is gone on with.
fn in_progress(window: &Window<'_>) -> Vec<MessageId> {
    let path = window.conversation.path.iter().skip(window.current_round_start());
    path.map(|counted| counted.message.id).collect()
}

/// What a new thread would hold: everything but the history, and what it begins with.
fn alone(window: &Window<'_>, state: &GateState<'_>) -> u32 {
    let current_from = window.current_round_start();
    let without = window.tokens_excluding(|content| match content {
        EntryContent::Opening
        | EntryContent::Summary { .. }
        | EntryContent::Anchors { .. }
        | EntryContent::Recall { .. }
        | EntryContent::Pinned { .. }
        | EntryContent::Passages { .. } => true,
        EntryContent::Message { at, .. } => *at < current_from,
        EntryContent::ContinueReply { before } => before.is_some_and(|at| at < current_from),
        EntryContent::Reminder { .. } | EntryContent::Draft { .. } => false,
    });
    without.saturating_add(state.new_thread_tokens)
}
