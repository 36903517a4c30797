//! A request in the spelling of Google's Gemini API.

use std::borrow::Cow;

use serde::Serialize;
use serde_json::{Map, Value};
use skein_context::prompts::result;
use skein_domain::message::{ContentPart, ToolCall};

use super::SIGNED;
use crate::dodges::Dodges;
use crate::pictures::encoded;
use crate::registry::Format;
use crate::steps::{Demands, Kind, Step, Told, arguments, failed, plain, steps};
use crate::{Request, effort};

/// The body of a request.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Body<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    system_instruction: Option<Instruction<'a>>,
    contents: Vec<Content<'a>>,
    /// One entry that declares all of them, or none.
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
struct Content<'a> {
    role: &'static str,
    parts: Vec<Part<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Part<'a> {
    #[serde(flatten)]
    said: Said<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    thought_signature: Option<&'a str>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase")]
enum Said<'a> {
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

impl From<effort::Said> for ThinkingConfig {
    fn from(said: effort::Said) -> Self {
        let (thinking_budget, thinking_level) = match said {
            effort::Said::Budget(tokens) => (Some(tokens), None),
            effort::Said::Level(level) | effort::Said::Shown(level) => (None, Some(level)),
            effort::Said::Whether(_) | effort::Said::BetweenTools | effort::Said::Show => {
                (None, None)
            }
        };
        Self { include_thoughts: true, thinking_budget, thinking_level }
    }
}

impl<'a> From<Said<'a>> for Part<'a> {
    fn from(said: Said<'a>) -> Self {
        Self { said, thought_signature: None }
    }
}

impl<'a> Body<'a> {
    pub(crate) fn new(request: &'a Request, dodges: &Dodges) -> Self {
        let system = Some(&request.prompt.system).filter(|system| !system.is_empty());
        let steps = steps(request, Demands::default());
        let contents = steps.iter().map(|step| content(step, request));
        let thinking = effort::said(Format::Gemini, request, dodges).map(ThinkingConfig::from);
        let generation =
            GenerationConfig { max_output_tokens: request.max_output, thinking_config: thinking };
        let says_nothing =
            generation.max_output_tokens.is_none() && generation.thinking_config.is_none();
        Self {
            system_instruction: system
                .map(|system| Instruction { parts: [Said::Text(system.into()).into()] }),
            contents: contents.filter(|content| !content.parts.is_empty()).collect(),
            tools: tools(request),
            generation_config: (!says_nothing).then_some(generation),
        }
    }
}

fn tools(request: &Request) -> Option<[Tools<'_>; 1]> {
    let tools = request.prompt.tools.iter().map(|tool| Declaration {
        name: &tool.name,
        description: &tool.description,
        parameters_json_schema: &tool.parameters,
    });
    let function_declarations: Vec<_> = tools.collect();
    (!function_declarations.is_empty()).then_some([Tools { function_declarations }])
}

/// What functions showed stands beside their responses: in them only the newest models take it.
fn content<'a>(step: &Step<'a>, request: &Request) -> Content<'a> {
    match &step.kind {
        Kind::User(parts) => {
            let parts = parts.iter().map(|told| said(*told, request)).collect();
            Content { role: "user", parts }
        }
        Kind::Assistant { said, calls } => {
            let said = said.iter().filter_map(|part| spoken(part));
            let parts = said.chain(calls.iter().map(|it| called(it.call))).collect();
            Content { role: "model", parts }
        }
        Kind::Results(calls) => {
            let responses = calls.iter().map(|it| responded(it.call));
            let pictures = calls.iter().flat_map(|it| it.call.shown());
            let pictures = pictures.map(|picture| said(Told::Shown(picture), request));
            Content { role: "user", parts: responses.chain(pictures).collect() }
        }
    }
}

fn said<'a>(told: Told<'a>, request: &Request) -> Part<'a> {
    let said = match told.picture().and_then(|picture| encoded(picture, request)) {
        Some((mime_type, data)) => Said::InlineData { mime_type, data },
        None => Said::Text(told.plain()),
    };
    said.into()
}

/// Reasoning itself does not go back; a signature that came without a call goes with empty text.
fn spoken(part: &ContentPart) -> Option<Part<'_>> {
    match part {
        ContentPart::Reasoning { signature, .. } => {
            let signature = signature.as_deref()?.strip_prefix(SIGNED)?;
            Some(Part { said: Said::Text("".into()), thought_signature: Some(signature) })
        }
        ContentPart::Text { .. }
        | ContentPart::Image(_)
        | ContentPart::File { .. }
        | ContentPart::Tool { .. } => Some(Said::Text(plain(part)).into()),
    }
}

fn called(call: &ToolCall) -> Part<'_> {
    let signature = call.signature.as_deref();
    Part {
        said: Said::FunctionCall { name: &call.name, args: arguments(call) },
        thought_signature: signature.and_then(|signature| signature.strip_prefix(SIGNED)),
    }
}

fn responded(call: &ToolCall) -> Part<'_> {
    let result = result(call);
    let response = if failed(call) { Response::Error(result) } else { Response::Output(result) };
    Said::FunctionResponse { name: &call.name, response }.into()
}
