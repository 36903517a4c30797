//! Sessions and what is written in their boxes.
//!
//! A session keeps its model from its first turn on. Before that it has the model last chosen in an empty
//! session. Another model can answer once in its place: the turn carries it, and what is measured and learned
//! during that turn belongs to that model.

use std::iter;
use std::sync::{Arc, PoisonError};

use skein_context::compaction::decision::{CompactionAttempt, Decision, GateTrigger};
use skein_context::limits::policy::Policy;
use skein_domain::draft::Draft;
use skein_domain::error::{Error, FolderError, Result};
use skein_domain::ids::{MessageId, SessionId};
use skein_domain::message::queued_message::WaitingId;
use skein_domain::model::ModelRef;
use skein_domain::session::{Session, SessionOverride};
use skein_store::{DeletedSessionRecord, MessageEdit, NewSession};

use super::App;
use crate::events::Topic;
use crate::live_session::LiveSession;
use crate::thread_archive;
use crate::view::{
    ActiveWork, Activity, DeletedSession, SessionItem, SessionView, SwitchConsequence,
    SwitchPreview, TurnOutcome,
};

/// How long what was deleted can be had back, in ms: a month.
pub(super) const KEPT_FOR: i64 = 30 * 24 * 60 * 60 * 1_000;

/// How many of the models that were chosen last are offered first.
const RECENT: usize = 5;

/// Which sessions a model was chosen for.
#[derive(Debug, Clone, Copy)]
pub(super) enum ModelChoiceScope {
    /// This one, or one answer in it.
    Session,
    /// This one, and those that begin from now on.
    SessionAndDefault,
}

