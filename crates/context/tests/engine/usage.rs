use skein_context::model::{ModelRef, ProviderId};
use skein_context::usage::{Basis, Ledger, Report, TokenCount, TokenUsage};

use crate::fixture::Thread;

fn model(name: &str) -> ModelRef {
    ModelRef { provider: ProviderId("demo".to_owned()), model: name.to_owned() }
}

/// A thread of two rounds with the report of its second answer.
fn reported() -> (Thread, Ledger) {
    let thread = Thread::new().system(100).rounds(2, 50);
    let usage = TokenUsage { prompt: Some(190), completion: Some(22), ..TokenUsage::default() };
    let report = Report { message_id: thread.id(3), at: 3, point: None, model: model("a"), usage };
    (thread, Ledger { report: Some(report) })
}

fn now(thread: &Thread, ledger: &Ledger, name: &str) -> Option<TokenCount> {
    thread.see(|window| ledger.now(window, &model(name)))
}

#[test]
fn tokens_now_are_the_last_report_and_an_estimate_of_what_came_since() {
    let (thread, ledger) = reported();
    let found = now(&thread, &ledger, "a");
    assert_eq!(found, Some(TokenCount { tokens: 212, basis: Basis::Reported }));
    let grown = thread.person(30);
    let found = now(&grown, &ledger, "a");
    assert_eq!(found, Some(TokenCount { tokens: 242, basis: Basis::Exact }));
}

#[test]
fn a_report_without_a_completion_estimates_the_answer() {
    let (thread, mut ledger) = reported();
    ledger.report.as_mut().unwrap().usage.completion = None;
    let found = now(&thread, &ledger, "a");
    assert_eq!(found, Some(TokenCount { tokens: 215, basis: Basis::Exact }));
}

#[test]
fn law_07_a_report_is_forgotten_after_a_change_of_model() {
    let (thread, ledger) = reported();
    assert_eq!(now(&thread, &ledger, "b"), None);
}

#[test]
fn law_07_a_report_is_forgotten_after_a_point_and_holds_again_after_its_undo() {
    let (thread, ledger) = reported();
    let mut compacted = thread.covered_to(1, 10);
    assert_eq!(now(&compacted, &ledger, "a"), None);
    compacted.points.clear();
    assert!(now(&compacted, &ledger, "a").is_some());
}

#[test]
fn law_07_a_report_is_forgotten_after_an_edit_or_a_deletion_before_it() {
    let (thread, ledger) = reported();
    let mut branch = thread.clone();
    branch.messages.truncate(2);
    let branch = branch.rounds(2, 50);
    assert_eq!(now(&branch, &ledger, "a"), None, "sending again made a sibling");
    let mut shorter = thread;
    shorter.messages.remove(0);
    assert_eq!(now(&shorter, &ledger, "a"), None);
}

#[test]
fn law_07_a_new_thread_begins_without_a_report() {
    let (_, ledger) = reported();
    assert_eq!(now(&Thread::new().round(50), &ledger, "a"), None);
}

#[test]
fn d03_a_report_that_names_no_prompt_is_none() {
    let (thread, mut ledger) = reported();
    ledger.report.as_mut().unwrap().usage.prompt = None;
    assert_eq!(now(&thread, &ledger, "a"), None);
}
