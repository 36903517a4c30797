//! A request in the spelling of OpenAI chat completions.

use std::borrow::Cow;

use serde::Serialize;
use serde_json::Value;
use skein_context::message::{ContentPart, ToolCall};
use skein_context::prompts::result;
use skein_context::window::ReasoningBack;

use super::kept::Kept;
use crate::providers::Request;
use crate::providers::dodges::{Dodge, Dodges};
use crate::providers::effort::{self, Said};
use crate::providers::function::{Function, functions};
use crate::providers::pictures::data_url;
use crate::providers::registry::{MaxTokens, Row};
use crate::providers::steps::{
    Called, Demands, Kind, Step, Told, arguments, joined, said_text, steps, thought_text,
};

/// The body of a request.
#[derive(Serialize)]
pub(in crate::providers) struct Body<'a> {
    model: &'a str,
    messages: Vec<Message<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tools: Vec<Function<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_tokens: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_completion_tokens: Option<u32>,
    stream: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    stream_options: Option<StreamOptions>,
    #[serde(skip_serializing_if = "Option::is_none")]
    store: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reasoning_effort: Option<&'static str>,
}

#[derive(Serialize)]
struct StreamOptions {
    include_usage: bool,
}

#[derive(Serialize)]
#[serde(tag = "role", rename_all = "snake_case")]
enum Message<'a> {
    System {
        content: &'a str,
    },
    User {
        content: Content<'a>,
    },
    Assistant {
        /// `None`: it only calls.
        content: Option<Cow<'a, str>>,
        #[serde(skip_serializing_if = "Option::is_none")]
        reasoning_content: Option<Cow<'a, str>>,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        reasoning_details: Vec<Value>,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        tool_calls: Vec<Call<'a>>,
    },
    Tool {
        tool_call_id: Cow<'a, str>,
        content: Cow<'a, str>,
    },
}

/// A plain string wherever there are no pictures: some servers know nothing else.
#[derive(Serialize)]
#[serde(untagged)]
enum Content<'a> {
    Plain(Cow<'a, str>),
    Pieces(Vec<Piece<'a>>),
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Piece<'a> {
    Text { text: Cow<'a, str> },
    ImageUrl { image_url: ImageUrl },
}

#[derive(Serialize)]
struct ImageUrl {
    url: String,
}

#[derive(Serialize)]
struct Call<'a> {
    id: Cow<'a, str>,
    r#type: &'static str,
    function: Named<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    extra_content: Option<Value>,
}

#[derive(Serialize)]
struct Named<'a> {
    name: &'a str,
    /// JSON in a string.
    arguments: String,
}

impl<'a> Body<'a> {
    pub(in crate::providers) fn new(
        request: &'a Request,
        row: &Row,
        dodges: &Dodges,
        origin: &str,
    ) -> Self {
        let classic = (row.max_tokens == MaxTokens::Classic) != dodges.has(Dodge::OtherMaxTokens);
        let asks_usage = row.ask_usage && !dodges.has(Dodge::NoStreamOptions);
        let stores = row.stores && !dodges.has(Dodge::NoStore);
        let thinks = row.reasoning_back == ReasoningBack::WithTools || dodges.has(Dodge::Reasoning);
        let effort = match effort::said(row.format, request, dodges) {
            Some(Said::Level(level)) => Some(level),
            _ => None,
        };
        let mut demands = Demands::of(row.call_ids, dodges);
        demands.answered_results |= row.answered_results;
        demands.worded_results = true;
        Self {
            model: &request.model,
            messages: messages(request, demands, Back { thinks, origin }),
            tools: functions(&request.prompt.tools),
            max_tokens: request.max_output.filter(|_| classic),
            max_completion_tokens: request.max_output.filter(|_| !classic),
            stream: true,
            stream_options: asks_usage.then_some(StreamOptions { include_usage: true }),
            store: stores.then_some(false),
            reasoning_effort: effort,
        }
    }
}

/// What goes back beside words and calls.
#[derive(Clone, Copy)]
struct Back<'b> {
    /// Whether what was thought does.
    thinks: bool,
    /// Whose account of it, and whose signatures, do.
    origin: &'b str,
}

fn messages<'a>(request: &'a Request, demands: Demands, back: Back<'_>) -> Vec<Message<'a>> {
    let mut messages = Vec::new();
    let system = &request.prompt.system;
    if !system.is_empty() {
        messages.push(Message::System { content: system });
    }
    for step in steps(request, demands) {
        spell(step, request, back, &mut messages);
    }
    messages
}

fn spell<'a>(step: Step<'a>, request: &Request, back: Back<'_>, messages: &mut Vec<Message<'a>>) {
    match step.kind {
        Kind::User(parts) => messages.push(Message::User { content: content(&parts, request) }),
        Kind::Assistant { said, calls } => messages.push(assistant(&said, calls, back)),
        Kind::Results(calls) => {
            messages.extend(calls.into_iter().map(|Called { id, call }| Message::Tool {
                tool_call_id: id,
                content: result(call),
            }))
        }
    }
}

fn content<'a>(said: &[Told<'a>], request: &Request) -> Content<'a> {
    let piece =
        |said: &Told<'a>| match said.picture().and_then(|picture| data_url(picture, request)) {
            Some(url) => Piece::ImageUrl { image_url: ImageUrl { url } },
            None => Piece::Text { text: said.plain() },
        };
    let pieces: Vec<_> = said.iter().map(piece).collect();
    let pictured = pieces.iter().any(|piece| matches!(piece, Piece::ImageUrl { .. }));
    if pictured { Content::Pieces(pieces) } else { Content::Plain(joined(said)) }
}

fn assistant<'a>(said: &[&'a ContentPart], calls: Vec<Called<'a>>, back: Back<'_>) -> Message<'a> {
    let text = said_text(said);
    let silent = text.is_empty() && !calls.is_empty();
    let mut reasoning_details = Vec::new();
    let spelled = |Called { id, call }: Called<'a>| {
        let kept = Kept::opened(call.signature.as_deref(), back.origin);
        reasoning_details.extend(kept.reasoning_details);
        spelled_call(id, call, kept.extra_content)
    };
    let tool_calls = calls.into_iter().map(spelled).collect();
    Message::Assistant {
        content: (!silent).then_some(text),
        reasoning_content: back.thinks.then(|| thought(said)),
        reasoning_details,
        tool_calls,
    }
}

/// What was thought, or the least that passes for a thought: whoever wants reasoning back refuses a
/// message without any, which another model wrote or whose round is long past, and Moonshot takes an
/// empty one for none.
fn thought<'a>(said: &[&'a ContentPart]) -> Cow<'a, str> {
    let thought = thought_text(said);
    if thought.trim().is_empty() { " ".into() } else { thought }
}

fn spelled_call<'a>(
    id: Cow<'a, str>,
    call: &'a ToolCall,
    extra_content: Option<Value>,
) -> Call<'a> {
    let arguments = Value::Object(arguments(call)).to_string();
    let function = Named { name: &call.name, arguments };
    Call { id, r#type: "function", function, extra_content }
}
