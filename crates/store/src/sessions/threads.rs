//! Table `threads`: a session's stretches, and the one step from one to the next.

use std::collections::HashSet;

use rusqlite::{Connection, OptionalExtension, Row, params};
use skein_context::compaction::remediation::{Remediation, is_answer};
use skein_domain::error::{Error, Result};
use skein_domain::ids::{MessageId, SessionId, ThreadId};
use skein_domain::message::{Message, Origin, Role};
use skein_domain::session::{Thread, ThreadStart};
use skein_platform::crash_points::CrashPoint;

use super::reminders::{self, NewReminder};
use crate::Store;
use crate::db::error::{StoreError, not_found};
use crate::db::sql_types::{EnumColumn, JsonColumn};
use crate::log::activity_log::{self, AutomaticEvent};
use crate::messages::branch_path;
use crate::messages::message_rows::{self, MessageParent, NewMessage};

/// A thread that takes the place of a session's current one.
#[derive(Debug, Clone, PartialEq)]
pub struct NewThread {
    /// Of which session.
    pub session: SessionId,
    /// Why.
    pub beginning: ThreadStart,
    /// Its first message, said by the program.
    pub notice: Option<NewMessage>,
    /// P07, D15: messages of the path of the thread before, in order, which move here to be answered.
    /// From the first of them to the end of the path nothing is left behind but notices and replies.
    pub carried: Vec<MessageId>,
    /// Where the path of the thread before ends with them. What was shown beyond that moves along.
    pub end: MessageParent,
    /// D15: what is gone on from, kept as a reminder in the same step.
    pub package: Option<NewReminder>,
    /// Its line in the list of what happened by itself; `None`: the person did it.
    pub event: Option<AutomaticEvent>,
    /// Milliseconds since the epoch.
    pub at: i64,
}

impl Store {
    /// The threads of a session, the current one first, then the latest first.
    pub async fn threads(&self, session: SessionId) -> Result<Vec<Thread>> {
        self.read(move |tx| {
            let mut statement = tx.prepare_cached(
                "SELECT * FROM threads WHERE session_id = ?1 AND deleted_at IS NULL
                 ORDER BY ended_at IS NOT NULL, number DESC",
            )?;
            let found =
                statement.query_map([session.0], thread)?.collect::<rusqlite::Result<_>>()?;
            Ok(found)
        })
        .await
    }

    /// Whether nothing was said in a thread, on whatever branch: a notice is no word of anybody.
    pub async fn thread_is_empty(&self, thread: ThreadId) -> Result<bool> {
        self.read(move |tx| {
            let mut statement = tx.prepare_cached(
                "SELECT 1 FROM messages
                 WHERE thread_id = ?1 AND deleted_at IS NULL AND kind ->> 'type' <> 'notice'",
            )?;
            Ok(!statement.exists([thread.0])?)
        })
        .await
    }

    /// One thread.
    pub async fn thread(&self, id: ThreadId) -> Result<Thread> {
        self.read(move |tx| get(tx, id)).await
    }

    /// Ends a session's current thread and begins the next: thread, notice, package, carried messages
    /// and log in one transaction that is on the disk when this returns.
    pub async fn begin_thread(&self, new: NewThread) -> Result<Thread> {
        let begun = self.write_surely(move |tx| begin(tx, new)).await?;
        CrashPoint::Settled.reached();
        Ok(begun)
    }

    /// Undoes [`Store::begin_thread`]: the thread that ended when this one began is current again.
    /// Carried messages that nobody has answered go back with it, and the package that was kept is
    /// dropped. A thread in which more was said stays readable, ended. If an earlier answer was carried
    /// along, everything after it goes back, too: what was said before and after it stays one
    /// conversation, and what was said since becomes an alternative in it.
    pub async fn undo_thread(&self, id: ThreadId, now: i64) -> Result<Thread> {
        self.write_surely(move |tx| undo(tx, id, now)).await
    }

    /// Makes a thread that has ended its session's current one again, and ends the one that was:
    /// nothing moves from one to the other. Returns the one that was.
    ///
    /// # Errors
    /// `NotFound` for an unknown thread.
    pub async fn resume_thread(&self, id: ThreadId, now: i64) -> Result<ThreadId> {
        self.write_surely(move |tx| {
            let session = get(tx, id)?.session_id;
            let before = super::session_rows::get_session(tx, session)?.current_thread;
            if before != id {
                end(tx, before, now)?;
                // It goes on from what is shown of it, whatever it ended with.
                tx.execute(
                    "UPDATE threads SET ended_at = NULL, ended_leaf_id = NULL WHERE id = ?1",
                    [id.0],
                )?;
            }
            Ok(before)
        })
        .await
    }

