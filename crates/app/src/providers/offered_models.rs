//! The models that the user can choose, and the user's own values for them.

use skein_context::health::{DEFAULT_CADENCE, HealthThresholds};
use skein_context::limits::Limits;
use skein_context::limits::policy::Policy;
use skein_domain::error::{Error, Result};
use skein_domain::ids::ProviderId;
use skein_domain::model::{ModelLimits, ModelRef, ModelSpec};
use skein_domain::provider_config::{ModelChange, ModelOverride, ProviderConfig};
use skein_providers::registry;

use super::Providers;
use crate::view::ModelView;

impl Providers {
    /// Every model that can be chosen.
    pub async fn models(&self) -> Result<Vec<ModelView>> {
        let mut views = self.demo_models();
        let chosen = self.chosen().await?;
        for config in &self.settings.get().providers {
            views.extend(self.models_of(config, &chosen).await?);
        }
        Ok(views)
    }

    /// The models that are chosen anywhere: for sessions, as the default, for summaries.
    pub(super) async fn chosen(&self) -> Result<Vec<ModelRef>> {
        let settings = self.settings.get();
        let mut chosen = self.store.chosen_models().await?;
        chosen.extend(settings.default_model.iter().chain(&settings.summary_model).cloned());
        Ok(chosen)
    }

    /// Adds a model of the user, if there is none with its id. One without values is only an id that can be
    /// chosen.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the provider is gone.
    pub async fn add_model(&self, provider: ProviderId, model: ModelOverride) -> Result<()> {
        self.change_models(&provider, |models| {
            if models.iter().all(|it| it.id != model.id) {
                models.push(model);
            }
        })
    }

    /// Changes one of the user's values for a model; the others stay.
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

    /// Deletes the user's values for a model.
    pub async fn remove_model(&self, model: ModelRef) -> Result<()> {
        self.change_models(&model.provider, |models| models.retain(|it| it.id != model.model))
    }

    /// # Errors
    /// [`Error::NotFound`] if the provider is gone: then nothing changes.
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

    /// The user's models first, then the provider's list; until that is fetched, those of the catalogue.
    /// Models that cannot chat are skipped, unless they are chosen.
    pub(super) async fn models_of(
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
        let catalog = self.knowledge.catalog();
        let is_offered = |id: &str| chosen.contains(&id) || self.models.may_chat(row, id);
        let listed = self.knowledge.listed.of(&config.id);
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
            let spec = self.models.spec(&model).await?;
            let effort = self.models.effort(&model);
            views.push(ModelView {
                limit: spec.max_prompt().map(|limit| limit.value),
                follows: default_limits(&spec, &global),
                effort_instead: skein_providers::effort_fallback(config, id, effort, &self.quirks),
                provider_compaction: self.models.provider_compaction(&model),
                prices: self.models.price_table(&model),
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
            follows: default_limits(&skein_demo::spec(id), &global),
            spec: skein_demo::spec(id),
            effort_instead: None,
            provider_compaction: None,
            prices: None,
        };
        skein_demo::MODELS.iter().map(view).collect()
    }
}

/// The limits of a model that apply if the user sets none.
fn default_limits(spec: &ModelSpec, global: &Policy) -> ModelLimits {
    let own = spec.limits;
    let thresholds = |limits| HealthThresholds::of(&ModelSpec { limits, ..spec.clone() });
    let without_optimal = thresholds(ModelLimits { optimal_max_tokens: None, ..own });
    let without_critical = thresholds(ModelLimits { critical_max_tokens: None, ..own });
    ModelLimits {
        compaction_threshold: Some(global.compaction_threshold),
        compaction_bound: Limits::of(spec).upper_bound(global).map(|bound| bound.tokens),
        output_reserve: Some(global.output_reserve),
        optimal_max_tokens: without_optimal.map(|it| it.optimal),
        critical_max_tokens: without_critical.map(|it| it.critical),
        caution_remediation_cadence_generations: Some(DEFAULT_CADENCE),
    }
}
