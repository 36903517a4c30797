//! Threads that end and begin: by the person's wish, archived when full, cleared by the model or by
//! the countdown.
//!
//! Not here: deciding that one is full (`context::gate`).

use skein_context::anchors;
use skein_context::continuation::local_package;
use skein_context::message::{
    ContentPart, Message, MessageId, MessageKind, MessageState, Notice, Origin, Role,
};
use skein_context::prompts;
use skein_context::reminder::Scope;
use skein_context::session::{Beginning, ClearedBy, SessionId, ThreadId};

use super::App;
use super::context::Context;
use crate::archive::{self, ArchivedThread};
use crate::error::Result;
use crate::events::Topic;
use crate::store::{AutomaticEvent, NewMessage, NewReminder, NewThread, Parent};

/// A clear that is to be carried out (D15).
pub(crate) struct Clearing {
    pub by: ClearedBy,
    /// What the model wrote to go on from.
    pub package: Option<String>,
    /// The person's messages that nobody answered yet: the first of the new thread.
    pub carry: Vec<MessageId>,
}

impl App {
    /// A fresh thread by the person's wish.
    pub async fn new_thread(&self, session: SessionId) -> Result<ThreadId> {
        self.begin(session, Beginning::Person {}, None, Vec::new()).await
    }

    /// D15 by the person.
    pub async fn clear_mind(&self, session: SessionId) -> Result<ThreadId> {
        let clearing = Clearing { by: ClearedBy::Person, package: None, carry: Vec::new() };
        self.clear(session, clearing).await
    }

    /// Undoes the beginning of the current thread: the one before is current again.
    pub async fn undo_clear(&self, session: SessionId) -> Result<ThreadId> {
        let current = self.store.session(session).await?.current_thread;
        let thread = self.store.undo_thread(current, self.now()).await?;
        self.threads_changed(session, [current, thread.id]);
        Ok(thread.id)
    }

    /// D15: a new thread in the same session. Where nobody wrote a continuation package, one is made
    /// here without a model.
    pub(crate) async fn clear(&self, session: SessionId, clearing: Clearing) -> Result<ThreadId> {
        let Clearing { by, package, carry } = clearing;
        let old = self.store.session(session).await?.current_thread;
        let local = match package {
            Some(content) => {
                self.keep_package(session, content, Origin::Model).await?;
                false
            }
            None => self.keep_local_package(session, old, by).await?,
        };
        let notice = Notice::Cleared { by, local_package: local };
        let beginning = Beginning::Cleared { by };
        let thread = self.begin(session, beginning, Some(notice), carry).await?;
        self.store.log_automatic(thread, AutomaticEvent::Cleared { by }, self.now()).await?;
        Ok(thread)
    }

    /// P04–P07: the archive is on the disk, complete, before anything else changes.
    pub(crate) async fn archive(
        &self,
        context: &Context,
        carry: Vec<MessageId>,
        percent: u32,
    ) -> Result<ThreadId> {
        let session = context.session.id;
        let old = context.loaded.thread.id;
        let archived = ArchivedThread {
            session: &context.session,
            thread: &context.loaded.thread,
            messages: self.store.all_messages(old).await?,
            points: self.store.points(old).await?,
            archived_at: self.now(),
        };
        let file = archive::write(&self.places, &archived)?;
        let beginning = Beginning::Archived { percent, file };
        let notice = Notice::Archived { percent };
        let thread = self.begin(session, beginning, Some(notice), carry).await?;
        self.store.log_automatic(thread, AutomaticEvent::Archived { percent }, self.now()).await?;
        Ok(thread)
    }

    /// A notice on the path of the current thread, in the language of the interface.
    pub(crate) async fn post_notice(&self, context: &Context, notice: Notice) -> Result<Message> {
        let new = self.notice(notice);
        self.append(context.loaded.thread.id, new).await
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

    async fn begin(
        &self,
        session: SessionId,
        beginning: Beginning,
        notice: Option<Notice>,
        carry: Vec<MessageId>,
    ) -> Result<ThreadId> {
        let old = self.store.session(session).await?.current_thread;
        let new = NewThread {
            session,
            beginning,
            notice: notice.map(|notice| self.notice(notice)),
            carried: carry,
            at: self.now(),
        };
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

    async fn keep_package(
        &self,
        session_id: SessionId,
        content: String,
        origin: Origin,
    ) -> Result<()> {
        let now = self.now();
        let scope = Scope::Session { session_id };
        let new = NewReminder { content, scope, origin, continuation: true, created_at: now };
        self.store.add_reminder(new).await?;
        self.changed([Topic::Reminders {}]);
        Ok(())
    }

    /// A package made without a model, where the countdown clears and there is none. The person who
    /// clears by hand wants an empty mind and gets it.
    async fn keep_local_package(
        &self,
        session: SessionId,
        thread: ThreadId,
        by: ClearedBy,
    ) -> Result<bool> {
        match by {
            ClearedBy::Person => return Ok(false),
            ClearedBy::Model | ClearedBy::Countdown => {}
        }
        let reminders = self.store.reminders(session).await?;
        if reminders.iter().any(|reminder| reminder.continuation) {
            return Ok(false);
        }
        let path = self.store.path_after(thread, None).await?;
        let language = self.settings.get().language();
        let package = tokio::task::spawn_blocking(move || {
            let anchors = anchors::extract(&anchors::sources(&path));
            let pointers: Vec<String> = anchors.into_iter().map(|anchor| anchor.text).collect();
            local_package(&path, &pointers, language)
        });
        let Some(package) = package.await.unwrap_or_default() else { return Ok(false) };
        self.keep_package(session, package, Origin::Runtime).await?;
        Ok(true)
    }
}