    /// The files of archived threads that nobody would know of after [`Store::purge`], each with its
    /// session.
    pub async fn archives_deleted_before(&self, before: i64) -> Result<Vec<(SessionId, String)>> {
        self.read(move |tx| {
            let mut statement = tx.prepare_cached(
                "SELECT session_id, beginning ->> 'file'
                 FROM threads JOIN sessions ON sessions.id = session_id
                 WHERE beginning ->> 'type' = 'archived'
                   AND (sessions.deleted_at < ?1 OR threads.deleted_at < ?1)",
            )?;
            let named = statement
                .query_map([before], |row| Ok((row.get(0).map(SessionId)?, row.get(1)?)))?;
            Ok(named.collect::<rusqlite::Result<_>>()?)
        })
        .await
    }

    /// Where a thread stands between caution and clear.
    pub async fn remediation(&self, thread: ThreadId) -> Result<Remediation> {
        self.read(move |tx| {
            let state = tx
                .prepare_cached("SELECT remediation FROM threads WHERE id = ?1")?
                .query_row([thread.0], |row| row.get(0))
                .optional()?;
            let JsonColumn(state) = state.ok_or_else(|| not_found("thread"))?;
            Ok(state)
        })
        .await
    }

    /// D13: posts a notice, with where the thread stands from now on and its line in the list of what
    /// happened by itself: all of it, or nothing.
    pub async fn post_notice(
        &self,
        thread: ThreadId,
        notice: NewMessage,
        state: Remediation,
        event: AutomaticEvent,
    ) -> Result<Message> {
        self.write(move |tx| {
            activity_log::log(tx, thread, &event, notice.created_at)?;
            stand(tx, thread, state)?;
            message_rows::append(tx, thread, notice)
        })
        .await
    }

    /// Keeps where a thread stands between caution and clear.
    pub async fn set_remediation(&self, thread: ThreadId, state: Remediation) -> Result<()> {
        self.write(move |tx| Ok(stand(tx, thread, state)?)).await
    }
}

fn stand(connection: &Connection, id: ThreadId, state: Remediation) -> rusqlite::Result<()> {
    connection
        .prepare_cached("UPDATE threads SET remediation = ?2 WHERE id = ?1")?
        .execute(params![id.0, JsonColumn(state)])?;
    Ok(())
}

/// One thread.
pub(crate) fn get(connection: &Connection, id: ThreadId) -> Result<Thread, StoreError> {
    let found = connection
        .prepare_cached("SELECT * FROM threads WHERE id = ?1 AND deleted_at IS NULL")?
        .query_row([id.0], thread)
        .optional()?;
    found.ok_or_else(|| not_found("thread"))
}

/// Ends a thread. Where it stood between caution and clear is forgotten: taken up again, it begins
/// anew.
fn end(connection: &Connection, id: ThreadId, at: i64) -> rusqlite::Result<()> {
    connection.execute(
        "UPDATE threads SET ended_at = ?2, remediation = ?3 WHERE id = ?1",
        params![id.0, at, JsonColumn(Remediation::default())],
    )?;
    Ok(())
}

fn begin(connection: &Connection, new: NewThread) -> Result<Thread, StoreError> {
    let before = super::session_rows::get_session(connection, new.session)?.current_thread;
    end(connection, before, new.at)?;
    CrashPoint::ThreadEnded.reached();
    connection.execute(
        "INSERT INTO threads (session_id, number, beginning, created_at)
         VALUES (?1, (SELECT max(number) + 1 FROM threads WHERE session_id = ?1), ?2, ?3)",
        params![new.session.0, JsonColumn(&new.beginning), new.at],
    )?;
    let id = ThreadId(connection.last_insert_rowid());
    CrashPoint::ThreadBegun.reached();
    if let Some(notice) = new.notice {
        message_rows::append(connection, id, NewMessage { parent: MessageParent::Leaf, ..notice })?;
        CrashPoint::NoticePosted.reached();
    }
    carry(connection, &new.carried, (before, new.end), id, true)?;
    CrashPoint::MessagesCarried.reached();
    if let Some(package) = new.package {
        reminders::save_handoff(connection, before, id, &package)?;
        CrashPoint::PackageKept.reached();
    }
    if let Some(event) = new.event {
        activity_log::log(connection, id, &event, new.at)?;
        CrashPoint::EventLogged.reached();
    }
    get(connection, id)
}

