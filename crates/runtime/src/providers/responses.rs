//! OpenAI Responses: the request's spelling and the answer's meaning.
//!
//! Nothing is left with the provider (`store: false`), so reasoning travels back and forth
//! encrypted.

use std::borrow::Cow;

use serde::Serialize;
use serde_json::Value;
use skein_context::message::ContentPart;
use skein_context::usage::TokenUsage;
use skein_context::window::ToolDeclaration;

use super::call::Dodges;
use super::format::{Course, Decoder, Fault, Phase, at, count, present};
use super::frames::Cut;
use super::pictures::data_url;
use super::steps::{Kind, Step, arguments, plain, result, steps};
use super::{FinishReason, Request, StreamEvent};

/// Marks signatures as ours, so that another provider's are never sent here.
const SIGNED: &str = "responses:";

/// The body of a request.
#[derive(Serialize)]
pub(super) struct Body<'a> {
    model: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    instructions: &'a str,
    input: Vec<Item<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tools: Vec<Tool<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_output_tokens: Option<u32>,
    stream: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    store: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    include: Option<[&'static str; 1]>,
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Item<'a> {
    FunctionCall {
        call_id: &'a str,
        name: &'a str,
        /// JSON in a string.
        arguments: String,
    },
    FunctionCallOutput {
        call_id: &'a str,
        output: Cow<'a, str>,
    },
    Reasoning {
        id: &'a str,
        summary: Vec<Piece<'a>>,
        encrypted_content: &'a str,
    },
    #[serde(untagged)]
    Message {
        role: &'static str,
        content: Vec<Piece<'a>>,
    },
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Piece<'a> {
    InputText { text: Cow<'a, str> },
    InputImage { image_url: String },
    OutputText { text: Cow<'a, str> },
    SummaryText { text: &'a str },
}

#[derive(Serialize)]
struct Tool<'a> {
    r#type: &'static str,
    name: &'a str,
    description: &'a str,
    parameters: &'a Value,
    strict: bool,
}

/// The least the wire accepts, in tokens.
const LEAST_OUTPUT: u32 = 16;

impl<'a> Body<'a> {
    pub(super) fn new(request: &'a Request, dodges: Dodges) -> Self {
        let store = !dodges.no_store;
        Self {
            model: &request.model,
            instructions: &request.prompt.system,
            input: steps(&request.prompt).iter().flat_map(|step| items(step, request)).collect(),
            tools: request.prompt.tools.iter().map(tool).collect(),
            max_output_tokens: request.max_output.map(|tokens| tokens.max(LEAST_OUTPUT)),
            stream: true,
            store: store.then_some(false),
            include: store.then_some(["reasoning.encrypted_content"]),
        }
    }
}

fn tool(tool: &ToolDeclaration) -> Tool<'_> {
    Tool {
        r#type: "function",
        name: &tool.name,
        description: &tool.description,
        parameters: &tool.parameters,
        strict: false,
    }
}

fn items<'a>(step: &Step<'a>, request: &Request) -> Vec<Item<'a>> {
    match &step.kind {
        Kind::User(parts) if parts.is_empty() => Vec::new(),
        Kind::User(parts) => {
            let content = parts.iter().map(|part| said(part, request)).collect();
            vec![Item::Message { role: "user", content }]
        }
        Kind::Assistant { said, calls } => {
            let said = said.iter().filter_map(|part| spoken(part));
            let calls = calls.iter().map(|call| Item::FunctionCall {
                call_id: &call.call_id,
                name: &call.name,
                arguments: Value::Object(arguments(call)).to_string(),
            });
            said.chain(calls).collect()
        }
        Kind::Results(calls) => calls
            .iter()
            .map(|call| Item::FunctionCallOutput { call_id: &call.call_id, output: result(call) })
            .collect(),
    }
}

fn said<'a>(part: &'a ContentPart, request: &Request) -> Piece<'a> {
    match data_url(part, request) {
        Some(image_url) => Piece::InputImage { image_url },
        None => Piece::InputText { text: plain(part) },
    }
}

fn spoken(part: &ContentPart) -> Option<Item<'_>> {
    match part {
        ContentPart::Reasoning { text, signature } => {
            let item = signature.as_deref()?.strip_prefix(SIGNED)?;
            let (id, encrypted_content) = item.split_once(':')?;
            let text = Some(text.as_str()).filter(|text| !text.is_empty());
            let summary = text.map(|text| Piece::SummaryText { text }).into_iter().collect();
            Some(Item::Reasoning { id, summary, encrypted_content })
        }
        ContentPart::Text { .. }
        | ContentPart::Image { .. }
        | ContentPart::File { .. }
        | ContentPart::Tool { .. } => {
            let content = vec![Piece::OutputText { text: plain(part) }];
            Some(Item::Message { role: "assistant", content })
        }
    }
}

/// Understands the events of one answer.
#[derive(Debug, Default)]
pub(super) struct Answer {
    /// The `output_index` of each call.
    calls: Vec<Option<u64>>,
    /// Whether the arguments of a call came as fragments.
    argued: Vec<bool>,
    course: Course,
}

