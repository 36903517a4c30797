//! Table `messages`: adding messages, and the few changes they allow.

use std::collections::HashSet;

use rusqlite::{Connection, Row, params};
use skein_domain::error::{Error, Result};
use skein_domain::generation::Generation;
use skein_domain::ids::{MessageId, ThreadId};
use skein_domain::message::{
    ContentPart, Inclusion, Message, MessageKind, MessageState, Origin, Role, ToolState,
};
use skein_domain::model::ModelRef;

use crate::content::requests::{self, PromptView};
use crate::content::{generations, parts, stream_chunks};
use crate::db::error::{StoreError, if_found, not_found};
use crate::db::sql_types::{
    EnumColumn, JsonColumn, get_enum, get_json, model_columns, model_from_row,
};
use crate::db::statements::{execute, query_first};
use crate::db::store::Store;
use crate::log::ledger::{self, LedgerEntry};
use crate::sessions::{session_rows, thread_rows};

#[derive(Debug, Clone, PartialEq)]
pub struct NewMessage {
    pub parent: MessageParent,
    /// Summaries and cards are beside the path and move no leaf.
    pub kind: MessageKind,
    pub role: Role,
    pub origin: Origin,
    /// In order; empty for a reply before streaming.
    pub parts: Vec<ContentPart>,
    /// `Streaming` for a reply before streaming.
    pub state: MessageState,
    pub model: Option<ModelRef>,
    /// In milliseconds since the epoch.
    pub created_at: i64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MessageParent {
    /// The leaf of the thread: the conversation continues after this message.
    Leaf,
    /// A given message; `None`: the new message is a root. Adds a branch beside the existing ones.
    Under(Option<MessageId>),
}

/// The call that wrote a reply, stored with it.
#[derive(Debug, Clone, Default)]
pub struct PaidCall {
    /// `None`: the usage is already stored, or the provider reported none.
    pub generation: Option<Generation>,
    /// `None`: it is stored, or nothing is billed.
    pub entry: Option<LedgerEntry>,
    /// The request that the reply answers. `None`: it is stored.
    pub request: Option<PromptView>,
}

impl Store {
    /// Adds a message; on the path it becomes the leaf. A user's message is synced to the disk when
    /// this returns.
    pub async fn append_message(&self, thread: ThreadId, new: NewMessage) -> Result<Message> {
        match new.origin {
            Origin::Person => self.write_durably(move |tx| append(tx, thread, new)).await,
            Origin::Model | Origin::Runtime => self.write(move |tx| append(tx, thread, new)).await,
        }
    }

    /// Adds messages, the later under the earlier ones, all or none. They are on the disk when this returns.
    pub async fn append_messages(&self, thread: ThreadId, new: Vec<NewMessage>) -> Result<()> {
        self.write_durably(move |tx| {
            new.into_iter().try_for_each(|message| append(tx, thread, message).map(drop))
        })
        .await
    }

    /// Adds an empty reply before streaming. Returns it, and the leaf that the thread had before.
    pub async fn begin_reply(
        &self,
        thread: ThreadId,
        new: NewMessage,
    ) -> Result<(Message, Option<MessageId>)> {
        self.write(move |tx| {
            let leaf_before = thread_rows::leaf(tx, thread)?;
            Ok((append(tx, thread, new)?, leaf_before))
        })
        .await
    }

    /// A message. Deleted ones are not found.
    pub async fn message(&self, id: MessageId) -> Result<Message> {
        self.read(move |tx| get(tx, id)).await
    }

    /// Messages in the given order, without deleted ones.
    pub async fn messages(&self, ids: Vec<MessageId>) -> Result<Vec<Message>> {
        self.read(move |tx| ids.into_iter().filter_map(|id| if_found(get(tx, id))).collect()).await
    }

