//! Anthropic messages: the request's spelling and the answer's meaning.

use serde_json::{Map, Value, json};
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
pub(super) fn body(request: &Request) -> Value {
    let mut body = Map::new();
    body.insert("model".to_owned(), json!(request.model));
    body.insert("max_tokens".to_owned(), json!(request.max_output.unwrap_or(MAX_TOKENS)));
    if !request.prompt.tools.is_empty() {
        let mut tools: Vec<Value> = request
            .prompt
            .tools
            .iter()
            .map(|tool| {
                json!({
                    "name": tool.name,
                    "description": tool.description,
                    "input_schema": tool.parameters,
                })
            })
            .collect();
        if request.prompt.system.is_empty() {
            breakpoint(tools.last_mut());
        }
        body.insert("tools".to_owned(), Value::Array(tools));
    }
    if !request.prompt.system.is_empty() {
        let mut system = vec![json!({ "type": "text", "text": request.prompt.system })];
        breakpoint(system.last_mut());
        body.insert("system".to_owned(), Value::Array(system));
    }
    body.insert("messages".to_owned(), Value::Array(messages(request)));
    body.insert("stream".to_owned(), json!(true));
    Value::Object(body)
}

/// Results and what the person says after them are one message: roles alternate.
fn messages(request: &Request) -> Vec<Value> {
    let mut messages: Vec<(&str, Vec<Value>)> = Vec::new();
    for step in &steps(&request.prompt) {
        let (role, mut blocks) = blocks(step, request);
        if step.stable_end {
            breakpoint(blocks.last_mut());
        }
        match messages.last_mut() {
            _ if blocks.is_empty() => {}
            Some((last, before)) if *last == role => before.extend(blocks),
            Some(_) | None => messages.push((role, blocks)),
        }
    }
    messages.into_iter().map(|(role, blocks)| json!({ "role": role, "content": blocks })).collect()
}

fn breakpoint(block: Option<&mut Value>) {
    if let Some(block) = block.and_then(Value::as_object_mut) {
        block.insert("cache_control".to_owned(), json!({ "type": "ephemeral" }));
    }
}

fn blocks(step: &Step<'_>, request: &Request) -> (&'static str, Vec<Value>) {
    match &step.kind {
        Kind::User(parts) if parts.is_empty() => {
            ("user", vec![json!({ "type": "text", "text": "…" })])
        }
        Kind::User(parts) => ("user", parts.iter().map(|part| said(part, request)).collect()),
        Kind::Assistant { said, calls } => {
            let said = said.iter().filter_map(|part| spoken(part));
            ("assistant", said.chain(calls.iter().map(|call| used(call))).collect())
        }
        Kind::Results(calls) => ("user", calls.iter().map(|call| resulted(call)).collect()),
    }
}

fn said(part: &ContentPart, request: &Request) -> Value {
    match encoded(part, request) {
        Some((media_type, data)) => json!({
            "type": "image",
            "source": { "type": "base64", "media_type": media_type, "data": data },
        }),
        None => json!({ "type": "text", "text": plain(part) }),
    }
}

/// Reasoning goes back only with its own signature: without, it would be refused.
fn spoken(part: &ContentPart) -> Option<Value> {
    match part {
        ContentPart::Text { text } => Some(json!({ "type": "text", "text": text.trim_end() })),
        ContentPart::Reasoning { text, signature } => {
            let signature = signature.as_deref()?;
            if let Some(data) = signature.strip_prefix(REDACTED) {
                return Some(json!({ "type": "redacted_thinking", "data": data }));
            }
            let signature = signature.strip_prefix(SIGNED)?;
            Some(json!({ "type": "thinking", "thinking": text, "signature": signature }))
        }
        ContentPart::Image { .. } | ContentPart::File { .. } | ContentPart::Tool { .. } => {
            Some(json!({ "type": "text", "text": plain(part) }))
        }
    }
}

fn used(call: &ToolCall) -> Value {
    json!({ "type": "tool_use", "id": call.call_id, "name": call.name, "input": arguments(call) })
}

fn resulted(call: &ToolCall) -> Value {
    let mut block = json!({
        "type": "tool_result",
        "tool_use_id": call.call_id,
        "content": result(call),
    });
    if let (true, Some(members)) = (failed(call), block.as_object_mut()) {
        members.insert("is_error".to_owned(), json!(true));
    }
    block
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
