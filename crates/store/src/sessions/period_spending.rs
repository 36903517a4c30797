//! The sum of the ledger over one session, day or month. Not here: the spending that this database does not
//! know of, because an older copy was put back (`app`).

use rusqlite::{Connection, Row, params};
use skein_context::cost::budget::Spending;
use skein_domain::budget::{BudgetPeriod, BudgetScope};
use skein_domain::error::Result;
use skein_domain::ids::SessionId;

use crate::db::sql_types::get_money;
use crate::db::statements::{query_all, query_first, query_one};
use crate::db::store::Store;

impl Store {
    /// The period of a scope that calls of a session at a time fall into, in milliseconds since the epoch,
    /// and what was spent in it; `None`: calls outside of sessions are in no session's budget. Days and
    /// months are those of this machine's clock.
    pub async fn period_spending(
        &self,
        scope: BudgetScope,
        session: Option<SessionId>,
        at: i64,
    ) -> Result<Option<(BudgetPeriod, Spending)>> {
        self.read(move |tx| {
            let (period, parts): (_, Vec<Spending>) = match (scope, session) {
                (BudgetScope::Session, None) => return Ok(None),
                (BudgetScope::Session, Some(session)) => (
                    BudgetPeriod::Session { session, created_at: created_at(tx, session)? },
                    query_all(tx, &sums("session_id = ?1"), [session.0], part)?,
                ),
                (BudgetScope::Day, _) => (
                    BudgetPeriod::Day { day: local(tx, "%Y-%m-%d", at)? },
                    query_all(tx, &sums(&since("start of day")), [at], part)?,
                ),
                (BudgetScope::Month, _) => (
                    BudgetPeriod::Month { month: local(tx, "%Y-%m", at)? },
                    query_all(tx, &sums(&since("start of month")), [at], part)?,
                ),
            };
            let none = Spending::default();
            Ok(Some((period, parts.iter().fold(none, |sum, part| sum.plus(part)))))
        })
        .await
    }
}

/// 0 for a session that is gone.
fn created_at(tx: &Connection, session: SessionId) -> rusqlite::Result<i64> {
    let sql = "SELECT created_at FROM sessions WHERE id = ?1";
    let thread = query_first(tx, sql, [session.0], |row| row.get(0))?;
    Ok(thread.unwrap_or(0))
}

fn local(tx: &Connection, format: &str, at: i64) -> rusqlite::Result<String> {
    let sql = "SELECT strftime(?1, ?2 / 1000, 'unixepoch', 'localtime')";
    query_one(tx, sql, params![format, at], |row| row.get(0))
}

fn since(start: &str) -> String {
    format!(
        "at >= 1000 * CAST(strftime('%s', ?1 / 1000, 'unixepoch', 'localtime', '{start}', 'utc')
                           AS INTEGER)"
    )
}

/// One row for each currency, and one for the calls without any.
fn sums(condition: &str) -> String {
    format!(
        "SELECT currency, SUM(amount) AS amount,
           SUM(coalesce(prompt, 0) + coalesce(completion, 0)) AS tokens,
           SUM(iif(cost = 'unknown', coalesce(prompt, 0) + coalesce(completion, 0), 0)) AS unpriced,
           MAX(cost = 'atLeast' OR prompt IS NULL OR completion IS NULL) AS is_floor
         FROM ledger WHERE {condition} GROUP BY currency"
    )
}

fn part(row: &Row) -> rusqlite::Result<Spending> {
    let tokens = |name| row.get::<_, i64>(name).map(|sum| u64::try_from(sum).unwrap_or(0));
    Ok(Spending {
        money: get_money(row)?.into_iter().collect(),
        tokens: tokens("tokens")?,
        unpriced_tokens: tokens("unpriced")?,
        is_floor: row.get("is_floor")?,
    })
}
