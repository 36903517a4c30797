//! The five wire formats, as far as a conversation needs them: a model list, a reply with usage, an
//! unfinished reply, and each one's overflow error.

use scripted_server::{Act, Reply};
use serde_json::{Value, json};

/// The model of these tests, which no catalogue knows.
pub const MODEL: &str = "wool-1";

/// A wire format.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dialect {
    Chat,
    Responses,
    Anthropic,
    Gemini,
    Ollama,
}

/// The usage of a reply, in tokens.
#[derive(Clone, Copy)]
pub struct Used {
    pub prompt: usize,
    pub cached: usize,
    pub answer: usize,
}

impl Dialect {
    /// The provider kind with this format, as the settings name it.
    pub fn label(self) -> &'static str {
        match self {
            Self::Chat => "OpenAI (Chat Completions)",
            Self::Responses => "OpenAI",
            Self::Anthropic => "Anthropic",
            Self::Gemini => "Google Gemini",
            Self::Ollama => "Ollama",
        }
    }

    /// The path of requests below the base address.
    pub fn called(self) -> &'static str {
        match self {
            Self::Chat => "/v1/chat/completions",
            Self::Responses => "/v1/responses",
            Self::Anthropic => "/v1/messages",
            Self::Gemini => "/v1beta/models/",
            Self::Ollama => "/api/chat",
        }
    }

    /// True if it reports cached tokens.
    pub fn tells_cache(self) -> bool {
        self != Self::Ollama
    }

    /// True if its overflow error names the window.
    pub fn tells_window(self) -> bool {
        self != Self::Ollama
    }

    /// A reply to a request for its models or their state.
    pub fn listing(self, path: &str) -> Reply {
        let list = match self {
            Self::Chat | Self::Responses | Self::Anthropic => json!({ "data": [{ "id": MODEL }] }),
            Self::Gemini => json!({ "models": [{ "name": format!("models/{MODEL}") }] }),
            Self::Ollama if path == "/api/tags" => json!({ "models": [{ "model": MODEL }] }),
            Self::Ollama => json!({ "models": [] }),
        };
        Reply::json(200, list.to_string())
    }

    /// A complete reply.
    pub fn answer(self, text: &str, used: Used) -> Reply {
        let mut stream = self.words(text);
        let Used { prompt, cached, answer } = used;
        let total = prompt + answer;
        let end = match self {
            Self::Chat => {
                frames(&[
                    json!({ "choices": [{ "index": 0, "delta": {}, "finish_reason": "stop" }] }),
                    json!({ "choices": [], "usage": {
                    "prompt_tokens": prompt, "completion_tokens": answer, "total_tokens": total,
                    "prompt_tokens_details": { "cached_tokens": cached },
                } }),
                ]) + "data: [DONE]\n\n"
            }
            Self::Responses => frames(&[json!({ "type": "response.completed", "response": {
                "status": "completed",
                "usage": {
                    "input_tokens": prompt, "output_tokens": answer, "total_tokens": total,
                    "input_tokens_details": { "cached_tokens": cached },
                },
            } })]),
            Self::Anthropic => frames(&[
                json!({ "type": "message_delta", "delta": { "stop_reason": "end_turn" }, "usage": {
                    "input_tokens": prompt - cached, "cache_read_input_tokens": cached,
                    "output_tokens": answer,
                } }),
                json!({ "type": "message_stop" }),
            ]),
            Self::Gemini => frames(&[json!({
                "candidates": [{ "content": { "parts": [] }, "finishReason": "STOP" }],
                "usageMetadata": {
                    "promptTokenCount": prompt, "cachedContentTokenCount": cached,
                    "candidatesTokenCount": answer, "totalTokenCount": total,
                },
            })]),
            Self::Ollama => lines(&[json!({
                "message": { "role": "assistant", "content": "" }, "done": true,
                "done_reason": "stop", "prompt_eval_count": prompt, "eval_count": answer,
            })]),
        };
        stream.push_str(&end);
        Reply::new(200, self.content_type(), stream)
    }

    /// A reply that has begun and does not continue.
    pub fn begun(self, text: &str) -> Reply {
        Reply::new(200, self.content_type(), self.words(text)).then(Act::Hold)
    }

    /// The overflow error for a prompt of `actual` tokens with a limit of `window`.
    pub fn too_long(self, window: usize, actual: usize) -> Reply {
        let openai = format!(
            "This model's maximum context length is {window} tokens. However, your messages \
             resulted in {actual} tokens. Please reduce the length of the messages."
        );
        let refusal = match self {
            Self::Chat => json!({ "error": {
                "message": openai, "type": "invalid_request_error", "param": "messages",
                "code": "context_length_exceeded",
            } }),
            // This format reports the error inside a stream with status 200.
            Self::Responses => {
                let error = json!({ "code": "context_length_exceeded", "message": openai });
                let failed = json!({ "type": "response.failed", "response": { "error": error } });
                return Reply::events(frames(&[failed]));
            }
            Self::Anthropic => json!({ "type": "error", "error": {
                "type": "invalid_request_error",
                "message": format!("prompt is too long: {actual} tokens > {window} maximum"),
            } }),
            Self::Gemini => json!([{ "error": {
                "code": 400, "status": "INVALID_ARGUMENT",
                "message": format!(
                    "The input token count ({actual}) exceeds the maximum number of tokens \
                     allowed ({window})."
                ),
            } }]),
            Self::Ollama => json!({ "error": "the input length exceeds the context length" }),
        };
        Reply::json(400, refusal.to_string())
    }

    fn content_type(self) -> &'static str {
        match self {
            Self::Chat | Self::Responses | Self::Anthropic | Self::Gemini => "text/event-stream",
            Self::Ollama => "application/x-ndjson",
        }
    }

    fn words(self, text: &str) -> String {
        match self {
            Self::Chat => frames(&[
                json!({ "choices": [{ "index": 0, "delta": { "role": "assistant" } }] }),
                json!({ "choices": [{ "index": 0, "delta": { "content": text } }] }),
            ]),
            Self::Responses => frames(&[json!({
                "type": "response.output_text.delta", "output_index": 0, "delta": text,
            })]),
            Self::Anthropic => frames(&[
                json!({ "type": "message_start", "message": { "role": "assistant" } }),
                json!({ "type": "content_block_delta", "index": 0,
                        "delta": { "type": "text_delta", "text": text } }),
            ]),
            Self::Gemini => frames(&[json!({
                "candidates": [{ "content": { "role": "model", "parts": [{ "text": text }] } }],
            })]),
            Self::Ollama => lines(&[json!({
                "message": { "role": "assistant", "content": text }, "done": false,
            })]),
        }
    }
}

fn frames(frames: &[Value]) -> String {
    frames.iter().map(|frame| format!("data: {frame}\n\n")).collect()
}

fn lines(lines: &[Value]) -> String {
    lines.iter().map(|line| format!("{line}\n")).collect()
}
