//! Tools that a request does not declare.

use skein_context::health::breakdown::breakdown;
use skein_context::limits::Limits;
use skein_context::window::{Prompt, defers_tools};
use skein_domain::message::ContentPart;
use skein_domain::tool_declaration::{DESCRIBE_TOOL, ToolFamily, ToolLoading};

use crate::fixture::{Letters, Thread, declaration};

/// The thread with deferred tools of these names.
pub fn deferring(mut thread: Thread, names: &[&str]) -> Thread {
    let tools = names.iter().map(|name| declaration(name, ToolFamily::Mcp));
    thread.prefix = thread.prefix.with_deferred(&Letters, tools);
    thread
}

/// The letters around the arguments of the calls of deferred tools.
pub fn frame_tokens(prompt: &Prompt) -> u32 {
    let parts = prompt.messages.iter().flat_map(|message| message.parts.iter());
    let calls = parts.filter_map(ContentPart::as_call);
    let deferred = calls.filter(|call| prompt.deferred.iter().any(|it| it.name == call.name));
    let frame = "call_tool".len() + r#"{"name":"","arguments":}"#.len();
    u32::try_from(deferred.count() * frame).unwrap()
}

#[test]
fn w03_tools_are_deferred_from_a_tenth_of_a_known_window_on_unless_the_user_chose() {
    let known = Limits { window: Some(10_000), ..Limits::default() };
    for (loading, tokens, limits, expected) in [
        (ToolLoading::Automatic, 1_000, known, false),
        (ToolLoading::Automatic, 1_001, known, true),
        (ToolLoading::Automatic, 500, Limits { max_input: Some(4_000), ..known }, true),
        (ToolLoading::Automatic, 1_000_000, Limits::default(), false),
        (ToolLoading::OnDemand, 1, Limits::default(), true),
        (ToolLoading::Declared, 9_000, known, false),
    ] {
        assert_eq!(defers_tools(loading, tokens, limits), expected, "{loading:?} {tokens}");
    }
}

#[test]
fn w03_a_call_of_a_deferred_tool_counts_the_frame_around_its_arguments() {
    let thread = Thread::new().person(20).calls(900).model(40);
    let declared = thread.used();
    let deferred = deferring(thread, &["read_file", "grep"]);
    let frame = frame_tokens(&deferred.see(|window| window.prompt()));
    assert!(frame > 0);
    assert_eq!(deferred.used(), declared + frame);
}

#[test]
fn w03_the_breakdown_says_which_tools_are_loaded_and_what_is_saved() {
    let report = |thread: &Thread| {
        thread.see(|window| breakdown(window, thread.limits, None)).deferred_tools
    };
    assert_eq!(report(&Thread::new().person(20)), None);
    let thread = Thread::new().tool(DESCRIBE_TOOL, ToolFamily::Mcp, 30).person(20);
    let thread = deferring(thread, &["git__log", "git__find"]);
    let all: u32 = thread.prefix.deferred.tools.iter().map(|tool| tool.tokens).sum();
    let found = report(&thread).unwrap();
    assert_eq!((found.loaded.len(), found.not_loaded.len()), (0, 2));
    assert_eq!(found.saved, all - 30);
    let found = report(&thread.describes("git__log", 25)).unwrap();
    assert_eq!((found.loaded.len(), found.not_loaded.len()), (1, 1));
    assert!(format!("{:?}", found.loaded[0].label).contains("git__log"));
    assert_eq!(found.saved, all - 30 - 25);
}
