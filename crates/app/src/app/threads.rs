//! Threads that end and begin: by the person's wish, archived when full, cleared by the model or by
//! the countdown.
//!
//! Not here: deciding that one is full (`context::gate`).

use skein_context::continuation::{local_package, pointers};
use skein_context::remediation::Remediation;
use skein_context::{facts, prompts};
use skein_domain::error::Result;
use skein_domain::health::HealthLevel;
use skein_domain::ids::{MessageId, SessionId, ThreadId};
use skein_domain::message::{
    ContentPart, Message, MessageKind, MessageState, Notice, Origin, Role,
};
use skein_domain::reminder::Scope;
use skein_domain::session::{Beginning, ClearedBy};
use skein_platform::blocking::apart;
use skein_store::{AutomaticEvent, NewMessage, NewReminder, NewThread, Parent};

use super::App;
use super::context::Context;
use crate::archive;
use crate::events::Topic;

/// A clear that is to be carried out (D15).
pub(crate) struct Clearing {
    pub by: ClearedBy,
    /// What the model wrote to go on from.
    pub package: Option<String>,
    /// The person's messages that nobody answered yet: the first of the new thread.
    pub carry: Vec<MessageId>,
    /// Where the path of the thread before ends with them.
    pub end: Parent,
    /// How the context stands that is cleared; `None`: no report of it holds.
    pub level: Option<HealthLevel>,
}

impl App {
    /// A fresh thread by the person's wish: the current one, where nothing was said in it.
    ///
    /// # Errors
    /// [`Error::Busy`] while a turn runs.
    pub async fn new_thread(&self, session: SessionId) -> Result<ThreadId> {
        let live = self.live(session);
        let _held = live.hold_turns().await;
        live.refuse_while_replying()?;
        let current = self.store.session(session).await?.current_thread;
        if self.store.thread_is_empty(current).await? {
            return Ok(current);
        }
        self.begin(NewThread {
            session,
            beginning: Beginning::Person {},
            notice: None,
            carried: Vec::new(),
            end: Parent::Leaf,
            package: None,
            event: None,
            at: self.now(),
        })
        .await
    }

    /// D15 by the person.
    ///
    /// # Errors
    /// [`Error::Busy`] while a turn runs.
    pub async fn clear_mind(&self, session: SessionId) -> Result<ThreadId> {
        let live = self.live(session);
        let _held = live.hold_turns().await;
        live.refuse_while_replying()?;
        let level = self.context(session).await?.level(self).await?;
        let (by, end) = (ClearedBy::Person, Parent::Leaf);
        let clearing = Clearing { by, package: None, carry: Vec::new(), end, level };
        self.clear(session, clearing).await
    }

    /// Undoes the beginning of the current thread: the one before is current again.
    ///
    /// # Errors
    /// [`Error::Busy`] while a turn runs.
    pub async fn undo_clear(&self, session: SessionId) -> Result<ThreadId> {
        let live = self.live(session);
        let _held = live.hold_turns().await;
        live.refuse_while_replying()?;
        let current = self.store.session(session).await?.current_thread;
        let thread = self.store.undo_thread(current, self.now()).await?;
        self.threads_changed(session, [current, thread.id]);
        Ok(thread.id)
    }

    /// On in a thread that has ended; the one that was current stays readable, and can be gone on with
    /// in the same way.
    ///
    /// # Errors
    /// [`Error::Busy`] while a turn runs.
    pub async fn resume_thread(&self, thread: ThreadId) -> Result<()> {
        let session = self.store.thread(thread).await?.session_id;
        let live = self.live(session);
        let _held = live.hold_turns().await;
        live.refuse_while_replying()?;
        let before = self.store.resume_thread(thread, self.now()).await?;
        self.threads_changed(session, [before, thread]);
        Ok(())
    }

