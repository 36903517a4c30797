//! Reads a session, or one thread of it, with all its data for an export.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use skein_domain::conversation::{Base64, Conversation, ThreadRecord};
use skein_domain::draft::Draft;
use skein_domain::error::Result;
use skein_domain::ids::{BlobId, SessionId, ThreadId};
use skein_domain::message::{ContentPart, ToolState};
use skein_domain::reminder::ReminderScope;
use skein_domain::session::Thread;
use skein_store::{ReadAccess, Store};

pub(super) async fn snapshot_session(store: &Store, id: SessionId) -> Result<Conversation> {
    let mut conversation = Conversation {
        waiting: store.queued_messages(id).await?,
        draft: store.draft(id).await?,
        ..without_threads(store, id).await?
    };
    let unsent = conversation.waiting.iter().flat_map(|waiting| waiting.parts.clone());
    for part in unsent.collect::<Vec<_>>() {
        attach(store, &mut conversation, &part).await?;
    }
    for attachment in conversation.draft.attachments.clone() {
        add_blob(store, &mut conversation, attachment.blob()).await?;
    }
    let mut threads = store.threads(id).await?;
    threads.sort_by_key(|thread| thread.number);
    for thread in threads {
        add(store, &mut conversation, thread).await?;
    }
    Ok(conversation)
}

/// Reads one thread, with the data of its session that all threads share. Drafts are not included.
pub(super) async fn snapshot_thread(store: &Store, id: ThreadId) -> Result<Conversation> {
    let thread = store.thread(id).await?;
    let mut conversation = without_threads(store, thread.session_id).await?;
    add(store, &mut conversation, thread).await?;
    Ok(conversation)
}

/// Reads a part of a thread, like [`snapshot_thread`].
pub(super) async fn snapshot_part(store: &Store, part: ThreadRecord) -> Result<Conversation> {
    let mut conversation = without_threads(store, part.thread.session_id).await?;
    add_thread(store, &mut conversation, part).await?;
    Ok(conversation)
}

async fn without_threads(store: &Store, id: SessionId) -> Result<Conversation> {
    let mut reminders = store.reminders(id).await?;
    reminders.retain(|reminder| reminder.scope == ReminderScope::Session { session_id: id });
    Ok(Conversation {
        session: store.session(id).await?,
        threads: Vec::new(),
        reminders,
        waiting: Vec::new(),
        draft: Draft::default(),
        blobs: BTreeMap::new(),
        outputs: BTreeMap::new(),
    })
}

async fn add(store: &Store, to: &mut Conversation, thread: Thread) -> Result<()> {
    let messages = store.all_messages(thread.id).await?;
    let points = store.points(thread.id).await?;
    let generations = store.generations(thread.id).await?;
    add_thread(store, to, ThreadRecord { thread, messages, points, generations }).await
}

async fn add_thread(store: &Store, to: &mut Conversation, record: ThreadRecord) -> Result<()> {
    for part in record.messages.iter().flat_map(|message| message.parts.iter()) {
        attach(store, to, part).await?;
    }
    to.threads.push(record);
    Ok(())
}

async fn attach(store: &Store, to: &mut Conversation, part: &ContentPart) -> Result<()> {
    match part {
        ContentPart::Image(picture) => add_blob(store, to, picture.blob).await?,
        ContentPart::File { blob, .. } => add_blob(store, to, *blob).await?,
        ContentPart::Tool { call } => {
            let ToolState::Done { output } = &call.state else { return Ok(()) };
            for picture in &output.pictures {
                add_blob(store, to, picture.blob).await?;
            }
            if let Some(whole) = output.whole {
                let text = store.output(to.session.id, whole.id, ReadAccess::User).await?;
                to.outputs.insert(whole.id, text);
            }
        }
        ContentPart::Text { .. } | ContentPart::Reasoning { .. } => {}
    }
    Ok(())
}

async fn add_blob(store: &Store, to: &mut Conversation, blob: BlobId) -> Result<()> {
    if let Entry::Vacant(place) = to.blobs.entry(blob) {
        place.insert(Base64(store.blob(blob).await?));
    }
    Ok(())
}
