//! The one question asked before every call and after every turn: what is to be done about this
//! window?
//!
//! The three strategies never act together, and none acts where the user switched it off
//! (law 4). Not here: doing it.

use skein_domain::health::HealthLevel;
use skein_domain::ids::MessageId;
use skein_domain::message::{ContentPart, Notice, Role};
use skein_domain::strategy::Strategy;

use super::decision::{CompactionAttempt, Decision, GateState, GateTrigger, Verdict};
use super::plan::{PlanOutcome, plan};
use super::plan_targets::PlanPurpose;
use super::tool_outputs::{drop_tool_output, largest_output, oversized_output};
use crate::compaction::remediation::{
    Remediation, RemediationAction, RemediationTrigger, pending_user_messages,
};
use crate::limits::Limits;
use crate::window::{EntryContent, Window, WindowInput};

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

/// The user's own action, whatever the strategy.
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
        return drop_tool_output(window)
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
    if let Some(withheld) = drop_tool_output(window) {
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
