//! Connects to providers, with their keys.
//!
//! Not here: storing keys (`secrets`), the wire formats (`skein_providers`).

use std::sync::Arc;

use skein_demo::Demo;
use skein_domain::error::{Error, Result};
use skein_domain::ids::ProviderId;
use skein_domain::provider_config::ProviderConfig;
use skein_platform::http::HttpClient;
use skein_providers::{ApiKey, Provider, QuirkMemory, Timeouts, registry};

use crate::secrets::{Secret, SecretLocation, Secrets};
use crate::settings::SettingsFile;
use crate::shared_state::SharedState;
use crate::view::KeyStatus;

/// Makes connections to providers, with the quirks learned about each.
pub(crate) struct ProviderConnections {
    settings: Arc<SettingsFile>,
    secrets: Arc<Secrets>,
    http: HttpClient,
    quirks: QuirkMemory,
}

impl ProviderConnections {
    pub fn new(shared: &SharedState, quirks: QuirkMemory) -> Self {
        Self {
            settings: Arc::clone(&shared.settings),
            secrets: Arc::clone(&shared.secrets),
            http: shared.http.clone(),
            quirks,
        }
    }

    /// A provider that is ready to be called.
    pub async fn provider(&self, id: &ProviderId) -> Result<Arc<dyn Provider>> {
        if id.0 == skein_demo::ID {
            return Ok(Arc::new(Demo));
        }
        let settings = self.settings.get();
        let config = settings.providers.iter().find(|config| config.id == *id);
        let config = config.ok_or(Error::NoModel {})?;
        let key = self.key(config).await?;
        self.connect(config, key.as_ref())
    }

    pub fn connect(
        &self,
        config: &ProviderConfig,
        key: Option<&ApiKey>,
    ) -> Result<Arc<dyn Provider>> {
        if config.kind == skein_demo::KIND {
            return Ok(Arc::new(Demo));
        }
        skein_providers::create_provider(config, key, &self.http, Timeouts::default(), &self.quirks)
    }

    async fn key(&self, config: &ProviderConfig) -> Result<Option<ApiKey>> {
        let (name, variables) = (&config.id.0, variables(config));
        let lookup = if is_keyless(config) {
            self.secrets.get_cached(name, variables).await
        } else {
            self.secrets.get(name, variables).await
        };
        Ok(readable(config, lookup)?.map(|(secret, _)| ApiKey::new(secret.expose())))
    }

    /// The location of a provider's key.
    pub async fn key_place(&self, config: &ProviderConfig) -> KeyStatus {
        match self.secrets.location(&config.id.0, variables(config)).await {
            Ok(Some(place)) => KeyStatus::At { place },
            Ok(None) => KeyStatus::Nowhere {},
            Err(fault) => KeyStatus::Unknown { fault },
        }
    }
}

/// The environment variables in which a provider's own tools look for its key.
pub(crate) fn variables(config: &ProviderConfig) -> &'static [&'static str] {
    registry::find_provider(&config.kind).map_or(&[], |row| row.key_env)
}

pub(crate) fn is_keyless(config: &ProviderConfig) -> bool {
    registry::find_provider(&config.kind).is_some_and(|row| row.keyless)
}

/// The result of a lookup. An unreadable key counts as none if the provider needs no key.
pub(crate) fn readable(
    config: &ProviderConfig,
    lookup: Result<Option<(Secret, SecretLocation)>>,
) -> Result<Option<(Secret, SecretLocation)>> {
    match lookup {
        Err(error) if is_keyless(config) => {
            tracing::warn!(%error, "a key that may not be needed cannot be read");
            Ok(None)
        }
        other => other,
    }
}
