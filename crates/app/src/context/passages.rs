//! For models without tools: the covered passages that fit what the person said last are added by
//! themselves, visibly, under a small budget.

use std::sync::Arc;

use skein_context::limits::policy::Policy;
use skein_context::limits::{Limits, percent_of};
use skein_context::retrieval;
use skein_context::tokens::message_tokens::{CountedText, Tokenizer};
use skein_domain::ids::PointId;
use skein_domain::message::{Message, MessageKind, Origin};
use skein_platform::blocking::run_blocking;

use super::turn_context::TurnContext;

/// Percent of what may be used that the passages may take.
const BUDGET_PERCENT: u32 = 3;

/// Covered passages, as they are sent.
pub(crate) struct RetrievedPassages {
    pub text: CountedText,
    pub count: u32,
}

impl TurnContext {
    /// The passages for what the person said last; `None` where nothing is covered or nothing fits.
    /// A long conversation takes a moment, the first time. What breaks off is logged, and the answer goes
    /// without: what everything else asks of the session does not depend on it.
    pub(super) async fn retrieve_passages(&self) -> Option<RetrievedPassages> {
        let (applying, question, budget) = self.sought()?;
        let (loaded, counter) = (Arc::clone(&self.loaded), Arc::clone(&self.counter));
        let found = run_blocking("finding passages", move || {
            let point = loaded.points.iter().find(|it| it.point.id == applying)?;
            let index = point.index(&loaded);
            let found = retrieval::retrieve(&question, index, budget, |text| counter.text(text));
            (!found.is_empty()).then(|| RetrievedPassages {
                text: CountedText::new(counter.as_ref(), retrieval::render(&found)),
                count: u32::try_from(found.len()).unwrap_or(u32::MAX),
            })
        })
        .await;
        found.unwrap_or_else(|error| {
            tracing::warn!(%error, "no passages go along");
            None
        })
    }

    /// The point that applies, what the person said last, and how much the passages for it may take.
    fn sought(&self) -> Option<(PointId, String, u32)> {
        let applying =
            self.with_window(None, |window| window.applied_point.map(|it| it.point.id))?;
        let question = self.loaded.messages().rev().find(|it| asks(it))?.text();
        Some((applying, question, retrieval_budget(self.limits, &self.policy)?))
    }
}

/// Tokens that passages may take; `None`: what may be used is unknown, and there are none.
pub(super) fn retrieval_budget(limits: Limits, policy: &Policy) -> Option<u32> {
    Some(percent_of(limits.available(policy.output_reserve)?, BUDGET_PERCENT))
}

/// Whether a message is what the person said, and the model hears: a notice has the same role.
fn asks(message: &Message) -> bool {
    let said = message.origin == Origin::Person && message.kind == (MessageKind::Chat {});
    said && !message.is_left_out()
}
