//! An answer in the spelling of Google's Gemini API.

use serde_json::{Value, json};
use skein_domain::finish_reason::FinishReason;
use skein_domain::usage::TokenUsage;

use super::SIGNED;
use crate::StreamEvent;
use crate::format::{Course, Decoder, Fault, Phase, at, call_id, count, credible, present};
use crate::frames::Cut;

/// Understands the chunks of one answer. There is no end marker: the connection ends.
#[derive(Debug, Default)]
pub(crate) struct Answer {
    calls: u32,
    course: Course,
    /// The prompt's tokens as they were told before the end.
    told: Option<u32>,
}

/// Ends that are none: what the model wrote last is no call that can be run, and no answer either.
const BROKEN: &[&str] = &[
    "MALFORMED_FUNCTION_CALL",
    "UNEXPECTED_TOOL_CALL",
    "TOO_MANY_TOOL_CALLS",
    "MALFORMED_RESPONSE",
    "MISSING_THOUGHT_SIGNATURE",
    "NO_IMAGE",
    "IMAGE_OTHER",
    "OTHER",
];

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
        let reason = candidate["finishReason"].as_str();
        let broken = reason.filter(|reason| self.calls == 0 && BROKEN.contains(reason));
        if let (Some(reason), None) = (reason, broken) {
            self.course.finish = Some(self.reason(reason));
        }
        self.figures(&frame["usageMetadata"], out);
        match broken {
            // What it says of it beside that repeats what it wrote.
            Some(reason) => Err(Fault::Said(json!({ "error": { "message": reason } }).to_string())),
            None => Ok(()),
        }
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
            let call_id = call_id(&call["id"]);
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
            if present(&part["inlineData"]) {
                self.course.picture(out);
            }
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
            _ if self.calls > 0 => FinishReason::ToolCalls,
            _ => FinishReason::Stop,
        }
    }
}
