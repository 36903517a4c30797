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

/// How many threads are kept at once.
const KEPT: usize = 6;

/// A thread's path with its counts. A copy shares its messages.
#[derive(Clone)]
pub(crate) struct LoadedThread {
    pub thread: Thread,
    path: Vec<Arc<CountedMessage>>,
    pub points: Vec<LoadedPoint>,
    /// Whether facts that older rules found stand beside summaries of it.
    pub has_outdated_facts: bool,
    counter: TokenCounter,
}

/// A message with its tokens.
struct CountedMessage {
    message: Message,
    tokens: MessageTokens,
}

impl CountedMessage {
    fn new(message: Message, counter: &TokenCounter) -> Self {
        Self { tokens: count_message(counter, &message), message }
    }
}

/// A compaction point with what stands in the context for it.
#[derive(Clone)]
pub(crate) struct LoadedPoint {
    pub point: CompactionPoint,
    pub summary: Message,
    pub tokens: MessageTokens,
    pub facts: Option<CountedText>,
    pub stale: bool,
    /// What it covers, to look passages up in; made when they are first looked up.
    index: Arc<OnceLock<PassageIndex>>,
}

impl LoadedPoint {
    /// What it covers of this path, to look passages up in. Takes a while the first time.
    pub fn index(&self, loaded: &LoadedThread) -> &PassageIndex {
        self.index.get_or_init(|| {
            let covered = loaded.up_to(self.point.boundary_message_id);
            PassageIndex::of(&facts::sources(covered.into_iter().flatten()))
        })
    }

    /// The words of the summary.
    pub fn summary_text(&self) -> Option<&str> {
        self.summary.parts.iter().find_map(ContentPart::as_text)
    }
}

impl LoadedThread {
    /// The messages of the path, from the first to the last.
    pub fn messages(&self) -> impl DoubleEndedIterator<Item = &Message> + ExactSizeIterator {
        self.path.iter().map(|counted| &counted.message)
    }

    /// The path as the engine takes it.
    pub fn counted(&self) -> Vec<CountedMessageRef<'_>> {
        let counted = self
            .path
            .iter()
            .map(|it| CountedMessageRef { message: &it.message, tokens: &it.tokens });
        counted.collect()
    }

    /// The messages up to this one; `None` where it is not on the path.
    pub fn up_to(&self, id: MessageId) -> Option<impl ExactSizeIterator<Item = &Message>> {
        let end = self.messages().position(|message| message.id == id)?;
        Some(self.messages().take(end + 1))
    }

    /// The same path up to this message, or the one that ends with it where another is shown by now;
    /// `None`: nothing of it.
    ///
    /// # Errors
    /// `NotFound` where the message is not in this thread.
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

    /// Law 12: whether a point applies to this path, and not only to another branch.
    pub fn is_compacted(&self) -> bool {
        let boundaries = self.points.iter().map(|it| it.point.boundary_message_id);
        let boundaries: HashSet<_> = boundaries.collect();
        self.messages().any(|message| boundaries.contains(&message.id))
    }

    /// The points as the engine takes them.
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

/// The threads kept in memory.
#[derive(Default)]
pub(crate) struct ThreadCache {
    kept: Mutex<CachedThreads>,
    /// Held while a thread is read and counted: who asks meanwhile waits for it.
    loading: tokio::sync::Mutex<()>,
}

/// What changes together: between looking at a thread and putting it back nobody may drop it.
struct CachedThreads {
    threads: LruCache<ThreadId, Arc<LoadedThread>>,
    /// Counts what was written: a thread that was read while something was, is read again.
    writes: u64,
}

impl Default for CachedThreads {
    fn default() -> Self {
        Self { threads: LruCache::new(KEPT), writes: 0 }
    }
}

impl ThreadCache {
    /// The thread's path, counted by this counter.
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
            let before = self.kept.lock().writes;
            let loaded = Arc::new(load(store, thread, MessageParent::Leaf, counter).await?);
            let mut kept = self.kept.lock();
            if kept.writes == before {
                kept.threads.insert(thread, Arc::clone(&loaded));
                return Ok(loaded);
            }
        }
    }

    fn find(&self, thread: ThreadId, counter: &TokenCounter) -> Option<Arc<LoadedThread>> {
        let mut kept = self.kept.lock();
        let loaded = kept.threads.get(&thread);
        loaded.filter(|it| it.counter.family() == counter.family()).cloned()
    }

    /// A message was added at the end of its thread's path, or the reply that grew there has ended.
    pub fn append(&self, message: &Message) {
        let Some(counter) = self.written(message.thread_id) else { return };
        // Before anything is held: a long message takes a while.
        let counted = CountedMessage::new(message.clone(), &counter);
        let mut kept = self.kept.lock();
        let Some(mut loaded) = kept.threads.remove(&message.thread_id) else { return };
        // One that was read meanwhile holds it already, perhaps as it was while it grew.
        let holds = loaded.ends_with(Some(message.id));
        let follows = holds || loaded.ends_with(message.parent_id);
        if !follows || loaded.counter.family() != counter.family() {
            return;
        }
        let it = Arc::make_mut(&mut loaded);
        if holds {
            it.path.pop();
        }
        it.path.push(Arc::new(counted));
        it.thread.leaf = Some(message.id);
        kept.threads.insert(message.thread_id, loaded);
    }

    /// Something of a thread was written; by what it is counted, if it is kept.
    fn written(&self, thread: ThreadId) -> Option<TokenCounter> {
        let mut kept = self.kept.lock();
        kept.writes += 1;
        kept.threads.peek(&thread).map(|loaded| loaded.counter)
    }

    /// Something else about a thread changed: it is read again when it is next asked for.
    pub fn invalidate(&self, thread: ThreadId) {
        let mut kept = self.kept.lock();
        kept.writes += 1;
        kept.threads.remove(&thread);
    }
}

/// A thread's path to `end`, with its counts.
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

/// The path of a thread that ends with a message, whatever is shown of it.
async fn path_to(store: &Store, thread: ThreadId, end: Option<MessageId>) -> Result<Vec<Message>> {
    let Some(end) = end else { return Ok(Vec::new()) };
    let path = store.path_to(end).await?;
    match path.last() {
        Some(last) if last.thread_id == thread => Ok(path),
        Some(_) | None => Err(Error::NotFound { what: "message".into() }),
    }
}

/// The messages with their tokens, and the tokens that were not known. Apart from what else goes on:
/// the first time, a long thread takes a while.
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
    let (points, stale) = look_through(path.to_vec(), points).await?;
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

/// The points, and which of them no longer tell of all that they stand for. Apart from what else goes on:
/// every word of the path is read for it.
async fn look_through(
    path: Vec<Arc<CountedMessage>>,
    points: Vec<CompactionPoint>,
) -> Result<(Vec<CompactionPoint>, HashSet<PointId>)> {
    run_blocking("looking through what is covered", move || {
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
                shelf.kept.lock().threads.insert(ThreadId(1), Arc::clone(&loaded));
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
