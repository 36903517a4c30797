//! Tables `requests` and `request_lines`: the request that a reply answered, line by line.
//!
//! A request shares all but its last lines with the one before it, and each line is kept once for a thread:
//! a request names ranges of them. A line that sends a message goes with that message when it is deleted
//! for good, and so do the lines of its thread that quote other messages. Not here: how a request is
//! assembled (`context::window`).

use std::io::{self, Read, Write};

use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use rusqlite::types::{FromSqlError, FromSqlResult};
use rusqlite::{Connection, Row, params};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use skein_context::tokens::token_count::TokenCount;
use skein_context::window::{EntryLabel, PreviewEntry, PreviewPart};
use skein_domain::error::Result;
use skein_domain::ids::{MessageId, ThreadId};
use skein_domain::message::Role;
use specta::Type;

use crate::db::statements::{execute, query_first};
use crate::db::store::Store;

/// The bytes of a digest that are kept. Within one thread they tell all lines apart.
const DIGEST_BYTES: usize = 16;

/// The most bytes of JSON that are read for one request, far more than any model reads. A database from
/// elsewhere may contain a few bytes that inflate to terabytes.
const MAX_BYTES: u64 = 64 << 20;

/// The most lines of one request that is read.
const MAX_LINES: u32 = 1 << 20;

/// Deletes the lines that may quote a message deleted before a time. They do not say which messages they
/// quote, therefore all of the thread go.
pub(crate) const DELETE_QUOTES: &str = "
    DELETE FROM request_lines WHERE quotes = 1
       AND thread_id IN (SELECT thread_id FROM messages WHERE deleted_at < ?1)";

/// "What the model sees": the exact request, part by part; the next one, or that of a reply.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct PromptView {
    /// The entries in the order they are sent.
    pub lines: Vec<PreviewEntry>,
    /// Tokens of the whole request.
    pub total: TokenCount,
    /// The number of messages that the user left out.
    pub left_out: u32,
    /// Lines of an earlier request that are not kept: their messages were deleted for good since.
    pub removed: u32,
}

/// The column `request`.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct StoredRequest {
    /// The ids of its lines in their order: the first and the last of each range.
    lines: Vec<(i64, i64)>,
    /// The tokens of each line. They are not in the line, because every change of the count's factor would
    /// store the conversation anew.
    tokens: Vec<u32>,
    total: TokenCount,
    left_out: u32,
}

/// The column `line`: a [`PreviewEntry`] without its tokens.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct StoredLine {
    label: EntryLabel,
    role: Option<Role>,
    parts: Vec<PreviewPart>,
}

impl Store {
    /// The request that a reply answered; `None`: it is not stored.
    pub async fn sent_request(&self, reply: MessageId) -> Result<Option<PromptView>> {
        self.read(move |tx| Ok(read(tx, reply)?)).await
    }
}

/// Keeps the request that a reply of the thread answered.
pub(crate) fn insert(
    tx: &Connection,
    thread: ThreadId,
    reply: MessageId,
    request: PromptView,
) -> rusqlite::Result<()> {
    let (mut lines, mut tokens) = (Vec::new(), Vec::new());
    for PreviewEntry { label, role, parts, tokens: count } in request.lines {
        add_id(&mut lines, line_id(tx, thread, &StoredLine { label, role, parts })?);
        tokens.push(count);
    }
    let PromptView { total, left_out, .. } = request;
    let stored = deflate(&json_of(&StoredRequest { lines, tokens, total, left_out })?)?;
    let sql = "INSERT OR REPLACE INTO requests (message_id, request) VALUES (?1, ?2)";
    execute(tx, sql, params![reply.0, stored])
}

/// The id of a line of the thread, which is stored where it is not yet.
fn line_id(tx: &Connection, thread: ThreadId, line: &StoredLine) -> rusqlite::Result<i64> {
    let json = json_of(line)?;
    let digest = Sha256::digest(&json);
    let digest = digest.as_slice().get(..DIGEST_BYTES).unwrap_or_default();
    let sql = "SELECT id FROM request_lines WHERE thread_id = ?1 AND digest = ?2";
    let known = query_first(tx, sql, params![thread.0, digest], |row| row.get(0))?;
    if let Some(id) = known {
        return Ok(id);
    }
    let sql = "INSERT INTO request_lines (thread_id, message_id, quotes, digest, line)
               VALUES (?1, ?2, ?3, ?4, ?5)";
    let (message, quotes) = messages_of(&line.label);
    let row = params![thread.0, message.map(|id| id.0), quotes, digest, deflate(&json)?];
    execute(tx, sql, row)?;
    Ok(tx.last_insert_rowid())
}

