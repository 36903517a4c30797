//! A request in the format of Anthropic messages.

use std::borrow::Cow;
use std::iter;

use serde::Serialize;
use serde_json::{Map, Value};
use skein_context::prompts::tool_result_text;
use skein_context::window::Prompt;
use skein_domain::message::{ContentPart, ToolCall};
use skein_domain::tool_declaration::{CALL_TOOL, ToolDeclaration};

use super::FORMAT;
use super::cache_control::{AnthropicCacheControl, breakpoint};
use super::compaction::CompactionParam;
use super::decoder::{REDACTED, SIGNED};
use super::tool_references::referenced_tool;
use crate::model_request::ModelRequest;
use crate::quirks::quirk::{Quirk, Quirks};
use crate::tool_call_ids::CallIdRule;
use crate::wire::image_encoding::base64_image;
use crate::wire::part_text::{call_arguments, is_error_result, part_text};
use crate::wire::reasoning_effort::EffortParam;
use crate::wire::role_turn_builder::role_turns;
use crate::wire::role_turns::{
    Constraints, IdentifiedCall, RoleTurn, RoleTurnContent, UserContent,
};
use crate::wire::wire_format::BodyContext;

/// The default of the required `max_tokens`, which every current model accepts.
pub(crate) const MAX_TOKENS: u32 = 8_192;

/// The body of a request. Cache breakpoints follow the system prompt (the tools precede it), the
/// last message that will be sent unchanged again, and, while tools run, the end of the messages,
/// where the next request of the turn continues.
#[derive(Serialize)]
pub(crate) struct AnthropicRequest<'a> {
    model: &'a str,
    max_tokens: u32,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tools: Vec<AnthropicTool<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    system: Vec<AnthropicBlock<'a>>,
    messages: Vec<AnthropicMessage<'a>>,
    stream: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    thinking: Option<ThinkingParam>,
    #[serde(skip_serializing_if = "Option::is_none")]
    output_config: Option<OutputConfig>,
    #[serde(skip_serializing_if = "Option::is_none")]
    compaction: Option<CompactionParam<'a>>,
}

/// The reasoning parameter. The newest models know no budgets, older ones nothing else.
#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum AnthropicThinking {
    Adaptive {
        /// The newest models show no reasoning by default.
        display: &'static str,
    },
    Enabled {
        budget_tokens: u32,
    },
    Disabled {},
    BetweenTools {},
}

/// Reasoning is bound to all messages before it, which change while tools run: a reminder is added,
/// an output is dropped. A server that checks this is told to drop such reasoning.
#[derive(Serialize)]
struct ThinkingParam {
    #[serde(flatten)]
    thinking: AnthropicThinking,
    #[serde(skip_serializing_if = "Option::is_none")]
    block_binding: Option<BlockBinding>,
}

#[derive(Serialize)]
struct BlockBinding {
    prefix_mismatch_behavior: &'static str,
}

/// The binding is allowed only beside `adaptive`, the default of every model that checks it.
fn with_block_binding(
    thinking: Option<AnthropicThinking>,
    quirks: &Quirks,
) -> Option<ThinkingParam> {
    let drops = quirks.drops_mismatched_thinking();
    let unasked = || drops.then_some(AnthropicThinking::Adaptive { display: "summarized" });
    let thinking = thinking.or_else(unasked)?;
    let can_say = matches!(thinking, AnthropicThinking::Adaptive { .. });
    let binding = BlockBinding { prefix_mismatch_behavior: "drop_block" };
    Some(ThinkingParam { thinking, block_binding: (drops && can_say).then_some(binding) })
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ThinkingReplay {
    /// The reasoning that the messages have.
    Own,
    /// Reasoning in every assistant message, empty if it had none.
    Always,
    Never,
}

impl ThinkingReplay {
    fn of(bound: Option<&ThinkingParam>, quirks: &Quirks) -> Self {
        let drops = bound.is_some_and(|it| it.block_binding.is_some());
        match quirks.has(Quirk::NoThinkingReplay)
            || (quirks.has(Quirk::DropMismatchedThinking) && !drops)
        {
            true => Self::Never,
            false if quirks.has(Quirk::RequiresReasoning) => Self::Always,
            false => Self::Own,
        }
    }
}

#[derive(Serialize)]
struct OutputConfig {
    effort: &'static str,
}

#[derive(Serialize)]
struct AnthropicTool<'a> {
    name: &'a str,
    description: &'a str,
    input_schema: &'a Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    defer_loading: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cache_control: Option<AnthropicCacheControl>,
}

#[derive(Serialize)]
struct AnthropicMessage<'a> {
    role: &'static str,
    content: Vec<AnthropicBlock<'a>>,
}

