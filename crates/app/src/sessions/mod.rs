//! Sessions and their drafts.

mod deleted_sessions;
mod session_models;

use std::sync::Arc;

use parking_lot::Mutex;
use skein_domain::draft::{Attachment, Draft};
use skein_domain::error::{FolderError, Result};
use skein_domain::ids::{MessageId, SessionId};
use skein_domain::message::ContentPart;
use skein_domain::message::queued_message::WaitingId;
use skein_domain::model::ModelRef;
use skein_domain::session::SessionOverride;
use skein_platform::paths::AppPaths;
use skein_store::{MessageEdit, NewSession, Store};

use crate::clock::now;
use crate::context::gate::ContextGate;
use crate::context::turn_contexts::TurnContexts;
use crate::events::Topic;
use crate::live::LiveSessions;
use crate::messages::unstored::UnstoredReplies;
use crate::models::Models;
use crate::models::model_choices::ModelChoices;
use crate::notifier::Notifier;
use crate::settings::SettingsFile;
use crate::tools::Tools;
use crate::view::{Activity, SessionItem, SessionView, TurnOutcome};

/// The sessions of the sidebar.
pub struct Sessions {
    pub(crate) store: Store,
    pub(crate) settings: Arc<SettingsFile>,
    pub(crate) paths: AppPaths,
    pub(crate) notifier: Notifier,
    pub(crate) live_sessions: Arc<LiveSessions>,
    pub(crate) models: Arc<Models>,
    pub(crate) model_choices: Arc<ModelChoices>,
    pub(crate) tools: Arc<Tools>,
    pub(crate) contexts: Arc<TurnContexts>,
    pub(crate) gate: Arc<ContextGate>,
    pub(crate) unstored: Arc<UnstoredReplies>,
    /// The session that the UI shows; `None`: none yet.
    pub(crate) open_session: Mutex<Option<SessionId>>,
}

