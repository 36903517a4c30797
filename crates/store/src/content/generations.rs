//! Table `generations`: every successful model call, and failed ones whose provider reported usage
//! (D01, D02).

use std::collections::HashMap;

use rusqlite::{Connection, Row, params};
use skein_domain::error::Result;
use skein_domain::finish_reason::FinishReason;
use skein_domain::generation::prompt_truncation::Truncation;
use skein_domain::generation::{Generation, Purpose};
use skein_domain::health::HealthSnapshot;
use skein_domain::ids::{MessageId, PointId, ProviderId, ThreadId};
use skein_domain::model::ModelRef;
use skein_domain::usage::TokenUsage;

use crate::db::sql_types::{EnumColumn, JsonColumn};
use crate::db::statements::{execute, query_all, query_decodable};
use crate::db::store::Store;

/// Marks all reports of a message's thread as outdated, because a part of the context was edited in
/// place (law 7). The numbers stay.
pub(crate) fn forget_reports(tx: &Connection, id: MessageId) -> rusqlite::Result<()> {
    let sql = "UPDATE generations SET place = NULL
               WHERE thread_id = (SELECT thread_id FROM messages WHERE id = ?1)";
    execute(tx, sql, [id.0])
}

/// Drops the usage reports of replies after the message. Reports of earlier prompts stay valid,
/// because they did not contain it.
pub(crate) fn forget_later_reports(tx: &Connection, id: MessageId) -> rusqlite::Result<()> {
    let sql = "UPDATE generations SET place = NULL
               WHERE message_id > ?1
                 AND thread_id = (SELECT thread_id FROM messages WHERE id = ?1)";
    execute(tx, sql, [id.0])
}

impl Store {
    pub async fn add_generation(&self, thread: ThreadId, generation: Generation) -> Result<()> {
        self.write(move |tx| Ok(insert(tx, thread, &generation)?)).await
    }

    /// The last generation of each reply between two messages of a thread, both included.
    pub async fn replies(
        &self,
        thread: ThreadId,
        first: MessageId,
        last: MessageId,
    ) -> Result<HashMap<MessageId, Generation>> {
        self.read(move |tx| {
            let sql = "SELECT * FROM generations
                       WHERE thread_id = ?1 AND message_id BETWEEN ?2 AND ?3 AND purpose = ?4
                       ORDER BY id";
            let wanted = params![thread.0, first.0, last.0, EnumColumn(Purpose::Reply)];
            let found: Vec<_> = query_all(tx, sql, wanted, generation)?;
            Ok(found.into_iter().filter_map(|it| Some((it.message_id?, it))).collect())
        })
        .await
    }

    /// The latest generation of a thread's replies; `None` if there is none.
    pub async fn last_reply(&self, thread: ThreadId) -> Result<Option<Generation>> {
        self.read(move |tx| Ok(latest_replies(tx, thread, 1)?.pop())).await
    }

    /// The latest generations of a thread with a known health, at most `limit`, oldest first.
    pub async fn last_with_health(&self, thread: ThreadId, limit: u32) -> Result<Vec<Generation>> {
        self.read(move |tx| {
            let sql = "SELECT * FROM generations
                       WHERE thread_id = ?1 AND purpose = ?2 AND health IS NOT NULL
                       ORDER BY id DESC LIMIT ?3";
            let wanted = params![thread.0, EnumColumn(Purpose::Reply), limit];
            let mut found: Vec<_> = query_all(tx, sql, wanted, generation)?;
            found.reverse();
            Ok(found)
        })
        .await
    }

    /// The generations of a thread, oldest first.
    pub async fn generations(&self, thread: ThreadId) -> Result<Vec<Generation>> {
        self.read(move |tx| {
            let sql = "SELECT * FROM generations WHERE thread_id = ?1 ORDER BY id";
            Ok(query_all(tx, sql, [thread.0], generation)?)
        })
        .await
    }
}

/// The latest generations of a thread's replies, at most `limit`, oldest first.
pub(crate) fn latest_replies(
    tx: &Connection,
    thread: ThreadId,
    limit: u32,
) -> rusqlite::Result<Vec<Generation>> {
    let sql = "SELECT * FROM generations WHERE thread_id = ?1 AND purpose = ?2
               ORDER BY id DESC LIMIT ?3";
    let wanted = params![thread.0, EnumColumn(Purpose::Reply), limit];
    let mut found = query_decodable(tx, sql, wanted, generation)?;
    found.reverse();
    Ok(found)
}

pub(crate) fn insert(
    tx: &Connection,
    thread: ThreadId,
    generation: &Generation,
) -> rusqlite::Result<()> {
    let Generation { model, usage, .. } = generation;
    let sql = "INSERT INTO generations
                 (thread_id, message_id, place, point_id, purpose, model_provider, model, prompt,
                  completion, total, cached, cache_written, reasoning, health, finish, started_at,
                  duration_ms, unmentioned, prefix)
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17,
                       ?18, ?19)";
    execute(
        tx,
        sql,
        params![
            thread.0,
            generation.message_id.map(|message| message.0),
            generation.place,
            generation.point.map(|point| point.0),
            EnumColumn(generation.purpose),
            model.provider.0,
            model.model,
            usage.prompt,
            usage.completion,
            usage.total,
            usage.cached,
            usage.cache_written,
            usage.reasoning,
            generation.health.as_ref().map(JsonColumn),
            generation.finish.map(EnumColumn),
            generation.started_at,
            generation.duration_ms,
            generation.unmentioned.as_ref().map(JsonColumn),
            generation.prefix,
        ],
    )
}

fn generation(row: &Row) -> rusqlite::Result<Generation> {
    let EnumColumn(purpose) = row.get("purpose")?;
    let finish: Option<EnumColumn<FinishReason>> = row.get("finish")?;
    let health: Option<JsonColumn<HealthSnapshot>> = row.get("health")?;
    let unmentioned: Option<JsonColumn<Truncation>> = row.get("unmentioned")?;
    Ok(Generation {
        message_id: row.get::<_, Option<i64>>("message_id")?.map(MessageId),
        place: row.get("place")?,
        point: row.get::<_, Option<i64>>("point_id")?.map(PointId),
        prefix: row.get("prefix")?,
        purpose,
        model: ModelRef {
            provider: ProviderId(row.get("model_provider")?),
            model: row.get("model")?,
        },
        usage: TokenUsage {
            prompt: row.get("prompt")?,
            completion: row.get("completion")?,
            total: row.get("total")?,
            cached: row.get("cached")?,
            cache_written: row.get("cache_written")?,
            reasoning: row.get("reasoning")?,
        },
        health: health.map(|JsonColumn(health)| health),
        finish: finish.map(|EnumColumn(finish)| finish),
        started_at: row.get("started_at")?,
        duration_ms: row.get("duration_ms")?,
        unmentioned: unmentioned.map(|JsonColumn(unmentioned)| unmentioned),
    })
}
