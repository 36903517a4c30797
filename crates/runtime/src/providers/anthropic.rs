//! Anthropic messages: the request's spelling and the answer's meaning.

use std::borrow::Cow;

use serde::Serialize;
use serde_json::{Map, Value};
use skein_context::message::{ContentPart, ToolCall};
use skein_context::usage::TokenUsage;

use super::format::{Course, Decoder, Fault, Phase, at, count, credible, non_empty};
use super::frames::Cut;
use super::pictures::encoded;
use super::steps::{Kind, Step, arguments, failed, plain, result, steps};
use super::{FinishReason, Request, StreamEvent};

/// The wire demands a number; this is what every current model can say, in tokens.
const MAX_TOKENS: u32 = 8_192;
/// Marks signatures as ours, so that another provider's are never sent here.
const SIGNED: &str = "anthropic:";
/// Marks reasoning that only its provider can read.
const REDACTED: &str = "anthropic-redacted:";

/// The body of a request. Cache breakpoints are set after the system prompt (tools lie before it)
/// and after the last message that will be sent unchanged again.
#[derive(Serialize)]
pub(super) struct Body<'a> {
    model: &'a str,
    max_tokens: u32,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tools: Vec<Tool<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    system: Vec<Block<'a>>,
    messages: Vec<Message<'a>>,
    stream: bool,
}

#[derive(Serialize)]
struct Tool<'a> {
    name: &'a str,
    description: &'a str,
    input_schema: &'a Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    cache_control: Option<CacheControl>,
}

#[derive(Serialize)]
struct Message<'a> {
    role: &'static str,
    content: Vec<Block<'a>>,
}

#[derive(Serialize)]
struct Block<'a> {
    #[serde(flatten)]
    content: Content<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cache_control: Option<CacheControl>,
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Content<'a> {
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
        id: &'a str,
        name: &'a str,
        input: Map<String, Value>,
    },
    ToolResult {
        tool_use_id: &'a str,
        content: Cow<'a, str>,
        #[serde(skip_serializing_if = "Option::is_none")]
        is_error: Option<bool>,
    },
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Source<'a> {
    Base64 { media_type: &'a str, data: String },
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum CacheControl {
    Ephemeral {},
}

impl<'a> From<Content<'a>> for Block<'a> {
    fn from(content: Content<'a>) -> Self {
        Self { content, cache_control: None }
    }
}

impl<'a> Body<'a> {
    pub(super) fn new(request: &'a Request) -> Self {
        let (mut tools, mut system) = (tools(request), Vec::new());
        if request.prompt.system.is_empty() {
            breakpoint(tools.last_mut().map(|tool| &mut tool.cache_control));
        } else {
            system.push(Block::from(Content::Text { text: (&request.prompt.system).into() }));
            breakpoint(system.last_mut().map(|block| &mut block.cache_control));
        }
        Self {
            model: &request.model,
            max_tokens: request.max_output.unwrap_or(MAX_TOKENS),
            tools,
            system,
            messages: messages(request),
            stream: true,
        }
    }
}

fn breakpoint(place: Option<&mut Option<CacheControl>>) {
    if let Some(place) = place {
        *place = Some(CacheControl::Ephemeral {});
    }
}

fn tools(request: &Request) -> Vec<Tool<'_>> {
    let tools = request.prompt.tools.iter().map(|tool| Tool {
        name: &tool.name,
        description: &tool.description,
        input_schema: &tool.parameters,
        cache_control: None,
    });
    tools.collect()
}

/// Results and what the person says after them are one message: roles alternate.
fn messages(request: &Request) -> Vec<Message<'_>> {
    let mut messages: Vec<Message<'_>> = Vec::new();
    for step in &steps(&request.prompt) {
        let (role, mut content) = blocks(step, request);
        if step.stable_end {
            breakpoint(content.last_mut().map(|block| &mut block.cache_control));
        }
        match messages.last_mut() {
            _ if content.is_empty() => {}
            Some(last) if last.role == role => last.content.extend(content),
            Some(_) | None => messages.push(Message { role, content }),
        }
    }
    messages
}