impl Decoder for Answer {
    fn cut(&self) -> Cut {
        Cut::Events
    }

    fn on_frame(&mut self, frame: &Value, out: &mut Vec<StreamEvent>) -> Result<(), Fault> {
        let index = frame["output_index"].as_u64();
        match frame["type"].as_str().unwrap_or_default() {
            "error" => return Err(Fault::Said(frame.to_string())),
            "response.output_text.delta" | "response.refusal.delta" => {
                self.course.text(&frame["delta"], out);
            }
            "response.reasoning_summary_text.delta" | "response.reasoning_text.delta" => {
                self.course.thought(&frame["delta"], out);
            }
            "response.output_item.added" => self.added(index, &frame["item"], out),
            "response.function_call_arguments.delta" => self.args(index, &frame["delta"], out),
            "response.output_item.done" => self.done(index, &frame["item"], out),
            "response.failed" => return Err(Fault::Said(frame.to_string())),
            "response.completed" | "response.incomplete" => {
                self.completed(&frame["response"], out);
            }
            _ => {}
        }
        Ok(())
    }

    fn on_word(&mut self, word: &str, _out: &mut Vec<StreamEvent>) -> bool {
        word == "[DONE]"
    }

    fn on_whole(&mut self, body: &Value, out: &mut Vec<StreamEvent>) -> Result<(), Fault> {
        let Some(items) = body["output"].as_array().filter(|_| !present(&body["error"])) else {
            return Err(Fault::Said(body.to_string()));
        };
        for (index, item) in (0..).zip(items) {
            for part in item["content"].as_array().into_iter().flatten() {
                self.course.text(&part["text"], out);
            }
            for part in item["summary"].as_array().into_iter().flatten() {
                self.course.thought(&part["text"], out);
            }
            self.added(Some(index), item, out);
            self.done(Some(index), item, out);
        }
        self.completed(body, out);
        Ok(())
    }

    fn on_end(&mut self, out: &mut Vec<StreamEvent>) {
        self.course.end(out);
    }

    fn phase(&self) -> Phase {
        self.course.phase()
    }
}

impl Answer {
    fn added(&mut self, index: Option<u64>, item: &Value, out: &mut Vec<StreamEvent>) {
        if item["type"] != "function_call" {
            return;
        }
        let position = u32::try_from(self.calls.len()).unwrap_or(u32::MAX);
        self.calls.push(index);
        self.argued.push(false);
        self.course.said = true;
        let id = item["call_id"].as_str().or_else(|| item["id"].as_str()).unwrap_or_default();
        out.push(StreamEvent::ToolCall {
            index: position,
            call_id: id.to_owned(),
            name: item["name"].as_str().unwrap_or_default().to_owned(),
            signature: None,
        });
    }

    fn args(&mut self, index: Option<u64>, delta: &Value, out: &mut Vec<StreamEvent>) {
        let Some(position) = self.calls.iter().rposition(|call| *call == index) else { return };
        if let Some(argued) = self.argued.get_mut(position) {
            *argued = true;
        }
        let fragment = delta.as_str().filter(|fragment| !fragment.is_empty());
        if let (Ok(index), Some(fragment)) = (u32::try_from(position), fragment) {
            out.push(StreamEvent::ToolArgs { index, delta: fragment.to_owned() });
        }
    }

    /// An item is whole: its arguments, if no fragments came, or the proof of its reasoning.
    fn done(&mut self, index: Option<u64>, item: &Value, out: &mut Vec<StreamEvent>) {
        if let Some(encrypted) = item["encrypted_content"].as_str() {
            let id = item["id"].as_str().unwrap_or_default();
            let signature = format!("{SIGNED}{id}:{encrypted}");
            out.push(StreamEvent::ReasoningSignature { signature });
        }
        let position = self.calls.iter().rposition(|call| *call == index);
        let argued = position.and_then(|position| self.argued.get(position)).copied();
        if argued == Some(false) {
            self.args(index, &item["arguments"], out);
        }
    }

    fn completed(&mut self, response: &Value, out: &mut Vec<StreamEvent>) {
        let usage = &response["usage"];
        self.course.usage = TokenUsage {
            prompt: count(&usage["input_tokens"]),
            completion: count(&usage["output_tokens"]),
            total: count(&usage["total_tokens"]),
            cached: count(at(usage, "/input_tokens_details/cached_tokens")),
            cache_written: None,
            reasoning: count(at(usage, "/output_tokens_details/reasoning_tokens")),
        };
        self.course.finish = Some(match at(response, "/incomplete_details/reason").as_str() {
            Some("max_output_tokens") => FinishReason::Length,
            Some("content_filter") => FinishReason::Filtered,
            Some(_) | None if self.calls.is_empty() => FinishReason::Stop,
            Some(_) | None => FinishReason::ToolCalls,
        });
        self.course.end(out);
    }
}
