//! A request in the format of OpenAI chat completions.

use std::borrow::Cow;

use serde::Serialize;
use serde_json::Value;
use skein_context::prompts::tool_result_text;
use skein_context::window::ReasoningReplay;
use skein_domain::message::{ContentPart, ToolCall};

use super::FORMAT;
use super::provider_state::ProviderState;
use crate::model_request::ModelRequest;
use crate::quirks::quirk::Quirk;
use crate::registry::{MaxTokensField, ReasoningSwitch};
use crate::wire::function_tool::{FunctionTool, function_tools};
use crate::wire::image_encoding::data_url;
use crate::wire::openai_cache::PromptCacheParams;
use crate::wire::part_text::{call_arguments, reasoning_of, text_of};
use crate::wire::reasoning_effort::EffortParam;
use crate::wire::role_turn_builder::role_turns;
use crate::wire::role_turns::{
    Constraints, IdentifiedCall, RoleTurn, RoleTurnContent, UserContent, join_user_text,
    mergeable_groups,
};
use crate::wire::wire_format::BodyContext;

#[derive(Serialize)]
pub(crate) struct OpenAiChatRequest<'a> {
    model: &'a str,
    messages: Vec<OpenAiChatMessage<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tools: Vec<FunctionTool<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_tokens: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_completion_tokens: Option<u32>,
    stream: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    stream_options: Option<StreamOptions>,
    #[serde(skip_serializing_if = "Option::is_none")]
    store: Option<bool>,
    #[serde(flatten)]
    cache: PromptCacheParams<'a>,
    #[serde(flatten)]
    thought: ReasoningParams,
}

/// The reasoning parameters. Each server knows some of them and ignores or rejects the others.
#[derive(Serialize, Default)]
struct ReasoningParams {
    #[serde(skip_serializing_if = "Option::is_none")]
    reasoning_effort: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    thinking: Option<ThinkingSwitch>,
    #[serde(skip_serializing_if = "Option::is_none")]
    enable_thinking: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    thinking_budget: Option<u32>,
}

#[derive(Serialize)]
struct ThinkingSwitch {
    r#type: &'static str,
}

#[derive(Serialize)]
struct StreamOptions {
    include_usage: bool,
}

#[derive(Serialize)]
#[serde(tag = "role", rename_all = "snake_case")]
enum OpenAiChatMessage<'a> {
    System {
        content: OpenAiChatContent<'a>,
    },
    User {
        content: OpenAiChatContent<'a>,
    },
    Assistant {
        /// `None` for a message with calls only.
        content: Option<OpenAiChatContent<'a>>,
        #[serde(skip_serializing_if = "Option::is_none")]
        reasoning_content: Option<Cow<'a, str>>,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        reasoning_details: Vec<Value>,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        tool_calls: Vec<OpenAiChatToolCall<'a>>,
    },
    Tool {
        tool_call_id: Cow<'a, str>,
        content: Cow<'a, str>,
    },
}

/// A string for text alone: some servers accept nothing else.
#[derive(Serialize)]
#[serde(untagged)]
enum OpenAiChatContent<'a> {
    Plain(Cow<'a, str>),
    Pieces(Vec<OpenAiChatPart<'a>>),
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum OpenAiChatPart<'a> {
    Text {
        text: Cow<'a, str>,
        #[serde(skip_serializing_if = "Option::is_none")]
        cache_control: Option<OpenAiChatCacheControl>,
    },
    ImageUrl {
        image_url: ImageUrl,
    },
}

/// Marks the end of a prefix that the server should cache.
#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum OpenAiChatCacheControl {
    Ephemeral {},
}

impl OpenAiChatContent<'_> {
    /// Marks the last text; false if there is none.
    fn mark(&mut self) -> bool {
        if let Self::Plain(text) = self {
            let text = std::mem::take(text);
            *self = Self::Pieces(vec![OpenAiChatPart::Text { text, cache_control: None }]);
        }
        let Self::Pieces(pieces) = self else { return false };
        let words = pieces.iter_mut().rev().find_map(|piece| match piece {
            OpenAiChatPart::Text { cache_control, .. } => Some(cache_control),
            OpenAiChatPart::ImageUrl { .. } => None,
        });
        words.map(|mark| *mark = Some(OpenAiChatCacheControl::Ephemeral {})).is_some()
    }
}

