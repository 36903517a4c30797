//! The facts of the originals that are carried beside a summary: chosen once it is written, and anew
//! when the person edits it.

use std::sync::Arc;

use skein_context::anchors::{self, Chosen};
use skein_context::counting::{Counts, sum};
use skein_context::message::{Message, MessageId};

use super::App;
use super::context::Context;
use crate::error::Result;

impl Context {
    /// Those of everything up to `boundary` that `summary` does not say itself, in at most `budget`
    /// tokens. Off the async threads: a long conversation takes a moment.
    pub async fn facts(&self, boundary: MessageId, summary: &str, budget: u32) -> Chosen {
        let (loaded, counter) = (Arc::clone(&self.loaded), Arc::clone(&self.counter));
        let summary = summary.to_owned();
        let found = tokio::task::spawn_blocking(move || {
            let originals = loaded.up_to(boundary).into_iter().flatten();
            let found = anchors::beside(&anchors::sources(originals), &summary);
            anchors::choose(found, budget, |text| counter.text(text))
        });
        found.await.unwrap_or_default()
    }

    /// Tokens that facts of everything up to a message may have.
    fn facts_budget(&self, boundary: MessageId) -> u32 {
        let covered = self.loaded.up_to(boundary).map_or(0, |covered| covered.len());
        let originals = self.loaded.counted().into_iter().take(covered);
        let originals = originals.filter(|counted| !counted.message.is_left_out());
        let originals = sum(originals.map(|counted| counted.tokens.total()));
        anchors::budget(originals, self.limits.assumed_threshold(&self.policy))
    }
}

impl App {
    /// The facts to be carried beside other words for a summary; `None` leaves them as they are: its
    /// point is not on the path that the session goes on with.
    pub(super) async fn facts_beside(
        &self,
        summary: &Message,
        words: &str,
    ) -> Result<Option<String>> {
        let session = self.store.thread(summary.thread_id).await?.session_id;
        let context = self.context(session).await?;
        let points = &context.loaded.points;
        let Some(point) = points.iter().find(|it| it.point.summary_message_id == summary.id) else {
            return Ok(None);
        };
        let boundary = point.point.boundary_message_id;
        let chosen = context.facts(boundary, words, context.facts_budget(boundary)).await;
        Ok(Some(anchors::render(&chosen.kept)))
    }
}
