//! Table `parts`: the content of a message, one row per part.
//!
//! The text of a part is a column of its own, so that it can be searched and large texts need no
//! JSON escaping. The rest of the part is JSON.

use std::mem;

use rusqlite::{Connection, Result, Row, params};
use skein_domain::ids::MessageId;
use skein_domain::message::{ContentPart, ToolCall, ToolState};

use crate::db::sql_types::{JsonColumn, get_json};
use crate::db::statements::{execute, query_all};

/// Replaces the parts of a message.
pub(crate) fn write(tx: &Connection, message: MessageId, parts: &[ContentPart]) -> Result<()> {
    execute(tx, "DELETE FROM parts WHERE message_id = ?1", [message.0])?;
    insert(tx, message, parts)
}

/// Adds the parts of a message that has none.
pub(crate) fn insert(tx: &Connection, message: MessageId, parts: &[ContentPart]) -> Result<()> {
    let mut insert = tx.prepare_cached(
        "INSERT INTO parts (message_id, position, kind, text, rest, unfinished, blob_id, output_id,
                            session_id)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8,
                 (SELECT threads.session_id
                  FROM messages JOIN threads ON threads.id = messages.thread_id
                  WHERE messages.id = ?1))",
    )?;
    for (position, part) in (0_i64..).zip(parts) {
        let (text, rest) = split(part);
        insert.execute(params![
            message.0,
            position,
            kind(part),
            text,
            JsonColumn(rest),
            unfinished(part),
            blob(part),
            output(part),
        ])?;
    }
    Ok(())
}

/// The parts of a message, in order.
pub(crate) fn read(tx: &Connection, message: MessageId) -> Result<Vec<ContentPart>> {
    let sql = "SELECT text, rest FROM parts WHERE message_id = ?1 ORDER BY position";
    query_all(tx, sql, [message.0], part)
}

/// Changes the state of a tool call; false if the message has no such call.
pub(crate) fn set_tool_state(
    tx: &Connection,
    message: MessageId,
    call_id: &str,
    state: ToolState,
) -> Result<bool> {
    let sql = "SELECT id, text, rest FROM parts WHERE message_id = ?1 AND kind = 'tool'
               ORDER BY position";
    let tools: Vec<_> = query_all(tx, sql, [message.0], part_with_id)?;
    for (id, part) in tools {
        if let ContentPart::Tool { call } = part
            && call.call_id == call_id
        {
            replace(tx, id, &ContentPart::Tool { call: ToolCall { state, ..call } })?;
            return Ok(true);
        }
    }
    Ok(false)
}

/// Cancels tool calls that were running when the program was killed.
pub(crate) fn cancel_unfinished(tx: &Connection) -> Result<()> {
    // The user has not seen that the turn was interrupted.
    let sql = "UPDATE sessions SET unread = 1
               WHERE id IN (SELECT threads.session_id FROM parts
                            JOIN messages ON messages.id = parts.message_id
                            JOIN threads ON threads.id = messages.thread_id
                            WHERE parts.unfinished = 1)";
    tx.execute(sql, [])?;
    let sql = "SELECT id, text, rest FROM parts WHERE unfinished = 1";
    let open: Vec<_> = query_all(tx, sql, [], part_with_id)?;
    for (id, part) in open {
        if let ContentPart::Tool { call } = part {
            let state = ToolState::Cancelled {};
            replace(tx, id, &ContentPart::Tool { call: ToolCall { state, ..call } })?;
        }
    }
    Ok(())
}

fn replace(tx: &Connection, id: i64, part: &ContentPart) -> Result<()> {
    let (text, rest) = split(part);
    let sql =
        "UPDATE parts SET text = ?2, rest = ?3, unfinished = ?4, output_id = ?5 WHERE id = ?1";
    execute(tx, sql, params![id, text, JsonColumn(rest), unfinished(part), output(part)])
}

fn part_with_id(row: &Row) -> Result<(i64, ContentPart)> {
    Ok((row.get("id")?, part(row)?))
}

fn part(row: &Row) -> Result<ContentPart> {
    let mut part = get_json(row, "rest")?;
    if let Some(text) = text_mut(&mut part) {
        *text = row.get("text")?;
    }
    Ok(part)
}

/// Splits a part into its text and the rest.
fn split(part: &ContentPart) -> (String, ContentPart) {
    let mut rest = part.clone();
    let text = text_mut(&mut rest).map(mem::take).unwrap_or_default();
    (text, rest)
}

/// The text of a part; `None` for kinds without text.
fn text_mut(part: &mut ContentPart) -> Option<&mut String> {
    match part {
        ContentPart::Text { text }
        | ContentPart::Reasoning { text, .. }
        | ContentPart::File { text, .. } => Some(text),
        ContentPart::Image(_) => None,
        ContentPart::Tool { call } => match &mut call.state {
            ToolState::Done { output } => Some(&mut output.text),
            ToolState::Failed { message } => Some(message),
            ToolState::Pending {}
            | ToolState::AwaitingApproval {}
            | ToolState::Running { .. }
            | ToolState::Denied {}
            | ToolState::Cancelled {} => None,
        },
    }
}

fn kind(part: &ContentPart) -> &'static str {
    match part {
        ContentPart::Text { .. } => "text",
        ContentPart::Reasoning { .. } => "reasoning",
        ContentPart::Image(_) => "image",
        ContentPart::File { .. } => "file",
        ContentPart::Tool { .. } => "tool",
    }
}

fn unfinished(part: &ContentPart) -> bool {
    let Some(call) = part.as_call() else { return false };
    match call.state {
        ToolState::Pending {} | ToolState::AwaitingApproval {} | ToolState::Running { .. } => true,
        ToolState::Done { .. }
        | ToolState::Failed { .. }
        | ToolState::Denied {}
        | ToolState::Cancelled {} => false,
    }
}

fn blob(part: &ContentPart) -> Option<i64> {
    match part {
        ContentPart::Image(picture) => Some(picture.blob.0),
        ContentPart::File { blob, .. } => Some(blob.0),
        ContentPart::Text { .. } | ContentPart::Reasoning { .. } | ContentPart::Tool { .. } => None,
    }
}

fn output(part: &ContentPart) -> Option<i64> {
    let ToolState::Done { output } = &part.as_call()?.state else { return None };
    Some(output.whole?.id.0)
}
