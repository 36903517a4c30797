//! Checks the text of a server's message before `rmcp` reads it: `rmcp` skips a message that it
//! cannot read, and the call would wait until its timeout.
//!
//! Not here: receiving the text (`stdout`, `http_client`).

use rmcp::model::{ErrorData, NumberOrString, RequestId, ServerJsonRpcMessage};
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::Value;
use skein_platform::json_repair::repair;

/// Bytes at either end of a text in which an id is searched.
const ID_RANGE: usize = 80;

#[derive(Debug, PartialEq)]
pub(crate) enum Checked {
    /// A message, repaired if necessary.
    Message(Vec<u8>),
    /// Not a message: a banner, a blank line.
    Words,
    Broken {
        /// The request that it answers; `None` if unknown.
        id: Option<RequestId>,
        reason: String,
    },
}

/// The members of a message that identify its kind.
#[derive(Deserialize)]
struct Shape {
    jsonrpc: Option<Value>,
    id: Option<Value>,
    method: Option<IgnoredAny>,
    result: Option<IgnoredAny>,
    error: Option<IgnoredAny>,
}

/// Checks a text that a server sent as one message.
pub(crate) fn check(mut text: Vec<u8>) -> Checked {
    let begin = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&text).trim_ascii_start();
    match begin.first() {
        Some(b'{') => {}
        // A batch.
        Some(b'[') => return Checked::Message(text),
        Some(_) | None => return Checked::Words,
    }
    if str::from_utf8(&text).is_err() {
        text = String::from_utf8_lossy(&text).into_owned().into_bytes();
    }
    repair(&mut text);
    let json = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&text);
    match serde_json::from_slice::<Shape>(json) {
        Ok(shape) => match shape.lacks() {
            Some(reason) => {
                let id = shape.id.and_then(|id| serde_json::from_value(id).ok());
                Checked::Broken { id, reason: reason.to_owned() }
            }
            None => Checked::Message(text),
        },
        Err(error) => Checked::Broken { id: id_of_broken(&text), reason: error.to_string() },
    }
}

impl Shape {
    /// The missing member of an answer; `None` if it is complete, or no answer.
    fn lacks(&self) -> Option<&'static str> {
        if self.id.is_none() || self.method.is_some() {
            return None;
        }
        if self.jsonrpc.as_ref().and_then(Value::as_str) != Some("2.0") {
            return Some("it is not JSON-RPC 2.0");
        }
        let is_whole = self.result.is_some() || self.error.is_some();
        (!is_whole).then_some("it has neither a result nor an error")
    }
}

/// An error response in place of an unreadable one.
pub(crate) fn error_answer(id: &RequestId, reason: &str) -> ServerJsonRpcMessage {
    let error = ErrorData::parse_error(unreadable(reason), None);
    ServerJsonRpcMessage::error(error, Some(id.clone()))
}

/// [`error_answer`] as text.
pub(crate) fn error_text(id: &RequestId, reason: &str) -> String {
    serde_json::to_string(&error_answer(id, reason)).unwrap_or_default()
}

/// The error text for the model.
pub(crate) fn unreadable(reason: &str) -> String {
    format!("The server's answer cannot be read: {reason}")
}

/// The id of an answer that is not JSON: Python's servers write it first, those of Node last.
fn id_of_broken(text: &[u8]) -> Option<RequestId> {
    let head = String::from_utf8_lossy(text.get(..ID_RANGE).unwrap_or(text));
    let tail = text.get(text.len().saturating_sub(ID_RANGE)..).unwrap_or(text);
    let tail = String::from_utf8_lossy(tail);
    let first = || {
        let members = head.trim_start_matches('\u{feff}').trim_start().strip_prefix('{')?;
        let (before, id) = members.split_once("\"id\"")?;
        // Within the result it would be another id.
        (!before.contains(['{', '['])).then_some(id)
    };
    let last = || {
        let (_, id) = tail.rsplit_once("\"id\"")?;
        id.trim_end().strip_suffix('}').filter(|id| !id.contains(['}', ']', ',']))
    };
    first().and_then(number).or_else(|| last().and_then(number))
}

/// The number after the name of a member.
fn number(behind_name: &str) -> Option<RequestId> {
    let value = behind_name.trim_start().strip_prefix(':')?.trim_start();
    let digits = value.split(|it: char| !it.is_ascii_digit()).next()?;
    digits.parse().ok().map(NumberOrString::Number)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn broken(text: &str) -> Option<RequestId> {
        match check(text.into()) {
            Checked::Broken { id, .. } => id,
            other => panic!("{text}: {other:?}"),
        }
    }

    #[test]
    fn a_message_passes_repaired_and_other_words_do_not() {
        let half = r#"{"jsonrpc":"2.0","id":1,"result":{"a":"\ud83d"}}"#;
        let whole = half.replace("ud83d", "ufffd").into_bytes();
        assert_eq!(check(half.into()), Checked::Message(whole));
        for text in [
            r#"{"jsonrpc":"2.0","method":"ping","id":7}"#,
            r#"{"jsonrpc":"2.0","id":null,"error":{}}"#,
            r#"{"level":30,"msg":"a line of a log"}"#,
            "[]",
        ] {
            assert_eq!(check(text.into()), Checked::Message(text.into()), "{text}");
        }
        for text in ["", "  \r\n", "Server listens on stdio"] {
            assert_eq!(check(text.into()), Checked::Words, "{text}");
        }
    }

    #[test]
    fn an_answer_that_cannot_be_read_names_its_request() {
        let id = |number| Some(NumberOrString::Number(number));
        assert_eq!(broken(r#"{"jsonrpc": "2.0", "id": 12, "result": {"id": 5, "#), id(12));
        assert_eq!(broken(r#"{"result":{"id":5,},"jsonrpc":"2.0","id":31}"#), id(31));
        assert_eq!(broken(r#"{"result":{"content":[{"id":5,"text":"cut"#), None);
        assert_eq!(broken(r#"{"jsonrpc":"2.0","id":8}"#), id(8));
        assert_eq!(broken(r#"{"id":9,"result":{}}"#), id(9));
    }
}
