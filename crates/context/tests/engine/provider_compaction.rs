//! W05: the request for the summary that a provider writes with its own compaction.

use skein_context::compaction::{ChosenRange, Plan, PlanOutcome, PlanPurpose, plan};
use skein_context::limits::Limits;
use skein_context::limits::policy::{Policy, ToolCleaning};
use skein_context::summary::{ProviderCompaction, SummaryForm, SummaryJob, SummaryRequest};
use skein_context::window::Prompt;
use skein_domain::message::{ContentPart, Inclusion};

use crate::fixture::{Letters, Thread};

const ROOMY: Limits = Limits { window: Some(40_000), max_input: None, price_step: None };

fn planned(thread: &Thread, purpose: PlanPurpose) -> Plan {
    match thread.see(|window| plan(window, thread.limits, purpose)) {
        PlanOutcome::Compact { plan } => plan,
        other => panic!("{other:?}"),
    }
}

fn job(thread: &Thread, purpose: PlanPurpose, keep: Option<&str>) -> Option<SummaryJob> {
    let plan = planned(thread, purpose);
    let longest = Some(5_000);
    thread.see(|window| {
        SummaryJob::by_provider(
            &Letters,
            window,
            &plan,
            (SummaryForm::Readable, keep),
            ROOMY,
            longest,
        )
    })
}

fn asked(thread: &Thread, purpose: PlanPurpose, keep: Option<&str>) -> SummaryRequest {
    job(thread, purpose, keep).unwrap().request().unwrap()
}

fn prompt(thread: &Thread) -> Prompt {
    thread.see(|window| window.prompt())
}

/// Twenty rounds with tools, whose tool parts leave at this moment.
fn with_tools(cleaning: ToolCleaning) -> Thread {
    let policy = |policy: &mut Policy| policy.tool_cleaning = Some(cleaning);
    let thread = Thread::new().window_of(10_000).system(300).policy(policy);
    (0..20).fold(thread, |thread, _| thread.person(40).says_and_calls(40, 90).model(30))
}

fn calls(prompt: &Prompt) -> usize {
    let parts = prompt.messages.iter().flat_map(|message| message.parts.iter());
    parts.filter(|part| matches!(part, ContentPart::Tool { .. })).count()
}

#[test]
fn w05_the_provider_gets_the_beginning_of_the_conversations_own_request_and_nothing_else() {
    let thread = with_tools(ToolCleaning::AtCompaction);
    let (whole, request) = (prompt(&thread), asked(&thread, PlanPurpose::Threshold, None));
    assert_eq!(request.by_provider, Some(ProviderCompaction { instructions: None }));
    assert_eq!((&request.prompt.system, &request.prompt.tools), (&whole.system, &whole.tools));
    let sent = request.prompt.messages;
    assert_eq!(sent, whole.messages[..sent.len()], "so that the cache of it is read");
    assert_eq!(sent.len(), 18 * 3, "all that will be covered, and nothing of the tail");
    assert_eq!(request.max_output, 5_000);
}

#[test]
fn w05_tool_calls_that_have_left_the_conversation_are_summarised_as_well() {
    let thread = with_tools(ToolCleaning::EverySend);
    assert!(calls(&prompt(&thread)) < 18);
    let plan = PlanPurpose::UserRequest;
    assert_eq!(calls(&asked(&thread, plan, None).prompt), 18);
}

#[test]
fn w05_the_former_summary_comes_first_and_what_it_covers_does_not() {
    let thread = Thread::new().window_of(10_000).rounds(20, 100).covered_to(19, 100).rounds(9, 500);
    let messages = asked(&thread, PlanPurpose::Threshold, None).prompt.messages;
    let ContentPart::Text { text } = &messages[0].parts[0] else { panic!("no text") };
    assert!(text.contains("<summary>") && text.contains("\n\nsummary "), "{text}");
    let first_left = thread.messages[20].0.parts.clone();
    assert_eq!(messages[1].parts, first_left);
}

#[test]
fn w05_pinned_messages_are_summarised_and_left_out_ones_are_not() {
    let mut thread = Thread::new().window_of(10_000).rounds(20, 400);
    thread.messages[2].0.inclusion = Inclusion::Pinned;
    thread.messages[3].0.inclusion = Inclusion::LeftOut;
    let sent = asked(&thread, PlanPurpose::Threshold, None).prompt.messages;
    let has = |at: usize| sent.iter().any(|it| it.parts == thread.messages[at].0.parts);
    assert_eq!([has(1), has(2), has(3), has(4)], [true, true, false, true]);
}

#[test]
fn w05_of_a_range_only_its_messages_are_sent() {
    let thread = Thread::new().window_of(40_000).rounds(6, 1_000);
    let range = PlanPurpose::Range(ChosenRange::From { message_id: thread.id(4) });
    let sent = asked(&thread, range, None).prompt.messages;
    let parts: Vec<_> = sent.into_iter().map(|it| it.parts).collect();
    let covered: Vec<_> = thread.messages[4..12].iter().map(|(it, _)| it.parts.clone()).collect();
    assert_eq!(parts, covered);
}

#[test]
fn w05_words_on_what_to_keep_take_the_place_of_the_providers_prompt() {
    let thread = Thread::new().window_of(10_000).rounds(20, 400);
    let request = asked(&thread, PlanPurpose::Threshold, Some("the port"));
    let instructions = request.by_provider.unwrap().instructions.unwrap();
    assert!(instructions.contains("call no tool") && instructions.contains("## Key context"));
    assert!(instructions.trim_end().ends_with("in full detail: the port"), "{instructions}");
    let long = "the port ".repeat(2_000);
    assert!(job(&thread, PlanPurpose::Threshold, Some(&long)).is_none());
}

#[test]
fn w05_what_does_not_fit_one_request_is_not_asked_of_the_provider() {
    let thread = Thread::new().window_of(100_000).rounds(90, 1_000);
    assert!(job(&thread, PlanPurpose::Threshold, None).is_none());
}
