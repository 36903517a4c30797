//! Deferred tools in a request and a reply.
//!
//! A provider with deferred tools of its own gets them from its wire format
//! ([`WireFormat::defers_tools`]). For all others a call of one is written, and read, as a call of
//! `call_tool` with its name and its arguments; nothing else of the program knows of that. Not
//! here: which tools are deferred (`skein_context::window`).

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::value::RawValue;
use skein_context::window::{Prompt, PromptMessage};
use skein_domain::message::{ContentPart, ToolCall};
use skein_domain::tool_declaration::{CALL_TOOL, ToolDeclaration};

use super::wire_format::{BodyContext, WireFormat};
use crate::model_request::ModelRequest;
use crate::stream_event::StreamEvent;

/// The body of a request, with its deferred tools as the provider takes them.
///
/// # Errors
/// A value cannot be written as JSON.
pub(crate) fn request_body(
    format: &dyn WireFormat,
    request: &ModelRequest,
    context: BodyContext<'_>,
) -> serde_json::Result<Vec<u8>> {
    if request.prompt.deferred.is_empty() || format.defers_tools(&request.model, context) {
        return format.request_body(request, context);
    }
    let request = ModelRequest { prompt: through_call_tool(&request.prompt), ..request.clone() };
    format.request_body(&request, context)
}

/// The prompt without deferred tools, and with their calls as calls of `call_tool`.
fn through_call_tool(prompt: &Prompt) -> Prompt {
    let is_deferred_call = |part: &ContentPart| {
        let call = part.as_call();
        call.is_some_and(|call| is_deferred(&prompt.deferred, &call.name))
    };
    let message = |message: &PromptMessage| {
        if !message.parts.iter().any(is_deferred_call) {
            return message.clone();
        }
        let mut parts = message.parts.to_vec();
        for call in
            parts.iter_mut().filter(|part| is_deferred_call(part)).filter_map(|it| it.as_call_mut())
        {
            *call = wrapped(call);
        }
        PromptMessage { parts: parts.into(), ..message.clone() }
    };
    let messages = prompt.messages.iter().map(message).collect();
    Prompt { messages, deferred: Vec::new(), ..prompt.clone() }
}

/// A call as one of `call_tool`. Arguments that are no JSON become an empty object, as in every
/// wire format.
fn wrapped(call: &ToolCall) -> ToolCall {
    let name = serde_json::Value::from(call.name.as_str());
    let args = match serde_json::from_str::<&RawValue>(&call.args) {
        Ok(args) => args.get(),
        Err(_) => "{}",
    };
    let args = format!(r#"{{"name":{name},"arguments":{args}}}"#);
    ToolCall { name: CALL_TOOL.to_owned(), args, ..call.clone() }
}

/// Reads calls of `call_tool` as calls of the deferred tools that they name. A call with any other
/// name stays one of `call_tool`: a provider may refuse every later request that repeats an
/// invented name as the name of a tool.
pub(crate) struct CallToolReader<'a> {
    /// The deferred tools of the request.
    deferred: &'a [ToolDeclaration],
    /// The calls whose arguments have not ended yet, by their index.
    open: BTreeMap<u32, OpenCall>,
}

/// A call of `call_tool` that is still arriving.
struct OpenCall {
    call_id: String,
    signature: Option<String>,
    args: String,
    /// The tool's name, once the call is passed on under it.
    name: Option<String>,
}

impl<'a> CallToolReader<'a> {
    /// A reader for the reply to a request with these deferred tools.
    pub(crate) fn new(deferred: &'a [ToolDeclaration]) -> Self {
        Self { deferred, open: BTreeMap::new() }
    }

    /// The events to pass on. Of a call the tool is named as soon as its name has arrived, and the
    /// arguments are complete.
    pub(crate) fn read(&mut self, event: StreamEvent) -> Vec<StreamEvent> {
        match event {
            StreamEvent::ToolCall { index, call_id, name, signature } if name == CALL_TOOL => {
                let call = OpenCall { call_id, signature, args: String::new(), name: None };
                self.open.insert(index, call);
                Vec::new()
            }
            StreamEvent::ToolArgs { index, delta } => match self.open.get_mut(&index) {
                Some(call) => {
                    call.args.push_str(&delta);
                    let name = tool_name(&call.args)
                        .filter(|name| call.name.is_none() && is_deferred(self.deferred, name));
                    name.map(|name| call.named(index, name)).into_iter().collect()
                }
                None => vec![StreamEvent::ToolArgs { index, delta }],
            },
            StreamEvent::CallSignature { index, signature } => match self.open.get_mut(&index) {
                Some(call) if call.name.is_none() => {
                    call.signature = Some(signature);
                    Vec::new()
                }
                Some(_) | None => vec![StreamEvent::CallSignature { index, signature }],
            },
            StreamEvent::Finished { .. } => {
                let open = std::mem::take(&mut self.open).into_iter();
                let whole = open.flat_map(|(index, call)| call.whole(index, self.deferred));
                whole.chain([event]).collect()
            }
            StreamEvent::Retrying { .. }
            | StreamEvent::OutputCapped { .. }
            | StreamEvent::EffortRefused { .. }
            | StreamEvent::Text { .. }
            | StreamEvent::Reasoning { .. }
            | StreamEvent::ReasoningSignature { .. }
            | StreamEvent::ToolCall { .. }
            | StreamEvent::Usage { .. }
            | StreamEvent::Billing { .. } => vec![event],
        }
    }
}

