//! Reads a reply in the format of Google's Gemini API.

use serde_json::{Value, json};
use skein_domain::finish_reason::FinishReason;

use crate::json_values::{is_present, parse_count, value_at};
use crate::stream_event::StreamEvent;
use crate::wire::decoder_state::{DecoderState, push_args};
use crate::wire::response_decoder::{DecodeError, ResponseDecoder};

/// Identifies signatures of this format, so that those of other providers are never sent here.
pub(super) const SIGNED: &str = "gemini:";

/// Decodes the chunks of one reply. There is no end marker: the connection closes.
#[derive(Debug, Default)]
pub(crate) struct GeminiDecoder {
    state: DecoderState,
    /// The prompt's tokens from chunks before the last.
    prompt_tokens: Option<u32>,
}

/// Finish reasons of an invalid reply: the last part is neither a call that can be run nor a text.
const INVALID_FINISHES: &[&str] = &[
    "MALFORMED_FUNCTION_CALL",
    "UNEXPECTED_TOOL_CALL",
    "TOO_MANY_TOOL_CALLS",
    "MALFORMED_RESPONSE",
    "MISSING_THOUGHT_SIGNATURE",
    "NO_IMAGE",
    "IMAGE_OTHER",
    "OTHER",
];

impl ResponseDecoder for GeminiDecoder {
    fn on_frame(&mut self, frame: &Value, out: &mut Vec<StreamEvent>) -> Result<(), DecodeError> {
        if is_present(&frame["error"]) {
            return Err(DecodeError::Reported(frame.to_string()));
        }
        let candidate = value_at(frame, "/candidates/0");
        for part in value_at(candidate, "/content/parts").as_array().into_iter().flatten() {
            self.part(part, out);
        }
        if is_present(value_at(frame, "/promptFeedback/blockReason")) {
            self.state.finish = Some(FinishReason::Filtered);
        }
        let reason = candidate["finishReason"].as_str();
        let broken =
            reason.filter(|reason| !self.state.has_calls() && INVALID_FINISHES.contains(reason));
        if let (Some(reason), None) = (reason, broken) {
            self.state.finish = Some(self.reason(reason));
        }
        self.read_usage(&frame["usageMetadata"], out);
        match broken {
            // The message beside the reason repeats the reply.
            Some(reason) => {
                Err(DecodeError::Reported(json!({ "error": { "message": reason } }).to_string()))
            }
            None => Ok(()),
        }
    }

    fn on_whole(&mut self, body: &Value, out: &mut Vec<StreamEvent>) -> Result<(), DecodeError> {
        let known = ["candidates", "usageMetadata", "promptFeedback"];
        if known.iter().all(|name| body[*name].is_null()) {
            return Err(DecodeError::Reported(body.to_string()));
        }
        self.on_frame(body, out)
    }

    fn state(&mut self) -> &mut DecoderState {
        &mut self.state
    }
}

impl GeminiDecoder {
    fn part(&mut self, part: &Value, out: &mut Vec<StreamEvent>) {
        let signature =
            part["thoughtSignature"].as_str().map(|signature| format!("{SIGNED}{signature}"));
        let call = &part["functionCall"];
        if call["name"].is_string() {
            let index = self.state.call(None, (&call["id"], &call["name"]), signature, out);
            if call["args"].is_object() {
                push_args(index, &call["args"].to_string(), out);
            }
            return;
        }
        if part["thought"] == true {
            self.state.reasoning(&part["text"], out);
        } else {
            self.state.text(&part["text"], out);
            if is_present(&part["inlineData"]) {
                self.state.image(out);
            }
        }
        if let Some(signature) = signature {
            out.push(StreamEvent::ReasoningSignature { signature });
        }
    }

    /// Reads the usage. Each figure stays until a newer one arrives; a missing one is not zero. The
    /// prompt's tokens are reported at once and count even if the reply is cut off; the reply's
    /// only at the end.
    fn read_usage(&mut self, usage: &Value, out: &mut Vec<StreamEvent>) {
        let newer = |name: &str, older: Option<u32>| parse_count(value_at(usage, name)).or(older);
        let thoughts = newer("/thoughtsTokenCount", self.state.usage.reasoning);
        let candidates = parse_count(&usage["candidatesTokenCount"]);
        let sum = candidates.zip(parse_count(&usage["promptTokenCount"]));
        let sum = sum.and_then(|(candidates, prompt)| candidates.checked_add(prompt));
        // A proxy may include the reasoning in the candidates; then prompt and candidates make up
        // the total.
        let are_inside = sum.is_some() && sum == parse_count(&usage["totalTokenCount"]);
        match (candidates, thoughts) {
            (Some(candidates), Some(thoughts)) if !are_inside => {
                self.state.usage.completion = Some(candidates.saturating_add(thoughts));
            }
            (Some(candidates), Some(_) | None) => self.state.usage.completion = Some(candidates),
            // Only reasoning came.
            (None, Some(_)) if self.state.usage.completion.is_none() => {
                self.state.usage.completion = thoughts;
            }
            (None, Some(_) | None) => {}
        }
        self.state.usage.reasoning = thoughts;
        self.state.usage.prompt = newer("/promptTokenCount", self.state.usage.prompt);
        self.state.usage.cached = newer("/cachedContentTokenCount", self.state.usage.cached);
        self.state.usage.total = newer("/totalTokenCount", self.state.usage.total);
        let prompt = self.state.usage.prompt.filter(|tokens| *tokens > 0);
        if self.state.finish.is_none() && prompt.is_some() && prompt != self.prompt_tokens {
            self.prompt_tokens = prompt;
            self.state.report_prompt(out);
        }
    }

    fn reason(&self, reason: &str) -> FinishReason {
        match reason {
            "MAX_TOKENS" => FinishReason::Length,
            "SAFETY"
            | "RECITATION"
            | "BLOCKLIST"
            | "PROHIBITED_CONTENT"
            | "SPII"
            | "IMAGE_SAFETY"
            | "IMAGE_PROHIBITED_CONTENT"
            | "IMAGE_RECITATION"
            | "MODEL_ARMOR"
            | "LANGUAGE" => FinishReason::Filtered,
            _ => self.state.natural_finish(),
        }
    }
}
