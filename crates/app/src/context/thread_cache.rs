//! A thread's path held in memory with its counts, so that asking about a window costs next to
//! nothing, however long the conversation.
//!
//! Kept in step by whoever writes: a message that was added is added here too, anything else drops
//! the copy. Not here: deciding anything (`skein-context`).

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, OnceLock};

use hashlink::LruCache;
use parking_lot::Mutex;
use skein_context::compaction::stale_points;
use skein_context::facts;
use skein_context::retrieval::PassageIndex;
use skein_context::tokens::TokenCounter;
use skein_context::tokens::message_tokens::{
    CountedMessageRef, CountedText, MessageTokens, count_message,
};
use skein_context::window::PointSummary;
use skein_domain::compaction_point::CompactionPoint;
use skein_domain::error::{Error, Result};
use skein_domain::ids::{MessageId, PointId, ThreadId};
use skein_domain::message::{ContentPart, Message, MessageState};
use skein_domain::session::Thread;
use skein_platform::blocking::run_blocking;
use skein_store::{MessageParent, Store};

/// The number of cached threads.
const CAPACITY: usize = 6;

/// A thread's path with its token counts. A clone shares the messages.
#[derive(Clone)]
pub(crate) struct LoadedThread {
    pub thread: Thread,
    path: Vec<Arc<CountedMessage>>,
    pub points: Vec<LoadedPoint>,
    /// True if a summary of the thread carries facts that older rules found.
    pub has_outdated_facts: bool,
    counter: TokenCounter,
}

/// A message and its tokens.
struct CountedMessage {
    message: Message,
    tokens: MessageTokens,
}

impl CountedMessage {
    fn new(message: Message, counter: &TokenCounter) -> Self {
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
    pub stale: bool,
    /// The search index of the messages that the point covers, built at the first search.
    index: Arc<OnceLock<PassageIndex>>,
}

impl LoadedPoint {
    /// The search index of the messages on this path that the point covers. Building it takes a while.
    pub fn index(&self, loaded: &LoadedThread) -> &PassageIndex {
        self.index.get_or_init(|| {
            let covered = loaded.up_to(self.point.boundary_message_id);
            PassageIndex::of(&facts::sources(covered.into_iter().flatten()))
        })
    }

    /// The text of the summary.
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
            return load(store, this.thread.id, MessageParent::Under(end), &this.counter)
                .await
                .map(Arc::new);
        };
        let mut shorter = Self::clone(&this);
        shorter.path.truncate(kept);
        shorter.thread.leaf = end;
        Ok(Arc::new(shorter))
    }

    fn ends_with(&self, id: Option<MessageId>) -> bool {
        self.messages().next_back().map(|last| last.id) == id
    }

    /// Law 12: true if a point applies to this path, not only to another branch.
    pub fn is_compacted(&self) -> bool {
        let boundaries = self.points.iter().map(|it| it.point.boundary_message_id);
        let boundaries: HashSet<_> = boundaries.collect();
        self.messages().any(|message| boundaries.contains(&message.id))
    }

    /// The points in the form that the engine takes.
    pub fn covered(&self) -> Vec<PointSummary<'_>> {
        self.points
            .iter()
            .map(|it| PointSummary {
                point: &it.point,
                summary: CountedMessageRef { message: &it.summary, tokens: &it.tokens },
                anchors: it.facts.as_ref(),
                stale: it.stale,
            })
            .collect()
    }
}

/// The cached threads, and the lock for loading one.
#[derive(Default)]
pub(crate) struct ThreadCache {
    cached: Mutex<CachedThreads>,
    /// Locked while a thread is read and counted, so that a second caller does not do the same work.
    loading: tokio::sync::Mutex<()>,
}

/// The threads and the number of writes change under one lock, so that no write is missed in between.
struct CachedThreads {
    threads: LruCache<ThreadId, Arc<LoadedThread>>,
    /// The number of writes. A thread that was read during a write is read again.
    writes: u64,
}

impl Default for CachedThreads {
    fn default() -> Self {
        Self { threads: LruCache::new(CAPACITY), writes: 0 }
    }
}

