//! Pins messages into the context, or leaves them out of it.
//!
//! A message that is being answered cannot be left out.

use skein_context::window::rounds::Rounds;
use skein_domain::error::{Error, Result};
use skein_domain::ids::MessageId;
use skein_domain::message::{Inclusion, Message, MessageKind, MessageState, Role};

use super::Messages;
use crate::view::PinUsage;

impl Messages {
    /// Sets the user's choice for a message.
    ///
    /// # Errors
    /// [`Error::PinsTooLarge`] if the pinned messages would leave no room. For a message to be left out:
    /// [`Error::Busy`] if the running turn needs it, [`Error::Unanswered`] if the next reply does,
    /// [`Error::Invalid`] if it is not part of the conversation.
    pub async fn include(&self, id: MessageId, inclusion: Inclusion) -> Result<()> {
        let thread = self.store.message(id).await?.thread_id;
        let live = self.live_sessions.get(self.store.thread(thread).await?.session_id);
        let _alone = live.facts_lock.lock().await;
        let message = self.store.message(id).await?;
        match inclusion {
            Inclusion::Usual => {}
            Inclusion::Pinned => self.refuse_large_pins(&message).await?,
            Inclusion::LeftOut => self.refuse_needed(&message).await?,
        }
        let facts = self.contexts.facts_after_inclusion_change(&message, inclusion).await?;
        self.store.set_inclusion(id, inclusion, facts).await?;
        self.thread_writer.notify_thread_changed(thread).await
    }

    /// Refuses to leave out a message of the current round that is being answered.
    async fn refuse_needed(&self, message: &Message) -> Result<()> {
        if message.kind != (MessageKind::Chat {}) {
            return Err(Error::Invalid { detail: "only what was said can be left out".into() });
        }
        let session = self.store.thread(message.thread_id).await?.session_id;
        let live = self.live_sessions.get(session);
        let replying = live.turn.is_running();
        let is_growing = replying && message.state == (MessageState::Streaming {});
        if is_growing || live.turn.is_reply_pending(message.id) {
            return Err(Error::Busy {});
        }
        let context = self.contexts.of(session).await?;
        let open_from = Rounds::of(context.loaded.messages()).open_start();
        let in_progress = context.loaded.messages().skip(open_from).any(|it| it.id == message.id);
        match message.role {
            _ if in_progress && replying => Err(Error::Busy {}),
            Role::User if in_progress => Err(Error::Unanswered {}),
            Role::User | Role::Assistant => Ok(()),
        }
    }

    async fn refuse_large_pins(&self, message: &Message) -> Result<()> {
        let session = self.store.thread(message.thread_id).await?.session_id;
        let context = self.contexts.of(session).await?;
        let PinUsage { tokens, limit, .. } = context.pin_usage();
        let path = context.loaded.counted().into_iter();
        let added = path.filter(|it| it.message.id == message.id && !it.message.is_pinned());
        let tokens = added.fold(tokens, |sum, it| sum.saturating_add(it.tokens.total()));
        if tokens > limit { Err(Error::PinsTooLarge { tokens, limit }) } else { Ok(()) }
    }
}
