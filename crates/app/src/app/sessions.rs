//! Sessions and what is written in their boxes.
//!
//! A session keeps its model from its first turn on. Before that it has the model last chosen in an empty
//! session. Another model can answer once in its place: the turn carries it, and what is measured and learned
//! during that turn belongs to that model.

use std::sync::PoisonError;

use skein_context::gate::{CompactionAttempt, Decision, GateTrigger};
use skein_context::policy::Policy;
use skein_domain::draft::Draft;
use skein_domain::error::{Error, FolderError, Result};
use skein_domain::ids::{MessageId, SessionId};
use skein_domain::message::ContentPart;
use skein_domain::model::ModelRef;
use skein_domain::queued_message::WaitingId;
use skein_domain::session::SessionOverride;
use skein_store::{DeletedSessionRecord, MessageEdit, NewSession};

use super::App;
use crate::clock::now;
use crate::events::Topic;
use crate::models::model_choices::ModelChoiceScope;
use crate::thread_archive;
use crate::view::{
    Activity, DeletedSession, SessionItem, SessionView, SwitchConsequence, SwitchPreview,
    TurnOutcome,
};

/// How long what was deleted can be had back, in ms: a month.
pub(super) const KEPT_FOR: i64 = 30 * 24 * 60 * 60 * 1_000;

impl App {
    /// The sidebar: pinned first, then the latest.
    pub async fn sessions(&self) -> Result<Vec<SessionItem>> {
        let sessions = self.store.sessions().await?;
        let mut names = self.store.session_names().await?;
        let mut opened = self.store.session_read_states().await?;
        // Whoever only looks makes none: of most nothing runs, and nothing has since the start.
        let lives = self.live_sessions.all();
        Ok(sessions
            .into_iter()
            .map(|session| {
                let live = lives.get(&session.id);
                let opened = opened.remove(&session.id).unwrap_or_default();
                SessionItem {
                    activity: live.map_or(Activity::Idle, |live| live.activity()),
                    ended: live
                        .and_then(|live| live.last_outcome())
                        .or_else(|| opened.leaf.as_ref().map(TurnOutcome::from)),
                    unread: opened.unread,
                    opened: opened.order,
                    id: session.id,
                    name: names.remove(&session.id),
                    title: session.title,
                    pinned: session.pinned,
                    updated_at: session.updated_at,
                }
            })
            .collect())
    }

    /// The window shows a session from now on, and no other.
    pub async fn open_session(&self, id: SessionId) -> Result<()> {
        *self.open_session.lock().unwrap_or_else(PoisonError::into_inner) = Some(id);
        if self.store.mark_opened(id).await? {
            self.notifier.changed([Topic::Sessions {}]);
        }
        Ok(())
    }

    /// A turn has ended in a session: where it is not the open one, that is kept until it is.
    pub(crate) async fn mark_unread(&self, id: SessionId) {
        if *self.open_session.lock().unwrap_or_else(PoisonError::into_inner) == Some(id) {
            return;
        }
        if let Err(error) = self.store.mark_unread(id).await {
            tracing::warn!(%error, "a session in which a turn has ended is not marked");
        }
    }

    /// An open session.
    pub async fn session(&self, id: SessionId) -> Result<SessionView> {
        let session = self.store.session(id).await?;
        let live = self.live_sessions.get(id);
        let model = self.model_choices.session_model(&session);
        let limits = self.models.spec(&model).await?.limits;
        let policy = Policy::resolve(&self.settings.get().policy(), &session.overrides, &limits);
        Ok(SessionView {
            name: self.store.session_name(id).await?,
            threads: self.store.threads(id).await?,
            is_empty: self.store.thread_is_empty(session.current_thread).await?,
            model,
            strategy: policy.strategy,
            automatic: policy.automatic,
            draft: self.store.draft(id).await?,
            edits: self.store.edits(id).await?,
            waiting: self.store.queued_messages(id).await?,
            activity: live.activity(),
            questions: live.pending_approvals(),
            session,
        })
    }

    /// An empty session with the default model: one that nobody has used yet, or a new one.
    pub async fn create_session(&self) -> Result<SessionId> {
        let id = self.store.session_for_draft(Vec::new(), None, now()).await?;
        self.notifier.session_changed(id);
        Ok(id)
    }

