use skein_domain::finish_reason::FinishReason;
use skein_domain::tool_declaration::ToolFamily;

use super::*;

fn tool(name: &str) -> ToolDeclaration {
    let (name, family) = (name.to_owned(), ToolFamily::Mcp);
    ToolDeclaration { name, description: String::new(), parameters: true.into(), family }
}

fn read(deltas: &[&str]) -> Vec<StreamEvent> {
    let call_id = || "c".to_owned();
    let begun = StreamEvent::ToolCall {
        index: 2,
        call_id: call_id(),
        name: CALL_TOOL.to_owned(),
        signature: None,
    };
    let deltas =
        deltas.iter().map(|delta| StreamEvent::ToolArgs { index: 2, delta: (*delta).to_owned() });
    let finished = StreamEvent::Finished { reason: FinishReason::ToolCalls };
    let deferred = ["git__find", "a__b"].map(tool);
    let mut reader = CallToolReader::new(&deferred);
    let events = [begun].into_iter().chain(deltas).chain([finished.clone()]);
    let mut read: Vec<_> = events.flat_map(|event| reader.read(event).unwrap()).collect();
    assert_eq!(read.pop(), Some(finished));
    read
}

fn call(name: &str, args: &str) -> Vec<StreamEvent> {
    let (call_id, name) = ("c".to_owned(), name.to_owned());
    vec![
        StreamEvent::ToolCall { index: 2, call_id, name, signature: None },
        StreamEvent::ToolArgs { index: 2, delta: args.to_owned() },
    ]
}

#[test]
fn w03_a_call_of_call_tool_is_read_as_one_of_the_tool_it_names() {
    let inner = r#"{"q": "wool \"x\""}"#;
    for deltas in [
        &[r#"{"name":"git__find","arguments":{"q": "wool \"x\""}}"#][..],
        &[r#"{ "name" : "git"#, r#"__find", "argu"#, r#"ments":{"q": "wool \"x\""}}"#],
        &[r#"{"arguments":{"q": "wool \"x\""},"#, r#""name":"git__find"}"#],
        &[r#"{"name":"git__find","arguments":"{\"q\": \"wool \\\"x\\\"\"}"}"#],
    ] {
        assert_eq!(read(deltas), call("git__find", inner), "{deltas:?}");
    }
    assert_eq!(read(&[r#"{"name":"git__find"}"#]), call("git__find", ""));
    for broken in [r#"{"arguments":{}}"#, "", "git__find()"] {
        assert_eq!(read(&[broken]), call(CALL_TOOL, broken), "it says what is missing");
    }
}

#[test]
fn w03_a_call_of_a_name_that_is_not_deferred_stays_one_of_call_tool() {
    for args in [
        r#"{"name":"git.find issues","arguments":{}}"#,
        r#"{"name":"","arguments":{}}"#,
        r#"{"name":"read_file","arguments":{"path":"a"}}"#,
        r#"{"arguments":{},"name":"git__gone"}"#,
    ] {
        assert_eq!(read(&[args]), call(CALL_TOOL, args));
    }
}

#[test]
fn w03_a_named_call_that_is_broken_gets_arguments_that_do_not_parse() {
    for args in [
        r#"{"name":"a__b","name":"git__find","arguments":{}}"#,
        r#" { "name" : "a__b","arguments":{},"arguments":{"q":1}}"#,
        r#"{"name":"a__b","arguments":{"q""#,
    ] {
        let events = read(&[args]);
        let [StreamEvent::ToolCall { name, .. }, StreamEvent::ToolArgs { delta, .. }] = &events[..]
        else {
            panic!("{events:?}")
        };
        assert_eq!(name, "a__b");
        assert!(serde_json::from_str::<serde_json::Value>(delta).is_err(), "{delta}");
    }
}

#[test]
fn w03_the_tool_is_named_while_its_arguments_arrive_and_other_calls_pass() {
    let deferred = ["a__b"].map(tool);
    let mut reader = CallToolReader::new(&deferred);
    let begin = |index, name: &str| {
        let (call_id, name) = (format!("c{index}"), name.to_owned());
        StreamEvent::ToolCall { index, call_id, name, signature: None }
    };
    let args = |index, delta: &str| StreamEvent::ToolArgs { index, delta: delta.to_owned() };
    let mut read = |event| reader.read(event).unwrap();
    assert_eq!(read(begin(0, "glob")), [begin(0, "glob")]);
    assert_eq!(read(begin(1, CALL_TOOL)), []);
    assert_eq!(read(args(0, "{}")), [args(0, "{}")]);
    assert_eq!(read(args(1, r#"{"name":"a__b""#)), [begin(1, "a__b")]);
    assert_eq!(read(args(1, r#","arguments":{"#)), []);
}

#[test]
fn w03_calls_that_never_end_are_stopped_at_the_limit_of_a_reply() {
    let begin = |index| StreamEvent::ToolCall {
        index,
        call_id: "c".to_owned(),
        name: CALL_TOOL.to_owned(),
        signature: None,
    };
    let delta = format!(r#"{{"name":"{}"#, "x".repeat(60_000));
    let fragment = move |_| StreamEvent::ToolArgs { index: 0, delta: delta.clone() };
    let args = [begin(0)].into_iter().chain((0..150).map(fragment)).collect::<Vec<_>>();
    for events in [args, (0..10_000).map(begin).collect()] {
        let mut reader = CallToolReader::new(&[]);
        let error = events.into_iter().find_map(|event| reader.read(event).err());
        assert_eq!(error, Some(Error::ReplyTooLong { limit: MAX_REPLY }));
    }
}