    /// D15: a new thread in the same session. Where nobody wrote a continuation package, one is made
    /// here without a model. All of it is one step: it has happened or it has not.
    pub(crate) async fn clear(&self, session: SessionId, clearing: Clearing) -> Result<ThreadId> {
        let Clearing { by, package, carry, end, level } = clearing;
        let old = self.store.session(session).await?.current_thread;
        let at = self.now();
        let package = match package {
            Some(content) => Some((content, Origin::Model)),
            None => self.local_package(session, old, by).await?.map(|it| (it, Origin::Runtime)),
        };
        let local_package = matches!(package, Some((_, Origin::Runtime)));
        let package = package.map(|(content, origin)| NewReminder {
            content,
            scope: Scope::Session { session_id: session },
            origin,
            continuation: true,
            level,
            created_at: at,
        });
        self.begin(NewThread {
            session,
            beginning: Beginning::Cleared { by },
            notice: Some(self.notice(Notice::Cleared { by, local_package })),
            carried: carry,
            end,
            package,
            event: Some(AutomaticEvent::Cleared { by }),
            at,
        })
        .await
    }

    /// P04–P07: the archive is on the disk, complete, before anything else changes.
    pub(crate) async fn archive(
        &self,
        context: &Context,
        carry: Vec<MessageId>,
        percent: u32,
    ) -> Result<ThreadId> {
        let (session, at) = (context.session.id, self.now());
        let whole =
            crate::transfers::export_thread(&self.store, context.loaded.thread.id, at).await?;
        let file = archive::write(&self.places, session, at, &whole)?;
        self.begin(NewThread {
            session,
            beginning: Beginning::Archived { percent, file },
            notice: Some(self.notice(Notice::Archived { percent })),
            carried: carry,
            end: context.end,
            package: None,
            event: Some(AutomaticEvent::Archived { percent }),
            at,
        })
        .await
    }

    /// A notice on the path of the current thread, in the language of the interface, with where the
    /// thread stands from now on.
    pub(crate) async fn post_notice(
        &self,
        context: &Context,
        notice: Notice,
        remediation: Remediation,
    ) -> Result<Message> {
        let remaining = match &notice {
            Notice::Critical { remaining } => Some(*remaining),
            Notice::Caution { .. } | Notice::Archived { .. } | Notice::Cleared { .. } => None,
        };
        let event = AutomaticEvent::Reminded { remaining };
        let (thread, new) = (context.loaded.thread.id, self.notice(notice));
        let new = NewMessage { parent: context.end, ..new };
        let message = self.store.post_notice(thread, new, remediation, event).await?;
        match context.end {
            Parent::Leaf => self.shelf.append(&message),
            // What is shown may have led elsewhere until now.
            Parent::Under(_) => self.forget(thread),
        }
        Ok(message)
    }

    fn notice(&self, notice: Notice) -> NewMessage {
        let text = prompts::notice(&notice, self.settings.get().language());
        NewMessage {
            parent: Parent::Leaf,
            kind: MessageKind::Notice { notice },
            role: Role::User,
            origin: Origin::Runtime,
            parts: vec![ContentPart::Text { text }],
            state: MessageState::Complete {},
            model: None,
            created_at: self.now(),
        }
    }

    async fn begin(&self, new: NewThread) -> Result<ThreadId> {
        let session = new.session;
        let old = self.store.session(session).await?.current_thread;
        let thread = self.store.begin_thread(new).await?.id;
        self.threads_changed(session, [old, thread]);
        Ok(thread)
    }

    fn threads_changed(&self, session_id: SessionId, threads: [ThreadId; 2]) {
        for thread in threads {
            self.shelf.forget(thread);
        }
        self.changed([
            Topic::Sessions {},
            Topic::Session { session_id },
            Topic::Context { session_id },
            Topic::Reminders {},
        ]);
        self.changed(threads.map(|thread_id| Topic::Thread { thread_id }));
    }

    /// A package made without a model, where a mind is cleared by itself and nobody wrote one in
    /// this thread. The person who clears by hand wants an empty mind and gets it.
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
        if self.store.has_package_of(thread).await? {
            return Ok(None);
        }
        let before = self.package_before(session).await?;
        let path = self.store.path_after(thread, None).await?;
        let language = self.settings.get().language();
        apart("writing the package", move || {
            let facts = facts::extract(&facts::sources(&path));
            local_package(&path, &pointers(&facts), before.as_deref(), language)
        })
        .await
    }

    /// The package that the next one takes the place of. One that the person has changed stays beside it.
    async fn package_before(&self, session: SessionId) -> Result<Option<String>> {
        let reminders = self.store.reminders(session).await?.into_iter();
        let packages = reminders.filter(|it| it.continuation && it.origin == Origin::Runtime);
        Ok(packages.max_by_key(|it| it.id).map(|it| it.content))
    }
}
