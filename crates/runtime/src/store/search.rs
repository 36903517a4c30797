//! Finding words in everything that was said: the virtual table `search`, kept in step by triggers.
//!
//! Trigrams find any three characters in a row, in every language. What is shorter is compared text
//! by text. Not here: what a person or a model is shown of it beyond an extract (`excerpt`).

use rusqlite::{Connection, Row, named_params};
use serde::{Deserialize, Serialize};
use skein_context::message::{MessageId, Origin, Role};
use skein_context::session::{SessionId, ThreadId};
use specta::Type;

use super::Store;
use super::excerpt::{Piece, excerpt};
use super::row::{Json, Word};
use super::terms::{Terms, terms};
use crate::error::Result;

/// What is looked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Query {
    /// Words; those between double quotes stay together.
    pub text: String,
    /// Where to look: one session with its archived threads, or (`None`) everywhere.
    pub session: Option<SessionId>,
    /// How many of the words must be there.
    pub matching: Matching,
    /// How many hits at most.
    pub limit: u32,
    /// How many characters are shown on each side of what was found.
    pub margin: u32,
}

/// How many of the words must be there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Matching {
    /// All of them: a person searches.
    All,
    /// Any, the best first: a question is asked of the history.
    Any,
}

/// Something found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Hit {
    /// In which session.
    pub session_id: SessionId,
    /// Its title.
    pub session_title: Option<String>,
    /// Where to jump; `None`: the title itself was found.
    pub place: Option<Place>,
    /// What was found and what stands around it.
    pub excerpt: Vec<Piece>,
}

/// A message something was found in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Place {
    /// In which thread.
    pub thread_id: ThreadId,
    /// The number of the thread in its session.
    pub thread_number: u32,
    /// Which message.
    pub message_id: MessageId,
    /// The number of the message in its thread.
    pub message_number: u32,
    /// Who the provider is told said it.
    pub role: Role,
    /// Who really said it.
    pub origin: Origin,
    /// When, in milliseconds since the epoch.
    pub at: i64,
}

