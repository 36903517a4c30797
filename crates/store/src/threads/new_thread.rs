//! The step from one thread of a session to the next, in one transaction.

use rusqlite::Connection;
use skein_context::compaction::remediation::Remediation;
use skein_domain::error::Result;
use skein_domain::ids::{MessageId, SessionId, ThreadId};
use skein_domain::message::Message;
use skein_domain::session::{Thread, ThreadStart};
use skein_platform::crash_points::CrashPoint;

use super::move_messages::{MoveReason, move_messages};
use crate::db::error::StoreError;
use crate::db::store::Store;
use crate::log::activity_log::{self, AutomaticEvent};
use crate::messages::message_rows::{self, MessageParent, NewMessage};
use crate::sessions::reminders::{self, NewReminder};
use crate::sessions::{session_rows, thread_rows};

/// A thread that follows a session's current one.
#[derive(Debug, Clone, PartialEq)]
pub struct NewThread {
    pub session: SessionId,
    pub beginning: ThreadStart,
    /// The first message of the thread, a notice of the program.
    pub notice: Option<NewMessage>,
    /// Unanswered messages of the previous thread's path, in order, which move to the new one (P07,
    /// D15). Only notices and replies between them stay behind.
    pub carried: Vec<MessageId>,
    /// The end of the previous thread's path including these messages. Messages shown beyond it
    /// move along.
    pub end: MessageParent,
    /// The handoff, stored as a reminder in the same transaction (D15).
    pub package: Option<NewReminder>,
    /// The entry of the activity log; `None` if the user did it.
    pub event: Option<AutomaticEvent>,
    /// In milliseconds since the epoch.
    pub at: i64,
}

impl Store {
    /// Ends a session's current thread and begins the next: thread, notice, handoff, carried
    /// messages and log entry in one transaction, synced to the disk.
    pub async fn begin_thread(&self, new: NewThread) -> Result<Thread> {
        let begun = self.write_durably(move |tx| begin(tx, new)).await?;
        CrashPoint::Settled.reached();
        Ok(begun)
    }

    /// Makes an ended thread current again, and ends the current one, without moving messages.
    /// Returns the former current thread.
    ///
    /// # Errors
    /// `NotFound` for an unknown thread.
    pub async fn resume_thread(&self, id: ThreadId, now: i64) -> Result<ThreadId> {
        self.write_durably(move |tx| {
            let session = thread_rows::get(tx, id)?.session_id;
            let before = session_rows::get_session(tx, session)?.current_thread;
            if before != id {
                thread_rows::end(tx, before, now)?;
                // The thread continues from the shown leaf, whatever leaf it ended with.
                let sql = "UPDATE threads SET ended_at = NULL, ended_leaf_id = NULL WHERE id = ?1";
                tx.execute(sql, [id.0])?;
            }
            Ok(before)
        })
        .await
    }

    /// Posts a notice with the new remediation state and the entry of the activity log, in one
    /// transaction (D13).
    pub async fn post_notice(
        &self,
        thread: ThreadId,
        notice: NewMessage,
        state: Remediation,
        event: AutomaticEvent,
    ) -> Result<Message> {
        self.write(move |tx| {
            activity_log::log(tx, thread, &event, notice.created_at)?;
            thread_rows::store_remediation(tx, thread, state)?;
            message_rows::append(tx, thread, notice)
        })
        .await
    }
}

fn begin(tx: &Connection, new: NewThread) -> Result<Thread, StoreError> {
    let before = session_rows::get_session(tx, new.session)?.current_thread;
    thread_rows::end(tx, before, new.at)?;
    CrashPoint::ThreadEnded.reached();
    let id = thread_rows::insert(tx, new.session, &new.beginning, new.at, None)?;
    CrashPoint::ThreadBegun.reached();
    if let Some(notice) = new.notice {
        message_rows::append(tx, id, NewMessage { parent: MessageParent::Leaf, ..notice })?;
        CrashPoint::NoticePosted.reached();
    }
    move_messages(tx, &new.carried, (before, new.end), id, MoveReason::Context)?;
    CrashPoint::MessagesCarried.reached();
    if let Some(package) = new.package {
        reminders::save_handoff(tx, before, id, &package)?;
        CrashPoint::PackageKept.reached();
    }
    if let Some(event) = new.event {
        activity_log::log(tx, id, &event, new.at)?;
        CrashPoint::EventLogged.reached();
    }
    thread_rows::get(tx, id)
}
