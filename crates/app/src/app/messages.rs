//! Messages: shown in pages, added, pinned, left out, deleted, and stepped between.
//!
//! A message that is being answered cannot be left out, and one that is left out is not answered. A page that
//! starts at a message which has left the path starts at its nearest ancestor on it.

use std::collections::{HashMap, HashSet};

use skein_context::rounds::Rounds;
use skein_domain::compaction_point::CompactionPoint;
use skein_domain::error::{Error, Result};
use skein_domain::generation::Generation;
use skein_domain::ids::{MessageId, PointId, SessionId, ThreadId};
use skein_domain::message::{Inclusion, Message, MessageKind, MessageState, Role};
use skein_store::{DeletedEntry, DeletionId, NewMessage};
use tokio::sync::OwnedMutexGuard;

use super::App;
use super::sessions::KEPT_FOR;
use crate::clock::now;
use crate::events::{Topic, TurnEvent};
use crate::view::{
    DeletedMessage, PinUsage, PointView, TranscriptItem, TranscriptPosition, TranscriptView,
};

/// How many deleted messages are listed.
const DELETED_AT_MOST: u32 = 500;

impl App {
    /// A page of the path that is seen.
    pub async fn transcript(
        &self,
        thread: ThreadId,
        place: TranscriptPosition,
        limit: u32,
    ) -> Result<TranscriptView> {
        let ids = self.store.path_ids(thread).await?;
        let limit = usize::try_from(limit.clamp(1, 500)).unwrap_or(500);
        let (from, to) = match place {
            TranscriptPosition::End {} => (ids.len().saturating_sub(limit), ids.len()),
            TranscriptPosition::Before { message_id } => {
                let end = self.stand_in(&ids, message_id).await?.behind_what_is_before();
                (end.saturating_sub(limit), end)
            }
            TranscriptPosition::After { message_id } => {
                let begin = self.stand_in(&ids, message_id).await?.at + 1;
                (begin, begin + limit)
            }
            TranscriptPosition::Around { message_id } => {
                let begin = self.stand_in(&ids, message_id).await?.at.saturating_sub(limit / 2);
                (begin, begin + limit)
            }
        };
        let (from, to) = (from.min(ids.len()), to.min(ids.len()));
        // A card may stand before the first word.
        if from >= to && !ids.is_empty() {
            return Ok(empty(from, ids.len()));
        }
        let session = self.store.thread(thread).await?.session_id;
        let last = to.checked_sub(1).and_then(|last| ids.get(last)).copied();
        let shown = u32::try_from(to.saturating_sub(from)).unwrap_or(u32::MAX);
        let page = self.store.transcript_page(thread, last, shown).await?;
        let points = self.store.points(thread).await?;
        let stale = if page.beside.iter().any(Message::is_summary) {
            self.stale_points(thread).await?
        } else {
            HashSet::new()
        };
        let marks = PointMarkers::of(&ids, &points, &stale);
        let shown = || page.messages.iter().map(|it| it.message.id);
        let mut replies = match shown().min().zip(shown().max()) {
            Some((first, last)) => self.store.replies(thread, first, last).await?,
            None => HashMap::new(),
        };
        let mut items = items(page, &marks, &mut replies, from);
        let end = last.filter(|_| to == ids.len());
        if let Some(item) = items.iter_mut().find(|it| Some(it.message.id) == end) {
            item.later = self.store.next_user_message(item.message.id).await?;
        }
        self.unstored.overlay(&mut items);
        if !self.live_sessions.get(session).is_replying() {
            items.iter_mut().for_each(settle);
        }
        Ok(TranscriptView {
            items,
            before: u32::try_from(from).unwrap_or(u32::MAX),
            after: u32::try_from(ids.len() - to).unwrap_or(u32::MAX),
        })
    }

    /// Where a message stands on the path. For one that is elsewhere, or was deleted since somebody read
    /// it, its nearest ancestor there stands: what it hangs beside, or where its branch leaves the path.
    async fn stand_in(&self, path: &[MessageId], message: MessageId) -> Result<PathLocation> {
        let lineage = self.store.ancestor_ids(message).await?;
        let at = lineage.iter().rev().find_map(|id| path.iter().position(|it| it == id));
        Ok(PathLocation { at: at.unwrap_or(0), is_exact: path.contains(&message) })
    }

