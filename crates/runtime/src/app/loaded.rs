//! A thread's path held in memory with its counts, so that asking about a window costs next to
//! nothing, however long the conversation.
//!
//! Kept in step by whoever writes: a message that was added is added here too, anything else drops
//! the copy. Not here: deciding anything (`context`).

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use skein_context::compaction::{CompactionPoint, fingerprint};
use skein_context::counting::{Counted, CountedText, MessageTokens, count_message};
use skein_context::message::{ContentPart, Message, MessageId, MessageState};
use skein_context::session::{Thread, ThreadId};
use skein_context::tokens::TokenCounter;
use skein_context::window::Covered;

use crate::error::{Error, Result};
use crate::store::Store;

/// How many threads are kept at once.
const KEPT: usize = 6;

/// A thread's path with its counts. A copy shares its messages.
#[derive(Clone)]
pub(crate) struct Loaded {
    pub thread: Thread,
    path: Vec<Arc<CountedMessage>>,
    pub points: Vec<LoadedPoint>,
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
    pub anchors: Option<CountedText>,
    pub stale: bool,
}

impl LoadedPoint {
    /// The words of the summary.
    pub fn summary_text(&self) -> Option<&str> {
        self.summary.parts.iter().find_map(|part| match part {
            ContentPart::Text { text } => Some(text.as_str()),
            ContentPart::Reasoning { .. }
            | ContentPart::Image { .. }
            | ContentPart::File { .. }
            | ContentPart::Tool { .. } => None,
        })
    }
}

impl Loaded {
    /// The messages of the path, from the first to the last.
    pub fn messages(&self) -> impl DoubleEndedIterator<Item = &Message> + ExactSizeIterator {
        self.path.iter().map(|counted| &counted.message)
    }

    /// The path as the engine takes it.
    pub fn counted(&self) -> Vec<Counted<'_>> {
        let counted =
            self.path.iter().map(|it| Counted { message: &it.message, tokens: &it.tokens });
        counted.collect()
    }

    /// The messages up to this one; `None` where it is not on the path.
    pub fn up_to(&self, id: MessageId) -> Option<impl ExactSizeIterator<Item = &Message>> {
        let end = self.messages().position(|message| message.id == id)?;
        Some(self.messages().take(end + 1))
    }

    fn ends_with(&self, id: Option<MessageId>) -> bool {
        self.messages().next_back().map(|last| last.id) == id
    }

    /// The points as the engine takes them.
    pub fn covered(&self) -> Vec<Covered<'_>> {
        self.points
            .iter()
            .map(|it| Covered {
                point: &it.point,
                summary: Counted { message: &it.summary, tokens: &it.tokens },
                anchors: it.anchors.as_ref(),
                stale: it.stale,
            })
            .collect()
    }
}

/// The threads kept in memory, the one used last at the end.
#[derive(Default)]
pub(crate) struct Shelf {
    kept: Mutex<Vec<Arc<Loaded>>>,
    /// Held while a thread is read and counted: who asks meanwhile waits for it.
    loading: tokio::sync::Mutex<()>,
    /// Counts what was written: a thread that was read while something was, is read again.
    writes: AtomicU64,
}

impl Shelf {
    /// The thread's path, counted by this counter.
    pub async fn get(
        &self,
        store: &Store,
        thread: ThreadId,
        counter: &TokenCounter,
    ) -> Result<Arc<Loaded>> {
        if let Some(loaded) = self.find(thread, counter) {
            return Ok(loaded);
        }
        let _one_at_a_time = self.loading.lock().await;
        if let Some(loaded) = self.find(thread, counter) {
            return Ok(loaded);
        }
        loop {
            let before = self.writes.load(Ordering::SeqCst);
            let loaded = Arc::new(load(store, thread, counter).await?);
            if self.writes.load(Ordering::SeqCst) == before {
                self.put(Arc::clone(&loaded));
                return Ok(loaded);
            }
        }
    }

    fn find(&self, thread: ThreadId, counter: &TokenCounter) -> Option<Arc<Loaded>> {
        let loaded = self.take(thread).filter(|it| it.counter.family() == counter.family())?;
        self.put(Arc::clone(&loaded));
        Some(loaded)
    }

    /// A message was added at the end of its thread's path.
    pub fn append(&self, message: &Message) {
        self.writes.fetch_add(1, Ordering::SeqCst);
        let Some(mut loaded) = self.take(message.thread_id) else { return };
        if !loaded.ends_with(message.parent_id) {
            return;
        }
        let it = Arc::make_mut(&mut loaded);
        it.path.push(Arc::new(CountedMessage::new(message.clone(), &it.counter)));
        it.thread.leaf = Some(message.id);
        self.put(loaded);
    }

    /// A reply has ended. A path that was read while it grew holds it already.
    pub fn settle(&self, message: &Message) {
        if let Some(mut loaded) = self.take(message.thread_id) {
            if loaded.ends_with(Some(message.id)) {
                Arc::make_mut(&mut loaded).path.pop();
            }
            self.put(loaded);
        }
        self.append(message);
    }

    /// Something else about a thread changed: it is read again when it is next asked for.
    pub fn forget(&self, thread: ThreadId) {
        self.writes.fetch_add(1, Ordering::SeqCst);
        self.lock().retain(|loaded| loaded.thread.id != thread);
    }

    fn take(&self, thread: ThreadId) -> Option<Arc<Loaded>> {
        let mut kept = self.lock();
        let at = kept.iter().position(|loaded| loaded.thread.id == thread)?;
        Some(kept.remove(at))
    }

    fn put(&self, loaded: Arc<Loaded>) {
        let mut kept = self.lock();
        kept.retain(|other| other.thread.id != loaded.thread.id);
        kept.push(loaded);
        if kept.len() > KEPT {
            kept.remove(0);
        }
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Arc<Loaded>>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

async fn load(store: &Store, id: ThreadId, counter: &TokenCounter) -> Result<Loaded> {
    let family = counter.family();
    let thread = store.thread(id).await?;
    let path = store.path_after(id, None).await?;
    let known = store.counts(id, family.clone()).await?;
    let (path, fresh) = count(path, known, *counter).await?;
    if !fresh.is_empty() {
        store.put_counts(family.clone(), fresh).await?;
    }
    let mut loaded = Loaded { thread, path, points: Vec::new(), counter: *counter };
    loaded.points = points(store, &loaded).await?;
    Ok(loaded)
}

/// The messages with their tokens, and the tokens that were not known. Apart from what else goes on:
/// the first time, a long thread takes a while.
async fn count(
    path: Vec<Message>,
    mut known: HashMap<MessageId, MessageTokens>,
    counter: TokenCounter,
) -> Result<(Vec<Arc<CountedMessage>>, Vec<(MessageId, MessageTokens)>)> {
    let counting = tokio::task::spawn_blocking(move || {
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
    });
    let broke_off = |error| Error::Storage { detail: format!("counting broke off: {error}") };
    counting.await.map_err(broke_off)
}

async fn points(store: &Store, loaded: &Loaded) -> Result<Vec<LoadedPoint>> {
    let counter = &loaded.counter;
    let mut points = Vec::new();
    for point in store.points(loaded.thread.id).await? {
        let summary = store.message(point.summary_message_id).await?;
        let covered = loaded.up_to(point.boundary_message_id);
        points.push(LoadedPoint {
            tokens: count_message(counter, &summary),
            anchors: (!point.anchors.is_empty())
                .then(|| CountedText::new(counter, point.anchors.clone())),
            stale: covered.is_some_and(|covered| fingerprint(covered) != point.fingerprint),
            summary,
            point,
        });
    }
    Ok(points)
}
