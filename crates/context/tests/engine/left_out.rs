//! Messages that the user leaves out of the context: nothing of them is sent, and everything else stays as it
//! is.

use proptest::prelude::*;
use skein_context::compaction::{PlanOutcome, PlanPurpose, plan};
use skein_context::facts;
use skein_context::health::usage::{LastReport, UsageReport};
use skein_context::prompts::Language;
use skein_context::summary::handoff::local_handoff;
use skein_context::summary::{
    SummaryForm, SummaryInput, SummaryJob, extractive_summary, title_request,
};
use skein_context::window::{EntryLabel, PreviewEntry, Prompt};
use skein_domain::ids::MessageId;
use skein_domain::message::{ContentPart, Inclusion, Message, MessageState, Role};
use skein_domain::usage::TokenUsage;

use crate::fixture::{Letters, Thread, writer};
use crate::laws::{bytes, prompt, purposes, threads};

/// Chooses some messages with usual inclusion to leave out.
fn some_of(thread: &Thread, chances: &[bool]) -> Vec<usize> {
    let usual = thread.messages.iter().zip(chances.iter().cycle()).enumerate();
    let chosen = usual
        .filter(|(_, ((message, _), chosen))| **chosen && message.inclusion == Inclusion::Usual);
    chosen.map(|(at, _)| at).collect()
}

fn chances() -> impl Strategy<Value = Vec<bool>> {
    proptest::collection::vec(any::<bool>(), 1..12)
}

/// True if a request contains the text, the file, the reasoning or the call of a message, as the fixture
/// writes them.
fn says(prompt: &Prompt, message: &Message) -> bool {
    let id = message.id.0;
    prompt.messages.iter().flat_map(|message| message.parts.iter()).any(|part| match part {
        ContentPart::Text { text } => text
            .split(|letter: char| letter.is_ascii_punctuation() || letter == '\n')
            .any(|line| ["message", "file"].iter().any(|of| line.trim() == format!("{of} {id}"))),
        ContentPart::File { text, .. } => *text == format!("file {id}"),
        ContentPart::Reasoning { text, .. } => *text == format!("thought {id}"),
        ContentPart::Tool { call } => call.call_id == format!("call-{id}"),
        ContentPart::Image(_) => false,
    })
}

/// True if a message has text.
fn speaks(message: &Message) -> bool {
    message.parts.iter().any(|part| matches!(part, ContentPart::Text { .. }))
}

/// True if a tool returned an image.
fn shows_pictures(thread: &Thread) -> bool {
    let parts = thread.messages.iter().flat_map(|(message, _)| message.parts.iter());
    parts.into_iter().any(|part| match part {
        ContentPart::Tool { call } => !call.shown().is_empty(),
        ContentPart::Text { .. }
        | ContentPart::Reasoning { .. }
        | ContentPart::Image(_)
        | ContentPart::File { .. } => false,
    })
}

/// True if the line is a read that a later one superseded. It is whole again once the later one is left out.
fn is_superseded(line: &PreviewEntry) -> bool {
    format!("{:?}", line.parts).contains("this file was read again below")
}

/// That a reply be gone on with is said of two, and leaves with either.
fn goes_on(line: &PreviewEntry) -> bool {
    line.label == EntryLabel::GoOn {}
}

/// True if the entry is the opening before a first message of the model.
fn opens(line: &PreviewEntry) -> bool {
    line.label == EntryLabel::Opening {}
}

fn opening() -> ContentPart {
    ContentPart::Text { text: "…".to_owned() }
}

fn tokens_of_opening(thread: &Thread) -> u32 {
    thread
        .see(|window| window.preview())
        .iter()
        .filter(|line| opens(line))
        .map(|it| it.tokens)
        .sum()
}

