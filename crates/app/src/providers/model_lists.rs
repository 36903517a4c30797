//! Fetches the model lists of providers: at the user's request, and in the background.
//!
//! Not here: the properties of each model (`models`), or the stored lists (`model_list_cache`).

use std::sync::Arc;

use skein_domain::error::Result;
use skein_domain::ids::ProviderId;

use super::Providers;
use crate::models::provider_connections::is_keyless;

impl Providers {
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
