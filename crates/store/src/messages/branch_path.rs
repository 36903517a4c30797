//! The path of a thread, from its root to its leaf: read in pages, and switched between branches.

use std::collections::HashMap;
use std::iter;

use rusqlite::{Connection, params};
use serde::{Deserialize, Serialize};
use skein_domain::error::{Error, Result};
use skein_domain::ids::{MessageId, ThreadId};
use skein_domain::message::Message;
use specta::Type;

use super::message_rows;
use crate::db::error::StoreError;
use crate::db::statements::{execute, query_all, query_one};
use crate::db::store::Store;
use crate::sessions::thread_rows;

/// A message of the path with its siblings.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct PathMessage {
    pub message: Message,
    /// All messages with the same parent, this one included, oldest first.
    pub siblings: Vec<MessageId>,
}

/// A page of consecutive messages of a path.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct TranscriptPage {
    /// In order.
    pub messages: Vec<PathMessage>,
    /// Summaries and cards beside these messages. Each follows the message of its `parent_id`.
    pub beside: Vec<Message>,
}

impl Store {
    /// At most `limit` messages of the path that ends with `last`; without `last`, the messages
    /// beside an empty path.
    pub async fn transcript_page(
        &self,
        thread: ThreadId,
        last: Option<MessageId>,
        limit: u32,
    ) -> Result<TranscriptPage> {
        self.read(move |tx| page(tx, thread, last, limit)).await
    }

    /// The ids of a thread's path, root first.
    pub async fn path_ids(&self, thread: ThreadId) -> Result<Vec<MessageId>> {
        self.read(move |tx| Ok(path_ids_to(tx, thread_rows::leaf(tx, thread)?)?)).await
    }

    /// The ids from the root down to a message, including deleted ones.
    pub async fn ancestor_ids(&self, message: MessageId) -> Result<Vec<MessageId>> {
        self.read(move |tx| Ok(path_ids_to(tx, Some(message))?)).await
    }

    /// The messages of a thread's path, root first: all of them, or those after `boundary` if it is
    /// on the path.
    pub async fn path_after(
        &self,
        thread: ThreadId,
        boundary: Option<MessageId>,
    ) -> Result<Vec<Message>> {
        self.read(move |tx| {
            let mut path = Vec::new();
            let mut next = thread_rows::leaf(tx, thread)?;
            while let Some(id) = next.filter(|id| Some(*id) != boundary) {
                let message = message_rows::get(tx, id)?;
                next = message.parent_id;
                path.push(message);
            }
            path.reverse();
            Ok(path)
        })
        .await
    }

    /// The messages of the path that ends with `last`, root first.
    pub async fn path_to(&self, last: MessageId) -> Result<Vec<Message>> {
        self.read(move |tx| message_rows::get_all(tx, path_ids_to(tx, Some(last))?)).await
    }

    /// The messages of the path that ends with `last`, after `after`; `None`: from the root. Empty if
    /// `after` is not on that path.
    pub async fn path_between(
        &self,
        after: Option<MessageId>,
        last: MessageId,
    ) -> Result<Vec<Message>> {
        self.read(move |tx| message_rows::get_all(tx, path_ids_between(tx, after, last)?)).await
    }

    /// All messages of a thread on all branches, including those beside the path, oldest first.
    pub async fn all_messages(&self, thread: ThreadId) -> Result<Vec<Message>> {
        self.read(move |tx| {
            let sql = "SELECT id FROM messages
                       WHERE thread_id = ?1 AND deleted_at IS NULL ORDER BY id";
            let ids: Vec<_> = query_all(tx, sql, [thread.0], message_rows::message_id)?;
            message_rows::get_all(tx, ids)
        })
        .await
    }

    /// The latest user message that directly follows `message`, on any branch.
    pub async fn next_user_message(&self, message: MessageId) -> Result<Option<MessageId>> {
        self.read(move |tx| {
            let thread = message_rows::get(tx, message)?.thread_id;
            Ok(children(tx, thread, Some(message))?.pop())
        })
        .await
    }

    /// Switches the path to the branch of `message` and its newest end. Returns the new leaf. For a
    /// thread that has ended this changes the view only: the leaf it ended with is kept for
    /// resuming it.
    pub async fn switch_to_branch(&self, message: MessageId) -> Result<MessageId> {
        self.write(move |tx| {
            let thread = message_rows::get(tx, message)?.thread_id;
            let leaf = newest_leaf(tx, message)?;
            let sql = "UPDATE threads SET ended_leaf_id = coalesce(ended_leaf_id, leaf_id)
                       WHERE id = ?1 AND ended_at IS NOT NULL";
            execute(tx, sql, [thread.0])?;
            thread_rows::set_leaf(tx, thread, Some(leaf))?;
            Ok(leaf)
        })
        .await
    }

