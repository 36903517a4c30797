//! Google's Gemini API: the request's spelling and the answer's meaning.

use std::borrow::Cow;

use serde::Serialize;
use serde_json::{Map, Value};
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
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Body<'a> {
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
    max_output_tokens: u32,
}

impl<'a> From<Said<'a>> for Part<'a> {
    fn from(said: Said<'a>) -> Self {
        Self { said, thought_signature: None }
    }
}

impl<'a> Body<'a> {
    pub(super) fn new(request: &'a Request) -> Self {
        let system = Some(&request.prompt.system).filter(|system| !system.is_empty());
        let steps = steps(&request.prompt);
        let contents = steps.iter().map(|step| content(step, request));
        let generation = |max_output_tokens| GenerationConfig { max_output_tokens };
        Self {
            system_instruction: system
                .map(|system| Instruction { parts: [Said::Text(system.into()).into()] }),
            contents: contents.filter(|content| !content.parts.is_empty()).collect(),
            tools: tools(request),
            generation_config: request.max_output.map(generation),
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

fn content<'a>(step: &Step<'a>, request: &Request) -> Content<'a> {
    match &step.kind {
        Kind::User(parts) if parts.is_empty() => {
            Content { role: "user", parts: vec![Said::Text("…".into()).into()] }
        }
        Kind::User(parts) => {
            let parts = parts.iter().map(|part| said(part, request)).collect();
            Content { role: "user", parts }
        }
        Kind::Assistant { said, calls } => {
            let said = said.iter().filter_map(|part| spoken(part));
            let parts = said.chain(calls.iter().map(|call| called(call))).collect();
            Content { role: "model", parts }
        }
        Kind::Results(calls) => {
            let parts = calls.iter().map(|call| responded(call)).collect();
            Content { role: "user", parts }
        }
    }
}

fn said<'a>(part: &'a ContentPart, request: &Request) -> Part<'a> {
    let said = match encoded(part, request) {
        Some((mime_type, data)) => Said::InlineData { mime_type, data },
        None => Said::Text(plain(part)),
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
        | ContentPart::Image { .. }
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