    /// Makes a message be seen that was looked for: shows its branch where the path leads elsewhere.
    ///
    /// # Errors
    /// [`Error::Busy`] where that would move the path of a turn that runs, [`Error::NotFound`] where
    /// the message is gone.
    pub async fn reveal_message(&self, id: MessageId) -> Result<()> {
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

    /// The points of a current thread whose summary no longer tells what it covers. Those of an
    /// archived one are not looked at: nothing about them can change.
    async fn stale_points(&self, thread: ThreadId) -> Result<HashSet<PointId>> {
        let session = self.store.session(self.store.thread(thread).await?.session_id).await?;
        if session.current_thread != thread {
            return Ok(HashSet::new());
        }
        let counter = self.models.counter(&self.model_choices.session_model(&session)).await?;
        let loaded = self.thread_cache.get(&self.store, thread, &counter).await?;
        let stale = loaded.points.iter().filter(|point| point.stale);
        Ok(stale.map(|point| point.point.id).collect())
    }

    /// Adds a message at the end of a path, in the store and in memory.
    pub(crate) async fn append_message(
        &self,
        thread: ThreadId,
        new: NewMessage,
    ) -> Result<Message> {
        let message = self.store.append_message(thread, new).await?;
        self.thread_cache.append(&message);
        Ok(message)
    }

    /// The message at the end of a path, in memory too, as it is in the store by now.
    pub(crate) async fn refresh_cached_message(&self, id: MessageId) -> Result<()> {
        let message = self.store.message(id).await?;
        self.thread_cache.append(&message);
        Ok(())
    }

    /// Takes the end of a path back that the program has just added, so that it ends with `leaf`, as
    /// before; the key brings it back.
    pub(crate) async fn remove_reply(
        &self,
        message: &Message,
        leaf: Option<MessageId>,
    ) -> Result<DeletionId> {
        let deletion = self.store.retract_message(message.id, leaf, now()).await?;
        self.drop_cached_thread(message.thread_id);
        Ok(deletion)
    }

    /// Puts it there again.
    pub(crate) async fn restore_reply(&self, deletion: DeletionId) -> Result<()> {
        let message = self.store.undo_deletion(deletion).await?;
        self.drop_cached_thread(message.thread_id);
        Ok(())
    }

    /// P07: a message that cannot be answered goes back to the box, which takes it in as soon as
    /// nothing else is written there.
    pub(crate) async fn return_to_draft(
        &self,
        session: SessionId,
        message: &Message,
    ) -> Result<()> {
        self.store.return_message_to_draft(session, message.id, now()).await?;
        self.drop_cached_thread(message.thread_id);
        self.notifier.session_changed(session);
        Ok(())
    }

    /// The message that an answer answered: up over notices and the generations of its tool loop.
    pub(crate) async fn find_user_message(&self, answer: &Message) -> Result<Option<MessageId>> {
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
    pub(crate) async fn switch_to_branch_of(&self, message: &Message) -> Result<()> {
        if !self.store.path_ids(message.thread_id).await?.contains(&message.id) {
            self.store.switch_to_branch(message.id).await?;
            self.drop_cached_thread(message.thread_id);
        }
        Ok(())
    }

    /// Out of the path; the key brings it back. A turn that has not begun to answer it ends: there is
    /// nothing to answer any more.
    ///
    /// # Errors
    /// [`Error::Busy`] while it is being written or its calls are run, or where its answer is begun at
    /// this moment: the turn goes on from it.
    pub async fn delete_message(&self, id: MessageId) -> Result<DeletionId> {
        self.ensure_stored(id).await?;
        let thread = self.store.thread(self.store.message(id).await?.thread_id).await?;
        let live = self.live_sessions.get(thread.session_id);
        if live.cancel_pending_reply(id) {
            // It ends while the question is still there, and shows what it was to answer anew.
            live.wait_for_turn_end().await;
        } else if thread.leaf == Some(id) && thread.ended_at.is_none() {
            live.check_idle()?;
        }
        let deletion = self.store.delete_message(id, now()).await?;
        live.stage.send(&TurnEvent::Removed { message_id: id });
        // Not the thread it was in before: the turn that ended may have carried it into the next.
        self.notify_thread_changed(self.store.thread_of_deletion(deletion).await?).await?;
        Ok(deletion)
    }

    /// The messages that were deleted and can be had back, the latest first.
    pub async fn deleted_messages(&self) -> Result<Vec<DeletedMessage>> {
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

    /// Undoes a deletion.
    pub async fn restore_message(&self, deletion: DeletionId) -> Result<()> {
        let message = self.store.undo_deletion(deletion).await?;
        self.notify_thread_changed(message.thread_id).await
    }

    /// Shows and sends the path through this alternative; of a thread that has ended, shows it.
    ///
    /// # Errors
    /// [`Error::Busy`] while a turn runs in this thread: its next generation would go on from there.
    pub async fn switch_branch(&self, id: MessageId) -> Result<()> {
        let (thread, _held) = self.unused_thread(id).await?;
        self.store.switch_to_branch(id).await?;
        self.notify_thread_changed(thread).await
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
        self.notify_thread_changed(thread).await?;
        Ok(end)
    }

    /// The thread of a message, in which no turn runs, nor begins while the guard is held.
    async fn unused_thread(&self, id: MessageId) -> Result<(ThreadId, OwnedMutexGuard<()>)> {
        let thread = self.store.message(id).await?.thread_id;
        let live = self.live_sessions.get(self.store.thread(thread).await?.session_id);
        let held = live.block_turns().await;
        if self.store.session(live.session_id).await?.current_thread == thread {
            live.check_idle()?;
        }
        Ok((thread, held))
    }

    /// Keeps what the person wants of a message in the context.
    ///
    /// # Errors
    /// [`Error::PinsTooLarge`] where the pins would leave no room. Of one to be left out: [`Error::Busy`]
    /// where the running turn needs it, [`Error::Unanswered`] where the next answer does,
    /// [`Error::Invalid`] where nobody said it in the conversation.
    pub async fn include_message(&self, id: MessageId, inclusion: Inclusion) -> Result<()> {
        let thread = self.store.message(id).await?.thread_id;
        let live = self.live_sessions.get(self.store.thread(thread).await?.session_id);
        let _alone = live.facts_lock.lock().await;
        let message = self.store.message(id).await?;
        match inclusion {
            Inclusion::Usual => {}
            Inclusion::Pinned => self.refuse_large_pins(&message).await?,
            Inclusion::LeftOut => self.refuse_needed(&message).await?,
        }
        let facts = self.facts_after_inclusion_change(&message, inclusion).await?;
        self.store.set_inclusion(id, inclusion, facts).await?;
        self.notify_thread_changed(thread).await
    }

    /// Of the round in progress nothing is left out that is being answered.
    async fn refuse_needed(&self, message: &Message) -> Result<()> {
        if message.kind != (MessageKind::Chat {}) {
            return Err(Error::Invalid { detail: "only what was said can be left out".into() });
        }
        let session = self.store.thread(message.thread_id).await?.session_id;
        let live = self.live_sessions.get(session);
        let replying = live.is_replying();
        let is_growing = replying && message.state == (MessageState::Streaming {});
        if is_growing || live.is_reply_pending(message.id) {
            return Err(Error::Busy {});
        }
        let context = self.turn_context(session).await?;
        let open_from = Rounds::of(context.loaded.messages()).open_start();
        let in_progress = context.loaded.messages().skip(open_from).any(|it| it.id == message.id);
        match message.role {
            _ if in_progress && replying => Err(Error::Busy {}),
            Role::User if in_progress => Err(Error::Unanswered {}),
            Role::User | Role::Assistant => Ok(()),
        }
    }

    /// What is left out is not answered: the model would not see it.
    ///
    /// # Errors
    /// [`Error::LeftOut`].
    pub(crate) async fn check_included(&self, asked: Option<MessageId>) -> Result<()> {
        let Some(asked) = asked else { return Ok(()) };
        if self.store.message(asked).await?.is_left_out() { Err(Error::LeftOut {}) } else { Ok(()) }
    }

    async fn refuse_large_pins(&self, message: &Message) -> Result<()> {
        let session = self.store.thread(message.thread_id).await?.session_id;
        let context = self.turn_context(session).await?;
        let PinUsage { tokens, limit, .. } = context.pin_usage();
        let path = context.loaded.counted().into_iter();
        let added = path.filter(|it| it.message.id == message.id && !it.message.is_pinned());
        let tokens = added.fold(tokens, |sum, it| sum.saturating_add(it.tokens.total()));
        if tokens > limit { Err(Error::PinsTooLarge { tokens, limit }) } else { Ok(()) }
    }

    /// Drops what is in memory of a thread.
    pub(crate) fn drop_cached_thread(&self, thread_id: ThreadId) {
        self.thread_cache.invalidate(thread_id);
        self.notifier.changed([Topic::Thread { thread_id }]);
    }

    pub(crate) async fn notify_thread_changed(&self, thread_id: ThreadId) -> Result<()> {
        let session_id = self.store.thread(thread_id).await?.session_id;
        self.drop_cached_thread(thread_id);
        self.notifier.changed([Topic::Context { session_id }]);
        // Without a title it is called by what was said.
        self.notifier.session_changed(session_id);
        Ok(())
    }
}

/// What still grows in the store while nothing runs could not be stored to its end.
fn settle(item: &mut TranscriptItem) {
    if item.message.state == (MessageState::Streaming {}) {
        item.message.state = MessageState::Interrupted {};
    }
}

/// What a message is found by on the path.
struct PathLocation {
    at: usize,
    /// It is the message itself.
    is_exact: bool,
}

impl PathLocation {
    /// Where what stands before the message ends: its ancestors are before it.
    fn behind_what_is_before(&self) -> usize {
        if self.is_exact { self.at } else { self.at + 1 }
    }
}

fn empty(before: usize, all: usize) -> TranscriptView {
    TranscriptView {
        items: Vec::new(),
        before: u32::try_from(before.min(all)).unwrap_or(u32::MAX),
        after: u32::try_from(all.saturating_sub(before)).unwrap_or(u32::MAX),
    }
}

/// What a path's messages are marked with.
pub(super) struct PointMarkers<'a> {
    /// Each with where its boundary stands on the path.
    points: Vec<(&'a CompactionPoint, Option<usize>)>,
    latest: Option<PointId>,
    stale: &'a HashSet<PointId>,
}

impl<'a> PointMarkers<'a> {
    /// Goes through the path once, however many points there are.
    pub fn of(
        path: &[MessageId],
        points: &'a [CompactionPoint],
        stale: &'a HashSet<PointId>,
    ) -> Self {
        let places: HashMap<_, _> = path.iter().zip(0..).collect();
        let place = |point: &CompactionPoint| places.get(&point.boundary_message_id).copied();
        let points: Vec<_> = points.iter().map(|point| (point, place(point))).collect();
        let on_path = points.iter().filter_map(|(point, at)| Some(((*at)?, point.id)));
        let latest = on_path.max().map(|(_, id)| id);
        Self { points, latest, stale }
    }

    /// The point that covers the message at this place: the first made that does.
    fn covering(&self, at: usize) -> Option<&CompactionPoint> {
        let covers = |end: Option<usize>| end.is_some_and(|end| at <= end);
        self.points.iter().find(|(_, end)| covers(*end)).map(|(point, _)| *point)
    }

    fn of_summary(&self, message: MessageId) -> Option<PointView> {
        let mut points = self.points.iter().map(|(point, _)| point);
        points.find(|point| point.summary_message_id == message).map(|it| self.view(it))
    }

    fn view(&self, point: &CompactionPoint) -> PointView {
        PointView {
            covered_messages: point.covered,
            latest: self.latest == Some(point.id),
            stale: self.stale.contains(&point.id),
            point: point.clone(),
        }
    }

    /// Those whose boundary is on the path, newest first.
    pub fn on_path(&self) -> Vec<PointView> {
        let on_path = self.points.iter().filter(|(_, at)| at.is_some());
        on_path.rev().map(|(point, _)| self.view(point)).collect()
    }
}

/// Messages in order, what hangs beside one behind it.
fn items(
    page: skein_store::TranscriptPage,
    marks: &PointMarkers<'_>,
    replies: &mut HashMap<MessageId, Generation>,
    from: usize,
) -> Vec<TranscriptItem> {
    let mut items = Vec::with_capacity(page.messages.len() + page.beside.len());
    let beside = |parent: Option<MessageId>, number: u32| {
        let found = page.beside.iter().filter(move |message| message.parent_id == parent);
        found.map(move |message| TranscriptItem {
            number,
            siblings: Vec::new(),
            later: None,
            covered_by: None,
            point: marks.of_summary(message.id),
            generation: None,
            unstored: None,
            message: message.clone(),
        })
    };
    items.extend(beside(None, 0));
    for (offset, it) in page.messages.into_iter().enumerate() {
        let at = from + offset;
        let number = u32::try_from(at + 1).unwrap_or(u32::MAX);
        let id = it.message.id;
        items.push(TranscriptItem {
            number,
            siblings: it.siblings,
            later: None,
            covered_by: marks.covering(at).map(|point| point.id),
            point: None,
            generation: replies.remove(&it.message.id),
            unstored: None,
            message: it.message,
        });
        items.extend(beside(Some(id), number));
    }
    items
}
