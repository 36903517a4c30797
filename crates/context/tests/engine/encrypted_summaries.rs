//! W09: the items of a provider's own compaction in the place of a summary.

use std::sync::Arc;

use serde_json::{Value, json};
use skein_context::compaction::{Plan, PlanOutcome, PlanPurpose, plan};
use skein_context::health::breakdown::{BreakdownPartLabel, breakdown};
use skein_context::limits::Limits;
use skein_context::summary::{SummaryForm, SummaryJob};
use skein_context::tokens::message_tokens::{CountedText, Tokenizer};
use skein_context::window::{EntryLabel, HistoryAccess, PreviewPart, Prompt, item_tokens};
use skein_domain::encrypted_summary::EncryptedSummary;
use skein_domain::ids::ProviderId;
use skein_domain::message::{ContentPart, Inclusion};
use skein_domain::model::ModelRef;

use crate::fixture::{Letters, Thread};

const TOKENS: u32 = 70;

fn items() -> Vec<Value> {
    let said = json!([{ "type": "input_text", "text": "port 7443" }, { "type": "input_image" }]);
    vec![
        json!({ "type": "message", "role": "user", "content": said }),
        json!({ "type": "compaction", "id": "cmp_1", "encrypted_content": "gAAAAABx" }),
    ]
}

/// The thread with items beside its newest summary.
fn encrypted(mut thread: Thread) -> Thread {
    let model = ModelRef { provider: ProviderId("p".into()), model: "gpt-5.4".into() };
    let summary = EncryptedSummary { origin: "here".into(), model, items: items(), tokens: TOKENS };
    thread.points.last_mut().unwrap().encrypted = Some(Arc::new(summary));
    thread
}

/// The thread whose items are the encrypted one alone.
fn mute(thread: Thread) -> Thread {
    let mut thread = encrypted(thread);
    let point = thread.points.last_mut().unwrap();
    let summary = EncryptedSummary::clone(point.encrypted.as_deref().unwrap());
    let items = summary.items[1..].to_vec();
    point.encrypted = Some(Arc::new(EncryptedSummary { items, ..summary }));
    thread
}

/// A thread with a readable summary, facts beside it, and a hint for a search.
fn readable() -> Thread {
    let mut thread = Thread::new().window_of(10_000).system(50).rounds(20, 100);
    thread = thread.covered_to(19, 200).rounds(2, 100);
    let facts = CountedText::new(&Letters, "- The port is 7443.".to_owned());
    thread.points[0].anchors = Some(facts);
    thread.recall = HistoryAccess::Available(CountedText::new(&Letters, "Search.".to_owned()));
    thread
}

fn prompt(thread: &Thread) -> Prompt {
    thread.see(|window| window.prompt())
}

fn words(part: &ContentPart) -> &str {
    part.as_text().unwrap_or_default()
}

fn planned(thread: &Thread, purpose: PlanPurpose) -> Plan {
    match thread.see(|window| plan(window, thread.limits, purpose)) {
        PlanOutcome::Compact { plan } => plan,
        other => panic!("{other:?}"),
    }
}

fn job(thread: &Thread, purpose: PlanPurpose, keep: Option<&str>) -> Prompt {
    let plan = planned(thread, purpose);
    let roomy = Limits { window: Some(40_000), max_input: None, price_step: None };
    let asked = (SummaryForm::Encrypted, keep);
    let job = thread
        .see(|window| SummaryJob::by_provider(&Letters, window, &plan, asked, roomy, Some(5_000)));
    job.unwrap().request().unwrap().prompt
}

#[test]
fn w09_the_items_stand_for_the_summary_and_its_facts_and_all_else_is_as_before() {
    let (plain, sent) = (prompt(&readable()), prompt(&encrypted(readable())));
    assert_eq!(sent.encrypted.as_ref().unwrap().items, items());
    assert_eq!((&sent.system, &sent.tools), (&plain.system, &plain.tools));
    let first = &plain.messages[0].parts;
    assert_eq!(first.len(), 3, "summary, facts and hint");
    assert_eq!(sent.messages[0].parts[..], first[..1], "what another wire format would send");
    assert_eq!(words(&sent.messages[1].parts[0]), words(&first[2]), "the hint stays");
    assert_eq!(sent.messages[2..], plain.messages[1..]);
}

#[test]
fn w09_the_facts_stay_behind_items_without_the_users_messages() {
    let (plain, thread) = (prompt(&readable()), mute(readable()));
    let sent = prompt(&thread);
    let first = &plain.messages[0].parts;
    assert_eq!(sent.messages[0].parts[..], first[..1], "what another wire format would send");
    assert_eq!(sent.messages[1].parts[..], first[1..], "facts and hint in a message");
    assert_eq!(sent.messages[2..], plain.messages[1..]);
    let tokens = |thread: &Thread| thread.see(|window| window.used.tokens);
    let facts = thread.points[0].anchors.as_ref().unwrap().tokens;
    assert_eq!(tokens(&thread), tokens(&encrypted(readable())) + facts);
}

