//! The card that `/context` posts: a message of the breakdown, which a model never reads.
//!
//! The store has the breakdown as the JSON of the message's only text part. Not here: computing a breakdown
//! (`skein_context::health::breakdown`).

use skein_context::health::breakdown::Breakdown;
use skein_domain::error::{Error, Result};
use skein_domain::message::{ContentPart, Message, MessageKind, MessageState, Origin, Role};
use skein_domain::model::ModelRef;
use skein_store::{MessageParent, NewMessage};

use crate::clock::now;

/// The card of a breakdown, as a new message beside the path.
///
/// # Errors
/// [`Error::Storage`] if the breakdown cannot be serialised.
pub(super) fn context_card(breakdown: &Breakdown, model: ModelRef) -> Result<NewMessage> {
    let text = serde_json::to_string(breakdown)
        .map_err(|error| Error::Storage { detail: error.to_string() })?;
    Ok(NewMessage {
        parent: MessageParent::Leaf,
        kind: MessageKind::Card {},
        role: Role::User,
        origin: Origin::Runtime,
        parts: vec![ContentPart::Text { text }],
        state: MessageState::Complete {},
        model: Some(model),
        created_at: now(),
    })
}

/// The breakdown of a card; `None`: the message is no card, or its text is no breakdown this version knows.
pub(crate) fn card_breakdown(message: &Message) -> Option<Breakdown> {
    let text = message.parts.iter().find_map(ContentPart::as_text)?;
    let is_card = message.kind == MessageKind::Card {};
    is_card.then(|| serde_json::from_str(text).ok()).flatten()
}

#[cfg(test)]
mod tests {
    use skein_domain::ids::{MessageId, ThreadId};
    use skein_domain::message::Inclusion;

    use super::*;

    fn message(kind: MessageKind, text: &str) -> Message {
        Message {
            id: MessageId(1),
            thread_id: ThreadId(1),
            parent_id: None,
            kind,
            role: Role::User,
            origin: Origin::Runtime,
            parts: [ContentPart::Text { text: text.to_owned() }].into(),
            state: MessageState::Complete {},
            inclusion: Inclusion::Usual,
            model: None,
            created_at: 0,
        }
    }

    #[test]
    fn a_card_of_an_earlier_version_has_its_breakdown_and_a_foreign_text_none() {
        let card = |text| card_breakdown(&message(MessageKind::Card {}, text));
        // Versions before the price steps wrote no `priceStep`.
        let stored =
            r#"{"window":8000,"assumed":false,"mode":{"type":"estimated"},"rows":[],"over":0}"#;
        assert_eq!(card(stored).map(|it| it.window), Some(8_000));
        assert_eq!(card("no JSON"), None);
        assert_eq!(card(r#"{"rows":1}"#), None);
        assert_eq!(card_breakdown(&message(MessageKind::Chat {}, stored)), None);
    }
}