impl Sessions {
    /// The sidebar: pinned sessions first, then the latest.
    pub async fn list(&self) -> Result<Vec<SessionItem>> {
        let sessions = self.store.sessions().await?;
        let mut names = self.store.session_names().await?;
        let mut opened = self.store.session_read_states().await?;
        // Reading does not create live sessions: most sessions have had no running work since the start.
        let lives = self.live_sessions.all();
        Ok(sessions
            .into_iter()
            .map(|session| {
                let live = lives.get(&session.id);
                let opened = opened.remove(&session.id).unwrap_or_default();
                SessionItem {
                    activity: live.map_or(Activity::Idle, |live| live.activity()),
                    ended: live
                        .and_then(|live| live.turn.last_outcome())
                        .or_else(|| TurnOutcome::of_leaf(&opened)),
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

    /// Records that the UI shows this session.
    pub async fn open(&self, id: SessionId) -> Result<()> {
        *self.open_session.lock() = Some(id);
        if self.store.mark_opened(id).await? {
            self.notifier.changed([Topic::Sessions {}]);
        }
        Ok(())
    }

    /// Marks a session as unread after a turn, unless it is the open one.
    pub(crate) async fn mark_unread(&self, id: SessionId) {
        if *self.open_session.lock() == Some(id) {
            return;
        }
        if let Err(error) = self.store.mark_unread(id).await {
            tracing::warn!(%error, "a session in which a turn has ended is not marked");
        }
    }

    pub async fn get(&self, id: SessionId) -> Result<SessionView> {
        let session = self.store.session(id).await?;
        let live = self.live_sessions.get(id);
        let model = self.model_choices.session_model(&session);
        let limits = self.models.spec(&model).await?.limits;
        let policy = self.settings.policy(&session.overrides, &limits);
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
            is_turn_cut: self.store.is_turn_cut(id).await?,
            activity: live.activity(),
            questions: live.approvals.list(),
            session,
        })
    }

    /// An empty session with the default model: an unused one, or a new one.
    pub async fn create(&self) -> Result<SessionId> {
        let id = self.store.session_for_draft(Vec::new(), None, now()).await?;
        self.notifier.session_changed(id);
        Ok(id)
    }

    /// An unused session, or a new one, to ask a question from an empty context. Its model stays.
    pub async fn unused(&self) -> Result<SessionId> {
        let id = self.store.unused_session(now()).await?;
        // The session may be new.
        self.notifier.changed([Topic::Sessions {}]);
        Ok(id)
    }

    /// A session with the text of a link as its draft, never sent automatically. An unused session is taken
    /// first: at the first start the UI creates one, before or after the link arrives.
    pub async fn new_chat(
        &self,
        prompt: String,
        attachments: Vec<Attachment>,
        model: Option<ModelRef>,
    ) -> Result<SessionId> {
        let words = (!prompt.is_empty()).then_some(ContentPart::Text { text: prompt });
        // The composer reads a file's text again when the message is sent.
        let files = attachments.into_iter().map(|it| it.part(String::new()));
        let for_box = words.into_iter().chain(files).collect();
        let session = self.store.session_for_draft(for_box, model, now()).await?;
        self.notifier.session_changed(session);
        Ok(session)
    }

    /// The first session of the sidebar; if there is none, an empty one. Two calls of a UI that loads twice
    /// return the same.
    pub async fn first(&self) -> Result<SessionId> {
        let new = NewSession { created_at: now(), ..NewSession::default() };
        let session = self.store.first_session(new).await?;
        // Also if the session existed: the caller has not seen it.
        self.notifier.changed([Topic::Sessions {}]);
        Ok(session.id)
    }

    /// Copies the path to a message into a session of its own, which is returned. The original stays.
    pub async fn fork(&self, message: MessageId) -> Result<SessionId> {
        self.unstored.ensure_stored(message).await?;
        let session = crate::transfers::fork(&self.store, message, now()).await?;
        self.notifier.session_changed(session);
        Ok(session)
    }

    /// Sets the user's title; a blank one removes it.
    pub async fn rename(&self, id: SessionId, title: String) -> Result<()> {
        let title = Some(title.trim().to_owned()).filter(|title| !title.is_empty());
        self.store.rename_session(id, title).await?;
        self.notifier.session_changed(id);
        Ok(())
    }

    /// Pins a session to the top of the sidebar, or unpins it.
    pub async fn pin(&self, id: SessionId, pinned: bool) -> Result<()> {
        self.store.set_session_pinned(id, pinned).await?;
        self.notifier.session_changed(id);
        Ok(())
    }

    /// Sets one override of a session. Other overrides that changed meanwhile stay.
    ///
    /// # Errors
    /// [`Error::BadFolder`] for an unsuitable folder.
    pub async fn set_override(&self, id: SessionId, mut decided: SessionOverride) -> Result<()> {
        if let SessionOverride::Folder(Some(folder)) = &mut decided {
            *folder = self.tools.resolve_chosen_folder(folder)?;
        }
        self.store.set_override(id, decided).await?;
        self.notifier.session_changed(id);
        self.notifier.changed([Topic::Context { session_id: id }, Topic::Tools {}]);
        Ok(())
    }

    /// The error of a session's folder, which may have disappeared since it was chosen. `None`: there is
    /// none, or the session has no folder.
    pub async fn folder_fault(&self, id: SessionId) -> Result<Option<FolderError>> {
        let folder = self.store.session(id).await?.overrides.folder;
        Ok(folder.and_then(|folder| self.tools.workspace_error(&folder)))
    }

    /// Saves the composer's draft. The queued message `taken`, which the composer took over, is removed.
    ///
    /// # Errors
    /// [`Error::NotFound`] if that message was sent meanwhile; then nothing changes.
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

    /// Saves the unsent edit of a message; an empty one is deleted.
    pub async fn save_edit(&self, id: MessageId, edit: MessageEdit) -> Result<()> {
        self.store.set_edit(id, edit, now()).await
    }
}
