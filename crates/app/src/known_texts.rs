//! Long texts that the window has already, so that they are not sent to it again.
//!
//! A message of the conversation never changes its texts once it is complete, and a text that streams only
//! grows: its length says if the window has all of it.

use serde::{Deserialize, Serialize};
use skein_domain::ids::MessageId;
use skein_domain::message::{ContentPart, Message, MessageKind};
use specta::Type;

/// The shortest text that is left out, in UTF-16 code units. A shorter one costs the window nothing.
const MIN_CHARS: u32 = 16_384;

/// A long text of a message, without the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct KnownText {
    /// The message.
    pub message_id: MessageId,
    /// The index of its part.
    pub part: u32,
    /// The length of the text, in UTF-16 code units.
    pub chars: u32,
}

/// Empties the long texts of a message, and lists them.
pub(crate) fn leave_out_long_texts(message: &mut Message) -> Vec<KnownText> {
    let texts = long_texts(message).collect();
    leave_out(message, texts)
}

/// Empties the texts that `known` names in their present length, and lists them.
pub(crate) fn leave_out_known_texts(message: &mut Message, known: &[KnownText]) -> Vec<KnownText> {
    let texts = long_texts(message).filter(|text| known.contains(text)).collect();
    leave_out(message, texts)
}

fn leave_out(message: &mut Message, texts: Vec<KnownText>) -> Vec<KnownText> {
    if texts.is_empty() {
        return texts;
    }
    let parts = message.parts.iter().zip(0..).map(|(part, at)| {
        match texts.iter().any(|text| text.part == at) {
            true => without_text(part),
            false => part.clone(),
        }
    });
    message.parts = parts.collect();
    texts
}

/// The long texts of a message. A summary has none: the user can edit it.
fn long_texts(message: &Message) -> impl Iterator<Item = KnownText> {
    let is_fixed = matches!(message.kind, MessageKind::Chat {} | MessageKind::Notice { .. });
    let message_id = message.id;
    let parts = message.parts.iter().filter(move |_| is_fixed).zip(0..);
    parts.filter_map(move |(part, at)| {
        let text = text_of(part)?;
        // Most texts are short: their characters are not counted.
        let may_be_long = text.len() >= MIN_CHARS as usize;
        let chars = u32::try_from(may_be_long.then(|| text.encode_utf16().count())?).ok()?;
        (chars >= MIN_CHARS).then_some(KnownText { message_id, part: at, chars })
    })
}

fn text_of(part: &ContentPart) -> Option<&str> {
    match part {
        ContentPart::Text { text }
        | ContentPart::Reasoning { text, .. }
        | ContentPart::File { text, .. } => Some(text),
        ContentPart::Image(_) | ContentPart::Tool { .. } => None,
    }
}

/// The part with an empty text. The text is not cloned.
fn without_text(part: &ContentPart) -> ContentPart {
    match part {
        ContentPart::Text { .. } => ContentPart::Text { text: String::new() },
        ContentPart::Reasoning { signature, .. } => {
            ContentPart::Reasoning { text: String::new(), signature: signature.clone() }
        }
        ContentPart::File { blob, name, media_type, bytes, .. } => ContentPart::File {
            blob: *blob,
            name: name.clone(),
            media_type: media_type.clone(),
            text: String::new(),
            bytes: *bytes,
        },
        ContentPart::Image(_) | ContentPart::Tool { .. } => part.clone(),
    }
}

#[cfg(test)]
mod tests {
    use skein_domain::compaction_point::SummaryWriter;
    use skein_domain::ids::ThreadId;
    use skein_domain::message::{Inclusion, MessageState, Origin, Role};

    use super::*;

    fn message(kind: MessageKind, parts: &[&str]) -> Message {
        Message {
            id: MessageId(7),
            thread_id: ThreadId(1),
            parent_id: None,
            kind,
            role: Role::Assistant,
            origin: Origin::Model,
            parts: parts.iter().map(|text| ContentPart::Text { text: (*text).into() }).collect(),
            state: MessageState::Complete {},
            inclusion: Inclusion::Usual,
            model: None,
            created_at: 0,
        }
    }

    #[test]
    fn long_texts_are_counted_as_the_page_counts_them_and_short_ones_stay() {
        let long = "织🧶".repeat(6_000);
        let mut reply = message(MessageKind::Chat {}, &["short", &long]);
        let texts = leave_out_long_texts(&mut reply);
        assert_eq!(reply.text(), "short\n\n");
        assert_eq!(texts, [KnownText { message_id: MessageId(7), part: 1, chars: 18_000 }]);
    }

    #[test]
    fn a_summary_is_sent_whole() {
        let long = "loom".repeat(6_000);
        let mut summary =
            message(MessageKind::Summary { writer: SummaryWriter::default() }, &[&long]);
        assert_eq!(leave_out_long_texts(&mut summary), []);
        assert_eq!(summary.text(), long);
    }

    #[test]
    fn a_text_is_left_out_only_in_the_length_that_the_window_has() {
        let long = "loom".repeat(6_000);
        let mut reply = message(MessageKind::Chat {}, &[&long]);
        let shorter = KnownText { message_id: MessageId(7), part: 0, chars: 23_999 };
        assert_eq!(leave_out_known_texts(&mut reply, &[shorter]), []);
        assert_eq!(reply.text(), long);
        let whole = KnownText { chars: 24_000, ..shorter };
        assert_eq!(leave_out_known_texts(&mut reply, &[shorter, whole]), [whole]);
        assert_eq!(reply.text(), "");
    }
}
