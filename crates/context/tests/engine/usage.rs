use serde_json::json;
use skein_context::health::usage::{LastReport, UsageReport};
use skein_context::window::{Prefix, SectionKind};
use skein_domain::ids::ProviderId;
use skein_domain::model::ModelRef;
use skein_domain::tool_declaration::{ToolDeclaration, ToolFamily};
use skein_domain::usage::TokenUsage;

use crate::fixture::{Letters, Thread};

fn model(name: &str) -> ModelRef {
    ModelRef { provider: ProviderId("demo".to_owned()), model: name.to_owned() }
}

/// A thread of two rounds with the report of its second answer.
fn reported() -> (Thread, LastReport) {
    let thread = Thread::new().system(100).rounds(2, 50);
    let usage = TokenUsage { prompt: Some(190), completion: Some(22), ..TokenUsage::default() };
    let report = UsageReport {
        message_id: thread.id(3),
        at: 3,
        point: None,
        prefix: None,
        model: model("a"),
        usage,
    };
    (thread, LastReport { report: Some(report) })
}

fn holds(thread: &Thread, ledger: &LastReport, name: &str) -> bool {
    thread.see(|window| ledger.current(window, &model(name)) == ledger.report.as_ref())
}

#[test]
fn law_07_a_report_holds_while_the_conversation_goes_on() {
    let (thread, ledger) = reported();
    assert!(holds(&thread, &ledger, "a"));
    assert!(holds(&thread.person(30), &ledger, "a"));
}

#[test]
fn law_07_a_report_is_forgotten_after_a_change_of_model() {
    let (thread, ledger) = reported();
    assert!(!holds(&thread, &ledger, "b"));
}

#[test]
fn law_07_a_report_is_forgotten_after_a_point_and_holds_again_after_its_undo() {
    let (thread, ledger) = reported();
    let mut compacted = thread.covered_to(1, 10);
    assert!(!holds(&compacted, &ledger, "a"));
    compacted.points.clear();
    assert!(holds(&compacted, &ledger, "a"));
}

#[test]
fn law_07_a_report_is_forgotten_after_an_edit_or_a_deletion_before_it() {
    let (thread, ledger) = reported();
    let mut branch = thread.clone();
    branch.messages.truncate(2);
    let branch = branch.rounds(2, 50);
    assert!(!holds(&branch, &ledger, "a"), "sending again made a sibling");
    let mut shorter = thread;
    shorter.messages.remove(0);
    assert!(!holds(&shorter, &ledger, "a"));
}

#[test]
fn law_07_a_report_is_forgotten_while_something_else_is_sent_always() {
    let (mut thread, mut ledger) = reported();
    let declared = |description: &str| ToolDeclaration {
        name: "look".to_owned(),
        description: description.to_owned(),
        parameters: json!({ "type": "object" }),
        family: ToolFamily::Mcp,
    };
    let prefix = |system: &str, tool: Option<&str>| {
        let sections = [(SectionKind::System {}, system.to_owned())];
        Prefix::count(&Letters, sections, tool.map(declared), [])
    };
    thread.prefix = prefix("Be brief.", Some("Looks."));
    ledger.report.as_mut().unwrap().prefix = Some(thread.prefix.fingerprint.clone());
    for (system, tool, held) in [
        ("Be brief.", Some("Looks."), true),
        ("Be brief.", Some("Looks closely."), false),
        ("Be brief.", None, false),
        ("Be kind.", Some("Looks."), false),
        ("Be brief.", Some("Looks."), true),
    ] {
        thread.prefix = prefix(system, tool);
        assert_eq!(holds(&thread, &ledger, "a"), held, "{system} {tool:?}");
    }
    ledger.report.as_mut().unwrap().prefix = None;
    thread.prefix = prefix("Be kind.", None);
    assert!(holds(&thread, &ledger, "a"), "nobody noted what was sent always then");
}

#[test]
fn law_07_a_new_thread_begins_without_a_report() {
    let (_, ledger) = reported();
    assert!(!holds(&Thread::new().round(50), &ledger, "a"));
}

#[test]
fn d03_a_report_that_names_no_prompt_is_none() {
    let (thread, mut ledger) = reported();
    for prompt in [None, Some(0)] {
        ledger.report.as_mut().unwrap().usage.prompt = prompt;
        assert!(!holds(&thread, &ledger, "a"), "{prompt:?}");
    }
}
