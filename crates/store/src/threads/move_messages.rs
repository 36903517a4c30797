//! Moves messages from the end of one thread to the end of another.

use rusqlite::{Connection, params};
use skein_domain::error::Error;
use skein_domain::ids::{MessageId, ThreadId};
use skein_domain::message::{Message, Origin};

use crate::db::error::StoreError;
use crate::db::statements::execute;
use crate::messages::branch_path;
use crate::messages::message_rows::{self, MessageParent};
use crate::sessions::thread_rows;

/// The reason why messages move to another thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MoveReason {
    /// They were answered before, and are carried along as context of a new thread.
    Context,
    /// They return to the thread that they came from.
    Undo,
}

/// Moves messages from near the end of one thread's path to the end of another's, with the branches
/// below them. Messages between and after them on the path stay. A shown branch among them stays
/// shown.
pub(crate) fn move_messages(
    tx: &Connection,
    carried: &[MessageId],
    (from, end): (ThreadId, MessageParent),
    to: ThreadId,
    reason: MoveReason,
) -> Result<(), StoreError> {
    let Some(first) = carried.first() else { return Ok(()) };
    let shown = thread_rows::leaf(tx, from)?;
    let path = match end {
        MessageParent::Leaf => branch_path::path_ids_to(tx, shown)?,
        MessageParent::Under(end) => branch_path::path_ids_to(tx, end)?,
    };
    let begin = path.iter().position(|id| id == first);
    let end = begin.and_then(|begin| path.get(begin..)).unwrap_or_default();
    let (moving, staying): (Vec<_>, Vec<_>) =
        end.iter().copied().partition(|id| carried.contains(id));
    let is_by_user = |message: &Message| message.origin == Origin::Person;
    if moving != carried || message_rows::get_all(tx, staying.clone())?.iter().any(is_by_user) {
        return Err(Error::Invalid { detail: "only a path's end is carried over".into() }.into());
    }
    let kept = message_rows::get(tx, *first)?.parent_id;
    let kept = chain(tx, &staying, kept)?;
    thread_rows::set_leaf(tx, from, kept)?;
    let leaf = chain(tx, &moving, thread_rows::leaf(tx, to)?)?;
    let sql = "WITH RECURSIVE moved (id) AS (
                 VALUES (?1)
                 UNION ALL
                 SELECT messages.id FROM moved JOIN messages ON messages.parent_id = moved.id
               )
               UPDATE messages
               SET thread_id = ?2, carried = ?3,
                   number = (SELECT coalesce(max(number), 0) FROM messages WHERE thread_id = ?2)
                          + (SELECT count(*) FROM moved WHERE moved.id <= messages.id)
               WHERE id IN (SELECT id FROM moved)";
    tx.execute(sql, params![first.0, to.0, reason == MoveReason::Context])?;
    let shown = shown.map(|shown| message_rows::get_without_parts(tx, shown)).transpose()?;
    let shown = shown.filter(|shown| shown.thread_id == to).map(|shown| shown.id);
    Ok(thread_rows::set_leaf(tx, to, shown.or(leaf))?)
}

/// Chains messages, the first under `parent`, and returns the last.
fn chain(
    tx: &Connection,
    ids: &[MessageId],
    mut parent: Option<MessageId>,
) -> rusqlite::Result<Option<MessageId>> {
    for id in ids {
        let sql = "UPDATE messages SET parent_id = ?2 WHERE id = ?1";
        execute(tx, sql, params![id.0, parent.map(|parent| parent.0)])?;
        parent = Some(*id);
    }
    Ok(parent)
}
