//! Loads a transcript in pages.
//!
//! A page that starts at a message which has left the path starts at its nearest ancestor on the path. The
//! summary of a range is loaded with the messages that it stands beside.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use skein_domain::cache_miss::CacheMiss;
use skein_domain::cost::Cost;
use skein_domain::error::Result;
use skein_domain::generation::Generation;
use skein_domain::ids::{MessageId, PointId, ThreadId};
use skein_domain::message::{Message, MessageState};
use skein_store::TranscriptPage;

use super::Messages;
use super::point_markers::{PointMarkers, range_neighbours};
use crate::context::context_card::card_breakdown;
use crate::view::{TranscriptItem, TranscriptPosition, TranscriptView};

impl Messages {
    /// A page of the path that is shown.
    pub async fn transcript(
        &self,
        thread: ThreadId,
        position: TranscriptPosition,
        limit: u32,
    ) -> Result<TranscriptView> {
        let ids = self.store.path_ids(thread).await?;
        let points = self.store.points(thread).await?;
        let neighbours = range_neighbours(&ids, &points);
        let path = ShownPath { ids: &ids, neighbours: &neighbours };
        let Range { start: from, end: to } = self.page_range(path, position, limit).await?;
        // A card may come before the first message.
        if from >= to && !ids.is_empty() {
            return Ok(empty(from, ids.len()));
        }
        let last = to.checked_sub(1).and_then(|last| ids.get(last)).copied();
        let length = u32::try_from(to.saturating_sub(from)).unwrap_or(u32::MAX);
        let mut page = self.store.transcript_page(thread, last, length).await?;
        self.move_range_summaries(&mut page, &neighbours).await?;
        let (stale, encrypted) = if page.beside.iter().any(Message::is_summary) {
            (self.stale_points(thread).await?, self.store.encrypting_models(thread).await?)
        } else {
            (HashSet::new(), HashMap::new())
        };
        let marks = PointMarkers::of(&ids, &points, &stale, &encrypted);
        let details = self.message_details(thread, &page).await?;
        let mut items = items(page, &marks, &neighbours, details, from);
        let end = last.filter(|_| to == ids.len());
        if let Some(item) = items.iter_mut().find(|it| Some(it.message.id) == end) {
            item.later = self.store.next_user_message(item.message.id).await?;
        }
        self.unstored.overlay(&mut items);
        let session = self.store.thread(thread).await?.session_id;
        if !self.live_sessions.get(session).turn.is_running() {
            items.iter_mut().for_each(mark_interrupted);
        }
        Ok(TranscriptView {
            items,
            before: u32::try_from(from).unwrap_or(u32::MAX),
            after: u32::try_from(ids.len() - to).unwrap_or(u32::MAX),
        })
    }

    /// The indexes on the path of the messages of a page.
    async fn page_range(
        &self,
        path: ShownPath<'_>,
        position: TranscriptPosition,
        limit: u32,
    ) -> Result<Range<usize>> {
        let count = path.ids.len();
        let limit = usize::try_from(limit.clamp(1, 500)).unwrap_or(500);
        let (from, to) = match position {
            TranscriptPosition::End {} => (count.saturating_sub(limit), count),
            TranscriptPosition::Before { message_id } => {
                let end = self.locate(path, message_id).await?.end_of_earlier();
                (end.saturating_sub(limit), end)
            }
            TranscriptPosition::After { message_id } => {
                let begin = self.locate(path, message_id).await?.at + 1;
                (begin, begin + limit)
            }
            TranscriptPosition::Around { message_id } => {
                let begin = self.locate(path, message_id).await?.at.saturating_sub(limit / 2);
                (begin, begin + limit)
            }
        };
        Ok(from.min(count)..to.min(count))
    }

    async fn message_details(
        &self,
        thread: ThreadId,
        page: &TranscriptPage,
    ) -> Result<MessageDetails> {
        let ids = || page.messages.iter().map(|it| it.message.id);
        let Some((first, last)) = ids().min().zip(ids().max()) else {
            return Ok(MessageDetails::default());
        };
        Ok(MessageDetails {
            replies: self.store.replies(thread, first, last).await?,
            costs: self.store.message_costs(thread, first, last).await?,
            cache_misses: self.store.cache_misses(first, last).await?,
        })
    }

    /// The position of a message on the path. For a message that is on another branch or deleted, the
    /// position of its nearest ancestor on the path; for the summary of a range, that of its neighbour.
    async fn locate(&self, path: ShownPath<'_>, message: MessageId) -> Result<PathLocation> {
        let position = |id: &MessageId| path.ids.iter().position(|it| it == id);
        let at = match path.neighbours.get(&message) {
            Some(neighbour) => position(neighbour),
            None => self.store.ancestor_ids(message).await?.iter().rev().find_map(position),
        };
        Ok(PathLocation { at: at.unwrap_or(0), is_exact: path.ids.contains(&message) })
    }

