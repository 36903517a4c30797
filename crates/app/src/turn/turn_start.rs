//! The kinds of turn, and their first step: the user's message is stored before anything can fail.
//!
//! Not here: running the turn (`turn`).

use skein_domain::draft::Draft;
use skein_domain::error::{Error, Result};
use skein_domain::ids::{MessageId, SessionId, ThreadId};
use skein_domain::message::{ContentPart, Message, MessageKind, MessageState, Origin, Role};
use skein_domain::model::ModelRef;
use skein_store::{BegunTurn, MessageParent, NewMessage, TurnMessage};

use crate::clock::now;
use crate::events::TurnEvent;
use crate::live::live_session::LiveSession;
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
    Waiting,
}

impl From<Draft> for TurnStart {
    fn from(message: Draft) -> Self {
        Self::Send { message }
    }
}

/// The result of the first step.
pub(super) enum StartOutcome {
    /// There is something to answer.
    Ready {
        /// The message that is answered; `None`: the path is empty.
        user_message: Option<MessageId>,
        /// The end of the path for this turn.
        path_end: MessageParent,
        /// The current thread of the session.
        thread: ThreadId,
        /// The model of the session.
        model: ModelRef,
    },
    /// The queued message was removed at the same moment.
    NothingToSend,
}

impl TurnStart {
    /// The model of this turn alone; `None`: the session's own model.
    pub(super) fn model(&self) -> Option<ModelRef> {
        match self {
            Self::Regenerate { with, .. } => with.clone(),
            Self::Send { .. } | Self::Resend { .. } | Self::Continue | Self::Waiting => None,
        }
    }

    /// Begins the turn in the store, and shows its message.
    pub(super) async fn store(self, env: &TurnEnv, live: &LiveSession) -> Result<StartOutcome> {
        let begin = async |message| {
            let default_model = env.model_choices.default_model();
            env.store.begin_turn(live.session_id, message, default_model).await
        };
        match self {
            Self::Send { message } => {
                let parts = env.attachments.message_parts(message).await?;
                check_not_empty(&parts)?;
                let message = user_message(MessageParent::Leaf, parts);
                let begun = begin(TurnMessage::Draft(message)).await?;
                Ok(show_message(env, live, begun))
            }
            Self::Waiting => {
                let begun = begin(TurnMessage::Queued { now: now() }).await?;
                Ok(show_message(env, live, begun))
            }
            Self::Resend { edited, message } => {
                let parts = env.attachments.message_parts(message).await?;
                check_not_empty(&parts)?;
                let edited = current_message(env, live.session_id, edited).await?;
                let message = user_message(MessageParent::Under(edited.parent_id), parts);
                let begun = begin(TurnMessage::Edit(message)).await?;
                let outcome = show_message(env, live, begun);
                env.thread_writer.drop_cached_thread(edited.thread_id);
                Ok(outcome)
            }
            Self::Regenerate { answer, with } => {
                if let Some(model) = &with {
                    env.model_choices.remember_model(model, ModelChoiceScope::Session);
                }
                let answer = current_message(env, live.session_id, answer).await?;
                let asked = env.thread_writer.find_user_message(&answer).await?;
                env.thread_writer.check_included(asked).await?;
                let begun = begin(TurnMessage::Nothing).await?;
                env.thread_writer.switch_to_branch_of(&answer).await?;
                // The path that is shown ends with the former answer until the new one begins.
                Ok(ready_without_message(begun, asked))
            }
            Self::Continue => {
                let begun = begin(TurnMessage::Nothing).await?;
                let leaf = env.store.thread(begun.thread).await?.leaf;
                env.thread_writer.check_included(leaf).await?;
                Ok(ready_without_message(begun, leaf))
            }
        }
    }
}

/// Shows the new message of a turn.
fn show_message(env: &TurnEnv, live: &LiveSession, begun: BegunTurn) -> StartOutcome {
    let BegunTurn { thread, model, message } = begun;
    let Some(message) = message else { return StartOutcome::NothingToSend };
    env.thread_cache.append(&message);
    let user_message = Some(message.id);
    live.stage.send(&TurnEvent::Message { message });
    StartOutcome::Ready { user_message, path_end: MessageParent::Leaf, thread, model }
}

/// The outcome for a turn without a new message, which answers the path up to `user_message`.
fn ready_without_message(begun: BegunTurn, user_message: Option<MessageId>) -> StartOutcome {
    let BegunTurn { thread, model, message: _ } = begun;
    StartOutcome::Ready {
        user_message,
        path_end: MessageParent::Under(user_message),
        thread,
        model,
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

fn user_message(parent: MessageParent, parts: Vec<ContentPart>) -> NewMessage {
    NewMessage {
        parent,
        kind: MessageKind::Chat {},
        role: Role::User,
        origin: Origin::Person,
        parts,
        state: MessageState::Complete {},
        model: None,
        created_at: now(),
    }
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
