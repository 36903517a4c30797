//! A thread's path, read from the store and counted.
//!
//! Not here: caching it (`thread_cache`), deciding anything (`skein-context`).

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use skein_context::compaction::stale_points;
use skein_context::facts;
use skein_context::retrieval::PassageIndex;
use skein_context::tokens::TokenCounter;
use skein_context::tokens::message_tokens::{
    CountedMessageRef, CountedText, MessageTokens, count_message,
};
use skein_context::window::PointSummary;
use skein_context::window::applied_points::applied_points;
use skein_domain::compaction_point::CompactionPoint;
use skein_domain::encrypted_summary::EncryptedSummary;
use skein_domain::error::{Error, Result};
use skein_domain::ids::{MessageId, PointId, ThreadId};
use skein_domain::message::{ContentPart, Message, MessageState};
use skein_domain::session::Thread;
use skein_platform::blocking::run_blocking;
use skein_store::{MessageParent, Store};

/// A thread's path with its token counts. A clone shares the messages.
#[derive(Clone)]
pub(crate) struct LoadedThread {
    pub thread: Thread,
    pub(super) path: Vec<Arc<CountedMessage>>,
    pub points: Vec<LoadedPoint>,
    /// True if a summary of the thread carries facts that older rules found.
    pub has_outdated_facts: bool,
    pub(super) counter: TokenCounter,
}

/// A message and its tokens.
pub(super) struct CountedMessage {
    message: Message,
    tokens: MessageTokens,
}

impl CountedMessage {
    pub(super) fn new(message: Message, counter: &TokenCounter) -> Self {
        Self { tokens: count_message(counter, &message), message }
    }
}

/// A compaction point with the messages that represent it in the context.
#[derive(Clone)]
pub(crate) struct LoadedPoint {
    pub point: CompactionPoint,
    pub summary: Message,
    pub tokens: MessageTokens,
    pub facts: Option<CountedText>,
    /// The items that the provider's own compaction gave; `None`: it gave none, or the user edited the
    /// summary.
    pub encrypted: Option<Arc<EncryptedSummary>>,
    pub stale: bool,
    /// The search index of all covered messages if this is the newest point that applies, built at the first
    /// search.
    index: Arc<OnceLock<PassageIndex>>,
}

impl LoadedPoint {
    /// The search index of the messages on this path that points cover. Building it takes a while.
    pub fn index(&self, loaded: &LoadedThread) -> &PassageIndex {
        self.index.get_or_init(|| {
            let ranges = loaded.applied_ranges().into_iter();
            let covered = ranges.flat_map(|range| loaded.messages_in(range));
            PassageIndex::of(&facts::sources(covered))
        })
    }

    /// `None`: the summary has no text part.
    pub fn summary_text(&self) -> Option<&str> {
        self.summary.parts.iter().find_map(ContentPart::as_text)
    }
}

impl LoadedThread {
    /// The messages of the path, from the first to the last.
    pub fn messages(&self) -> impl DoubleEndedIterator<Item = &Message> + ExactSizeIterator {
        self.path.iter().map(|counted| &counted.message)
    }

    /// The path in the form that the engine takes.
    pub fn counted(&self) -> Vec<CountedMessageRef<'_>> {
        let counted = self
            .path
            .iter()
            .map(|it| CountedMessageRef { message: &it.message, tokens: &it.tokens });
        counted.collect()
    }

    /// The messages up to and including `id`; `None`: it is not on the path.
    pub fn up_to(&self, id: MessageId) -> Option<impl ExactSizeIterator<Item = &Message>> {
        let end = self.messages().position(|message| message.id == id)?;
        Some(self.messages().take(end + 1))
    }

    /// The indexes of the messages after `after` up to and including `last`; empty if one of them is not on
    /// the path.
    pub fn between(&self, after: Option<MessageId>, last: MessageId) -> Range<usize> {
        let end = |id| self.up_to(id).map(|messages| messages.len());
        let start = after.map_or(Some(0), end);
        start.zip(end(last)).map_or(0..0, |(start, last)| start..last)
    }

    /// The messages of the path after a message up to and including another one.
    pub fn covered_by(
        &self,
        (after, last): (Option<MessageId>, MessageId),
    ) -> impl Iterator<Item = &Message> {
        self.messages_in(self.between(after, last))
    }

    /// The messages of the path with these indexes.
    fn messages_in(&self, range: Range<usize>) -> impl Iterator<Item = &Message> {
        self.messages().take(range.end).skip(range.start)
    }

    /// The indexes of the messages that summaries stand for, by range.
    pub fn applied_ranges(&self) -> Vec<Range<usize>> {
        let points = self.points.iter().map(|it| &it.point);
        let applied = applied_points(points, self.messages().map(|message| message.id));
        applied.into_iter().map(|span| span.covered).collect()
    }

    /// The path that ends with message `end`: a part of this one, or another branch, which is loaded.
    /// `None`: an empty path.
    ///
    /// # Errors
    /// `NotFound` if the message is not in this thread.
    pub async fn ending_at(
        this: Arc<Self>,
        store: &Store,
        end: Option<MessageId>,
    ) -> Result<Arc<Self>> {
        if this.ends_with(end) {
            return Ok(this);
        }
        let kept = end.map_or(Some(0), |end| Some(this.up_to(end)?.len()));
        let Some(kept) = kept else {
            return load_thread(store, this.thread.id, MessageParent::Under(end), &this.counter)
                .await
                .map(Arc::new);
        };
        let mut shorter = Self::clone(&this);
        shorter.path.truncate(kept);
        for point in &mut shorter.points {
            // Other points may apply to the shorter path.
            point.index = Arc::default();
        }
        shorter.thread.leaf = end;
        Ok(Arc::new(shorter))
    }

    /// Adds a counted message at the end of the path, or replaces the one there with the same id. `false`:
    /// the message does not follow this path, which stays as it is.
    pub(super) fn append(this: &mut Arc<Self>, counted: CountedMessage) -> bool {
        let message = &counted.message;
        let is_present = this.ends_with(Some(message.id));
        if !is_present && !this.ends_with(message.parent_id) {
            return false;
        }
        let it = Arc::make_mut(this);
        if is_present {
            it.path.pop();
        }
        it.thread.leaf = Some(message.id);
        it.path.push(Arc::new(counted));
        true
    }

    fn ends_with(&self, id: Option<MessageId>) -> bool {
        self.messages().next_back().map(|last| last.id) == id
    }

    /// Law 12: true if a point applies to this path, not only to another branch.
    pub fn is_compacted(&self) -> bool {
        !self.applied_ranges().is_empty()
    }

    /// The points in the form that the engine takes. The items of encrypted summaries are sent to their
    /// origin alone; `origin` is that of the request. Those of a stale summary are not sent: they contain
    /// messages that the user has taken out since.
    pub fn covered(&self, origin: Option<&str>) -> Vec<PointSummary<'_>> {
        let is_readable = |it: &&Arc<EncryptedSummary>| Some(it.origin.as_str()) == origin;
        self.points
            .iter()
            .map(|it| PointSummary {
                point: &it.point,
                summary: CountedMessageRef { message: &it.summary, tokens: &it.tokens },
                facts: it.facts.as_ref(),
                encrypted: it.encrypted.as_ref().filter(is_readable).filter(|_| !it.stale),
                stale: it.stale,
            })
            .collect()
    }
}