/// The message that a line sends, and true if the line has text of other messages.
fn messages_of(label: &EntryLabel) -> (Option<MessageId>, bool) {
    match label {
        EntryLabel::Summary { message_id, .. } => (Some(*message_id), true),
        EntryLabel::Pinned { message_id } | EntryLabel::Message { message_id } => {
            (Some(*message_id), false)
        }
        EntryLabel::Anchors {} | EntryLabel::Passages {} => (None, true),
        EntryLabel::Section { .. }
        | EntryLabel::Tool { .. }
        | EntryLabel::Opening {}
        | EntryLabel::Recall {}
        | EntryLabel::Reminder { .. }
        | EntryLabel::Draft {}
        | EntryLabel::GoOn {} => (None, false),
    }
}

/// Lengthens the last range by the id, or begins another.
fn add_id(ranges: &mut Vec<(i64, i64)>, id: i64) {
    match ranges.last_mut() {
        Some((_, last)) if last.checked_add(1) == Some(id) => *last = id,
        _ => ranges.push((id, id)),
    }
}

fn read(tx: &Connection, reply: MessageId) -> rusqlite::Result<Option<PromptView>> {
    let mut bytes_left = MAX_BYTES;
    let sql = "SELECT thread_id, request FROM requests JOIN messages ON messages.id = message_id
               WHERE message_id = ?1";
    let stored = query_first(tx, sql, [reply.0], |row| {
        let stored: StoredRequest = inflated(row, "request", &mut bytes_left)?;
        Ok((row.get::<_, i64>("thread_id")?, stored))
    })?;
    let Some((thread, StoredRequest { lines: ranges, tokens, total, left_out })) = stored else {
        return Ok(None);
    };
    let sent = line_count(&ranges)?;
    let (mut lines, mut lines_before) = (Vec::new(), 0);
    // The plus sign keeps SQLite from walking over the whole thread for every range.
    let sql = "SELECT id, line FROM request_lines WHERE id BETWEEN ?1 AND ?2 AND +thread_id = ?3
               ORDER BY id";
    let mut statement = tx.prepare_cached(sql)?;
    for (first, last) in ranges {
        let mut rows = statement.query([first, last, thread])?;
        while let Some(row) = rows.next()? {
            let StoredLine { label, role, parts } = inflated(row, "line", &mut bytes_left)?;
            let index = usize::try_from(lines_before + row.get::<_, i64>("id")? - first);
            let tokens = index.ok().and_then(|index| tokens.get(index));
            let tokens = *tokens.ok_or_else(invalid)?;
            lines.push(PreviewEntry { label, role, parts, tokens });
        }
        lines_before += last - first + 1;
    }
    let read = u32::try_from(lines.len()).unwrap_or(u32::MAX);
    Ok(Some(PromptView { lines, total, left_out, removed: sent.saturating_sub(read) }))
}

/// The number of ids in the ranges.
///
/// # Errors
/// A range ends before it begins, or there are more than [`MAX_LINES`].
fn line_count(ranges: &[(i64, i64)]) -> FromSqlResult<u32> {
    ranges.iter().try_fold(0_u32, |sum, (first, last)| {
        let length = last.checked_sub(*first).filter(|it| (0..MAX_LINES.into()).contains(it));
        let length = length.and_then(|it| u32::try_from(it).ok()).ok_or_else(invalid)? + 1;
        Some(sum + length).filter(|sum| *sum <= MAX_LINES).ok_or_else(invalid)
    })
}

/// A value of a column with deflated JSON. Its bytes are taken from those that are left.
///
/// # Errors
/// The column has no such value, or no bytes are left.
fn inflated<T: DeserializeOwned>(
    row: &Row,
    column: &str,
    bytes_left: &mut u64,
) -> rusqlite::Result<T> {
    let mut json = Vec::new();
    DeflateDecoder::new(row.get_ref(column)?.as_blob()?)
        .take(*bytes_left)
        .read_to_end(&mut json)
        .map_err(FromSqlError::other)?;
    *bytes_left = bytes_left.saturating_sub(json.len() as u64);
    if *bytes_left == 0 {
        return Err(invalid().into());
    }
    Ok(serde_json::from_slice(&json).map_err(FromSqlError::other)?)
}

fn invalid() -> FromSqlError {
    FromSqlError::other(io::Error::from(io::ErrorKind::InvalidData))
}

fn json_of(value: &impl Serialize) -> rusqlite::Result<Vec<u8>> {
    serde_json::to_vec(value).map_err(|error| rusqlite::Error::ToSqlConversionFailure(error.into()))
}

fn deflate(bytes: &[u8]) -> rusqlite::Result<Vec<u8>> {
    let mut deflated = DeflateEncoder::new(Vec::new(), Compression::default());
    let written = deflated.write_all(bytes).and_then(|()| deflated.finish());
    written.map_err(|error| rusqlite::Error::ToSqlConversionFailure(error.into()))
}