/// Moves messages from near the end of one thread's path to the end of another's, with the branches
/// that grow from them. What stands between and after them on the path stays. Where the path was shown
/// through one of the branches, it still is. `along`: they are only carried there, and were said before.
fn carry(
    connection: &Connection,
    carried: &[MessageId],
    (from, end): (ThreadId, MessageParent),
    to: ThreadId,
    along: bool,
) -> Result<(), StoreError> {
    let Some(first) = carried.first() else { return Ok(()) };
    let shown = message_rows::leaf(connection, from)?;
    let path = match end {
        MessageParent::Leaf => branch_path::path_ids_to(connection, shown)?,
        MessageParent::Under(end) => branch_path::path_ids_to(connection, end)?,
    };
    let begin = path.iter().position(|id| id == first);
    let end = begin.and_then(|begin| path.get(begin..)).unwrap_or_default();
    let (moving, staying): (Vec<_>, Vec<_>) =
        end.iter().copied().partition(|id| carried.contains(id));
    if moving != carried || person_stays(connection, &staying)? {
        return Err(Error::Invalid { detail: "only a path's end is carried over".into() }.into());
    }
    let kept = message_rows::get(connection, *first)?.parent_id;
    let kept = string(connection, &staying, kept)?;
    message_rows::set_leaf(connection, from, kept)?;
    let leaf = string(connection, &moving, message_rows::leaf(connection, to)?)?;
    connection.execute(
        "WITH RECURSIVE moved (id) AS (
           VALUES (?1)
           UNION ALL
           SELECT messages.id FROM moved JOIN messages ON messages.parent_id = moved.id
         )
         UPDATE messages
         SET thread_id = ?2, carried = ?3,
             number = (SELECT coalesce(max(number), 0) FROM messages WHERE thread_id = ?2)
                    + (SELECT count(*) FROM moved WHERE moved.id <= messages.id)
         WHERE id IN (SELECT id FROM moved)",
        params![first.0, to.0, along],
    )?;
    let shown =
        shown.map(|shown| message_rows::get_without_parts(connection, shown)).transpose()?;
    let shown = shown.filter(|shown| shown.thread_id == to).map(|shown| shown.id);
    Ok(message_rows::set_leaf(connection, to, shown.or(leaf))?)
}

/// Hangs messages one under the other, the first under `parent`, and returns the last.
fn string(
    connection: &Connection,
    ids: &[MessageId],
    mut parent: Option<MessageId>,
) -> rusqlite::Result<Option<MessageId>> {
    for id in ids {
        connection
            .prepare_cached("UPDATE messages SET parent_id = ?2 WHERE id = ?1")?
            .execute(params![id.0, parent.map(|parent| parent.0)])?;
        parent = Some(*id);
    }
    Ok(parent)
}

fn person_stays(connection: &Connection, staying: &[MessageId]) -> Result<bool, StoreError> {
    for id in staying {
        if message_rows::get(connection, *id)?.origin == Origin::Person {
            return Ok(true);
        }
    }
    Ok(false)
}

fn undo(connection: &Connection, id: ThreadId, now: i64) -> Result<Thread, StoreError> {
    let ending = get(connection, id)?;
    if ending.ended_at.is_some() {
        return Err(Error::Invalid { detail: "only the current thread is undone".into() }.into());
    }
    // Not always the number before: one that was gone back to begins the next by its own end.
    let before = connection
        .prepare_cached(
            "SELECT * FROM threads WHERE session_id = ?1 AND number < ?2 AND deleted_at IS NULL
             ORDER BY ended_at = ?3 DESC, ended_at DESC, number DESC LIMIT 1",
        )?
        .query_row(params![ending.session_id.0, ending.number, ending.created_at], thread)
        .optional()?
        .ok_or_else(|| not_found("thread before"))?;
    end(connection, id, now)?;
    connection.execute(
        "UPDATE threads
         SET ended_at = NULL, ended_leaf_id = NULL,
             leaf_id = coalesce((SELECT id FROM messages
                                 WHERE id = ended_leaf_id AND deleted_at IS NULL), leaf_id)
         WHERE id = ?1",
        [before.id.0],
    )?;
    if let Some(returning) = returning(connection, &ending)? {
        carry(connection, &returning, (id, MessageParent::Leaf), before.id, false)?;
        reminders::delete_handoff(connection, id, ending.session_id, ending.created_at)?;
        // Something may have been said on a branch beside all that went back.
        if !was_spoken_in(connection, id)? {
            connection
                .execute("UPDATE threads SET deleted_at = ?2 WHERE id = ?1", params![id.0, now])?;
        }
    }
    get(connection, before.id)
}

