//! Calls language models: one trait and one stream of events for every wire format.
//!
//! A wire format is a folder in `formats`, behind `wire::WireFormat`. A provider with a
//! known format is a row of data in `registry`. Dropping the stream cancels a call.
//!
//! The folders, each using only those before it: `registry` and `quirks` (properties of providers),
//! `errors`, `models`, `http` (the transport), `wire` (shared by all formats), `formats`, `calls`
//! (a call from its request to its end). Not here: the choice of messages (`context::window`), when
//! they are sent (`turn`), or the storage of keys (`secrets`).

mod calls;
mod errors;
mod formats;
#[cfg(fuzzing)]
pub mod fuzzing;
mod http;
mod json_values;
mod local_servers;
mod model_request;
mod models;
mod provider;
mod quirks;
pub mod registry;
mod stream_event;
mod tool_call_ids;
mod wire;

pub use calls::configured_model::{
    ProviderCompactionState, background_effort, effort_fallback, encrypted_summary_origin,
    is_local, keeps_user_messages, provider_compaction, reasoning_replay, resolved_url,
};
pub use calls::connection_test::connection_test_request;
pub use calls::factory::create_provider;
pub use errors::classify::error_in_stream;
pub use errors::overflow;
pub use formats::{sends_window, signature_prefixes};
pub use http::api_key::ApiKey;
pub use http::timeouts::Timeouts;
pub use json_values::value_at;
pub use local_servers::{LocalServer, ServerCandidate, default_candidates, discover};
pub use model_request::{EncodedImage, ModelRequest, RepeatCheck};
pub use models::chat_models::may_be_chat_model;
pub use models::model_labels::labels;
pub use provider::{EventStream, ListedModel, Provider};
pub use quirks::quirk_memory::QuirkMemory;
pub use stream_event::{EffortReason, MAX_REPLY, StreamEvent};
pub use tool_call_ids::new_call_id;