/// The best place of a part in the index, or of the whole output it is head and tail of.
const RANKED: &str = r#"
    WITH found AS MATERIALIZED (
      SELECT rowid AS id, rank FROM search WHERE search MATCH :words
    ),
    placed AS (
      SELECT parts.id AS part_id, rank FROM found JOIN parts ON parts.id = found.id
      UNION ALL
      SELECT parts.id, rank FROM found JOIN parts ON parts.output_id = -found.id
    )
    SELECT sessions.id AS session_id, sessions.title, threads.id AS thread_id,
           threads.number AS thread_number, messages.id AS message_id,
           messages.number AS message_number, messages.role, messages.origin,
           messages.created_at,
           coalesce(outputs.text, parts.text) AS text, min(placed.rank) AS best
    FROM placed
      JOIN parts ON parts.id = placed.part_id
      JOIN messages ON messages.id = parts.message_id
      JOIN threads ON threads.id = messages.thread_id
      JOIN sessions ON sessions.id = threads.session_id
      LEFT JOIN outputs ON outputs.id = parts.output_id
    WHERE messages.deleted_at IS NULL AND messages.kind <> '{"type":"card"}'
      AND threads.deleted_at IS NULL AND sessions.deleted_at IS NULL
      AND (:session IS NULL OR sessions.id = :session)
      AND NOT EXISTS (SELECT 1 FROM json_each(:patterns) AS pattern
                      WHERE coalesce(outputs.text, parts.text) NOT LIKE pattern.value ESCAPE '\')
    GROUP BY messages.id
    ORDER BY best
    LIMIT :limit"#;

/// The latest messages that hold words too short for the index.
const COMPARED: &str = r#"
    SELECT sessions.id AS session_id, sessions.title, threads.id AS thread_id,
           threads.number AS thread_number, messages.id AS message_id,
           messages.number AS message_number, messages.role, messages.origin,
           messages.created_at,
           coalesce(outputs.text, parts.text) AS text
    FROM parts
      JOIN messages ON messages.id = parts.message_id
      JOIN threads ON threads.id = messages.thread_id
      JOIN sessions ON sessions.id = threads.session_id
      LEFT JOIN outputs ON outputs.id = parts.output_id
    WHERE parts.kind <> 'reasoning' AND messages.deleted_at IS NULL
      AND messages.kind <> '{"type":"card"}'
      AND threads.deleted_at IS NULL AND sessions.deleted_at IS NULL
      AND (:session IS NULL OR sessions.id = :session)
      AND NOT EXISTS (SELECT 1 FROM json_each(:patterns) AS pattern
                      WHERE coalesce(outputs.text, parts.text) NOT LIKE pattern.value ESCAPE '\')
    ORDER BY parts.id DESC
    LIMIT :limit"#;

const TITLES: &str = "
    SELECT id AS session_id, title FROM sessions
    WHERE deleted_at IS NULL AND title IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM json_each(:patterns) AS pattern
                      WHERE title NOT LIKE pattern.value ESCAPE '\\')
    ORDER BY updated_at DESC
    LIMIT :limit";

impl Store {
    /// What was found, the best first; titles before messages.
    pub async fn search(&self, query: Query) -> Result<Vec<Hit>> {
        self.read(move |tx| {
            let terms = terms(&query.text, query.matching);
            if terms.is_empty() {
                return Ok(Vec::new());
            }
            let mut hits = match (query.session, query.matching) {
                (None, Matching::All) => titles(tx, &query, &terms)?,
                (Some(_), Matching::All) | (_, Matching::Any) => Vec::new(),
            };
            hits.extend(messages(tx, &query, &terms)?);
            hits.truncate(query.limit as usize);
            Ok(hits)
        })
        .await
    }
}

fn titles(connection: &Connection, query: &Query, terms: &Terms) -> rusqlite::Result<Vec<Hit>> {
    let patterns = Json(terms.all_patterns());
    connection
        .prepare_cached(TITLES)?
        .query_map(named_params! { ":patterns": patterns, ":limit": query.limit }, |row| {
            let title: String = row.get("title")?;
            Ok(Hit {
                session_id: SessionId(row.get("session_id")?),
                excerpt: excerpt(&title, terms, query.margin),
                session_title: Some(title),
                place: None,
            })
        })?
        .collect()
}

fn messages(connection: &Connection, query: &Query, terms: &Terms) -> rusqlite::Result<Vec<Hit>> {
    let session = query.session.map(|session| session.0);
    let patterns = Json(terms.short_patterns());
    let hit = |row: &Row| hit(row, query, terms);
    match terms.words() {
        Some(words) => connection
            .prepare_cached(RANKED)?
            .query_map(
                named_params! {
                    ":words": words, ":patterns": patterns, ":session": session,
                    ":limit": query.limit
                },
                hit,
            )?
            .collect(),
        None => connection
            .prepare_cached(COMPARED)?
            .query_map(
                named_params! {
                    ":patterns": patterns, ":session": session, ":limit": query.limit
                },
                hit,
            )?
            .collect(),
    }
}

fn hit(row: &Row, query: &Query, terms: &Terms) -> rusqlite::Result<Hit> {
    let Word(role) = row.get("role")?;
    let Word(origin) = row.get("origin")?;
    let text: String = row.get("text")?;
    Ok(Hit {
        session_id: SessionId(row.get("session_id")?),
        session_title: row.get("title")?,
        place: Some(Place {
            thread_id: ThreadId(row.get("thread_id")?),
            thread_number: row.get("thread_number")?,
            message_id: MessageId(row.get("message_id")?),
            message_number: row.get("message_number")?,
            role,
            origin,
            at: row.get("created_at")?,
        }),
        excerpt: excerpt(&text, terms, query.margin),
    })
}
