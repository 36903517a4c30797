//! Inserts a complete conversation of an export file, with new ids.

use std::collections::HashMap;

use rusqlite::{Connection, params};
use skein_domain::compaction_point::CompactionPoint;
use skein_domain::conversation::{Conversation, ThreadRecord};
use skein_domain::draft::Draft;
use skein_domain::error::Result;
use skein_domain::generation::Generation;
use skein_domain::ids::{BlobId, MessageId, OutputId, PointId, SessionId, ThreadId};
use skein_domain::message::queued_message::QueuedMessage;
use skein_domain::message::{
    ContentPart, ImageRef, Inclusion, Message, MessageState, ToolCall, ToolState, WholeOutput,
};
use skein_domain::reminder::{Reminder, ReminderScope};
use skein_domain::session::{Session, Thread, ThreadStart};

use super::import_staging;
use super::path_fingerprints::PathFingerprints;
use crate::content::{blobs, generations, tool_outputs};
use crate::db::error::StoreError;
use crate::db::sql_types::{JsonColumn, model_columns};
use crate::db::store::Store;
use crate::messages::message_rows::{self, MessageParent, NewMessage};
use crate::messages::{message_order, point_rows};
use crate::search::search_index;
use crate::sessions::{drafts, queued_messages, reminders, thread_rows};

impl Store {
    /// Inserts a conversation as a new session, completely or not at all. It is hidden, and not
    /// synced to the disk, until [`Store::publish_import`]. References to missing objects are
    /// dropped; streaming messages become interrupted, running calls cancelled.
    pub async fn add_conversation(
        &self,
        conversation: Conversation,
        now: i64,
    ) -> Result<SessionId> {
        self.write(move |tx| add_staged(tx, conversation, now)).await
    }

    /// Inserts several conversations in one transaction, which is much faster.
    pub async fn add_conversations(
        &self,
        conversations: Vec<Conversation>,
        now: i64,
    ) -> Result<Vec<SessionId>> {
        self.write(move |tx| {
            search_index::write_in_bulk(tx)?;
            conversations.into_iter().map(|it| add_staged(tx, it, now)).collect()
        })
        .await
    }
}

fn add_staged(
    tx: &Connection,
    conversation: Conversation,
    now: i64,
) -> Result<SessionId, StoreError> {
    let session = add_session(tx, &conversation.session, now)?;
    import_staging::mark_staged(tx, session)?;
    let mut arrival = Importer {
        tx,
        session,
        now,
        messages: HashMap::new(),
        blobs: HashMap::new(),
        outputs: HashMap::new(),
    };
    arrival.things(&conversation)?;
    let current = conversation.current();
    if conversation.threads.is_empty() {
        // A session without a thread could be neither opened nor purged.
        thread_rows::insert(tx, session, &ThreadStart::First {}, now, None)?;
    }
    for (place, stretch) in conversation.threads.into_iter().enumerate() {
        arrival.insert_thread_record(stretch, place == current)?;
    }
    for reminder in conversation.reminders {
        let scope = ReminderScope::Session { session_id: session };
        reminders::insert(tx, &Reminder { scope, ..reminder })?;
    }
    for QueuedMessage { parts, created_at, .. } in conversation.waiting {
        // A stranger may have written it, so it is not sent before the user confirms.
        queued_messages::insert_for_composer(tx, session, &arrival.parts(&parts), created_at)?;
    }
    drafts::set(tx, session, &arrival.draft(conversation.draft), now)?;
    Ok(session)
}

/// Inserts a conversation. The maps lead from its ids to the store's.
struct Importer<'a> {
    tx: &'a Connection,
    session: SessionId,
    now: i64,
    messages: HashMap<MessageId, MessageId>,
    blobs: HashMap<BlobId, BlobId>,
    outputs: HashMap<OutputId, OutputId>,
}

