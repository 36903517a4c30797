//! The state of a thread that the gate decides by, beside its messages: one read over several tables.

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
    /// Where it stands between caution and clear.
    pub remediation: Remediation,
    /// The latest generation of a reply; `None`: there is none yet.
    pub last_reply: Option<Generation>,
    /// The reasons of its compactions that have failed by themselves since its latest point, oldest first.
    pub compaction_failures: Vec<CompactionFailure>,
    /// Whether a message waits that is sent by itself after this turn.
    pub has_queued_message: bool,
}

impl Store {
    /// Reads the state of a thread. Of the failed compactions only those count that asked
    /// `summary_model` first; `None`: no model writes summaries, and none count.
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
