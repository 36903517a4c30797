//! Writes to threads, and keeps the copies in memory in step.

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

/// What turns and the person's own acts write alike.
pub(crate) struct ThreadWriter {
    store: Store,
    notifier: Notifier,
    thread_cache: Arc<ThreadCache>,
}

impl ThreadWriter {
    pub fn new(shared: &SharedState, thread_cache: Arc<ThreadCache>) -> Self {
        Self { store: shared.store.clone(), notifier: shared.notifier.clone(), thread_cache }
    }

    /// The message at the end of a path, in memory too, as it is in the store by now.
    pub async fn refresh_cached_message(&self, id: MessageId) -> Result<()> {
        let message = self.store.message(id).await?;
        self.thread_cache.append(&message);
        Ok(())
    }

    /// Takes the end of a path back that the program has just added, so that it ends with `leaf`, as
    /// before; the key brings it back.
    pub async fn remove_reply(
        &self,
        message: &Message,
        leaf: Option<MessageId>,
    ) -> Result<DeletionId> {
        let deletion = self.store.retract_message(message.id, leaf, now()).await?;
        self.drop_cached_thread(message.thread_id);
        Ok(deletion)
    }

    /// Puts it there again.
    pub async fn restore_reply(&self, deletion: DeletionId) -> Result<()> {
        let message = self.store.undo_deletion(deletion).await?;
        self.drop_cached_thread(message.thread_id);
        Ok(())
    }

    /// P07: a message that cannot be answered goes back to the box, which takes it in as soon as
    /// nothing else is written there.
    pub async fn return_to_draft(&self, session: SessionId, message: &Message) -> Result<()> {
        self.store.return_message_to_draft(session, message.id, now()).await?;
        self.drop_cached_thread(message.thread_id);
        self.notifier.session_changed(session);
        Ok(())
    }

    /// The message that an answer answered: up over notices and the generations of its tool loop.
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

    /// Makes the path lead through a message, where it leads elsewhere.
    pub async fn switch_to_branch_of(&self, message: &Message) -> Result<()> {
        if !self.store.path_ids(message.thread_id).await?.contains(&message.id) {
            self.store.switch_to_branch(message.id).await?;
            self.drop_cached_thread(message.thread_id);
        }
        Ok(())
    }

    /// What is left out is not answered: the model would not see it.
    ///
    /// # Errors
    /// [`Error::LeftOut`].
    pub async fn check_included(&self, asked: Option<MessageId>) -> Result<()> {
        let Some(asked) = asked else { return Ok(()) };
        if self.store.message(asked).await?.is_left_out() { Err(Error::LeftOut {}) } else { Ok(()) }
    }

    /// Drops what is in memory of a thread.
    pub fn drop_cached_thread(&self, thread_id: ThreadId) {
        self.thread_cache.invalidate(thread_id);
        self.notifier.changed([Topic::Thread { thread_id }]);
    }

    /// What a thread says is another: everything that shows it or counts it is read again.
    pub async fn notify_thread_changed(&self, thread_id: ThreadId) -> Result<()> {
        let session_id = self.store.thread(thread_id).await?.session_id;
        self.drop_cached_thread(thread_id);
        self.notifier.changed([Topic::Context { session_id }]);
        // Without a title it is called by what was said.
        self.notifier.session_changed(session_id);
        Ok(())
    }

    /// The messages of a session's current thread changed.
    pub async fn notify_path_changed(&self, session: SessionId) {
        match self.store.session(session).await {
            Ok(session) => {
                self.notifier.changed([Topic::Thread { thread_id: session.current_thread }]);
            }
            Err(error) => tracing::warn!(%error, "nobody is told of a changed conversation"),
        }
    }

    /// A thread has begun or goes on, and another has ended.
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