    /// Completes a streaming reply with its final parts and state and its call, in one transaction.
    pub async fn finish_reply(&self, reply: Message, call: PaidCall) -> Result<Message> {
        let Message { id, thread_id, parts, state, .. } = reply;
        self.write(move |tx| {
            stream_chunks::delete_chunks(tx, id)?;
            parts::write(tx, id, &parts)?;
            mark_changed(tx, id)?;
            let sql = "UPDATE messages SET state = ?2 WHERE id = ?1";
            execute(tx, sql, params![id.0, JsonColumn(&state)])?;
            if let Some(generation) = call.generation {
                generations::insert(tx, thread_id, &generation)?;
            }
            if let Some(entry) = call.entry {
                ledger::insert(tx, &entry)?;
            }
            if let Some(request) = call.request {
                requests::insert(tx, thread_id, id, request)?;
            }
            get(tx, id)
        })
        .await
    }

    pub async fn set_tool_state(
        &self,
        id: MessageId,
        call_id: String,
        state: ToolState,
    ) -> Result<()> {
        self.write(move |tx| set_tool_state(tx, id, &call_id, state)).await
    }

    /// Removes a tool output from the context (P09). Usage reports of later prompts, which
    /// contained it, become outdated (law 7).
    pub async fn withhold_output(
        &self,
        id: MessageId,
        call_id: String,
        state: ToolState,
    ) -> Result<()> {
        self.write(move |tx| {
            generations::forget_later_reports(tx, id)?;
            set_tool_state(tx, id, &call_id, state)
        })
        .await
    }

    /// The excluded messages of a thread, on all branches.
    pub async fn excluded_messages(&self, thread: ThreadId) -> Result<HashSet<MessageId>> {
        let sql = "SELECT id FROM messages WHERE thread_id = ?1 AND left_out = 1";
        self.read_rows(sql, [thread.0], message_id).await
    }
}

/// Adds a message and marks the session as used.
pub(crate) fn append(
    tx: &Connection,
    thread: ThreadId,
    new: NewMessage,
) -> Result<Message, StoreError> {
    let message = insert(tx, thread, new)?;
    if !hangs_beside(&message.kind) {
        session_rows::touch_session(tx, thread, message.created_at)?;
    }
    Ok(message)
}

/// Adds a message; on the path it becomes the leaf.
pub(crate) fn insert(
    tx: &Connection,
    thread: ThreadId,
    new: NewMessage,
) -> Result<Message, StoreError> {
    let parent = match new.parent {
        MessageParent::Leaf => thread_rows::leaf(tx, thread)?,
        MessageParent::Under(parent) => parent,
    };
    if let Some(parent) = parent {
        let sql = "SELECT thread_id FROM messages WHERE id = ?1 AND deleted_at IS NULL";
        let home: Option<i64> = query_first(tx, sql, [parent.0], |row| row.get(0))?;
        if home.ok_or_else(|| not_found("message"))? != thread.0 {
            return Err(Error::Invalid { detail: "a parent in another thread".into() }.into());
        }
    }
    let beside = hangs_beside(&new.kind);
    let id = insert_under(tx, thread, parent, &new)?;
    if !beside {
        thread_rows::set_leaf(tx, thread, Some(id))?;
    }
    get(tx, id)
}

/// Adds a message below a parent in the same thread without moving the leaf.
pub(crate) fn insert_under(
    tx: &Connection,
    thread: ThreadId,
    parent: Option<MessageId>,
    new: &NewMessage,
) -> rusqlite::Result<MessageId> {
    let beside = hangs_beside(&new.kind);
    let (provider, model) = model_columns(new.model.as_ref());
    let sql = "INSERT INTO messages (thread_id, parent_id, number, kind, beside, role, origin,
                                     state, model_provider, model, created_at)
               VALUES (?1, ?2,
                       (SELECT coalesce(max(number), 0) + 1 FROM messages WHERE thread_id = ?1),
                       ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)";
    execute(
        tx,
        sql,
        params![
            thread.0,
            parent.map(|parent| parent.0),
            JsonColumn(&new.kind),
            beside,
            EnumColumn(new.role),
            EnumColumn(new.origin),
            JsonColumn(&new.state),
            provider,
            model,
            new.created_at,
        ],
    )?;
    let id = MessageId(tx.last_insert_rowid());
    parts::insert(tx, id, &new.parts)?;
    Ok(id)
}

