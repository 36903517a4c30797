//! Keeps replies and tool results that could not be stored: the disk is full or fails, or another program
//! locks the database. They are paid for, so each stays in memory and on the screen, with the error, until it
//! is stored or the program ends. Meanwhile the user can save it into a file.
//!
//! Not here: storing a reply (`store`), a summary that cannot be stored (`compactor`), or the question when
//! the user closes the program (`src-tauri/app_window/close_guard.rs`).

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use skein_domain::error::{Error, Result};
use skein_domain::ids::{MessageId, SessionId};
use skein_domain::message::{ContentPart, Message, ToolState};
use skein_platform::atomic_file;
use skein_store::{PaidCall, Store};

use super::thread_writer::ThreadWriter;
use super::tool_result::{ToolResult, with_call_state};
use crate::attachments::Attachments;
use crate::events::Topic;
use crate::notifier::Notifier;
use crate::shared_state::SharedState;
use crate::tasks::Tasks;
use crate::view::TranscriptItem;

/// Interval between attempts to store them.
const RETRY_INTERVAL: Duration = Duration::from_secs(2);

/// The replies that are only in memory.
pub struct UnstoredReplies {
    store: Store,
    notifier: Notifier,
    tasks: Tasks,
    thread_writer: Arc<ThreadWriter>,
    attachments: Arc<Attachments>,
    replies: Mutex<Vec<UnstoredReply>>,
    /// Locked while they are stored, so that none is stored twice.
    storing: tokio::sync::Mutex<()>,
}

/// A whole reply of which the store has only a part, or not the results of its calls.
#[derive(Clone)]
pub(crate) struct UnstoredReply {
    session: SessionId,
    message: Message,
    paid: PaidCall,
    /// The results of its calls, which are stored first.
    results: Vec<ToolResult>,
    error: Error,
    /// True if the user saved it into a file.
    is_saved: bool,
}

impl UnstoredReply {
    pub fn new(session: SessionId, message: Message, paid: PaidCall, error: Error) -> Self {
        Self { session, message, paid, results: Vec::new(), error, is_saved: false }
    }

    /// A reply that is stored without the results of its calls.
    pub fn of_calls(
        session: SessionId,
        message: Message,
        results: Vec<ToolResult>,
        error: Error,
    ) -> Self {
        let paid = PaidCall::default();
        Self { session, message, paid, results, error, is_saved: false }
    }

    /// The text and the results of its calls, for a file.
    fn as_text(&self) -> String {
        let returned = self.message.parts.iter().filter_map(|part| {
            let ContentPart::Tool { call } = part else { return None };
            let ToolState::Done { output } = &call.state else { return None };
            Some(format!("## {}\n\n{}", call.name, output.text))
        });
        let texts = std::iter::once(self.message.text()).chain(returned);
        texts.filter(|words| !words.is_empty()).collect::<Vec<_>>().join("\n\n")
    }
}

impl UnstoredReplies {
    pub(crate) fn new(
        shared: &SharedState,
        thread_writer: Arc<ThreadWriter>,
        attachments: Arc<Attachments>,
    ) -> Self {
        Self {
            store: shared.store.clone(),
            notifier: shared.notifier.clone(),
            tasks: shared.tasks.clone(),
            thread_writer,
            attachments,
            replies: Mutex::default(),
            storing: tokio::sync::Mutex::default(),
        }
    }

    /// The number of replies that would be lost with the program.
    pub(crate) fn at_risk(&self) -> u32 {
        let count = self.replies.lock().iter().filter(|it| !it.is_saved).count();
        u32::try_from(count).unwrap_or(u32::MAX)
    }

    /// Replaces the stored parts of the replies by the whole replies with their errors.
    pub(crate) fn overlay(&self, items: &mut [TranscriptItem]) {
        for reply in self.replies.lock().iter() {
            let stored = items.iter_mut().find(|item| item.message.id == reply.message.id);
            if let Some(item) = stored {
                item.message = reply.message.clone();
                if reply.paid.generation.is_some() {
                    item.generation.clone_from(&reply.paid.generation);
                }
                if let Some(entry) = &reply.paid.entry {
                    item.cost = Some(entry.cost.clone());
                }
                item.unstored = Some(reply.error.clone());
            }
        }
    }

    /// Forgets a reply: it is stored now, or its message was deleted.
    fn remove(&self, id: MessageId) {
        self.replies.lock().retain(|it| it.message.id != id);
    }

