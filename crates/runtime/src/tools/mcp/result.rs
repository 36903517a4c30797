//! What a foreign tool returned, as text, each thing once.

use rmcp::model::{CallToolResult, ContentBlock, ResourceContents};
use serde_json::Value;

use crate::tools::Outcome;

/// Values in structured content up to which it is looked for in the text one by one.
const LEAVES: usize = 64;

/// The outcome of a call that was answered.
pub(super) fn outcome(result: CallToolResult) -> Outcome {
    let mut text = result.content.iter().map(block).collect::<Vec<_>>().join("\n");
    if let Some(structured) = &result.structured_content
        && !says(&text, structured)
    {
        if !text.is_empty() {
            text.push('\n');
        }
        text.push_str(&structured.to_string());
    }
    if result.is_error == Some(true) {
        Outcome::failed(if text.is_empty() {
            "The tool failed without a word.".into()
        } else {
            text
        })
    } else {
        Outcome::Done { text }
    }
}

/// A piece of content as text. Pictures and sounds are named, not sent: as base64 they would be
/// hundreds of thousands of characters that say nothing.
pub(super) fn block(content: &ContentBlock) -> String {
    match content {
        ContentBlock::Text(text) => text.text.clone(),
        ContentBlock::Image(image) => data("image", &image.mime_type, &image.data),
        ContentBlock::Audio(audio) => data("audio", &audio.mime_type, &audio.data),
        ContentBlock::Resource(embedded) => match &embedded.resource {
            ResourceContents::TextResourceContents { uri, text, .. } => format!("[{uri}]\n{text}"),
            ResourceContents::BlobResourceContents { uri, mime_type, blob, .. } => {
                data(uri, mime_type.as_deref().unwrap_or("bytes"), blob)
            }
            _ => "[a resource of an unknown kind]".into(),
        },
        ContentBlock::ResourceLink(link) => format!("[{}: {}]", link.name, link.uri),
        _ => "[content of an unknown kind]".into(),
    }
}

fn data(what: &str, kind: &str, base64: &str) -> String {
    format!("[{what}: {kind}, {} bytes, not shown]", base64.len() / 4 * 3)
}

/// Whether the text already says what the structured content says: servers send both.
fn says(text: &str, structured: &Value) -> bool {
    if text.is_empty() {
        return matches!(structured, Value::Null);
    }
    if serde_json::from_str::<Value>(text).is_ok_and(|said| said == *structured) {
        return true;
    }
    let mut leaves = Vec::new();
    gather(structured, &mut leaves);
    // So much structure beside words of its own is taken for the same: searching a large text for
    // thousands of values would cost more than it could save.
    leaves.len() > LEAVES || leaves.iter().all(|leaf| text.contains(leaf.as_str()))
}

fn gather(value: &Value, leaves: &mut Vec<String>) {
    if leaves.len() > LEAVES {
        return;
    }
    match value {
        Value::Null | Value::Bool(_) => {}
        Value::Number(number) => leaves.push(number.to_string()),
        Value::String(text) => leaves.push(text.clone()),
        Value::Array(values) => values.iter().for_each(|value| gather(value, leaves)),
        Value::Object(fields) => fields.values().for_each(|value| gather(value, leaves)),
    }
}

#[cfg(test)]
mod tests {
    use rmcp::model::ContentBlock;
    use serde_json::json;

    use super::*;

    fn told(text: Option<&str>, structured: Option<Value>) -> String {
        let mut result =
            CallToolResult::success(text.map(ContentBlock::text).into_iter().collect());
        result.structured_content = structured;
        match outcome(result) {
            Outcome::Done { text } => text,
            Outcome::Failed { message } => message,
        }
    }

    #[test]
    fn text_and_structure_that_say_the_same_are_kept_once() {
        let big = "line\n".repeat(100_000);
        for (text, structured, kept) in [
            (Some("hello"), None, "hello"),
            (Some("{\"a\": 1}"), Some(json!({ "a": 1 })), "{\"a\": 1}"),
            (None, Some(json!({ "a": 1 })), "{\"a\":1}"),
            (Some("ok"), Some(json!({ "id": 77 })), "ok\n{\"id\":77}"),
            (Some(&big), Some(json!({ "content": big })), &big),
            (None, Some(Value::Null), ""),
        ] {
            assert_eq!(told(text, structured), kept);
        }
    }

    #[test]
    fn pictures_are_named_and_not_sent() {
        let shown = block(&ContentBlock::image("QUJD".repeat(1_000), "image/png"));
        assert_eq!(shown, "[image: image/png, 3000 bytes, not shown]");
    }
}
