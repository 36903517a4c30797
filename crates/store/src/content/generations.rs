//! Table `generations`: every successful model call, and failed ones whose provider reported usage
//! (D01, D02).

use std::collections::HashMap;

use rusqlite::{Connection, Row, params};
use skein_domain::error::Result;
use skein_domain::generation::{Generation, Purpose};
use skein_domain::ids::{MessageId, PointId, ThreadId};
use skein_domain::usage::TokenUsage;

use crate::db::sql_types::{EnumColumn, JsonColumn, get_enum, get_json, get_model, get_usage};
use crate::db::statements::{execute, query_decodable};
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
        let sql = "SELECT * FROM generations
                   WHERE thread_id = ?1 AND message_id BETWEEN ?2 AND ?3 AND purpose = ?4
                   ORDER BY id";
        self.read_rows(sql, (thread.0, first.0, last.0, EnumColumn(Purpose::Reply)), |row| {
            Ok((MessageId(row.get("message_id")?), generation(row)?))
        })
        .await
    }

    /// The latest generation of a thread's replies; `None` if there is none.
    pub async fn last_reply(&self, thread: ThreadId) -> Result<Option<Generation>> {
        self.read(move |tx| Ok(latest_replies(tx, thread, 1)?.pop())).await
    }

    /// The latest generations of a thread with a known health, at most `limit`, oldest first.
    pub async fn last_with_health(&self, thread: ThreadId, limit: u32) -> Result<Vec<Generation>> {
        let sql = "SELECT * FROM (SELECT * FROM generations
                                  WHERE thread_id = ?1 AND purpose = ?2 AND health IS NOT NULL
                                  ORDER BY id DESC LIMIT ?3) ORDER BY id";
        self.read_rows(sql, (thread.0, EnumColumn(Purpose::Reply), limit), generation).await
    }

    /// The generations of a thread, oldest first.
    pub async fn generations(&self, thread: ThreadId) -> Result<Vec<Generation>> {
        let sql = "SELECT * FROM generations WHERE thread_id = ?1 ORDER BY id";
        self.read_rows(sql, [thread.0], generation).await
    }
}

/// The latest generations of a thread's replies, at most `limit`, oldest first.
pub(crate) fn latest_replies(
    tx: &Connection,
    thread: ThreadId,
    limit: u32,
) -> rusqlite::Result<Vec<Generation>> {
    let sql = "SELECT * FROM (SELECT * FROM generations WHERE thread_id = ?1 AND purpose = ?2
                              ORDER BY id DESC LIMIT ?3) ORDER BY id";
    query_decodable(tx, sql, params![thread.0, EnumColumn(Purpose::Reply), limit], generation)
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
    Ok(Generation {
        message_id: row.get::<_, Option<i64>>("message_id")?.map(MessageId),
        place: row.get("place")?,
        point: row.get::<_, Option<i64>>("point_id")?.map(PointId),
        prefix: row.get("prefix")?,
        purpose: get_enum(row, "purpose")?,
        model: get_model(row)?,
        usage: TokenUsage { total: row.get("total")?, ..get_usage(row)? },
        health: get_json(row, "health")?,
        finish: get_enum(row, "finish")?,
        started_at: row.get("started_at")?,
        duration_ms: row.get("duration_ms")?,
        unmentioned: get_json(row, "unmentioned")?,
    })
}
