//! The step from one thread of a session to the next, in one transaction.

use rusqlite::{Connection, params};
use skein_context::compaction::remediation::Remediation;
use skein_domain::error::Result;
use skein_domain::ids::{MessageId, SessionId, ThreadId};
use skein_domain::message::Message;
use skein_domain::session::{Thread, ThreadStart};
use skein_platform::crash_points::CrashPoint;

use super::carry::carry;
use crate::db::error::StoreError;
use crate::db::sql_types::JsonColumn;
use crate::db::store::Store;
use crate::log::activity_log::{self, AutomaticEvent};
use crate::messages::message_rows::{self, MessageParent, NewMessage};
use crate::sessions::reminders::{self, NewReminder};
use crate::sessions::{session_rows, thread_rows};

/// A thread that takes the place of a session's current one.
#[derive(Debug, Clone, PartialEq)]
pub struct NewThread {
    pub session: SessionId,
    pub beginning: ThreadStart,
    /// Its first message, said by the program.
    pub notice: Option<NewMessage>,
    /// P07, D15: messages of the path of the thread before, in order, which move here to be answered.
    /// From the first of them to the end of the path nothing is left behind but notices and replies.
    pub carried: Vec<MessageId>,
    /// End of the previous thread's path together with these messages. What was shown beyond moves along.
    pub end: MessageParent,
    /// D15: what is gone on from, kept as a reminder in the same step.
    pub package: Option<NewReminder>,
    /// Its line in the list of what happened by itself; `None`: the user did it.
    pub event: Option<AutomaticEvent>,
    /// Milliseconds since the epoch.
    pub at: i64,
}

impl Store {
    /// Ends a session's current thread and begins the next: thread, notice, package, carried messages
    /// and log in one transaction that is on the disk when this returns.
    pub async fn begin_thread(&self, new: NewThread) -> Result<Thread> {
        let begun = self.write_surely(move |tx| begin(tx, new)).await?;
        CrashPoint::Settled.reached();
        Ok(begun)
    }

    /// Makes a thread that has ended its session's current one again, and ends the one that was:
    /// nothing moves from one to the other. Returns the one that was.
    ///
    /// # Errors
    /// `NotFound` for an unknown thread.
    pub async fn resume_thread(&self, id: ThreadId, now: i64) -> Result<ThreadId> {
        self.write_surely(move |tx| {
            let session = thread_rows::get(tx, id)?.session_id;
            let before = session_rows::get_session(tx, session)?.current_thread;
            if before != id {
                thread_rows::end(tx, before, now)?;
                // It goes on from what is shown of it, whatever it ended with.
                let sql = "UPDATE threads SET ended_at = NULL, ended_leaf_id = NULL WHERE id = ?1";
                tx.execute(sql, [id.0])?;
            }
            Ok(before)
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
            thread_rows::stand(tx, thread, state)?;
            message_rows::append(tx, thread, notice)
        })
        .await
    }
}

fn begin(connection: &Connection, new: NewThread) -> Result<Thread, StoreError> {
    let before = session_rows::get_session(connection, new.session)?.current_thread;
    thread_rows::end(connection, before, new.at)?;
    CrashPoint::ThreadEnded.reached();
    let sql = "INSERT INTO threads (session_id, number, beginning, created_at)
               VALUES (?1, (SELECT max(number) + 1 FROM threads WHERE session_id = ?1), ?2, ?3)";
    connection.execute(sql, params![new.session.0, JsonColumn(&new.beginning), new.at])?;
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
    thread_rows::get(connection, id)
}
