//! From a configured provider to one that can be called.

use std::collections::HashMap;
use std::sync::Arc;

use async_trait::async_trait;
use futures::StreamExt;
use serde_json::{Map, Value};
use skein_context::window::{Prompt, PromptMessage, ReasoningReplay};
use skein_domain::error::{Error, Result};
use skein_domain::message::{ContentPart, Role};
use skein_domain::provider_config::{ProviderConfig, ReasoningEffort};
use skein_platform::http::HttpClient;
use skein_platform::redactor::Redactor;

use super::api_key::ApiKey;
use super::base_url::BaseUrl;
use super::http_call::{self, ProviderEndpoint, Timeouts};
use super::quirks::{Quirk, QuirkMemory};
use super::registry::{ReasoningSwitch, WireFormat, find_provider};
use super::{
    EventStream, ListedModel, ModelRequest, Provider, StreamEvent, anthropic, gemini, model_list,
    openai, reasoning_effort, responses,
};

/// A provider behind HTTP.
struct HttpProvider {
    endpoint: Arc<ProviderEndpoint>,
}

/// Makes a configured provider ready to be called. Nothing is contacted yet.
///
/// # Errors
/// [`Error::Invalid`] when its kind, address or headers cannot be used, [`Error::NoKey`] when it
/// needs a key and has none.
pub fn create_provider(
    config: &ProviderConfig,
    key: Option<&ApiKey>,
    net: &HttpClient,
    patience: Timeouts,
    manners: &QuirkMemory,
) -> Result<Arc<dyn Provider>> {
    let row = find_provider(&config.kind)
        .ok_or_else(|| Error::Invalid { detail: format!("the provider type {}", config.kind) })?;
    let key = key.filter(|key| !key.expose().is_empty());
    let own_headers = !config.headers.is_empty();
    if key.is_none() && !row.keyless && !own_headers {
        return Err(Error::NoKey { provider: config.name.clone() });
    }
    let secrets =
        key.map(ApiKey::expose).into_iter().chain(config.headers.values().map(String::as_str));
    let endpoint = ProviderEndpoint {
        name: config.name.clone(),
        net: net.clone(),
        spec: row,
        base_url: BaseUrl::of(config, row)?,
        headers: http_call::headers(row, key, &config.headers)?,
        redactor: Redactor::new(secrets),
        timeouts: patience,
        quirk_memory: manners.clone(),
    };
    Ok(Arc::new(HttpProvider { endpoint: Arc::new(endpoint) }))
}

/// When a provider gets the reasoning of a model back: as its kind does, or as it has asked for.
pub fn reasoning_replay(
    config: &ProviderConfig,
    model: &str,
    manners: &QuirkMemory,
) -> ReasoningReplay {
    let Some(row) = find_provider(&config.kind) else { return ReasoningReplay::Never };
    let url = BaseUrl::of(config, row).and_then(|it| it.completion_url(row.format, model));
    let asks = url.is_ok_and(|url| manners.quirks_of(&url, model).has(Quirk::RequiresReasoning));
    if asks { ReasoningReplay::WithTools } else { row.reasoning_replay }
}

/// The prefixes of the opaque data, received with a thought or a call, that this wire sends back.
pub fn signature_prefixes(format: WireFormat) -> &'static [&'static str] {
    match format {
        WireFormat::Chat => &[openai::SIGNED],
        WireFormat::Responses => &[responses::SIGNED],
        WireFormat::Anthropic => &[anthropic::SIGNED, anthropic::REDACTED],
        WireFormat::Gemini => &[gemini::SIGNED],
        WireFormat::Ollama => &[],
    }
}

/// How hard a model is asked to think where it refused what the person chose, or is known not to take
/// it; `None`: as chosen, as far as is known.
pub fn effort_fallback(
    config: &ProviderConfig,
    model: &str,
    effort: ReasoningEffort,
    manners: &QuirkMemory,
) -> Option<ReasoningEffort> {
    let row = find_provider(&config.kind)?;
    let url = BaseUrl::of(config, row).and_then(|it| it.completion_url(row.format, model)).ok()?;
    reasoning_effort::adjusted_effort_with_tools(
        row,
        model,
        effort,
        &manners.quirks_of(&url, model),
    )
}

/// How hard a model is to think about what is only a title or a summary: not at all, where the person
/// chose anything or it can be said to every model of the provider, and never harder than the person
/// wants.
pub fn background_effort(config: &ProviderConfig, effort: ReasoningEffort) -> ReasoningEffort {
    let can_be_told = find_provider(&config.kind).is_some_and(|row| match row.format {
        WireFormat::Ollama | WireFormat::Gemini | WireFormat::Anthropic => true,
        WireFormat::Chat => row.reasoning_switch != ReasoningSwitch::Effort,
        WireFormat::Responses => false,
    });
    if can_be_told || effort != ReasoningEffort::Default {
        ReasoningEffort::Off
    } else {
        ReasoningEffort::Default
    }
}

#[async_trait]
impl Provider for HttpProvider {
    async fn stream(&self, request: ModelRequest) -> Result<EventStream> {
        Ok(http_call::stream(Arc::clone(&self.endpoint), request))
    }

    async fn models(&self) -> Result<Vec<ListedModel>> {
        model_list::list_models(&self.endpoint).await
    }
}

/// One tiny call, to see whether address, key and model are right.
///
/// # Errors
/// Whatever a real message would meet.
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
        max_output: Some(16),
        window: None,
        prompt_tokens: None,
        effort: ReasoningEffort::Default,
        is_user_facing: false,
        extra_body: fields,
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