#[test]
fn w09_without_the_items_every_byte_is_that_of_the_readable_summary() {
    let whole = prompt(&readable());
    let mut thread = encrypted(readable());
    assert_ne!(prompt(&thread), whole);
    thread.points[0].encrypted = None;
    assert_eq!(prompt(&thread), whole, "another model reads it, or the user edited it");
    let mut undone = encrypted(readable());
    undone.points.clear();
    let mut never = readable();
    never.points.clear();
    assert_eq!(prompt(&undone), prompt(&never));
}

#[test]
fn w09_the_items_of_a_range_within_the_path_are_not_sent() {
    let thread = Thread::new().window_of(40_000).rounds(6, 500).covering(2..8, 100);
    assert_eq!(prompt(&encrypted(thread.clone())), prompt(&thread));
}

#[test]
fn w09_law_8_the_items_count_as_one_part_of_the_breakdown() {
    let thread = encrypted(readable());
    let parts = thread.see(|window| breakdown(window, thread.limits, None).rows);
    let parts: Vec<_> = parts.into_iter().flat_map(|row| row.parts).collect();
    let part = parts.iter().find(|it| it.label == BreakdownPartLabel::EncryptedSummary {});
    assert_eq!(part.unwrap().tokens, TOKENS);
    assert!(thread.see(|window| window.has_estimates()), "it corrects no counter");
}

#[test]
fn w09_the_user_sees_what_can_be_read_of_the_items_and_the_size_of_the_rest() {
    let lines = encrypted(readable()).see(|window| window.preview());
    let is_summary = |label: &EntryLabel| matches!(label, EntryLabel::Summary { .. });
    let line = lines.iter().find(|line| is_summary(&line.label)).unwrap();
    let text = PreviewPart::Text { text: "port 7443".into() };
    let picture = PreviewPart::Picture { name: String::new() };
    let rest = PreviewPart::Encrypted { model: "gpt-5.4".into(), bytes: 8 };
    assert_eq!((line.parts.as_slice(), line.tokens), (&[text, picture, rest][..], TOKENS));
}

#[test]
fn w09_the_items_count_what_the_provider_reported_and_the_users_words() {
    let said = item_tokens(&Letters, &items(), Some(0));
    assert!(said >= 9, "{said}");
    assert_eq!(item_tokens(&Letters, &items(), Some(400)), 400 + said);
    let without = json!([{ "type": "message", "content": [{ "text": "port 7443" }] }]);
    let image = Letters.image(None, None);
    assert!(image > 0);
    assert_eq!(said, item_tokens(&Letters, without.as_array().unwrap(), Some(0)) + image);
    let long = [json!({ "type": "compaction", "encrypted_content": "g".repeat(8_000) })];
    assert!(item_tokens(&Letters, &long, None) > 1_000);
}

#[test]
fn w09_a_later_compaction_is_asked_for_with_the_items_of_the_earlier_one() {
    let thread = Thread::new().window_of(10_000).rounds(20, 100).covered_to(19, 100).rounds(9, 500);
    let asked = job(&encrypted(thread.clone()), PlanPurpose::Threshold, None);
    assert_eq!(asked.encrypted.unwrap().items, items());
    assert_eq!(asked.messages[1].parts, thread.messages[20].0.parts);
}

#[test]
fn w09_pinned_messages_stand_beside_the_items_and_are_not_in_them() {
    let mut thread = Thread::new().window_of(10_000).rounds(20, 400);
    thread.messages[2].0.inclusion = Inclusion::Pinned;
    let sent = job(&thread, PlanPurpose::Threshold, None).messages;
    let has = |at: usize| sent.iter().any(|it| it.parts == thread.messages[at].0.parts);
    assert_eq!([has(1), has(2), has(3)], [true, false, true]);
}

#[test]
fn w09_words_on_what_to_keep_follow_the_system_prompt() {
    let mut thread = Thread::new().window_of(10_000).system(50).rounds(20, 400);
    // The beginning stays as the cache of the conversation has it.
    thread.prefix.sections[0].content.text.insert(0, '\n');
    let (plain, steered) = (
        job(&thread, PlanPurpose::UserRequest, None),
        job(&thread, PlanPurpose::UserRequest, Some("the port")),
    );
    assert_eq!(plain.system, prompt(&thread).system);
    let words = steered.system.strip_prefix(plain.system.as_str()).unwrap();
    assert!(words.contains("in full detail: the port"), "{words}");
    assert_eq!(steered.messages, plain.messages);
}
