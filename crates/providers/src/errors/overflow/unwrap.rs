//! What an error says, out of all its wrappings: bodies, arrays, causes, JSON inside strings.

use serde_json::Value;

use crate::json_values::parse_count;

/// How deep wrappings are followed.
const DEEPEST: u32 = 8;
/// How many values are looked at: an error is not a document.
const MOST: u32 = 2_000;

#[derive(Debug, Default)]
pub(crate) struct UnwrappedError {
    /// Every text in it, lower case, with single spaces.
    pub(crate) texts: Vec<String>,
    /// Every code, type and status in it, lower case.
    pub(crate) codes: Vec<String>,
    /// Those codes that are statuses of HTTP.
    pub(crate) statuses: Vec<u16>,
    /// llama.cpp's own fields.
    pub(crate) n_ctx: Option<u32>,
    /// llama.cpp's own fields.
    pub(crate) n_prompt_tokens: Option<u32>,
    /// The words to be shown: the innermost message.
    pub(crate) message: String,
    looked_at: u32,
}

impl UnwrappedError {
    /// Whether there was nothing to read.
    pub(crate) fn is_empty(&self) -> bool {
        let silence = |text: &String| text.is_empty() || text.ends_with("(no body)");
        self.codes.is_empty() && self.texts.iter().all(silence)
    }
}

/// Unwraps a body: JSON, a stream's `data:` lines, or text that may hold JSON.
pub(crate) fn unwrap_error(body: &str) -> UnwrappedError {
    let mut said = UnwrappedError::default();
    said.text(body.trim(), 0);
    said
}

impl UnwrappedError {
    fn text(&mut self, text: &str, depth: u32) {
        self.looked_at += 1;
        if depth > DEEPEST || self.looked_at > MOST {
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
        if depth > DEEPEST || self.looked_at > MOST {
            return;
        }
        match value {
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
            Value::String(text) => self.text(text, depth),
            Value::Array(values) => values.iter().for_each(|value| self.value(value, depth + 1)),
            Value::Object(members) => {
                // Of a call that was repeated only the last attempt counts.
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
