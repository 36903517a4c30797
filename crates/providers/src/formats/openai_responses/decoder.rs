//! Reads a reply in the format of OpenAI Responses.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use skein_domain::finish_reason::FinishReason;
use skein_domain::usage::TokenUsage;

use super::compaction::compaction_items;
use crate::json_values::{is_present, non_empty, parse_count, value_at};
use crate::stream_event::StreamEvent;
use crate::wire::decoder_state::{DecoderState, push_args};
use crate::wire::response_decoder::{DecodeError, ResponseDecoder};

/// Identifies signatures of this format, so that those of other providers are never sent here.
pub(super) const SIGNED: &str = "responses:";

#[derive(Debug, Default)]
pub(crate) struct OpenAiResponsesDecoder {
    /// The calls whose arguments have begun to arrive.
    with_args: BTreeSet<u32>,
    /// The position of the last text, while nothing else has arrived.
    last_position: Option<TextPosition>,
    state: DecoderState,
}

/// The position of a text: the `output_index` of its item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TextPosition {
    Answer(Option<u64>),
    /// With the index of the reasoning part.
    Thought(Option<u64>, Option<u64>),
}

impl TextPosition {
    /// True if the texts are of the same kind, but of different items. Nothing separates them on
    /// the wire.
    fn is_apart_from(self, other: Self) -> bool {
        match (self, other) {
            (Self::Answer(_), Self::Answer(_)) | (Self::Thought(..), Self::Thought(..)) => {
                self != other
            }
            (Self::Answer(_), Self::Thought(..)) | (Self::Thought(..), Self::Answer(_)) => false,
        }
    }
}

/// The error of a failed response. The rest of the event repeats the request and the reply.
fn failed(event: &Value) -> DecodeError {
    let response = event.get("response").unwrap_or(event);
    if is_present(&response["error"]) {
        return DecodeError::Reported(json!({ "error": response["error"] }).to_string());
    }
    let mut response = response.clone();
    for repeated in ["instructions", "tools", "input", "output"] {
        response.as_object_mut().and_then(|members| members.remove(repeated));
    }
    DecodeError::Reported(response.to_string())
}

impl ResponseDecoder for OpenAiResponsesDecoder {
    fn on_frame(&mut self, frame: &Value, out: &mut Vec<StreamEvent>) -> Result<(), DecodeError> {
        let index = frame["output_index"].as_u64();
        match frame["type"].as_str().unwrap_or_default() {
            "error" => return Err(DecodeError::Reported(frame.to_string())),
            "response.output_text.delta" | "response.refusal.delta" => {
                self.emit_rest(TextPosition::Answer(index), &frame["delta"], out);
            }
            "response.reasoning_summary_text.delta" | "response.reasoning_text.delta" => {
                let part = [&frame["summary_index"], &frame["content_index"]];
                let part = part.into_iter().find_map(Value::as_u64);
                self.emit_rest(TextPosition::Thought(index, part), &frame["delta"], out);
            }
            "response.output_item.added" => self.added(index, &frame["item"], out),
            "response.function_call_arguments.delta" => self.args(index, &frame["delta"], out),
            "response.output_item.done" => self.complete_item(index, &frame["item"], out),
            "response.failed" => return Err(failed(frame)),
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

    fn on_whole(&mut self, body: &Value, out: &mut Vec<StreamEvent>) -> Result<(), DecodeError> {
        if let Some(compacted) = compaction_items(body) {
            out.push(compacted);
            self.completed(body, out);
            return Ok(());
        }
        let Some(items) = body["output"].as_array().filter(|_| !is_present(&body["error"])) else {
            return Err(failed(body));
        };
        for (index, item) in (0..).zip(items) {
            let parts = |name: &str| (0..).zip(item[name].as_array().into_iter().flatten());
            let is_thought = item["type"] == "reasoning";
            for (part, words) in parts("summary").chain(parts("content")) {
                let place = match is_thought {
                    true => TextPosition::Thought(Some(index), Some(part)),
                    false => TextPosition::Answer(Some(index)),
                };
                self.emit_rest(place, &words["text"], out);
            }
            self.added(Some(index), item, out);
            self.complete_item(Some(index), item, out);
        }
        self.completed(body, out);
        Ok(())
    }

    fn state(&mut self) -> &mut DecoderState {
        &mut self.state
    }
}

impl OpenAiResponsesDecoder {
    fn added(&mut self, index: Option<u64>, item: &Value, out: &mut Vec<StreamEvent>) {
        if item["type"] != "function_call" {
            return;
        }
        self.last_position = None;
        let id = [&item["call_id"], &item["id"]].into_iter().find(|id| non_empty(id).is_some());
        self.state.call(index, (id.unwrap_or(&Value::Null), &item["name"]), None, out);
    }

    fn emit_rest(&mut self, place: TextPosition, words: &Value, out: &mut Vec<StreamEvent>) {
        if non_empty(words).is_none() {
            return;
        }
        let before = self.last_position.replace(place);
        let gap = before.is_some_and(|before| place.is_apart_from(before)).then(|| "\n\n".into());
        for words in gap.iter().chain([words]) {
            match place {
                TextPosition::Answer(_) => self.state.text(words, out),
                TextPosition::Thought(..) => self.state.reasoning(words, out),
            }
        }
    }

    fn args(&mut self, index: Option<u64>, delta: &Value, out: &mut Vec<StreamEvent>) {
        let Some(call) = self.state.call_at(index) else { return };
        self.with_args.insert(call);
        push_args(call, delta.as_str().unwrap_or_default(), out);
    }

    /// Completes an item: takes its arguments, if no fragments came, or the signature of its
    /// reasoning.
    fn complete_item(&mut self, index: Option<u64>, item: &Value, out: &mut Vec<StreamEvent>) {
        if let Some(encrypted) = item["encrypted_content"].as_str() {
            let id = item["id"].as_str().unwrap_or_default();
            let signature = format!("{SIGNED}{id}:{encrypted}");
            self.last_position = None;
            out.push(StreamEvent::ReasoningSignature { signature });
        }
        let call = self.state.call_at(index);
        if call.is_some_and(|call| !self.with_args.contains(&call)) {
            self.args(index, &item["arguments"], out);
        }
    }

    fn completed(&mut self, response: &Value, out: &mut Vec<StreamEvent>) {
        let usage = &response["usage"];
        self.state.usage = TokenUsage {
            prompt: parse_count(&usage["input_tokens"]),
            completion: parse_count(&usage["output_tokens"]),
            total: parse_count(&usage["total_tokens"]),
            cached: parse_count(value_at(usage, "/input_tokens_details/cached_tokens")),
            cache_written: parse_count(value_at(usage, "/input_tokens_details/cache_write_tokens")),
            reasoning: parse_count(value_at(usage, "/output_tokens_details/reasoning_tokens")),
        };
        self.state.finish = Some(match value_at(response, "/incomplete_details/reason").as_str() {
            Some("max_output_tokens") => FinishReason::Length,
            Some("content_filter") => FinishReason::Filtered,
            Some(_) | None => self.state.natural_finish(),
        });
        self.state.end(out);
    }
}
