//! Providers, their keys and their models.

use std::collections::HashMap;
use std::sync::{Arc, MutexGuard, PoisonError};

use skein_context::health::{DEFAULT_CADENCE, HealthThresholds};
use skein_context::policy::Policy;
use skein_demo::{Demo, Pace};
use skein_domain::error::{Error, Result};
use skein_domain::ids::ProviderId;
use skein_domain::model::{ModelLimits, ModelRef, ModelSpec};
use skein_domain::provider_config::{ModelChange, ModelOverride, ProviderConfig};
use skein_providers::{ApiKey, LocalServer, Provider, Timeouts, registry};

use super::App;
use crate::events::Topic;
use crate::secrets::{Secret, SecretLocation};
use crate::settings::Settings;
use crate::view::{KeyStatus, ModelView, ProviderView};

impl App {
    /// The kinds that can be added.
    pub async fn provider_kinds(&self) -> Result<Vec<registry::ProviderKind>> {
        Ok(registry::provider_kinds())
    }

    /// Those that are configured, the demo first.
    pub async fn providers(&self) -> Result<Vec<ProviderView>> {
        let mut views = Vec::new();
        let chosen = self.chosen().await?;
        for config in &self.settings.get().providers {
            views.push(ProviderView {
                address: skein_providers::resolved_url(config).unwrap_or_default(),
                key: self.key_place(config).await,
                models: self.models_of(config, &chosen).await?,
                config: config.clone(),
            });
        }
        Ok(views)
    }

    /// Adds one, or replaces all of one but its models: those are changed one by one. One that was removed
    /// gets its key back, which undoes that.
    pub async fn save_provider(&self, config: ProviderConfig) -> Result<()> {
        skein_providers::resolved_url(&config)?;
        let id = config.id.clone();
        let key = self.removed_keys().get(&id).cloned();
        let keys = key.map(|key| (id.0.clone(), Some(key))).into_iter().collect();
        let old = self.settings.get().providers.iter().find(|it| it.id == id).cloned();
        let back = |settings: &mut Settings| match old {
            Some(old) => put(settings, old),
            None => settings.providers.retain(|it| it.id != id),
        };
        self.update_with_secrets(keys, |settings| put(settings, config), back).await?;
        self.removed_keys().remove(&id);
        self.providers_changed();
        Ok(())
    }

    /// Takes one out with its key, which is then nowhere but in this program's memory: saving the
    /// configuration again undoes both until it ends.
    ///
    /// # Errors
    /// Where the settings or the key cannot be changed, or the key of one that needs it cannot be read:
    /// then it stays, with its key.
    pub async fn remove_provider(&self, provider: ProviderId) -> Result<()> {
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
        let keys = self.update_with_secrets(keys, out, back).await?;
        let keys = keys.into_iter().map(|(_, key)| (provider.clone(), key));
        self.removed_keys().extend(keys);
        self.providers_changed();
        Ok(())
    }

    fn removed_keys(&self) -> MutexGuard<'_, HashMap<ProviderId, Secret>> {
        self.removed_keys.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps a key and says where.
    pub async fn set_key(&self, provider: ProviderId, key: String) -> Result<SecretLocation> {
        let place = self.secrets.set(&provider.0, Secret::new(&key)).await?;
        self.providers_changed();
        Ok(place)
    }

    /// Forgets a key.
    pub async fn remove_key(&self, provider: ProviderId) -> Result<()> {
        self.secrets.remove(&provider.0).await?;
        self.providers_changed();
        Ok(())
    }

    /// The address that would be called.
    pub async fn resolve_address(&self, config: ProviderConfig) -> Result<String> {
        skein_providers::resolved_url(&config)
    }

    /// Servers running on this machine that are not configured yet, so that they can be offered.
    /// Only the loopback is contacted, and only when this is asked.
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

    /// Every model that can be chosen.
    pub async fn models(&self) -> Result<Vec<ModelView>> {
        let mut views = self.demo_models();
        let chosen = self.chosen().await?;
        for config in &self.settings.get().providers {
            views.extend(self.models_of(config, &chosen).await?);
        }
        Ok(views)
    }