/// What of a thread's path goes back where it was before; `None`: the thread stays as it is.
fn returning(
    connection: &Connection,
    thread: &Thread,
) -> Result<Option<Vec<MessageId>>, StoreError> {
    let carried = carried(connection, thread.id)?;
    let mut path = branch_path::path_ids_to(connection, thread.leaf)?;
    let begin = path.iter().position(|id| carried.contains(id));
    if let Some(begin) = begin
        && is_answered(connection, thread.id, ReplyScope::Anew)?
    {
        // What a summary covers here is not what it would cover there.
        let whole = !has_points(connection, thread.id)?;
        return Ok(whole.then(|| path.split_off(begin)));
    }
    if was_spoken_in(connection, thread.id)?
        || is_answered(connection, thread.id, ReplyScope::Here)?
    {
        return Ok(None);
    }
    path.retain(|id| carried.contains(id));
    Ok(Some(path))
}

/// Which replies of a thread are looked for.
#[derive(Clone, Copy)]
enum ReplyScope {
    /// Those that were given in it.
    Here,
    /// Messages that were carried into this thread because another answer was asked for in their place.
    /// Steps of a round that was carried over in its middle came along as well, and do not count.
    Anew,
}

impl ReplyScope {
    fn sql(self) -> &'static str {
        match self {
            Self::Here => {
                "SELECT id FROM messages
                 WHERE thread_id = ?1 AND carried = 0 AND role = ?2 AND deleted_at IS NULL
                 ORDER BY id"
            }
            Self::Anew => {
                "SELECT id FROM messages AS former
                 WHERE thread_id = ?1 AND carried = 1 AND role = ?2 AND deleted_at IS NULL
                   AND EXISTS (SELECT 1 FROM messages AS other
                               WHERE other.parent_id = former.parent_id AND other.thread_id = ?1
                                 AND other.carried = 0 AND other.beside = 0 AND other.role = ?2
                                 AND other.deleted_at IS NULL)
                 ORDER BY id"
            }
        }
    }
}

/// Whether such a reply takes up what was said.
fn is_answered(
    connection: &Connection,
    id: ThreadId,
    which: ReplyScope,
) -> Result<bool, StoreError> {
    let replies = connection
        .prepare_cached(which.sql())?
        .query_map(params![id.0, EnumColumn(Role::Assistant)], |row| row.get(0).map(MessageId))?
        .collect::<rusqlite::Result<Vec<_>>>()?;
    for reply in replies {
        if is_answer(&message_rows::get(connection, reply)?) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether anything was compacted in a thread.
fn has_points(connection: &Connection, id: ThreadId) -> rusqlite::Result<bool> {
    connection.prepare_cached("SELECT 1 FROM points WHERE thread_id = ?1")?.exists([id.0])
}

/// Whether the person said anything in a thread beyond what was carried into it.
fn was_spoken_in(connection: &Connection, id: ThreadId) -> rusqlite::Result<bool> {
    connection
        .prepare_cached(
            "SELECT EXISTS (SELECT 1 FROM messages
                            WHERE thread_id = ?1 AND origin = ?2 AND carried = 0
                              AND deleted_at IS NULL)",
        )?
        .query_row(params![id.0, EnumColumn(Origin::Person)], |row| row.get(0))
}

/// What was carried into a thread, on whatever branch.
fn carried(connection: &Connection, id: ThreadId) -> rusqlite::Result<HashSet<MessageId>> {
    connection
        .prepare_cached("SELECT id FROM messages WHERE thread_id = ?1 AND carried = 1")?
        .query_map([id.0], |row| row.get(0).map(MessageId))?
        .collect()
}

fn thread(row: &Row) -> rusqlite::Result<Thread> {
    let JsonColumn(beginning) = row.get("beginning")?;
    Ok(Thread {
        id: ThreadId(row.get("id")?),
        session_id: SessionId(row.get("session_id")?),
        number: row.get("number")?,
        leaf: row.get::<_, Option<i64>>("leaf_id")?.map(MessageId),
        beginning,
        created_at: row.get("created_at")?,
        ended_at: row.get("ended_at")?,
    })
}