    /// Replaces a reply whose results are stored now.
    fn replace(&self, changed: &UnstoredReply) {
        let mut replies = self.replies.lock();
        let reply = replies.iter_mut().find(|it| it.message.id == changed.message.id);
        if let Some(reply) = reply {
            reply.message = changed.message.clone();
            reply.results.clone_from(&changed.results);
        }
    }

    fn set_error(&self, id: MessageId, error: &Error) {
        let mut replies = self.replies.lock();
        let reply = replies.iter_mut().find(|it| it.message.id == id);
        if let Some(reply) = reply {
            reply.error = error.clone();
        }
    }

    fn has(&self, id: MessageId) -> bool {
        self.replies.lock().iter().any(|it| it.message.id == id)
    }

    /// Keeps a reply that could not be stored, and stores it as soon as possible.
    pub(crate) fn keep(self: &Arc<Self>, reply: UnstoredReply) {
        let UnstoredReply { error, message, .. } = &reply;
        tracing::warn!(%error, "a reply could not be stored and stays in memory");
        let thread = message.thread_id;
        let is_first = {
            let mut replies = self.replies.lock();
            replies.push(reply);
            replies.len() == 1
        };
        self.thread_writer.drop_cached_thread(thread);
        if is_first {
            self.retry();
        }
    }

    /// Retries in the background until all are stored.
    fn retry(self: &Arc<Self>) {
        let waiting = Arc::downgrade(self);
        let tasks = self.tasks.clone();
        self.tasks.spawn_waiting(async move {
            loop {
                tokio::time::sleep(RETRY_INTERVAL).await;
                let Some(replies) = waiting.upgrade() else { return };
                let replies = tasks.track(replies);
                if replies.store_all().await.is_ok() {
                    return;
                }
            }
        });
    }

    /// Stores a message that is only in memory, before an action on it.
    ///
    /// # Errors
    /// The error that keeps it from being stored.
    pub(crate) async fn ensure_stored(&self, id: MessageId) -> Result<()> {
        if self.has(id) { self.store_all().await } else { Ok(()) }
    }

    /// Stores the replies that are only in memory, oldest first.
    ///
    /// # Errors
    /// The first error: this reply and those after it stay.
    pub(crate) async fn store_all(&self) -> Result<()> {
        let _alone = self.storing.lock().await;
        loop {
            let Some(reply) = self.replies.lock().first().cloned() else { return Ok(()) };
            let (session, error) = (reply.session, reply.error.clone());
            let (id, thread) = (reply.message.id, reply.message.thread_id);
            match self.store_whole(reply).await {
                Ok(()) => self.remove(id),
                // The session of the reply was deleted permanently meanwhile.
                Err(Error::NotFound { .. }) => self.remove(id),
                Err(still) => {
                    if still != error {
                        self.set_error(id, &still);
                        self.thread_writer.drop_cached_thread(thread);
                    }
                    return Err(still);
                }
            }
            self.thread_writer.drop_cached_thread(thread);
            self.notifier.session_changed(session);
            self.notifier.changed([Topic::Context { session_id: session }, Topic::Closing {}]);
        }
    }

    /// Stores the results first; stored results are removed, so that none is stored twice.
    async fn store_whole(&self, mut reply: UnstoredReply) -> Result<()> {
        while let Some(result) = reply.results.first() {
            let state = result
                .store(&self.store, &self.attachments, reply.session, reply.message.thread_id)
                .await?;
            reply.message = with_call_state(&reply.message, &result.call_id, state);
            reply.results.remove(0);
            self.replace(&reply);
        }
        self.store.finish_reply(reply.message, reply.paid).await.map(drop)
    }

    /// Writes the replies that are only in memory into a file, each under the name of its session.
    pub async fn save(&self, path: String) -> Result<()> {
        let replies = self.replies.lock().clone();
        let mut text = String::new();
        for reply in &replies {
            // A full disk can still be read. If it cannot, the text matters more than the name.
            let name = self.store.session_name(reply.session).await.ok().flatten();
            let name = name.unwrap_or_default();
            text.push_str(&format!("# {name}\n\n{}\n\n", reply.as_text()));
        }
        let write = move || atomic_file::write_bytes(Path::new(&path), text.as_bytes());
        let written = tokio::task::spawn_blocking(write).await;
        written.map_err(|broken| Error::Storage { detail: broken.to_string() })??;
        let saved = |it: &UnstoredReply| replies.iter().any(|of| of.message.id == it.message.id);
        self.replies.lock().iter_mut().filter(|it| saved(it)).for_each(|it| it.is_saved = true);
        self.notifier.changed([Topic::Closing {}]);
        Ok(())
    }
}
