//! A request in the spelling of Ollama's own API.

use std::borrow::Cow;

use serde::Serialize;
use serde_json::{Map, Value};
use skein_context::prompts::result;
use skein_domain::message::ContentPart;

use crate::Request;
use crate::dodges::Dodges;
use crate::effort::{self, Said};
use crate::function::{Function, functions};
use crate::pictures::encoded;
use crate::registry::Format;
use crate::steps::{Called, Demands, Kind, Step, Told, apart, arguments, joined, said_text, steps};

/// The body of a request.
#[derive(Serialize)]
pub(crate) struct Body<'a> {
    model: &'a str,
    messages: Vec<Message<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tools: Vec<Function<'a>>,
    stream: bool,
    /// Whether it may leave out the beginning of what is too long, without a word.
    truncate: bool,
    /// Whether it may forget the beginning while it writes.
    shift: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    think: Option<Think>,
    options: Options,
}

/// Only OpenAI's open models know levels here.
#[derive(Serialize)]
#[serde(untagged)]
enum Think {
    Whether(bool),
    Level(&'static str),
}

fn think(said: Said) -> Option<Think> {
    match said {
        Said::Whether(whether) => Some(Think::Whether(whether)),
        Said::Level(level) | Said::Shown(level) => Some(Think::Level(level)),
        Said::BetweenTools | Said::Budget(_) | Said::Show => None,
    }
}

#[derive(Serialize)]
struct Options {
    /// `None`: nothing is known of the window, and the server's own setting stands.
    #[serde(skip_serializing_if = "Option::is_none")]
    num_ctx: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    num_predict: Option<u32>,
}

#[derive(Serialize)]
#[serde(tag = "role", rename_all = "snake_case")]
enum Message<'a> {
    System {
        content: &'a str,
    },
    User {
        content: Cow<'a, str>,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        images: Vec<String>,
    },
    Assistant {
        content: Cow<'a, str>,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        tool_calls: Vec<Call<'a>>,
    },
    Tool {
        tool_name: &'a str,
        content: Cow<'a, str>,
    },
}

#[derive(Serialize)]
struct Call<'a> {
    function: Named<'a>,
}

#[derive(Serialize)]
struct Named<'a> {
    name: &'a str,
    arguments: Map<String, Value>,
}

impl<'a> Body<'a> {
    pub(crate) fn new(request: &'a Request, dodges: &Dodges) -> Self {
        let mut messages = Vec::new();
        let system = &request.prompt.system;
        if !system.is_empty() {
            messages.push(Message::System { content: system });
        }
        messages.extend(
            steps(request, Demands { worded_results: true, ..Demands::default() })
                .iter()
                .flat_map(|step| spelled(step, request)),
        );
        Self {
            model: &request.model,
            messages,
            tools: functions(&request.prompt.tools),
            stream: true,
            truncate: false,
            shift: false,
            think: effort::said(Format::Ollama, request, dodges).and_then(think),
            options: Options { num_ctx: request.window, num_predict: request.max_output },
        }
    }
}

fn spelled<'a>(step: &Step<'a>, request: &Request) -> Vec<Message<'a>> {
    match &step.kind {
        Kind::User(parts) => apart(parts).map(|said| user(said, request)).collect(),
        Kind::Assistant { said, calls } => vec![assistant(said, calls)],
        Kind::Results(calls) => calls
            .iter()
            .map(|Called { call, .. }| Message::Tool {
                tool_name: &call.name,
                content: result(call),
            })
            .collect(),
    }
}

fn user<'a>(said: &[Told<'a>], request: &Request) -> Message<'a> {
    let mut images = Vec::new();
    let mut told = Vec::new();
    for said in said {
        match said.picture().and_then(|picture| encoded(picture, request)) {
            Some((_, data)) => images.push(data),
            None => told.push(*said),
        }
    }
    Message::User { content: joined(&told), images }
}

fn assistant<'a>(said: &[&'a ContentPart], calls: &[Called<'a>]) -> Message<'a> {
    let call = |Called { call, .. }: &Called<'a>| Call {
        function: Named { name: &call.name, arguments: arguments(call) },
    };
    Message::Assistant { content: said_text(said), tool_calls: calls.iter().map(call).collect() }
}