impl ThreadCache {
    /// The thread's path, counted by `counter`.
    pub async fn get(
        &self,
        store: &Store,
        thread: ThreadId,
        counter: &TokenCounter,
    ) -> Result<Arc<LoadedThread>> {
        if let Some(loaded) = self.find(thread, counter) {
            return Ok(loaded);
        }
        let _one_at_a_time = self.loading.lock().await;
        if let Some(loaded) = self.find(thread, counter) {
            return Ok(loaded);
        }
        loop {
            let before = self.cached.lock().writes;
            let loaded = Arc::new(load(store, thread, MessageParent::Leaf, counter).await?);
            let mut cached = self.cached.lock();
            if cached.writes == before {
                cached.threads.insert(thread, Arc::clone(&loaded));
                return Ok(loaded);
            }
        }
    }

    fn find(&self, thread: ThreadId, counter: &TokenCounter) -> Option<Arc<LoadedThread>> {
        let mut cached = self.cached.lock();
        let loaded = cached.threads.get(&thread);
        loaded.filter(|it| it.counter.family() == counter.family()).cloned()
    }

    /// Adds a new message at the end of its thread's path, or replaces the reply there that has ended.
    pub fn append(&self, message: &Message) {
        let Some(counter) = self.count_write(message.thread_id) else { return };
        // The message is counted before the lock is taken: a long one takes a while.
        let counted = CountedMessage::new(message.clone(), &counter);
        let mut cached = self.cached.lock();
        let Some(mut loaded) = cached.threads.remove(&message.thread_id) else { return };
        // A thread that was loaded meanwhile has the message already, perhaps as it was while it streamed.
        let is_present = loaded.ends_with(Some(message.id));
        let follows = is_present || loaded.ends_with(message.parent_id);
        if !follows || loaded.counter.family() != counter.family() {
            return;
        }
        let it = Arc::make_mut(&mut loaded);
        if is_present {
            it.path.pop();
        }
        it.path.push(Arc::new(counted));
        it.thread.leaf = Some(message.id);
        cached.threads.insert(message.thread_id, loaded);
    }

    /// Counts a write to a thread. Returns the counter of the cached thread; `None`: it is not cached.
    fn count_write(&self, thread: ThreadId) -> Option<TokenCounter> {
        let mut cached = self.cached.lock();
        cached.writes += 1;
        cached.threads.peek(&thread).map(|loaded| loaded.counter)
    }

    /// Drops a thread that changed in another way; the next `get` reads it again.
    pub fn invalidate(&self, thread: ThreadId) {
        let mut cached = self.cached.lock();
        cached.writes += 1;
        cached.threads.remove(&thread);
    }
}

/// Loads a thread's path to `end`, and counts it.
async fn load(
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
    let mut loaded = Vec::with_capacity(points.len());
    for point in points {
        let summary = store.message(point.summary_message_id).await?;
        loaded.push(LoadedPoint {
            tokens: count_message(counter, &summary),
            facts: (!point.anchors.is_empty())
                .then(|| CountedText::new(counter, point.anchors.clone())),
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

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::thread;

    use skein_domain::ids::SessionId;
    use skein_domain::session::ThreadStart;

    use super::*;

    fn an_empty_thread(counter: &TokenCounter) -> Arc<LoadedThread> {
        let thread = Thread {
            id: ThreadId(1),
            session_id: SessionId(1),
            number: 1,
            leaf: None,
            beginning: ThreadStart::First {},
            created_at: 0,
            ended_at: None,
        };
        Arc::new(LoadedThread {
            thread,
            path: Vec::new(),
            points: Vec::new(),
            counter: *counter,
            has_outdated_facts: false,
        })
    }

    #[test]
    fn what_is_forgotten_is_not_put_back_by_who_is_looking_at_it() {
        let counter = TokenCounter::for_model("gpt-4o");
        let (shelf, loaded) = (ThreadCache::default(), an_empty_thread(&counter));
        let over = AtomicBool::new(false);
        let put_back = thread::scope(|scope| {
            scope.spawn(|| {
                while !over.load(Ordering::Relaxed) {
                    shelf.find(ThreadId(1), &counter);
                }
            });
            let rounds = 0..50_000;
            let put_back = rounds.filter(|_| {
                shelf.cached.lock().threads.insert(ThreadId(1), Arc::clone(&loaded));
                shelf.invalidate(ThreadId(1));
                // Time for who took it before.
                thread::yield_now();
                shelf.find(ThreadId(1), &counter).is_some()
            });
            let put_back = put_back.count();
            over.store(true, Ordering::Relaxed);
            put_back
        });
        assert_eq!(put_back, 0);
    }
}
