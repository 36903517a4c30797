//! A request in the format of Google's Gemini API.

use std::borrow::Cow;

use serde::Serialize;
use serde_json::{Map, Value};
use skein_context::prompts::tool_result_text;
use skein_domain::message::{ContentPart, ToolCall};

use super::FORMAT;
use super::decoder::SIGNED;
use crate::model_request::ModelRequest;
use crate::wire::image_encoding::base64_image;
use crate::wire::part_text::{call_arguments, is_error_result, part_text};
use crate::wire::reasoning_effort::EffortParam;
use crate::wire::role_turn_builder::role_turns;
use crate::wire::role_turns::{Constraints, RoleTurn, RoleTurnContent, UserContent};
use crate::wire::wire_format::BodyContext;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct GeminiRequest<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    system_instruction: Option<Instruction<'a>>,
    contents: Vec<GeminiContent<'a>>,
    /// Empty, or one entry with all declarations.
    #[serde(skip_serializing_if = "Option::is_none")]
    tools: Option<[Tools<'a>; 1]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    generation_config: Option<GenerationConfig>,
}

#[derive(Serialize)]
struct Instruction<'a> {
    parts: [Part<'a>; 1],
}

#[derive(Serialize)]
struct GeminiContent<'a> {
    role: &'static str,
    parts: Vec<Part<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Part<'a> {
    #[serde(flatten)]
    content: PartContent<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    thought_signature: Option<&'a str>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase")]
enum PartContent<'a> {
    Text(Cow<'a, str>),
    InlineData { mime_type: &'a str, data: String },
    FunctionCall { name: &'a str, args: Map<String, Value> },
    FunctionResponse { name: &'a str, response: Response<'a> },
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
enum Response<'a> {
    Output(Cow<'a, str>),
    Error(Cow<'a, str>),
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Tools<'a> {
    function_declarations: Vec<Declaration<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Declaration<'a> {
    name: &'a str,
    description: &'a str,
    parameters_json_schema: &'a Value,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct GenerationConfig {
    #[serde(skip_serializing_if = "Option::is_none")]
    max_output_tokens: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    thinking_config: Option<ThinkingConfig>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ThinkingConfig {
    include_thoughts: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    thinking_budget: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    thinking_level: Option<&'static str>,
}

impl From<EffortParam> for ThinkingConfig {
    fn from(param: EffortParam) -> Self {
        let (thinking_budget, thinking_level) = match param {
            EffortParam::Budget(tokens) => (Some(tokens), None),
            EffortParam::Level(level) | EffortParam::LevelWithSummary(level) => (None, Some(level)),
            EffortParam::Toggle(_) | EffortParam::BetweenTools | EffortParam::SummaryOnly => {
                (None, None)
            }
        };
        Self { include_thoughts: true, thinking_budget, thinking_level }
    }
}

impl<'a> From<PartContent<'a>> for Part<'a> {
    fn from(content: PartContent<'a>) -> Self {
        Self { content, thought_signature: None }
    }
}

impl<'a> GeminiRequest<'a> {
    pub(crate) fn new(request: &'a ModelRequest, context: BodyContext<'_>) -> Self {
        let system = Some(&request.prompt.system).filter(|system| !system.is_empty());
        let turns = role_turns(request, Constraints::default());
        let contents = turns.iter().map(|turn| content(turn, request));
        let thinking = FORMAT.effort_param(request, context).map(ThinkingConfig::from);
        let generation =
            GenerationConfig { max_output_tokens: request.max_output, thinking_config: thinking };
        let says_nothing =
            generation.max_output_tokens.is_none() && generation.thinking_config.is_none();
        Self {
            system_instruction: system
                .map(|system| Instruction { parts: [PartContent::Text(system.into()).into()] }),
            contents: contents.filter(|content| !content.parts.is_empty()).collect(),
            tools: tools(request),
            generation_config: (!says_nothing).then_some(generation),
        }
    }
}

fn tools(request: &ModelRequest) -> Option<[Tools<'_>; 1]> {
    let tools = request.prompt.tools.iter().map(|tool| Declaration {
        name: &tool.name,
        description: &tool.description,
        parameters_json_schema: &tool.parameters,
    });
    let function_declarations: Vec<_> = tools.collect();
    (!function_declarations.is_empty()).then_some([Tools { function_declarations }])
}

/// The pictures of tool results follow the responses as parts of their own: only the newest models
/// accept them inside.
fn content<'a>(turn: &RoleTurn<'a>, request: &ModelRequest) -> GeminiContent<'a> {
    match &turn.kind {
        RoleTurnContent::User(parts) => {
            let parts = parts.iter().map(|part| user_part(*part, request)).collect();
            GeminiContent { role: "user", parts }
        }
        RoleTurnContent::Assistant { parts, calls } => {
            let parts = parts.iter().filter_map(|part| assistant_part(part));
            let parts = parts.chain(calls.iter().map(|it| function_call(it.call))).collect();
            GeminiContent { role: "model", parts }
        }
        RoleTurnContent::Results(calls) => {
            let responses = calls.iter().map(|it| function_response(it.call));
            let pictures = calls.iter().flat_map(|it| it.call.shown());
            let pictures =
                pictures.map(|picture| user_part(UserContent::ToolImage(picture), request));
            GeminiContent { role: "user", parts: responses.chain(pictures).collect() }
        }
    }
}

fn user_part<'a>(part: UserContent<'a>, request: &ModelRequest) -> Part<'a> {
    let content = match part.image().and_then(|picture| base64_image(picture, request)) {
        Some((mime_type, data)) => PartContent::InlineData { mime_type, data },
        None => PartContent::Text(part.as_text()),
    };
    content.into()
}

/// Reasoning text is not sent back; a signature without a call is sent with empty text.
fn assistant_part(part: &ContentPart) -> Option<Part<'_>> {
    match part {
        ContentPart::Reasoning { signature, .. } => {
            let signature = signature.as_deref()?.strip_prefix(SIGNED)?;
            Some(Part { content: PartContent::Text("".into()), thought_signature: Some(signature) })
        }
        ContentPart::Text { .. }
        | ContentPart::Image(_)
        | ContentPart::File { .. }
        | ContentPart::Tool { .. } => Some(PartContent::Text(part_text(part)).into()),
    }
}

fn function_call(call: &ToolCall) -> Part<'_> {
    let signature = call.signature.as_deref();
    Part {
        content: PartContent::FunctionCall { name: &call.name, args: call_arguments(call) },
        thought_signature: signature.and_then(|signature| signature.strip_prefix(SIGNED)),
    }
}

fn function_response(call: &ToolCall) -> Part<'_> {
    let result = tool_result_text(call);
    let response =
        if is_error_result(call) { Response::Error(result) } else { Response::Output(result) };
    PartContent::FunctionResponse { name: &call.name, response }.into()
}
