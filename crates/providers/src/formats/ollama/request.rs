//! A request in the format of Ollama's own API.

use std::borrow::Cow;

use serde::Serialize;
use serde_json::{Map, Value};
use skein_context::prompts::tool_result_text;
use skein_domain::message::ContentPart;

use super::FORMAT;
use crate::model_request::ModelRequest;
use crate::wire::function_tool::{FunctionTool, function_tools};
use crate::wire::image_encoding::base64_image;
use crate::wire::part_text::{call_arguments, text_of};
use crate::wire::reasoning_effort::EffortParam;
use crate::wire::role_turn_builder::role_turns;
use crate::wire::role_turns::{
    Constraints, IdentifiedCall, RoleTurn, RoleTurnContent, UserContent, join_user_text,
    mergeable_groups,
};
use crate::wire::wire_format::BodyContext;

#[derive(Serialize)]
pub(crate) struct OllamaRequest<'a> {
    model: &'a str,
    messages: Vec<OllamaMessage<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tools: Vec<FunctionTool<'a>>,
    stream: bool,
    /// False: the server must not silently drop the beginning of a long prompt.
    truncate: bool,
    /// False: the server must not drop the beginning while it writes.
    shift: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    think: Option<Think>,
    options: Options,
}

/// Only OpenAI's open models have levels here.
#[derive(Serialize)]
#[serde(untagged)]
enum Think {
    Whether(bool),
    Level(&'static str),
}

fn think(param: EffortParam) -> Option<Think> {
    match param {
        EffortParam::Toggle(whether) => Some(Think::Whether(whether)),
        EffortParam::Level(level) | EffortParam::LevelWithSummary(level) => {
            Some(Think::Level(level))
        }
        EffortParam::BetweenTools | EffortParam::Budget(_) | EffortParam::SummaryOnly => None,
    }
}

#[derive(Serialize)]
struct Options {
    /// `None`: the window is unknown, and the server's setting applies.
    #[serde(skip_serializing_if = "Option::is_none")]
    num_ctx: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    num_predict: Option<u32>,
}

#[derive(Serialize)]
#[serde(tag = "role", rename_all = "snake_case")]
enum OllamaMessage<'a> {
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
        tool_calls: Vec<OllamaToolCall<'a>>,
    },
    Tool {
        tool_name: &'a str,
        content: Cow<'a, str>,
    },
}

#[derive(Serialize)]
struct OllamaToolCall<'a> {
    function: OllamaFunctionCall<'a>,
}

#[derive(Serialize)]
struct OllamaFunctionCall<'a> {
    name: &'a str,
    arguments: Map<String, Value>,
}

impl<'a> OllamaRequest<'a> {
    pub(crate) fn new(request: &'a ModelRequest, context: BodyContext<'_>) -> Self {
        let mut messages = Vec::new();
        let system = &request.prompt.system;
        if !system.is_empty() {
            messages.push(OllamaMessage::System { content: system });
        }
        messages.extend(
            role_turns(request, Constraints { text_only_results: true, ..Constraints::default() })
                .iter()
                .flat_map(|turn| role_turn_messages(turn, request)),
        );
        Self {
            model: &request.model,
            messages,
            tools: function_tools(&request.prompt.tools),
            stream: true,
            truncate: false,
            shift: false,
            think: FORMAT.effort_param(request, context).and_then(think),
            options: Options { num_ctx: request.window, num_predict: request.max_output },
        }
    }
}

fn role_turn_messages<'a>(turn: &RoleTurn<'a>, request: &ModelRequest) -> Vec<OllamaMessage<'a>> {
    match &turn.kind {
        RoleTurnContent::User(parts) => {
            mergeable_groups(parts).map(|parts| user(parts, request)).collect()
        }
        RoleTurnContent::Assistant { parts, calls } => vec![assistant(parts, calls)],
        RoleTurnContent::Results(calls) => calls
            .iter()
            .map(|IdentifiedCall { call, .. }| OllamaMessage::Tool {
                tool_name: &call.name,
                content: tool_result_text(call),
            })
            .collect(),
    }
}

fn user<'a>(parts: &[UserContent<'a>], request: &ModelRequest) -> OllamaMessage<'a> {
    let mut images = Vec::new();
    let mut texts = Vec::new();
    for part in parts {
        match part.image().and_then(|picture| base64_image(picture, request)) {
            Some((_, data)) => images.push(data),
            None => texts.push(*part),
        }
    }
    OllamaMessage::User { content: join_user_text(&texts), images }
}

fn assistant<'a>(parts: &[&'a ContentPart], calls: &[IdentifiedCall<'a>]) -> OllamaMessage<'a> {
    let call = |IdentifiedCall { call, .. }: &IdentifiedCall<'a>| OllamaToolCall {
        function: OllamaFunctionCall { name: &call.name, arguments: call_arguments(call) },
    };
    OllamaMessage::Assistant {
        content: text_of(parts),
        tool_calls: calls.iter().map(call).collect(),
    }
}
