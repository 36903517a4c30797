//! How messages begin, for a list of them: of a text of megabytes no more is read than is shown.

use rusqlite::Connection;
use rusqlite::blob::Blob;
use skein_domain::error::{Error, Result};
use skein_domain::ids::MessageId;
use skein_domain::message::{ContentPart, Inclusion, Message, MessageKind, MessageState, Origin};

use super::message_rows;
use crate::Store;
use crate::db::error::StoreError;
use crate::db::sql_types::JsonColumn;

/// Characters of a beginning, at most: several times what a line of a list has room for.
const LONGEST: usize = 1_000;
/// Bytes that are read of a text at once.
const BLOCK: usize = 4 * 1_024;

/// A message as it is told from others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MessagePreview {
    /// Which.
    pub message_id: MessageId,
    /// What it is.
    pub kind: MessageKind,
    /// Who it really comes from.
    pub origin: Origin,
    /// Whether it stays because the person pinned it, or is left out.
    pub inclusion: Inclusion,
    /// The first line of its words, or the name of what stands before them; empty where it has neither.
    pub words: String,
}

impl Store {
    /// How several messages begin, in the order they are named, without those that were deleted.
    pub async fn message_previews(&self, ids: Vec<MessageId>) -> Result<Vec<MessagePreview>> {
        let found = |beginning| match beginning {
            Err(StoreError::Domain(Error::NotFound { .. })) => None,
            beginning => Some(beginning),
        };
        self.read(move |tx| ids.into_iter().filter_map(|id| found(beginning(tx, id))).collect())
            .await
    }
}

fn beginning(connection: &Connection, id: MessageId) -> Result<MessagePreview, StoreError> {
    let message = message_rows::get_without_parts(connection, id)?;
    let words = match message.state {
        MessageState::Streaming {} => growing(connection, &message)?,
        MessageState::Complete {}
        | MessageState::Ended { .. }
        | MessageState::Interrupted {}
        | MessageState::Failed { .. } => stored_first_line(connection, id)?,
    };
    let Message { kind, origin, inclusion, .. } = message;
    Ok(MessagePreview { message_id: id, kind, origin, inclusion, words })
}

/// What has arrived so far is read as a whole.
fn growing(connection: &Connection, message: &Message) -> rusqlite::Result<String> {
    let parts = message_rows::load_parts(connection, message)?;
    let lines = parts.iter().map(|part| match part {
        ContentPart::Text { text } => shortened(first_line(text)),
        part => name(part).to_owned(),
    });
    Ok(lines.into_iter().find(|line| !line.is_empty()).unwrap_or_default())
}

pub(crate) fn stored_first_line(
    connection: &Connection,
    message: MessageId,
) -> rusqlite::Result<String> {
    let mut parts = connection.prepare_cached(
        "SELECT id, rest FROM parts WHERE message_id = ?1 AND kind <> 'reasoning' ORDER BY position",
    )?;
    let mut rows = parts.query([message.0])?;
    while let Some(row) = rows.next()? {
        let JsonColumn(part) = row.get("rest")?;
        let line = match part {
            ContentPart::Text { .. } => first_line_of_part(connection, row.get("id")?)?,
            part => name(&part).to_owned(),
        };
        if !line.is_empty() {
            return Ok(line);
        }
    }
    Ok(String::new())
}

/// What a part is called that is no words.
fn name(part: &ContentPart) -> &str {
    match part {
        ContentPart::Image(picture) => &picture.name,
        ContentPart::File { name, .. } => name,
        ContentPart::Tool { call } => &call.name,
        ContentPart::Text { .. } | ContentPart::Reasoning { .. } => "",
    }
}

/// The first line of a part's words in which something stands; empty where nothing does. Of the words no
/// more is read than that takes.
pub(crate) fn first_line_of_part(connection: &Connection, part: i64) -> rusqlite::Result<String> {
    read_line(&connection.blob_open("main", "parts", "text", part, true)?)
}

fn read_line(text: &Blob) -> rusqlite::Result<String> {
    let (mut bytes, mut block, mut at) = (Vec::new(), [0; BLOCK], 0);
    loop {
        let read = text.read_at(&mut block, at)?;
        at += read;
        bytes.extend(block.iter().take(read));
        let words = String::from_utf8_lossy(&bytes);
        let line = first_line(&words);
        let ends = read == 0 || line.len() < words.trim_start().len();
        if ends || line.chars().count() > LONGEST {
            return Ok(shortened(line));
        }
        if line.is_empty() {
            bytes.clear();
        }
    }
}

/// The first line in which something stands.
fn first_line(words: &str) -> &str {
    words.trim_start().split('\n').next().unwrap_or_default()
}

fn shortened(line: &str) -> String {
    match line.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", line.get(..end).unwrap_or_default()),
        None => line.trim_end().to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How a text begins that is read out of a database.
    fn begins(text: &str) -> String {
        let connection = Connection::open_in_memory().unwrap();
        connection.execute_batch("CREATE TABLE parts (text TEXT NOT NULL)").unwrap();
        connection.execute("INSERT INTO parts VALUES (?1)", [text]).unwrap();
        read_line(&connection.blob_open("main", "parts", "text", 1, true).unwrap()).unwrap()
    }

    #[test]
    fn a_text_begins_with_its_first_line_wherever_a_block_ends() {
        let cases = [
            (String::new(), String::new()),
            (" \n ".into(), String::new()),
            ("one line".into(), "one line".into()),
            ("\n\n  the first \r\nthe second".into(), "the first".into()),
            (format!("{}late\nlater", " ".repeat(BLOCK - 2)), "late".into()),
            (format!("{}晚了\n", "\n".repeat(BLOCK - 1)), "晚了".into()),
            (" ".repeat(3 * BLOCK), String::new()),
            ("字".repeat(LONGEST), "字".repeat(LONGEST)),
            ("字".repeat(2_000_000), format!("{}…", "字".repeat(LONGEST))),
        ];
        for (text, beginning) in cases {
            assert_eq!(begins(&text), beginning);
        }
    }
}