impl App {
    /// The sidebar: pinned first, then the latest.
    pub async fn sessions(&self) -> Result<Vec<SessionItem>> {
        let sessions = self.store.sessions().await?;
        let mut names = self.store.session_names().await?;
        let mut opened = self.store.session_read_states().await?;
        // Whoever only looks makes none: of most nothing runs, and nothing has since the start.
        let lives = self.lives().clone();
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

    /// What would end with the program.
    pub fn active_work(&self) -> ActiveWork {
        let activities = self.lives().values().map(|live| live.activity()).collect::<Vec<_>>();
        ActiveWork {
            sessions: activities.into_iter().filter(|it| *it != Activity::Idle).collect(),
            importing: self.import.is_running(),
            exporting: self.exports.is_writing(),
            unstored: self.unstored.at_risk(),
        }
    }

    /// The window shows a session from now on, and no other.
    pub async fn open_session(&self, id: SessionId) -> Result<()> {
        *self.open_session.lock().unwrap_or_else(PoisonError::into_inner) = Some(id);
        if self.store.mark_opened(id).await? {
            self.notify_changed([Topic::Sessions {}]);
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
        let live = self.live_session(id);
        let model = self.session_model(&session);
        let limits = self.spec(&model).await?.limits;
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
        let id = self.store.session_for_draft(Vec::new(), None, self.now()).await?;
        self.notify_session_changed(id);
        Ok(id)
    }

    /// The first session of the sidebar; where there is none, an empty one. A window that is loaded
    /// twice asks twice, and gets the same.
    pub async fn first_session(&self) -> Result<SessionId> {
        let new = NewSession { created_at: self.now(), ..NewSession::default() };
        let session = self.store.first_session(new).await?;
        // Also where it was there: whoever asks has not seen it.
        self.notify_changed([Topic::Sessions {}]);
        Ok(session.id)
    }

    /// Makes what leads to a message a session of its own; the one it is in stays as it is. Returns it.
    pub async fn fork(&self, message: MessageId) -> Result<SessionId> {
        self.ensure_stored(message).await?;
        let session = crate::transfers::fork(&self.store, message, self.now()).await?;
        self.notify_session_changed(session);
        Ok(session)
    }

    /// The person's own title; a blank one takes the name away.
    pub async fn rename_session(&self, id: SessionId, title: String) -> Result<()> {
        let title = Some(title.trim().to_owned()).filter(|title| !title.is_empty());
        self.store.rename_session(id, title).await?;
        self.notify_session_changed(id);
        Ok(())
    }

    /// To the top of the sidebar, or back.
    pub async fn pin_session(&self, id: SessionId, pinned: bool) -> Result<()> {
        self.store.set_session_pinned(id, pinned).await?;
        self.notify_session_changed(id);
        Ok(())
    }

    /// Out of sight, all at once. A turn that runs is stopped: nobody would see what it does.
    pub async fn delete_sessions(&self, ids: Vec<SessionId>) -> Result<()> {
        let running = self.lives().clone();
        for live in ids.iter().filter_map(|id| running.get(id)) {
            live.stop();
            live.cancel_compaction();
        }
        self.store.delete_sessions(ids.clone(), self.now()).await?;
        self.sessions_changed(ids);
        Ok(())
    }

    /// What was deleted a month ago goes for good: the files of archived threads first, because only
    /// the database knows whose they are. A session with a file that cannot be removed stays for now. A
    /// clock that is ahead lets no month pass: time counts up to what was written last.
    pub(crate) async fn purge_expired_sessions(&self) -> Result<()> {
        let written = self.store.newest_message_at().await?.unwrap_or(i64::MAX);
        let a_month_ago = self.now().min(written) - KEPT_FOR;
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
        self.notify_changed([Topic::Sessions {}]);
        Ok(())
    }

    /// Undoes a deletion.
    pub async fn restore_sessions(&self, ids: Vec<SessionId>) -> Result<()> {
        self.store.restore_sessions(ids.clone()).await?;
        self.sessions_changed(ids);
        Ok(())
    }

    /// The model of the next message. Chosen in a session that has not begun, or where none was chosen
    /// before, it is that of new sessions as well.
    pub async fn set_model(&self, id: SessionId, model: ModelRef) -> Result<()> {
        self.store.set_session_model(id, Some(model.clone())).await?;
        let is_first = !self.has_begun(id).await? || self.chosen_model().is_none();
        let chosen_for =
            if is_first { ModelChoiceScope::SessionAndDefault } else { ModelChoiceScope::Session };
        self.remember_model(&model, chosen_for);
        self.notify_session_changed(id);
        self.notify_changed([Topic::Context { session_id: id }]);
        Ok(())
    }

    /// Keeps that a model was chosen.
    pub(super) fn remember_model(&self, model: &ModelRef, chosen_for: ModelChoiceScope) {
        let noted = self.settings.change(|settings| {
            settings.recent_models.retain(|recent| recent != model);
            settings.recent_models.insert(0, model.clone());
            settings.recent_models.truncate(RECENT);
            match chosen_for {
                ModelChoiceScope::Session => {}
                ModelChoiceScope::SessionAndDefault => settings.default_model = Some(model.clone()),
            }
        });
        // Of a file that cannot be written the window speaks anyway, and the choice holds here.
        if let Err(error) = noted {
            tracing::warn!(%error, "that a model was chosen is not kept");
        }
        self.notify_changed([Topic::Settings {}]);
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
            *folder = self.resolve_chosen_folder(folder)?;
        }
        self.store.set_override(id, decided).await?;
        self.notify_session_changed(id);
        self.notify_changed([Topic::Context { session_id: id }, Topic::Tools {}]);
        Ok(())
    }

    /// What is in the way of a session's folder: it was one that could be chosen, and may have gone
    /// since. `None`: nothing, or the session has none.
    pub async fn folder_fault(&self, id: SessionId) -> Result<Option<FolderError>> {
        let folder = self.store.session(id).await?.overrides.folder;
        Ok(folder.and_then(|folder| self.workspace_error(&folder)))
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
        self.store.set_draft(id, draft, taken, self.now()).await?;
        if taken.is_some() {
            self.notify_changed([Topic::Session { session_id: id }]);
        }
        Ok(())
    }

    /// What is changed of a message that is being edited; nothing: it is sent or put away.
    pub async fn save_edit(&self, id: MessageId, edit: MessageEdit) -> Result<()> {
        self.store.set_edit(id, edit, self.now()).await
    }

    /// The session as it lives in memory; made when it is first asked for.
    pub fn live_session(&self, id: SessionId) -> Arc<LiveSession> {
        let mut lives = self.lives();
        Arc::clone(lives.entry(id).or_insert_with(|| Arc::new(LiveSession::new(id))))
    }

    /// The session's model, else the default of the settings.
    pub(crate) fn session_model(&self, session: &Session) -> ModelRef {
        session.model.clone().unwrap_or_else(|| self.default_model())
    }

    /// The session's model, which is its own from its first turn on: what is chosen elsewhere later
    /// does not change who reads this conversation.
    pub(crate) async fn pin_model(&self, id: SessionId) -> Result<ModelRef> {
        let session = self.store.session(id).await?;
        let model = self.session_model(&session);
        if session.model.is_none() {
            self.store.set_session_model(id, Some(model.clone())).await?;
        }
        Ok(model)
    }

    /// The model of a session that has chosen none: the one that was last chosen for new ones, or the
    /// demo where its provider has been removed since.
    pub(crate) fn default_model(&self) -> ModelRef {
        self.chosen_model().unwrap_or_else(skein_demo::default_model)
    }

    /// The model that was last chosen for new sessions; `None`: there is none, or its provider is gone.
    fn chosen_model(&self) -> Option<ModelRef> {
        let settings = self.settings.get();
        let is_there = |model: &&ModelRef| {
            model.provider.0 == skein_demo::ID
                || settings.providers.iter().any(|config| config.id == model.provider)
        };
        settings.default_model.as_ref().filter(is_there).cloned()
    }

    /// The messages of a session's current thread changed.
    pub(crate) async fn notify_path_changed(&self, session: SessionId) {
        match self.store.session(session).await {
            Ok(session) => {
                self.notify_changed([Topic::Thread { thread_id: session.current_thread }]);
            }
            Err(error) => tracing::warn!(%error, "nobody is told of a changed conversation"),
        }
    }

    pub(crate) fn notify_session_changed(&self, session_id: SessionId) {
        self.sessions_changed([session_id]);
    }

    fn sessions_changed(&self, ids: impl IntoIterator<Item = SessionId>) {
        let each = ids.into_iter().map(|session_id| Topic::Session { session_id });
        self.notify_changed(iter::once(Topic::Sessions {}).chain(each));
    }
}
