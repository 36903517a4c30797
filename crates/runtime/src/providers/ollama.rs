//! Ollama's own API: the request's spelling and the answer's meaning.
//!
//! Its imitation of OpenAI's cannot be told the window, and cuts off the front of what does not
//! fit without a word; here `num_ctx` is always said.

use std::borrow::Cow;

use serde::Serialize;
use serde_json::{Map, Value};
use skein_context::message::{ContentPart, ToolCall};

use super::format::{Course, Decoder, Fault, Phase, count, non_empty, present};
use super::frames::Cut;
use super::function::{Function, functions};
use super::pictures::encoded;
use super::steps::{Kind, Step, arguments, joined, result, said_text, steps};
use super::think::Splitter;
use super::{FinishReason, Request, StreamEvent};

/// Where nothing is known of the window, in tokens: what Ollama itself begins with.
const NUM_CTX: u32 = 4_096;

/// The body of a request.
#[derive(Serialize)]
pub(super) struct Body<'a> {
    model: &'a str,
    messages: Vec<Message<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tools: Vec<Function<'a>>,
    stream: bool,
    options: Options,
}

#[derive(Serialize)]
struct Options {
    num_ctx: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    num_predict: Option<u32>,
}

#[derive(Serialize)]
#[serde(tag = "role", rename_all = "snake_case")]
enum Message<'a> {
    System {
        content: &'a str,
    },
    User {
        content: Cow<'a, str>,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        images: Vec<String>,
    },
    Assistant {
        content: Cow<'a, str>,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        tool_calls: Vec<Call<'a>>,
    },
    Tool {
        tool_name: &'a str,
        content: Cow<'a, str>,
    },
}

#[derive(Serialize)]
struct Call<'a> {
    function: Called<'a>,
}

#[derive(Serialize)]
struct Called<'a> {
    name: &'a str,
    arguments: Map<String, Value>,
}

impl<'a> Body<'a> {
    pub(super) fn new(request: &'a Request) -> Self {
        let mut messages = Vec::new();
        let system = &request.prompt.system;
        if !system.is_empty() {
            messages.push(Message::System { content: system });
        }
        messages.extend(steps(&request.prompt).iter().flat_map(|step| spelled(step, request)));
        Self {
            model: &request.model,
            messages,
            tools: functions(&request.prompt.tools),
            stream: true,
            options: Options {
                num_ctx: request.window.unwrap_or(NUM_CTX),
                num_predict: request.max_output,
            },
        }
    }
}

fn spelled<'a>(step: &Step<'a>, request: &Request) -> Vec<Message<'a>> {
    match &step.kind {
        Kind::User(parts) if parts.is_empty() => Vec::new(),
        Kind::User(parts) => vec![user(parts, request)],
        Kind::Assistant { said, calls } => vec![assistant(said, calls)],
        Kind::Results(calls) => calls
            .iter()
            .map(|call| Message::Tool { tool_name: &call.name, content: result(call) })
            .collect(),
    }
}

fn user<'a>(parts: &[&'a ContentPart], request: &Request) -> Message<'a> {
    let mut images = Vec::new();
    let mut told = Vec::new();
    for part in parts {
        match encoded(part, request) {
            Some((_, data)) => images.push(data),
            None => told.push(*part),
        }
    }
    Message::User { content: joined(&told), images }
}

fn assistant<'a>(said: &[&'a ContentPart], calls: &[&'a ToolCall]) -> Message<'a> {
    let call = |call: &&'a ToolCall| Call {
        function: Called { name: &call.name, arguments: arguments(call) },
    };
    Message::Assistant { content: said_text(said), tool_calls: calls.iter().map(call).collect() }
}

/// Understands the lines of one answer.
#[derive(Debug, Default)]
pub(super) struct Answer {
    think: Splitter,
    calls: u32,
    course: Course,
}

impl Decoder for Answer {
    fn cut(&self) -> Cut {
        Cut::Lines
    }

    fn on_frame(&mut self, frame: &Value, out: &mut Vec<StreamEvent>) -> Result<(), Fault> {
        if present(&frame["error"]) {
            return Err(Fault::Said(frame.to_string()));
        }
        let message = &frame["message"];
        for spelling in ["thinking", "reasoning_content"] {
            self.course.thought(&message[spelling], out);
        }
        if let Some(text) = non_empty(&message["content"]) {
            self.course.said = true;
            self.think.push(text, out);
        }
        for call in message["tool_calls"].as_array().into_iter().flatten() {
            self.call(call, out);
        }
        if frame["done"] == true {
            self.course.usage.prompt = count(&frame["prompt_eval_count"]);
            self.course.usage.completion = count(&frame["eval_count"]);
            self.course.finish = Some(match frame["done_reason"].as_str() {
                Some("length") => FinishReason::Length,
                _ if self.calls > 0 => FinishReason::ToolCalls,
                _ => FinishReason::Stop,
            });
            self.on_end(out);
        }
        Ok(())
    }

    fn on_whole(&mut self, body: &Value, out: &mut Vec<StreamEvent>) -> Result<(), Fault> {
        self.on_frame(body, out)
    }

    fn on_end(&mut self, out: &mut Vec<StreamEvent>) {
        if self.course.finish.is_some() {
            self.think.end(out);
        }
        self.course.end(out);
    }

    fn phase(&self) -> Phase {
        self.course.phase()
    }
}

impl Answer {
    fn call(&mut self, call: &Value, out: &mut Vec<StreamEvent>) {
        let function = &call["function"];
        let index = self.calls;
        self.calls += 1;
        self.course.said = true;
        let call_id = call["id"].as_str().map_or_else(|| format!("call_{index}"), str::to_owned);
        let name = function["name"].as_str().unwrap_or_default().to_owned();
        out.push(StreamEvent::ToolCall { index, call_id, name, signature: None });
        let delta = match &function["arguments"] {
            Value::String(text) => text.clone(),
            Value::Null => return,
            other => other.to_string(),
        };
        out.push(StreamEvent::ToolArgs { index, delta });
    }
}
