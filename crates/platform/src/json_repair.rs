//! Repairs lone surrogates and byte order marks in JSON from other programs.
//!
//! A program that cuts text within an emoji writes the remaining half as the escape `\ud83d`, a
//! lone surrogate; JavaScript and Python do so without an error. `serde_json` refuses the whole
//! text for it. Here the half becomes U+FFFD, whose escape has the same length. A byte order mark
//! before the text is dropped.
//!
//! Not here: truncated JSON.

use serde::de::DeserializeOwned;

/// Bytes of a surrogate pair that is written as two escapes.
pub const PAIR: usize = 12;
const ESCAPE: usize = 6;

/// Parses JSON, and repairs it if the first attempt fails.
///
/// # Errors
/// Those of `serde_json`.
pub fn parse<T: DeserializeOwned>(text: &str) -> serde_json::Result<T> {
    let text = text.trim_start_matches('\u{feff}');
    serde_json::from_str(text).or_else(|error| {
        let mut repaired = text.as_bytes().to_vec();
        if repair(&mut repaired) { serde_json::from_slice(&repaired) } else { Err(error) }
    })
}

/// Replaces every lone surrogate of a JSON text. Returns true if there was one.
pub fn repair(text: &mut [u8]) -> bool {
    let (mut at, mut any) = (0, false);
    while let Some(rest) = text.get_mut(at..) {
        // JSON has backslashes in strings only.
        let Some(escape) = rest.iter().position(|byte| *byte == b'\\') else { break };
        let Some(rest) = rest.get_mut(escape..) else { break };
        let (length, repaired) = repair_escape(rest);
        any |= repaired;
        at += escape + length;
    }
    any
}

/// Replaces the escape at the beginning of a text if it is a lone surrogate. Returns the length of
/// the escape in bytes, and true if it was replaced.
pub fn repair_escape(text: &mut [u8]) -> (usize, bool) {
    match (code_unit(text), text.get(ESCAPE..).and_then(code_unit)) {
        (Some(0xd800..0xdc00), Some(0xdc00..0xe000)) => (PAIR, false),
        (Some(0xd800..0xe000), _) => {
            if let Some(digits) = text.get_mut(2..ESCAPE) {
                digits.copy_from_slice(b"fffd");
            }
            (ESCAPE, true)
        }
        (Some(_), _) => (ESCAPE, false),
        (None, _) => (2, false),
    }
}

/// The UTF-16 code unit of the escape at the beginning of a text.
fn code_unit(text: &[u8]) -> Option<u16> {
    let digits = text.strip_prefix(b"\\u")?.get(..4)?;
    u16::from_str_radix(str::from_utf8(digits).ok()?, 16).ok()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn a_lone_surrogate_becomes_the_replacement_character() {
        for (text, expected) in [
            (r#""a \ud83d""#, "a \u{fffd}"),
            (r#""\ude00 a""#, "\u{fffd} a"),
            (r#""\ud83d\ud83d\ude00""#, "\u{fffd}😀"),
            (r#""\\ud83d \ud83d\n""#, "\\ud83d \u{fffd}\n"),
            (r#""\ud83d\ude00""#, "😀"),
        ] {
            assert_eq!(parse::<Value>(text).unwrap(), json!(expected), "{text}");
        }
    }

    #[test]
    fn json_behind_a_byte_order_mark_is_read() {
        assert_eq!(parse::<Value>("\u{feff}{\"a\":1}").unwrap(), json!({ "a": 1 }));
    }

    #[test]
    fn what_is_cut_off_stays_an_error() {
        assert!(parse::<Value>(r#"{"a":"\ud83d"#).unwrap_err().is_eof());
    }
}
