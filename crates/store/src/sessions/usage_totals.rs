//! Sums over the table `ledger`. Amounts of two currencies are never added up.

use rusqlite::{Connection, Row, params};
use serde::{Deserialize, Serialize};
use skein_domain::error::Result;
use skein_domain::generation::CallPurpose;
use skein_domain::ids::{ProviderId, SessionId};
use skein_domain::model::ModelRef;
use skein_domain::money::Money;
use specta::Type;

use super::session_names;
use crate::db::sql_types::{get_enum, get_model, get_money};
use crate::db::store::Store;

/// The property by which calls are grouped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum UsageGrouping {
    /// By day, in local time.
    Day,
    Model,
    Provider,
    Session,
    Purpose,
}

/// The common property of the calls in a sum.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum UsageKey {
    Day {
        /// As `YYYY-MM-DD`.
        day: String,
    },
    Model {
        model: ModelRef,
    },
    Provider {
        provider: ProviderId,
    },
    Session {
        /// The name of the session; `None` if it has none, or was purged.
        name: Option<String>,
        /// True if the session was deleted, purged or not.
        is_deleted: bool,
        /// The session; `None` if it was already deleted at the time of the call.
        session: Option<SessionId>,
    },
    /// The calls that belong to no conversation, where others are grouped by session.
    NoSession {},
    Purpose {
        purpose: CallPurpose,
    },
}

/// The sum of several calls.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct UsageTotal {
    /// The property that these calls share.
    pub key: UsageKey,
    /// The number of calls.
    pub calls: u32,
    /// Reported tokens of the prompts.
    pub prompt: u64,
    /// The part of these read from a cache.
    pub cached: u64,
    /// Reported tokens of the replies.
    pub completion: u64,
    /// Known costs, one sum for each currency.
    pub money: Vec<Money>,
    /// The number of calls whose cost is partly unknown.
    pub at_least: u32,
    /// The number of calls whose cost is unknown.
    pub unknown: u32,
    /// Calls that are not billed by the token.
    pub not_billed: u32,
}

impl Store {
    /// Totals of the calls since a time, in milliseconds since the epoch. Days are sorted newest
    /// first, other groups by tokens.
    pub async fn usage_totals(&self, by: UsageGrouping, since: i64) -> Result<Vec<UsageTotal>> {
        self.read(move |tx| {
            let mut statement = tx.prepare_cached(&query(by))?;
            let mut rows = statement.query(params![since])?;
            let mut totals: Vec<UsageTotal> = Vec::new();
            while let Some(row) = rows.next()? {
                add(&mut totals, key(tx, by, row)?, row)?;
            }
            match by {
                UsageGrouping::Day => totals.reverse(),
                UsageGrouping::Model
                | UsageGrouping::Provider
                | UsageGrouping::Session
                | UsageGrouping::Purpose => {
                    totals.sort_by_key(|it| std::cmp::Reverse(it.prompt + it.completion));
                }
            }
            Ok(totals)
        })
        .await
    }
}

fn query(by: UsageGrouping) -> String {
    let columns = match by {
        UsageGrouping::Day => "date(at / 1000, 'unixepoch', 'localtime')",
        UsageGrouping::Model => "model_provider, model",
        UsageGrouping::Provider => "model_provider",
        UsageGrouping::Session => "session_id, thread_id IS NULL",
        UsageGrouping::Purpose => "purpose",
    };
    format!(
        "SELECT {columns}, currency, COUNT(*) AS calls, TOTAL(prompt) AS prompt,
           TOTAL(cached) AS cached, TOTAL(completion) AS completion, SUM(amount) AS amount,
           SUM(cost = 'atLeast') AS at_least, SUM(cost = 'unknown') AS unknown,
           SUM(cost = 'notBilled') AS not_billed
         FROM ledger WHERE at >= ?1 GROUP BY {columns}, currency ORDER BY {columns}, currency"
    )
}

fn key(tx: &Connection, by: UsageGrouping, row: &Row) -> rusqlite::Result<UsageKey> {
    Ok(match by {
        UsageGrouping::Day => UsageKey::Day { day: row.get(0)? },
        UsageGrouping::Model => UsageKey::Model { model: get_model(row)? },
        UsageGrouping::Provider => UsageKey::Provider { provider: ProviderId(row.get(0)?) },
        UsageGrouping::Session if row.get(1)? => UsageKey::NoSession {},
        UsageGrouping::Session => {
            let session = row.get::<_, Option<i64>>(0)?.map(SessionId);
            let (name, is_deleted) = session_name(tx, session)?;
            UsageKey::Session { session, name, is_deleted }
        }
        UsageGrouping::Purpose => UsageKey::Purpose { purpose: get_enum(row, "purpose")? },
    })
}

fn session_name(
    tx: &Connection,
    session: Option<SessionId>,
) -> rusqlite::Result<(Option<String>, bool)> {
    let Some(id) = session else { return Ok((None, true)) };
    let mut statement =
        tx.prepare_cached("SELECT title, deleted_at FROM sessions WHERE id = ?1")?;
    let mut rows = statement.query([id.0])?;
    let Some(row) = rows.next()? else { return Ok((None, true)) };
    let is_deleted = row.get::<_, Option<i64>>("deleted_at")?.is_some();
    Ok((session_names::name(tx, id, row.get("title")?)?, is_deleted))
}

/// Adds a row. The rows of one key are adjacent: one for each currency, and one for calls without
/// cost.
fn add(totals: &mut Vec<UsageTotal>, key: UsageKey, row: &Row) -> rusqlite::Result<()> {
    if totals.last().is_none_or(|total| total.key != key) {
        totals.push(UsageTotal {
            key,
            calls: 0,
            prompt: 0,
            cached: 0,
            completion: 0,
            money: Vec::new(),
            at_least: 0,
            unknown: 0,
            not_billed: 0,
        });
    }
    let Some(total) = totals.last_mut() else { return Ok(()) };
    let tokens = |name| row.get::<_, f64>(name).map(|sum| sum as u64);
    total.calls += row.get::<_, u32>("calls")?;
    total.prompt += tokens("prompt")?;
    total.cached += tokens("cached")?;
    total.completion += tokens("completion")?;
    total.at_least += row.get::<_, u32>("at_least")?;
    total.unknown += row.get::<_, u32>("unknown")?;
    total.not_billed += row.get::<_, u32>("not_billed")?;
    total.money.extend(get_money(row)?);
    Ok(())
}
