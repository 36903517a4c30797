//! Writes to threads, and keeps the cached threads up to date.

use std::sync::Arc;

use skein_domain::error::{Error, Result};
use skein_domain::ids::{MessageId, SessionId, ThreadId};
use skein_domain::message::{Message, MessageKind, Role};
use skein_store::{DeletionId, Store};

use crate::clock::now;
use crate::context::thread_cache::ThreadCache;
use crate::events::Topic;
use crate::notifier::Notifier;
use crate::shared_state::SharedState;

/// The writes that turns and the user's actions share.
pub(crate) struct ThreadWriter {
    store: Store,
    notifier: Notifier,
    thread_cache: Arc<ThreadCache>,
}

impl ThreadWriter {
    pub fn new(shared: &SharedState, thread_cache: Arc<ThreadCache>) -> Self {
        Self { store: shared.store.clone(), notifier: shared.notifier.clone(), thread_cache }
    }

    /// Updates the cached last message of a path from the store.
    pub async fn refresh_cached_message(&self, id: MessageId) -> Result<()> {
        let message = self.store.message(id).await?;
        self.thread_cache.append(&message);
        Ok(())
    }

    /// Removes a reply that the program has just added, so that the path ends with `leaf` again. The returned
    /// id undoes it.
    pub async fn remove_reply(
        &self,
        message: &Message,
        leaf: Option<MessageId>,
    ) -> Result<DeletionId> {
        let deletion = self.store.retract_message(message.id, leaf, now()).await?;
        self.drop_cached_thread(message.thread_id);
        Ok(deletion)
    }

    /// Restores a reply that [`ThreadWriter::remove_reply`] removed.
    pub async fn restore_reply(&self, deletion: DeletionId) -> Result<()> {
        let message = self.store.undo_deletion(deletion).await?;
        self.drop_cached_thread(message.thread_id);
        Ok(())
    }

    /// P07: returns a message that cannot be answered to the composer, which shows it as soon as it is empty.
    pub async fn return_to_draft(&self, session: SessionId, message: &Message) -> Result<()> {
        self.store.return_message_to_draft(session, message.id, now()).await?;
        self.drop_cached_thread(message.thread_id);
        self.notifier.session_changed(session);
        Ok(())
    }

    /// The user's message that a reply answers, beyond notices and the generations of its tool loop.
    pub async fn find_user_message(&self, answer: &Message) -> Result<Option<MessageId>> {
        let mut parent = answer.parent_id;
        while let Some(id) = parent {
            let message = self.store.message(id).await?;
            match (message.role, &message.kind) {
                (Role::User, MessageKind::Chat {}) => break,
                _ => parent = message.parent_id,
            }
        }
        Ok(parent)
    }

    /// Switches the path to the branch of a message, if it is not on the path.
    pub async fn switch_to_branch_of(&self, message: &Message) -> Result<()> {
        if !self.store.path_ids(message.thread_id).await?.contains(&message.id) {
            self.store.switch_to_branch(message.id).await?;
            self.drop_cached_thread(message.thread_id);
        }
        Ok(())
    }

    /// Refuses to answer a message that is left out, because the model would not see it.
    ///
    /// # Errors
    /// [`Error::LeftOut`].
    pub async fn check_included(&self, asked: Option<MessageId>) -> Result<()> {
        let Some(asked) = asked else { return Ok(()) };
        if self.store.message(asked).await?.is_left_out() { Err(Error::LeftOut {}) } else { Ok(()) }
    }

    /// Drops the cached copy of a thread.
    pub fn drop_cached_thread(&self, thread_id: ThreadId) {
        self.thread_cache.invalidate(thread_id);
        self.notifier.changed([Topic::Thread { thread_id }]);
    }

    /// Drops the cached copy of a thread, and notifies all that show or count its messages.
    pub async fn notify_thread_changed(&self, thread_id: ThreadId) -> Result<()> {
        let session_id = self.store.thread(thread_id).await?.session_id;
        self.drop_cached_thread(thread_id);
        self.notifier.changed([Topic::Context { session_id }]);
        // An untitled session is named by its messages.
        self.notifier.session_changed(session_id);
        Ok(())
    }

    /// Notifies that the messages of a session's current thread changed.
    pub async fn notify_path_changed(&self, session: SessionId) {
        match self.store.session(session).await {
            Ok(session) => {
                self.notifier.changed([Topic::Thread { thread_id: session.current_thread }]);
            }
            Err(error) => tracing::warn!(%error, "nobody is told of a changed conversation"),
        }
    }

    /// Notifies that one thread has begun or continues, and another has ended.
    pub fn threads_changed(&self, session_id: SessionId, threads: [ThreadId; 2]) {
        for thread in threads {
            self.thread_cache.invalidate(thread);
        }
        self.notifier.changed([
            Topic::Sessions {},
            Topic::Session { session_id },
            Topic::Context { session_id },
            Topic::Reminders {},
        ]);
        self.notifier.changed(threads.map(|thread_id| Topic::Thread { thread_id }));
    }
}
