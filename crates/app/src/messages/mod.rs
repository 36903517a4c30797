//! Shows, searches, pins, leaves out, deletes and branches messages.

mod inclusion;
mod message_lines;
pub(crate) mod point_markers;
pub(crate) mod search;
pub(crate) mod thread_writer;
pub(crate) mod tool_result;
mod transcript;
pub(crate) mod unstored;

use std::sync::Arc;

use skein_domain::error::Result;
use skein_domain::ids::{MessageId, ThreadId};
use skein_domain::message::MessageKind;
use skein_store::{DeletedMessage, DeletionId, Store};
use tokio::sync::OwnedMutexGuard;

use crate::clock::now;
use crate::context::thread_cache::ThreadCache;
use crate::context::turn_contexts::TurnContexts;
use crate::events::TurnEvent;
use crate::live::LiveSessions;
use crate::models::Models;
use crate::models::model_choices::ModelChoices;
use search::RunningSearches;
use thread_writer::ThreadWriter;
use unstored::UnstoredReplies;

/// The largest number of deleted messages in the list.
const MAX_DELETED: u32 = 500;

/// The messages of every thread, as the user reads and changes them.
pub struct Messages {
    pub(crate) store: Store,
    pub(crate) live_sessions: Arc<LiveSessions>,
    pub(crate) thread_cache: Arc<ThreadCache>,
    pub(crate) thread_writer: Arc<ThreadWriter>,
    pub(crate) unstored: Arc<UnstoredReplies>,
    pub(crate) models: Arc<Models>,
    pub(crate) model_choices: Arc<ModelChoices>,
    pub(crate) contexts: Arc<TurnContexts>,
    pub(crate) searches: RunningSearches,
}

impl Messages {
    /// Shows a message that a search found: switches to its branch if necessary.
    ///
    /// # Errors
    /// [`Error::Busy`] if that would move the path of a running turn, [`Error::NotFound`] if the message is
    /// gone.
    pub async fn reveal(&self, id: MessageId) -> Result<()> {
        let message = self.store.message(id).await?;
        let target = match message.kind {
            MessageKind::Chat {} | MessageKind::Notice { .. } => Some(id),
            MessageKind::Summary { .. } | MessageKind::Card { .. } => message.parent_id,
        };
        let Some(target) = target else { return Ok(()) };
        if self.store.path_ids(message.thread_id).await?.contains(&target) {
            return Ok(());
        }
        self.switch_branch(target).await
    }

    /// Deletes a message; the returned id undoes it. A turn whose reply to it has not begun ends, because
    /// there is nothing to answer.
    ///
    /// # Errors
    /// [`Error::Busy`] while it is being written or its calls run, or if its reply begins at this moment.
    pub async fn delete(&self, id: MessageId) -> Result<DeletionId> {
        self.unstored.ensure_stored(id).await?;
        let thread = self.store.thread(self.store.message(id).await?.thread_id).await?;
        let live = self.live_sessions.get(thread.session_id);
        if live.turn.cancel_pending_reply(id) {
            // The turn ends while the message still exists, so that the UI shows it as unanswered.
            live.turn.wait_for_end().await;
        } else if thread.leaf == Some(id) && thread.ended_at.is_none() {
            live.turn.check_idle()?;
        }
        let deletion = self.store.delete_message(id, now()).await?;
        live.stage.send(&TurnEvent::Removed { message_id: id });
        // Not the thread from before: the ended turn may have carried the message into the next one.
        self.thread_writer
            .notify_thread_changed(self.store.thread_of_deletion(deletion).await?)
            .await?;
        Ok(deletion)
    }

    /// The deleted messages that can be restored, latest first.
    pub async fn deleted(&self) -> Result<Vec<DeletedMessage>> {
        self.store.deleted_messages(MAX_DELETED).await
    }

    pub async fn restore(&self, deletion: DeletionId) -> Result<()> {
        let message = self.store.undo_deletion(deletion).await?;
        self.thread_writer.notify_thread_changed(message.thread_id).await
    }

    /// Switches the path to the branch of a sibling message. An archived thread is only shown.
    ///
    /// # Errors
    /// [`Error::Busy`] while a turn runs in this thread: its next generation would continue on that branch.
    pub async fn switch_branch(&self, id: MessageId) -> Result<()> {
        let (thread, _held) = self.unused_thread(id).await?;
        self.store.switch_to_branch(id).await?;
        self.thread_writer.notify_thread_changed(thread).await
    }

    /// Makes this message the end of the path: the next one begins a branch. Returns the former end, for
    /// going back;
    /// `None`: the path was empty.
    ///
    /// # Errors
    /// [`Error::Busy`] while a turn runs in this thread.
    pub async fn set_leaf(&self, id: MessageId) -> Result<Option<MessageId>> {
        let (thread, _held) = self.unused_thread(id).await?;
        let end = self.store.thread(thread).await?.leaf;
        self.store.set_leaf(thread, Some(id)).await?;
        self.thread_writer.notify_thread_changed(thread).await?;
        Ok(end)
    }

    /// The thread of a message. No turn runs in it or begins while the guard is held.
    async fn unused_thread(&self, id: MessageId) -> Result<(ThreadId, OwnedMutexGuard<()>)> {
        let thread = self.store.message(id).await?.thread_id;
        let live = self.live_sessions.get(self.store.thread(thread).await?.session_id);
        let block = live.turn.block().await;
        if self.store.session(live.session_id).await?.current_thread == thread {
            live.turn.check_idle()?;
        }
        Ok((thread, block))
    }
}
