//! Google's Gemini API: the request's spelling and the answer's meaning.

use serde_json::{Map, Value, json};
use skein_context::message::{ContentPart, ToolCall};
use skein_context::usage::TokenUsage;

use super::format::{Course, Decoder, Fault, Phase, at, count, credible, present};
use super::frames::Cut;
use super::pictures::encoded;
use super::steps::{Kind, Step, arguments, failed, plain, result, steps};
use super::{FinishReason, Request, StreamEvent};

/// Marks signatures as ours, so that another provider's are never sent here.
const SIGNED: &str = "gemini:";

/// The body of a request.
pub(super) fn body(request: &Request) -> Value {
    let mut body = Map::new();
    if !request.prompt.system.is_empty() {
        let system = json!({ "parts": [{ "text": request.prompt.system }] });
        body.insert("systemInstruction".to_owned(), system);
    }
    let contents = steps(&request.prompt);
    let contents = contents.iter().map(|step| content(step, request));
    let contents = contents.filter(|content| content["parts"] != json!([]));
    body.insert("contents".to_owned(), contents.collect());
    if !request.prompt.tools.is_empty() {
        let declared: Vec<Value> = request
            .prompt
            .tools
            .iter()
            .map(|tool| {
                json!({
                    "name": tool.name,
                    "description": tool.description,
                    "parametersJsonSchema": tool.parameters,
                })
            })
            .collect();
        body.insert("tools".to_owned(), json!([{ "functionDeclarations": declared }]));
    }
    if let Some(tokens) = request.max_output {
        body.insert("generationConfig".to_owned(), json!({ "maxOutputTokens": tokens }));
    }
    Value::Object(body)
}

fn content(step: &Step<'_>, request: &Request) -> Value {
    match &step.kind {
        Kind::User(parts) if parts.is_empty() => {
            json!({ "role": "user", "parts": [{ "text": "…" }] })
        }
        Kind::User(parts) => {
            let parts: Vec<Value> = parts.iter().map(|part| said(part, request)).collect();
            json!({ "role": "user", "parts": parts })
        }
        Kind::Assistant { said, calls } => {
            let said = said.iter().filter_map(|part| spoken(part));
            let parts: Vec<Value> = said.chain(calls.iter().map(|call| called(call))).collect();
            json!({ "role": "model", "parts": parts })
        }
        Kind::Results(calls) => {
            let parts: Vec<Value> = calls.iter().map(|call| responded(call)).collect();
            json!({ "role": "user", "parts": parts })
        }
    }
}

fn said(part: &ContentPart, request: &Request) -> Value {
    match encoded(part, request) {
        Some((media_type, data)) => {
            json!({ "inlineData": { "mimeType": media_type, "data": data } })
        }
        None => json!({ "text": plain(part) }),
    }
}

/// Reasoning itself does not go back; a signature that came without a call goes with empty text.
fn spoken(part: &ContentPart) -> Option<Value> {
    match part {
        ContentPart::Reasoning { signature, .. } => {
            let signature = signature.as_deref()?.strip_prefix(SIGNED)?;
            Some(json!({ "text": "", "thoughtSignature": signature }))
        }
        ContentPart::Text { .. }
        | ContentPart::Image { .. }
        | ContentPart::File { .. }
        | ContentPart::Tool { .. } => Some(json!({ "text": plain(part) })),
    }
}

fn called(call: &ToolCall) -> Value {
    let mut part = json!({ "functionCall": { "name": call.name, "args": arguments(call) } });
    let signature = call.signature.as_deref().and_then(|signature| signature.strip_prefix(SIGNED));
    if let (Some(signature), Some(members)) = (signature, part.as_object_mut()) {
        members.insert("thoughtSignature".to_owned(), json!(signature));
    }
    part
}

fn responded(call: &ToolCall) -> Value {
    let key = if failed(call) { "error" } else { "output" };
    json!({ "functionResponse": { "name": call.name, "response": { key: result(call) } } })
}

/// Understands the chunks of one answer. There is no end marker: the connection ends.
#[derive(Debug, Default)]
pub(super) struct Answer {
    calls: u32,
    course: Course,
    /// The prompt's tokens as they were told before the end.
    told: Option<u32>,
}

