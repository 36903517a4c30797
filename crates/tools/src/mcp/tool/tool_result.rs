//! The result of an MCP tool, as text and pictures without duplicates.

use std::borrow::Cow;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use rmcp::model::{CallToolResult, ContentBlock, ResourceContents};
use serde_json::Value;
use skein_documents::image_info::ImageFile;
use skein_domain::message::image_scaling::{MOST_BYTES, MOST_SIDE};

use crate::ToolOutcome;

/// The number of structured values that are searched in the text; from more, as many are sampled
/// evenly.
const MAX_SAMPLES: usize = 64;
/// The limit of pictures in a result.
const MAX_PICTURES: usize = 8;

pub(crate) fn outcome(result: CallToolResult) -> ToolOutcome {
    let failed = result.is_error == Some(true);
    let mut pictures = Vec::new();
    let mut block_text = |content: &ContentBlock| match picture_of(content) {
        Some(picture) if !failed && pictures.len() < MAX_PICTURES => {
            let line = picture_line(&picture);
            pictures.push(picture);
            line
        }
        Some(_) | None => content_text(content),
    };
    let mut text = result.content.iter().map(&mut block_text).collect::<Vec<_>>().join("\n");
    if let Some(structured) = &result.structured_content
        && !contains_structured(&text, structured)
    {
        if !text.is_empty() {
            text.push('\n');
        }
        text.push_str(&structured.to_string());
    }
    if failed {
        ToolOutcome::failed(if text.is_empty() {
            "The tool failed without a word.".into()
        } else {
            text
        })
    } else {
        ToolOutcome::Done { text, pictures }
    }
}

/// The picture in a content block, if models with vision accept its format.
fn picture_of(content: &ContentBlock) -> Option<ImageFile> {
    let data = match content {
        ContentBlock::Image(image) => &image.data,
        ContentBlock::Resource(embedded) => match &embedded.resource {
            ResourceContents::BlobResourceContents { blob, .. } => blob,
            _ => return None,
        },
        _ => return None,
    };
    if data.len() / 4 * 3 > MOST_BYTES as usize {
        return None;
    }
    let picture = ImageFile::new(STANDARD.decode(data).ok()?)?;
    let fits = |(width, height): (u32, u32)| width.max(height) <= MOST_SIDE;
    picture.size.is_none_or(fits).then_some(picture)
}

/// The line of text in place of a picture, for models without vision.
fn picture_line(picture: &ImageFile) -> String {
    match picture.size {
        Some((width, height)) => {
            format!("[picture: {}, {width} × {height} pixels]", picture.media_type)
        }
        None => format!("[picture: {}]", picture.media_type),
    }
}

/// A content block as text. Other data than text and pictures is only named: base64 would be
/// hundreds of thousands of useless characters.
pub(crate) fn content_text(content: &ContentBlock) -> String {
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

/// True if the text already contains the structured content: servers send both.
fn contains_structured(text: &str, structured: &Value) -> bool {
    if text.is_empty() {
        return matches!(structured, Value::Null);
    }
    if serde_json::from_str::<Value>(text).is_ok_and(|value| value == *structured) {
        return true;
    }
    let mut leaves = Vec::new();
    gather(structured, &mut leaves);
    // Only a sample is searched, because searching a large text for thousands of values is slow.
    // The size check guards against common values: one line of text cannot contain two hundred
    // rows.
    let size: usize = leaves.iter().map(|leaf| word(leaf).len()).sum();
    let stride = leaves.len().div_ceil(MAX_SAMPLES).max(1);
    let mut some = leaves.iter().rev().step_by(stride);
    text.len() >= size / 2 && some.all(|leaf| contains_value(leaf, text))
}

/// Collects the values that are neither arrays nor objects.
fn gather<'a>(value: &'a Value, leaves: &mut Vec<&'a Value>) {
    match value {
        Value::Null => {}
        Value::Bool(_) | Value::Number(_) | Value::String(_) => leaves.push(value),
        Value::Array(values) => values.iter().for_each(|value| gather(value, leaves)),
        Value::Object(fields) => fields.values().for_each(|value| gather(value, leaves)),
    }
}

/// True if a text contains a value, as text or as JSON.
fn contains_value(leaf: &Value, text: &str) -> bool {
    text.contains(word(leaf).as_ref()) || text.contains(&leaf.to_string())
}

