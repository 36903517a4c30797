//! The readable parts of the items of a provider's own compaction, in the format of OpenAI Responses.

use serde_json::Value;

use crate::tokens::message_tokens::{MESSAGE_OVERHEAD, Tokenizer, opaque_tokens, saturating_sum};

/// A part of an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ItemPart<'a> {
    /// The text of a message.
    Text(&'a str),
    /// An image of a message.
    Image,
    /// Content that only the provider can read.
    Encrypted(&'a str),
}

/// The parts of the items in order.
pub(super) fn item_parts(items: &[Value]) -> impl Iterator<Item = ItemPart<'_>> {
    items.iter().flat_map(|item| match &item["content"] {
        Value::String(text) => vec![ItemPart::Text(text)],
        Value::Array(pieces) => pieces.iter().filter_map(message_part).collect(),
        _ => item["encrypted_content"].as_str().map(ItemPart::Encrypted).into_iter().collect(),
    })
}

/// True if messages of the user stand in the items word for word. Some servers give the encrypted item alone.
pub fn has_readable_text(items: &[Value]) -> bool {
    item_parts(items).any(|part| matches!(part, ItemPart::Text(_)))
}

/// The tokens of the items in a prompt. `reported`: those of the encrypted content, as the provider counted
/// them when it wrote it; `None`: it did not, and they are estimated. The provider writes no messages of the
/// user, so that its count does not include them. The size of an image is not in the items: it counts as one
/// of unknown size.
pub fn item_tokens(counter: &impl Tokenizer, items: &[Value], reported: Option<u32>) -> u32 {
    let (mut readable, mut encrypted) = (0, 0);
    for part in item_parts(items) {
        match part {
            ItemPart::Text(text) => {
                readable = saturating_sum([readable, counter.text(text), MESSAGE_OVERHEAD]);
            }
            ItemPart::Image => readable = saturating_sum([readable, counter.image(None, None)]),
            ItemPart::Encrypted(content) => encrypted += opaque_tokens(content),
        }
    }
    readable.saturating_add(reported.unwrap_or(encrypted))
}

fn message_part(piece: &Value) -> Option<ItemPart<'_>> {
    let image = (piece["type"] == "input_image").then_some(ItemPart::Image);
    piece["text"].as_str().map(ItemPart::Text).or(image)
}
