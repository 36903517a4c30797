//! The facts of the originals that are carried beside a summary: chosen once it is written, and anew
//! when the person edits it, or leaves out or takes in something that it covers.

use std::collections::HashMap;
use std::sync::Arc;

use skein_context::anchors::{self, Chosen};
use skein_context::compaction::CompactionPoint;
use skein_context::counting::{Counts, count_message, sum};
use skein_context::message::{Inclusion, Message, MessageId, PointId};

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

    /// The lines to be carried beside `summary` for these originals, whatever path they are on.
    async fn facts_of(&self, originals: Vec<Message>, summary: String) -> String {
        let (loaded, counter) = (Arc::clone(&self.loaded), Arc::clone(&self.counter));
        let threshold = self.limits.assumed_threshold(&self.policy);
        let found = tokio::task::spawn_blocking(move || {
            let known: HashMap<_, _> =
                loaded.counted().into_iter().map(|it| (it.message.id, it.tokens)).collect();
            let tokens = |message: &Message| match known.get(&message.id) {
                Some(tokens) => tokens.total(),
                None => count_message(counter.as_ref(), message).total(),
            };
            let sent = originals.iter().filter(|message| !message.is_left_out());
            let budget = anchors::budget(sum(sent.map(tokens)), threshold);
            let found = anchors::beside(&anchors::sources(&originals), &summary);
            let chosen = anchors::choose(found, budget, |text| counter.text(text));
            anchors::render(&chosen.kept)
        });
        found.await.unwrap_or_default()
    }
}

impl App {
    /// The facts to be carried beside other words for a summary; `None`: nothing carries them any more.
    pub(super) async fn facts_beside(
        &self,
        summary: &Message,
        words: &str,
    ) -> Result<Option<(PointId, String)>> {
        let points = self.store.points(summary.thread_id).await?;
        let Some(point) = points.into_iter().find(|it| it.summary_message_id == summary.id) else {
            return Ok(None);
        };
        let context = self.context_beside(summary).await?;
        let originals = self.store.path_to(point.boundary_message_id).await?;
        Ok(Some((point.id, context.facts_of(originals, words.to_owned()).await)))
    }

    /// The facts to be carried by every point that covers a message, on whatever branch, once that is
    /// left out or taken in. What a summary itself says of it stays until it is written anew.
    pub(super) async fn facts_including(
        &self,
        message: &Message,
        inclusion: Inclusion,
    ) -> Result<Vec<(PointId, String)>> {
        let mut facts = Vec::new();
        let points = self.store.points(message.thread_id).await?;
        let is_sent_as_before = message.is_left_out() == (inclusion == Inclusion::LeftOut);
        if is_sent_as_before || points.is_empty() {
            return Ok(facts);
        }
        let context = self.context_beside(message).await?;
        for CompactionPoint { id, boundary_message_id, summary_message_id, .. } in points {
            let mut originals = match context.loaded.up_to(boundary_message_id) {
                Some(path) => path.cloned().collect(),
                None => self.store.path_to(boundary_message_id).await?,
            };
            let Some(changed) = originals.iter_mut().find(|it| it.id == message.id) else {
                continue;
            };
            changed.inclusion = inclusion;
            let summary = self.store.message(summary_message_id).await?.text();
            facts.push((id, context.facts_of(originals, summary).await));
        }
        Ok(facts)
    }

    /// What the session that a message is of would send now.
    async fn context_beside(&self, message: &Message) -> Result<Context> {
        self.context(self.store.thread(message.thread_id).await?.session_id).await
    }
}