    /// The models that are chosen anywhere: for sessions, for new ones, for summaries.
    async fn chosen(&self) -> Result<Vec<ModelRef>> {
        let settings = self.settings.get();
        let mut chosen = self.store.chosen_models().await?;
        chosen.extend(settings.default_model.iter().chain(&settings.summary_model).cloned());
        Ok(chosen)
    }

    /// Adds a model of the person's, where there is none by its id. One without values is only an id that
    /// can be chosen.
    ///
    /// # Errors
    /// [`Error::NotFound`] where the provider is gone, as for the two below.
    pub async fn add_model(&self, provider: ProviderId, model: ModelOverride) -> Result<()> {
        self.change_models(&provider, |models| {
            if models.iter().all(|it| it.id != model.id) {
                models.push(model);
            }
        })
    }

    /// Changes one of the person's values for a model, whatever the others are by now.
    pub async fn change_model(&self, model: ModelRef, change: ModelChange) -> Result<()> {
        self.change_models(&model.provider, |models| {
            match models.iter_mut().find(|it| it.id == model.model) {
                Some(own) => own.change(change),
                None => {
                    let mut own = ModelOverride::named(model.model.clone());
                    own.change(change);
                    models.push(own);
                }
            }
        })
    }

    /// The person's values for a model are forgotten.
    pub async fn remove_model(&self, model: ModelRef) -> Result<()> {
        self.change_models(&model.provider, |models| models.retain(|it| it.id != model.model))
    }

    /// # Errors
    /// [`Error::NotFound`] where the provider is gone: then nothing changes.
    fn change_models(
        &self,
        provider: &ProviderId,
        change: impl FnOnce(&mut Vec<ModelOverride>),
    ) -> Result<()> {
        let mut is_there = false;
        self.settings.change(|settings| {
            let mut configs = settings.providers.iter_mut();
            if let Some(config) = configs.find(|config| config.id == *provider) {
                is_there = true;
                change(&mut config.models);
            }
        })?;
        if !is_there {
            return Err(Error::NotFound { what: "provider".into() });
        }
        self.providers_changed();
        Ok(())
    }

    /// A provider ready to be called.
    pub(crate) async fn provider(&self, id: &ProviderId) -> Result<Arc<dyn Provider>> {
        if id.0 == skein_demo::ID {
            return Ok(Arc::new(Demo::new(Pace::Readable)));
        }
        let settings = self.settings.get();
        let config = settings.providers.iter().find(|config| config.id == *id);
        let config = config.ok_or(Error::NoModel {})?;
        let key = self.key(config).await?;
        self.connect(config, key.as_ref())
    }

    pub(super) fn connect(
        &self,
        config: &ProviderConfig,
        key: Option<&ApiKey>,
    ) -> Result<Arc<dyn Provider>> {
        if config.kind == skein_demo::KIND {
            return Ok(Arc::new(Demo::new(Pace::Readable)));
        }
        skein_providers::create_provider(config, key, &self.http, Timeouts::default(), &self.quirks)
    }

    async fn key(&self, config: &ProviderConfig) -> Result<Option<ApiKey>> {
        let (name, variables) = (&config.id.0, variables(config));
        let found = if is_keyless(config) {
            self.secrets.get_cached(name, variables).await
        } else {
            self.secrets.get(name, variables).await
        };
        Ok(readable(config, found)?.map(|(secret, _)| ApiKey::new(secret.expose())))
    }

    async fn key_place(&self, config: &ProviderConfig) -> KeyStatus {
        match self.secrets.location(&config.id.0, variables(config)).await {
            Ok(Some(place)) => KeyStatus::At { place },
            Ok(None) => KeyStatus::Nowhere {},
            Err(fault) => KeyStatus::Unknown { fault },
        }
    }

