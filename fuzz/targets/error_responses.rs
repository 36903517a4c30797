//! Every response becomes an error, and the words of the user that a server repeats decide nothing.
//!
//! Input: two bytes for the status, one for the place of the words and one for the end of the body; then
//! a header, the server's message, its code and the user's words, between zero bytes.
#![no_main]

use libfuzzer_sys::fuzz_target;
use serde_json::{Value, json};
use skein_providers::fuzzing::classify;

/// The end of the words.
const END: char = '\u{e000}';
/// Half an emoji, which some servers cut.
const HALF_EMOJI: char = '\u{e001}';

fuzz_target!(|input: &[u8]| {
    let [high, low, place, cut, texts @ ..] = input else { return };
    let status = 100 + u16::from_be_bytes([*high, *low]) % 900;
    let _ = classify(status, texts, &String::from_utf8_lossy(texts));
    let mut texts = texts.splitn(4, |byte| *byte == 0);
    let header = texts.next().unwrap_or_default();
    let mut text = || String::from_utf8_lossy(texts.next().unwrap_or_default()).replace(END, "");
    let (message, code, words) = (text().replace(HALF_EMOJI, ""), text(), text());
    let error = |words: &str| {
        let body = body(*place, &message, &code, &format!("{words}{END}"));
        let (before, after) = body.split_once(END).unwrap_or((&body, ""));
        let body = if *cut % 2 == 0 { format!("{before}{after}") } else { before.to_owned() };
        let body = body.replace(HALF_EMOJI, "\\ud83d");
        (classify(status, header, &body), body)
    };
    let (repeated, silent) = (error(&words), error(""));
    assert_eq!(repeated.0, silent.0, "\n{}\n{}", repeated.1, silent.1);
});

/// A body as servers write it. Bits of `place` choose the value with the words, its name and what surrounds
/// it.
fn body(place: u8, message: &str, code: &str, words: &str) -> String {
    let value = match place % 4 {
        0 => json!(words),
        1 => json!({"model": "m", "messages": [{"role": "user", "content": words}]}),
        2 => json!([{"type": "text", "text": words}]),
        _ => json!({"messages": [{"content": [{"text": words}]}], "n": 1}),
    };
    let name = ["input", "prompt", "request", "requestBodyValues"][usize::from(place >> 2) % 4];
    let python =
        format!("{message} [{{'type': 'x', 'loc': ('body', 'n'), 'input': {}}}]", quoted(words));
    let detail =
        |value: Value| json!([{"type": code, "loc": ["body", "n"], "msg": message, name: value}]);
    let whole = match (place >> 4) % 8 {
        0 => json!({"error": {"message": message, "type": code, name: value}}),
        1 => json!({"detail": detail(value)}),
        2 => json!({name: value, "error": {"message": message, "code": code}}),
        3 => json!([{"error": {"code": 400, "message": message, "status": code}, name: value}]),
        4 => json!({"object": "error", "message": {"detail": detail(value)}, "code": 3051}),
        5 => {
            json!({"error": {"message": json!({"detail": detail(value)}).to_string(), "code": code}})
        }
        6 => json!({"object": "error", "message": python, "type": code, "code": 400}),
        _ => return format!("400: {}", json!({"error": message, name: value})),
    };
    whole.to_string()
}

/// A string as Python writes it.
fn quoted(words: &str) -> String {
    format!("'{}'", words.replace('\\', "\\\\").replace('\'', "\\'").replace('\n', "\\n"))
}
