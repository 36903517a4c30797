//! The messages of a list, each as one line.

use skein_domain::error::Result;
use skein_domain::ids::MessageId;
use skein_domain::message::{ContentPart, Message};
use skein_store::MessageLine;

use super::Messages;
use crate::view::ExcerptLength;

/// The largest number of messages of a list that are read at once.
const MAX_LINES: usize = 100;

impl Messages {
    /// The lines of messages; only the first [`MAX_LINES`].
    pub async fn lines(
        &self,
        ids: Vec<MessageId>,
        extent: ExcerptLength,
    ) -> Result<Vec<MessageLine>> {
        let wanted = ids.into_iter().take(MAX_LINES).collect();
        Ok(match extent {
            ExcerptLength::All => {
                self.store.messages(wanted).await?.into_iter().map(message_line).collect()
            }
            ExcerptLength::Beginning => self.store.message_previews(wanted).await?,
        })
    }
}

fn message_line(message: Message) -> MessageLine {
    let texts = message.parts.iter().filter_map(|part| match part {
        ContentPart::Text { text } => Some(text.as_str()),
        ContentPart::Reasoning { .. } => None,
        ContentPart::Image(picture) => Some(picture.name.as_str()),
        ContentPart::File { name, .. } => Some(name.as_str()),
        ContentPart::Tool { call } => Some(call.name.as_str()),
    });
    MessageLine {
        words: texts.collect::<Vec<_>>().join("\n"),
        message_id: message.id,
        kind: message.kind,
        origin: message.origin,
        inclusion: message.inclusion,
    }
}
