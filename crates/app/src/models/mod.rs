//! The properties of models, from the best source (law 5): the user, overflow errors, the loaded model of a
//! local server, the provider's list, the catalogue.

pub mod catalog_refresh;
pub(crate) mod learned_windows;
pub(crate) mod model_choices;
pub(crate) mod model_knowledge;
mod model_list_cache;
mod pricing;
mod provider_compaction;
pub(crate) mod provider_connections;
pub mod silent_truncation;
mod spec_sources;
mod window_evidence;

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Map, Value};
use skein_context::limits::{self, catalog::Catalog};
use skein_context::tokens::TokenCounter;
use skein_context::window::ReasoningReplay;
use skein_domain::error::Result;
use skein_domain::ids::ProviderId;
use skein_domain::model::{ModelRef, ModelSpec};
use skein_domain::provider_config::{ModelOverride, ReasoningEffort};
use skein_domain::session::Session;
use skein_platform::http::HttpClient;
use skein_platform::paths::AppPaths;
use skein_providers::registry::{self, ModelListApi, ProviderSpec};
use skein_providers::{ListedModel, QuirkMemory};
use skein_store::{LearnedModel, Store};
use tokio::time::timeout;

use crate::clock::now;
use crate::events::Topic;
use crate::notifier::Notifier;
use crate::settings::SettingsFile;
use crate::shared_state::SharedState;
use catalog_refresh::{CachedResource, RefreshResult};
use model_knowledge::ModelKnowledge;
use provider_connections::ProviderConnections;
use spec_sources::combine;

/// The timeout for a local server to list its models before a reply.
const LISTING_TIMEOUT: Duration = Duration::from_millis(1_500);

/// The properties of every model and of its provider.
pub struct Models {
    store: Store,
    settings: Arc<SettingsFile>,
    paths: AppPaths,
    http: HttpClient,
    notifier: Notifier,
    quirks: QuirkMemory,
    pub(crate) knowledge: Arc<ModelKnowledge>,
    connections: Arc<ProviderConnections>,
}

impl Models {
    pub(crate) fn new(
        shared: &SharedState,
        quirks: QuirkMemory,
        knowledge: Arc<ModelKnowledge>,
        connections: Arc<ProviderConnections>,
    ) -> Self {
        Self {
            store: shared.store.clone(),
            settings: Arc::clone(&shared.settings),
            paths: shared.paths.clone(),
            http: shared.http.clone(),
            notifier: shared.notifier.clone(),
            quirks,
            knowledge,
            connections,
        }
    }

    /// Loads the catalogue of the last download; if downloads are off, the one that ships.
    pub(crate) fn load_cached_catalogue(&self) {
        let catalog = match self.settings.get().catalogue_refresh {
            true => catalog_refresh::catalogue(&self.paths.cache),
            false => Catalog::built_in().clone(),
        };
        self.knowledge.set_catalog(Arc::new(catalog));
    }

    /// FR-3.2: downloads the catalogue if a week has passed and downloads are on, and the organisation's file
    /// if the user named one. Errors are silent.
    pub(crate) async fn refresh_catalogue(&self) {
        let (net, folder) = (self.http.clone(), self.paths.cache.clone());
        let settings = self.settings.get();
        if settings.catalogue_refresh {
            let url = catalog_refresh::MODELS_DEV;
            let look =
                catalog_refresh::refresh(&net, &folder, CachedResource::Catalogue, url, now())
                    .await;
            if look == RefreshResult::Changed {
                self.load_cached_catalogue();
                self.notifier.changed([Topic::Providers {}]);
            }
        }
        if let Some(url) = &settings.organisation_url {
            catalog_refresh::refresh(&net, &folder, CachedResource::Organisation, url, now()).await;
        }
    }

