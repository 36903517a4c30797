//! Creates a callable provider from its configuration.

use std::sync::Arc;

use async_trait::async_trait;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use skein_domain::error::{Error, Result};
use skein_domain::provider_config::ProviderConfig;
use skein_platform::http::HttpClient;
use skein_platform::redactor::Redactor;

use super::configured_model::base_url;
use super::http_call::{self, HttpCalls};
use crate::formats::wire_format;
use crate::http::api_key::ApiKey;
use crate::http::endpoint::Endpoint;
use crate::http::timeouts::Timeouts;
use crate::model_request::ModelRequest;
use crate::provider::{EventStream, ListedModel, Provider};
use crate::quirks::quirk_memory::QuirkMemory;
use crate::registry::{AuthScheme, ProviderSpec, find_provider};
use crate::wire::wire_format::WireFormat;

struct HttpProvider {
    calls: Arc<HttpCalls>,
}

/// Creates a provider. Nothing is contacted yet.
///
/// # Errors
/// [`Error::Invalid`] if its kind, address or headers cannot be used, [`Error::NoKey`] if it needs
/// a key and has none.
pub fn create_provider(
    config: &ProviderConfig,
    key: Option<&ApiKey>,
    net: &HttpClient,
    timeouts: Timeouts,
    quirk_memory: &QuirkMemory,
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
    let format = wire_format(row.format);
    let endpoint = Endpoint {
        name: config.name.clone(),
        net: net.clone(),
        base_url: base_url(config, row)?,
        headers: headers(row, format, key, &config.headers)?,
        redactor: Redactor::new(secrets),
        timeouts,
    };
    let calls = HttpCalls { endpoint, spec: row, format, quirk_memory: quirk_memory.clone() };
    Ok(Arc::new(HttpProvider { calls: Arc::new(calls) }))
}

/// The headers of every request: the format's, the key's, then the user's own.
///
/// # Errors
/// [`Error::Invalid`] if a name or value cannot be a header.
fn headers<'a>(
    row: &ProviderSpec,
    format: &WireFormat,
    key: Option<&ApiKey>,
    own: impl IntoIterator<Item = (&'a String, &'a String)>,
) -> Result<HeaderMap> {
    let invalid = |what: &str| Error::Invalid { detail: format!("the header {what}") };
    let mut headers = HeaderMap::new();
    for (name, value) in format.headers {
        headers.insert(*name, HeaderValue::from_static(value));
    }
    if let Some(key) = key {
        let (name, value) = match row.auth {
            AuthScheme::Bearer => ("authorization", format!("Bearer {}", key.expose())),
            AuthScheme::Header(name) => (name, key.expose().to_owned()),
        };
        let mut value = HeaderValue::try_from(value).map_err(|_| invalid(name))?;
        value.set_sensitive(true);
        headers.insert(HeaderName::from_static(name), value);
    }
    for (name, value) in own {
        let parsed = HeaderName::try_from(name.trim()).map_err(|_| invalid(name))?;
        let mut value = HeaderValue::try_from(value.trim()).map_err(|_| invalid(name))?;
        value.set_sensitive(true);
        headers.insert(parsed, value);
    }
    Ok(headers)
}

#[async_trait]
impl Provider for HttpProvider {
    async fn stream(&self, request: ModelRequest) -> Result<EventStream> {
        Ok(http_call::stream(Arc::clone(&self.calls), request))
    }

    async fn models(&self) -> Result<Vec<ListedModel>> {
        let HttpCalls { endpoint, spec, format, .. } = &*self.calls;
        let mut models = (format.list_models)(endpoint, spec).await?;
        models.sort_by(|one, other| one.id.cmp(&other.id));
        models.dedup_by(|one, other| one.id == other.id);
        Ok(models)
    }
}
