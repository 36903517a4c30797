//! Measures assembling and deciding for a thread of ten thousand messages with cached counts, without and
//! with points; and finding its stale points.
//!
//! `cargo bench -p skein-context --bench assemble`

#![allow(clippy::print_stdout)]

use std::hint::black_box;
use std::time::{Duration, Instant};

use skein_context::compaction::decision::{CompactionAttempt, GateState, GateTrigger};
use skein_context::compaction::gate::decide;
use skein_context::compaction::remediation::Remediation;
use skein_context::compaction::{fingerprint, stale_points};
use skein_context::limits::Limits;
use skein_context::limits::policy::{Policy, ToolCleaning};
use skein_context::tokens::message_tokens::{CountedMessageRef, MessageTokens};
use skein_context::tokens::token_count::Basis;
use skein_context::window::{
    DeferredTools, FixedTokens, HistoryAccess, PointSummary, Prefix, ReasoningReplay, WindowInput,
    assemble,
};
use skein_domain::compaction_point::{CompactionPoint, CompactionTrigger};
use skein_domain::ids::{MessageId, PointId, ThreadId};
use skein_domain::message::{
    ContentPart, Inclusion, Message, MessageKind, MessageState, Origin, Role, ToolCall, ToolOutput,
    ToolState,
};

const MESSAGES: i64 = 10_000;
const POINTS: i64 = 30;
const RUNS: u32 = 200;

fn main() {
    let thread: Vec<(Message, MessageTokens)> = (0..MESSAGES).map(message).collect();
    let prefix = Prefix {
        sections: Vec::new(),
        tools: Vec::new(),
        deferred: DeferredTools::default(),
        skills: Vec::new(),
        fixed: FixedTokens::default(),
        fingerprint: String::new(),
        basis: Basis::Exact,
    };
    let summary = message(0);
    let points: Vec<CompactionPoint> = (1..=POINTS).map(|number| point(&thread, number)).collect();
    let covered: Vec<PointSummary<'_>> = points
        .iter()
        .map(|point| PointSummary {
            point,
            summary: CountedMessageRef { message: &summary.0, tokens: &summary.1 },
            facts: None,
            encrypted: None,
            stale: false,
        })
        .collect();
    for (name, window, points) in [
        ("everything fits", 4_000_000, &[][..]),
        ("a compaction is due", 1_000_000, &[]),
        ("the latest of 30 points applies", 1_000_000, &covered),
    ] {
        let policy = Policy::default();
        let once = || {
            let path: Vec<CountedMessageRef<'_>> = thread
                .iter()
                .map(|(message, tokens)| CountedMessageRef { message, tokens })
                .collect();
            let window_lines = assemble(WindowInput {
                prefix: &prefix,
                path: &path,
                points,
                history_access: &HistoryAccess::Never,
                passages: None,
                reminders: &[],
                draft: None,
                policy: &policy,
                tool_cleaning: ToolCleaning::InBatches,
                reasoning_replay: ReasoningReplay::InProgress,
            });
            let state = GateState {
                limits: Limits { window: Some(window), ..Limits::default() },
                health: None,
                remediation: Remediation::default(),
                cadence: 10,
                queued: false,
                attempt: CompactionAttempt::None,
                failures: 0,
                new_thread_tokens: 0,
                notice_tokens: 0,
            };
            black_box(decide(&window_lines, &state, GateTrigger::BeforeSend));
        };
        let (median, worst) = measure(once);
        println!("assemble and decide, 10,000 messages, {name}: {median:?} (worst {worst:?})");
    }
    let look = || {
        black_box(stale_points(thread.iter().map(|(message, _)| message), &points));
    };
    let (median, worst) = measure(look);
    println!("looking through 30 points of 10,000 messages: {median:?} (worst {worst:?})");
}

/// The one that was made when so many thirtieths of the thread were there, and all but its end was covered.
fn point(thread: &[(Message, MessageTokens)], number: i64) -> CompactionPoint {
    let boundary = MessageId(MESSAGES * number / POINTS - 20);
    let covered = thread.iter().map(|(message, _)| message).take_while(|it| it.id <= boundary);
    CompactionPoint {
        id: PointId(number),
        thread_id: ThreadId(1),
        summary_message_id: MessageId(MESSAGES + number),
        after_message_id: None,
        boundary_message_id: boundary,
        before: 0,
        after: 0,
        covered: 0,
        fingerprint: fingerprint(covered),
        unread: Vec::new(),
        anchors: String::new(),
        trigger: CompactionTrigger::Threshold,
        model: None,
        created_at: number,
    }
}

fn measure(once: impl Fn()) -> (Duration, Duration) {
    let mut times: Vec<Duration> = (0..RUNS)
        .map(|_| {
            let start = Instant::now();
            once();
            start.elapsed()
        })
        .collect();
    times.sort_unstable();
    let median = times.get(times.len() / 2).copied().unwrap_or_default();
    (median, times.last().copied().unwrap_or_default())
}

/// A thread of 6 MB: every fifth answer has called a tool.
fn message(at: i64) -> (Message, MessageTokens) {
    let person = at % 2 == 0;
    let mut parts = vec![ContentPart::Text { text: "word ".repeat(110) }];
    let mut tokens = vec![110];
    if at % 10 == 5 {
        let output = ToolOutput { text: "line\n".repeat(60), ..ToolOutput::default() };
        parts.push(ContentPart::Tool {
            call: ToolCall {
                call_id: format!("call-{at}"),
                name: "read_file".to_owned(),
                args: "{}".to_owned(),
                signature: None,
                state: ToolState::Done { output },
            },
        });
        tokens.push(140);
    }
    let message = Message {
        id: MessageId(at + 1),
        thread_id: ThreadId(1),
        parent_id: (at > 0).then_some(MessageId(at)),
        kind: MessageKind::Chat {},
        role: if person { Role::User } else { Role::Assistant },
        origin: if person { Origin::Person } else { Origin::Model },
        parts: parts.into(),
        state: MessageState::Complete {},
        inclusion: Inclusion::Usual,
        model: None,
        created_at: at,
    };
    let tokens = MessageTokens {
        parts: tokens,
        results: Vec::new(),
        shown: Vec::new(),
        overhead: 4,
        basis: Basis::Exact,
    };
    (message, tokens)
}
