//! One question to a model outside the conversation: a summary, a title.
//!
//! Not here: what is asked (`context::summary`), or replies in a conversation (`turn`).

use std::collections::HashMap;

use futures::StreamExt;
use skein_context::message::BlobId;
use skein_context::model::ModelRef;
use skein_context::session::ThreadId;
use skein_context::window::Prompt;
use tokio_util::sync::CancellationToken;

use super::App;
use super::record::elapsed;
use crate::error::{Error, NotCompacted, Result};
use crate::provider_config::Effort;
use crate::providers::{FinishReason, Request, SentPicture, StreamEvent};
use crate::store::{Generation, Purpose};

/// A question.
pub(crate) struct Question<'a> {
    pub thread: ThreadId,
    pub purpose: Purpose,
    pub model: &'a ModelRef,
    pub prompt: Prompt,
    /// Tokens.
    pub max_output: u32,
    pub effort: Effort,
}

/// What came back.
pub(crate) struct Answer {
    pub text: String,
    /// `None`: the stream was cut.
    pub finish: Option<FinishReason>,
}

impl App {
    /// A prompt's pictures, as they are sent. One that is gone is left out, and its provider says so.
    pub(crate) async fn blobs(&self, prompt: &Prompt) -> HashMap<BlobId, SentPicture> {
        let mut blobs = HashMap::new();
        for picture in prompt.pictures() {
            if let Ok(sent) = self.sent_picture(picture).await {
                blobs.insert(picture.blob, sent);
            }
        }
        blobs
    }

    /// Asks, and hands on the words as they arrive. The generation is stored with its usage.
    pub(crate) async fn ask(
        &self,
        question: Question<'_>,
        cancel: &CancellationToken,
        mut heard: impl FnMut(&str) + Send,
    ) -> Result<Answer> {
        let Question { thread, purpose, model, prompt, max_output, effort } = question;
        let started_at = self.now();
        let spec = self.spec(model).await?;
        let request = Request {
            model: model.model.clone(),
            blobs: self.blobs(&prompt).await,
            prompt,
            max_output: Some(max_output),
            window: spec.window.map(|window| window.value),
            effort,
            fields: self.fields(model),
        };
        let provider = self.provider(&model.provider).await?;
        let cancelled = || Error::NotCompacted { reason: NotCompacted::Cancelled };
        let mut stream = tokio::select! {
            stream = provider.stream(request) => stream?,
            () = cancel.cancelled() => return Err(cancelled()),
        };
        let mut answer = Answer { text: String::new(), finish: None };
        let mut usage = skein_context::usage::TokenUsage::default();
        loop {
            let event = tokio::select! {
                event = stream.next() => event,
                () = cancel.cancelled() => return Err(cancelled()),
            };
            match event {
                Some(Ok(StreamEvent::Text { delta })) => {
                    heard(&delta);
                    answer.text.push_str(&delta);
                }
                Some(Ok(StreamEvent::Usage { usage: reported })) => usage = reported,
                Some(Ok(StreamEvent::Finished { reason })) => answer.finish = Some(reason),
                Some(Ok(
                    StreamEvent::Retrying { .. }
                    | StreamEvent::Shortened { .. }
                    | StreamEvent::EffortRefused { .. }
                    | StreamEvent::Reasoning { .. }
                    | StreamEvent::ReasoningSignature { .. }
                    | StreamEvent::ToolCall { .. }
                    | StreamEvent::CallSignature { .. }
                    | StreamEvent::ToolArgs { .. },
                )) => {}
                Some(Err(error)) => return Err(error),
                None => break,
            }
        }
        let generation = Generation {
            message_id: None,
            place: None,
            point: None,
            prefix: None,
            purpose,
            model: model.clone(),
            usage,
            health: None,
            finish: None,
            started_at,
            duration_ms: elapsed(started_at, self.now()),
            unmentioned: None,
        };
        self.store.add_generation(thread, generation).await?;
        Ok(answer)
    }
}
