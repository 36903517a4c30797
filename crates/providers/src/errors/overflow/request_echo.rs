//! Removes the parts of an error that repeat the request: they are the user's words and say nothing
//! of the server.
//!
//! FastAPI, Mistral and vLLM return the value that failed their validation as `input`, pydantic as
//! `input_value`, gateways return the whole `request`. Every classifier reads an error without
//! these. Not here: the classifiers (`overflow`, `error_reason`, `quirks`).

use std::borrow::Cow;

use serde_json::Value;
use skein_platform::json_repair;

use super::cut_json::parse_cut_json;

/// The limit of JSON nested in JSON strings.
const MAX_DEPTH: u32 = 8;

/// Members that repeat the request or a part of it.
const ECHOES: &[&str] = &[
    "input",
    "inputs",
    "input_value",
    "prompt",
    "request",
    "request_body",
    "requestBody",
    "requestBodyValues",
    "raw_request",
    "original_request",
];

/// Members that repeat the messages of a request, if they are lists of objects.
const MESSAGES: &[&str] = &["messages", "contents", "tools"];

/// The members as Python writes a dictionary, which vLLM puts into a message, and as pydantic does.
const MARKERS: &[&str] =
    &["'input': ", "\"input\": ", "'request': ", "'messages': ", "'prompt': ", INPUT_VALUE];

/// Pydantic's value, which is shortened and may lack its closing bracket, and the text after it.
const INPUT_VALUE: &str = "input_value=";
const AFTER_INPUT_VALUE: &str = ", input_type=";

/// An error without the parts that repeat the request.
pub(crate) fn without_echo(body: &str) -> Cow<'_, str> {
    text_without_echo(body, 0).map_or(Cow::Borrowed(body), Cow::Owned)
}

/// `None` if the text repeats nothing.
fn text_without_echo(text: &str, depth: u32) -> Option<String> {
    if depth > MAX_DEPTH {
        return None;
    }
    let Some((before, mut value, after)) = json_within(text) else {
        return repr_without_echo(text);
    };
    let removed = remove_echo(&mut value, depth + 1);
    let (first, last) = (repr_without_echo(before), repr_without_echo(after));
    let repeats = removed || first.is_some() || last.is_some();
    repeats.then(|| {
        let (before, after) =
            (first.as_deref().unwrap_or(before), last.as_deref().unwrap_or(after));
        format!("{before}{value}{after}")
    })
}

/// The JSON within a text, with the text before and after it. JSON that was cut off is closed.
fn json_within(text: &str) -> Option<(&str, Value, &str)> {
    let from = text.find(['{', '['])?;
    let (before, rest) = text.split_at_checked(from)?;
    let end = rest.rfind(['}', ']']).map_or(rest.len(), |last| last + 1);
    let (json, after) = rest.split_at_checked(end)?;
    match json_repair::parse(json) {
        Ok(value) => Some((before, value, after)),
        Err(_) => Some((before, parse_cut_json(rest)?, "")),
    }
}

fn remove_echo(value: &mut Value, depth: u32) -> bool {
    if depth > MAX_DEPTH {
        return false;
    }
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
        Value::String(text) => match text_without_echo(text, depth) {
            Some(rest) => {
                *text = rest;
                true
            }
            None => false,
        },
        Value::Array(values) => {
            let mut removed = false;
            for value in values {
                removed |= remove_echo(value, depth + 1);
            }
            removed
        }
        Value::Object(members) => {
            let before = members.len();
            members.retain(|name, value| !is_echo(name, value));
            let removed = members.len() < before;
            members
                .values_mut()
                .fold(removed, |removed, value| remove_echo(value, depth + 1) || removed)
        }
    }
}

fn is_echo(name: &str, value: &Value) -> bool {
    let is_list =
        || value.as_array().is_some_and(|all| !all.is_empty() && all.iter().all(Value::is_object));
    ECHOES.contains(&name) || (MESSAGES.contains(&name) && is_list())
}

