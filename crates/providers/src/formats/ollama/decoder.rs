//! Reads a reply in the format of Ollama's own API.

use serde_json::Value;
use skein_domain::finish_reason::FinishReason;

use crate::json_values::{is_present, non_empty, parse_count};
use crate::stream_event::StreamEvent;
use crate::wire::decoder_state::{DecoderState, push_args};
use crate::wire::response_decoder::{DecodeError, ResponseDecoder};
use crate::wire::sse::Framing;
use crate::wire::think_tags::ThinkTagParser;

#[derive(Debug, Default)]
pub(crate) struct OllamaDecoder {
    think: ThinkTagParser,
    state: DecoderState,
}

impl ResponseDecoder for OllamaDecoder {
    fn cut(&self) -> Framing {
        Framing::Lines
    }

    fn on_frame(&mut self, frame: &Value, out: &mut Vec<StreamEvent>) -> Result<(), DecodeError> {
        if is_present(&frame["error"]) {
            return Err(DecodeError::Reported(frame.to_string()));
        }
        let message = &frame["message"];
        for spelling in ["thinking", "reasoning_content"] {
            self.state.reasoning(&message[spelling], out);
        }
        if let Some(text) = non_empty(&message["content"]) {
            self.state.has_content = true;
            self.think.push(text, out);
        }
        for call in message["tool_calls"].as_array().into_iter().flatten() {
            self.call(call, out);
        }
        if frame["done"] == true {
            self.state.usage.prompt = parse_count(&frame["prompt_eval_count"]);
            self.state.usage.cached = parse_count(&frame["prompt_eval_cached_count"]);
            self.state.usage.completion = parse_count(&frame["eval_count"]);
            self.state.finish = Some(match frame["done_reason"].as_str() {
                Some("length") => FinishReason::Length,
                _ => self.state.natural_finish(),
            });
            self.on_end(out);
        }
        Ok(())
    }

    fn on_whole(&mut self, body: &Value, out: &mut Vec<StreamEvent>) -> Result<(), DecodeError> {
        self.on_frame(body, out)
    }

    fn on_end(&mut self, out: &mut Vec<StreamEvent>) {
        if self.state.finish.is_some() {
            self.think.end(out);
        }
        self.state.end(out);
    }

    fn state(&mut self) -> &mut DecoderState {
        &mut self.state
    }
}

impl OllamaDecoder {
    fn call(&mut self, call: &Value, out: &mut Vec<StreamEvent>) {
        let function = &call["function"];
        let index = self.state.call(None, (&call["id"], &function["name"]), None, out);
        match &function["arguments"] {
            Value::Null => {}
            Value::String(text) => push_args(index, text, out),
            other => push_args(index, &other.to_string(), out),
        }
    }
}
