//! A request to a model, independent of the wire format.

use std::collections::HashMap;
use std::fmt;
use std::future::ready;
use std::sync::Arc;

use bytes::Bytes;
use futures::future::BoxFuture;
use serde_json::{Map, Value};
use skein_context::cost::prompt_cache::CacheLifetime;
use skein_context::summary::ProviderCompaction;
use skein_context::window::{Prompt, PromptMessage};
use skein_domain::encrypted_summary::EncryptedSummary;
use skein_domain::error::{Error, Result};
use skein_domain::ids::BlobId;
use skein_domain::message::{ContentPart, Role};
use skein_domain::provider_config::ReasoningEffort;

use crate::quirks::quirk::{Quirk, Quirks};

#[derive(Debug, Clone, Default)]
pub struct ModelRequest {
    /// The provider's id of the model.
    pub model: String,
    pub prompt: Prompt,
    /// The pictures of the prompt in the form in which they are sent. A missing one is sent as a
    /// line of text.
    pub blobs: HashMap<BlobId, EncodedImage>,
    /// The provider summarizes the messages with its own compaction. Only for a provider that has
    /// one ([`crate::provider_compaction`]). `None`: the model replies.
    pub compaction: Option<ProviderCompaction>,
    /// The longest reply, in tokens. `None`: the provider decides, or the catalogue if the format
    /// demands a number.
    pub max_output: Option<u32>,
    /// The context window, in tokens. Limits the reply beside the prompt, and is sent to servers
    /// that need it (`num_ctx`).
    pub window: Option<u32>,
    /// The engine's estimate of the prompt, in tokens. `None` if it was not counted.
    pub prompt_tokens: Option<u32>,
    pub effort: ReasoningEffort,
    /// True if events about a changed effort reach the user. False for background requests.
    pub is_user_facing: bool,
    /// A key of the conversation for providers that find cached prompts by it. It reveals nothing of
    /// the user or the text. `None` if the call belongs to no conversation.
    pub cache_key: Option<String>,
    /// How long the provider is asked to keep the prompt, where it can be asked.
    pub cache_lifetime: CacheLifetime,
    /// Extra fields of the body, set by the user.
    pub extra_body: Map<String, Value>,
    pub repeat_check: RepeatCheck,
}

impl ModelRequest {
    /// One message of the user, outside of any conversation.
    pub fn message(model: &str, text: &str) -> Self {
        let parts = [ContentPart::Text { text: text.to_owned() }].into();
        let messages = vec![PromptMessage { role: Role::User, parts }];
        let prompt = Prompt { messages, ..Prompt::default() };
        Self { model: model.to_owned(), prompt, ..Self::default() }
    }

    /// The effort that is requested of a server with these quirks, before any level is skipped.
    pub(crate) fn requested_effort(&self, quirks: &Quirks) -> ReasoningEffort {
        quirks.requested_effort(self.effort, !self.prompt.tools.is_empty())
    }

    /// The encrypted summary whose items are sent to `origin`; `None`: the readable one is sent.
    pub(crate) fn encrypted_summary(
        &self,
        origin: &str,
        quirks: &Quirks,
    ) -> Option<&EncryptedSummary> {
        let encrypted = self.prompt.encrypted.as_deref();
        encrypted.filter(|it| it.origin == origin && !quirks.has(Quirk::NoEncryptedSummary))
    }
}

/// Decides if a refused request may be sent again. An error ends the call instead. By default the request is
/// sent again whenever that is safe.
#[derive(Clone, Default)]
pub struct RepeatCheck(Option<Arc<CheckFn>>);

type CheckFn = dyn Fn(&Error) -> BoxFuture<'static, Result<()>> + Send + Sync;

impl RepeatCheck {
    /// `check` is called with the error of an attempt that broke off, before the wait for the next attempt.
    /// Its future is awaited after the wait.
    pub fn new(
        check: impl Fn(&Error) -> BoxFuture<'static, Result<()>> + Send + Sync + 'static,
    ) -> Self {
        Self(Some(Arc::new(check)))
    }

    /// Begins the check after an attempt that broke off.
    pub(crate) fn begin(&self, broken: &Error) -> BoxFuture<'static, Result<()>> {
        match &self.0 {
            Some(check) => check(broken),
            None => Box::pin(ready(Ok(()))),
        }
    }
}

impl fmt::Debug for RepeatCheck {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("RepeatCheck").field(&self.0.is_some()).finish()
    }
}

/// A picture as it is sent: the original, or a scaled copy.
#[derive(Debug, Clone)]
pub struct EncodedImage {
    /// One of [`skein_domain::message::image_scaling::FORMATS`].
    pub media_type: &'static str,
    pub bytes: Bytes,
}
