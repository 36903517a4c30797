//! The state of a thread that the gate needs beside its messages, read from several tables at once.

use skein_context::compaction::remediation::Remediation;
use skein_domain::error::{CompactionFailure, Result};
use skein_domain::generation::Generation;
use skein_domain::ids::{SessionId, ThreadId};
use skein_domain::model::ModelRef;

use crate::content::generations;
use crate::db::store::Store;
use crate::log::activity_log;
use crate::sessions::{queued_messages, thread_rows};

/// The state of a thread, beside its messages.
#[derive(Debug, Clone, PartialEq)]
pub struct ThreadStatus {
    /// The state of its remediation.
    pub remediation: Remediation,
    /// The latest generation of its replies; `None` if there is none.
    pub last_reply: Option<Generation>,
    /// The reasons of failed automatic compactions since its latest point, oldest first.
    pub compaction_failures: Vec<CompactionFailure>,
    /// True if a message will be sent automatically after this turn.
    pub has_queued_message: bool,
}

impl Store {
    /// Reads the state of a thread. It counts the failed compactions whose first choice was `summary_model`:
    /// another model may succeed. `None`: no model writes summaries, and the count is 0.
    pub async fn thread_status(
        &self,
        session: SessionId,
        thread: ThreadId,
        summary_model: Option<ModelRef>,
    ) -> Result<ThreadStatus> {
        self.read(move |tx| {
            let failures =
                summary_model.map(|it| activity_log::compaction_failures(tx, thread, &it));
            Ok(ThreadStatus {
                remediation: thread_rows::remediation(tx, thread)?,
                last_reply: generations::last_reply(tx, thread)?,
                compaction_failures: failures.transpose()?.unwrap_or_default(),
                has_queued_message: queued_messages::has_queued(tx, session)?,
            })
        })
        .await
    }
}