    /// Makes `leaf` the end of the path; `None` empties it. Messages after it stay as a branch.
    pub async fn set_leaf(&self, thread: ThreadId, leaf: Option<MessageId>) -> Result<()> {
        self.write(move |tx| {
            if let Some(leaf) = leaf
                && message_rows::get(tx, leaf)?.thread_id != thread
            {
                return Err(Error::Invalid { detail: "a leaf of another thread".into() }.into());
            }
            Ok(thread_rows::set_leaf(tx, thread, leaf)?)
        })
        .await
    }
}

/// The ids of the path that ends with `last`, root first. The index is read for the whole thread at
/// once, which is faster than a lookup for each parent.
pub(crate) fn path_ids_to(
    tx: &Connection,
    last: Option<MessageId>,
) -> rusqlite::Result<Vec<MessageId>> {
    let sql = "SELECT id, parent_id FROM messages
               WHERE thread_id = (SELECT thread_id FROM messages WHERE id = ?1)";
    let parents: HashMap<i64, Option<i64>> =
        query_all(tx, sql, [last.map(|last| last.0)], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let up = |id: &MessageId| parents.get(&id.0).copied().flatten().map(MessageId);
    let mut ids: Vec<_> = iter::successors(last, up).collect();
    ids.reverse();
    Ok(ids)
}

/// The ids of the path after `after` that ends with `last`; `None`: from the root. Empty if `after` is not
/// on that path.
pub(crate) fn path_ids_between(
    tx: &Connection,
    after: Option<MessageId>,
    last: MessageId,
) -> rusqlite::Result<Vec<MessageId>> {
    let mut ids = path_ids_to(tx, Some(last))?;
    let Some(after) = after else { return Ok(ids) };
    let end = ids.iter().position(|id| *id == after);
    Ok(ids.split_off(end.map_or(ids.len(), |end| end + 1)))
}

fn page(
    tx: &Connection,
    thread: ThreadId,
    last: Option<MessageId>,
    limit: u32,
) -> Result<TranscriptPage, StoreError> {
    let mut page = TranscriptPage { messages: Vec::new(), beside: Vec::new() };
    let mut earlier = last;
    while let Some(id) = earlier {
        if page.messages.len() == limit as usize {
            break;
        }
        let message = message_rows::get(tx, id)?;
        earlier = message.parent_id;
        page.beside.extend(message_rows::get_all(tx, children_beside(tx, thread, Some(id))?)?);
        let siblings = children(tx, thread, message.parent_id)?;
        page.messages.push(PathMessage { message, siblings });
    }
    if earlier.is_none() {
        page.beside.extend(message_rows::get_all(tx, children_beside(tx, thread, None)?)?);
    }
    page.messages.reverse();
    page.beside.sort_by_key(|message| message.id);
    Ok(page)
}

/// The messages that follow `parent`, one for each branch.
pub(crate) fn children(
    tx: &Connection,
    thread: ThreadId,
    parent: Option<MessageId>,
) -> rusqlite::Result<Vec<MessageId>> {
    child_ids(tx, thread, parent, false)
}

/// The summaries and cards under `parent`, which stand beside every path.
fn children_beside(
    tx: &Connection,
    thread: ThreadId,
    parent: Option<MessageId>,
) -> rusqlite::Result<Vec<MessageId>> {
    child_ids(tx, thread, parent, true)
}

fn child_ids(
    tx: &Connection,
    thread: ThreadId,
    parent: Option<MessageId>,
    beside: bool,
) -> rusqlite::Result<Vec<MessageId>> {
    let sql = "SELECT id FROM messages
               WHERE thread_id = ?1 AND parent_id IS ?2 AND beside = ?3 AND deleted_at IS NULL
               ORDER BY id";
    let key = params![thread.0, parent.map(|parent| parent.0), beside];
    query_all(tx, sql, key, message_rows::message_id)
}

/// The newest leaf of a message's newest sibling; `None` if it has none.
pub(crate) fn alternative_leaf(
    tx: &Connection,
    message: &Message,
) -> rusqlite::Result<Option<MessageId>> {
    let siblings = children(tx, message.thread_id, message.parent_id)?;
    let newest = siblings.into_iter().rfind(|id| *id != message.id);
    newest.map(|id| newest_leaf(tx, id)).transpose()
}

/// The leaf reached from a message by always following the newest child.
pub(crate) fn newest_leaf(tx: &Connection, from: MessageId) -> rusqlite::Result<MessageId> {
    let sql = "WITH RECURSIVE branch (id, depth) AS (
                 VALUES (?1, 0)
                 UNION ALL
                 SELECT (SELECT max(messages.id) FROM messages
                         WHERE parent_id = branch.id AND beside = 0 AND deleted_at IS NULL),
                        depth + 1
                 FROM branch WHERE branch.id IS NOT NULL
               )
               SELECT id FROM branch WHERE id IS NOT NULL ORDER BY depth DESC LIMIT 1";
    query_one(tx, sql, [from.0], message_rows::message_id)
}
