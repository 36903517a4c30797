//! Retrieves covered passages that match the user's last message, for models without tools. They are added to
//! the request in little room, and the UI shows them.
//!
//! Not here: the search itself (`skein_context::retrieval`).

use std::sync::Arc;

use skein_context::limits::policy::Policy;
use skein_context::limits::{Limits, percent_of};
use skein_context::retrieval;
use skein_context::tokens::message_tokens::{CountedText, Tokenizer};
use skein_domain::ids::PointId;
use skein_domain::message::{Message, MessageKind, Origin};
use skein_platform::blocking::run_blocking;

use super::turn_context::TurnContext;

/// The room for the passages, in percent of the tokens available.
const ROOM_PERCENT: u32 = 3;

/// Covered passages as they are sent, and their number.
pub(crate) struct RetrievedPassages {
    pub text: CountedText,
    pub count: u32,
}

impl TurnContext {
    /// The passages for the user's last message; `None`: nothing is covered or nothing fits. Building the
    /// index of a long conversation takes a while. An error is logged, and the request leaves without
    /// passages.
    pub(super) async fn retrieve_passages(&self) -> Option<RetrievedPassages> {
        let (applying, question, room) = self.retrieval_query()?;
        let (loaded, counter) = (Arc::clone(&self.loaded), Arc::clone(&self.counter));
        let retrieved = run_blocking("finding passages", move || {
            let point = loaded.points.iter().find(|it| it.point.id == applying)?;
            let index = point.index(&loaded);
            let passages = retrieval::retrieve(&question, index, room, |text| counter.text(text));
            (!passages.is_empty()).then(|| RetrievedPassages {
                text: CountedText::new(counter.as_ref(), retrieval::render(&passages)),
                count: u32::try_from(passages.len()).unwrap_or(u32::MAX),
            })
        })
        .await;
        retrieved.unwrap_or_else(|error| {
            tracing::warn!(%error, "the request leaves without passages");
            None
        })
    }

    /// The point that applies, the text of the user's last message, and the tokens that passages may take.
    fn retrieval_query(&self) -> Option<(PointId, String, u32)> {
        let applying =
            self.with_window(None, |window| window.latest_point().map(|it| it.point.id))?;
        let question = self.loaded.messages().rev().find(|it| is_sent_user_message(it))?.text();
        Some((applying, question, retrieval_room(self.limits, &self.policy)?))
    }
}

/// Tokens that passages may take; `None`: the limit of the prompt is unknown, and none are added.
pub(super) fn retrieval_room(limits: Limits, policy: &Policy) -> Option<u32> {
    Some(percent_of(limits.available(policy.output_reserve)?, ROOM_PERCENT))
}

/// True if the user wrote the message and the model reads it. A notice has the same role but another origin.
fn is_sent_user_message(message: &Message) -> bool {
    let is_of_user = message.origin == Origin::Person && message.kind == (MessageKind::Chat {});
    is_of_user && !message.is_left_out()
}
