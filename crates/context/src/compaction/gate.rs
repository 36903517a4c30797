//! The gate: decides before every call and after every turn what must happen to the window.
//!
//! Only the session's strategy acts, and only if the user did not switch it off (law 4). Not here: applying
//! the decision (`app::turn`).

use skein_domain::health::HealthLevel;
use skein_domain::ids::MessageId;
use skein_domain::message::{ContentPart, Notice, Role};
use skein_domain::strategy::Strategy;

use super::decision::{CompactionAttempt, Decision, GateState, GateTrigger, Verdict};
use super::plan::{PlanOutcome, plan};
use super::target_sizes::PlanPurpose;
use super::tool_outputs::{drop_tool_output, largest_output, oversized_output};
use crate::compaction::remediation::{
    Remediation, RemediationAction, RemediationTrigger, pending_user_messages,
};
use crate::limits::Limits;
use crate::window::{EntryContent, Window, WindowInput};

/// Decides what must happen to a window.
pub fn decide(window: &Window<'_>, state: &GateState<'_>, trigger: GateTrigger) -> Verdict {
    let before_call = match trigger {
        GateTrigger::Manual => return state.with(decide_manual(window, state.limits)),
        GateTrigger::Overflow { repeated } => {
            return state.with(decide_overflow(window, state, repeated));
        }
        GateTrigger::BeforeSend | GateTrigger::BeforeGeneration => true,
        GateTrigger::TurnCompleted | GateTrigger::ModelSwitched => false,
    };
    let policy = window.conversation.policy;
    // Only `remind` keeps a countdown: under another strategy it ends, and begins again after a switch back.
    let remediation = if before_call { Remediation::default() } else { state.remediation };
    let calm = |decision| Verdict { decision, remediation };
    match policy.strategy {
        Strategy::Summarize | Strategy::Archive | Strategy::Remind if !policy.automatic => {
            calm(Decision::Go {})
        }
        Strategy::Summarize => calm(decide_summarize(window, state, before_call)),
        Strategy::Archive if trigger == GateTrigger::TurnCompleted => calm(Decision::Go {}),
        Strategy::Archive => calm(decide_archive(window, state)),
        Strategy::Remind if before_call => decide_remind(window, state, trigger),
        Strategy::Remind => calm(Decision::Go {}),
    }
}

/// The user asked for a compaction; the strategy does not matter.
fn decide_manual(window: &Window<'_>, limits: Limits) -> Decision {
    match plan(window, limits, PlanPurpose::UserRequest) {
        PlanOutcome::Fine {} => Decision::Go {},
        PlanOutcome::Compact { plan } => Decision::Compact { plan, first: false },
        PlanOutcome::Stuck { floor, limit } => Decision::Stuck { floor, limit },
    }
}

/// Strategy `summarize` (FR-1.2).
fn decide_summarize(window: &Window<'_>, state: &GateState<'_>, before_call: bool) -> Decision {
    let policy = window.conversation.policy;
    let used = window.used.tokens;
    let exceeded = exceeded_limit(window, state.limits).filter(|_| before_call);
    let low_on_room = window.exceeds(state.limits.prompt_limit_with_reserve(policy.output_reserve));
    match (plan(window, state.limits, PlanPurpose::Threshold), exceeded) {
        (PlanOutcome::Fine {}, _) => Decision::Go {},
        (PlanOutcome::Compact { plan }, _) if state.may_compact(exceeded.is_some()) => {
            Decision::Compact { plan, first: low_on_room }
        }
        (PlanOutcome::Compact { .. }, Some(limit)) => {
            drop_tool_output(window).unwrap_or(Decision::Held { used, limit })
        }
        (PlanOutcome::Stuck { floor, .. }, Some(most)) => {
            drop_tool_output(window).unwrap_or(Decision::TooLong { used: floor, limit: Some(most) })
        }
        (PlanOutcome::Compact { .. }, None) if state.attempt != CompactionAttempt::None => {
            Decision::Go {}
        }
        (PlanOutcome::Compact { .. }, None) => {
            let limit = state.limits.threshold(policy).unwrap_or(used);
            Decision::Paused { used, limit }
        }
        // The threshold is exceeded, but there is room for a reply: nothing needs to happen.
        (PlanOutcome::Stuck { .. }, None) if !low_on_room => Decision::Go {},
        (PlanOutcome::Stuck { floor, limit }, None) => Decision::Stuck { floor, limit },
    }
}

/// The largest prompt that the model takes, if this one is larger and therefore cannot leave.
fn exceeded_limit(window: &Window<'_>, limits: Limits) -> Option<u32> {
    limits.max_prompt().filter(|most| window.used.tokens > *most)
}

/// Strategy `archive` (P03, P07).
fn decide_archive(window: &Window<'_>, state: &GateState<'_>) -> Decision {
    let policy = window.conversation.policy;
    if !window.exceeds(state.limits.archive_threshold(policy)) {
        return Decision::Go {};
    }
    let carry = current_round(window);
    let carried = tokens_without_history(window, state);
    let max_prompt = state.limits.max_prompt();
    if max_prompt.is_some_and(|most| carried > most) {
        return drop_tool_output(window)
            .unwrap_or(Decision::TooLong { used: carried, limit: max_prompt });
    }
    if carried >= window.used.tokens {
        return Decision::Go {};
    }
    Decision::Archive { carry, percent: policy.archive_at }
}

