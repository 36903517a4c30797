//! Table `ledger`: the cost of every call, by the prices at its time.
//!
//! An entry outlives its thread and session: it has no foreign keys. Not here: the counters of the
//! context (`generations`), or computing a cost (`context::cost`).

use std::collections::HashMap;

use rusqlite::{Connection, Row, params};
use skein_domain::cost::Cost;
use skein_domain::error::Result;
use skein_domain::generation::CallPurpose;
use skein_domain::ids::{MessageId, SessionId, ThreadId};
use skein_domain::model::ModelRef;
use skein_domain::price::TokenPrices;
use skein_domain::usage::TokenUsage;

use crate::db::sql_types::{
    EnumColumn, JsonColumn, get_enum, get_json, get_model, get_money, get_usage,
};
use crate::db::statements::execute;
use crate::db::store::Store;

/// A model call with its cost.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LedgerEntry {
    /// The start of the call, in milliseconds since the epoch.
    pub at: i64,
    /// The thread; `None` if the call belongs to no conversation.
    pub thread: Option<ThreadId>,
    /// The reply; `None` if the call wrote none.
    pub message: Option<MessageId>,
    pub purpose: CallPurpose,
    pub model: ModelRef,
    /// The model named in the reply.
    pub answered_by: Option<String>,
    /// The service tier named in the reply.
    pub service_tier: Option<String>,
    /// The provider's counters.
    pub usage: TokenUsage,
    /// The part of the written cache tokens that is stored for an hour.
    pub cache_written_hour: Option<u32>,
    pub cost: Cost,
    /// The list prices at the time; `None` if there were none.
    pub prices: Option<TokenPrices>,
}

/// A ledger entry for an export.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LedgerRow {
    /// The start of the call: ISO 8601 in UTC.
    pub time: String,
    /// The session; `None` if it was already deleted, or the call belongs to no conversation.
    pub session: Option<SessionId>,
    pub entry: LedgerEntry,
}

impl Store {
    /// Adds the entry of a call that wrote no message.
    pub async fn add_ledger_entry(&self, entry: LedgerEntry) -> Result<()> {
        self.write(move |tx| Ok(insert(tx, &entry)?)).await
    }

    /// The costs of the replies between two messages of a thread, both included.
    pub async fn message_costs(
        &self,
        thread: ThreadId,
        first: MessageId,
        last: MessageId,
    ) -> Result<HashMap<MessageId, Cost>> {
        let sql = "SELECT * FROM ledger
                   WHERE thread_id = ?1 AND message_id BETWEEN ?2 AND ?3 ORDER BY id";
        self.read_rows(sql, [thread.0, first.0, last.0], |row| {
            Ok((MessageId(row.get("message_id")?), cost(row)?))
        })
        .await
    }

    /// All entries, oldest first.
    pub async fn ledger_rows(&self) -> Result<Vec<LedgerRow>> {
        let sql = "SELECT *, strftime('%Y-%m-%dT%H:%M:%SZ', at / 1000, 'unixepoch') AS time
                   FROM ledger ORDER BY id";
        self.read_rows(sql, [], |row| {
            let session = row.get::<_, Option<i64>>("session_id")?.map(SessionId);
            Ok(LedgerRow { time: row.get("time")?, session, entry: entry(row)? })
        })
        .await
    }
}

pub(crate) fn insert(tx: &Connection, entry: &LedgerEntry) -> rusqlite::Result<()> {
    let LedgerEntry { model, usage, .. } = entry;
    let (kind, money) = match &entry.cost {
        Cost::Known { money } => ("known", Some(money)),
        Cost::AtLeast { money } => ("atLeast", Some(money)),
        Cost::Unknown {} => ("unknown", None),
        Cost::NotBilled {} => ("notBilled", None),
    };
    // A column holds half the range of a u64: more than nine million of a currency.
    let amount = money.map(|money| i64::try_from(money.amount).unwrap_or(i64::MAX));
    let sql = "INSERT INTO ledger
                 (at, session_id, thread_id, message_id, purpose, model_provider, model, answered_by,
                  service_tier, prompt, completion, cached, cache_written, cache_written_hour,
                  reasoning, cost, amount, currency, prices)
               VALUES (?1, (SELECT session_id FROM threads WHERE id = ?2), ?2, ?3, ?4, ?5, ?6, ?7, ?8,
                       ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18)";
    let row = params![
        entry.at,
        entry.thread.map(|thread| thread.0),
        entry.message.map(|message| message.0),
        EnumColumn(entry.purpose),
        model.provider.0,
        model.model,
        entry.answered_by,
        entry.service_tier,
        usage.prompt,
        usage.completion,
        usage.cached,
        usage.cache_written,
        entry.cache_written_hour,
        usage.reasoning,
        kind,
        amount,
        money.map(|money| money.currency.code()),
        entry.prices.map(JsonColumn),
    ];
    execute(tx, sql, row)
}

fn entry(row: &Row) -> rusqlite::Result<LedgerEntry> {
    Ok(LedgerEntry {
        at: row.get("at")?,
        thread: row.get::<_, Option<i64>>("thread_id")?.map(ThreadId),
        message: row.get::<_, Option<i64>>("message_id")?.map(MessageId),
        purpose: get_enum(row, "purpose")?,
        model: get_model(row)?,
        answered_by: row.get("answered_by")?,
        service_tier: row.get("service_tier")?,
        usage: get_usage(row)?,
        cache_written_hour: row.get("cache_written_hour")?,
        cost: cost(row)?,
        prices: get_json(row, "prices")?,
    })
}

fn cost(row: &Row) -> rusqlite::Result<Cost> {
    let kind: String = row.get("cost")?;
    Ok(match (kind.as_str(), get_money(row)?) {
        ("known", Some(money)) => Cost::Known { money },
        ("atLeast", Some(money)) => Cost::AtLeast { money },
        ("notBilled", _) => Cost::NotBilled {},
        _ => Cost::Unknown {},
    })
}