/// A value as text.
fn word(leaf: &Value) -> Cow<'_, str> {
    leaf.as_str().map_or_else(|| Cow::Owned(leaf.to_string()), Cow::Borrowed)
}

#[cfg(test)]
mod tests {
    use rmcp::model::ContentBlock;
    use serde_json::json;

    use super::*;

    fn outcome_text(text: Option<&str>, structured: Option<Value>) -> String {
        let mut result =
            CallToolResult::success(text.map(ContentBlock::text).into_iter().collect());
        result.structured_content = structured;
        match outcome(result) {
            ToolOutcome::Done { text, .. } => text,
            ToolOutcome::Failed { message } => message,
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
            assert_eq!(outcome_text(text, structured), kept);
        }
    }

    #[test]
    fn structure_that_says_more_than_the_text_is_kept_however_large_it_is() {
        let row = |at: usize| format!("row {at}\nof the \"table\"");
        let rows = json!({ "rows": (0..200).map(row).collect::<Vec<_>>() });
        let both = |text: &str| format!("{text}\n{rows}");
        let list = |rows: std::ops::Range<usize>| rows.map(row).collect::<Vec<_>>().join("\n");
        let (all, some) = (list(0..200), list(0..180));
        let said = format!("Here they are: {rows}");
        for (text, kept) in [
            ("Found 200 rows.", both("Found 200 rows.")),
            (&some, both(&some)),
            (&all, all.clone()),
            (&said, said.clone()),
        ] {
            assert_eq!(outcome_text(Some(text), Some(rows.clone())), kept);
        }
        let ones = json!(vec![1; 200]);
        assert_eq!(outcome_text(Some("1 row"), Some(ones.clone())), format!("1 row\n{ones}"));
        let refused = json!({ "done": false });
        assert_eq!(outcome_text(Some("ok"), Some(refused.clone())), format!("ok\n{refused}"));
    }

    const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x02\x80\0\0\x01\xe0\x08\x06\0\0\0";

    fn picture(bytes: &[u8]) -> ContentBlock {
        ContentBlock::image(STANDARD.encode(bytes), "image/png")
    }

    #[test]
    fn pictures_are_shown_beside_the_words_that_name_them() {
        let blocks = vec![ContentBlock::text("before"), picture(PNG), ContentBlock::text("after")];
        let shown =
            ImageFile { media_type: "image/png", size: Some((640, 480)), bytes: PNG.to_vec() };
        assert_eq!(
            outcome(CallToolResult::success(blocks)),
            ToolOutcome::Done {
                text: "before\n[picture: image/png, 640 × 480 pixels]\nafter".into(),
                pictures: vec![shown],
            }
        );
    }

    #[test]
    fn what_no_model_takes_is_named_and_not_shown() {
        let mut wide = PNG.to_vec();
        wide[16..20].copy_from_slice(&9_000_u32.to_be_bytes());
        let large = [PNG, &[0; MOST_BYTES as usize]].concat();
        for (block, named) in [
            (picture(b"no picture at all"), "[image: image/png, 18 bytes, not shown]"),
            (picture(&wide), "[image: image/png, 30 bytes, not shown]"),
            (picture(&large), "[image: image/png, 3750030 bytes, not shown]"),
            (
                ContentBlock::image("not base64!", "image/png"),
                "[image: image/png, 6 bytes, not shown]",
            ),
        ] {
            assert_eq!(outcome(CallToolResult::success(vec![block])), ToolOutcome::done(named));
        }
    }

    #[test]
    fn of_very_many_pictures_the_first_are_shown() {
        let many = CallToolResult::success(vec![picture(PNG); MAX_PICTURES + 1]);
        let ToolOutcome::Done { text, pictures } = outcome(many) else { panic!("failed") };
        assert_eq!((pictures.len(), text.matches("not shown").count()), (MAX_PICTURES, 1));
    }

    #[test]
    fn a_failure_is_words_alone() {
        let failed = CallToolResult::error(vec![picture(PNG)]);
        let message = "[image: image/png, 30 bytes, not shown]".to_owned();
        assert_eq!(outcome(failed), ToolOutcome::Failed { message });
    }
}