impl OpenAiChatMessage<'_> {
    /// As [`OpenAiChatContent::mark`]; tool results cannot be marked.
    fn mark(&mut self) -> bool {
        match self {
            Self::System { content }
            | Self::User { content }
            | Self::Assistant { content: Some(content), .. } => content.mark(),
            Self::Assistant { content: None, .. } | Self::Tool { .. } => false,
        }
    }
}

#[derive(Serialize)]
struct ImageUrl {
    url: String,
}

#[derive(Serialize)]
struct OpenAiChatToolCall<'a> {
    id: Cow<'a, str>,
    r#type: &'static str,
    function: OpenAiChatFunctionCall<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    extra_content: Option<Value>,
}

#[derive(Serialize)]
struct OpenAiChatFunctionCall<'a> {
    name: &'a str,
    /// A JSON text.
    arguments: String,
}

impl<'a> OpenAiChatRequest<'a> {
    pub(crate) fn new(request: &'a ModelRequest, context: BodyContext<'_>) -> Self {
        let BodyContext { spec: row, quirks, origin, .. } = context;
        let classic =
            (row.max_tokens == MaxTokensField::Classic) != quirks.has(Quirk::OtherMaxTokens);
        let asks_usage = row.requests_usage && !quirks.has(Quirk::NoStreamOptions);
        let stores = row.stores_by_default && !quirks.has(Quirk::NoStore);
        let thinks = row.reasoning_replay == ReasoningReplay::WithTools
            || quirks.has(Quirk::RequiresReasoning);
        let marked = row.cache_marked_models.iter().any(|makers| request.model.starts_with(makers));
        let mut constraints = Constraints::of(row.call_id_rule, quirks);
        constraints.assistant_after_results |= row.assistant_after_results;
        constraints.text_only_results = true;
        Self {
            model: &request.model,
            messages: messages(request, constraints, OpenAiChatReplay { thinks, origin }, marked),
            tools: function_tools(&request.prompt.tools),
            max_tokens: request.max_output.filter(|_| classic),
            max_completion_tokens: request.max_output.filter(|_| !classic),
            stream: true,
            stream_options: asks_usage.then_some(StreamOptions { include_usage: true }),
            store: stores.then_some(false),
            cache: PromptCacheParams::of(request, context),
            thought: FORMAT
                .effort_param(request, context)
                .map(|param| ReasoningParams::of(param, row.reasoning_switch))
                .unwrap_or_default(),
        }
    }
}

impl ReasoningParams {
    fn of(param: EffortParam, switch: ReasoningSwitch) -> Self {
        match (param, switch) {
            (EffortParam::Level(level) | EffortParam::LevelWithSummary(level), _) => {
                Self { reasoning_effort: Some(level), ..Self::default() }
            }
            (EffortParam::Toggle(on), ReasoningSwitch::Type) => {
                let r#type = if on { "enabled" } else { "disabled" };
                Self { thinking: Some(ThinkingSwitch { r#type }), ..Self::default() }
            }
            (EffortParam::Toggle(on), ReasoningSwitch::Enable) => {
                Self { enable_thinking: Some(on), ..Self::default() }
            }
            (EffortParam::Budget(tokens), ReasoningSwitch::Enable) => Self {
                enable_thinking: Some(true),
                thinking_budget: Some(tokens),
                ..Self::default()
            },
            (
                EffortParam::Toggle(_)
                | EffortParam::Budget(_)
                | EffortParam::BetweenTools
                | EffortParam::SummaryOnly,
                _,
            ) => Self::default(),
        }
    }
}

/// The reasoning and opaque data that are sent back.
#[derive(Clone, Copy)]
struct OpenAiChatReplay<'b> {
    /// True if reasoning is sent back.
    thinks: bool,
    /// The origin whose opaque data is sent back.
    origin: &'b str,
}

/// `marked`: the end of the stable prefix gets a cache mark.
fn messages<'a>(
    request: &'a ModelRequest,
    constraints: Constraints,
    replay: OpenAiChatReplay<'_>,
    marked: bool,
) -> Vec<OpenAiChatMessage<'a>> {
    let mut messages = Vec::new();
    let system = request.prompt.system.as_str();
    if !system.is_empty() {
        messages
            .push(OpenAiChatMessage::System { content: OpenAiChatContent::Plain(system.into()) });
    }
    let opening = messages.len();
    let mut stable = opening;
    for turn in role_turns(request, constraints) {
        let (unstable, before) = (turn.unstable_parts(), messages.len());
        push_role_turn(turn, request, (constraints, replay), &mut messages);
        if let Some(unstable) = unstable {
            // One text is marked whole or not at all.
            stable = if unstable == 0 { messages.len() } else { before };
        }
    }
    if marked {
        let (system, talk) = messages.split_at_mut(opening);
        system.iter_mut().for_each(|message| {
            message.mark();
        });
        talk.iter_mut().take(stable - opening).rev().any(OpenAiChatMessage::mark);
    }
    messages
}