/// Strategy `remind` (D11–D15). A request that does not fit does not count as an evaluation, because no
/// generation follows.
fn decide_remind(window: &Window<'_>, state: &GateState<'_>, trigger: GateTrigger) -> Verdict {
    let level = state.health.map_or(HealthLevel::Unavailable, |health| health.level);
    let trigger = remediation_trigger(window, state, trigger);
    let (remediation, step) = state.remediation.evaluate(level, trigger, state.cadence);
    let numbers = state.health.and_then(|health| health.prompt.zip(health.optimal));
    let decision = match step {
        RemediationAction::Nothing => Decision::Go {},
        RemediationAction::Caution => numbers.map_or(Decision::Go {}, |(prompt, optimal)| {
            Decision::Notice { notice: Notice::Caution { prompt, optimal } }
        }),
        RemediationAction::Countdown { remaining } => {
            Decision::Notice { notice: Notice::Critical { remaining } }
        }
        RemediationAction::Clear => clear(window),
    };
    let added = if matches!(decision, Decision::Notice { .. }) { state.notice_tokens } else { 0 };
    match (exceeded_limit(window, state.limits), &decision) {
        (_, Decision::Clear { .. }) => Verdict { decision, remediation },
        (Some(limit), _) => remind_over_limit(window, state, level, limit),
        (None, _) if fits_with(window, state.limits, added) => Verdict { decision, remediation },
        (None, _) => skip_notice(window, state, level),
    }
}

/// The kind of message that the next generation answers. A round that ran tools makes another one likely.
fn remediation_trigger(
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

/// True if tools are declared, and the last round with a reply ran some.
fn has_tool_loop(window: &Window<'_>) -> bool {
    let WindowInput { path, prefix, .. } = window.conversation;
    let last = window.rounds.start_of_last(1)..window.rounds.open_start();
    let messages = path.get(last).unwrap_or_default().iter();
    let mut parts = messages.flat_map(|counted| counted.message.parts.iter());
    !prefix.tools.is_empty() && parts.any(|part| matches!(part, ContentPart::Tool { .. }))
}

/// True if the prompt has room for `added` more tokens.
fn fits_with(window: &Window<'_>, limits: Limits, added: u32) -> bool {
    limits.max_prompt().is_none_or(|most| window.used.tokens.saturating_add(added) <= most)
}

/// The prompt has no room for the notice: the call leaves without it, and the notice stays due. A countdown
/// has announced a clear, which happens now.
fn skip_notice(window: &Window<'_>, state: &GateState<'_>, level: HealthLevel) -> Verdict {
    match state.remediation {
        Remediation::Critical { .. } if level == HealthLevel::Critical => {
            Verdict { decision: clear(window), remediation: Remediation::default() }
        }
        Remediation::Calm {} | Remediation::Caution { .. } | Remediation::Critical { .. } => {
            state.with(Decision::Go {})
        }
    }
}

/// The prompt does not fit under `remind`. A countdown has announced a clear, which happens now.
fn remind_over_limit(
    window: &Window<'_>,
    state: &GateState<'_>,
    level: HealthLevel,
    limit: u32,
) -> Verdict {
    if let Some(withheld) = drop_tool_output(window) {
        return state.with(withheld);
    }
    let carried = tokens_without_history(window, state);
    match state.remediation {
        // P07: a new thread does not help if the current round alone is too large.
        _ if carried > limit => state.with(Decision::TooLong { used: carried, limit: Some(limit) }),
        Remediation::Critical { .. } if level == HealthLevel::Critical => {
            Verdict { decision: clear(window), remediation: Remediation::default() }
        }
        Remediation::Calm {} | Remediation::Caution { .. } | Remediation::Critical { .. } => {
            state.with(Decision::Held { used: window.used.tokens, limit })
        }
    }
}

fn clear(window: &Window<'_>) -> Decision {
    let path = window.conversation.path.iter();
    Decision::Clear { carry: pending_user_messages(path.map(|counted| counted.message)) }
}

/// P09: the provider refused the prompt. It is repeated once, if automatic actions are on.
fn decide_overflow(window: &Window<'_>, state: &GateState<'_>, repeated: bool) -> Decision {
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

/// The messages of the current round, or of the round whose reply is continued.
fn current_round(window: &Window<'_>) -> Vec<MessageId> {
    let path = window.conversation.path.iter().skip(window.current_round_start());
    path.map(|counted| counted.message.id).collect()
}

/// Tokens of the window without the history, plus the tokens with which a new thread begins.
fn tokens_without_history(window: &Window<'_>, state: &GateState<'_>) -> u32 {
    let current_from = window.current_round_start();
    let without = window.tokens_excluding(|content| match content {
        EntryContent::Opening
        | EntryContent::Summary { .. }
        | EntryContent::Facts { .. }
        | EntryContent::SearchHint { .. }
        | EntryContent::Pinned { .. }
        | EntryContent::Passages { .. } => true,
        EntryContent::Message { at, .. } => *at < current_from,
        EntryContent::ContinueReply { before } => before.is_some_and(|at| at < current_from),
        EntryContent::Reminder { .. } | EntryContent::Draft { .. } => false,
    });
    without.saturating_add(state.new_thread_tokens)
}
