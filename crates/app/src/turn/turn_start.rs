//! What begins a turn, stored before anything can fail.

use skein_domain::error::{Error, Result};
use skein_domain::ids::MessageId;
use skein_domain::message::{ContentPart, Message, MessageKind, MessageState, Origin, Role};
use skein_domain::model::ModelRef;
use skein_store::{MessageParent, NewMessage};

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

/// What came of storing it.
pub(super) enum StartOutcome {
    /// There is something to answer.
    Ready {
        /// What; `None`: the path is empty.
        asked: Option<MessageId>,
        /// Where the path ends with it.
        end: MessageParent,
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

    /// Stores it, and shows what was stored.
    pub(super) async fn store(self, env: &TurnEnv, live: &LiveSession) -> Result<StartOutcome> {
        let session = env.store.session(live.session_id).await?;
        let thread = session.current_thread;
        let (asked, end) = match self {
            Self::Send { parts } => {
                check_not_empty(&parts)?;
                let said = said(MessageParent::Leaf, parts);
                let message = env.store.send_draft(live.session_id, thread, said).await?;
                env.thread_cache.append(&message);
                (Some(show(live, message)), MessageParent::Leaf)
            }
            Self::Resend { message, parts } => {
                check_not_empty(&parts)?;
                let edited = on_current(env, message, thread).await?;
                let parent = MessageParent::Under(edited.parent_id);
                let message = env.thread_writer.append_message(thread, said(parent, parts)).await?;
                env.thread_writer.drop_cached_thread(thread);
                (Some(show(live, message)), MessageParent::Leaf)
            }
            Self::Regenerate { message, .. } => {
                let answer = on_current(env, message, thread).await?;
                let asked = env.thread_writer.find_user_message(&answer).await?;
                env.thread_writer.check_included(asked).await?;
                env.thread_writer.switch_to_branch_of(&answer).await?;
                // What is shown ends with the former answer until another is begun.
                (asked, MessageParent::Under(asked))
            }
            Self::Continue => {
                let leaf = env.store.thread(thread).await?.leaf;
                env.thread_writer.check_included(leaf).await?;
                (leaf, MessageParent::Under(leaf))
            }
            Self::Waiting => {
                let sent = env.store.send_next_queued(live.session_id, now()).await?;
                let Some(message) = sent else { return Ok(StartOutcome::NothingToSend) };
                env.thread_cache.append(&message);
                (Some(show(live, message)), MessageParent::Leaf)
            }
        };
        Ok(StartOutcome::Ready { asked, end })
    }
}

/// Shows what was stored, and says which it is.
fn show(live: &LiveSession, message: Message) -> MessageId {
    let id = message.id;
    live.stage.send(&TurnEvent::Message { message });
    id
}

/// A message of the current thread: an archived one is read-only.
async fn on_current(
    env: &TurnEnv,
    message: MessageId,
    thread: skein_domain::ids::ThreadId,
) -> Result<Message> {
    let message = env.store.message(message).await?;
    if message.thread_id == thread {
        Ok(message)
    } else {
        Err(Error::Invalid { detail: "an archived thread is read-only".into() })
    }
}

fn said(parent: MessageParent, parts: Vec<ContentPart>) -> NewMessage {
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