fn push_role_turn<'a>(
    turn: RoleTurn<'a>,
    request: &ModelRequest,
    (constraints, replay): (Constraints, OpenAiChatReplay<'_>),
    messages: &mut Vec<OpenAiChatMessage<'a>>,
) {
    match turn.kind {
        RoleTurnContent::User(parts) if constraints.string_content => {
            let contents = mergeable_groups(&parts).map(|parts| content(parts, request));
            messages.extend(contents.map(|content| OpenAiChatMessage::User { content }));
        }
        RoleTurnContent::User(parts) => {
            messages.push(OpenAiChatMessage::User { content: content(&parts, request) })
        }
        RoleTurnContent::Assistant { parts, calls } => {
            messages.push(assistant(&parts, calls, replay))
        }
        RoleTurnContent::Results(calls) => {
            messages.extend(calls.into_iter().map(|IdentifiedCall { id, call }| {
                OpenAiChatMessage::Tool { tool_call_id: id, content: tool_result_text(call) }
            }))
        }
    }
}

fn content<'a>(parts: &[UserContent<'a>], request: &ModelRequest) -> OpenAiChatContent<'a> {
    let piece = |part: &UserContent<'a>| match part
        .image()
        .and_then(|picture| data_url(picture, request))
    {
        Some(url) => OpenAiChatPart::ImageUrl { image_url: ImageUrl { url } },
        None => OpenAiChatPart::Text { text: part.as_text(), cache_control: None },
    };
    let pieces: Vec<_> = parts.iter().map(piece).collect();
    if pieces.iter().any(|piece| matches!(piece, OpenAiChatPart::ImageUrl { .. })) {
        return OpenAiChatContent::Pieces(pieces);
    }
    let mut texts: Vec<_> = mergeable_groups(parts).map(join_user_text).collect();
    match texts.pop() {
        Some(text) if texts.is_empty() => OpenAiChatContent::Plain(text),
        last => {
            let texts = texts.into_iter().chain(last);
            OpenAiChatContent::Pieces(
                texts.map(|text| OpenAiChatPart::Text { text, cache_control: None }).collect(),
            )
        }
    }
}

fn assistant<'a>(
    parts: &[&'a ContentPart],
    calls: Vec<IdentifiedCall<'a>>,
    replay: OpenAiChatReplay<'_>,
) -> OpenAiChatMessage<'a> {
    let text = text_of(parts);
    // A reply that ended while reasoning has no text, and an empty message is rejected.
    let content = match (text.trim().is_empty(), calls.is_empty()) {
        (true, true) => Some(EMPTY_TEXT.into()),
        (true, false) if text.is_empty() => None,
        _ => Some(text),
    };
    let mut reasoning_details = Vec::new();
    let wire_call = |IdentifiedCall { id, call }: IdentifiedCall<'a>| {
        let kept = ProviderState::decode(call.signature.as_deref(), replay.origin);
        reasoning_details.extend(kept.reasoning_details);
        tool_call(id, call, kept.extra_content)
    };
    let tool_calls = calls.into_iter().map(wire_call).collect();
    OpenAiChatMessage::Assistant {
        content: content.map(OpenAiChatContent::Plain),
        reasoning_content: replay.thinks.then(|| reasoning_content(parts)),
        reasoning_details,
        tool_calls,
    }
}

/// The text of a message that has neither text nor calls.
const EMPTY_TEXT: &str = "…";

/// The reasoning, or the shortest accepted placeholder. A server that demands reasoning rejects
/// messages without it, such as those of another model or of old rounds, and Moonshot rejects an
/// empty one.
fn reasoning_content<'a>(parts: &[&'a ContentPart]) -> Cow<'a, str> {
    let thought = reasoning_of(parts);
    if thought.trim().is_empty() { " ".into() } else { thought }
}

fn tool_call<'a>(
    id: Cow<'a, str>,
    call: &'a ToolCall,
    extra_content: Option<Value>,
) -> OpenAiChatToolCall<'a> {
    let arguments = Value::Object(call_arguments(call)).to_string();
    let function = OpenAiChatFunctionCall { name: &call.name, arguments };
    OpenAiChatToolCall { id, r#type: "function", function, extra_content }
}
