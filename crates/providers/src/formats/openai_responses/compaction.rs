//! The compaction of OpenAI Responses: a request of its own, and items in its reply that stand for the
//! messages.
//!
//! The reply is not a stream. It has all messages of the user as they were and one encrypted item; other
//! servers with this endpoint give the encrypted item alone. The items are sent back as they came.
//!
//! <https://developers.openai.com/api/docs/guides/compaction>
//! <https://docs.x.ai/developers/advanced-api-usage/context-compaction>

use reqwest::Url;
use serde::Serialize;
use serde_json::{Map, Value};

use super::request::{Item, input_items};
use crate::model_request::ModelRequest;
use crate::stream_event::StreamEvent;
use crate::wire::openai_cache::PromptCacheParams;
use crate::wire::wire_format::BodyContext;

/// The fields of the user that the endpoint takes. It rejects all others.
const ACCEPTED_FIELDS: &[&str] =
    &["service_tier", "prompt_cache_key", "prompt_cache_options", "prompt_cache_retention"];

/// The body of a request for a compaction.
#[derive(Serialize)]
pub(super) struct OpenAiCompactionRequest<'a> {
    model: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    instructions: &'a str,
    input: Vec<Item<'a>>,
    #[serde(flatten)]
    cache: PromptCacheParams<'a>,
}

impl<'a> OpenAiCompactionRequest<'a> {
    pub(super) fn new(request: &'a ModelRequest, context: BodyContext<'_>) -> Self {
        Self {
            model: &request.model,
            instructions: &request.prompt.system,
            input: input_items(request, context),
            cache: PromptCacheParams::of(request, context),
        }
    }
}

/// The user's extra fields that the endpoint takes.
pub(super) fn accepted_fields(fields: &Map<String, Value>) -> Map<String, Value> {
    let accepted = fields.iter().filter(|(name, _)| ACCEPTED_FIELDS.contains(&name.as_str()));
    accepted.map(|(name, value)| (name.clone(), value.clone())).collect()
}

/// The address of a compaction, below that of a reply.
pub(super) fn compaction_url(completion_url: &Url) -> Url {
    let mut url = completion_url.clone();
    if let Ok(mut segments) = url.path_segments_mut() {
        segments.pop_if_empty().push("compact");
    }
    url
}

/// The items of a reply to such a request; `None`: it is no such reply, or nothing in it is encrypted.
pub(super) fn compaction_items(body: &Value) -> Option<StreamEvent> {
    let items = body["output"].as_array().filter(|_| body["object"] == "response.compaction")?;
    let is_encrypted = items.iter().any(|item| item["encrypted_content"].is_string());
    is_encrypted.then(|| StreamEvent::EncryptedSummary { items: items.clone() })
}
