//! Messages: shown, looked for, pinned, left out, deleted, and stepped between.

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
use skein_store::{DeletedEntry, DeletionId, Store};
use tokio::sync::OwnedMutexGuard;

use crate::clock::now;
use crate::context::thread_cache::ThreadCache;
use crate::context::turn_contexts::TurnContexts;
use crate::events::TurnEvent;
use crate::live::LiveSessions;
use crate::models::Models;
use crate::models::model_choices::ModelChoices;
use crate::view::DeletedMessage;
use search::RunningSearches;
use thread_writer::ThreadWriter;
use unstored::UnstoredReplies;

/// How many deleted messages are listed.
const DELETED_AT_MOST: u32 = 500;

/// How long what was deleted can be had back, in ms: a month.
pub(crate) const KEPT_FOR: i64 = 30 * 24 * 60 * 60 * 1_000;

/// The messages of every thread, as the person reads and changes them.
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
    /// Makes a message be seen that was looked for: shows its branch where the path leads elsewhere.
    ///
    /// # Errors
    /// [`Error::Busy`] where that would move the path of a turn that runs, [`Error::NotFound`] where
    /// the message is gone.
    pub async fn reveal(&self, id: MessageId) -> Result<()> {
        let message = self.store.message(id).await?;
        let target = match message.kind {
            MessageKind::Chat {} | MessageKind::Notice { .. } => Some(id),
            MessageKind::Summary {} | MessageKind::Card { .. } => message.parent_id,
        };
        let Some(target) = target else { return Ok(()) };
        if self.store.path_ids(message.thread_id).await?.contains(&target) {
            return Ok(());
        }
        self.switch_branch(target).await
    }

    /// Out of the path; the key brings it back. A turn that has not begun to answer it ends: there is
    /// nothing to answer any more.
    ///
    /// # Errors
    /// [`Error::Busy`] while it is being written or its calls are run, or where its answer is begun at
    /// this moment: the turn goes on from it.
    pub async fn delete(&self, id: MessageId) -> Result<DeletionId> {
        self.unstored.ensure_stored(id).await?;
        let thread = self.store.thread(self.store.message(id).await?.thread_id).await?;
        let live = self.live_sessions.get(thread.session_id);
        if live.turn.cancel_pending_reply(id) {
            // It ends while the question is still there, and shows what it was to answer anew.
            live.turn.wait_for_end().await;
        } else if thread.leaf == Some(id) && thread.ended_at.is_none() {
            live.turn.check_idle()?;
        }
        let deletion = self.store.delete_message(id, now()).await?;
        live.stage.send(&TurnEvent::Removed { message_id: id });
        // Not the thread it was in before: the turn that ended may have carried it into the next.
        self.thread_writer
            .notify_thread_changed(self.store.thread_of_deletion(deletion).await?)
            .await?;
        Ok(deletion)
    }

    /// The messages that were deleted and can be had back, the latest first.
    pub async fn deleted(&self) -> Result<Vec<DeletedMessage>> {
        let deleted = self.store.deleted_messages(DELETED_AT_MOST).await?.into_iter();
        let view = |DeletedEntry { deletion, words, session, title, at }| DeletedMessage {
            deletion,
            words,
            session,
            title,
            deleted_at: at,
            kept_until: at + KEPT_FOR,
        };
        Ok(deleted.map(view).collect())
    }

    pub async fn restore(&self, deletion: DeletionId) -> Result<()> {
        let message = self.store.undo_deletion(deletion).await?;
        self.thread_writer.notify_thread_changed(message.thread_id).await
    }

    /// Shows and sends the path through this alternative; of a thread that has ended, shows it.
    ///
    /// # Errors
    /// [`Error::Busy`] while a turn runs in this thread: its next generation would go on from there.
    pub async fn switch_branch(&self, id: MessageId) -> Result<()> {
        let (thread, _held) = self.unused_thread(id).await?;
        self.store.switch_to_branch(id).await?;
        self.thread_writer.notify_thread_changed(thread).await
    }

    /// Makes this message the end of the path: the next one begins a branch. Returns where it ended
    /// until now, from where it can be continued again; `None` where it was empty.
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

    /// The thread of a message, in which no turn runs, nor begins while the guard is held.
    async fn unused_thread(&self, id: MessageId) -> Result<(ThreadId, OwnedMutexGuard<()>)> {
        let thread = self.store.message(id).await?.thread_id;
        let live = self.live_sessions.get(self.store.thread(thread).await?.session_id);
        let held = live.turn.block().await;
        if self.store.session(live.session_id).await?.current_thread == thread {
            live.turn.check_idle()?;
        }
        Ok((thread, held))
    }
}
