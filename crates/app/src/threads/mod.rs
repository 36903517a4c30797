//! Ends and begins threads: by the user, by archiving a full one, and by a clear of the model or of the
//! countdown.
//!
//! A clear is one transaction. Undoing it takes back everything that belongs to the conversation, also a
//! second reply to a message whose first reply was carried over. The file of an archive is on disk before the
//! transaction begins.
//!
//! Not here: deciding that a thread is full (`context::gate`).

pub mod thread_archive;

use std::sync::Arc;

use skein_context::compaction::remediation::Remediation;
use skein_context::summary::handoff::{handoff_references, local_handoff};
use skein_context::{facts, prompts};
use skein_domain::error::Result;
use skein_domain::ids::{MessageId, SessionId, ThreadId};
use skein_domain::message::{
    ContentPart, Message, MessageKind, MessageState, Notice, Origin, Role,
};
use skein_domain::reminder::ReminderScope;
use skein_domain::session::{ClearedBy, ThreadStart};
use skein_platform::blocking::run_blocking;
use skein_platform::paths::AppPaths;
use skein_store::{AutomaticEvent, MessageParent, NewMessage, NewReminder, NewThread, Store};

use crate::clock::now;
use crate::context::thread_cache::ThreadCache;
use crate::context::turn_context::TurnContext;
use crate::context::turn_contexts::TurnContexts;
use crate::live::LiveSessions;
use crate::messages::thread_writer::ThreadWriter;
use crate::settings::SettingsFile;

/// The threads of every session.
pub struct Threads {
    pub(crate) store: Store,
    pub(crate) settings: Arc<SettingsFile>,
    pub(crate) paths: AppPaths,
    pub(crate) live_sessions: Arc<LiveSessions>,
    pub(crate) thread_cache: Arc<ThreadCache>,
    pub(crate) thread_writer: Arc<ThreadWriter>,
    pub(crate) contexts: Arc<TurnContexts>,
}

impl Threads {
    /// Begins a new thread as the user asked. An empty current thread is kept instead.
    ///
    /// # Errors
    /// [`Error::Busy`] while a turn runs.
    pub async fn begin(&self, session: SessionId) -> Result<ThreadId> {
        let live = self.live_sessions.get(session);
        let _held = live.turn.block().await;
        live.turn.check_idle()?;
        let current = self.store.session(session).await?.current_thread;
        if self.store.thread_is_empty(current).await? {
            return Ok(current);
        }
        self.start_thread(NewThread {
            session,
            beginning: ThreadStart::Person {},
            notice: None,
            carried: Vec::new(),
            end: MessageParent::Leaf,
            package: None,
            event: None,
            at: now(),
        })
        .await
    }

    /// D15: clears the context as the user asked.
    ///
    /// # Errors
    /// [`Error::Busy`] while a turn runs.
    pub async fn clear_mind(&self, session: SessionId) -> Result<ThreadId> {
        let live = self.live_sessions.get(session);
        let _held = live.turn.block().await;
        live.turn.check_idle()?;
        let context = self.contexts.of(session).await?;
        self.clear(&context, ClearedBy::Person, None, Vec::new()).await
    }

    /// Undoes the beginning of the current thread: the former one becomes current again.
    ///
    /// # Errors
    /// [`Error::Busy`] while a turn runs.
    pub async fn undo_clear(&self, session: SessionId) -> Result<ThreadId> {
        let live = self.live_sessions.get(session);
        let _held = live.turn.block().await;
        live.turn.check_idle()?;
        let current = self.store.session(session).await?.current_thread;
        let thread = self.store.undo_thread(current, now()).await?;
        self.thread_writer.threads_changed(session, [current, thread.id]);
        Ok(thread.id)
    }

    /// Makes an ended thread current again. The former current one stays readable and can be resumed in the
    /// same way.
    ///
    /// # Errors
    /// [`Error::Busy`] while a turn runs.
    pub async fn resume(&self, thread: ThreadId) -> Result<()> {
        let session = self.store.thread(thread).await?.session_id;
        let live = self.live_sessions.get(session);
        let _held = live.turn.block().await;
        live.turn.check_idle()?;
        let before = self.store.resume_thread(thread, now()).await?;
        self.thread_writer.threads_changed(session, [before, thread]);
        Ok(())
    }

