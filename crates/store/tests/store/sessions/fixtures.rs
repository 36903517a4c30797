//! Values that several tests of sessions use.

use skein_domain::draft::Attachment;
use skein_domain::ids::{BlobId, MessageId, ProviderId};
use skein_domain::message::queued_message::QueuedMessage;
use skein_domain::message::{ContentPart, Role, ToolCall, ToolOutput, ToolState};
use skein_domain::model::ModelRef;
use skein_store::NewMessage;

use crate::scenario::{Scenario, said};

pub fn model(name: &str) -> ModelRef {
    ModelRef { provider: ProviderId("p".into()), model: name.into() }
}

pub fn note() -> Attachment {
    Attachment::File {
        blob: BlobId(3),
        name: "note.txt".into(),
        media_type: "text/plain".into(),
        bytes: 4,
    }
}

/// A message with a call that returned this output.
pub async fn calls(given: &Scenario, output: ToolOutput) -> MessageId {
    let call = ToolCall {
        call_id: "1".into(),
        name: "look".into(),
        args: "{}".into(),
        signature: None,
        state: ToolState::Pending {},
    };
    let new = NewMessage { parts: vec![ContentPart::Tool { call }], ..said(Role::Assistant, "") };
    let message = given.store.append_message(given.thread(), new).await.unwrap().id;
    let done = ToolState::Done { output };
    given.store.set_tool_state(message, "1".into(), done).await.unwrap();
    message
}

pub fn texts(waiting: &[QueuedMessage]) -> Vec<String> {
    let parts = waiting.iter().flat_map(|message| &message.parts);
    let text = parts.filter_map(|part| match part {
        ContentPart::Text { text } => Some(text.clone()),
        _ => None,
    });
    text.collect()
}
