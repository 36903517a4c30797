//! What `search_history` finds in a generated conversation: the product's own store and index in a
//! folder that is thrown away.

use std::io;

use skein_context::anchors::sources;
use skein_context::message::{Message, MessageId, MessageState};
use skein_context::recall;
use skein_runtime::places::Places;
use skein_runtime::store::{Matching, NewMessage, NewSession, Parent, Query, Reader, Store};
use tempfile::TempDir;
use tokio::runtime::Runtime;

/// Places that one search returns, as the tool does when the model names no number.
const PLACES: u32 = 8;
/// Characters of context on each side of what is found.
const MARGIN: u32 = 240;

/// A searchable copy of a conversation.
pub struct History {
    runtime: Runtime,
    store: Store,
    session: skein_context::session::SessionId,
    /// In the order they were stored.
    stored: Vec<MessageId>,
    _folder: TempDir,
}

impl History {
    /// Stores a conversation.
    ///
    /// # Errors
    /// When the folder or the database cannot be made.
    pub fn of(messages: &[Message]) -> io::Result<Self> {
        let folder = TempDir::new()?;
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let store = Store::open(&Places::in_one(folder.path()), 0).map_err(io::Error::other)?;
        let (session, stored) =
            runtime.block_on(fill(&store, messages)).map_err(io::Error::other)?;
        Ok(Self { runtime, store, session, stored, _folder: folder })
    }

    /// What the tool answers to a query over the first `told` messages.
    pub fn search(&self, query: &str, messages: &[Message], told: usize) -> String {
        let asked = Query {
            text: query.to_owned(),
            session: Some(self.session),
            thread: None,
            matching: Matching::Any,
            reader: Reader::Model,
            limit: PLACES * 2,
            margin: MARGIN,
        };
        let hits = self.runtime.block_on(self.store.search(asked)).unwrap_or_default();
        let found = hits.into_iter().filter_map(|hit| {
            let place = hit.place?;
            let index = self.stored.iter().position(|id| *id == place.message_id)?;
            messages.get(index).filter(|_| index < told)
        });
        let mut found: Vec<&Message> = found.take(PLACES as usize).collect();
        // As they were said, so that the later of two values is the later one.
        found.sort_by_key(|message| message.id);
        let told: Vec<String> = found.into_iter().map(|message| place(query, message)).collect();
        if told.is_empty() {
            "Nothing in this session matches. Try other or fewer words.".to_owned()
        } else {
            told.join("\n\n")
        }
    }
}

async fn fill(
    store: &Store,
    messages: &[Message],
) -> skein_runtime::error::Result<(skein_context::session::SessionId, Vec<MessageId>)> {
    let session = store.create_session(NewSession::default()).await?;
    let mut stored = Vec::with_capacity(messages.len());
    for message in messages {
        let new = NewMessage {
            parent: Parent::Leaf,
            kind: message.kind.clone(),
            role: message.role,
            origin: message.origin,
            parts: message.parts.to_vec(),
            state: MessageState::Complete {},
            model: None,
            created_at: message.created_at,
        };
        stored.push(store.append_message(session.current_thread, new).await?.id);
    }
    Ok((session.id, stored))
}

/// The stretches of a message that fit the query best.
fn place(query: &str, message: &Message) -> String {
    let index = recall::Index::of(&sources([message]));
    let stretches = recall::stretches(query, &index, 2);
    let text: Vec<&str> = stretches.iter().map(|passage| passage.text).collect();
    format!("[message {}]\n{}", message.id.0, text.join("\n…\n"))
}
