//! Reads JSON whose end is missing: a body is read up to a limit, and a connection may end early.

use serde_json::Value;
use skein_platform::json_repair;

/// The limit of open objects and arrays, as in `serde_json`.
const MAX_DEPTH: usize = 128;
/// The longest part of an escape that a cut can leave, in bytes.
const MAX_ESCAPE_PART: usize = 11;

/// The JSON at the beginning of a text, with what is open at its end closed. A member or element that is
/// incomplete is left out, but for a string, which ends where the text ends. `None` if nothing is open, or
/// if it is no JSON.
pub(super) fn parse_cut_json(text: &str) -> Option<Value> {
    let (mut open, mut is_string, mut is_escaped) = (Vec::new(), false, false);
    let mut last_comma = None;
    for (at, letter) in text.char_indices() {
        match (is_string, letter) {
            (true, _) if is_escaped => is_escaped = false,
            (true, '\\') => is_escaped = true,
            (true, '"') => is_string = false,
            (false, '"') => is_string = true,
            (false, '{') => open.push('}'),
            (false, '[') => open.push(']'),
            (false, ',') => last_comma = Some((at, open.clone())),
            (false, '}' | ']') => {
                open.pop();
            }
            _ => {}
        }
        if open.len() > MAX_DEPTH {
            return None;
        }
    }
    if open.is_empty() {
        return None;
    }
    let whole = if is_string { closed_in_string(text, &open) } else { closed(text, &open) };
    whole.or_else(|| {
        let (end, open) = last_comma?;
        closed(text.get(..end)?, &open)
    })
}

/// The JSON of a text that ends within a string, without a part of an escape at its end.
fn closed_in_string(text: &str, open: &[char]) -> Option<Value> {
    (0..=MAX_ESCAPE_PART).find_map(|part| {
        let text = text.get(..text.len().checked_sub(part)?)?;
        closed(&format!("{text}\""), open)
    })
}

fn closed(text: &str, open: &[char]) -> Option<Value> {
    let end: String = open.iter().rev().collect();
    json_repair::parse(&format!("{text}{end}")).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_open_is_closed_and_what_is_incomplete_is_left_out() {
        for (text, json) in [
            (r#"{"a":[{"b":"c"#, r#"{"a":[{"b":"c"}]}"#),
            (r#"{"a":"b\"#, r#"{"a":"b"}"#),
            (r#"{"a":"b\ud8"#, r#"{"a":"b"}"#),
            (r#"{"a":"b\ud83d\ude"#, "{\"a\":\"b\u{fffd}\"}"),
            (r#"{"a":1,"b""#, r#"{"a":1}"#),
            (r#"{"a":1,"b":"#, r#"{"a":1}"#),
            (r#"{"a":{"b":[1,{"c":2}],"#, r#"{"a":{"b":[1,{"c":2}]}}"#),
            (r#"[{"a":"]"},tru"#, r#"[{"a":"]"}]"#),
        ] {
            assert_eq!(
                parse_cut_json(text).map(|value| value.to_string()),
                Some(json.to_owned()),
                "{text}"
            );
        }
        let deep = "[".repeat(100_000);
        for text in
            ["", "[type=x, input_value=1", r#"{"a"#, r#"{"a":1,"b":2} {"c":3}"#, "{'a': 1", &deep]
        {
            assert_eq!(parse_cut_json(text), None, "{text}");
        }
    }
}
