//! The parts of a request that may not be needed.

use skein_context::health::breakdown::breakdown;
use skein_context::limits::policy::ToolCleaning;
use skein_context::savings::{ContextSaving, SavingKind, context_savings};
use skein_domain::ids::MessageId;
use skein_domain::tool_declaration::{CALL_TOOL, DESCRIBE_TOOL, ToolFamily};

use crate::fixture::{Letters, Thread};

fn savings(thread: &Thread) -> Vec<ContextSaving> {
    thread.see(|window| context_savings(window, thread.limits))
}

fn kinds(thread: &Thread) -> Vec<(SavingKind, u32)> {
    savings(thread).into_iter().map(|saving| (saving.kind, saving.tokens)).collect()
}

/// A thread with three servers' tools and so many complete rounds.
fn with_tools(rounds: u32) -> Thread {
    let thread = Thread::new()
        .tool("read_file", ToolFamily::BuiltIn, 9_000)
        .tool(DESCRIBE_TOOL, ToolFamily::Mcp, 8_000)
        .tool(CALL_TOOL, ToolFamily::Mcp, 8_000)
        .tool("git__log", ToolFamily::Mcp, 1_500)
        .tool("git__find", ToolFamily::Mcp, 1_600);
    thread.rounds(rounds, 20)
}

#[test]
fn w07_tools_of_servers_that_no_call_used_in_the_last_rounds_could_go() {
    assert_eq!(kinds(&with_tools(9)), [], "the conversation has only begun");
    let unused = |names: &[&str], rounds| SavingKind::UnusedTools {
        tools: names.iter().map(|name| (*name).to_owned()).collect(),
        rounds,
    };
    let thread = with_tools(10);
    assert_eq!(kinds(&thread), [(unused(&["git__log", "git__find"], 10), 3_100)]);
    let mut crowded = with_tools(10);
    let waiting = crowded.prefix.tools[3].declaration.clone();
    crowded.prefix = crowded.prefix.with_deferred(&Letters, [waiting]);
    assert_eq!(kinds(&crowded), [], "deferred tools would take their place");
    let used = with_tools(5).person(10).calls_tool("git__log", 20).model(10).rounds(14, 20);
    assert_eq!(kinds(&used), [], "1,600 tokens are less than a hundredth of the window");
    let used = used.window_of(100_000);
    assert_eq!(kinds(&used), [(unused(&["git__find"], 20), 1_600)]);
    let forgotten = used.rounds(40, 20);
    assert_eq!(kinds(&forgotten), [(unused(&["git__log", "git__find"], 40), 3_100)]);
}

#[test]
fn w07_large_files_and_tool_results_of_older_rounds_could_go_and_pinned_ones_stay() {
    let thread = Thread::new().window_of(100_000).round(20).attaches_file(4_000).model(10);
    let thread = thread.person(10).calls(3_000).model(10);
    let thread = thread.policy(|policy| policy.tool_cleaning = Some(ToolCleaning::Never));
    assert_eq!(kinds(&thread), [], "both are of recent rounds");
    let older = thread.rounds(2, 20);
    let [(file, file_tokens), (result, result_tokens)] = kinds(&older).try_into().unwrap();
    assert!(matches!(file, SavingKind::Attachment { message: MessageId(3), number: 3, .. }));
    assert!(matches!(result, SavingKind::ToolResult { message: MessageId(6), number: 6, .. }));
    let without = older.clone().leaving_out(&[2]);
    assert_eq!(older.used() - without.used(), file_tokens, "all of the message is saved");
    let without = older.clone().leaving_out(&[5]);
    assert_eq!(older.used() - without.used(), result_tokens);
    let words = Thread::new().window_of(100_000).person(4_000).model(10).rounds(2, 20);
    assert_eq!(kinds(&words), [], "the user's words are not proposed");
    let pinned = Thread::new().window_of(100_000).attaches_file(4_000).pinned().model(10);
    assert_eq!(kinds(&pinned.rounds(2, 20)), []);
}

#[test]
fn w07_a_pinned_message_beside_a_summary_a_large_file_and_a_compaction_could_go() {
    let thread = Thread::new().window_of(100_000).memory("AGENTS.md", 2_000);
    let thread = thread.memory("small.md", 1_999).person(3_000).pinned().model(10).rounds(3, 20);
    let path = "AGENTS.md".to_owned();
    assert_eq!(kinds(&thread), [(SavingKind::InstructionFile { path: path.clone() }, 2_000)]);
    let unread = thread.clone().covered_to(3, 100);
    let file = SavingKind::InstructionFile { path: path.clone() };
    assert_eq!(kinds(&unread), [(file, 2_000)], "its text is not in the summary");
    let mut covered = thread.covered_to(3, 100);
    covered.points[0].point.unread.clear();
    let pinned = SavingKind::Pinned { message: MessageId(1), number: 1 };
    let file = SavingKind::InstructionFile { path };
    assert_eq!(kinds(&covered), [(pinned, 3_000), (file, 2_000)]);
    let long = Thread::new().window_of(100_000).rounds(20, 2_000);
    let [(kind, tokens)] = kinds(&long).try_into().unwrap();
    assert_eq!(kind, SavingKind::Compaction {});
    assert!(tokens >= 10_000, "{tokens}");
}

#[test]
fn w07_a_read_that_supersedes_another_is_not_named_because_the_other_would_come_back() {
    let thread = Thread::new().window_of(100_000).policy(|policy| {
        policy.tool_cleaning = Some(ToolCleaning::EverySend);
        policy.keep_tool_rounds = 9;
    });
    let read = |thread: Thread| {
        let args = r#"{"path":"notes.md"}"#;
        thread.person(10).reads_file("read_file", args, &"x".repeat(300), 3_000).model(10)
    };
    let once = read(thread).rounds(3, 20);
    assert!(matches!(kinds(&once)[..], [(SavingKind::ToolResult { .. }, _)]));
    assert_eq!(kinds(&read(once).rounds(3, 20).person(20)), []);
}

#[test]
fn w07_at_most_five_are_named_the_largest_first_and_no_row_changes() {
    let files = |thread: Thread, at: u32| thread.attaches_file(1_000 + at).model(10);
    let thread = (0..9).fold(Thread::new().window_of(100_000), files).rounds(2, 20);
    let before = thread.see(|window| breakdown(window, thread.limits, None));
    let tokens: Vec<_> = savings(&thread).into_iter().map(|saving| saving.tokens).collect();
    assert_eq!(tokens.len(), 5);
    assert!(tokens.is_sorted_by(|a, b| a > b), "{tokens:?}");
    assert_eq!(before, thread.see(|window| breakdown(window, thread.limits, None)));
    assert_eq!(kinds(&Thread::new().rounds(3, 20)), [], "nothing is worth it");
}
