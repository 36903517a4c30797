//! Reads a reply in the format of Anthropic messages.

use serde_json::Value;
use skein_domain::finish_reason::FinishReason;

use crate::json_values::{non_empty, parse_count, value_at};
use crate::stream_event::StreamEvent;
use crate::wire::decoder_state::{DecoderState, push_args};
use crate::wire::response_decoder::{DecodeError, ResponseDecoder};

/// Identifies signatures of this format, so that those of other providers are never sent here.
pub(super) const SIGNED: &str = "anthropic:";
/// Identifies encrypted reasoning.
pub(super) const REDACTED: &str = "anthropic-redacted:";

#[derive(Debug, Default)]
pub(crate) struct AnthropicDecoder {
    /// The tokens of the prompt without the parts that the cache held or stored.
    fresh: Option<u32>,
    state: DecoderState,
}

/// The counters of a reply. Those of a compaction stand in its only iteration, beside zeros.
/// <https://platform.claude.com/docs/en/build-with-claude/compaction-on-demand#understanding-usage>
fn counters(usage: &Value) -> &Value {
    match usage["iterations"].as_array().map(Vec::as_slice) {
        Some([only]) if only["type"] == "compaction" => only,
        _ => usage,
    }
}

impl ResponseDecoder for AnthropicDecoder {
    fn on_frame(&mut self, frame: &Value, out: &mut Vec<StreamEvent>) -> Result<(), DecodeError> {
        match frame["type"].as_str().unwrap_or_default() {
            "error" => return Err(DecodeError::Reported(frame.to_string())),
            // The output count in this event is a placeholder.
            "message_start" => {
                self.read_usage(value_at(frame, "/message/usage"));
                self.state.usage.completion = None;
                self.state.report_prompt(out);
            }
            "content_block_start" => {
                let block = &frame["content_block"];
                self.block(frame["index"].as_u64(), block, out);
            }
            "content_block_delta" => self.delta(frame["index"].as_u64(), &frame["delta"], out),
            "message_delta" => {
                self.read_usage(&frame["usage"]);
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
        self.read_usage(&body["usage"]);
        self.read_stop_reason(body, out);
        Ok(())
    }

    fn state(&mut self) -> &mut DecoderState {
        &mut self.state
    }
}

impl AnthropicDecoder {
    fn block(&mut self, index: Option<u64>, block: &Value, out: &mut Vec<StreamEvent>) {
        match block["type"].as_str().unwrap_or_default() {
            "tool_use" => {
                self.state.call(index, (&block["id"], &block["name"]), None, out);
            }
            // The summary of a compaction arrives whole.
            "compaction" => self.state.text(&block["content"], out),
            "redacted_thinking" => {
                let data = block["data"].as_str().unwrap_or_default();
                let signature = format!("{REDACTED}{data}");
                out.push(StreamEvent::ReasoningSignature { signature });
            }
            _ => {
                self.state.text(&block["text"], out);
                self.thought(&block["thinking"], &block["signature"], out);
            }
        }
    }

    fn delta(&mut self, index: Option<u64>, delta: &Value, out: &mut Vec<StreamEvent>) {
        self.state.text(&delta["text"], out);
        self.thought(&delta["thinking"], &delta["signature"], out);
        if let Some(fragment) = delta["partial_json"].as_str() {
            self.args(index, fragment, out);
        }
    }

    fn thought(&mut self, thought: &Value, signature: &Value, out: &mut Vec<StreamEvent>) {
        self.state.reasoning(thought, out);
        if let Some(signature) = non_empty(signature) {
            let signature = format!("{SIGNED}{signature}");
            out.push(StreamEvent::ReasoningSignature { signature });
        }
    }

    /// Reads the usage. A later event overwrites only the figures it contains.
    fn read_usage(&mut self, usage: &Value) {
        let usage = counters(usage);
        let newer = |name: &str, older: Option<u32>| parse_count(&usage[name]).or(older);
        let known = &mut self.state.usage;
        self.fresh = newer("input_tokens", self.fresh);
        known.cached = newer("cache_read_input_tokens", known.cached);
        known.cache_written = newer("cache_creation_input_tokens", known.cache_written);
        known.completion = newer("output_tokens", known.completion);
        let parts = [known.cached, known.cache_written].into_iter().flatten();
        known.prompt = self.fresh.map(|fresh| parts.fold(fresh, u32::saturating_add));
    }

    /// Reads the stop reason, and for a refusal its explanation.
    fn read_stop_reason(&mut self, delta: &Value, out: &mut Vec<StreamEvent>) {
        let Some(reason) = delta["stop_reason"].as_str() else { return };
        self.state.finish = Some(finish(reason));
        if let Some(why) = non_empty(value_at(delta, "/stop_details/explanation")) {
            self.state.text(&format!("\n\n[{why}]").into(), out);
        }
    }

    fn args(&mut self, index: Option<u64>, fragment: &str, out: &mut Vec<StreamEvent>) {
        if let Some(index) = self.state.call_at(index) {
            push_args(index, fragment, out);
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
