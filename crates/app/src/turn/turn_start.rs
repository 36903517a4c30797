//! The kinds of turn, and their first step: the user's message is stored before anything can fail.
//!
//! Not here: running the turn (`turn`).

use skein_domain::draft::Draft;
use skein_domain::error::{Error, Result};
use skein_domain::ids::{MessageId, SessionId, ThreadId};
use skein_domain::message::{ContentPart, Message, MessageKind, MessageState, Origin, Role};
use skein_domain::model::ModelRef;
use skein_store::{BegunTurn, MessageParent, NewMessage, TurnMessage};

use super::Turn;
use crate::clock::now;
use crate::events::{Topic, TurnEvent};
use crate::models::model_choices::ModelChoiceScope;
use crate::turn::turn_env::TurnEnv;

/// The user's action that begins a turn.
pub enum TurnStart {
    /// A new message.
    Send {
        /// The message as it was written.
        message: Draft,
    },
    /// An edited message, stored as a sibling of the former one.
    Resend {
        /// The message that was edited.
        edited: MessageId,
        /// The new message as it was written.
        message: Draft,
    },
    /// Another answer to the same user message, stored as a sibling of the former one.
    Regenerate {
        /// The former answer.
        answer: MessageId,
        /// The model of this answer alone; `None`: the session's own model.
        with: Option<ModelRef>,
    },
    /// A continuation at the end of the path: after a limit, an interruption or a failure.
    Continue,
    /// The queued messages, one after the other.
    Queued,
}

impl From<Draft> for TurnStart {
    fn from(message: Draft) -> Self {
        Self::Send { message }
    }
}

impl TurnStart {
    /// The model of this turn alone; `None`: the session's own model.
    pub(super) fn model(&self) -> Option<ModelRef> {
        match self {
            Self::Regenerate { with, .. } => with.clone(),
            Self::Send { .. } | Self::Resend { .. } | Self::Continue | Self::Queued => None,
        }
    }

    /// Begins the turn in the store, and shows its message. Returns the model of the session; `None`: the
    /// queued message was removed at the same moment, and there is nothing to answer.
    ///
    /// # Errors
    /// The reason why the turn cannot begin.
    pub(super) async fn store(self, turn: &mut Turn<'_>) -> Result<Option<ModelRef>> {
        let (env, session) = (turn.env, turn.live.session_id);
        // A reply that is stored only in part must be whole before anything follows it.
        env.unstored.store_all().await?;
        let begin = async |message| {
            let default_model = env.model_choices.default_model();
            env.store.begin_turn(session, message, default_model).await
        };
        match self {
            Self::Send { message } => {
                let message = new_message(env, message, MessageParent::Leaf).await?;
                Ok(turn.begin_with_message(begin(TurnMessage::Draft(message)).await?))
            }
            Self::Queued => {
                Ok(turn.begin_with_message(begin(TurnMessage::Queued { now: now() }).await?))
            }
            Self::Resend { edited, message } => {
                let edited = current_message(env, session, edited).await?;
                let parent = MessageParent::Under(edited.parent_id);
                let message = new_message(env, message, parent).await?;
                let model = turn.begin_with_message(begin(TurnMessage::Edit(message)).await?);
                env.thread_writer.drop_cached_thread(edited.thread_id);
                Ok(model)
            }
            Self::Regenerate { answer, with } => {
                if let Some(model) = &with {
                    env.model_choices.remember_model(model, ModelChoiceScope::Session);
                }
                let answer = current_message(env, session, answer).await?;
                let message = env.thread_writer.find_user_message(&answer).await?;
                env.thread_writer.check_included(message).await?;
                let begun = begin(TurnMessage::Nothing).await?;
                env.thread_writer.switch_to_branch_of(&answer).await?;
                Ok(Some(turn.begin_without_message(begun, message)))
            }
            Self::Continue => {
                let begun = begin(TurnMessage::Nothing).await?;
                let leaf = env.store.thread(begun.thread).await?.leaf;
                env.thread_writer.check_included(leaf).await?;
                Ok(Some(turn.begin_without_message(begun, leaf)))
            }
        }
    }
}

impl Turn<'_> {
    /// Shows the stored message, which the turn is to answer. Returns the model of the session; `None`: there
    /// is no message.
    fn begin_with_message(&mut self, begun: BegunTurn) -> Option<ModelRef> {
        let BegunTurn { thread, model, message } = begun;
        let message = message?;
        self.env.thread_cache.append(&message);
        self.set_user_message(Some(message.id));
        self.send_event(&TurnEvent::Message { message });
        self.announce_begin(thread);
        Some(model)
    }

    /// Begins a turn without a new message, which answers the path up to `user_message`. The path that is
    /// shown ends with the former answer until the new one begins. Returns the model of the session.
    fn begin_without_message(
        &mut self,
        begun: BegunTurn,
        user_message: Option<MessageId>,
    ) -> ModelRef {
        self.path_end = MessageParent::Under(user_message);
        self.set_user_message(user_message);
        self.announce_begin(begun.thread);
        begun.model
    }

    fn announce_begin(&self, thread_id: ThreadId) {
        let session_id = self.live.session_id;
        let (sessions, session) = (Topic::Sessions {}, Topic::Session { session_id });
        self.env.notifier.changed([sessions, session, Topic::Thread { thread_id }]);
    }
}

/// A message of the current thread of a session.
///
/// # Errors
/// [`Error::Invalid`] for one of an archived thread: it is read-only.
async fn current_message(env: &TurnEnv, session: SessionId, id: MessageId) -> Result<Message> {
    let thread = env.store.session(session).await?.current_thread;
    let message = env.store.message(id).await?;
    if message.thread_id == thread {
        Ok(message)
    } else {
        Err(Error::Invalid { detail: "an archived thread is read-only".into() })
    }
}

/// The message of a draft, below `parent`.
async fn new_message(env: &TurnEnv, draft: Draft, parent: MessageParent) -> Result<NewMessage> {
    let parts = env.attachments.message_parts(draft).await?;
    check_not_empty(&parts)?;
    Ok(NewMessage {
        parent,
        kind: MessageKind::Chat {},
        role: Role::User,
        origin: Origin::Person,
        parts,
        state: MessageState::Complete {},
        model: None,
        created_at: now(),
    })
}

/// # Errors
/// [`Error::EmptyMessage`] if the parts have neither text, images nor files.
pub(crate) fn check_not_empty(parts: &[ContentPart]) -> Result<()> {
    let says_something = parts.iter().any(|part| match part {
        ContentPart::Text { text } => !text.trim().is_empty(),
        ContentPart::Image(_) | ContentPart::File { .. } => true,
        ContentPart::Reasoning { .. } | ContentPart::Tool { .. } => false,
    });
    if says_something { Ok(()) } else { Err(Error::EmptyMessage {}) }
}
