//! A session with everything that belongs to it, as it leaves.

use std::collections::BTreeMap;

use skein_context::message::{ContentPart, ToolState};
use skein_context::reminder::Scope;
use skein_context::session::SessionId;

use crate::error::Result;
use crate::store::{Base64, Conversation, Store, Stretch};

/// Reads a session.
pub(super) async fn gather(store: &Store, id: SessionId) -> Result<Conversation> {
    let session = store.session(id).await?;
    let mut threads = store.threads(id).await?;
    threads.sort_by_key(|thread| thread.number);
    let mut reminders = store.reminders(id).await?;
    reminders.retain(|reminder| reminder.scope == Scope::Session { session_id: id });
    let mut conversation = Conversation {
        session,
        threads: Vec::new(),
        reminders,
        waiting: store.waiting(id).await?,
        draft: store.draft(id).await?,
        blobs: BTreeMap::new(),
        outputs: BTreeMap::new(),
    };
    let unsent = conversation.waiting.iter().flat_map(|waiting| &waiting.parts);
    let unsent: Vec<_> = unsent.chain(&conversation.draft.attachments).cloned().collect();
    for part in &unsent {
        attach(store, &mut conversation, part).await?;
    }
    for thread in threads {
        let messages = store.all_messages(thread.id).await?;
        let points = store.points(thread.id).await?;
        let generations = store.generations(thread.id).await?;
        for part in messages.iter().flat_map(|message| message.parts.iter()) {
            attach(store, &mut conversation, part).await?;
        }
        conversation.threads.push(Stretch { thread, messages, points, generations });
    }
    Ok(conversation)
}

async fn attach(store: &Store, to: &mut Conversation, part: &ContentPart) -> Result<()> {
    match part {
        ContentPart::Image { blob, .. } | ContentPart::File { blob, .. } => {
            if !to.blobs.contains_key(blob) {
                to.blobs.insert(*blob, Base64(store.blob(*blob).await?));
            }
        }
        ContentPart::Tool { call } => {
            if let ToolState::Done { output } = &call.state
                && let Some(whole) = output.whole
            {
                let text = store.output(to.session.id, whole.id).await?;
                to.outputs.insert(whole.id, text);
            }
        }
        ContentPart::Text { .. } | ContentPart::Reasoning { .. } => {}
    }
    Ok(())
}