fn blocks<'a>(step: &Step<'a>, request: &Request) -> (&'static str, Vec<Block<'a>>) {
    let (role, contents): (_, Vec<_>) = match &step.kind {
        Kind::User(parts) if parts.is_empty() => ("user", vec![Content::Text { text: "…".into() }]),
        Kind::User(parts) => ("user", parts.iter().map(|part| said(part, request)).collect()),
        Kind::Assistant { said, calls } => {
            let said = said.iter().filter_map(|part| spoken(part));
            ("assistant", said.chain(calls.iter().map(|call| used(call))).collect())
        }
        Kind::Results(calls) => ("user", calls.iter().map(|call| resulted(call)).collect()),
    };
    (role, contents.into_iter().map(Block::from).collect())
}

fn said<'a>(part: &'a ContentPart, request: &Request) -> Content<'a> {
    match encoded(part, request) {
        Some((media_type, data)) => Content::Image { source: Source::Base64 { media_type, data } },
        None => Content::Text { text: plain(part) },
    }
}

/// Reasoning goes back only with its own signature: without, it would be refused.
fn spoken(part: &ContentPart) -> Option<Content<'_>> {
    match part {
        ContentPart::Text { text } => Some(Content::Text { text: text.trim_end().into() }),
        ContentPart::Reasoning { text, signature } => {
            let signature = signature.as_deref()?;
            if let Some(data) = signature.strip_prefix(REDACTED) {
                return Some(Content::RedactedThinking { data });
            }
            let signature = signature.strip_prefix(SIGNED)?;
            Some(Content::Thinking { thinking: text, signature })
        }
        ContentPart::Image { .. } | ContentPart::File { .. } | ContentPart::Tool { .. } => {
            Some(Content::Text { text: plain(part) })
        }
    }
}

fn used(call: &ToolCall) -> Content<'_> {
    Content::ToolUse { id: &call.call_id, name: &call.name, input: arguments(call) }
}

fn resulted(call: &ToolCall) -> Content<'_> {
    Content::ToolResult {
        tool_use_id: &call.call_id,
        content: result(call),
        is_error: failed(call).then_some(true),
    }
}

/// Understands the events of one answer.
#[derive(Debug, Default)]
pub(super) struct Answer {
    /// Blocks that are calls: their index on the wire, in order.
    calls: Vec<Option<u64>>,
    usage: Seen,
    course: Course,
}

/// The figures so far, each overwritten only by what is there.
#[derive(Debug, Default, Clone, Copy)]
struct Seen {
    fresh: Option<u32>,
    cached: Option<u32>,
    written: Option<u32>,
    output: Option<u32>,
}

impl Seen {
    fn take(&mut self, usage: &Value) {
        let newer = |name: &str, older: Option<u32>| count(at(usage, name)).or(older);
        self.fresh = newer("/input_tokens", self.fresh);
        self.cached = newer("/cache_read_input_tokens", self.cached);
        self.written = newer("/cache_creation_input_tokens", self.written);
    }

    fn usage(self, output: Option<u32>) -> TokenUsage {
        let parts = [self.cached, self.written].into_iter().flatten();
        let prompt = self.fresh.map(|fresh| parts.fold(fresh, u32::saturating_add));
        TokenUsage {
            prompt,
            completion: output,
            cached: self.cached,
            cache_written: self.written,
            ..TokenUsage::default()
        }
    }
}

impl Decoder for Answer {
    fn cut(&self) -> Cut {
        Cut::Events
    }

