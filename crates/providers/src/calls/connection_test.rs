//! Tests with one small request if a provider can be reached.

use std::collections::HashMap;

use futures::StreamExt;
use serde_json::{Map, Value};
use skein_context::cost::prompt_cache::CacheLifetime;
use skein_context::window::{Prompt, PromptMessage};
use skein_domain::error::{Error, Result};
use skein_domain::message::{ContentPart, Role};
use skein_domain::provider_config::ReasoningEffort;

use crate::model_request::{ModelRequest, RepeatCheck};
use crate::provider::Provider;
use crate::stream_event::StreamEvent;

/// Sends a tiny request, to test the address, the key and the model.
///
/// # Errors
/// Those of a real request.
pub async fn test_connection(
    provider: &dyn Provider,
    model: &str,
    fields: Map<String, Value>,
) -> Result<()> {
    let parts = [ContentPart::Text { text: "Reply with OK.".to_owned() }].into();
    let messages = vec![PromptMessage { role: Role::User, parts }];
    let request = ModelRequest {
        model: model.to_owned(),
        prompt: Prompt { messages, ..Prompt::default() },
        blobs: HashMap::new(),
        compaction: None,
        max_output: Some(16),
        window: None,
        prompt_tokens: None,
        effort: ReasoningEffort::Default,
        is_user_facing: false,
        cache_key: None,
        cache_lifetime: CacheLifetime::Usual,
        extra_body: fields,
        repeat_check: RepeatCheck::none(),
    };
    let mut events = provider.stream(request).await?;
    while let Some(event) = events.next().await {
        match event? {
            StreamEvent::Retrying { .. }
            | StreamEvent::OutputCapped { .. }
            | StreamEvent::EffortRefused { .. } => {}
            StreamEvent::Text { .. }
            | StreamEvent::Reasoning { .. }
            | StreamEvent::ReasoningSignature { .. }
            | StreamEvent::ToolCall { .. }
            | StreamEvent::ToolArgs { .. }
            | StreamEvent::CallSignature { .. }
            | StreamEvent::Usage { .. }
            | StreamEvent::Billing { .. }
            | StreamEvent::Finished { .. } => return Ok(()),
        }
    }
    Err(Error::Protocol { detail: String::new() })
}
