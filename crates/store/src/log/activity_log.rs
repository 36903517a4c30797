//! Table `activity_log`: everything that the program did automatically in a thread, with its
//! numbers.

use rusqlite::{Connection, params};
use serde::{Deserialize, Serialize};
use skein_domain::error::{CompactionFailure, Result};
use skein_domain::generation::prompt_truncation::TruncationKind;
use skein_domain::ids::{PointId, ThreadId};
use skein_domain::model::ModelRef;
use skein_domain::session::ClearedBy;
use specta::Type;

use crate::db::sql_types::{JsonColumn, get_enum, get_json, get_model};
use crate::db::statements::{execute, query_decodable, query_first, query_one};
use crate::db::store::Store;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ActivityLogEntry {
    pub event: AutomaticEvent,
    /// In milliseconds since the epoch.
    pub at: i64,
}

#[derive(Debug, Clone, PartialEq)]
pub struct FailedCompaction {
    /// The reason.
    pub reason: CompactionFailure,
    /// The model that was asked first.
    pub model: ModelRef,
}

/// An automatic event. Numbers are tokens unless stated otherwise.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum AutomaticEvent {
    /// The conversation was compacted.
    Compacted {
        /// The new compaction point.
        point: PointId,
        /// The estimate before.
        before: u32,
        /// The estimate after.
        after: u32,
        /// True if the summary was extracted without a model, because no model replied.
        local: bool,
    },
    /// A compaction failed and changed nothing.
    NotCompacted {
        reason: CompactionFailure,
        /// The first model that was asked for a summary; `None` for entries of an earlier version.
        #[serde(default)]
        model: Option<ModelRef>,
    },
    /// The provider was to write a summary with its own compaction and wrote none. The summary was
    /// written as without that choice.
    NoProviderSummary { model: ModelRef, reason: NoProviderSummaryReason },
    /// W09: the provider rejected its encrypted summaries. They are deleted, and the readable ones are sent.
    EncryptedSummariesRejected { model: ModelRef },
    /// After two failures in a row, compaction waits for the user.
    Stopped {},
    /// The part that no compaction can remove exceeds the limit (law 1).
    Stuck {
        /// The size of that part.
        floor: u32,
        /// The largest prompt that may be sent.
        limit: u32,
    },
    /// The thread was archived and a new one begun.
    Archived {
        /// The percentage of the window in use.
        percent: u32,
    },
    /// The model was reminded of the filling context.
    Reminded {
        /// Turns before an automatic clear; `None` at the level caution.
        remaining: Option<u32>,
    },
    /// The context was cleared.
    Cleared {
        /// The initiator.
        by: ClearedBy,
    },
    /// An oversized tool output was removed from the context after an overflow (P09).
    OutputWithheld {
        tool: String,
        /// The length of the output, in characters.
        chars: u32,
    },
    /// A long tool output was truncated (P08).
    OutputCut {
        tool: String,
        /// The length of the output, in characters.
        chars: u32,
        /// The characters that stayed.
        kept: u32,
    },
    /// The window became known from an overflow error or from usage reports.
    LimitLearned { window: u32 },
    /// The server silently truncated the prompt (P09).
    SilentOverflow {
        /// The evidence.
        how: TruncationKind,
        /// The tokens it reported.
        read: u32,
        /// The engine's estimate of the prompt.
        sent: u32,
    },
    /// Facts beside summaries, found by older rules, were extracted again from the original
    /// messages.
    FactsRenewed {
        /// The number of summaries whose facts changed.
        points: u32,
    },
    /// A budget is used up: no title was asked for.
    NotNamed {},
    /// Covered passages were added for a model without tools.
    Recalled {
        /// The number of passages.
        passages: u32,
        /// The tokens of the passages.
        tokens: u32,
    },
}

/// The reason why a provider wrote no summary with its own compaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum NoProviderSummaryReason {
    /// The provider refused the request for this model. It is not asked again before the next start.
    Refused,
    /// The messages do not fit one request.
    TooLong,
    /// It keeps the user's messages word for word, and they alone are too long. It was not asked.
    GainsTooLittle,
    /// The call failed, or brought no text that can be used.
    Failed,
    /// A budget did not allow the call. A model of the chain wrote the summary.
    OverBudget,
}

impl Store {
    /// Appends an entry. "Stuck", "stopped", a used-up budget and messages that the provider's own compaction
    /// does not help are checked before every call but logged once, until a compaction or another limit
    /// changes the situation.
    pub async fn append_activity(
        &self,
        thread: ThreadId,
        event: AutomaticEvent,
        at: i64,
    ) -> Result<()> {
        self.write(move |tx| {
            if !is_logged(tx, thread, &event)? {
                log(tx, thread, &event, at)?;
            }
            Ok(())
        })
        .await
    }