/// `None` if the text repeats nothing.
fn repr_without_echo(text: &str) -> Option<String> {
    let mut rest = text;
    let mut kept = String::new();
    while let Some((before, after)) = split_behind_marker(rest) {
        kept.push_str(before);
        let shortened = before.ends_with(INPUT_VALUE).then(|| after.find(AFTER_INPUT_VALUE));
        rest = after.get(shortened.flatten().unwrap_or_else(|| value_length(after))..)?;
    }
    if kept.len() + rest.len() == text.len() {
        return None;
    }
    kept.push_str(rest);
    Some(kept)
}

fn split_behind_marker(text: &str) -> Option<(&str, &str)> {
    let ends = MARKERS.iter().filter_map(|marker| Some(text.find(marker)? + marker.len()));
    text.split_at_checked(ends.min()?)
}

/// The length in bytes of the Python value at the beginning of a text; 0 if there is none.
fn value_length(text: &str) -> usize {
    if !text.starts_with(['\'', '"', '[', '{', '(']) {
        return 0;
    }
    let (mut depth, mut quote, mut escaped) = (0_u32, None, false);
    for (at, letter) in text.char_indices() {
        match (quote, letter) {
            _ if escaped => escaped = false,
            (Some(_), '\\') => escaped = true,
            (Some(open), close) if open == close => quote = None,
            (Some(_), _) => continue,
            (None, '\'' | '"') => quote = Some(letter),
            (None, '[' | '{' | '(') => depth += 1,
            (None, ']' | '}' | ')') => depth = depth.saturating_sub(1),
            (None, _) => {}
        }
        if depth == 0 && quote.is_none() && !escaped {
            return at + letter.len_utf8();
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_repeated_request_is_removed_however_it_is_wrapped() {
        for (body, rest) in [
            (
                r#"{"detail":[{"msg":"no","input":{"messages":[{"content":"secret"}]}}]}"#,
                r#"{"detail":[{"msg":"no"}]}"#,
            ),
            (r#"{"a":"{\"msg\":\"no\",\"input\":\"secret\"}"}"#, r#"{"a":"{\"msg\":\"no\"}"}"#),
            (r#"400: {"error":"no","request":"secret"} end"#, r#"400: {"error":"no"} end"#),
            (
                r"[{'msg': 'no', 'input': 'it\'s (secret', 'url': 'x'}]",
                "[{'msg': 'no', 'input': , 'url': 'x'}]",
            ),
            (
                "[{'msg': 'no', 'input': {'a': ['secret', (1, \"}\")]}}, {'msg': 'so'}]",
                "[{'msg': 'no', 'input': }, {'msg': 'so'}]",
            ),
            (
                "no [type=x, input_value={'a': 'secret...', input_type=dict]",
                "no [type=x, input_value=, input_type=dict]",
            ),
            (
                "[{'msg': 'no', 'input': 'a, input_type=secret', 'url': 'x'}]",
                "[{'msg': 'no', 'input': , 'url': 'x'}]",
            ),
            (r#"no {"error":""} 'input': 'secret"#, r#"no {"error":""} 'input': "#),
            // Half an emoji, and a body that ends early.
            (r#"{"msg":"no","input":"secret \ud83d"}"#, r#"{"msg":"no"}"#),
            (r#"{"a":[{"msg":"no","input":{"b":["secret"#, r#"{"a":[{"msg":"no"}]}"#),
            (r#"{"a":"{\"msg\":\"no\",\"input\":\"secret"#, r#"{"a":"{\"msg\":\"no\"}"}"#),
        ] {
            assert_eq!(without_echo(body), rest, "{body}");
        }
    }

    #[test]
    fn what_repeats_nothing_stays_as_it_is() {
        for body in [
            "",
            "Invalid 'input': maximum context length is 8192 tokens.",
            r#"{"error":{"message":"no","param":"input"},"messages":[]}"#,
            r#"{"success":false,"messages":["no"]}"#,
            "Range of input length should be [1, 30720]",
        ] {
            assert!(matches!(without_echo(body), Cow::Borrowed(_)), "{body}");
        }
    }
}
