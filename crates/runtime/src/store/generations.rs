//! Table `generations`: every model call that succeeded, and of the others those whose provider said
//! what it had read by then (D01, D02).

use std::collections::HashMap;

use rusqlite::{Connection, OptionalExtension, Row, params};
use serde::{Deserialize, Serialize};
use skein_context::health::HealthSnapshot;
use skein_context::message::{MessageId, PointId};
use skein_context::model::{ModelRef, ProviderId};
use skein_context::session::ThreadId;
use skein_context::usage::TokenUsage;
use specta::Type;

use super::Store;
use super::row::{Json, Word};
use crate::error::Result;
use crate::unmentioned::Unmentioned;

/// A model call that succeeded, or was cut off after its provider had reported something.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Generation {
    /// The message it wrote; `None` where it wrote none, or that is gone.
    pub message_id: Option<MessageId>,
    /// Where that message stood on the path it was made on, from 0; `None` where it wrote none, or
    /// where what it reported was forgotten since.
    pub place: Option<u32>,
    /// The compaction point that applied; `None`: none did.
    pub point: Option<PointId>,
    /// Fingerprint of what was sent always, of a reply; `None`: nobody noted it. It stays where it was
    /// made: elsewhere other words are sent.
    #[serde(skip)]
    pub prefix: Option<String>,
    /// What it was for.
    pub purpose: Purpose,
    /// Who was called.
    pub model: ModelRef,
    /// The provider's word.
    pub usage: TokenUsage,
    /// D10: health as it was then; `None` for what was no reply.
    pub health: Option<HealthSnapshot>,
    /// Why the answer ended, in the provider room's word; `None` when it was cut off.
    pub finish: Option<String>,
    /// Milliseconds since the epoch.
    pub started_at: i64,
    /// From the request to the end of the answer.
    pub duration_ms: u32,
    /// P09: that the server had not read all of the prompt, or had no room for an answer, and did not
    /// say so; `None`: nothing of the kind.
    #[serde(default)]
    pub unmentioned: Option<Unmentioned>,
}

/// What a generation was for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum Purpose {
    /// To answer in the conversation: the only ones whose usage tells of the context.
    Reply,
    /// To summarise it.
    Summary,
    /// To name it.
    Title,
}

/// Law 7: what was reported of a message's thread so far no longer tells of its context, because
/// something in it was edited in place. The numbers themselves stay.
pub(super) fn forget_reports(connection: &Connection, id: MessageId) -> rusqlite::Result<()> {
    connection
        .prepare_cached(
            "UPDATE generations SET place = NULL
             WHERE thread_id = (SELECT thread_id FROM messages WHERE id = ?1)",
        )?
        .execute([id.0])?;
    Ok(())
}

/// The same of those alone that came after the message: what it holds was not sent before.
pub(super) fn forget_later_reports(connection: &Connection, id: MessageId) -> rusqlite::Result<()> {
    connection
        .prepare_cached(
            "UPDATE generations SET place = NULL
             WHERE message_id > ?1
               AND thread_id = (SELECT thread_id FROM messages WHERE id = ?1)",
        )?
        .execute([id.0])?;
    Ok(())
}

impl Store {
    /// Keeps a generation.
    pub async fn add_generation(&self, thread: ThreadId, generation: Generation) -> Result<()> {
        self.write(move |tx| Ok(insert(tx, thread, &generation)?)).await
    }

    /// The last reply generated for each message of a thread between two, both included.
    pub async fn replies(
        &self,
        thread: ThreadId,
        first: MessageId,
        last: MessageId,
    ) -> Result<HashMap<MessageId, Generation>> {
        self.read(move |tx| {
            let mut statement = tx.prepare_cached(
                "SELECT * FROM generations
                 WHERE thread_id = ?1 AND message_id BETWEEN ?2 AND ?3 AND purpose = ?4 ORDER BY id",
            )?;
            let wanted = params![thread.0, first.0, last.0, Word(Purpose::Reply)];
            let found = statement.query_map(wanted, generation)?;
            let found = found.collect::<rusqlite::Result<Vec<_>>>()?;
            Ok(found.into_iter().filter_map(|it| Some((it.message_id?, it))).collect())
        })
        .await
    }

    /// The latest generation of a reply in a thread; `None`: there is none yet.
    pub async fn last_reply(&self, thread: ThreadId) -> Result<Option<Generation>> {
        self.read(move |tx| {
            let mut statement = tx.prepare_cached(
                "SELECT * FROM generations WHERE thread_id = ?1 AND purpose = ?2
                 ORDER BY id DESC LIMIT 1",
            )?;
            let wanted = params![thread.0, Word(Purpose::Reply)];
            Ok(statement.query_row(wanted, generation).optional()?)
        })
        .await
    }

    /// The latest replies of a thread whose health is known, at most so many, oldest first.
    pub async fn last_measured(&self, thread: ThreadId, limit: u32) -> Result<Vec<Generation>> {
        self.read(move |tx| {
            let mut statement = tx.prepare_cached(
                "SELECT * FROM generations
                 WHERE thread_id = ?1 AND purpose = ?2 AND health IS NOT NULL
                 ORDER BY id DESC LIMIT ?3",
            )?;
            let wanted = params![thread.0, Word(Purpose::Reply), limit];
            let found = statement.query_map(wanted, generation)?;
            let mut found = found.collect::<rusqlite::Result<Vec<_>>>()?;
            found.reverse();
            Ok(found)
        })
        .await
    }

    /// The generations of a thread, oldest first.
    pub async fn generations(&self, thread: ThreadId) -> Result<Vec<Generation>> {
        self.read(move |tx| {
            let mut statement =
                tx.prepare_cached("SELECT * FROM generations WHERE thread_id = ?1 ORDER BY id")?;
            let found =
                statement.query_map([thread.0], generation)?.collect::<rusqlite::Result<_>>()?;
            Ok(found)
        })
        .await
    }
}

/// Keeps a generation.
pub(super) fn insert(
    connection: &Connection,
    thread: ThreadId,
    generation: &Generation,
) -> rusqlite::Result<()> {
    let Generation { model, usage, .. } = generation;
    connection
        .prepare_cached(
            "INSERT INTO generations
               (thread_id, message_id, place, point_id, purpose, model_provider, model, prompt,
                completion, total, cached, cache_written, reasoning, health, finish, started_at,
                duration_ms, unmentioned, prefix)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17,
                     ?18, ?19)",
        )?
        .execute(params![
            thread.0,
            generation.message_id.map(|message| message.0),
            generation.place,
            generation.point.map(|point| point.0),
            Word(generation.purpose),
            model.provider.0,
            model.model,
            usage.prompt,
            usage.completion,
            usage.total,
            usage.cached,
            usage.cache_written,
            usage.reasoning,
            generation.health.as_ref().map(Json),
            generation.finish,
            generation.started_at,
            generation.duration_ms,
            generation.unmentioned.as_ref().map(Json),
            generation.prefix,
        ])?;
    Ok(())
}

fn generation(row: &Row) -> rusqlite::Result<Generation> {
    let Word(purpose) = row.get("purpose")?;
    let health: Option<Json<HealthSnapshot>> = row.get("health")?;
    let unmentioned: Option<Json<Unmentioned>> = row.get("unmentioned")?;
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
        health: health.map(|Json(health)| health),
        finish: row.get("finish")?,
        started_at: row.get("started_at")?,
        duration_ms: row.get("duration_ms")?,
        unmentioned: unmentioned.map(|Json(unmentioned)| unmentioned),
    })
}