    /// Moves the summaries of ranges to the page with their neighbours.
    async fn move_range_summaries(
        &self,
        page: &mut TranscriptPage,
        neighbours: &HashMap<MessageId, MessageId>,
    ) -> Result<()> {
        page.beside.retain(|message| !neighbours.contains_key(&message.id));
        let shown: HashSet<_> = page.messages.iter().map(|it| it.message.id).collect();
        for (summary, _) in neighbours.iter().filter(|(_, neighbour)| shown.contains(neighbour)) {
            page.beside.push(self.store.message(*summary).await?);
        }
        page.beside.sort_by_key(|message| message.id);
        Ok(())
    }

    /// The stale points of a current thread. An archived thread has none, because it cannot change.
    async fn stale_points(&self, thread: ThreadId) -> Result<HashSet<PointId>> {
        let session = self.store.session(self.store.thread(thread).await?.session_id).await?;
        if session.current_thread != thread {
            return Ok(HashSet::new());
        }
        let counter = self.models.counter(&self.model_choices.session_model(&session)).await?;
        let loaded = self.thread_cache.get(&self.store, thread, &counter).await?;
        let stale = loaded.points.iter().filter(|point| point.stale);
        Ok(stale.map(|point| point.point.id).collect())
    }
}

/// Marks a reply that is still streaming in the store as interrupted, because no turn is running.
fn mark_interrupted(item: &mut TranscriptItem) {
    if item.message.state == (MessageState::Streaming {}) {
        item.message.state = MessageState::Interrupted {};
    }
}

fn empty(before: usize, all: usize) -> TranscriptView {
    TranscriptView {
        items: Vec::new(),
        before: u32::try_from(before.min(all)).unwrap_or(u32::MAX),
        after: u32::try_from(all.saturating_sub(before)).unwrap_or(u32::MAX),
    }
}

/// The messages in order. A summary or card follows the message it belongs to, or its neighbour.
fn items(
    page: TranscriptPage,
    marks: &PointMarkers<'_>,
    neighbours: &HashMap<MessageId, MessageId>,
    mut details: MessageDetails,
    from: usize,
) -> Vec<TranscriptItem> {
    let mut items = Vec::with_capacity(page.messages.len() + page.beside.len());
    let beside = |parent: Option<MessageId>, number: u32| {
        let follows =
            |message: &Message| neighbours.get(&message.id).copied().or(message.parent_id);
        let followers = page.beside.iter().filter(move |message| follows(message) == parent);
        followers.map(move |message| TranscriptItem {
            number,
            siblings: Vec::new(),
            later: None,
            covered_by: None,
            point: marks.of_summary(message),
            generation: None,
            cost: None,
            cache_miss: None,
            card: card_breakdown(message),
            unstored: None,
            message: message.clone(),
        })
    };
    items.extend(beside(None, 0));
    for (offset, it) in page.messages.into_iter().enumerate() {
        let at = from + offset;
        let number = u32::try_from(at + 1).unwrap_or(u32::MAX);
        let id = it.message.id;
        items.push(TranscriptItem {
            number,
            siblings: it.siblings,
            later: None,
            covered_by: marks.covering(at).map(|point| point.id),
            point: None,
            generation: details.replies.remove(&it.message.id),
            cost: None,
            cache_miss: None,
            card: None,
            unstored: None,
            message: it.message,
        });
        items.extend(beside(Some(id), number));
    }
    for item in &mut items {
        item.cost = details.costs.remove(&item.message.id);
        item.cache_miss = details.cache_misses.remove(&item.message.id);
    }
    items
}

/// The stored details of the messages of a page.
#[derive(Default)]
struct MessageDetails {
    replies: HashMap<MessageId, Generation>,
    costs: HashMap<MessageId, Cost>,
    cache_misses: HashMap<MessageId, CacheMiss>,
}

/// The path of a thread, and the messages that the summaries of its ranges follow.
#[derive(Clone, Copy)]
struct ShownPath<'a> {
    ids: &'a [MessageId],
    neighbours: &'a HashMap<MessageId, MessageId>,
}

/// The position of a message, or of its ancestor, on the path.
struct PathLocation {
    at: usize,
    /// True if the line is the message itself.
    is_exact: bool,
}

impl PathLocation {
    /// The end of the range before the message. An ancestor itself is before it.
    fn end_of_earlier(&self) -> usize {
        if self.is_exact { self.at } else { self.at + 1 }
    }
}
