//! A small cache of counted threads, so that a question about a window is cheap, however long the
//! conversation is.
//!
//! Writers keep it up to date: a message that was added to a thread is added here too, and any other change
//! drops the thread. Not here: reading and counting a thread (`loaded_thread`).

use std::sync::Arc;

use hashlink::LruCache;
use parking_lot::Mutex;
use skein_context::tokens::TokenCounter;
use skein_domain::error::Result;
use skein_domain::ids::ThreadId;
use skein_domain::message::Message;
use skein_store::{MessageParent, Store};

use super::loaded_thread::{CountedMessage, LoadedThread, load_thread};

/// The number of cached threads.
const CAPACITY: usize = 6;

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
            let loaded = Arc::new(load_thread(store, thread, MessageParent::Leaf, counter).await?);
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
        // Counted before the lock is taken, because counting a long message takes a while.
        let counted = CountedMessage::new(message.clone(), &counter);
        let mut cached = self.cached.lock();
        let Some(mut loaded) = cached.threads.remove(&message.thread_id) else { return };
        // A thread that was loaded meanwhile has the message already, perhaps as it was while it streamed.
        let has_same_counter = loaded.counter.family() == counter.family();
        if has_same_counter && LoadedThread::append(&mut loaded, counted) {
            cached.threads.insert(message.thread_id, loaded);
        }
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

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::thread;

    use skein_domain::ids::SessionId;
    use skein_domain::session::{Thread, ThreadStart};

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
        let (cache, loaded) = (ThreadCache::default(), an_empty_thread(&counter));
        let over = AtomicBool::new(false);
        let put_back = thread::scope(|scope| {
            scope.spawn(|| {
                while !over.load(Ordering::Relaxed) {
                    cache.find(ThreadId(1), &counter);
                }
            });
            // Under Wine, on a busy machine, a yield takes milliseconds.
            let rounds = 0..if cfg!(windows) { 2_000 } else { 50_000 };
            let put_back = rounds.filter(|_| {
                cache.cached.lock().threads.insert(ThreadId(1), Arc::clone(&loaded));
                cache.invalidate(ThreadId(1));
                // Time for the other thread.
                thread::yield_now();
                cache.find(ThreadId(1), &counter).is_some()
            });
            let put_back = put_back.count();
            over.store(true, Ordering::Relaxed);
            put_back
        });
        assert_eq!(put_back, 0);
    }
}
