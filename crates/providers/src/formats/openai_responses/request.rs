//! A request in the format of OpenAI Responses.

use std::borrow::Cow;
use std::iter;

use serde::Serialize;
use serde_json::Value;
use skein_context::prompts::tool_result_text;
use skein_domain::message::{ContentPart, ToolCall};
use skein_domain::tool_declaration::ToolDeclaration;

use super::FORMAT;
use super::decoder::SIGNED;
use crate::model_request::ModelRequest;
use crate::quirks::quirk::{Quirk, Quirks};
use crate::tool_call_ids::CallIdRule;
use crate::wire::image_encoding::data_url;
use crate::wire::openai_cache::PromptCacheParams;
use crate::wire::part_text::{call_arguments, part_text};
use crate::wire::reasoning_effort::EffortParam;
use crate::wire::role_turn_builder::role_turns;
use crate::wire::role_turns::{
    Constraints, IdentifiedCall, RoleTurn, RoleTurnContent, UserContent,
};
use crate::wire::wire_format::BodyContext;

#[derive(Serialize)]
pub(crate) struct OpenAiResponsesRequest<'a> {
    model: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    instructions: &'a str,
    input: Vec<Item<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tools: Vec<OpenAiResponsesTool<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_output_tokens: Option<u32>,
    stream: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    store: Option<bool>,
    #[serde(flatten)]
    cache: PromptCacheParams<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    include: Option<[&'static str; 1]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reasoning: Option<Reasoning>,
}

#[derive(Serialize)]
struct Reasoning {
    effort: &'static str,
    /// The kind of reasoning summary for the user.
    #[serde(skip_serializing_if = "Option::is_none")]
    summary: Option<&'static str>,
}

fn reasoning(param: EffortParam) -> Option<Reasoning> {
    match param {
        EffortParam::LevelWithSummary(effort) => Some(Reasoning { effort, summary: Some("auto") }),
        EffortParam::Level(effort) => Some(Reasoning { effort, summary: None }),
        EffortParam::Toggle(_)
        | EffortParam::BetweenTools
        | EffortParam::Budget(_)
        | EffortParam::SummaryOnly => None,
    }
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum Item<'a> {
    FunctionCall {
        call_id: Cow<'a, str>,
        name: &'a str,
        /// A JSON text.
        arguments: String,
    },
    FunctionCallOutput {
        call_id: Cow<'a, str>,
        output: Output<'a>,
    },
    Reasoning {
        id: &'a str,
        summary: Vec<OpenAiResponsesPart<'a>>,
        encrypted_content: &'a str,
    },
    /// An item of the provider's own compaction, as it was received.
    #[serde(untagged)]
    Compacted(&'a Value),
    #[serde(untagged)]
    Message {
        role: &'static str,
        #[serde(skip_serializing_if = "Option::is_none")]
        phase: Option<MessagePhase>,
        content: Vec<OpenAiResponsesPart<'a>>,
    },
}

/// The phase of an assistant message. Without it the model may stop after announcing its next step.
#[derive(Serialize, Clone, Copy)]
#[serde(rename_all = "snake_case")]
pub(super) enum MessagePhase {
    Commentary,
    FinalAnswer,
}

/// The parts of a message that are sent back beside its text.
#[derive(Clone, Copy)]
struct OpenAiResponsesReplay {
    thoughts: bool,
    phases: bool,
}

impl OpenAiResponsesReplay {
    /// OpenAI's models have phases since the fifth generation.
    fn of(model: &str, quirks: &Quirks) -> Self {
        let generation = model.strip_prefix("gpt-").and_then(|rest| rest.chars().next());
        let knows = generation.is_some_and(|it| ('5'..='9').contains(&it));
        Self {
            thoughts: !quirks.has(Quirk::NoEncryptedReasoning),
            phases: knows && !quirks.has(Quirk::NoPhase),
        }
    }
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum OpenAiResponsesPart<'a> {
    InputText { text: Cow<'a, str> },
    InputImage { image_url: String },
    OutputText { text: Cow<'a, str> },
    SummaryText { text: &'a str },
}

/// A string if there are no pictures: compatible servers may accept nothing else.
#[derive(Serialize)]
#[serde(untagged)]
pub(super) enum Output<'a> {
    Plain(Cow<'a, str>),
    Pieces(Vec<OpenAiResponsesPart<'a>>),
}

#[derive(Serialize)]
struct OpenAiResponsesTool<'a> {
    r#type: &'static str,
    name: &'a str,
    description: &'a str,
    parameters: &'a Value,
    strict: bool,
}

/// The minimum of `max_output_tokens`.
const MIN_OUTPUT: u32 = 16;

impl<'a> OpenAiResponsesRequest<'a> {
    pub(crate) fn new(request: &'a ModelRequest, context: BodyContext<'_>) -> Self {
        let quirks = context.quirks;
        let store = !quirks.has(Quirk::NoStore);
        let replay = OpenAiResponsesReplay::of(&request.model, quirks);
        Self {
            model: &request.model,
            instructions: &request.prompt.system,
            input: input_items(request, context),
            tools: request.prompt.tools.iter().map(tool).collect(),
            max_output_tokens: request.max_output.map(|tokens| tokens.max(MIN_OUTPUT)),
            stream: true,
            store: store.then_some(false),
            cache: PromptCacheParams::of(request, context),
            reasoning: FORMAT.effort_param(request, context).and_then(reasoning),
            include: (store && replay.thoughts).then_some(["reasoning.encrypted_content"]),
        }
    }
}

/// The messages of the prompt. Where the request goes to the origin of an encrypted summary, its items take
/// the place of the first message.
pub(super) fn input_items<'a>(
    request: &'a ModelRequest,
    context: BodyContext<'_>,
) -> Vec<Item<'a>> {
    let BodyContext { quirks, origin, .. } = context;
    let encrypted = request.encrypted_summary(origin, quirks);
    let constraints = Constraints {
        skipped_messages: usize::from(encrypted.is_some()),
        ..Constraints::of(CallIdRule::Any, quirks)
    };
    let compacted = encrypted.into_iter().flat_map(|it| &it.items).map(Item::Compacted);
    let replay = OpenAiResponsesReplay::of(&request.model, quirks);
    let turns = role_turns(request, constraints).into_iter();
    compacted.chain(turns.flat_map(|turn| items(turn, request, replay))).collect()
}

fn tool(tool: &ToolDeclaration) -> OpenAiResponsesTool<'_> {
    OpenAiResponsesTool {
        r#type: "function",
        name: &tool.name,
        description: &tool.description,
        parameters: &tool.parameters,
        strict: false,
    }
}

fn items<'a>(
    turn: RoleTurn<'a>,
    request: &ModelRequest,
    replay: OpenAiResponsesReplay,
) -> Vec<Item<'a>> {
    match turn.kind {
        RoleTurnContent::User(parts) => {
            let content = parts.iter().map(|part| input_piece(*part, request)).collect();
            vec![Item::Message { role: "user", phase: None, content }]
        }
        RoleTurnContent::Assistant { parts, calls } => {
            let phase =
                if calls.is_empty() { MessagePhase::FinalAnswer } else { MessagePhase::Commentary };
            let phase = replay.phases.then_some(phase);
            let parts =
                parts.iter().filter_map(|part| assistant_item(part, phase, replay.thoughts));
            let calls = calls.into_iter().map(|IdentifiedCall { id, call }| Item::FunctionCall {
                call_id: id,
                name: &call.name,
                arguments: Value::Object(call_arguments(call)).to_string(),
            });
            parts.chain(calls).collect()
        }
        RoleTurnContent::Results(calls) => {
            let results = calls.into_iter().map(|IdentifiedCall { id, call }| {
                Item::FunctionCallOutput { call_id: id, output: tool_output(call, request) }
            });
            results.collect()
        }
    }
}

