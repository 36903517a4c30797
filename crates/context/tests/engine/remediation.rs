use skein_context::compaction::remediation::RemediationTrigger::{
    self, ToolLoop, ToolLoopBeforeQueued, UserMessage, UserMessageBeforeTools,
};
use skein_context::compaction::remediation::{
    ClearMindContext, ClearMindOutcome, NotClearedReason, Remediation, RemediationAction,
    clear_mind_error_text, decide_clear_mind, pending_user_messages,
};
use skein_domain::health::HealthLevel::{self, Caution, Critical, Healthy, Unavailable};
use skein_domain::ids::{MessageId, ThreadId};
use skein_domain::message::{
    ContentPart, Inclusion, Message, MessageKind, MessageState, Notice, Origin, Role, ToolCall,
    ToolState,
};

/// Evaluates a sequence, storing the state between any two of its moments as the program does.
fn run(cadence: u32, moments: &[(HealthLevel, RemediationTrigger)]) -> Vec<RemediationAction> {
    let mut state = Remediation::default();
    let evaluate = |(level, occasion): &(HealthLevel, RemediationTrigger)| {
        let (after, step) = state.evaluate(*level, *occasion, cadence);
        let stored = serde_json::to_string(&after).unwrap();
        state = serde_json::from_str(&stored).unwrap();
        step
    };
    moments.iter().map(evaluate).collect()
}

fn check(cadence: u32, moments: &[(HealthLevel, RemediationTrigger)], expected: &str) {
    let letters = run(cadence, moments).into_iter().map(|step| match step {
        RemediationAction::Nothing => '.',
        RemediationAction::Caution => 'n',
        RemediationAction::Countdown { remaining } => char::from_digit(remaining, 10).unwrap(),
        RemediationAction::Clear => 'X',
    });
    assert_eq!(letters.collect::<String>(), expected);
}

fn times(count: usize, level: HealthLevel) -> Vec<(HealthLevel, RemediationTrigger)> {
    vec![(level, ToolLoop); count]
}

#[test]
fn d12_caution_says_so_on_entering_and_on_every_tenth_evaluation_after() {
    check(10, &times(31, Caution), "n.........n.........n.........n");
}

#[test]
fn d08_the_cadence_is_followed_from_every_time_on() {
    check(1, &times(4, Caution), "nnnn");
    check(2, &times(5, Caution), "n.n.n");
    check(0, &times(3, Caution), "nnn");
}

#[test]
fn d12_a_caution_notice_never_stands_before_the_persons_own_answer() {
    check(
        10,
        &[
            (Caution, UserMessageBeforeTools),
            (Caution, UserMessageBeforeTools),
            (Caution, ToolLoop),
            (Caution, ToolLoop),
        ],
        "..n.",
    );
    check(10, &[(Caution, ToolLoopBeforeQueued), (Caution, ToolLoop)], ".n");
}

#[test]
fn d12_without_a_tool_loop_the_notice_goes_out_with_the_users_own_message() {
    check(10, &[(Caution, UserMessage); 12], "n.........n.");
    check(
        10,
        &[(Caution, UserMessageBeforeTools), (Caution, UserMessage), (Caution, ToolLoop)],
        ".n.",
    );
}

#[test]
fn d12_a_notice_that_waited_is_given_once_and_the_pause_begins_with_it() {
    let mut moments = vec![(Caution, UserMessageBeforeTools); 3];
    moments.extend(times(11, Caution));
    check(10, &moments, "...n.........n");
}

#[test]
fn d14_critical_counts_down_four_to_zero_and_clears_at_the_sixth() {
    check(10, &times(6, Critical), "43210X");
}

#[test]
fn d14_the_countdown_does_not_wait_for_anyone() {
    check(
        10,
        &[
            (Critical, UserMessageBeforeTools),
            (Critical, ToolLoopBeforeQueued),
            (Critical, ToolLoop),
        ],
        "432",
    );
}

#[test]
fn d14_leaving_critical_rearms_it() {
    let mut moments = times(3, Critical);
    moments.extend(times(1, Healthy));
    moments.extend(times(6, Critical));
    check(10, &moments, "432.43210X");
}

#[test]
fn d12_d14_between_caution_and_critical_each_entry_speaks_anew() {
    let moments = [Caution, Critical, Caution, Critical, Critical].map(|level| (level, ToolLoop));
    check(10, &moments, "n4n43");
}

#[test]
fn d03_unavailable_stands_still_in_caution_and_in_the_countdown() {
    let mut moments = times(2, Critical);
    moments.extend(times(3, Unavailable));
    moments.extend(times(4, Critical));
    check(10, &moments, "43...210X");
    let mut moments = times(5, Caution);
    moments.extend(times(20, Unavailable));
    moments.extend(times(6, Caution));
    check(10, &moments, &format!("n{}n", ".".repeat(4 + 20 + 5)));
}