    /// A session with a link's words for its box, and nothing sent. One that nobody has used is taken
    /// first: at its very first start the window makes one, and the link may come before or after.
    pub async fn new_chat(&self, prompt: String, model: Option<ModelRef>) -> Result<SessionId> {
        let words = Some(ContentPart::Text { text: prompt });
        let words =
            words.filter(|part| matches!(part, ContentPart::Text { text } if !text.is_empty()));
        let words = words.into_iter().collect();
        let session = self.store.session_for_draft(words, model, now()).await?;
        self.notifier.session_changed(session);
        Ok(session)
    }

    /// The first session of the sidebar; where there is none, an empty one. A window that is loaded
    /// twice asks twice, and gets the same.
    pub async fn first_session(&self) -> Result<SessionId> {
        let new = NewSession { created_at: now(), ..NewSession::default() };
        let session = self.store.first_session(new).await?;
        // Also where it was there: whoever asks has not seen it.
        self.notifier.changed([Topic::Sessions {}]);
        Ok(session.id)
    }

    /// Makes what leads to a message a session of its own; the one it is in stays as it is. Returns it.
    pub async fn fork(&self, message: MessageId) -> Result<SessionId> {
        self.ensure_stored(message).await?;
        let session = crate::transfers::fork(&self.store, message, now()).await?;
        self.notifier.session_changed(session);
        Ok(session)
    }

    /// The person's own title; a blank one takes the name away.
    pub async fn rename_session(&self, id: SessionId, title: String) -> Result<()> {
        let title = Some(title.trim().to_owned()).filter(|title| !title.is_empty());
        self.store.rename_session(id, title).await?;
        self.notifier.session_changed(id);
        Ok(())
    }

    /// To the top of the sidebar, or back.
    pub async fn pin_session(&self, id: SessionId, pinned: bool) -> Result<()> {
        self.store.set_session_pinned(id, pinned).await?;
        self.notifier.session_changed(id);
        Ok(())
    }

    /// Out of sight, all at once. A turn that runs is stopped: nobody would see what it does.
    pub async fn delete_sessions(&self, ids: Vec<SessionId>) -> Result<()> {
        let running = self.live_sessions.all();
        for live in ids.iter().filter_map(|id| running.get(id)) {
            live.stop();
            live.cancel_compaction();
        }
        self.store.delete_sessions(ids.clone(), now()).await?;
        self.notifier.sessions_changed(ids);
        Ok(())
    }

    /// What was deleted a month ago goes for good: the files of archived threads first, because only
    /// the database knows whose they are. A session with a file that cannot be removed stays for now. A
    /// clock that is ahead lets no month pass: time counts up to what was written last.
    pub(crate) async fn purge_expired_sessions(&self) -> Result<()> {
        let written = self.store.newest_message_at().await?.unwrap_or(i64::MAX);
        let a_month_ago = now().min(written) - KEPT_FOR;
        let mut kept = Vec::new();
        for (session, file) in self.store.archives_deleted_before(a_month_ago).await? {
            if let Err(error) = thread_archive::remove_archive(&self.paths, session, &file) {
                tracing::warn!(%error, "the file of an archived thread was not removed");
                kept.push(session);
            }
        }
        self.store.purge(a_month_ago, kept).await
    }

    /// The deleted sessions that can be had back, the latest first.
    pub async fn deleted_sessions(&self) -> Result<Vec<DeletedSession>> {
        let deleted = self.store.deleted_sessions().await?.into_iter();
        let view = |DeletedSessionRecord { id, title, messages, at }| DeletedSession {
            id,
            title,
            messages,
            deleted_at: at,
            kept_until: at + KEPT_FOR,
        };
        Ok(deleted.map(view).collect())
    }

    /// A deleted session goes for good before its time, the files of its archived threads first.
    ///
    /// # Errors
    /// [`Error::NotFound`] where it is not deleted: then nothing is lost.
    pub async fn purge_session(&self, id: SessionId) -> Result<()> {
        if !self.store.deleted_sessions().await?.iter().any(|deleted| deleted.id == id) {
            return Err(Error::NotFound { what: "deleted session".into() });
        }
        let archives = self.store.archives_deleted_before(i64::MAX).await?;
        for (session, file) in archives.into_iter().filter(|(session, _)| *session == id) {
            thread_archive::remove_archive(&self.paths, session, &file)
                .map_err(|error| Error::from_io(&self.paths.archive(), &error))?;
        }
        self.store.purge_session(id).await?;
        self.notifier.changed([Topic::Sessions {}]);
        Ok(())
    }

