//! A request to a model, whatever the wire format.

use std::collections::HashMap;

use bytes::Bytes;
use serde_json::{Map, Value};
use skein_context::window::Prompt;
use skein_domain::ids::BlobId;
use skein_domain::provider_config::ReasoningEffort;

/// One call to a model.
#[derive(Debug, Clone)]
pub struct ModelRequest {
    /// The id the provider knows the model by.
    pub model: String,
    /// What it will see.
    pub prompt: Prompt,
    /// The pictures the prompt names, as they are sent. A missing one is sent as a line of text.
    pub blobs: HashMap<BlobId, EncodedImage>,
    /// The longest answer asked for, in tokens; `None` leaves it to the provider, or where the wire
    /// demands one, to the catalogue.
    pub max_output: Option<u32>,
    /// The window, in tokens: what an answer has to leave room in for the prompt, and what some servers
    /// must be told (`num_ctx`).
    pub window: Option<u32>,
    /// Tokens of the prompt, by the own estimate. `None`: nobody counted.
    pub prompt_tokens: Option<u32>,
    /// How hard the model is asked to think.
    pub effort: ReasoningEffort,
    /// Whether the user hears what the model makes of that: not of an errand.
    pub is_user_facing: bool,
    /// Names the conversation to a provider that finds its cached prompts by such a key. It says nothing of
    /// the user or of what is written; `None`: the call belongs to no conversation.
    pub cache_key: Option<String>,
    /// More fields of the body, which the user wants there.
    pub extra_body: Map<String, Value>,
}

/// A picture as it is sent: itself, or a reduced copy.
#[derive(Debug, Clone)]
pub struct EncodedImage {
    /// One of [`skein_domain::message::image_scaling::FORMATS`].
    pub media_type: &'static str,
    pub bytes: Bytes,
}