fn message_of(line: &PreviewEntry) -> Option<MessageId> {
    match &line.label {
        EntryLabel::Message { message_id } | EntryLabel::Pinned { message_id } => Some(*message_id),
        _ => None,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn nothing_that_is_left_out_is_ever_in_a_prompt(
        thread in threads(),
        chances in chances(),
        purpose in purposes(),
    ) {
        let chosen = some_of(&thread, &chances);
        let thread = thread.leaving_out(&chosen);
        let left_out: Vec<&Message> =
            thread.messages.iter().map(|(it, _)| it).filter(|it| it.is_left_out()).collect();
        let sent = prompt(&thread);
        prop_assert!(!left_out.iter().any(|message| says(&sent, message)));
        let PlanOutcome::Compact { plan } = thread.see(|window| plan(window, thread.limits, purpose))
        else { return Ok(()) };
        let covered: Vec<&Message> = thread
            .messages
            .iter()
            .map(|(it, _)| it)
            .filter(|it| plan.covered.contains(&it.id))
            .collect();
        // Where a summary is only to become shorter it is read itself.
        let previous = plan.previous.map(|_| "so far");
        let material = SummaryInput { covered: &covered, previous, keep: None, summary_room: 300 };
        let asked = SummaryJob::new(&Letters, material, writer(200_000)).request().unwrap().prompt;
        // Of a call a summary reads what it returned, and not its id.
        let mut spoken = covered.iter().filter(|it| !it.is_left_out() && speaks(it)).peekable();
        prop_assert!(spoken.peek().is_none() || spoken.any(|message| says(&asked, message)));
        prop_assert!(!left_out.iter().any(|message| says(&asked, message)));
        let in_place = thread.see(|window| {
            SummaryJob::continuing_conversation(&Letters, window, &plan, None, u32::MAX, thread.limits, None)
        });
        if let Some(asked) = in_place.and_then(|job| job.request()) {
            prop_assert!(!left_out.iter().any(|message| says(&asked.prompt, message)));
        }
        let by_provider = thread.see(|window| {
            SummaryJob::by_provider(&Letters, window, &plan, (SummaryForm::Readable, None), thread.limits, None)
        });
        if let Some(asked) = by_provider.and_then(|job| job.request()) {
            prop_assert!(!left_out.iter().any(|message| says(&asked.prompt, message)));
        }
        let after = prompt(&thread.clone().compacted(&plan, plan.summary_room));
        prop_assert!(!left_out.iter().any(|message| says(&after, message)));
    }

    #[test]
    fn leaving_out_takes_its_own_lines_away_with_their_tokens_and_changes_no_other(
        thread in threads(),
        chances in chances(),
    ) {
        // Of one that was cut off, the words that it be gone on with leave as well.
        let thread = if thread.messages.is_empty() { thread } else { thread.last_is(MessageState::Complete {}) };
        let chosen = some_of(&thread, &chances);
        let ids: Vec<MessageId> = chosen.iter().map(|at| thread.id(*at)).collect();
        let view = |thread: &Thread| -> Vec<PreviewEntry> {
            let lines = thread.see(|window| window.preview()).into_iter();
            lines.filter(|line| !opens(line) && !goes_on(line)).collect()
        };
        let (gone, stays): (Vec<_>, Vec<_>) = view(&thread)
            .into_iter()
            .partition(|line| message_of(line).is_some_and(|id| ids.contains(&id)));
        let without = thread.clone().leaving_out(&chosen);
        let labels = |lines: &[PreviewEntry]| {
            lines.iter().map(|line| line.label.clone()).collect::<Vec<_>>()
        };
        prop_assert_eq!(labels(&view(&without)), labels(&stays));
        // A message that leaves makes room for images that had none.
        if !shows_pictures(&thread) && !stays.iter().any(is_superseded) {
            prop_assert_eq!(view(&without), stays);
            let freed: u32 = gone.iter().map(|line| line.tokens).sum();
            let asked = |thread: &Thread| -> u32 {
                let view = thread.see(|window| window.preview());
                view.iter().filter(|line| goes_on(line)).map(|line| line.tokens).sum()
            };
            let used = |thread: &Thread| thread.used() - tokens_of_opening(thread) - asked(thread);
            prop_assert_eq!(used(&without), used(&thread) - freed);
        }
    }

    #[test]
    fn the_persons_side_is_first_in_every_prompt_and_what_stands_in_for_it_is_counted_and_shown(
        thread in threads(),
        chances in chances(),
    ) {
        let chosen = some_of(&thread, &chances);
        let thread = thread.leaving_out(&chosen);
        let sent = prompt(&thread);
        prop_assert!(sent.messages.first().is_none_or(|first| first.role == Role::User));
        let stands_in = sent.messages.first().is_some_and(|first| *first.parts == [opening()]);
        prop_assert_eq!(tokens_of_opening(&thread), if stands_in { 5 } else { 0 });
        let lines: u32 = thread.see(|window| window.preview()).iter().map(|line| line.tokens).sum();
        prop_assert_eq!(lines, thread.used());
    }

    #[test]
    fn law_11_taken_in_again_the_context_is_what_it_was_byte_for_byte(
        thread in threads(),
        chances in chances(),
    ) {
        let (before, used) = (bytes(&thread), thread.used());
        let chosen = some_of(&thread, &chances);
        let stale = |thread: &Thread| {
            let points = thread.clone().looked_through().points.into_iter();
            points.map(|point| point.stale).collect::<Vec<_>>()
        };
        let mut again = thread.leaving_out(&chosen);
        let tells_of_one = again.points.iter().map(|point| {
            let boundary = point.point.boundary_message_id;
            chosen.iter().any(|at| again.id(*at) <= boundary)
        });
        prop_assert_eq!(stale(&again), tells_of_one.collect::<Vec<_>>());
        for at in chosen {
            again.messages[at].0.inclusion = Inclusion::Usual;
        }
        prop_assert!(!stale(&again).contains(&true), "each summary tells again of what it stands for");
        prop_assert_eq!((bytes(&again), again.used()), (before, used));
    }
}

#[test]
fn all_of_a_covered_part_left_out_leaves_nothing_to_write_a_summary_of() {
    let thread = Thread::new().rounds(4, 200).covered_to(3, 30);
    let renewal =
        |thread: &Thread| thread.see(|window| plan(window, thread.limits, PlanPurpose::Renewal));
    assert!(matches!(renewal(&thread), PlanOutcome::Compact { .. }));
    let one = renewal(&thread.clone().leaving_out(&[0, 1, 3]));
    let PlanOutcome::Compact { plan } = one else { panic!("{one:?}") };
    assert_eq!((plan.covered, plan.replaced), (thread.ids(2..3), 100));
    assert_eq!(renewal(&thread.leaving_out(&[0, 1, 2, 3])), PlanOutcome::Fine {});
}

#[test]
fn what_is_left_out_gives_a_summary_and_its_facts_no_more_room_than_if_it_were_not_there() {
    let rooms = |thread: &Thread| {
        let outlook = thread.see(|window| plan(window, thread.limits, PlanPurpose::UserRequest));
        let PlanOutcome::Compact { plan } = outlook else { panic!("{outlook:?}") };
        (plan.summary_room, plan.facts_room)
    };
    let thread = Thread::new().window_of(10_000).rounds(10, 200);
    assert_eq!(rooms(&thread), (400, 128));
    let mut never = thread.clone();
    for at in [3, 1, 0] {
        never.messages.remove(at);
    }
    assert_eq!(rooms(&never), (325, 104));
    assert_eq!(rooms(&thread.leaving_out(&[0, 1, 3])), (325, 104));
}

#[test]
fn where_a_question_is_left_out_something_stands_before_its_answer_until_a_summary_does() {
    let thread = Thread::new().rounds(4, 200);
    let shown = |thread: &Thread| thread.see(|window| window.preview().iter().any(opens));
    assert!(!shown(&thread));
    let without = thread.leaving_out(&[0]);
    assert!(shown(&without));
    assert_eq!(without.used(), 705);
    assert_eq!(prompt(&without).stable_messages, 8, "it stays there");
    assert!(shown(&without.clone().leaving_out(&[2])));
    assert!(!shown(&without.clone().leaving_out(&[1])));
    assert!(!shown(&without.covered_to(3, 30)));
}

#[test]
fn a_message_of_nothing_but_blanks_is_not_sent_and_nothing_is_counted_for_it() {
    let thread = Thread::new().round(40).round(60);
    let mut blank = thread.clone();
    blank.messages[0].0.parts = [ContentPart::Text { text: " \n".to_owned() }].into();
    assert_eq!(bytes(&blank), bytes(&thread.clone().leaving_out(&[0])));
    assert_eq!(blank.used(), thread.leaving_out(&[0]).used());
}

#[test]
fn a_reply_that_was_cut_off_and_is_left_out_is_not_gone_on_with() {
    let thread = Thread::new().round(40).round(60).last_is(MessageState::Interrupted {});
    let goes_on = |thread: &Thread| {
        thread.see(|window| window.preview().iter().any(|line| line.label == EntryLabel::GoOn {}))
    };
    assert!(goes_on(&thread));
    assert!(!goes_on(&thread.leaving_out(&[3])));
}

#[test]
fn what_is_made_of_a_thread_without_a_model_or_for_a_name_is_not_made_of_what_is_left_out() {
    let words =
        ["The port is 7443.", "The key is hunter-2-wool.", "Which port?", "It must be 7443."];
    let mut thread = words.iter().fold(Thread::new(), |thread, _| thread.person(20));
    for ((message, _), words) in thread.messages.iter_mut().zip(words) {
        message.parts = [ContentPart::Text { text: words.to_owned() }].into();
    }
    let path = |thread: &Thread| -> Vec<Message> {
        thread.messages.iter().map(|(message, _)| message.clone()).collect()
    };
    let made = |path: &[Message]| {
        let sources = facts::sources(path);
        let facts = facts::render(&facts::fit_into_room(facts::extract(&sources), 500, |_| 1).kept);
        let package = local_handoff(path, &[], None, Language::English).unwrap();
        let title = serde_json::to_string(&title_request(path)).unwrap();
        format!("{facts}{package}{title}")
    };
    let (all, without) = (path(&thread), path(&thread.clone().leaving_out(&[1])));
    assert!(made(&all).contains("hunter-2-wool"));
    assert!(!made(&without).contains("hunter-2-wool") && made(&without).contains("7443"));
    let usual: Vec<&Message> = without.iter().filter(|message| !message.is_left_out()).collect();
    assert!(!extractive_summary(&Letters, &usual, None, &[], 900).contains("hunter-2-wool"));
}

#[test]
fn law_07_a_report_keeps_its_place_where_something_before_it_is_left_out() {
    let model = skein_domain::model::ModelRef {
        provider: skein_domain::ids::ProviderId("demo".to_owned()),
        model: "a".to_owned(),
    };
    let thread = Thread::new().rounds(2, 40).leaving_out(&[1]);
    let ledger = LastReport {
        report: Some(UsageReport {
            message_id: thread.id(3),
            at: 3,
            point: None,
            prefix: None,
            model: model.clone(),
            usage: TokenUsage { prompt: Some(100), ..TokenUsage::default() },
        }),
    };
    assert!(thread.see(|window| ledger.current(window, &model).is_some()));
}
