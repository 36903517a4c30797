//! Ollama's own API: the request's spelling and the answer's meaning.
//!
//! Its imitation of OpenAI's cannot be told the window, and cuts off the front of what does not
//! fit without a word; here `num_ctx` is always said.

use serde_json::{Map, Value, json};
use skein_context::message::{ContentPart, ToolCall};

use super::format::{Course, Decoder, Fault, Phase, count, non_empty, present};
use super::frames::Cut;
use super::pictures::encoded;
use super::steps::{Kind, Step, arguments, plain, result, said_text, steps};
use super::think::Splitter;
use super::{FinishReason, Request, StreamEvent};

/// Where nothing is known of the window, in tokens: what Ollama itself begins with.
const NUM_CTX: u32 = 4_096;

/// The body of a request.
pub(super) fn body(request: &Request) -> Value {
    let mut options = Map::new();
    options.insert("num_ctx".to_owned(), json!(request.window.unwrap_or(NUM_CTX)));
    if let Some(tokens) = request.max_output {
        options.insert("num_predict".to_owned(), json!(tokens));
    }
    let mut messages = Vec::new();
    if !request.prompt.system.is_empty() {
        messages.push(json!({ "role": "system", "content": request.prompt.system }));
    }
    messages.extend(steps(&request.prompt).iter().flat_map(|step| spelled(step, request)));
    let mut body = Map::new();
    body.insert("model".to_owned(), json!(request.model));
    body.insert("messages".to_owned(), Value::Array(messages));
    if !request.prompt.tools.is_empty() {
        let tools = request.prompt.tools.iter().map(|tool| {
            json!({
                "type": "function",
                "function": {
                    "name": tool.name,
                    "description": tool.description,
                    "parameters": tool.parameters,
                },
            })
        });
        body.insert("tools".to_owned(), tools.collect());
    }
    body.insert("stream".to_owned(), json!(true));
    body.insert("options".to_owned(), Value::Object(options));
    Value::Object(body)
}

fn spelled(step: &Step<'_>, request: &Request) -> Vec<Value> {
    match &step.kind {
        Kind::User(parts) if parts.is_empty() => Vec::new(),
        Kind::User(parts) => vec![user(parts, request)],
        Kind::Assistant { said, calls } => vec![assistant(said, calls)],
        Kind::Results(calls) => calls
            .iter()
            .map(|call| json!({ "role": "tool", "tool_name": call.name, "content": result(call) }))
            .collect(),
    }
}

fn user(parts: &[&ContentPart], request: &Request) -> Value {
    let images: Vec<String> =
        parts.iter().filter_map(|part| Some(encoded(part, request)?.1)).collect();
    let texts: Vec<String> = parts
        .iter()
        .filter(|part| encoded(part, request).is_none())
        .map(|part| plain(part))
        .collect();
    let mut message = json!({ "role": "user", "content": texts.join("\n\n") });
    if let (false, Some(members)) = (images.is_empty(), message.as_object_mut()) {
        members.insert("images".to_owned(), json!(images));
    }
    message
}

fn assistant(said: &[&ContentPart], calls: &[&ToolCall]) -> Value {
    let mut message = json!({ "role": "assistant", "content": said_text(said) });
    let spelled: Vec<Value> = calls
        .iter()
        .map(|call| json!({ "function": { "name": call.name, "arguments": arguments(call) } }))
        .collect();
    if let (false, Some(members)) = (spelled.is_empty(), message.as_object_mut()) {
        members.insert("tool_calls".to_owned(), Value::Array(spelled));
    }
    message
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