impl OpenCall {
    /// The event of the call under its tool's name.
    fn named(&mut self, index: u32, name: String) -> StreamEvent {
        self.name = Some(name.clone());
        let (call_id, signature) = (self.call_id.clone(), self.signature.take());
        StreamEvent::ToolCall { index, call_id, name, signature }
    }

    /// The rest of the events of the call. A named call that turns out to be broken, or to name
    /// another tool, must not run: its arguments become a text that is no JSON.
    fn whole(mut self, index: u32, deferred: &[ToolDeclaration]) -> Vec<StreamEvent> {
        let call = serde_json::from_str::<WrappedCall<'_>>(&self.args).ok().filter(|call| {
            let is_other = self.name.as_ref().is_some_and(|name| *name != call.name);
            is_deferred(deferred, &call.name) && !is_other
        });
        let (name, delta) = match (call, &self.name) {
            (Some(call), _) => {
                (call.name, call.arguments.map_or_else(String::new, plain_arguments))
            }
            (None, Some(name)) => (name.clone(), without_brace(&self.args)),
            (None, None) => (CALL_TOOL.to_owned(), self.args.clone()),
        };
        let named = self.name.is_none().then(|| self.named(index, name));
        named.into_iter().chain([StreamEvent::ToolArgs { index, delta }]).collect()
    }
}

/// The arguments of a named call from `"name"` on. A JSON value cannot begin so.
fn without_brace(args: &str) -> String {
    args.trim_start_matches(|c: char| c == '{' || c.is_whitespace()).to_owned()
}

fn is_deferred(deferred: &[ToolDeclaration], name: &str) -> bool {
    deferred.iter().any(|tool| tool.name == name)
}

/// The arguments of a call of `call_tool`.
#[derive(Deserialize)]
struct WrappedCall<'a> {
    name: String,
    #[serde(borrow, default)]
    arguments: Option<&'a RawValue>,
}

/// Some models write the inner arguments as a string of JSON.
fn plain_arguments(arguments: &RawValue) -> String {
    serde_json::from_str(arguments.get()).unwrap_or_else(|_| arguments.get().to_owned())
}

/// The name at the beginning of arguments that are still arriving; `None`: it is not there yet, or
/// not first.
fn tool_name(args: &str) -> Option<String> {
    let rest = args.trim_start().strip_prefix('{')?.trim_start().strip_prefix("\"name\"")?;
    let value = rest.trim_start().strip_prefix(':')?.trim_start();
    let mut values = serde_json::Deserializer::from_str(value).into_iter::<String>();
    values.next()?.ok()
}

#[cfg(test)]
mod tests {
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
        let deltas = deltas
            .iter()
            .map(|delta| StreamEvent::ToolArgs { index: 2, delta: (*delta).to_owned() });
        let finished = StreamEvent::Finished { reason: FinishReason::ToolCalls };
        let deferred = ["git__find", "a__b"].map(tool);
        let mut reader = CallToolReader::new(&deferred);
        let events = [begun].into_iter().chain(deltas).chain([finished.clone()]);
        let mut read: Vec<_> = events.flat_map(|event| reader.read(event)).collect();
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
            let [StreamEvent::ToolCall { name, .. }, StreamEvent::ToolArgs { delta, .. }] =
                &events[..]
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
        assert_eq!(reader.read(begin(0, "glob")), [begin(0, "glob")]);
        assert_eq!(reader.read(begin(1, CALL_TOOL)), []);
        assert_eq!(reader.read(args(0, "{}")), [args(0, "{}")]);
        assert_eq!(reader.read(args(1, r#"{"name":"a__b""#)), [begin(1, "a__b")]);
        assert_eq!(reader.read(args(1, r#","arguments":{"#)), []);
    }
}