/// Loads a thread's path to `end`, and counts it.
pub(super) async fn load_thread(
    store: &Store,
    id: ThreadId,
    end: MessageParent,
    counter: &TokenCounter,
) -> Result<LoadedThread> {
    let family = counter.family();
    let thread = store.thread(id).await?;
    let (thread, path) = match end {
        MessageParent::Leaf => (thread, store.path_after(id, None).await?),
        MessageParent::Under(leaf) => (Thread { leaf, ..thread }, path_to(store, id, leaf).await?),
    };
    let known = store.token_counts(id, family.clone()).await?;
    let (path, fresh) = count(path, known, *counter).await?;
    if !fresh.is_empty() {
        store.put_token_counts(family.clone(), fresh).await?;
    }
    let points = points(store, id, &path, counter).await?;
    let has_outdated_facts = !store.outdated_facts(id).await?.is_empty();
    Ok(LoadedThread { thread, path, points, counter: *counter, has_outdated_facts })
}

/// The path that ends with message `end`; `None`: an empty path.
async fn path_to(store: &Store, thread: ThreadId, end: Option<MessageId>) -> Result<Vec<Message>> {
    let Some(end) = end else { return Ok(Vec::new()) };
    let path = store.path_to(end).await?;
    match path.last() {
        Some(last) if last.thread_id == thread => Ok(path),
        Some(_) | None => Err(Error::NotFound { what: "message".into() }),
    }
}

/// Counts the messages that have no stored count, on a blocking thread. Returns all messages with their
/// tokens, and the new counts.
async fn count(
    path: Vec<Message>,
    mut known: HashMap<MessageId, MessageTokens>,
    counter: TokenCounter,
) -> Result<(Vec<Arc<CountedMessage>>, Vec<(MessageId, MessageTokens)>)> {
    run_blocking("counting", move || {
        let mut fresh = Vec::new();
        let counted = path.into_iter().map(|message| {
            if let Some(tokens) = known.remove(&message.id) {
                return Arc::new(CountedMessage { message, tokens });
            }
            let counted = CountedMessage::new(message, &counter);
            if counted.message.state != (MessageState::Streaming {}) {
                fresh.push((counted.message.id, counted.tokens.clone()));
            }
            Arc::new(counted)
        });
        (counted.collect(), fresh)
    })
    .await
}

async fn points(
    store: &Store,
    thread: ThreadId,
    path: &[Arc<CountedMessage>],
    counter: &TokenCounter,
) -> Result<Vec<LoadedPoint>> {
    let points = store.points(thread).await?;
    if points.is_empty() {
        return Ok(Vec::new());
    }
    let (points, stale) = find_stale(path.to_vec(), points).await?;
    let mut encrypted = store.encrypted_summaries(thread).await?;
    let mut loaded = Vec::with_capacity(points.len());
    for point in points {
        let summary = store.message(point.summary_message_id).await?;
        loaded.push(LoadedPoint {
            tokens: count_message(counter, &summary),
            facts: (!point.anchors.is_empty())
                .then(|| CountedText::new(counter, point.anchors.clone())),
            encrypted: encrypted.remove(&summary.id).map(Arc::new),
            stale: stale.contains(&point.id),
            summary,
            point,
            index: Arc::default(),
        });
    }
    Ok(loaded)
}

/// Finds the stale points, on a blocking thread, because every word of the path is read. Returns all points
/// and the ids of the stale ones.
async fn find_stale(
    path: Vec<Arc<CountedMessage>>,
    points: Vec<CompactionPoint>,
) -> Result<(Vec<CompactionPoint>, HashSet<PointId>)> {
    run_blocking("finding stale summaries", move || {
        let stale = stale_points(path.iter().map(|counted| &counted.message), &points);
        (points, stale)
    })
    .await
}
