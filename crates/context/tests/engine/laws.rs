use std::collections::HashMap;

use proptest::prelude::*;
use skein_context::compaction::decision::{CompactionAttempt, Decision, GateTrigger};
use skein_context::compaction::{Plan, PlanOutcome, PlanPurpose, plan};
use skein_context::health::usage::{LastReport, UsageReport};
use skein_context::limits::policy::{Policy, ToolCleaning};
use skein_context::limits::{Limits, percent_of};
use skein_context::summary::{SummaryInput, SummaryJob, SummaryModel};
use skein_context::tokens::message_tokens::{CountedText, MessageTokens, Tokenizer};
use skein_context::window::{EntryContent, HistoryAccess, Prompt, ReasoningReplay};
use skein_domain::compaction_point::CompactionPoint;
use skein_domain::ids::{BlobId, MessageId, PointId, ProviderId};
use skein_domain::message::{
    ContentPart, Inclusion, Message, MessageKind, MessageState, Origin, Role, StopReason, ToolState,
};
use skein_domain::model::{ModelRef, ModelSpec, SourcedValue, ValueSource};
use skein_domain::strategy::Strategy as When;
use skein_domain::usage::TokenUsage;

use crate::deferred_tools::deferring;
use crate::fixture::{Letters, Thread, writer};

/// Strongest first.
const SOURCES: [ValueSource; 6] = [
    ValueSource::Person,
    ValueSource::Learned,
    ValueSource::Loaded,
    ValueSource::Provider,
    ValueSource::Catalogue,
    ValueSource::CataloguePrefix,
];

/// One thing that happens in a thread.
#[derive(Debug, Clone, Copy)]
enum Event {
    Round(u32),
    Tools(u32),
    Notice,
    Pinned(u32),
    LeftOut(u32),
    Reminder,
    Shows(usize, u32),
    Attaches(u32),
    File(u32),
    Thinks(u32),
    /// A read of one of two files.
    Reads(bool, u32),
    /// Words of the user, behind which a notice was stored before they left.
    Reminded,
    /// A reply that is cut off.
    CutOff,
    /// A reply that continues a cut one; nothing if there was none.
    GoesOn,
}

fn events() -> impl Strategy<Value = Vec<Event>> {
    let event = prop_oneof![
        4 => (10_u32..3_000).prop_map(Event::Round),
        3 => (10_u32..6_000).prop_map(Event::Tools),
        1 => Just(Event::Notice),
        1 => (10_u32..500).prop_map(Event::Pinned),
        1 => (10_u32..3_000).prop_map(Event::LeftOut),
        1 => Just(Event::Reminder),
        2 => (1_usize..9, 1_000_u32..3_000_000).prop_map(|(many, bytes)| Event::Shows(many, bytes)),
        1 => (1_000_u32..3_000_000).prop_map(Event::Attaches),
        1 => (10_u32..3_000).prop_map(Event::File),
        1 => (10_u32..3_000).prop_map(Event::Thinks),
        2 => (any::<bool>(), 100_u32..3_000).prop_map(|(other, size)| Event::Reads(other, size)),
        1 => Just(Event::Reminded),
        1 => Just(Event::CutOff),
        1 => Just(Event::GoesOn),
    ];
    proptest::collection::vec(event, 0..40)
}