#[derive(Serialize)]
struct AnthropicBlock<'a> {
    #[serde(flatten)]
    content: AnthropicContent<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cache_control: Option<AnthropicCacheControl>,
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum AnthropicContent<'a> {
    Text {
        text: Cow<'a, str>,
    },
    Image {
        source: Source<'a>,
    },
    Thinking {
        thinking: &'a str,
        signature: &'a str,
    },
    RedactedThinking {
        data: &'a str,
    },
    ToolUse {
        id: Cow<'a, str>,
        name: &'a str,
        input: Map<String, Value>,
    },
    ToolResult {
        tool_use_id: Cow<'a, str>,
        content: ToolResultContent<'a>,
        #[serde(skip_serializing_if = "Option::is_none")]
        is_error: Option<bool>,
    },
    ToolReference {
        tool_name: &'a str,
    },
}

impl AnthropicContent<'_> {
    fn is_thought(&self) -> bool {
        matches!(self, Self::Thinking { .. } | Self::RedactedThinking { .. })
    }
}

#[derive(Serialize)]
#[serde(untagged)]
enum ToolResultContent<'a> {
    Plain(Cow<'a, str>),
    Pieces(Vec<AnthropicContent<'a>>),
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Source<'a> {
    Base64 { media_type: &'a str, data: String },
}

impl<'a> From<AnthropicContent<'a>> for AnthropicBlock<'a> {
    fn from(content: AnthropicContent<'a>) -> Self {
        Self { content, cache_control: None }
    }
}

impl<'a> AnthropicRequest<'a> {
    pub(crate) fn new(request: &'a ModelRequest, context: BodyContext<'_>) -> Self {
        let quirks = context.quirks;
        let kept = AnthropicCacheControl::of(request, context);
        let (mut tools, mut system) = (tools(request), Vec::new());
        let max_tokens = request.max_output.unwrap_or(MAX_TOKENS);
        let param = FORMAT.effort_param(request, context);
        let level = match param {
            Some(EffortParam::LevelWithSummary(effort)) => Some(OutputConfig { effort }),
            _ => None,
        };
        if request.prompt.system.is_empty() {
            breakpoint(tools.last_mut().map(|tool| &mut tool.cache_control), kept);
        } else {
            system.push(AnthropicBlock::from(AnthropicContent::Text {
                text: (&request.prompt.system).into(),
            }));
            breakpoint(system.last_mut().map(|block| &mut block.cache_control), kept);
        }
        // A deferred tool takes no mark.
        tools.extend(request.prompt.deferred.iter().map(|it| tool(it, Some(true))));
        let thinking =
            with_block_binding(param.and_then(|param| thinking(param, max_tokens)), quirks);
        Self {
            model: &request.model,
            max_tokens,
            tools,
            system,
            messages: messages(
                request,
                quirks,
                ThinkingReplay::of(thinking.as_ref(), quirks),
                kept,
            ),
            stream: true,
            thinking,
            output_config: level,
            compaction: request.compaction.as_ref().map(CompactionParam::from),
        }
    }
}

const MIN_BUDGET: u32 = 1_024;

fn thinking(param: EffortParam, max_tokens: u32) -> Option<AnthropicThinking> {
    match param {
        EffortParam::LevelWithSummary(_) | EffortParam::Level(_) | EffortParam::SummaryOnly => {
            Some(AnthropicThinking::Adaptive { display: "summarized" })
        }
        EffortParam::Toggle(false) => Some(AnthropicThinking::Disabled {}),
        EffortParam::BetweenTools => Some(AnthropicThinking::BetweenTools {}),
        // Reasoning counts towards the reply's length, so half is left for the text.
        EffortParam::Budget(tokens) => Some(tokens.min(max_tokens / 2))
            .filter(|budget_tokens| *budget_tokens >= MIN_BUDGET)
            .map(|budget_tokens| AnthropicThinking::Enabled { budget_tokens }),
        EffortParam::Toggle(true) => None,
    }
}

fn tools(request: &ModelRequest) -> Vec<AnthropicTool<'_>> {
    let Prompt { tools, deferred, .. } = &request.prompt;
    let declared = tools.iter().filter(|tool| deferred.is_empty() || tool.name != CALL_TOOL);
    declared.map(|it| tool(it, None)).collect()
}

fn tool(tool: &ToolDeclaration, defer_loading: Option<bool>) -> AnthropicTool<'_> {
    AnthropicTool {
        name: &tool.name,
        description: &tool.description,
        input_schema: &tool.parameters,
        defer_loading,
        cache_control: None,
    }
}

