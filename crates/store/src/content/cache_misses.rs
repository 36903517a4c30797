//! Tables `request_starts` and `cache_misses`: what the next request of a thread is compared with, and what
//! came of the comparison for each reply.
//!
//! Not here: the comparison (`context::cost::cache_miss`), or the counters of the calls (`generations`,
//! `ledger`).

use std::collections::HashMap;

use rusqlite::params;
use skein_context::cost::cache_miss::RequestStart;
use skein_domain::cache_miss::CacheMiss;
use skein_domain::error::Result;
use skein_domain::ids::{MessageId, SessionId, ThreadId};
use skein_domain::usage::CacheTotals;

use crate::db::sql_types::{JsonColumn, get_json};
use crate::db::statements::execute;
use crate::db::store::Store;

impl Store {
    /// The start of the last request of a thread; `None`: there was none.
    pub async fn request_start(&self, thread: ThreadId) -> Result<Option<RequestStart>> {
        let sql = "SELECT start FROM request_starts WHERE thread_id = ?1";
        self.read_row(sql, [thread.0], |row| get_json(row, "start")).await
    }

    /// Keeps the start of the request that a reply answered, and why the provider's cache was not used.
    pub async fn set_request_start(
        &self,
        (thread, reply): (ThreadId, MessageId),
        start: RequestStart,
        miss: Option<CacheMiss>,
    ) -> Result<()> {
        self.write(move |tx| {
            let sql = "INSERT OR REPLACE INTO request_starts (thread_id, start) VALUES (?1, ?2)";
            execute(tx, sql, params![thread.0, JsonColumn(&start)])?;
            if let Some(miss) = &miss {
                let sql = "INSERT OR REPLACE INTO cache_misses (message_id, cause) VALUES (?1, ?2)";
                execute(tx, sql, params![reply.0, JsonColumn(miss)])?;
            }
            Ok(())
        })
        .await
    }

    /// Why the provider's cache was not used, for replies between two messages, both included.
    pub async fn cache_misses(
        &self,
        first: MessageId,
        last: MessageId,
    ) -> Result<HashMap<MessageId, CacheMiss>> {
        let sql = "SELECT message_id, cause FROM cache_misses WHERE message_id BETWEEN ?1 AND ?2";
        self.read_rows(sql, [first.0, last.0], |row| {
            Ok((MessageId(row.get("message_id")?), get_json(row, "cause")?))
        })
        .await
    }

    /// Sums the prompts of a session's calls and their cached tokens, without calls that report no use of the
    /// cache. `None`: no call reported it.
    pub async fn cache_totals(&self, session: SessionId) -> Result<Option<CacheTotals>> {
        let sql = "SELECT count(*), coalesce(sum(min(cached, prompt)), 0), coalesce(sum(prompt), 0)
                   FROM ledger WHERE session_id = ?1 AND cached IS NOT NULL AND prompt > 0
                   HAVING count(*) > 0";
        self.read_row(sql, [session.0], |row| {
            let tokens = |column| row.get::<usize, i64>(column).map(i64::unsigned_abs);
            Ok(CacheTotals { calls: row.get(0)?, cached: tokens(1)?, prompt: tokens(2)? })
        })
        .await
    }
}
