//! From a configured provider to one that can be called.

use std::collections::HashMap;
use std::sync::Arc;

use async_trait::async_trait;
use futures::StreamExt;
use serde_json::{Map, Value};
use skein_context::window::{Prompt, PromptMessage, ReasoningBack};
use skein_domain::error::{Error, Result};
use skein_domain::message::{ContentPart, Role};
use skein_domain::provider_config::{Effort, ProviderConfig};
use skein_platform::http::Net;
use skein_platform::redactor::Redactor;

use super::address::Address;
use super::call::{self, Endpoint, Patience};
use super::dodges::{Dodge, Manners};
use super::key::Key;
use super::registry::{Format, Switch, find};
use super::{
    EventStream, ListedModel, Provider, Request, StreamEvent, anthropic, effort, gemini, listing,
    openai, responses,
};

/// A provider behind HTTP.
struct Remote {
    endpoint: Arc<Endpoint>,
}

/// Makes a configured provider ready to be called. Nothing is contacted yet.
///
/// # Errors
/// [`Error::Invalid`] when its kind, address or headers cannot be used, [`Error::NoKey`] when it
/// needs a key and has none.
pub fn connect(
    config: &ProviderConfig,
    key: Option<&Key>,
    net: &Net,
    patience: Patience,
    manners: &Manners,
) -> Result<Arc<dyn Provider>> {
    let row = find(&config.kind)
        .ok_or_else(|| Error::Invalid { detail: format!("the provider type {}", config.kind) })?;
    let key = key.filter(|key| !key.expose().is_empty());
    let own_headers = !config.headers.is_empty();
    if key.is_none() && !row.keyless && !own_headers {
        return Err(Error::NoKey { provider: config.name.clone() });
    }
    let secrets =
        key.map(Key::expose).into_iter().chain(config.headers.values().map(String::as_str));
    let endpoint = Endpoint {
        name: config.name.clone(),
        net: net.clone(),
        row,
        address: Address::of(config, row)?,
        headers: call::headers(row, key, &config.headers)?,
        redactor: Redactor::new(secrets),
        patience,
        manners: manners.clone(),
    };
    Ok(Arc::new(Remote { endpoint: Arc::new(endpoint) }))
}

/// When a provider gets the reasoning of a model back: as its kind does, or as it has asked for.
pub fn reasoning_back(config: &ProviderConfig, model: &str, manners: &Manners) -> ReasoningBack {
    let Some(row) = find(&config.kind) else { return ReasoningBack::Never };
    let url = Address::of(config, row).and_then(|it| it.answers(row.format, model));
    let asks = url.is_ok_and(|url| manners.of(&url, model).has(Dodge::Reasoning));
    if asks { ReasoningBack::WithTools } else { row.reasoning_back }
}

/// The prefixes of the opaque data, received with a thought or a call, that this wire sends back.
pub fn seals(format: Format) -> &'static [&'static str] {
    match format {
        Format::Chat => &[openai::SIGNED],
        Format::Responses => &[responses::SIGNED],
        Format::Anthropic => &[anthropic::SIGNED, anthropic::REDACTED],
        Format::Gemini => &[gemini::SIGNED],
        Format::Ollama => &[],
    }
}

/// How hard a model is asked to think where it refused what the person chose, or is known not to take
/// it; `None`: as chosen, as far as is known.
pub fn effort_instead(
    config: &ProviderConfig,
    model: &str,
    effort: Effort,
    manners: &Manners,
) -> Option<Effort> {
    let row = find(&config.kind)?;
    let url = Address::of(config, row).and_then(|it| it.answers(row.format, model)).ok()?;
    effort::instead(row, model, effort, &manners.of(&url, model))
}

/// How hard a model is to think about what is only a title or a summary: not at all, where the person
/// chose anything or it can be said to every model of the provider, and never harder than the person
/// wants.
pub fn errand_effort(config: &ProviderConfig, effort: Effort) -> Effort {
    let can_be_told = find(&config.kind).is_some_and(|row| match row.format {
        Format::Ollama | Format::Gemini | Format::Anthropic => true,
        Format::Chat => row.switch != Switch::Effort,
        Format::Responses => false,
    });
    if can_be_told || effort != Effort::Default { Effort::Off } else { Effort::Default }
}

#[async_trait]
impl Provider for Remote {
    async fn stream(&self, request: Request) -> Result<EventStream> {
        Ok(call::stream(Arc::clone(&self.endpoint), request))
    }

    async fn models(&self) -> Result<Vec<ListedModel>> {
        listing::models(&self.endpoint).await
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
    let request = Request {
        model: model.to_owned(),
        prompt: Prompt { messages, ..Prompt::default() },
        blobs: HashMap::new(),
        max_output: Some(16),
        window: None,
        prompt_tokens: None,
        effort: Effort::Default,
        is_heard: false,
        fields,
    };
    let mut events = provider.stream(request).await?;
    while let Some(event) = events.next().await {
        match event? {
            StreamEvent::Retrying { .. }
            | StreamEvent::Shortened { .. }
            | StreamEvent::EffortRefused { .. } => {}
            StreamEvent::Text { .. }
            | StreamEvent::Reasoning { .. }
            | StreamEvent::ReasoningSignature { .. }
            | StreamEvent::ToolCall { .. }
            | StreamEvent::ToolArgs { .. }
            | StreamEvent::CallSignature { .. }
            | StreamEvent::Usage { .. }
            | StreamEvent::Finished { .. } => return Ok(()),
        }
    }
    Err(Error::Protocol { detail: String::new() })
}