    fn on_frame(&mut self, frame: &Value, out: &mut Vec<StreamEvent>) -> Result<(), Fault> {
        match frame["type"].as_str().unwrap_or_default() {
            "error" => return Err(Fault::Said(frame.to_string())),
            // The output named here is what has been said so far, which is next to nothing.
            "message_start" => {
                self.usage.take(at(frame, "/message/usage"));
                let usage = credible(self.usage.usage(None), false);
                if !usage.is_unavailable() {
                    out.push(StreamEvent::Usage { usage });
                }
            }
            "content_block_start" => {
                let block = &frame["content_block"];
                self.block(frame["index"].as_u64(), block, out);
            }
            "content_block_delta" => self.delta(frame["index"].as_u64(), &frame["delta"], out),
            "message_delta" => {
                self.usage.take(&frame["usage"]);
                self.usage.output = count(at(frame, "/usage/output_tokens")).or(self.usage.output);
                if let Some(reason) = at(frame, "/delta/stop_reason").as_str() {
                    self.course.finish = Some(finish(reason));
                }
            }
            "message_stop" => self.on_end(out),
            _ => {}
        }
        Ok(())
    }

    fn on_whole(&mut self, body: &Value, out: &mut Vec<StreamEvent>) -> Result<(), Fault> {
        let Some(blocks) = body["content"].as_array() else {
            return Err(Fault::Said(body.to_string()));
        };
        for (index, block) in (0..).zip(blocks) {
            self.block(Some(index), block, out);
            let input = &block["input"];
            if block["type"] == "tool_use" {
                self.args(Some(index), &input.to_string(), out);
            }
        }
        self.usage.take(&body["usage"]);
        self.usage.output = count(at(body, "/usage/output_tokens"));
        self.course.finish = body["stop_reason"].as_str().map(finish);
        Ok(())
    }

    fn on_end(&mut self, out: &mut Vec<StreamEvent>) {
        self.course.usage = self.usage.usage(self.usage.output);
        self.course.end(out);
    }

    fn phase(&self) -> Phase {
        self.course.phase()
    }
}

impl Answer {
    fn block(&mut self, index: Option<u64>, block: &Value, out: &mut Vec<StreamEvent>) {
        match block["type"].as_str().unwrap_or_default() {
            "tool_use" => {
                let position = u32::try_from(self.calls.len()).unwrap_or(u32::MAX);
                self.calls.push(index);
                self.course.said = true;
                out.push(StreamEvent::ToolCall {
                    index: position,
                    call_id: block["id"].as_str().unwrap_or_default().to_owned(),
                    name: block["name"].as_str().unwrap_or_default().to_owned(),
                    signature: None,
                });
            }
            "redacted_thinking" => {
                let data = block["data"].as_str().unwrap_or_default();
                let signature = format!("{REDACTED}{data}");
                out.push(StreamEvent::ReasoningSignature { signature });
            }
            _ => {
                self.course.text(&block["text"], out);
                self.thought(&block["thinking"], &block["signature"], out);
            }
        }
    }

    fn delta(&mut self, index: Option<u64>, delta: &Value, out: &mut Vec<StreamEvent>) {
        self.course.text(&delta["text"], out);
        self.thought(&delta["thinking"], &delta["signature"], out);
        if let Some(fragment) = delta["partial_json"].as_str() {
            self.args(index, fragment, out);
        }
    }

    fn thought(&mut self, thought: &Value, signature: &Value, out: &mut Vec<StreamEvent>) {
        self.course.thought(thought, out);
        if let Some(signature) = non_empty(signature) {
            let signature = format!("{SIGNED}{signature}");
            out.push(StreamEvent::ReasoningSignature { signature });
        }
    }

    fn args(&mut self, index: Option<u64>, fragment: &str, out: &mut Vec<StreamEvent>) {
        let position = self.calls.iter().rposition(|call| *call == index);
        let index = position.and_then(|position| u32::try_from(position).ok());
        if let (Some(index), false) = (index, fragment.is_empty()) {
            out.push(StreamEvent::ToolArgs { index, delta: fragment.to_owned() });
        }
    }
}

fn finish(reason: &str) -> FinishReason {
    match reason {
        "max_tokens" => FinishReason::Length,
        "tool_use" => FinishReason::ToolCalls,
        "model_context_window_exceeded" => FinishReason::WindowFull,
        "refusal" => FinishReason::Filtered,
        _ => FinishReason::Stop,
    }
}