/// Tool results and the user's text after them form one message, because roles alternate.
fn messages<'a>(
    request: &'a ModelRequest,
    quirks: &Quirks,
    thoughts: ThinkingReplay,
    kept: AnthropicCacheControl,
) -> Vec<AnthropicMessage<'a>> {
    let mut messages: Vec<AnthropicMessage<'a>> = Vec::new();
    let turns = role_turns(request, Constraints::of(CallIdRule::WordChars, quirks));
    let runs_tools =
        matches!(turns.last(), Some(RoleTurn { kind: RoleTurnContent::Results(_), .. }));
    for turn in turns {
        let unstable = turn.unstable_parts();
        let (role, mut content) = blocks(turn, request, thoughts);
        if let Some(unstable) = unstable {
            let stable_end = content.iter_mut().rev().nth(unstable);
            breakpoint(stable_end.map(|block| &mut block.cache_control), kept);
        }
        match messages.last_mut() {
            _ if content.is_empty() => {}
            Some(last) if last.role == role => last.content.extend(content),
            Some(_) | None => messages.push(AnthropicMessage { role, content }),
        }
    }
    if runs_tools {
        let last = messages.last_mut().and_then(|message| message.content.last_mut());
        breakpoint(last.map(|block| &mut block.cache_control), kept);
    }
    messages
}

fn blocks<'a>(
    turn: RoleTurn<'a>,
    request: &'a ModelRequest,
    thoughts: ThinkingReplay,
) -> (&'static str, Vec<AnthropicBlock<'a>>) {
    let (role, contents): (_, Vec<_>) = match turn.kind {
        RoleTurnContent::User(parts) => {
            ("user", parts.iter().map(|part| user_content(*part, request)).collect())
        }
        RoleTurnContent::Assistant { parts, calls } => {
            let goes_back =
                |it: &AnthropicContent<'_>| thoughts != ThinkingReplay::Never || !it.is_thought();
            let blocks = parts.iter().filter_map(|part| assistant_content(part));
            let mut blocks: Vec<_> = blocks.filter(goes_back).collect();
            if thoughts == ThinkingReplay::Always
                && !blocks.iter().any(AnthropicContent::is_thought)
            {
                blocks.insert(0, AnthropicContent::Thinking { thinking: " ", signature: "" });
            }
            blocks.extend(calls.into_iter().map(used));
            ("assistant", blocks)
        }
        RoleTurnContent::Results(calls) => {
            ("user", calls.into_iter().map(|called| resulted(called, request)).collect())
        }
    };
    (role, contents.into_iter().map(AnthropicBlock::from).collect())
}

fn user_content<'a>(part: UserContent<'a>, request: &ModelRequest) -> AnthropicContent<'a> {
    match part.image().and_then(|picture| base64_image(picture, request)) {
        Some((media_type, data)) => {
            AnthropicContent::Image { source: Source::Base64 { media_type, data } }
        }
        None => AnthropicContent::Text { text: part.as_text() },
    }
}

/// Reasoning is sent back only with its own signature; without one it would be rejected.
fn assistant_content(part: &ContentPart) -> Option<AnthropicContent<'_>> {
    match part {
        ContentPart::Text { text } => Some(AnthropicContent::Text { text: text.trim_end().into() }),
        ContentPart::Reasoning { text, signature } => {
            let signature = signature.as_deref()?;
            if let Some(data) = signature.strip_prefix(REDACTED) {
                return Some(AnthropicContent::RedactedThinking { data });
            }
            let signature = signature.strip_prefix(SIGNED)?;
            Some(AnthropicContent::Thinking { thinking: text, signature })
        }
        ContentPart::Image(_) | ContentPart::File { .. } | ContentPart::Tool { .. } => {
            Some(AnthropicContent::Text { text: part_text(part) })
        }
    }
}

fn used(IdentifiedCall { id, call }: IdentifiedCall<'_>) -> AnthropicContent<'_> {
    AnthropicContent::ToolUse { id, name: &call.name, input: call_arguments(call) }
}

fn resulted<'a>(
    IdentifiedCall { id, call }: IdentifiedCall<'a>,
    request: &'a ModelRequest,
) -> AnthropicContent<'a> {
    let is_error = is_error_result(call).then_some(true);
    AnthropicContent::ToolResult {
        tool_use_id: id,
        content: tool_result_content(call, request),
        is_error,
    }
}

fn tool_result_content<'a>(call: &'a ToolCall, request: &'a ModelRequest) -> ToolResultContent<'a> {
    if let Some(tool_name) = referenced_tool(call, &request.prompt) {
        return ToolResultContent::Pieces(vec![AnthropicContent::ToolReference { tool_name }]);
    }
    if call.shown().is_empty() {
        return ToolResultContent::Plain(tool_result_text(call));
    }
    let pictures =
        call.shown().iter().map(|picture| user_content(UserContent::ToolImage(picture), request));
    ToolResultContent::Pieces(
        iter::once(AnthropicContent::Text { text: tool_result_text(call) })
            .chain(pictures)
            .collect(),
    )
}