fn input_piece<'a>(part: UserContent<'a>, request: &ModelRequest) -> OpenAiResponsesPart<'a> {
    match part.image().and_then(|picture| data_url(picture, request)) {
        Some(image_url) => OpenAiResponsesPart::InputImage { image_url },
        None => OpenAiResponsesPart::InputText { text: part.as_text() },
    }
}

fn tool_output<'a>(call: &'a ToolCall, request: &ModelRequest) -> Output<'a> {
    if call.shown().is_empty() {
        return Output::Plain(tool_result_text(call));
    }
    let pictures =
        call.shown().iter().map(|picture| input_piece(UserContent::ToolImage(picture), request));
    Output::Pieces(
        iter::once(OpenAiResponsesPart::InputText { text: tool_result_text(call) })
            .chain(pictures)
            .collect(),
    )
}

fn assistant_item(
    part: &ContentPart,
    phase: Option<MessagePhase>,
    thinks: bool,
) -> Option<Item<'_>> {
    match part {
        ContentPart::Reasoning { text, signature } => {
            let signature = signature.as_deref().filter(|_| thinks);
            let item = signature?.strip_prefix(SIGNED)?;
            let (id, encrypted_content) = item.split_once(':')?;
            let text = Some(text.as_str()).filter(|text| !text.is_empty());
            let summary =
                text.map(|text| OpenAiResponsesPart::SummaryText { text }).into_iter().collect();
            Some(Item::Reasoning { id, summary, encrypted_content })
        }
        ContentPart::Text { .. }
        | ContentPart::Image(_)
        | ContentPart::File { .. }
        | ContentPart::Tool { .. } => {
            let content = vec![OpenAiResponsesPart::OutputText { text: part_text(part) }];
            Some(Item::Message { role: "assistant", phase, content })
        }
    }
}