impl Importer<'_> {
    fn things(&mut self, conversation: &Conversation) -> Result<(), StoreError> {
        for (id, bytes) in &conversation.blobs {
            self.blobs.insert(*id, blobs::insert_imported(self.tx, &bytes.0, self.now)?);
        }
        for (id, text) in &conversation.outputs {
            let kept = tool_outputs::insert(self.tx, self.session, text, self.now)?;
            self.outputs.insert(*id, kept);
        }
        Ok(())
    }

    /// Inserts a thread with its messages. Exactly one thread becomes current, whatever the file
    /// says.
    fn insert_thread_record(
        &mut self,
        stretch: ThreadRecord,
        current: bool,
    ) -> Result<(), StoreError> {
        let Thread { beginning, created_at, ended_at, leaf, .. } = stretch.thread;
        let ended_at = if current { None } else { Some(ended_at.unwrap_or(created_at)) };
        let thread = thread_rows::insert(self.tx, self.session, &beginning, created_at, ended_at)?;
        let mut paths = PathFingerprints::of(&stretch.messages);
        self.tree(thread, stretch.messages)?;
        let leaf = leaf.and_then(|leaf| self.messages.get(&leaf)).copied();
        thread_rows::set_leaf(self.tx, thread, leaf)?;
        let mut new_points = HashMap::new();
        for point in stretch.points {
            let old = point.id;
            if let Some(point) = self.point(thread, point, &mut paths)? {
                new_points.insert(old, point);
            }
        }
        for generation in stretch.generations {
            let message_id = generation.message_id.and_then(|id| self.messages.get(&id)).copied();
            let point = generation.point.and_then(|id| new_points.get(&id)).copied();
            // Usage reported for a prompt with a missing summary does not apply without it.
            let holds = generation.point.is_some() == point.is_some();
            let place = generation.place.filter(|_| holds);
            let generation = Generation { message_id, place, point, ..generation };
            generations::insert(self.tx, thread, &generation)?;
        }
        Ok(())
    }

    fn tree(&mut self, thread: ThreadId, messages: Vec<Message>) -> Result<(), StoreError> {
        let messages = message_order::parents_first(messages, |id| self.messages.contains_key(&id));
        for message in messages {
            let parent = message.parent_id.and_then(|parent| self.messages.get(&parent)).copied();
            self.message(thread, parent, message)?;
        }
        Ok(())
    }

    fn message(
        &mut self,
        thread: ThreadId,
        parent: Option<MessageId>,
        message: Message,
    ) -> Result<(), StoreError> {
        let old = message.id;
        let inclusion = message.inclusion;
        let new = NewMessage {
            parent: MessageParent::Under(parent),
            kind: message.kind,
            role: message.role,
            origin: message.origin,
            parts: self.parts(&message.parts),
            state: match message.state {
                MessageState::Streaming {} => MessageState::Interrupted {},
                ended => ended,
            },
            model: message.model,
            created_at: message.created_at,
        };
        // The parent of the message is new as well, and the leaf is set at the end.
        let id = message_rows::insert_under(self.tx, thread, parent, &new)?;
        if inclusion != Inclusion::Usual {
            message_rows::write_inclusion(self.tx, id, inclusion)?;
        }
        self.messages.insert(old, id);
        Ok(())
    }

    /// A draft. An attachment without bytes stays as its name.
    fn draft(&self, Draft { mut text, attachments }: Draft) -> Draft {
        let mut come = Vec::new();
        for attachment in attachments {
            match self.blobs.get(&attachment.blob()) {
                Some(blob) => come.push(attachment.at(*blob)),
                None => text = format!("{text}\n\n[{}]", attachment.name()),
            }
        }
        Draft { text, attachments: come }
    }

    fn parts(&self, parts: &[ContentPart]) -> Vec<ContentPart> {
        parts.iter().map(|part| self.part(part.clone())).collect()
    }

    /// A part. An attachment without bytes becomes its name as text.
    fn part(&self, part: ContentPart) -> ContentPart {
        match part {
            ContentPart::Image(picture) => match self.picture(&picture) {
                Some(picture) => ContentPart::Image(picture),
                None => ContentPart::Text { text: format!("[{}]", picture.name) },
            },
            ContentPart::File { blob, name, media_type, text, bytes } => {
                match self.blobs.get(&blob) {
                    Some(blob) => ContentPart::File { blob: *blob, name, media_type, text, bytes },
                    None => ContentPart::Text { text: format!("[{name}]\n\n{text}") },
                }
            }
            ContentPart::Tool { call } => {
                let state = self.tool_state(call.state);
                ContentPart::Tool { call: ToolCall { state, ..call } }
            }
            ContentPart::Text { .. } | ContentPart::Reasoning { .. } => part,
        }
    }

    /// `None` if the bytes are missing.
    fn picture(&self, picture: &ImageRef) -> Option<ImageRef> {
        let blob = *self.blobs.get(&picture.blob)?;
        Some(ImageRef { blob, ..picture.clone() })
    }

    fn tool_state(&self, state: ToolState) -> ToolState {
        match state {
            ToolState::Pending {} | ToolState::AwaitingApproval {} | ToolState::Running { .. } => {
                ToolState::Cancelled {}
            }
            ToolState::Done { mut output } => {
                output.whole = output.whole.and_then(|whole| {
                    let id = self.outputs.get(&whole.id).copied()?;
                    Some(WholeOutput { id, ..whole })
                });
                let pictures = output.pictures.iter();
                output.pictures = pictures.filter_map(|it| self.picture(it)).collect();
                ToolState::Done { output }
            }
            ToolState::Failed { .. } | ToolState::Denied {} | ToolState::Cancelled {} => state,
        }
    }

    /// Inserts a compaction point; dropped if its boundary or summary is missing. Its fingerprint
    /// contains message ids: it is recomputed so that a valid point stays valid and a stale one
    /// stale.
    fn point(
        &self,
        thread: ThreadId,
        point: CompactionPoint,
        paths: &mut PathFingerprints,
    ) -> Result<Option<PointId>, StoreError> {
        let new = |id: MessageId| self.messages.get(&id).copied();
        let (Some(summary), Some(boundary)) =
            (new(point.summary_message_id), new(point.boundary_message_id))
        else {
            return Ok(None);
        };
        let last = point.boundary_message_id;
        let after = match point.after_message_id.map(|after| (after, new(after))) {
            Some((_, None)) => return Ok(None),
            Some((old, Some(after))) => Some((old, after)),
            None => None,
        };
        let now = match after {
            Some((old, after)) => {
                let borders = ((old, last), (after, boundary));
                let (before, now) = paths.of_range(self.tx, borders.0, borders.1)?;
                (before == point.fingerprint).then_some(now)
            }
            None if paths.fingerprint_before(last)?.as_ref() == Some(&point.fingerprint) => {
                paths.fingerprint_now(self.tx, thread, boundary)?
            }
            None => None,
        };
        let point = CompactionPoint {
            thread_id: thread,
            summary_message_id: summary,
            after_message_id: after.map(|(_, after)| after),
            boundary_message_id: boundary,
            unread: point.unread.iter().filter_map(|id| new(*id)).collect(),
            fingerprint: now.unwrap_or(point.fingerprint),
            ..point
        };
        // The lines of the facts contain message numbers of the file.
        Ok(Some(point_rows::insert(self.tx, point, 0)?.id))
    }
}

/// Inserts a session. The time of its last use, which sorts the list, is not later than `now`: a
/// file may state any time.
fn add_session(tx: &Connection, session: &Session, now: i64) -> rusqlite::Result<SessionId> {
    let (provider, model) = model_columns(session.model.as_ref());
    let sql = "INSERT INTO sessions
                 (title, pinned, model_provider, model, overrides, created_at, updated_at, used, deleted_at)
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, min(?7, ?8), ?8)";
    tx.execute(
        sql,
        params![
            session.title,
            session.pinned,
            provider,
            model,
            JsonColumn(&session.overrides),
            session.created_at,
            session.updated_at,
            now
        ],
    )?;
    Ok(SessionId(tx.last_insert_rowid()))
}