fn happens(thread: Thread, event: Event) -> Thread {
    match event {
        Event::Round(tokens) => thread.round(tokens),
        Event::Tools(tokens) => thread.person(20).says_and_calls(30, tokens).model(40),
        Event::Notice => thread.notice(15),
        Event::Pinned(tokens) => thread.person(tokens).pinned().model(20),
        Event::LeftOut(tokens) => {
            let thread = thread.round(tokens);
            let answer = thread.messages.len() - 1;
            thread.leaving_out(&[answer])
        }
        Event::Reminder => thread.reminder("keep the port"),
        Event::Shows(many, bytes) => thread.person(20).shows(many, bytes).model(40),
        Event::Attaches(bytes) => thread.attaches(bytes).model(20),
        Event::File(tokens) => thread.attaches_file(tokens).model(20),
        Event::Thinks(tokens) => thread.person(20).thinks_and_calls(50, tokens).model(40),
        Event::Reads(other, tokens) => {
            let args = if other { r#"{"path":"b"}"# } else { r#"{"path":"a"}"# };
            let text = format!("output {}", "x".repeat(300));
            thread.person(20).reads_file("read_file", args, &text, tokens).model(40)
        }
        Event::Reminded => thread.person(20).notice(15).model(40),
        Event::CutOff => thread.person(20).model(40).last_is(MessageState::Interrupted {}),
        Event::GoesOn => match thread.messages.last() {
            Some((last, _)) if last.state == (MessageState::Interrupted {}) => thread.model(40),
            Some(_) | None => thread,
        },
    }
}

fn cleanings() -> impl Strategy<Value = ToolCleaning> {
    prop_oneof![
        Just(ToolCleaning::EverySend),
        Just(ToolCleaning::InBatches),
        Just(ToolCleaning::AtCompaction),
        Just(ToolCleaning::Never),
    ]
}

/// How a thread ends.
#[derive(Debug, Clone, Copy)]
enum End {
    Answered,
    Asked,
    Called,
    /// It was told something between two calls.
    Noticed,
    Streaming,
    Interrupted,
    Ended,
    /// Before it said anything.
    Failed,
}

impl End {
    fn happens(self, thread: Thread) -> Thread {
        let asked = thread.clone().person(200);
        match self {
            Self::Answered => thread,
            Self::Asked => asked,
            Self::Called => asked.calls(900),
            Self::Noticed => asked.writes(700, 40).notice(15).calls(300),
            Self::Streaming => asked.model(60).last_is(MessageState::Streaming {}),
            Self::Interrupted => asked.model(60).last_is(MessageState::Interrupted {}),
            Self::Ended => {
                asked.model(60).last_is(MessageState::Ended { at: StopReason::Window {} })
            }
            Self::Failed => {
                let kind = MessageKind::Chat {};
                let empty = asked.says(Role::Assistant, Origin::Model, kind, Vec::new());
                empty.last_is(MessageState::Failed { error: "refused".to_owned().into() })
            }
        }
    }
}

/// A model and what is set for it.
fn models() -> impl Strategy<Value = (Limits, Policy, ReasoningReplay)> {
    // Where a window is small, nothing that could be covered makes the rest fit.
    let window = prop_oneof![2 => 8_000_u32..200_000, 1 => 1_000_u32..8_000];
    let input = proptest::option::weighted(0.3, 30_u32..=100);
    let reserve = prop_oneof![Just(32_000), 100_u32..40_000];
    let back = prop_oneof![
        3 => Just(ReasoningReplay::InProgress),
        1 => Just(ReasoningReplay::Never),
        1 => Just(ReasoningReplay::WithTools),
    ];
    let policy = (40_u32..=90, 0_u32..=6, 0_u32..=6, cleanings(), reserve);
    (window, input, policy, back).prop_map(|(window, input, policy, back)| {
        let (percent, rounds, tool_rounds, cleaning, reserve) = policy;
        let policy = Policy {
            compaction_threshold: percent,
            keep_rounds: rounds,
            keep_tool_rounds: tool_rounds,
            tool_cleaning: Some(cleaning),
            output_reserve: reserve,
            ..Policy::default()
        };
        let max_input = input.map(|percent| window / 100 * percent);
        (Limits { window: Some(window), max_input, ..Limits::default() }, policy, back)
    })
}

/// How a model gets at what is covered, and what is beside the conversation: passages, a draft.
fn beside() -> impl Strategy<Value = (HistoryAccess, Option<u32>, Option<u32>)> {
    let recall = prop_oneof![
        2 => Just(HistoryAccess::Never),
        1 => (1_u32..300).prop_map(|tokens| HistoryAccess::Later { tokens }),
        2 => (1_u32..80).prop_map(|tokens| HistoryAccess::Available(text("call search_history", tokens))),
    ];
    let passages = proptest::option::weighted(0.2, 1_u32..600);
    let draft = proptest::option::weighted(0.2, 10_u32..3_000);
    (recall, passages, draft)
}

fn text(words: &str, tokens: u32) -> CountedText {
    CountedText { text: words.to_owned(), tokens }
}

/// Where summaries stand for what was before, by any answer, with facts beside them or not; the last perhaps
/// for as much as the first.
fn compactions() -> impl Strategy<Value = (Vec<(prop::sample::Index, Option<u32>)>, bool)> {
    let facts = proptest::option::of(1_u32..400);
    let one = (any::<prop::sample::Index>(), facts);
    (
        prop_oneof![
            3 => proptest::collection::vec(one.clone(), 0..2),
            1 => proptest::collection::vec(one, 2..4),
        ],
        prop::bool::weighted(0.3),
    )
}

fn compacted(thread: Thread, made: Vec<(prop::sample::Index, Option<u32>)>, same: bool) -> Thread {
    let answers: Vec<usize> = (0..thread.messages.len())
        .filter(|at| thread.messages[*at].0.role == Role::Assistant)
        // One that may be gone on with is covered by nothing.
        .filter(|at| thread.messages[*at].0.state == (MessageState::Complete {}))
        .collect();
    if answers.is_empty() {
        return thread;
    }
    let first = made.first().copied();
    let again = first.filter(|_| same && made.len() > 1);
    made.into_iter().chain(again).fold(thread, |thread, (boundary, facts)| {
        let mut thread = thread.covered_to(answers[boundary.index(answers.len())], 50);
        let point = thread.points.last_mut().unwrap();
        point.anchors = facts.map(|tokens| text("port: 7443", tokens));
        thread
    })
}

/// A thread in any state between two calls: perhaps in progress or cut off, perhaps compacted before, once or
/// several times.
pub fn threads() -> impl Strategy<Value = Thread> {
    let end = prop_oneof![
        3 => Just(End::Answered),
        3 => Just(End::Asked),
        3 => Just(End::Called),
        1 => Just(End::Noticed),
        1 => Just(End::Streaming),
        1 => Just(End::Interrupted),
        1 => Just(End::Ended),
        1 => Just(End::Failed),
    ];
    let deferred = prop::bool::weighted(0.3);
    (events(), 0_u32..3_000, compactions(), end, models(), beside(), deferred).prop_map(
        |(events, system, (made, same), end, (limits, policy, back), beside, is_deferred)| {
            let start = Thread::new().system(system).policy(|it| *it = policy);
            let start = Thread { limits, reasoning_replay: back, ..start };
            let start = if is_deferred { deferring(start, &["read_file"]) } else { start };
            let thread = compacted(events.into_iter().fold(start, happens), made, same);
            let mut thread = end.happens(thread);
            let (recall, passages, draft) = beside;
            thread.recall = recall;
            thread.passages = passages.map(|tokens| text("said earlier", tokens));
            match draft {
                Some(tokens) => thread.draft(tokens),
                None => thread,
            }
        },
    )
}

/// The thread after a compaction by this plan: with a summary and facts as long as allowed, and the search
/// tool.
pub fn followed(thread: &Thread, plan: &Plan) -> Thread {
    let mut after = thread.clone().compacted(plan, plan.summary_room);
    after.points.last_mut().unwrap().anchors = Some(text("port: 7443", plan.facts_room));
    if let HistoryAccess::Later { tokens } = thread.recall {
        after.recall = HistoryAccess::Available(text("call search_history", tokens));
    }
    after
}

/// All that a summary was written from which covers up to a point, as things stand.
fn read_by(thread: &Thread) -> HashMap<PointId, Vec<MessageId>> {
    let read = |point: &CompactionPoint| {
        let covered = up_to(thread, point.boundary_message_id);
        covered.filter(|it| it.inclusion == Inclusion::Usual).map(|it| it.id).collect()
    };
    thread.points.iter().map(|it| (it.point.id, read(&it.point))).collect()
}

pub fn purposes() -> impl Strategy<Value = PlanPurpose> {
    prop_oneof![
        Just(PlanPurpose::Threshold),
        Just(PlanPurpose::Overflow),
        Just(PlanPurpose::UserRequest)
    ]
}

pub fn prompt(thread: &Thread) -> Prompt {
    thread.see(|window| window.prompt())
}

pub fn bytes(thread: &Thread) -> String {
    serde_json::to_string(&prompt(thread)).unwrap()
}

/// True if a part is the call with this id.
fn calls(part: &ContentPart, id: &str) -> bool {
    matches!(part, ContentPart::Tool { call } if call.call_id == id)
}

/// True if a call is sent with this result.
fn returns(part: &ContentPart, text: &str) -> bool {
    let ContentPart::Tool { call } = part else { return false };
    matches!(&call.state, ToolState::Done { output } if output.text.starts_with(text))
}

/// The messages up to a boundary.
fn up_to(thread: &Thread, boundary: MessageId) -> impl Iterator<Item = &Message> {
    let end = thread.messages.iter().position(|(message, _)| message.id == boundary);
    thread.messages.iter().take(end.map_or(0, |end| end + 1)).map(|(message, _)| message)
}

/// True if the summary that applies is stale although it covers all messages left to it; and a message that
/// it does not cover although it is not stale. Messages that are left out change nothing here.
fn untold(thread: &Thread, read: &[MessageId]) -> (bool, Option<MessageId>) {
    thread.see(|window| {
        let Some(covered) = window.applied_point else { return (false, None) };
        let sent = |id: MessageId| {
            window.entries.iter().any(|line| match line.content {
                EntryContent::Message { sent, .. } | EntryContent::Pinned { sent, .. } => {
                    sent.counted.message.id == id
                }
                _ => false,
            })
        };
        let mut lost = up_to(thread, covered.point.boundary_message_id)
            .filter(|it| !it.is_left_out() && !read.contains(&it.id))
            .map(|it| it.id)
            .filter(|id| !sent(*id));
        let lost = lost.next();
        (covered.stale && lost.is_none(), lost.filter(|_| !covered.stale))
    })
}

/// Index of the first message that no summary stands for.
fn uncovered_from(thread: &Thread) -> usize {
    let boundaries = thread.points.iter().map(|it| it.point.boundary_message_id);
    let place = |id| thread.messages.iter().position(|(message, _)| message.id == id);
    boundaries.filter_map(place).max().map_or(0, |boundary| boundary + 1)
}

/// Index of the first of these messages that is still being answered, as `threads` makes them: in the midst
/// of a tool loop only the program says anything.
fn unanswered_from(messages: &[(Message, MessageTokens)]) -> usize {
    let speaks = |part: &ContentPart| matches!(part, ContentPart::Text { .. });
    let works = |part: &ContentPart| matches!(part, ContentPart::Tool { .. });
    let answers = |message: &Message| {
        let grows = message.state == MessageState::Streaming {};
        let is_whole = message.parts.iter().any(speaks) && !message.parts.iter().any(works);
        message.role == Role::Assistant && is_whole && !grows
    };
    messages.iter().rposition(|(message, _)| answers(message)).map_or(0, |at| at + 1)
}

/// Index of the first message that the next call answers, or goes on with.
fn current_from(thread: &Thread) -> usize {
    let told = thread.messages.iter().rev().take_while(|(message, _)| message.is_notice()).count();
    let (said, _) = thread.messages.split_at(thread.messages.len() - told);
    let (last, before) = match said.split_last() {
        Some(((last, _), before)) if thread.draft.is_none() => (last, before),
        _ => return unanswered_from(&thread.messages),
    };
    match last.state {
        MessageState::Interrupted {} | MessageState::Ended { .. } => unanswered_from(before),
        _ => unanswered_from(&thread.messages),
    }
}

/// The thread that would begin with what this one is answering.
fn begun_anew(thread: &Thread) -> Thread {
    let mut anew = Thread { recall: HistoryAccess::Never, passages: None, ..thread.clone() };
    anew.messages.drain(..current_from(thread));
    anew.points.clear();
    anew
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, max_global_rejects: 8_192, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn law_01_a_plan_leaves_less_than_it_found_and_gets_below_the_limit(
        thread in threads(),
        purpose in purposes(),
    ) {
        let (outlook, used) =
            thread.see(|window| (plan(window, thread.limits, purpose), window.used.tokens));
        let threshold = thread.limits.threshold(&thread.policy).unwrap();
        let roomy = thread.limits.prompt_limit_with_reserve(thread.policy.output_reserve).unwrap();
        match outlook {
            // Where what is always sent leaves no room below the threshold, a compaction waits while there is
            // room for an answer.
            PlanOutcome::Fine {} => {
                prop_assert!(purpose != PlanPurpose::Threshold || used <= threshold.max(roomy));
            }
            PlanOutcome::Stuck { floor, .. } => prop_assert!(floor <= used),
            PlanOutcome::Compact { plan } => {
                prop_assert!(plan.expected_after < plan.before);
                let ceiling = thread.limits.max_prompt().unwrap();
                let refused = purpose == PlanPurpose::Overflow || used > ceiling;
                let fits = if refused { ceiling } else { roomy };
                prop_assert!(plan.expected_after <= threshold.max(fits));
                prop_assert!(!plan.covered.is_empty() || plan.previous.is_some());
                if purpose == PlanPurpose::Threshold && used <= roomy {
                    prop_assert!(plan.expected_after <= threshold);
                }
            }
        }
    }

    #[test]
    fn law_01_what_a_plan_promises_is_what_the_window_then_holds(
        thread in threads(),
        purpose in prop_oneof![3 => purposes(), 1 => Just(PlanPurpose::Renewal)],
    ) {
        let outlook = thread.see(|window| plan(window, thread.limits, purpose));
        if let PlanOutcome::Compact { plan } = outlook {
            let after = followed(&thread, &plan).used();
            prop_assert!(after <= plan.expected_after, "{after} > {}", plan.expected_after);
            prop_assert_eq!(plan.facts_room_beside(plan.summary_room), Some(plan.facts_room));
        }
    }

    #[test]
    fn law_01_what_could_not_leave_does_so_after_one_compaction_or_none_is_asked_for(
        thread in threads(),
        longer in 0_u32..9_000,
    ) {
        let thread = thread.policy(|policy| policy.strategy = When::Summarize);
        let ceiling = thread.limits.max_prompt().unwrap();
        prop_assume!(thread.used() > ceiling);
        let Decision::Compact { plan, first } = thread.decide(GateTrigger::BeforeSend)
        else { return Ok(()) };
        prop_assert!(first);
        // Of whatever length the summary comes back: it is not accepted, or the call may leave.
        let summary = plan.summary_room.saturating_add(longer);
        let Some(facts) = plan.facts_room_beside(summary) else { return Ok(()) };
        let mut after = followed(&thread, &plan);
        let point = after.points.last_mut().unwrap();
        point.tokens.parts = vec![summary];
        point.anchors = Some(text("port: 7443", facts));
        prop_assert!(after.used() <= ceiling, "{} > {ceiling}", after.used());
        let again = after.verdict(GateTrigger::BeforeSend, |state| state.attempt = CompactionAttempt::Done);
        let goes_round = matches!(again.decision, Decision::Compact { .. });
        prop_assert!(!goes_round, "{again:?}");
    }

    #[test]
    fn law_02_an_unknown_window_never_triggers(thread in threads()) {
        let mut thread = thread;
        thread.limits = Limits::default();
        let outlook = thread.see(|window| plan(window, thread.limits, PlanPurpose::Threshold));
        prop_assert_eq!(outlook, PlanOutcome::Fine {});
        for strategy in [When::Summarize, When::Remind, When::Archive] {
            let thread = thread.clone().policy(|policy| policy.strategy = strategy);
            for trigger in [GateTrigger::TurnCompleted, GateTrigger::BeforeSend, GateTrigger::BeforeGeneration] {
                prop_assert_eq!(thread.decide(trigger), Decision::Go {});
            }
            prop_assert_eq!(thread.due(0), None);
        }
    }

    #[test]
    fn law_03_at_least_half_the_window_is_available_or_the_longest_prompt_and_more_of_a_larger_one(
        window in 0_u32..3_000_000,
        max_input in proptest::option::of(0_u32..3_000_000),
        reserve in 0_u32..500_000,
        percent in 40_u32..=90,
    ) {
        let of = |window| Limits { window: Some(window), max_input, ..Limits::default() };
        let available = of(window).available(reserve).unwrap();
        let longest = max_input.unwrap_or(u32::MAX);
        prop_assert!(available >= longest.min(window / 2) && available <= longest.min(window));
        prop_assert!(of(window + 1).available(reserve).unwrap() >= available);
        let longer = Limits { max_input: max_input.map(|input| input + 1), ..of(window) };
        prop_assert!(longer.available(reserve).unwrap() >= available);
        let policy = Policy {
            compaction_threshold: percent,
            output_reserve: reserve,
            ..Policy::default()
        };
        let threshold = of(window).threshold(&policy).unwrap();
        prop_assert!(of(window + 1).threshold(&policy).unwrap() >= threshold);
        prop_assert!(longer.threshold(&policy).unwrap() >= threshold);
    }

    #[test]
    fn fr_1_2_a_threshold_is_the_smaller_of_share_and_bound_and_grows_with_either(
        window in proptest::option::weighted(0.9, 0_u32..3_000_000),
        step in proptest::option::of(100_000_u32..400_000),
        bound in proptest::option::of(1_000_u32..1_000_000),
        reserve in 0_u32..100_000,
        percent in 40_u32..90,
    ) {
        let limits = Limits { window, price_step: step, ..Limits::default() };
        let policy = Policy {
            compaction_threshold: percent,
            compaction_bound: bound,
            output_reserve: reserve,
            ..Policy::default()
        };
        let threshold = limits.threshold(&policy);
        let share = limits.available(reserve).map(|available| percent_of(available, percent));
        let upper = limits.upper_bound(&policy).map(|bound| bound.tokens);
        prop_assert_eq!(threshold, share.into_iter().chain(upper).min());
        prop_assert_eq!(limits.is_bounded(&policy), threshold != share);
        if bound.is_none() {
            prop_assert_eq!(upper.is_some(), window.is_some_and(|size| size > 262_144));
        }
        let keeps_more = Policy { compaction_threshold: percent + 1, ..policy };
        prop_assert!(limits.threshold(&keeps_more) >= threshold);
        let higher = Policy { compaction_bound: bound.map(|bound| bound + 1), ..policy };
        prop_assert!(limits.threshold(&higher) >= threshold);
        let later = Limits { price_step: step.map(|step| step + 1), ..limits };
        prop_assert!(later.threshold(&policy) >= threshold);
    }

    #[test]
    fn law_04_off_only_the_person_acts(thread in threads(), strategy in 0..3_usize) {
        let thread = thread.policy(|policy| {
            policy.automatic = false;
            policy.strategy = [When::Summarize, When::Remind, When::Archive][strategy];
        });
        for trigger in [
            GateTrigger::TurnCompleted,
            GateTrigger::BeforeSend,
            GateTrigger::BeforeGeneration,
            GateTrigger::ModelSwitched,
        ] {
            prop_assert_eq!(thread.decide(trigger), Decision::Go {});
        }
        let overflow = thread.decide(GateTrigger::Overflow { repeated: false });
        let told = matches!(overflow, Decision::TooLong { .. });
        prop_assert!(told);
        prop_assert_eq!(thread.due(0), None);
    }

    #[test]
    fn law_05_the_strongest_source_wins_in_whatever_order_values_are_learned(
        sources in proptest::collection::vec(0..6_usize, 1..8),
    ) {
        let mut spec = ModelSpec::default();
        for (at, source) in sources.iter().enumerate() {
            let value = u32::try_from(at).unwrap();
            let told = Some(SourcedValue { value, source: SOURCES[*source] });
            let told = ModelSpec { window: told, max_output: told, ..ModelSpec::default() };
            spec.merge_newer(&told);
        }
        let strongest = sources.iter().min().unwrap();
        let latest = sources.iter().rposition(|source| source == strongest).unwrap();
        let value = u32::try_from(latest).unwrap();
        let expected = Some(SourcedValue { value, source: SOURCES[*strongest] });
        let expected =
            ModelSpec { window: expected, max_output: expected, ..ModelSpec::default() };
        prop_assert_eq!(spec, expected);
    }

    #[test]
    fn law_05_in_whatever_order_a_longest_prompt_holds_unless_the_window_is_known_better(
        order in Just(vec![0, 1, 2, 3]).prop_shuffle(),
        sources in proptest::collection::vec(0..6_usize, 4),
    ) {
        let mut spec = ModelSpec::default();
        let told = |at: usize| Some(SourcedValue { value: 9, source: SOURCES[sources[at]] });
        for at in order {
            let (window, input) = if at < 2 { (told(at), None) } else { (None, told(at)) };
            spec.merge_newer(&ModelSpec { window, max_input: input, ..ModelSpec::default() });
        }
        let (window, input) = (sources[..2].iter().min(), sources[2..].iter().min());
        prop_assert_eq!(spec.max_input.is_some(), window >= input);
    }

    #[test]
    fn law_06_nothing_unanswered_in_progress_pinned_or_left_out_is_covered(
        thread in threads(),
        purpose in prop_oneof![purposes(), Just(PlanPurpose::Renewal)],
    ) {
        let outlook = thread.see(|window| plan(window, thread.limits, purpose));
        if let PlanOutcome::Compact { plan } = outlook {
            let open_from = current_from(&thread);
            let protected: Vec<MessageId> = thread
                .messages
                .iter()
                .enumerate()
                .filter(|(at, (message, _))| *at >= open_from || message.is_pinned())
                .filter(|(_, (message, _))| !message.is_left_out() && !message.parts.is_empty())
                .map(|(_, (message, _))| message.id)
                .collect();
            prop_assert!(plan.covered.iter().all(|id| !protected.contains(id)));
            let left_out = |id: &MessageId| {
                thread.messages.iter().any(|(it, _)| it.id == *id && it.is_left_out())
            };
            prop_assert!(!plan.covered.iter().any(left_out));
            let boundary = thread.messages.iter().position(|(m, _)| m.id == plan.boundary).unwrap();
            prop_assert!(boundary < open_from);
            let after = thread.clone().compacted(&plan, plan.summary_room);
            let sent = after.see(|window| {
                let ids = window.entries.iter().filter_map(|line| match line.content {
                    EntryContent::Message { sent, .. } | EntryContent::Pinned { sent, .. } => {
                        Some(sent.counted.message.id)
                    }
                    _ => None,
                });
                ids.collect::<Vec<_>>()
            });
            prop_assert!(protected.iter().all(|id| sent.contains(id)));
        }
    }

    #[test]
    fn law_07_a_report_holds_while_the_conversation_grows_and_no_longer(
        thread in threads(),
        at in any::<prop::sample::Index>(),
        change in 0..6_u8,
        noted in any::<bool>(),
    ) {
        let answers: Vec<usize> = (0..thread.messages.len())
            .filter(|at| thread.messages[*at].0.role == Role::Assistant)
            .collect();
        prop_assume!(!answers.is_empty());
        let at = answers[at.index(answers.len())];
        let model = |name: &str| ModelRef {
            provider: ProviderId("demo".to_owned()),
            model: name.to_owned(),
        };
        let ledger = LastReport {
            report: Some(UsageReport {
                message_id: thread.id(at),
                at: u32::try_from(at).unwrap(),
                point: thread.see(|window| window.applied_point.map(|covered| covered.point.id)),
                prefix: noted.then(|| thread.prefix.fingerprint.clone()),
                model: model("a"),
                usage: TokenUsage { prompt: Some(100), ..TokenUsage::default() },
            }),
        };
        let holds = |thread: &Thread, name: &str| {
            thread.see(|window| ledger.current(window, &model(name)).is_some())
        };
        prop_assert!(holds(&thread, "a"));
        prop_assert!(holds(&thread.clone().round(50), "a"));
        let mut changed = thread.clone();
        match change {
            0 => prop_assert!(!holds(&thread, "b")),
            1 => {
                changed.messages.remove(at / 2);
                prop_assert!(!holds(&changed, "a"));
            }
            2 => {
                changed.messages.truncate(at);
                prop_assert!(!holds(&changed.rounds(3, 40), "a"));
            }
            3 => {
                let last = changed.messages.len() - 1;
                prop_assert!(!holds(&changed.covered_to(last, 20), "a"));
            }
            4 => {
                changed.prefix.fingerprint = "another".to_owned();
                prop_assert_eq!(holds(&changed, "a"), !noted, "nobody noted what was sent always");
            }
            _ => {
                changed.messages.clear();
                prop_assert!(!holds(&changed.rounds(20, 40), "a"), "a new thread");
            }
        }
    }

    #[test]
    fn fr_1_1_a_compaction_is_due_after_a_turn_where_it_would_be_before_the_next_call(
        thread in threads(),
    ) {
        let thread = thread.policy(|policy| policy.strategy = When::Summarize);
        let compacts = |trigger| matches!(thread.decide(trigger), Decision::Compact { .. });
        prop_assert_eq!(compacts(GateTrigger::TurnCompleted), compacts(GateTrigger::BeforeGeneration));
    }

    #[test]
    fn p07_too_long_by_itself_is_what_a_new_thread_would_not_hold(thread in threads()) {
        let (used, alone) = (thread.used(), begun_anew(&thread).used());
        prop_assume!(alone > 0 && used > alone);
        let thread = thread.policy(|policy| policy.strategy = When::Archive);
        let of_window = |tokens| {
            let limits = Limits { window: Some(tokens), ..Limits::default() };
            Thread { limits, ..thread.clone() }.decide(GateTrigger::BeforeSend)
        };
        let carry = thread.ids(current_from(&thread)..thread.messages.len());
        let percent = thread.policy.archive_at;
        prop_assert_eq!(of_window(alone), Decision::Archive { carry, percent });
        let found = of_window(alone - 1);
        let leaves = matches!(found, Decision::Withhold { .. });
        let too_long = Decision::TooLong { used: alone, limit: Some(alone - 1) };
        prop_assert!(leaves || found == too_long, "{found:?}, not {too_long:?}");
    }

    #[test]
    fn law_09_the_same_conversation_gives_the_same_bytes(thread in threads()) {
        prop_assert_eq!(bytes(&thread), bytes(&thread.clone()));
    }

    #[test]
    fn law_09_the_stable_prefix_does_not_change_while_the_conversation_grows(
        thread in threads(),
        more in events(),
    ) {
        let mut thread = thread;
        let mut before = prompt(&thread);
        // A new reminder is a change of the notes, not growth of the conversation; and a request has no
        // room for ever more pictures (`pictures`).
        let grows = |event: &Event| match event {
            Event::Round(_)
            | Event::Tools(_)
            | Event::Notice
            | Event::Pinned(_)
            | Event::LeftOut(_)
            | Event::File(_)
            | Event::Thinks(_)
            | Event::Reads(..)
            | Event::Reminded
            | Event::CutOff
            | Event::GoesOn => true,
            Event::Reminder | Event::Shows(..) | Event::Attaches(_) => false,
        };
        for event in more.into_iter().filter(grows) {
            let asks = thread.messages.last().is_some_and(|(last, _)| last.role == Role::User);
            thread = happens(thread, event);
            let after = prompt(&thread);
            if asks && matches!(event, Event::Notice) {
                // It is stored behind what is asked before that has left.
                before = after;
                continue;
            }
            let stable = usize::try_from(before.stable_messages).unwrap();
            prop_assert_eq!(&before.system, &after.system);
            prop_assert_eq!(&before.tools, &after.tools);
            prop_assert!(after.messages.len() >= stable);
            prop_assert_eq!(&before.messages[..stable], &after.messages[..stable]);
            before = after;
        }
    }

    #[test]
    fn law_09_keeping_the_cache_all_history_is_stable(
        thread in threads(),
        cleaning in prop_oneof![
            Just(ToolCleaning::InBatches),
            Just(ToolCleaning::AtCompaction),
            Just(ToolCleaning::Never),
        ],
    ) {
        let thread = thread.policy(|policy| policy.tool_cleaning = Some(cleaning)).person(20).model(40);
        let reasoning_replay = ReasoningReplay::WithTools;
        let mut thread = Thread { reasoning_replay, draft: None, passages: None, ..thread };
        thread.reminders.clear();
        for (message, _) in &mut thread.messages {
            message.state = MessageState::Complete {};
        }
        let found = prompt(&thread);
        prop_assert_eq!(usize::try_from(found.stable_messages).unwrap(), found.messages.len());
    }

    #[test]
    fn law_11_where_the_path_ends_before_its_boundary_a_point_changes_nothing(
        thread in threads(),
        purpose in purposes(),
        kept in any::<prop::sample::Index>(),
    ) {
        let PlanOutcome::Compact { plan } = thread.see(|window| plan(window, thread.limits, purpose))
        else { return Ok(()) };
        let compacted = followed(&thread, &plan);
        prop_assert_ne!(bytes(&compacted), bytes(&thread));
        let cut = |thread: &Thread| {
            let boundary = thread.messages.iter().position(|(it, _)| it.id == plan.boundary);
            let mut shorter = thread.clone();
            shorter.messages.truncate(kept.index(boundary.unwrap() + 1));
            shorter.recall = HistoryAccess::Never;
            shorter
        };
        prop_assert_eq!(bytes(&cut(&compacted)), bytes(&cut(&thread)));
    }

    #[test]
    fn law_11_of_several_points_one_applies_and_whichever_other_is_undone_changes_nothing(
        thread in threads(),
        undone in any::<prop::sample::Index>(),
    ) {
        prop_assume!(!thread.points.is_empty());
        let (before, at) = (bytes(&thread), undone.index(thread.points.len()));
        let place = |id: MessageId| thread.messages.iter().position(|(it, _)| it.id == id);
        let applies = thread.points.iter().map(|it| &it.point);
        let applies = applies.max_by_key(|it| (place(it.boundary_message_id), it.id)).unwrap().id;
        prop_assert_eq!(thread.see(|window| window.applied_point.map(|it| it.point.id)), Some(applies));
        let mut without = thread.clone();
        let undone = without.points.remove(at);
        prop_assert_eq!(bytes(&without) == before, undone.point.id != applies);
        without.points.push(undone);
        prop_assert_eq!(bytes(&without), before, "in whatever order they are listed");
    }

    #[test]
    fn law_12_points_of_another_branch_change_nothing(
        thread in threads(),
        more in events(),
        boundary in any::<prop::sample::Index>(),
    ) {
        let trunk = thread.messages.len();
        let other = more.into_iter().fold(thread.clone(), happens);
        prop_assume!(other.messages.len() > trunk);
        let boundary = trunk + boundary.index(other.messages.len() - trunk);
        let other = other.covered_to(boundary, 30);
        let mut shared = thread.clone();
        shared.points = other.points;
        prop_assert_eq!(bytes(&shared), bytes(&thread));
        prop_assert_eq!(shared.decide(GateTrigger::BeforeSend), thread.decide(GateTrigger::BeforeSend));
    }

    #[test]
    fn law_14_every_part_is_sent_covered_cleaned_or_left_out_by_the_person(thread in threads()) {
        let sent = prompt(&thread);
        let sent: Vec<&ContentPart> = sent.messages.iter().flat_map(|it| it.parts.iter()).collect();
        thread.see(|window| {
            let tail_from = uncovered_from(&thread);
            let open_from = unanswered_from(&thread.messages);
            for (at, (message, _)) in thread.messages.iter().enumerate() {
                let covered = at < tail_from && !message.is_pinned();
                if covered || message.is_left_out() {
                    continue;
                }
                for part in message.parts.iter() {
                    let stands = match part {
                        // FR-2.3: what is neither pinned nor in progress may be cleaned.
                        ContentPart::Tool { call } => {
                            !message.is_pinned() && at < open_from
                                || sent.iter().any(|it| calls(it, &call.call_id))
                        }
                        ContentPart::Reasoning { .. } => true,
                        ContentPart::Text { .. }
                        | ContentPart::Image(_)
                        | ContentPart::File { .. } => sent.contains(&part),
                    };
                    assert!(stands, "{part:?} of message {} is nowhere", message.id.0);
                }
            }
            let expected = (tail_from, open_from, tail_from > 0);
            let found = (window.tail_start, window.rounds.open_start(), window.applied_point.is_some());
            assert_eq!(found, expected);
        });
    }

    #[test]
    fn law_14_what_stands_before_a_boundary_is_sent_was_read_is_left_out_or_its_summary_is_stale(
        thread in threads(),
        purpose in prop_oneof![purposes(), Just(PlanPurpose::Renewal)],
        before in proptest::option::of(proptest::collection::vec(any::<bool>(), 1..12)),
        after in proptest::collection::vec(any::<bool>(), 1..12),
    ) {
        let read = read_by(&thread);
        let of = |id: Option<PointId>| id.map_or(Vec::new(), |id| read[&id].clone());
        // Where nothing is unpinned the summary is updated, else written anew.
        let thread = thread.repinned(&before.unwrap_or(vec![false])).looked_through();
        let applies = thread.see(|window| window.applied_point.map(|covered| covered.point.id));
        prop_assert_eq!(untold(&thread, &of(applies)), (false, None));
        let PlanOutcome::Compact { plan } = thread.see(|window| plan(window, thread.limits, purpose))
        else { return Ok(()) };
        let kept = of(plan.previous);
        let read: Vec<MessageId> = plan.covered.iter().chain(&kept).copied().collect();
        let pinned = thread.compacted(&plan, 50).looked_through();
        prop_assert!(!pinned.points.last().unwrap().stale);
        prop_assert_eq!(untold(&pinned, &read), (false, None));
        let unpinned = pinned.repinned(&after).looked_through();
        prop_assert_eq!(untold(&unpinned, &read), (false, None));
    }

    #[test]
    fn law_14_what_is_summarised_in_place_holds_every_part_that_it_is_to_stand_for(
        thread in threads(),
        withheld in proptest::collection::vec(prop::bool::weighted(0.1), 1..12),
    ) {
        let thread = thread.withholding(&withheld);
        let PlanOutcome::Compact { plan } =
            thread.see(|window| plan(window, thread.limits, PlanPurpose::UserRequest))
        else { return Ok(()) };
        let roomy = Limits { window: Some(2_000_000), ..Limits::default() };
        let job = thread.see(|window| {
            SummaryJob::continuing_conversation(&Letters, window, &plan, None, u32::MAX, roomy, None)
        });
        let Some(request) = job.and_then(|job| job.request()) else { return Ok(()) };
        let sent: Vec<&ContentPart> =
            request.prompt.messages.iter().flat_map(|it| it.parts.iter()).collect();
        let stood_for = up_to(&thread, plan.boundary)
            .filter(|message| plan.covered.contains(&message.id) || message.is_pinned());
        for part in stood_for.flat_map(|message| message.parts.iter()) {
            let stands = match part {
                ContentPart::Tool { call } => {
                    sent.iter().any(|it| calls(it, &call.call_id) && returns(it, "output"))
                }
                ContentPart::Reasoning { .. } => true,
                ContentPart::Text { .. } | ContentPart::Image(_) | ContentPart::File { .. } => {
                    sent.contains(&part)
                }
            };
            prop_assert!(stands, "{part:?} is not read");
        }
    }

    #[test]
    fn law_14_every_character_of_the_person_reaches_the_summariser(
        texts in proptest::collection::vec((".{1,3000}", any::<bool>()), 1..8),
        window in 6_000_u32..20_000,
    ) {
        let thread = texts.iter().fold(Thread::new(), |thread, (text, attached)| {
            let text = text.clone();
            let part = match attached {
                false => ContentPart::Text { text },
                true => ContentPart::File {
                    blob: BlobId(1),
                    name: "loom.txt".to_owned(),
                    media_type: "text/plain".to_owned(),
                    text,
                    bytes: 10,
                },
            };
            thread.says(Role::User, Origin::Person, MessageKind::Chat {}, vec![(part, 10)])
        });
        let covered: Vec<&Message> = thread.messages.iter().map(|(message, _)| message).collect();
        let material = SummaryInput { covered: &covered, previous: None, keep: None, summary_room: 300 };
        let mut job = SummaryJob::new(&Letters, material, writer(window));
        let mut read = String::new();
        while let Some(request) = job.request() {
            if let ContentPart::Text { text } = &request.prompt.messages[0].parts[0] {
                read.push_str(text.replace("<conversation>", "").replace("</conversation>", "").trim());
            }
            job.push_reply(&Letters, "so far so good");
        }
        let bare = |text: &str| text.chars().filter(|it| !it.is_whitespace()).collect::<String>();
        let read = bare(&read);
        for (text, _) in &texts {
            prop_assert!(read.contains(&bare(text)), "{text:?} is missing");
        }
        let attached = texts.iter().filter(|(_, attached)| *attached).count();
        prop_assert!(read.matches("<filename=\"loom.txt\">").count() >= attached);
    }

    #[test]
    fn no_request_for_a_summary_exceeds_the_window_however_long_the_answers_before_it(
        texts in proptest::collection::vec(".{1,900}", 0..40),
        previous in proptest::option::of(0_usize..2_000),
        window in 6_000_u32..20_000,
        summary_room in 1_u32..4_000,
        longest in proptest::option::of(1_u32..6_000),
        shares in proptest::collection::vec(1_u32..=100, 1..8),
    ) {
        let thread = texts.iter().fold(Thread::new(), |thread, text| {
            let part = (ContentPart::Text { text: text.clone() }, 10);
            thread.says(Role::User, Origin::Person, MessageKind::Chat {}, vec![part])
        });
        let covered: Vec<&Message> = thread.messages.iter().map(|(message, _)| message).collect();
        let previous = previous.map(|words| format!("answer-9999 {}", "kept so ".repeat(words)));
        let material =
            SummaryInput { covered: &covered, previous: previous.as_deref(), keep: None, summary_room };
        let mut job = SummaryJob::new(&Letters, material, SummaryModel { max_output: longest, ..writer(window) });
        let (mut said, mut read) = (0_usize, String::new());
        while let Some(request) = job.request() {
            let ContentPart::Text { text } = &request.prompt.messages[0].parts[0] else {
                panic!("no text")
            };
            let prompt = Letters.text(&request.prompt.system) + Letters.text(text);
            prop_assert!(prompt + request.max_output <= window, "{prompt}, {}", request.max_output);
            prop_assert!(longest.is_none_or(|longest| request.max_output <= longest));
            read.push_str(text);
            let length = request.max_output * shares[said % shares.len()] / 100;
            let answer = format!("answer-{said:04} {}", "woven ".repeat(4_000));
            let length = usize::try_from(length).unwrap().max("answer-0000".len());
            job.push_reply(&Letters, answer.get(..length).unwrap());
            said += 1;
            prop_assert!(said < 1_000, "the job does not end");
        }
        read.push_str(&job.text());
        prop_assert!(previous.is_none() || read.contains("answer-9999"));
        for number in 0..said {
            prop_assert!(read.contains(&format!("answer-{number:04}")), "answer {number} is lost");
        }
    }

    #[test]
    fn the_used_tokens_are_the_sum_of_what_is_shown(thread in threads()) {
        thread.see(|window| {
            let shown: u32 = window.preview().iter().map(|line| line.tokens).sum();
            assert_eq!(shown, window.used.tokens);
        });
    }
}