    /// The registry row of a configured provider; `None` for the demo and for a kind of another version.
    pub(crate) fn provider_kind(&self, provider: &ProviderId) -> Option<&'static ProviderSpec> {
        let settings = self.settings.get();
        let config = settings.providers.iter().find(|config| config.id == *provider)?;
        registry::find_provider(&config.kind)
    }

    /// The part of the conversation whose reasoning goes back to the model's provider.
    pub(crate) fn reasoning_replay(&self, model: &ModelRef) -> ReasoningReplay {
        let settings = self.settings.get();
        let config = settings.providers.iter().find(|config| config.id == model.provider);
        config.map_or(ReasoningReplay::Never, |config| {
            skein_providers::reasoning_replay(config, &model.model, &self.quirks)
        })
    }

    /// The reasoning effort that the user chose for a model.
    pub(crate) fn effort(&self, model: &ModelRef) -> ReasoningEffort {
        self.model_override(model, |own| own.effort)
    }

    /// The reasoning effort in a session: its own if the model is known to reason, else the user's choice for
    /// the model.
    pub(crate) fn session_effort(
        &self,
        session: &Session,
        model: &ModelRef,
        spec: &ModelSpec,
    ) -> ReasoningEffort {
        let decided = session.overrides.effort.filter(|_| spec.reasoning == Some(true));
        decided.unwrap_or_else(|| self.effort(model))
    }

    /// The user's extra fields for every request to a model.
    pub(crate) fn extra_body(&self, model: &ModelRef) -> Map<String, Value> {
        self.model_override(model, |own| own.fields.clone())
    }

    /// A value of the user's overrides for a model.
    fn model_override<T: Default>(
        &self,
        model: &ModelRef,
        of: impl FnOnce(&ModelOverride) -> T,
    ) -> T {
        let settings = self.settings.get();
        let config = settings.providers.iter().find(|config| config.id == model.provider);
        let own = config.and_then(|config| config.models.iter().find(|it| it.id == model.model));
        own.map(of).unwrap_or_default()
    }

    /// The reasoning effort for a title or a summary.
    pub(crate) fn background_effort(&self, model: &ModelRef) -> ReasoningEffort {
        let settings = self.settings.get();
        let config = settings.providers.iter().find(|config| config.id == model.provider);
        config.map_or(ReasoningEffort::Default, |config| {
            skein_providers::background_effort(config, self.effort(model))
        })
    }

    /// All properties of a model.
    pub(crate) async fn spec(&self, model: &ModelRef) -> Result<ModelSpec> {
        if model.provider.0 == skein_demo::ID {
            return Ok(skein_demo::spec(&model.model));
        }
        let settings = self.settings.get();
        let config = settings.providers.iter().find(|config| config.id == model.provider);
        let personal =
            config.and_then(|config| config.models.iter().find(|it| it.id == model.model)).cloned();
        let row = config.and_then(|config| registry::find_provider(&config.kind));
        let catalogue = row.map_or("", |row| row.catalogue);
        let catalog = self.knowledge.catalog();
        let known = catalog.find(catalogue, &model.model).map(|entry| entry.spec());
        let listed = self.knowledge.listed.of(&model.provider);
        let listed = listed.iter().find(|it| it.id == model.model);
        let learned = self.learned_of(model).await?;
        let known = combine(personal, &learned, listed, known.unwrap_or_default());
        let price_step =
            self.price_table(model).as_ref().and_then(limits::compaction_threshold::price_step);
        Ok(ModelSpec { price_step, ..known })
    }

    /// Asks a local server for its loaded window before the first reply of this run, because that may have
    /// changed.
    pub(crate) async fn refresh_local_window(&self, id: &ProviderId) {
        if self.knowledge.is_first_use(id)
            && let Err(error) = self.query_local_server(id).await
        {
            tracing::warn!(%error, "what a local server has loaded was not kept");
        }
    }

    /// True if each request tells the provider how large its window must be.
    pub(crate) fn sends_num_ctx(&self, id: &ProviderId) -> bool {
        self.provider_kind(id).is_some_and(skein_providers::sends_window)
    }

    /// Asks a local server for its loaded models. If it does not answer, nothing changes.
    pub(crate) async fn query_local_server(&self, id: &ProviderId) -> Result<()> {
        if !self.is_single_request_server(id) {
            return Ok(());
        }
        let Ok(provider) = self.connections.provider(id).await else { return Ok(()) };
        match timeout(LISTING_TIMEOUT, provider.models()).await {
            Ok(Ok(listed)) => self.store_model_list(id, listed).await,
            Ok(Err(_)) | Err(_) => Ok(()),
        }
    }

    /// Stores the current model list of a provider. If the window of a model differs from before, the model
    /// was loaded again, and its learned window is discarded.
    pub(crate) async fn store_model_list(
        &self,
        id: &ProviderId,
        now: Vec<ListedModel>,
    ) -> Result<()> {
        let window = |model: &ListedModel| model.loaded_window.or(model.window);
        let before = self.knowledge.listed.of(id);
        if before == now {
            return Ok(());
        }
        let is_other = |model: &&ListedModel| {
            let then = before.iter().find(|then| then.id == model.id).and_then(window);
            then.zip(window(model)).is_some_and(|(then, now)| then != now)
        };
        for model in now.iter().filter(is_other) {
            let model = ModelRef { provider: id.clone(), model: model.id.clone() };
            self.clear_learned_window(model).await?;
        }
        self.knowledge.listed.set(id.clone(), now).await;
        self.notifier.changed([Topic::Providers {}]);
        Ok(())
    }

    /// Counts as this model does: with its images, its signatures, and what its usage reports have taught.
    pub(crate) async fn counter(&self, model: &ModelRef) -> Result<Arc<TokenCounter>> {
        let row = self.provider_kind(&model.provider);
        let seals = row.map(skein_providers::signature_prefixes).unwrap_or_default();
        let counter = TokenCounter::for_model(&model.model).with_signatures(seals);
        let counter = counter.with_vision(self.spec(model).await?.has_vision());
        let learned = self.learned_of(model).await?;
        Ok(Arc::new(match learned.calibration {
            Some(calibration) => counter.with_calibration(calibration),
            None => counter,
        }))
    }

    async fn learned_of(&self, model: &ModelRef) -> Result<LearnedModel> {
        loop {
            let news = match self.knowledge.learned(model) {
                Ok(learned) => return Ok(learned),
                Err(news) => news,
            };
            let learned = self.store.learned_model(model.clone()).await?;
            if self.knowledge.cache_learned(&learned, news) {
                return Ok(learned);
            }
        }
    }

    /// True if the provider is a local server, which usually answers one request at a time.
    pub(crate) fn is_single_request_server(&self, id: &ProviderId) -> bool {
        self.provider_kind(id).is_some_and(|row| match row.model_list_api {
            ModelListApi::LlamaCpp | ModelListApi::LmStudio | ModelListApi::Ollama => true,
            ModelListApi::Models => false,
        })
    }

    /// True if a model may chat, by its id and the catalogue.
    pub(crate) fn may_chat(&self, kind: Option<&registry::ProviderSpec>, id: &str) -> bool {
        let catalog = self.knowledge.catalog();
        let known = catalog.find(kind.map_or("", |row| row.catalogue), id);
        let is_text_to_text = known.and_then(|entry| entry.text_to_text());
        is_text_to_text != Some(false) && skein_providers::may_be_chat_model(id)
    }
}
