//! Talking to models: one trait, one stream of events, whatever the wire.
//!
//! A wire format is a module here; a provider that speaks a format is a row of data. Cancelling is
//! dropping the stream. Not here: what is sent (`context::window`), when (`turn`), or the keys'
//! storage (`secrets`).

mod account_limit;
mod anthropic;
mod api_key;
mod base_url;
mod chat_models;
mod classify;
pub mod decoder;
mod extra_body;
mod factory;
mod function_tool;
mod gemini;
#[cfg(test)]
mod golden_requests;
mod http_call;
mod image_encoding;
mod label;
mod local_servers;
mod model_list;
mod ollama;
mod openai;
mod output_limit;
pub mod overflow;
mod quirks;
mod reason;
mod reasoning_effort;
#[cfg(test)]
mod recorded_streams;
pub mod registry;
mod request_echo;
mod responses;
mod retry;
mod role_turns;
mod sse;
mod think_tags;
mod tool_call_ids;

use std::collections::HashMap;

use async_trait::async_trait;
use bytes::Bytes;
use futures::stream::BoxStream;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use skein_context::window::Prompt;
use skein_domain::error::{Error, Result};
use skein_domain::finish_reason::FinishReason;
use skein_domain::ids::BlobId;
use skein_domain::message::OutputCap;
use skein_domain::provider_config::ReasoningEffort;
use skein_domain::usage::TokenUsage;
use skein_platform::redactor::Redactor;
use specta::Type;

pub use api_key::ApiKey;
pub use base_url::{is_local, resolved_url};
pub use chat_models::may_be_chat_model;
pub use factory::{
    background_effort, create_provider, effort_fallback, reasoning_replay, signature_prefixes,
    test_connection,
};
pub use http_call::Timeouts;
pub use label::labels;
pub use local_servers::{LocalServer, ServerCandidate, default_candidates, discover};
pub use quirks::QuirkMemory;
pub use tool_call_ids::new_call_id;

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
    /// Whether the person hears what the model makes of that: not of an errand.
    pub is_user_facing: bool,
    /// More fields of the body, which the person wants there.
    pub extra_body: Map<String, Value>,
}

/// A picture as it is sent: itself, or a reduced copy.
#[derive(Debug, Clone)]
pub struct EncodedImage {
    /// One of [`skein_domain::message::image_scaling::FORMATS`].
    pub media_type: &'static str,
    /// The file.
    pub bytes: Bytes,
}

/// What a stream brings, in the order it happened.
#[derive(Debug, Clone, PartialEq)]
pub enum StreamEvent {
    /// The request was refused for a passing reason and will be sent again. Nothing was billed, unless a
    /// gateway gave up on a model that was writing already.
    Retrying {
        /// What was in its way.
        error: Error,
        /// How long until then.
        wait_ms: u32,
        /// Counted from 1.
        attempt: u32,
    },
    /// A shorter answer is asked for than the request wants.
    OutputCapped {
        /// How long, and why.
        cap: OutputCap,
    },
    /// The model refused to think as hard, or as little, as it was asked to.
    EffortRefused {
        /// As it was asked to.
        effort: ReasoningEffort,
        /// As it is asked to from now on.
        instead: ReasoningEffort,
        /// Why.
        because: EffortReason,
    },
    /// Words of the answer.
    Text {
        /// Appended to what came before.
        delta: String,
    },
    /// Words of its reasoning.
    Reasoning {
        /// Appended to what came before.
        delta: String,
    },
    /// What the provider wants back with the reasoning before it.
    ReasoningSignature {
        /// Opaque.
        signature: String,
    },
    /// A tool call begins.
    ToolCall {
        /// Tells several calls of one answer apart.
        index: u32,
        /// The provider's id, or one made up.
        call_id: String,
        /// As declared.
        name: String,
        /// What the provider wants back with it, opaque.
        signature: Option<String>,
    },
    /// What the provider wants back with a tool call, told after it.
    CallSignature {
        /// Of which call.
        index: u32,
        /// Opaque.
        signature: String,
    },
    /// A fragment of a tool call's arguments.
    ToolArgs {
        /// Of which call.
        index: u32,
        /// Appended to what came before.
        delta: String,
    },
    /// What was used. May come several times: each replaces the one before.
    Usage {
        /// The provider's word.
        usage: TokenUsage,
    },
    /// The answer has ended. A stream that ends without it was interrupted.
    Finished {
        /// Why.
        reason: FinishReason,
    },
}

/// Why a model is asked to think otherwise than the person wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum EffortReason {
    /// It does not take what was chosen.
    Model,
    /// It thinks, but at this address not where it has tools.
    Tools,
}

/// A model as its provider lists it. `None` where the list does not say.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ListedModel {
    /// The id to send.
    pub id: String,
    /// A name for the person.
    pub name: Option<String>,
    /// Window in tokens, as the provider's list has it.
    pub window: Option<u32>,
    /// Window in tokens that a local server has loaded: stronger than `window`.
    pub loaded_window: Option<u32>,
    /// Longest prompt in tokens.
    pub max_input: Option<u32>,
    /// Longest answer in tokens.
    pub max_output: Option<u32>,
}

/// The error that a body means when it comes inside a stream: the classifier of this crate, for a provider
/// that is none of its wire formats.
pub fn error_in_stream(body: &str) -> Error {
    classify::classify_stream_error(body, overflow::ServerHints::default(), &Redactor::default())
        .error
}

/// The events of one call.
pub type EventStream = BoxStream<'static, Result<StreamEvent>>;

/// A provider, ready to be called.
#[async_trait]
pub trait Provider: Send + Sync {
    /// Sends the request and streams the answer. Faults before anything of an answer are retried
    /// here where they are passing, with a [`StreamEvent::Retrying`] each; a fault after it ends the
    /// stream with an error. An overflow is [`skein_domain::error::Error::TooLong`], wherever the provider
    /// says it. Any of these may be the stream's first item.
    async fn stream(&self, request: ModelRequest) -> Result<EventStream>;

    /// The models it offers, with what it says of their windows.
    async fn models(&self) -> Result<Vec<ListedModel>>;
}
