//! Providers, their keys and their models, for the settings.

mod model_lists;
mod offered_models;

use std::collections::HashMap;
use std::sync::Arc;

use parking_lot::Mutex;
use skein_domain::error::Result;
use skein_domain::ids::ProviderId;
use skein_domain::provider_config::ProviderConfig;
use skein_platform::http::HttpClient;
use skein_providers::{LocalServer, QuirkMemory, registry};
use skein_store::Store;

use crate::events::Topic;
use crate::models::Models;
use crate::models::model_knowledge::ModelKnowledge;
use crate::models::provider_connections::{ProviderConnections, readable};
use crate::notifier::Notifier;
use crate::secrets::{Secret, SecretLocation, Secrets};
use crate::settings::settings_with_secrets::SettingsWithSecrets;
use crate::settings::{Settings, SettingsFile};
use crate::shared_state::SharedState;
use crate::tasks::Tasks;
use crate::view::ProviderView;

/// The providers of the settings, with their keys and their models.
pub struct Providers {
    store: Store,
    settings: Arc<SettingsFile>,
    secrets: Arc<Secrets>,
    http: HttpClient,
    notifier: Notifier,
    tasks: Tasks,
    quirks: QuirkMemory,
    knowledge: Arc<ModelKnowledge>,
    connections: Arc<ProviderConnections>,
    models: Arc<Models>,
    settings_with_secrets: SettingsWithSecrets,
    /// The keys of removed providers, for undo.
    removed_keys: Mutex<HashMap<ProviderId, Secret>>,
}

impl Providers {
    pub(crate) fn new(
        shared: &SharedState,
        quirks: QuirkMemory,
        knowledge: Arc<ModelKnowledge>,
        connections: Arc<ProviderConnections>,
        models: Arc<Models>,
    ) -> Self {
        Self {
            store: shared.store.clone(),
            settings: Arc::clone(&shared.settings),
            secrets: Arc::clone(&shared.secrets),
            http: shared.http.clone(),
            notifier: shared.notifier.clone(),
            tasks: shared.tasks.clone(),
            settings_with_secrets: SettingsWithSecrets::new(
                Arc::clone(&shared.settings),
                Arc::clone(&shared.secrets),
            ),
            removed_keys: Mutex::default(),
            quirks,
            knowledge,
            connections,
            models,
        }
    }

    /// The kinds of providers that can be added.
    pub async fn kinds(&self) -> Result<Vec<registry::ProviderKind>> {
        Ok(registry::provider_kinds())
    }

    /// The configured providers, the demo first.
    pub async fn list(&self) -> Result<Vec<ProviderView>> {
        let mut views = Vec::new();
        let chosen = self.chosen().await?;
        for config in &self.settings.get().providers {
            views.push(ProviderView {
                address: skein_providers::resolved_url(config).unwrap_or_default(),
                key: self.connections.key_place(config).await,
                models: self.models_of(config, &chosen).await?,
                config: config.clone(),
            });
        }
        Ok(views)
    }

    /// Adds a provider, or replaces its configuration except the models. A removed provider gets its key
    /// back, which undoes the removal.
    pub async fn save(&self, config: ProviderConfig) -> Result<()> {
        skein_providers::resolved_url(&config)?;
        let id = config.id.clone();
        let key = self.removed_keys.lock().get(&id).cloned();
        let keys = key.map(|key| (id.0.clone(), Some(key))).into_iter().collect();
        let old = self.settings.get().providers.iter().find(|it| it.id == id).cloned();
        let back = |settings: &mut Settings| match old {
            Some(old) => insert_or_replace(settings, old),
            None => settings.providers.retain(|it| it.id != id),
        };
        self.settings_with_secrets
            .update(keys, |settings| insert_or_replace(settings, config), back)
            .await?;
        self.removed_keys.lock().remove(&id);
        self.providers_changed();
        Ok(())
    }

    /// Removes a provider with its key. The key stays in memory until the program ends, so that saving the
    /// configuration again undoes the removal.
    ///
    /// # Errors
    /// The settings or the key cannot be changed, or a required key cannot be read: then the provider stays
    /// with its key.
    pub async fn remove(&self, provider: ProviderId) -> Result<()> {
        let settings = self.settings.get();
        let mut configs = settings.providers.iter().enumerate();
        let Some((at, config)) = configs.find(|(_, it)| it.id == provider) else {
            return Ok(());
        };
        let kept = readable(config, self.secrets.get(&provider.0, &[]).await)?;
        let keys = kept.map(|_| (provider.0.clone(), None)).into_iter().collect();
        let out = |settings: &mut Settings| settings.providers.retain(|it| it.id != provider);
        let back = |settings: &mut Settings| {
            settings.providers.insert(at.min(settings.providers.len()), config.clone());
        };
        let keys = self.settings_with_secrets.update(keys, out, back).await?;
        let keys = keys.into_iter().map(|(_, key)| (provider.clone(), key));
        self.removed_keys.lock().extend(keys);
        self.providers_changed();
        Ok(())
    }

    /// Stores a key and returns its location.
    pub async fn set_key(&self, provider: ProviderId, key: String) -> Result<SecretLocation> {
        let place = self.secrets.set(&provider.0, Secret::new(&key)).await?;
        self.providers_changed();
        Ok(place)
    }

    /// Deletes a key.
    pub async fn remove_key(&self, provider: ProviderId) -> Result<()> {
        self.secrets.remove(&provider.0).await?;
        self.providers_changed();
        Ok(())
    }

    /// The URL that would be called.
    pub async fn resolve_address(&self, config: ProviderConfig) -> Result<String> {
        skein_providers::resolved_url(&config)
    }

    /// Model servers on this machine that are not configured yet. Only the loopback interface is contacted,
    /// and only by this call.
    pub async fn local_servers(&self) -> Result<Vec<LocalServer>> {
        let settings = self.settings.get();
        let configured: Vec<String> = settings
            .providers
            .iter()
            .filter_map(|it| skein_providers::resolved_url(it).ok())
            .collect();
        let mut places = skein_providers::default_candidates();
        places.retain(|(_, url)| !configured.iter().any(|address| address.starts_with(url)));
        Ok(skein_providers::discover(&self.http, &places).await)
    }

    fn providers_changed(&self) {
        self.notifier.changed([Topic::Providers {}, Topic::Settings {}]);
    }
}

fn insert_or_replace(settings: &mut Settings, config: ProviderConfig) {
    match settings.providers.iter_mut().find(|it| it.id == config.id) {
        Some(old) => *old = ProviderConfig { models: std::mem::take(&mut old.models), ..config },
        None => settings.providers.push(config),
    }
}
