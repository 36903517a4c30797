//! Fetches the model lists of providers: for a test, at the user's request, and in the background.
//!
//! Not here: the properties of each model (`models`), or the stored lists (`model_list_cache`).

use std::sync::Arc;

use skein_domain::error::{Error, Result};
use skein_domain::ids::ProviderId;
use skein_domain::provider_config::ProviderConfig;
use skein_providers::{ApiKey, Provider, registry};

use super::Providers;
use crate::models::provider_connections::{is_keyless, readable, variables};

impl Providers {
    /// Tests a provider with one tiny call. Without a model, the first one of the provider's list is called.
    /// Returns the id of the model that answered.
    ///
    /// # Errors
    /// The error of the call. [`Error::NotFound`] of a `listed model` if none is named and the list is empty.
    pub async fn test(
        &self,
        config: ProviderConfig,
        key: Option<String>,
        model: Option<String>,
    ) -> Result<String> {
        let key = match key.filter(|key| !key.trim().is_empty()) {
            Some(typed) => Some(ApiKey::new(&typed)),
            None => {
                let found = self.secrets.get(&config.id.0, variables(&config)).await;
                readable(&config, found)?.map(|(secret, _)| ApiKey::new(secret.expose()))
            }
        };
        let provider = self.connections.connect(&config, key.as_ref())?;
        let model = match model {
            Some(model) => model,
            None => self.first_listed(&config, provider.as_ref()).await?,
        };
        let own = config.models.iter().find(|own| own.id == model);
        let fields = own.map(|own| own.fields.clone()).unwrap_or_default();
        skein_providers::test_connection(provider.as_ref(), &model, fields).await?;
        Ok(model)
    }

    /// The first chat model in a provider's list.
    async fn first_listed(
        &self,
        config: &ProviderConfig,
        provider: &dyn Provider,
    ) -> Result<String> {
        let none = || Error::NotFound { what: "listed model".into() };
        let listed = provider.models().await.map_err(|error| match error {
            // A server can answer calls without having a list.
            Error::Refused { status: 404 | 405 | 501, .. } => none(),
            other => other,
        })?;
        let kind = registry::find_provider(&config.kind);
        let is_offered = |id: &str| self.models.may_chat(kind, id);
        listed.into_iter().map(|model| model.id).find(|id| is_offered(id)).ok_or_else(none)
    }

    /// Fetches a provider's model list. Returns the number of models in it, without the user's own and the
    /// catalogue's.
    pub async fn fetch_models(&self, id: ProviderId) -> Result<u32> {
        let listed = self.connections.provider(&id).await?.models().await?;
        let count = u32::try_from(listed.len()).unwrap_or(u32::MAX);
        self.models.store_model_list(&id, listed).await?;
        Ok(count)
    }

    /// Refreshes lists while the UI shows them: local servers, and servers whose list was never fetched, are
    /// asked in the background, at most once a minute each. If one does not answer, its list stays. Providers
    /// that need a key are not asked, because reading a key may ask the user; until their list is fetched,
    /// the catalogue's models are shown.
    pub fn refresh_local_models(self: &Arc<Self>) {
        for config in &self.settings.get().providers {
            let id = config.id.clone();
            let is_unread = self.knowledge.listed.of(&id).is_empty();
            let is_asked = is_keyless(config) && (is_unread || skein_providers::is_local(config));
            if !is_asked || !self.knowledge.claim_refresh(&id) {
                continue;
            }
            let providers = Arc::clone(self);
            self.tasks.spawn(async move {
                if let Err(error) = providers.fetch_models(id).await {
                    tracing::debug!(%error, "a server did not list its models");
                }
            });
        }
    }
}
