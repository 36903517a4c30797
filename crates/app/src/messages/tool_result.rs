//! The result of a tool call, stored at once or when that becomes possible.

use skein_documents::image_info::ImageFile;
use skein_domain::error::Result;
use skein_domain::ids::{SessionId, ThreadId};
use skein_domain::message::{ContentPart, Message, ToolCall, ToolOutput, ToolState};
use skein_store::{AutomaticEvent, Store};
use skein_tools::output_truncation;

use crate::attachments::Attachments;
use crate::clock::now;

/// The result of a call, before it is stored.
#[derive(Clone)]
pub(crate) struct ToolResult {
    pub call_id: String,
    pub tool: String,
    /// P08: the largest part of it that enters the context, in characters.
    pub limit: u32,
    pub text: String,
    pub pictures: Vec<ImageFile>,
    /// The fingerprint of the tool's folder; `None`: it takes no paths.
    pub folder: Option<String>,
}

impl ToolResult {
    /// P08: stores the whole result. Of a text that is too long, the beginning and the end enter the context.
    pub async fn store(
        &self,
        store: &Store,
        attachments: &Attachments,
        session: SessionId,
        thread: ThreadId,
    ) -> Result<ToolState> {
        let Self { tool, limit, text, pictures, folder, .. } = self;
        let mut kept_pictures = Vec::with_capacity(pictures.len());
        for (at, picture) in pictures.iter().enumerate() {
            kept_pictures.push(
                attachments.store_image(picture.clone(), format!("{tool} {}", at + 1)).await?,
            );
        }
        let chars = output_truncation::char_count(text);
        if chars <= *limit {
            let (text, pictures, folder) = (text.clone(), kept_pictures, folder.clone());
            let output = ToolOutput { text, whole: None, pictures, withheld: false, folder };
            return Ok(ToolState::Done { output });
        }
        let now = now();
        let whole = store.put_output(session, text.clone(), now).await?;
        let shortened = output_truncation::truncate_middle(text, *limit, whole.id);
        let text = shortened.unwrap_or_else(|| text.clone());
        let kept = output_truncation::char_count(&text);
        let event = AutomaticEvent::OutputCut { tool: tool.clone(), chars, kept };
        store.append_activity(thread, event, now).await?;
        let (pictures, folder) = (kept_pictures, folder.clone());
        let output = ToolOutput { text, whole: Some(whole), pictures, withheld: false, folder };
        Ok(ToolState::Done { output })
    }

    /// The state until it is stored: all of its text, without its images.
    pub fn unstored_state(&self) -> ToolState {
        let (text, folder) = (self.text.clone(), self.folder.clone());
        let output =
            ToolOutput { text, whole: None, pictures: Vec::new(), withheld: false, folder };
        ToolState::Done { output }
    }
}

/// A reply with the final states of its calls.
pub(crate) fn with_calls(reply: &Message, ended: &[ToolCall]) -> Message {
    let mut parts = reply.parts.to_vec();
    for call in calls(&mut parts) {
        if let Some(ended) = ended.iter().find(|it| it.call_id == call.call_id) {
            call.state.clone_from(&ended.state);
        }
    }
    Message { parts: parts.into(), ..reply.clone() }
}

/// A reply with the current state of one of its calls.
pub(crate) fn with_call_state(reply: &Message, call_id: &str, state: ToolState) -> Message {
    let mut parts = reply.parts.to_vec();
    if let Some(call) = calls(&mut parts).find(|call| call.call_id == call_id) {
        call.state = state;
    }
    Message { parts: parts.into(), ..reply.clone() }
}

/// The tool calls among the parts of a message.
pub(crate) fn calls(parts: &mut [ContentPart]) -> impl DoubleEndedIterator<Item = &mut ToolCall> {
    parts.iter_mut().filter_map(ContentPart::as_call_mut)
}