pub(crate) fn get(tx: &Connection, id: MessageId) -> Result<Message, StoreError> {
    let mut message = get_without_parts(tx, id)?;
    message.parts = load_parts(tx, &message)?.into();
    Ok(message)
}

/// Messages with their parts, in the given order.
pub(crate) fn get_all(
    tx: &Connection,
    ids: impl IntoIterator<Item = MessageId>,
) -> Result<Vec<Message>, StoreError> {
    ids.into_iter().map(|id| get(tx, id)).collect()
}

pub(crate) fn get_without_parts(tx: &Connection, id: MessageId) -> Result<Message, StoreError> {
    let sql = "SELECT * FROM messages WHERE id = ?1 AND deleted_at IS NULL";
    let found = query_first(tx, sql, [id.0], message)?;
    found.ok_or_else(|| not_found("message"))
}

pub(crate) fn write_inclusion(
    tx: &Connection,
    id: MessageId,
    inclusion: Inclusion,
) -> rusqlite::Result<()> {
    let (pinned, left_out) = match inclusion {
        Inclusion::Usual => (false, false),
        Inclusion::Pinned => (true, false),
        Inclusion::LeftOut => (false, true),
    };
    let sql = "UPDATE messages SET pinned = ?2, left_out = ?3 WHERE id = ?1";
    execute(tx, sql, params![id.0, pinned, left_out])
}

/// Reads the columns written by [`write_inclusion`], of which at most one is set.
fn inclusion(row: &Row) -> rusqlite::Result<Inclusion> {
    Ok(match (row.get("pinned")?, row.get("left_out")?) {
        (_, true) => Inclusion::LeftOut,
        (true, false) => Inclusion::Pinned,
        (false, false) => Inclusion::Usual,
    })
}

fn set_tool_state(
    tx: &Connection,
    id: MessageId,
    call_id: &str,
    state: ToolState,
) -> Result<(), StoreError> {
    if !parts::set_tool_state(tx, id, call_id, state)? {
        return Err(not_found("tool call"));
    }
    mark_changed(tx, id)
}

pub(crate) fn mark_changed(tx: &Connection, id: MessageId) -> Result<(), StoreError> {
    let changed = tx
        .prepare_cached(
            "UPDATE messages SET revision = revision + 1 WHERE id = ?1 AND deleted_at IS NULL",
        )?
        .execute([id.0])?;
    if changed == 0 { Err(not_found("message")) } else { Ok(()) }
}

/// The parts of a message, extended by the chunks of a streaming one.
pub(crate) fn load_parts(tx: &Connection, message: &Message) -> rusqlite::Result<Vec<ContentPart>> {
    let stored = parts::read(tx, message.id)?;
    match message.state {
        MessageState::Streaming {} => stream_chunks::merge_chunks(tx, message.id, stored),
        MessageState::Complete {}
        | MessageState::Ended { .. }
        | MessageState::Interrupted {}
        | MessageState::Failed { .. } => Ok(stored),
    }
}

fn hangs_beside(kind: &MessageKind) -> bool {
    match kind {
        MessageKind::Summary { .. } | MessageKind::Card {} => true,
        MessageKind::Chat {} | MessageKind::Notice { .. } => false,
    }
}

/// Reads the id of a message from the first column.
pub(crate) fn message_id(row: &Row) -> rusqlite::Result<MessageId> {
    row.get(0).map(MessageId)
}

/// Reads a row of `messages`; the parts are loaded separately.
fn message(row: &Row) -> rusqlite::Result<Message> {
    Ok(Message {
        id: MessageId(row.get("id")?),
        thread_id: ThreadId(row.get("thread_id")?),
        parent_id: row.get::<_, Option<i64>>("parent_id")?.map(MessageId),
        kind: get_json(row, "kind")?,
        role: get_enum(row, "role")?,
        origin: get_enum(row, "origin")?,
        parts: [].into(),
        state: get_json(row, "state")?,
        inclusion: inclusion(row)?,
        model: model_from_row(row)?,
        created_at: row.get("created_at")?,
    })
}