    /// The person's models first, then what the provider lists; until it has listed any, what the catalogue
    /// knows. Of these none that cannot chat, but every one that is chosen.
    async fn models_of(
        &self,
        config: &ProviderConfig,
        chosen: &[ModelRef],
    ) -> Result<Vec<ModelView>> {
        let mut names: Vec<(String, Option<String>)> = Vec::new();
        let mut add = |id: &str, name: Option<String>| {
            if !names.iter().any(|(known, _)| known == id) {
                names.push((id.to_owned(), name));
            }
        };
        for model in &config.models {
            add(&model.id, model.name.clone());
        }
        let chosen = chosen.iter().filter(|model| model.provider == config.id);
        let chosen: Vec<&str> = chosen.map(|model| model.model.as_str()).collect();
        let row = registry::find_provider(&config.kind);
        let catalog = self.models.catalog();
        let is_offered = |id: &str| chosen.contains(&id) || self.may_chat(row, id);
        let listed = self.models.listed.of(&config.id);
        let is_listed = !listed.is_empty();
        for model in listed.into_iter().filter(|model| is_offered(&model.id)) {
            add(&model.id, model.name);
        }
        if let Some(row) = row.filter(|_| !is_listed) {
            let known = catalog.providers().get(row.catalogue);
            let known = known.iter().flat_map(|provider| provider.models.keys());
            for id in row.default_model.into_iter().chain(known.map(String::as_str)) {
                if is_offered(id) {
                    add(id, None);
                }
            }
        }
        for id in chosen {
            add(id, None);
        }
        let labels =
            skein_providers::labels(names.iter().map(|(id, name)| name.as_deref().unwrap_or(id)));
        let mut views = Vec::with_capacity(names.len());
        let global = self.settings.get().policy();
        for ((id, _), label) in names.iter().zip(labels) {
            let model = ModelRef { provider: config.id.clone(), model: id.clone() };
            let spec = self.spec(&model).await?;
            let effort = self.effort(&model);
            views.push(ModelView {
                limit: spec.max_prompt().map(|limit| limit.value),
                follows: followed(&spec, &global),
                effort_instead: skein_providers::effort_fallback(config, id, effort, &self.quirks),
                spec,
                name: label,
                provider_name: config.name.clone(),
                model,
            });
        }
        Ok(views)
    }

    /// The built-in models.
    fn demo_models(&self) -> Vec<ModelView> {
        let global = self.settings.get().policy();
        let view = |(id, limit): &(&str, u32)| ModelView {
            model: skein_demo::model(id),
            limit: Some(*limit),
            name: (*id).to_owned(),
            provider_name: skein_demo::ID.to_owned(),
            follows: followed(&skein_demo::spec(id), &global),
            spec: skein_demo::spec(id),
            effort_instead: None,
        };
        skein_demo::MODELS.iter().map(view).collect()
    }

    fn providers_changed(&self) {
        self.notifier.changed([Topic::Providers {}, Topic::Settings {}]);
    }
}

/// What holds of each limit of a model where the person sets nothing for it.
fn followed(spec: &ModelSpec, global: &Policy) -> ModelLimits {
    let own = spec.limits;
    let thresholds = |limits| HealthThresholds::of(&ModelSpec { limits, ..spec.clone() });
    let without_optimal = thresholds(ModelLimits { optimal_max_tokens: None, ..own });
    let without_critical = thresholds(ModelLimits { critical_max_tokens: None, ..own });
    ModelLimits {
        compaction_threshold: Some(global.compaction_threshold),
        output_reserve: Some(global.output_reserve),
        optimal_max_tokens: without_optimal.map(|it| it.optimal),
        critical_max_tokens: without_critical.map(|it| it.critical),
        caution_remediation_cadence_generations: Some(DEFAULT_CADENCE),
    }
}

/// Environment variables in which a provider's own tools look for its key.
pub(super) fn variables(config: &ProviderConfig) -> &'static [&'static str] {
    registry::find_provider(&config.kind).map_or(&[], |row| row.key_env)
}

pub(super) fn is_keyless(config: &ProviderConfig) -> bool {
    registry::find_provider(&config.kind).is_some_and(|row| row.keyless)
}

fn put(settings: &mut Settings, config: ProviderConfig) {
    match settings.providers.iter_mut().find(|it| it.id == config.id) {
        Some(old) => *old = ProviderConfig { models: std::mem::take(&mut old.models), ..config },
        None => settings.providers.push(config),
    }
}

/// What was found. Where no key is needed, one that cannot be read is as good as none.
pub(super) fn readable(
    config: &ProviderConfig,
    found: Result<Option<(Secret, SecretLocation)>>,
) -> Result<Option<(Secret, SecretLocation)>> {
    match found {
        Err(error) if is_keyless(config) => {
            tracing::warn!(%error, "a key that may not be needed cannot be read");
            Ok(None)
        }
        found => found,
    }
}