    /// All entries of a thread, oldest first.
    pub async fn activity_log(&self, thread: ThreadId) -> Result<Vec<ActivityLogEntry>> {
        let sql = "SELECT event, at FROM automatic WHERE thread_id = ?1 ORDER BY id";
        self.read_rows(sql, [thread.0], |row| {
            Ok(ActivityLogEntry { event: get_json(row, "event")?, at: row.get("at")? })
        })
        .await
    }
}

/// The failed automatic compactions of a thread since its latest point, oldest first. Compactions that the
/// user cancelled or made obsolete did not fail.
pub(crate) fn failed_compactions(
    tx: &Connection,
    thread: ThreadId,
) -> rusqlite::Result<Vec<FailedCompaction>> {
    let sql = "SELECT event ->> 'reason' AS reason, event ->> '$.model.provider' AS model_provider,
                 event ->> '$.model.model' AS model
               FROM automatic
               WHERE thread_id = ?1 AND event ->> 'type' = 'notCompacted'
                 AND event ->> 'reason' NOT IN ('changed', 'cancelled', 'overBudget')
                 AND event ->> '$.model' IS NOT NULL AND point_id >= ?2
               ORDER BY id";
    query_decodable(tx, sql, params![thread.0, latest_point(tx, thread)?], |row| {
        Ok(FailedCompaction { reason: get_enum(row, "reason")?, model: get_model(row)? })
    })
}

pub(crate) fn log(
    tx: &Connection,
    thread: ThreadId,
    event: &AutomaticEvent,
    at: i64,
) -> rusqlite::Result<()> {
    let sql = "INSERT INTO automatic (thread_id, event, at, point_id) VALUES (?1, ?2, ?3, ?4)";
    execute(tx, sql, params![thread.0, JsonColumn(event), at, latest_point(tx, thread)?])
}

/// The latest compaction of a thread, including undone ones; 0 if there is none. Ids grow
/// regardless of the clock.
fn latest_point(tx: &Connection, thread: ThreadId) -> rusqlite::Result<i64> {
    let sql = "SELECT coalesce(max(id), 0)
               FROM (SELECT id, thread_id FROM points UNION ALL SELECT id, thread_id FROM undone_points)
               WHERE thread_id = ?1";
    query_one(tx, sql, [thread.0], |row| row.get(0))
}

/// True if the log has the event, and nothing has changed since: it is the last entry about the thread's
/// compactions, or there is no later point.
fn is_logged(tx: &Connection, thread: ThreadId, event: &AutomaticEvent) -> rusqlite::Result<bool> {
    if *event == (AutomaticEvent::NotNamed {}) {
        let sql = "SELECT 1 FROM automatic WHERE thread_id = ?1 AND event ->> 'type' = 'notNamed'";
        return tx.prepare_cached(sql)?.exists([thread.0]);
    }
    let is_lasting = |reason: &NoProviderSummaryReason| match reason {
        NoProviderSummaryReason::TooLong | NoProviderSummaryReason::GainsTooLittle => true,
        NoProviderSummaryReason::Refused
        | NoProviderSummaryReason::Failed
        | NoProviderSummaryReason::OverBudget => false,
    };
    if let AutomaticEvent::NoProviderSummary { reason, .. } = event
        && is_lasting(reason)
    {
        let sql = "SELECT 1 FROM automatic WHERE thread_id = ?1 AND point_id >= ?2 AND event = ?3";
        let latest = latest_point(tx, thread)?;
        return tx.prepare_cached(sql)?.exists(params![thread.0, latest, JsonColumn(event)]);
    }
    let sql = "SELECT event FROM automatic
               WHERE thread_id = ?1 AND point_id >= ?2
                 AND event ->> 'type' IN ('stuck', 'stopped', 'compacted', 'notCompacted')
               ORDER BY id DESC LIMIT 1";
    let last =
        query_first(tx, sql, params![thread.0, latest_point(tx, thread)?], |row| row.get(0))?;
    Ok(last.is_some_and(|JsonColumn(last)| match (event, last) {
        (AutomaticEvent::Stuck { limit, .. }, AutomaticEvent::Stuck { limit: before, .. }) => {
            *limit == before
        }
        (AutomaticEvent::Stopped {}, AutomaticEvent::Stopped {}) => true,
        (
            AutomaticEvent::NotCompacted { reason: CompactionFailure::OverBudget, .. },
            AutomaticEvent::NotCompacted { reason: CompactionFailure::OverBudget, .. },
        ) => true,
        _ => false,
    }))
}