impl Decoder for Answer {
    fn cut(&self) -> Cut {
        Cut::Events
    }

    fn on_frame(&mut self, frame: &Value, out: &mut Vec<StreamEvent>) -> Result<(), Fault> {
        if present(&frame["error"]) {
            return Err(Fault::Said(frame.to_string()));
        }
        let candidate = at(frame, "/candidates/0");
        for part in at(candidate, "/content/parts").as_array().into_iter().flatten() {
            self.part(part, out);
        }
        if present(at(frame, "/promptFeedback/blockReason")) {
            self.course.finish = Some(FinishReason::Filtered);
        }
        if let Some(reason) = candidate["finishReason"].as_str() {
            self.course.finish = Some(self.reason(reason));
        }
        self.figures(&frame["usageMetadata"], out);
        Ok(())
    }

    fn on_whole(&mut self, body: &Value, out: &mut Vec<StreamEvent>) -> Result<(), Fault> {
        let known = ["candidates", "usageMetadata", "promptFeedback"];
        if known.iter().all(|name| body[*name].is_null()) {
            return Err(Fault::Said(body.to_string()));
        }
        self.on_frame(body, out)
    }

    fn on_end(&mut self, out: &mut Vec<StreamEvent>) {
        self.course.end(out);
    }

    fn phase(&self) -> Phase {
        self.course.phase()
    }
}

impl Answer {
    fn part(&mut self, part: &Value, out: &mut Vec<StreamEvent>) {
        let signature =
            part["thoughtSignature"].as_str().map(|signature| format!("{SIGNED}{signature}"));
        let call = &part["functionCall"];
        if let Some(name) = call["name"].as_str() {
            let index = self.calls;
            self.calls += 1;
            self.course.said = true;
            let call_id =
                call["id"].as_str().map_or_else(|| format!("call_{index}"), str::to_owned);
            let name = name.to_owned();
            out.push(StreamEvent::ToolCall { index, call_id, name, signature });
            if call["args"].is_object() {
                out.push(StreamEvent::ToolArgs { index, delta: call["args"].to_string() });
            }
            return;
        }
        if part["thought"] == true {
            self.course.thought(&part["text"], out);
        } else {
            self.course.text(&part["text"], out);
        }
        if let Some(signature) = signature {
            out.push(StreamEvent::ReasoningSignature { signature });
        }
    }

    /// Each figure holds until a newer one comes; a missing one is no zero. The prompt is told at
    /// once, as it stands when the answer is cut; the answer's length only when it is whole.
    fn figures(&mut self, usage: &Value, out: &mut Vec<StreamEvent>) {
        let newer = |name: &str, older: Option<u32>| count(at(usage, name)).or(older);
        let thoughts = newer("/thoughtsTokenCount", self.course.usage.reasoning);
        let candidates = count(&usage["candidatesTokenCount"]);
        if let Some(candidates) = candidates {
            self.course.usage.completion = Some(candidates.saturating_add(thoughts.unwrap_or(0)));
        }
        self.course.usage.reasoning = thoughts;
        self.course.usage.prompt = newer("/promptTokenCount", self.course.usage.prompt);
        self.course.usage.cached = newer("/cachedContentTokenCount", self.course.usage.cached);
        self.course.usage.total = newer("/totalTokenCount", self.course.usage.total);
        let prompt = self.course.usage.prompt.filter(|tokens| *tokens > 0);
        if self.course.finish.is_none() && prompt.is_some() && prompt != self.told {
            self.told = prompt;
            let usage =
                TokenUsage { prompt, cached: self.course.usage.cached, ..TokenUsage::default() };
            out.push(StreamEvent::Usage { usage: credible(usage, false) });
        }
    }

    fn reason(&self, reason: &str) -> FinishReason {
        match reason {
            "MAX_TOKENS" => FinishReason::Length,
            "SAFETY" | "RECITATION" | "BLOCKLIST" | "PROHIBITED_CONTENT" | "SPII"
            | "IMAGE_SAFETY" | "LANGUAGE" => FinishReason::Filtered,
            _ if self.calls > 0 => FinishReason::ToolCalls,
            _ => FinishReason::Stop,
        }
    }
}
