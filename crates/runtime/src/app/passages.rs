//! For models without tools: the covered passages that fit the newest message are added by
//! themselves, visibly, under a small budget.

use skein_context::anchors;
use skein_context::counting::{CountedText, Counts};
use skein_context::message::Role;
use skein_context::recall;

use super::App;
use super::context::Context;

/// Percent of what may be used that the passages may take.
const BUDGET_PERCENT: u32 = 3;

/// Covered passages, as they are sent.
pub(crate) struct Passages {
    pub text: CountedText,
    pub count: u32,
}

impl App {
    /// The passages for the newest message; `None` where nothing is covered or nothing fits.
    pub(crate) fn passages(&self, context: &Context) -> Option<Passages> {
        let messages = || context.loaded.messages();
        let tail_from =
            Some(context.look(None, |window| window.tail_from)).filter(|from| *from > 0)?;
        let covered = messages().take(tail_from);
        let question = messages().rev().find(|message| message.role == Role::User)?.text();
        let available = context.limits.available(context.policy.output_reserve)?;
        let budget = skein_context::limits::percent(available, BUDGET_PERCENT);
        let counter = context.counter.as_ref();
        let sources = anchors::sources(covered);
        let found = recall::recall(&question, &sources, budget, |text| counter.text(text));
        (!found.is_empty()).then(|| Passages {
            text: CountedText::new(counter, recall::render(&found)),
            count: u32::try_from(found.len()).unwrap_or(u32::MAX),
        })
    }
}
