//! Reads a reply in the format of Anthropic messages.

use serde_json::Value;
use skein_domain::finish_reason::FinishReason;
use skein_domain::usage::TokenUsage;

use super::signatures::{REDACTED, SIGNED};
use crate::json_values::{non_empty, parse_count, value_at};
use crate::stream_event::StreamEvent;
use crate::wire::decoder_state::{DecoderState, call_id, plausible_usage};
use crate::wire::response_decoder::{DecodeError, ResponseDecoder, StreamPhase};

/// Decodes the events of one reply.
#[derive(Debug, Default)]
pub(crate) struct AnthropicDecoder {
    /// The wire index of each block that is a call, in order.
    calls: Vec<Option<u64>>,
    usage: UsageFigures,
    course: DecoderState,
}

/// The figures so far. A later event overwrites only the figures it contains.
#[derive(Debug, Default, Clone, Copy)]
struct UsageFigures {
    fresh: Option<u32>,
    cached: Option<u32>,
    written: Option<u32>,
    output: Option<u32>,
}

/// The counters of a reply. Those of a compaction stand in its only iteration, beside zeros.
/// <https://platform.claude.com/docs/en/build-with-claude/compaction-on-demand#understanding-usage>
fn counters(usage: &Value) -> &Value {
    match usage["iterations"].as_array().map(Vec::as_slice) {
        Some([only]) if only["type"] == "compaction" => only,
        _ => usage,
    }
}

impl UsageFigures {
    fn take(&mut self, usage: &Value) {
        let usage = counters(usage);
        let newer = |name: &str, older: Option<u32>| parse_count(value_at(usage, name)).or(older);
        self.fresh = newer("/input_tokens", self.fresh);
        self.cached = newer("/cache_read_input_tokens", self.cached);
        self.written = newer("/cache_creation_input_tokens", self.written);
        self.output = newer("/output_tokens", self.output);
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

impl ResponseDecoder for AnthropicDecoder {
    fn on_frame(&mut self, frame: &Value, out: &mut Vec<StreamEvent>) -> Result<(), DecodeError> {
        match frame["type"].as_str().unwrap_or_default() {
            "error" => return Err(DecodeError::Reported(frame.to_string())),
            // The output count in this event is a placeholder.
            "message_start" => {
                self.usage.take(value_at(frame, "/message/usage"));
                self.usage.output = None;
                let usage = plausible_usage(self.usage.usage(None), false);
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
                self.read_stop_reason(&frame["delta"], out);
            }
            "message_stop" => self.on_end(out),
            _ => {}
        }
        Ok(())
    }

    fn on_whole(&mut self, body: &Value, out: &mut Vec<StreamEvent>) -> Result<(), DecodeError> {
        let Some(blocks) = body["content"].as_array() else {
            return Err(DecodeError::Reported(body.to_string()));
        };
        for (index, block) in (0..).zip(blocks) {
            self.block(Some(index), block, out);
            let input = &block["input"];
            if block["type"] == "tool_use" {
                self.args(Some(index), &input.to_string(), out);
            }
        }
        self.usage.take(&body["usage"]);
        self.read_stop_reason(body, out);
        Ok(())
    }

    fn on_end(&mut self, out: &mut Vec<StreamEvent>) {
        self.course.usage = self.usage.usage(self.usage.output);
        self.course.end(out);
    }

    fn phase(&self) -> StreamPhase {
        self.course.phase()
    }
}

impl AnthropicDecoder {
    fn block(&mut self, index: Option<u64>, block: &Value, out: &mut Vec<StreamEvent>) {
        match block["type"].as_str().unwrap_or_default() {
            "tool_use" => {
                let position = u32::try_from(self.calls.len()).unwrap_or(u32::MAX);
                self.calls.push(index);
                self.course.has_content = true;
                out.push(StreamEvent::ToolCall {
                    index: position,
                    call_id: call_id(&block["id"]),
                    name: block["name"].as_str().unwrap_or_default().to_owned(),
                    signature: None,
                });
            }
            // The summary of a compaction arrives whole.
            "compaction" => self.course.text(&block["content"], out),
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
        self.course.reasoning(thought, out);
        if let Some(signature) = non_empty(signature) {
            let signature = format!("{SIGNED}{signature}");
            out.push(StreamEvent::ReasoningSignature { signature });
        }
    }

    /// Reads the stop reason, and for a refusal its explanation.
    fn read_stop_reason(&mut self, told: &Value, out: &mut Vec<StreamEvent>) {
        let Some(reason) = told["stop_reason"].as_str() else { return };
        self.course.finish = Some(finish(reason));
        if let Some(why) = non_empty(value_at(told, "/stop_details/explanation")) {
            self.course.text(&format!("\n\n[{why}]").into(), out);
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
