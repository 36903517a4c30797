//! While a conversation only grows, no byte before its breakpoint changes, on any wire.
//!
//! That the messages before it stay the same is a law of the engine (`context/tests/engine/laws.rs`, law 9);
//! here the messages behind the breakpoint are replaced by any others.

use proptest::prelude::*;
use skein_context::window::{Prompt, PromptMessage};
use skein_domain::message::{Role, ToolOutput, ToolState};
use skein_domain::tool_declaration::{CALL_TOOL, DESCRIBE_TOOL};

use super::conversation::{body_bytes, call, conversation, own_body_bytes, text};
use super::deferred_tools::declared;
use crate::model_request::ModelRequest;
use crate::quirks::quirk::{Quirk, Quirks};

/// Whose message it is, and whether it calls a tool.
type Turn = (bool, bool);

const KINDS: [&str; 8] = [
    "custom",
    "openai",
    "openai-responses",
    "anthropic",
    "gemini",
    "ollama",
    "mistral",
    "deepseek",
];

/// The message of a turn, whose last words name it.
fn message((is_user, calls): Turn, name: &str) -> PromptMessage {
    if is_user {
        return PromptMessage { role: Role::User, parts: [text(name)].into() };
    }
    let result = ToolOutput {
        text: name.to_owned(),
        whole: None,
        pictures: Vec::new(),
        withheld: false,
        folder: None,
    };
    let called = call(&format!("call-{name}"), ToolState::Done { output: result });
    let parts = if calls { vec![text("I look."), called] } else { vec![text(name)] };
    PromptMessage { role: Role::Assistant, parts: parts.into() }
}

/// A request of the stable messages and others behind them. The user's side follows a reply without calls.
fn request(stable: &[Turn], rest: &[Turn], label: &str) -> ModelRequest {
    let labels = [(stable, "stable"), (rest, label)].into_iter();
    let named = labels.flat_map(|(turns, label)| {
        turns.iter().enumerate().map(move |(at, turn)| (*turn, format!("{label}-{at}.")))
    });
    let mut is_answered = false;
    let mut messages = Vec::new();
    for ((is_user, calls), name) in named {
        let is_user = is_user || is_answered;
        messages.push(message((is_user, calls), &name));
        is_answered = !is_user && !calls;
    }
    let stable_messages = u32::try_from(stable.len()).unwrap();
    let prompt = Prompt { messages, stable_messages, ..conversation().prompt };
    ModelRequest { model: "gpt-5.4".to_owned(), prompt, ..conversation() }
}

/// The same request with the tool that it calls deferred.
fn deferred(request: ModelRequest) -> ModelRequest {
    let tools = vec![declared(DESCRIBE_TOOL), declared(CALL_TOOL)];
    let prompt = Prompt { tools, deferred: vec![declared("look")], ..request.prompt };
    ModelRequest { model: "claude-sonnet-5-5".to_owned(), prompt, ..request }
}

/// The body without the breakpoints, which are no part of what is cached.
fn body(request: &ModelRequest, kind: &str, quirks: &Quirks) -> String {
    without_breakpoints(body_bytes(request, kind, quirks))
}

fn without_breakpoints(body: Vec<u8>) -> String {
    let body = String::from_utf8(body).unwrap();
    body.replace(r#","cache_control":{"type":"ephemeral"}"#, "")
}

/// The part of a body that is the same however the conversation goes on.
fn start<'a>(body: &'a str, stable: &[Turn]) -> &'a str {
    let last = format!("stable-{}.", stable.len() - 1);
    let end = body.rfind(&last).unwrap() + last.len();
    body.get(..end).unwrap()
}

fn turns(length: std::ops::Range<usize>) -> impl Strategy<Value = Vec<Turn>> {
    prop::collection::vec(any::<Turn>(), length)
}

proptest! {
    #[test]
    fn law_09_w03_nothing_before_the_breakpoint_changes_with_deferred_tools(
        stable in turns(1..8),
        before in turns(0..4),
        after in turns(0..6),
    ) {
        let quirks = Quirks::default();
        let grown = [(&before, "before"), (&after, "after")];
        let [before, after] = grown.map(|(rest, label)| deferred(request(&stable, rest, label)));
        let bodies = |request: &ModelRequest| {
            let others = KINDS.map(|kind| body(request, kind, &quirks));
            let own = own_body_bytes(request, "anthropic", &quirks);
            others.into_iter().chain([without_breakpoints(own)]).collect::<Vec<_>>()
        };
        for (before, after) in bodies(&before).iter().zip(bodies(&after)) {
            let kept = start(before, &stable);
            prop_assert!(after.starts_with(kept), "{kept}\n{after}");
        }
    }

    #[test]
    fn law_09_nothing_before_the_breakpoint_changes_by_a_byte_while_a_conversation_grows(
        stable in turns(1..8),
        before in turns(0..4),
        after in turns(0..6),
        has_string_content in any::<bool>(),
    ) {
        let raw = body_bytes(&request(&stable, &before, "before"), "anthropic", &Quirks::default());
        let breakpoint = format!(r#"stable-{}.","cache_control":"#, stable.len() - 1);
        prop_assert!(String::from_utf8(raw).unwrap().contains(&breakpoint));
        let string_content = has_string_content.then_some(Quirk::StringContent);
        let quirks = string_content.into_iter().collect();
        for kind in KINDS {
            let before = body(&request(&stable, &before, "before"), kind, &quirks);
            let after = body(&request(&stable, &after, "after"), kind, &quirks);
            let kept = start(&before, &stable);
            prop_assert!(after.starts_with(kept), "{kind}\n{kept}\n{after}");
        }
    }
}