#[test]
fn d12_healthy_clears_the_state() {
    let mut moments = times(3, Caution);
    moments.extend(times(1, Healthy));
    moments.extend(times(2, Caution));
    check(10, &moments, "n...n.");
}

#[test]
fn d03_a_thread_that_never_reports_is_left_alone() {
    check(10, &times(40, Unavailable), &".".repeat(40));
}

#[test]
fn d08_a_cadence_made_shorter_in_between_holds_at_once() {
    let (state, _) = Remediation::default().evaluate(Caution, ToolLoop, 10);
    let (state, first) = state.evaluate(Caution, ToolLoop, 2);
    let (_, second) = state.evaluate(Caution, ToolLoop, 2);
    assert_eq!((first, second), (RemediationAction::Nothing, RemediationAction::Caution));
}

#[test]
fn d15_clear_mind_clears_once_in_a_turn_not_beside_a_failed_call_and_never_where_it_is_off() {
    let check = |allowed, failed_beside, cleared_this_turn, expected| {
        let found =
            decide_clear_mind(ClearMindContext { allowed, failed_beside, cleared_this_turn });
        assert_eq!(found, expected, "{allowed} {failed_beside} {cleared_this_turn}");
    };
    let refused = |why| ClearMindOutcome::NotCleared { why };
    check(true, false, false, ClearMindOutcome::Cleared);
    check(true, false, true, refused(NotClearedReason::AlreadyCleared));
    check(true, true, false, refused(NotClearedReason::OtherCallFailed));
    check(true, true, true, refused(NotClearedReason::OtherCallFailed));
    for (failed_beside, cleared) in [(false, false), (false, true), (true, false), (true, true)] {
        check(false, failed_beside, cleared, refused(NotClearedReason::SwitchedOff));
    }
}

#[test]
fn d15_every_refusal_tells_the_model_that_nothing_was_cleared_and_what_to_do() {
    let refusals = [
        NotClearedReason::SwitchedOff,
        NotClearedReason::OtherCallFailed,
        NotClearedReason::AlreadyCleared,
    ];
    let said = refusals.map(clear_mind_error_text);
    for words in said {
        assert!(words.starts_with("Nothing was cleared: ") && words.ends_with('.'), "{words}");
    }
    assert!(said[0] != said[1] && said[1] != said[2]);
}

/// A path of one letter each: `Y`ou, a `N`otice, a reply in words `A`, one that only keeps notes
/// `k`, one that calls another tool `t`, one that failed `f`, one that is empty `e`.
fn path(letters: &str) -> Vec<Message> {
    let messages = letters.chars().zip(0..).map(|(letter, id)| {
        let text = |text: &str| vec![ContentPart::Text { text: text.into() }];
        let call = |name: &str| {
            let call = ToolCall {
                call_id: "c".into(),
                name: name.into(),
                args: "{}".into(),
                signature: None,
                state: ToolState::Pending {},
            };
            vec![ContentPart::Tool { call }]
        };
        let (role, origin, parts) = match letter {
            'Y' => (Role::User, Origin::Person, text("asked")),
            'N' => (Role::User, Origin::Runtime, text("notice")),
            'A' | 'f' => (Role::Assistant, Origin::Model, text("answered")),
            'k' => (Role::Assistant, Origin::Model, call("update_reminder")),
            't' => (Role::Assistant, Origin::Model, call("read_file")),
            _ => (Role::Assistant, Origin::Model, vec![]),
        };
        let notice = Notice::Critical { remaining: 4 };
        Message {
            id: MessageId(id),
            thread_id: ThreadId(1),
            parent_id: None,
            kind: if letter == 'N' { MessageKind::Notice { notice } } else { MessageKind::Chat {} },
            role,
            origin,
            parts: parts.into(),
            state: match letter {
                'f' => MessageState::Failed { error: "{}".to_owned().into() },
                _ => MessageState::Complete {},
            },
            inclusion: Inclusion::Usual,
            model: None,
            created_at: 0,
        }
    });
    messages.collect()
}

#[test]
fn d15_what_the_person_asked_goes_along_until_a_reply_has_taken_it_up() {
    let check = |letters: &str, expected: &[i64]| {
        let ids: Vec<_> = expected.iter().copied().map(MessageId).collect();
        assert_eq!(pending_user_messages(path(letters).iter()), ids, "{letters}");
    };
    check("", &[]);
    check("Y", &[0]);
    check("YA", &[]);
    check("YAY", &[2]);
    check("YAYY", &[2, 3]);
    check("YAYN", &[2]);
    check("YAYNf", &[2]);
    check("YAYNfY", &[2, 5]);
    check("YAYNkk", &[2]);
    check("YAYNe", &[2]);
    check("YAYt", &[]);
    check("YAYtNk", &[]);
}
