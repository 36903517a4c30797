//! Table `activity_log`: everything that happened by itself in a thread, with its numbers.

use rusqlite::{Connection, Row, params};
use serde::{Deserialize, Serialize};
use skein_domain::error::{CompactionFailure, Result};
use skein_domain::generation::truncation::TruncationKind;
use skein_domain::ids::{PointId, ThreadId};
use skein_domain::model::ModelRef;
use skein_domain::session::ClearedBy;
use specta::Type;

use crate::db::sql_types::{EnumColumn, JsonColumn};
use crate::db::statements::{execute, query_all, query_first};
use crate::db::store::Store;

/// One line of the list.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ActivityLogEntry {
    /// The event.
    pub event: AutomaticEvent,
    /// Milliseconds since the epoch.
    pub at: i64,
}

/// Something that happened by itself. Numbers are tokens unless said otherwise.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum AutomaticEvent {
    /// The conversation was compacted.
    Compacted {
        /// The compaction point it made.
        point: PointId,
        /// The estimate before.
        before: u32,
        /// The estimate after.
        after: u32,
        /// Whether the summary was made without a model, because none answered.
        local: bool,
    },
    /// A compaction was tried and changed nothing.
    NotCompacted {
        /// Why.
        reason: CompactionFailure,
        /// The model that was the first to be asked for a summary; `None`: from an earlier version.
        #[serde(default)]
        model: Option<ModelRef>,
    },
    /// After two failures in a row it waits for the user.
    Stopped {},
    /// Law 1: the part that no compaction can remove is over the limit.
    Stuck {
        /// Tokens that no compaction can remove.
        floor: u32,
        /// Tokens that may be used.
        limit: u32,
    },
    /// The thread was archived and a new one begun.
    Archived {
        /// Percent of the window at which it was.
        percent: u32,
    },
    /// The model was reminded of a filling context.
    Reminded {
        /// Turns that remain before an automatic clear; `None` at the level caution.
        remaining: Option<u32>,
    },
    /// The mind was cleared.
    Cleared {
        /// Who cleared it.
        by: ClearedBy,
    },
    /// P09: an oversized tool output left the context after an overflow.
    OutputWithheld {
        /// The name of the tool.
        tool: String,
        /// Length of the output in characters.
        chars: u32,
    },
    /// P08: of a long tool output only head and tail entered the context.
    OutputCut {
        /// The name of the tool.
        tool: String,
        /// Length of the output in characters.
        chars: u32,
        /// Characters that entered.
        kept: u32,
    },
    /// An overflow error named the window, or reports told of it.
    LimitLearned {
        /// The window.
        window: u32,
    },
    /// P09: the server answered as if nothing had happened and had not read all that was sent.
    SilentOverflow {
        /// The evidence.
        how: TruncationKind,
        /// The tokens it reported.
        read: u32,
        /// The tokens that were sent, by the own estimate.
        sent: u32,
    },
    /// Facts beside summaries, found by older rules, were found anew in the originals.
    FactsRenewed {
        /// Beside how many summaries they say something else now.
        points: u32,
    },
    /// Covered passages were added for a model without tools.
    Recalled {
        /// Number of passages.
        passages: u32,
        /// Tokens they take.
        tokens: u32,
    },
}

impl Store {
    /// Adds a line to a thread's list. That it is stuck or stopped is asked before every call, and
    /// noted once: again after a compaction, or where another limit is in the way.
    pub async fn append_activity(
        &self,
        thread: ThreadId,
        event: AutomaticEvent,
        at: i64,
    ) -> Result<()> {
        self.write(move |tx| {
            if !stands(tx, thread, &event)? {
                log(tx, thread, &event, at)?;
            }
            Ok(())
        })
        .await
    }

    /// Everything the program did by itself in a thread, oldest first.
    pub async fn activity_log(&self, thread: ThreadId) -> Result<Vec<ActivityLogEntry>> {
        self.read(move |tx| {
            let sql = "SELECT event, at FROM automatic WHERE thread_id = ?1 ORDER BY id";
            Ok(query_all(tx, sql, [thread.0], entry)?)
        })
        .await
    }

    /// Why the compactions of a thread have failed by themselves since it was last compacted, oldest
    /// first, with this model the first to be asked. What the user changed or stopped did not fail.
    pub async fn compaction_failures(
        &self,
        thread: ThreadId,
        model: ModelRef,
    ) -> Result<Vec<CompactionFailure>> {
        self.read(move |tx| Ok(compaction_failures(tx, thread, &model)?)).await
    }
}

/// The reasons of the compactions of a thread that have failed by themselves since its latest point.
pub(crate) fn compaction_failures(
    connection: &Connection,
    thread: ThreadId,
    model: &ModelRef,
) -> rusqlite::Result<Vec<CompactionFailure>> {
    let latest = latest_point(connection, thread)?;
    connection
        .prepare_cached(
            "SELECT event ->> 'reason' FROM automatic
             WHERE thread_id = ?1 AND event ->> 'type' = 'notCompacted'
               AND event ->> 'reason' NOT IN ('changed', 'cancelled')
               AND event ->> '$.model.provider' = ?2 AND event ->> '$.model.model' = ?3
               AND point_id >= ?4
             ORDER BY id",
        )?
        .query_map(params![thread.0, model.provider.0, model.model, latest], |row| {
            row.get(0).map(|EnumColumn(reason)| reason)
        })?
        .collect()
}

/// Adds a line to a thread's list.
pub(crate) fn log(
    connection: &Connection,
    thread: ThreadId,
    event: &AutomaticEvent,
    at: i64,
) -> rusqlite::Result<()> {
    let sql = "INSERT INTO automatic (thread_id, event, at, point_id) VALUES (?1, ?2, ?3, ?4)";
    execute(
        connection,
        sql,
        params![thread.0, JsonColumn(event), at, latest_point(connection, thread)?],
    )
}

/// The latest compaction of a thread, also one that was undone; 0: none. Ids only grow, whatever the
/// clock does.
fn latest_point(connection: &Connection, thread: ThreadId) -> rusqlite::Result<i64> {
    connection
        .prepare_cached(
            "SELECT coalesce(max(id), 0)
             FROM (SELECT id, thread_id FROM points UNION ALL SELECT id, thread_id FROM undone_points)
             WHERE thread_id = ?1",
        )?
        .query_row([thread.0], |row| row.get(0))
}

/// Whether the same is the last that was noted of a thread's compactions.
fn stands(
    connection: &Connection,
    thread: ThreadId,
    event: &AutomaticEvent,
) -> rusqlite::Result<bool> {
    let sql = "SELECT event FROM automatic
               WHERE thread_id = ?1 AND point_id >= ?2
                 AND event ->> 'type' IN ('stuck', 'stopped', 'compacted', 'notCompacted')
               ORDER BY id DESC LIMIT 1";
    let last = query_first(
        connection,
        sql,
        params![thread.0, latest_point(connection, thread)?],
        |row| row.get(0),
    )?;
    Ok(last.is_some_and(|JsonColumn(last)| match (event, last) {
        (AutomaticEvent::Stuck { limit, .. }, AutomaticEvent::Stuck { limit: before, .. }) => {
            *limit == before
        }
        (AutomaticEvent::Stopped {}, AutomaticEvent::Stopped {}) => true,
        _ => false,
    }))
}

fn entry(row: &Row) -> rusqlite::Result<ActivityLogEntry> {
    let JsonColumn(event) = row.get("event")?;
    Ok(ActivityLogEntry { event, at: row.get("at")? })
}
