//! Reads a reply in the format of OpenAI chat completions and its variants.

use serde_json::Value;
use skein_domain::finish_reason::FinishReason;
use skein_domain::usage::TokenUsage;

use super::provider_state::{ProviderState, append_fragment};
use crate::json_values::{is_present, non_empty, parse_count, value_at};
use crate::stream_event::StreamEvent;
use crate::wire::decoder_state::{DecoderState, push_args};
use crate::wire::response_decoder::{DecodeError, ResponseDecoder, StreamPhase};
use crate::wire::think_tags::ThinkTagParser;

#[derive(Debug, Default)]
pub(crate) struct OpenAiChatDecoder {
    /// The address and the model of the reply.
    origin: String,
    /// The `reasoning_details` so far, to be sent back.
    details: Vec<Value>,
    think: ThinkTagParser,
    /// The calls so far. Their index on the wire is optional.
    calls: Vec<StreamedCall>,
    /// The phase at which the server aborted the reply. No finish is reported then, even if an end
    /// marker follows.
    aborted: Option<StreamPhase>,
    state: DecoderState,
}

/// Finish reasons of an aborted reply: DeepSeek, Zhipu, SGLang and vLLM.
const ABORTED_FINISHES: &[&str] =
    &["insufficient_system_resource", "network_error", "abort", "aborted", "cancelled"];

#[derive(Debug)]
struct StreamedCall {
    index: Option<u64>,
    id: String,
    /// The `extra_content` of the call, to be sent back.
    extra: Option<Value>,
}

impl ResponseDecoder for OpenAiChatDecoder {
    fn on_frame(&mut self, frame: &Value, out: &mut Vec<StreamEvent>) -> Result<(), DecodeError> {
        if is_present(&frame["error"]) {
            return Err(DecodeError::Reported(frame.to_string()));
        }
        let choice = value_at(frame, "/choices/0");
        for usage in [&choice["usage"], value_at(frame, "/x_groq/usage"), &frame["usage"]] {
            if usage.is_object() {
                // Some servers send growing counts with every chunk.
                self.state.usage = reported(usage);
            }
        }
        if is_present(&choice["error"]) {
            return Err(DecodeError::Reported(choice.to_string()));
        }
        let delta = if choice["delta"].is_object() { &choice["delta"] } else { &choice["message"] };
        self.delta(delta, out);
        if let Some(reason) = choice["finish_reason"].as_str().filter(|reason| !reason.is_empty()) {
            if reason == "error" {
                return Err(DecodeError::Reported(frame.to_string()));
            }
            if ABORTED_FINISHES.contains(&reason) {
                self.aborted = Some(StreamPhase::Trailing);
            } else {
                self.state.finish = Some(self.reason(reason));
            }
        }
        Ok(())
    }

    fn on_word(&mut self, word: &str, out: &mut Vec<StreamEvent>) -> bool {
        let done = word == "[DONE]";
        if done && self.aborted.is_some() {
            self.aborted = Some(StreamPhase::Closed);
        } else if done {
            let reason = self.reason("stop");
            self.state.finish.get_or_insert(reason);
            self.on_end(out);
        }
        done
    }

    fn on_whole(&mut self, body: &Value, out: &mut Vec<StreamEvent>) -> Result<(), DecodeError> {
        let is_answer = body["choices"].is_array() || is_present(&body["error"]);
        if !is_answer {
            return Err(DecodeError::Reported(body.to_string()));
        }
        self.on_frame(body, out)
    }

    fn on_end(&mut self, out: &mut Vec<StreamEvent>) {
        if self.state.finish.is_some() {
            self.think.end(out);
            self.attach_details(out);
        }
        self.state.end(out);
    }

    fn state(&mut self) -> &mut DecoderState {
        &mut self.state
    }

    fn phase(&mut self) -> StreamPhase {
        self.aborted.unwrap_or_else(|| self.state.phase())
    }
}

impl OpenAiChatDecoder {
    pub(crate) fn new(origin: String) -> Self {
        Self { origin, ..Self::default() }
    }

    /// Attaches the `reasoning_details` to the first call.
    fn attach_details(&mut self, out: &mut Vec<StreamEvent>) {
        for (index, call) in (0..).zip(&mut self.calls) {
            let kept = ProviderState {
                extra_content: call.extra.take(),
                reasoning_details: std::mem::take(&mut self.details),
            };
            let signature = kept.encode(&self.origin);
            out.extend(signature.map(|signature| StreamEvent::CallSignature { index, signature }));
        }
    }