    /// Undoes a deletion.
    pub async fn restore_sessions(&self, ids: Vec<SessionId>) -> Result<()> {
        self.store.restore_sessions(ids.clone()).await?;
        self.notifier.sessions_changed(ids);
        Ok(())
    }

    /// The model of the next message. Chosen in a session that has not begun, or where none was chosen
    /// before, it is that of new sessions as well.
    pub async fn set_model(&self, id: SessionId, model: ModelRef) -> Result<()> {
        self.store.set_session_model(id, Some(model.clone())).await?;
        let is_first = !self.has_begun(id).await? || self.model_choices.chosen_model().is_none();
        let chosen_for =
            if is_first { ModelChoiceScope::SessionAndDefault } else { ModelChoiceScope::Session };
        self.model_choices.remember_model(&model, chosen_for);
        self.notifier.session_changed(id);
        self.notifier.changed([Topic::Context { session_id: id }]);
        Ok(())
    }

    /// Whether anything was said in a session.
    async fn has_begun(&self, id: SessionId) -> Result<bool> {
        let session = self.store.session(id).await?;
        let thread = self.store.thread(session.current_thread).await?;
        Ok(thread.number > 1 || thread.leaf.is_some())
    }

    /// US-5: what another model would make of this conversation.
    pub async fn preview_model(&self, id: SessionId, model: ModelRef) -> Result<SwitchPreview> {
        let session = self.store.session(id).await?;
        let context = self.turn_context_with_model(session, model).await?;
        let verdict =
            self.ask_gate(&context, GateTrigger::ModelSwitched, CompactionAttempt::None).await?;
        let used = context.with_window(None, |window| window.used);
        let ceiling = context.limits.max_prompt();
        let consequence = match (verdict.decision, ceiling) {
            (Decision::Compact { .. }, _) => SwitchConsequence::Compacts,
            (Decision::Archive { .. }, _) => SwitchConsequence::Archives,
            (_, None) => SwitchConsequence::Unknown,
            (_, Some(ceiling)) if used.tokens > ceiling => SwitchConsequence::TooLong,
            (_, Some(_)) => SwitchConsequence::Fits,
        };
        Ok(SwitchPreview { used, limit: ceiling, consequence })
    }

    /// One thing a session decides otherwise than the global settings. What else it has decided may
    /// have changed since whoever asks has seen it, and stays.
    ///
    /// # Errors
    /// [`Error::BadFolder`] where a folder is chosen that cannot be one.
    pub async fn set_override(&self, id: SessionId, mut decided: SessionOverride) -> Result<()> {
        if let SessionOverride::Folder(Some(folder)) = &mut decided {
            *folder = self.tools.resolve_chosen_folder(folder)?;
        }
        self.store.set_override(id, decided).await?;
        self.notifier.session_changed(id);
        self.notifier.changed([Topic::Context { session_id: id }, Topic::Tools {}]);
        Ok(())
    }

    /// What is in the way of a session's folder: it was one that could be chosen, and may have gone
    /// since. `None`: nothing, or the session has none.
    pub async fn folder_fault(&self, id: SessionId) -> Result<Option<FolderError>> {
        let folder = self.store.session(id).await?.overrides.folder;
        Ok(folder.and_then(|folder| self.tools.workspace_error(&folder)))
    }

    /// What is written in the box; what it has `taken` in waits no longer.
    ///
    /// # Errors
    /// [`Error::NotFound`] where that was sent meanwhile: then nothing changes.
    pub async fn save_draft(
        &self,
        id: SessionId,
        draft: Draft,
        taken: Option<WaitingId>,
    ) -> Result<()> {
        self.store.set_draft(id, draft, taken, now()).await?;
        if taken.is_some() {
            self.notifier.changed([Topic::Session { session_id: id }]);
        }
        Ok(())
    }

    /// What is changed of a message that is being edited; nothing: it is sent or put away.
    pub async fn save_edit(&self, id: MessageId, edit: MessageEdit) -> Result<()> {
        self.store.set_edit(id, edit, now()).await
    }

    /// The messages of a session's current thread changed.
    pub(crate) async fn notify_path_changed(&self, session: SessionId) {
        match self.store.session(session).await {
            Ok(session) => {
                self.notifier.changed([Topic::Thread { thread_id: session.current_thread }]);
            }
            Err(error) => tracing::warn!(%error, "nobody is told of a changed conversation"),
        }
    }
}
