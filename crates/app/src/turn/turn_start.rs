//! What begins a turn, stored before anything can fail.

use skein_domain::error::{Error, Result};
use skein_domain::ids::{MessageId, SessionId, ThreadId};
use skein_domain::message::{ContentPart, Message, MessageKind, MessageState, Origin, Role};
use skein_domain::model::ModelRef;
use skein_store::{BegunTurn, MessageParent, NewMessage, TurnMessage};

use crate::clock::now;
use crate::events::TurnEvent;
use crate::live::live_session::LiveSession;
use crate::turn::turn_env::TurnEnv;

/// What begins a turn.
pub(crate) enum TurnStart {
    /// A new message of the person.
    Send {
        /// In order, never empty.
        parts: Vec<ContentPart>,
    },
    /// The person edited a message: a sibling of it.
    Resend {
        /// The message that was edited.
        message: MessageId,
        /// In order, never empty.
        parts: Vec<ContentPart>,
    },
    /// Another answer to the same message: a sibling of this one.
    Regenerate {
        /// The answer.
        message: MessageId,
        /// Who gives the other one, and nothing after it; `None`: the session's own model.
        with: Option<ModelRef>,
    },
    /// On from where the path ends: after a limit, an interruption or a failure.
    Continue,
    /// The first message that waits behind the turn before.
    Waiting,
}

/// How a turn begins.
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
    /// The message that waited was taken back in this very moment.
    NothingToSend,
}

impl TurnStart {
    /// The model that answers this once in the place of the session's own.
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
            Self::Send { parts } => {
                check_not_empty(&parts)?;
                let message = user_message(MessageParent::Leaf, parts);
                let begun = begin(TurnMessage::Draft(message)).await?;
                Ok(show_message(env, live, begun))
            }
            Self::Waiting => {
                let begun = begin(TurnMessage::Queued { now: now() }).await?;
                Ok(show_message(env, live, begun))
            }
            Self::Resend { message, parts } => {
                check_not_empty(&parts)?;
                let edited = current_message(env, live.session_id, message).await?;
                let message = user_message(MessageParent::Under(edited.parent_id), parts);
                let begun = begin(TurnMessage::Edit(message)).await?;
                let outcome = show_message(env, live, begun);
                env.thread_writer.drop_cached_thread(edited.thread_id);
                Ok(outcome)
            }
            Self::Regenerate { message, .. } => {
                let answer = current_message(env, live.session_id, message).await?;
                let asked = env.thread_writer.find_user_message(&answer).await?;
                env.thread_writer.check_included(asked).await?;
                let begun = begin(TurnMessage::Nothing).await?;
                env.thread_writer.switch_to_branch_of(&answer).await?;
                // The path that is shown ends with the former answer until another is begun.
                Ok(answer_again(begun, asked))
            }
            Self::Continue => {
                let begun = begin(TurnMessage::Nothing).await?;
                let leaf = env.store.thread(begun.thread).await?.leaf;
                env.thread_writer.check_included(leaf).await?;
                Ok(answer_again(begun, leaf))
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

/// A turn without a new message, which answers the path up to `user_message`.
fn answer_again(begun: BegunTurn, user_message: Option<MessageId>) -> StartOutcome {
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
/// [`Error::EmptyMessage`] for parts that say nothing.
pub(crate) fn check_not_empty(parts: &[ContentPart]) -> Result<()> {
    let says_something = parts.iter().any(|part| match part {
        ContentPart::Text { text } => !text.trim().is_empty(),
        ContentPart::Image(_) | ContentPart::File { .. } => true,
        ContentPart::Reasoning { .. } | ContentPart::Tool { .. } => false,
    });
    if says_something { Ok(()) } else { Err(Error::EmptyMessage {}) }
}
