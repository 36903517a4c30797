//! Previews of messages for lists, which read no more of a long text than they show.

use rusqlite::Connection;
use serde::{Deserialize, Serialize};
use skein_domain::error::Result;
use skein_domain::ids::MessageId;
use skein_domain::message::{ContentPart, Inclusion, Message, MessageKind, MessageState, Origin};
use specta::Type;

use super::message_rows;
use crate::content::first_line::{first_line, first_line_of_part, shortened};
use crate::db::error::{StoreError, if_found};
use crate::db::sql_types::get_json;
use crate::db::store::Store;

/// A message as a list shows it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct MessageLine {
    pub message_id: MessageId,
    pub kind: MessageKind,
    /// The true origin of the message.
    pub origin: Origin,
    /// The user's choice to pin it or to leave it out.
    pub inclusion: Inclusion,
    /// The text of the message and the names of its tools and attachments, or the first line of these; empty
    /// if there are none.
    pub words: String,
}

impl Store {
    /// The previews of several messages, in the order of `ids`; deleted messages are left out.
    pub async fn message_previews(&self, ids: Vec<MessageId>) -> Result<Vec<MessageLine>> {
        self.read(move |tx| ids.into_iter().filter_map(|id| if_found(beginning(tx, id))).collect())
            .await
    }
}

fn beginning(tx: &Connection, id: MessageId) -> Result<MessageLine, StoreError> {
    let message = message_rows::get_without_parts(tx, id)?;
    let text = match message.state {
        MessageState::Streaming {} => streaming_first_line(tx, &message)?,
        MessageState::Complete {}
        | MessageState::Ended { .. }
        | MessageState::Interrupted {}
        | MessageState::Failed { .. } => stored_first_line(tx, id)?,
    };
    let Message { kind, origin, inclusion, .. } = message;
    Ok(MessageLine { message_id: id, kind, origin, inclusion, words: text })
}

/// The first line of a streaming message: its stored parts and its chunks.
fn streaming_first_line(tx: &Connection, message: &Message) -> rusqlite::Result<String> {
    let parts = message_rows::load_parts(tx, message)?;
    let lines = parts.iter().map(|part| match part {
        ContentPart::Text { text } => shortened(first_line(text)),
        part => name(part).to_owned(),
    });
    Ok(lines.into_iter().find(|line| !line.is_empty()).unwrap_or_default())
}

pub(crate) fn stored_first_line(tx: &Connection, message: MessageId) -> rusqlite::Result<String> {
    let mut parts = tx.prepare_cached(
        "SELECT id, rest FROM parts WHERE message_id = ?1 AND kind <> 'reasoning' ORDER BY position",
    )?;
    let mut rows = parts.query([message.0])?;
    while let Some(row) = rows.next()? {
        let line = match get_json(row, "rest")? {
            ContentPart::Text { .. } => first_line_of_part(tx, row.get("id")?)?,
            part => name(&part).to_owned(),
        };
        if !line.is_empty() {
            return Ok(line);
        }
    }
    Ok(String::new())
}

/// The name of a part without text, such as a file.
fn name(part: &ContentPart) -> &str {
    match part {
        ContentPart::Image(picture) => &picture.name,
        ContentPart::File { name, .. } => name,
        ContentPart::Tool { call } => &call.name,
        ContentPart::Text { .. } | ContentPart::Reasoning { .. } => "",
    }
}
