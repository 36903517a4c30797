//! Unwraps an error from bodies, arrays, causes and JSON inside strings.

use serde_json::Value;

use crate::json_values::parse_count;

const MAX_DEPTH: u32 = 8;
const MAX_VALUES: u32 = 2_000;

#[derive(Debug, Default)]
pub(crate) struct UnwrappedError {
    /// Every text, in lower case with single spaces.
    pub(crate) texts: Vec<String>,
    /// Every code, type and status, in lower case.
    pub(crate) codes: Vec<String>,
    /// The codes that are HTTP statuses.
    pub(crate) statuses: Vec<u16>,
    /// The window, in a field of llama.cpp.
    pub(crate) n_ctx: Option<u32>,
    /// The tokens of the prompt, in a field of llama.cpp.
    pub(crate) n_prompt_tokens: Option<u32>,
    /// The innermost message, for display.
    pub(crate) message: String,
    looked_at: u32,
}

impl UnwrappedError {
    /// True if the error has no text and no code.
    pub(crate) fn is_empty(&self) -> bool {
        let silence = |text: &String| text.is_empty() || text.ends_with("(no body)");
        self.codes.is_empty() && self.texts.iter().all(silence)
    }
}

/// Unwraps a body: JSON, the `data:` lines of a stream, or a text that contains JSON.
pub(crate) fn unwrap_error(body: &str) -> UnwrappedError {
    let mut error = UnwrappedError::default();
    error.text(body.trim(), 0);
    error
}

impl UnwrappedError {
    fn text(&mut self, text: &str, depth: u32) {
        self.looked_at += 1;
        if depth > MAX_DEPTH || self.looked_at > MAX_VALUES {
            return;
        }
        let inner = text
            .find(['{', '['])
            .and_then(|from| text.get(from..=text.rfind(['}', ']'])?))
            .and_then(|json| serde_json::from_str::<Value>(json).ok())
            .filter(|value| {
                value.is_object()
                    || value.as_array().is_some_and(|all| all.iter().any(Value::is_object))
            });
        if let Some(value) = &inner {
            self.value(value, depth + 1);
        }
        let whole = inner.is_some() && text.starts_with(['{', '[']);
        if !whole {
            self.texts.push(text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase());
            if inner.is_none() || self.message.is_empty() {
                text.clone_into(&mut self.message);
            }
        }
    }

    fn value(&mut self, value: &Value, depth: u32) {
        self.looked_at += 1;
        if depth > MAX_DEPTH || self.looked_at > MAX_VALUES {
            return;
        }
        match value {
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
            Value::String(text) => self.text(text, depth),
            Value::Array(values) => values.iter().for_each(|value| self.value(value, depth + 1)),
            Value::Object(members) => {
                // Of a repeated call only the last attempt counts.
                if let Some(last) = members.get("lastError").or_else(|| members.get("last_error")) {
                    return self.value(last, depth + 1);
                }
                for (name, value) in members {
                    self.member(name, value, depth);
                }
            }
        }
    }

    fn member(&mut self, name: &str, value: &Value, depth: u32) {
        match (name, value) {
            (
                "code" | "type" | "status" | "error_type" | "errorCode" | "__type" | "param"
                | "finish_reason" | "stop_reason" | "status_code" | "statusCode",
                Value::String(code),
            ) => {
                self.code(code);
            }
            (
                "code" | "status" | "status_code" | "statusCode" | "errorCode",
                Value::Number(code),
            ) => {
                self.code(&code.to_string());
            }
            ("n_ctx", value) => self.n_ctx = parse_count(value),
            ("n_prompt_tokens", value) => self.n_prompt_tokens = parse_count(value),
            ("attempts" | "errors", Value::Array(values)) => {
                if let Some(last) = values.last() {
                    self.value(last, depth + 1);
                }
            }
            (_, value) => self.value(value, depth + 1),
        }
    }

    fn code(&mut self, code: &str) {
        if let Ok(status) = code.parse() {
            self.statuses.push(status);
        }
        self.codes.push(code.to_lowercase());
    }
}