    fn delta(&mut self, delta: &Value, out: &mut Vec<StreamEvent>) {
        let spellings = [&delta["reasoning_content"], &delta["reasoning"]];
        if let Some(thought) = spellings.into_iter().find(|words| non_empty(words).is_some()) {
            self.state.reasoning(thought, out);
        }
        for fragment in delta["reasoning_details"].as_array().into_iter().flatten() {
            append_fragment(&mut self.details, fragment);
        }
        self.content(&delta["content"], out);
        self.state.text(&delta["refusal"], out);
        for _ in delta["images"].as_array().into_iter().flatten() {
            self.state.image(out);
        }
        for call in delta["tool_calls"].as_array().into_iter().flatten() {
            self.call(call, out);
        }
    }

    /// Content: a string, or a list of parts with reasoning among them.
    fn content(&mut self, content: &Value, out: &mut Vec<StreamEvent>) {
        if let Some(text) = non_empty(content) {
            self.state.has_content = true;
            self.think.push(text, out);
        }
        for part in content.as_array().into_iter().flatten() {
            self.state.text(&part["text"], out);
            for thought in part["thinking"].as_array().into_iter().flatten() {
                self.state.reasoning(&thought["text"], out);
            }
        }
    }

    /// A fragment of a call. A new call has a new index. If the index is constant, it has a new id;
    /// without ids, a name, because two calls may have the same id.
    fn call(&mut self, call: &Value, out: &mut Vec<StreamEvent>) {
        let index = call["index"].as_u64();
        let id = non_empty(&call["id"]).unwrap_or_default();
        let function = &call["function"];
        let name = non_empty(&function["name"]);
        let known = match index {
            Some(_) => self.calls.iter().rposition(|known| known.index == index),
            None if name.is_some() => None,
            None if id.is_empty() => self.calls.len().checked_sub(1),
            None => self.calls.iter().rposition(|known| known.id == id),
        };
        let same = |at: &usize| {
            let known = self.calls.get(*at).map_or("", |known| known.id.as_str());
            id.is_empty() || name.is_none() || known.is_empty() || known == id
        };
        let place = known.filter(same).unwrap_or_else(|| {
            self.calls.push(StreamedCall { index, id: id.to_owned(), extra: None });
            self.state.call(index, (&call["id"], &function["name"]), None, out);
            self.calls.len() - 1
        });
        if let (Some(known), true) = (self.calls.get_mut(place), is_present(&call["extra_content"]))
        {
            known.extra = Some(call["extra_content"].clone());
        }
        let place = u32::try_from(place).unwrap_or(u32::MAX);
        match &function["arguments"] {
            Value::String(fragment) => push_args(place, fragment, out),
            arguments @ Value::Object(_) => push_args(place, &arguments.to_string(), out),
            _ => {}
        }
    }

    fn reason(&self, reason: &str) -> FinishReason {
        match reason {
            "length" | "max_tokens" => FinishReason::Length,
            "model_context_window_exceeded" | "model_length" => FinishReason::WindowFull,
            "content_filter" | "sensitive" => FinishReason::Filtered,
            "tool_calls" | "function_call" => FinishReason::ToolCalls,
            _ => self.state.natural_finish(),
        }
    }
}

fn reported(usage: &Value) -> TokenUsage {
    let hit_and_miss = || {
        parse_count(&usage["prompt_cache_hit_tokens"])?
            .checked_add(parse_count(&usage["prompt_cache_miss_tokens"])?)
    };
    let mut reported = TokenUsage {
        prompt: parse_count(&usage["prompt_tokens"]).or_else(hit_and_miss),
        completion: parse_count(&usage["completion_tokens"]),
        total: parse_count(&usage["total_tokens"]),
        cached: parse_count(value_at(usage, "/prompt_tokens_details/cached_tokens"))
            .or_else(|| parse_count(&usage["prompt_cache_hit_tokens"]))
            .or_else(|| parse_count(&usage["cached_tokens"])),
        cache_written: parse_count(value_at(usage, "/prompt_tokens_details/cache_write_tokens")),
        reasoning: parse_count(value_at(usage, "/completion_tokens_details/reasoning_tokens")),
    };
    reported.completion = with_thoughts(reported).or(reported.completion);
    reported
}

/// The completion tokens including reasoning, if the server counts it separately (xAI): only then
/// do the three numbers add up to the total.
fn with_thoughts(usage: TokenUsage) -> Option<u32> {
    let answer = usage.completion?.checked_add(usage.reasoning?)?;
    (usage.prompt?.checked_add(answer)? == usage.total?).then_some(answer)
}