    /// D15: begins a new thread in the same session, in one transaction. `handoff` is the note of the model;
    /// without one, one is made here. The new thread begins with the `carried` messages of the user, which
    /// have no reply.
    pub(crate) async fn clear(
        &self,
        context: &TurnContext,
        by: ClearedBy,
        handoff: Option<String>,
        carried: Vec<MessageId>,
    ) -> Result<ThreadId> {
        let (session, at) = (context.session.id, now());
        let package = match handoff {
            Some(content) => Some((content, Origin::Model)),
            None => {
                let made = self.local_package(session, context.loaded.thread.id, by).await?;
                made.map(|content| (content, Origin::Runtime))
            }
        };
        let local_package = matches!(package, Some((_, Origin::Runtime)));
        let package = package.map(|(content, origin)| NewReminder {
            content,
            scope: ReminderScope::Session { session_id: session },
            origin,
            continuation: true,
            level: context.health_level(),
            created_at: at,
        });
        self.start_thread(NewThread {
            session,
            beginning: ThreadStart::Cleared { by },
            notice: Some(self.notice(Notice::Cleared { by, local_package })),
            carried,
            end: context.path_end,
            package,
            event: Some(AutomaticEvent::Cleared { by }),
            at,
        })
        .await
    }

    /// P04–P07: archives the thread. The file is complete on disk before anything else changes.
    pub(crate) async fn archive(
        &self,
        context: &TurnContext,
        carry: Vec<MessageId>,
        percent: u32,
    ) -> Result<ThreadId> {
        let (session, at) = (context.session.id, now());
        let whole =
            crate::transfers::export_thread(&self.store, context.loaded.thread.id, at).await?;
        let file = thread_archive::write_archive(&self.paths, session, at, &whole)?;
        self.start_thread(NewThread {
            session,
            beginning: ThreadStart::Archived { percent, file },
            notice: Some(self.notice(Notice::Archived { percent })),
            carried: carry,
            end: context.path_end,
            package: None,
            event: Some(AutomaticEvent::Archived { percent }),
            at,
        })
        .await
    }

    /// Posts a notice on the path of the current thread, in the language of the interface, and stores the
    /// state of the reminders.
    pub(crate) async fn post_notice(
        &self,
        context: &TurnContext,
        notice: Notice,
        remediation: Remediation,
    ) -> Result<Message> {
        let remaining = match &notice {
            Notice::Critical { remaining } => Some(*remaining),
            Notice::Caution { .. } | Notice::Archived { .. } | Notice::Cleared { .. } => None,
        };
        let event = AutomaticEvent::Reminded { remaining };
        let (thread, new) = (context.loaded.thread.id, self.notice(notice));
        let new = NewMessage { parent: context.path_end, ..new };
        let message = self.store.post_notice(thread, new, remediation, event).await?;
        match context.path_end {
            MessageParent::Leaf => self.thread_cache.append(&message),
            // The path that is shown may have ended elsewhere until now.
            MessageParent::Under(_) => self.thread_writer.drop_cached_thread(thread),
        }
        Ok(message)
    }

    fn notice(&self, notice: Notice) -> NewMessage {
        let text = prompts::notice_text(&notice, self.settings.get().language());
        NewMessage {
            parent: MessageParent::Leaf,
            kind: MessageKind::Notice { notice },
            role: Role::User,
            origin: Origin::Runtime,
            parts: vec![ContentPart::Text { text }],
            state: MessageState::Complete {},
            model: None,
            created_at: now(),
        }
    }

    async fn start_thread(&self, new: NewThread) -> Result<ThreadId> {
        let session = new.session;
        let old = self.store.session(session).await?.current_thread;
        let thread = self.store.begin_thread(new).await?.id;
        self.thread_writer.threads_changed(session, [old, thread]);
        Ok(thread)
    }

    /// A hand-over note made without a model, for an automatic clear without a note of the model. A clear by
    /// the user has none, because the user wants an empty context.
    async fn local_package(
        &self,
        session: SessionId,
        thread: ThreadId,
        by: ClearedBy,
    ) -> Result<Option<String>> {
        match by {
            ClearedBy::Person => return Ok(None),
            ClearedBy::Model | ClearedBy::Countdown => {}
        }
        if self.store.has_handoff(thread).await? {
            return Ok(None);
        }
        let before = self.package_before(session).await?;
        let path = self.store.path_after(thread, None).await?;
        let language = self.settings.get().language();
        run_blocking("writing the package", move || {
            let facts = facts::extract(&facts::sources(&path));
            local_handoff(&path, &handoff_references(&facts), before.as_deref(), language)
        })
        .await
    }

    /// The former hand-over note that the next one replaces. A note that the user edited is kept beside it.
    async fn package_before(&self, session: SessionId) -> Result<Option<String>> {
        let reminders = self.store.reminders(session).await?.into_iter();
        let packages = reminders.filter(|it| it.continuation && it.origin == Origin::Runtime);
        Ok(packages.max_by_key(|it| it.id).map(|it| it.content))
    }
}
