//! What is known of a model, from whoever knows best (law 5): the person, what an overflow taught,
//! what a local server has loaded, the provider's list, the catalogue.

pub mod catalog_refresh;
pub(crate) mod learned_windows;
pub(crate) mod model_choices;
pub(crate) mod model_knowledge;
mod model_list_cache;
mod pricing;
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

/// How long a local server may take to list its models before an answer.
const LISTING: Duration = Duration::from_millis(1_500);

/// What is known of each model, and of the servers that have them.
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

    /// The catalogue as it was fetched last; where that is switched off, the one that ships.
    pub(crate) fn load_cached_catalogue(&self) {
        let catalog = match self.settings.get().catalogue_refresh {
            true => catalog_refresh::catalogue(&self.paths.cache),
            false => Catalog::built_in().clone(),
        };
        self.knowledge.set_catalog(Arc::new(catalog));
    }

    /// FR-3.2: once a week the catalogue is looked at, unless that is switched off; silent whatever
    /// comes of it. The same for the organisation's file, where the person named one.
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

    /// The kind of a configured provider; `None` for the demo, and for a kind of another version.
    pub(crate) fn provider_kind(&self, provider: &ProviderId) -> Option<&'static ProviderSpec> {
        let settings = self.settings.get();
        let config = settings.providers.iter().find(|config| config.id == *provider)?;
        registry::find_provider(&config.kind)
    }

    /// When a model's provider gets its reasoning back.
    pub(crate) fn reasoning_back(&self, model: &ModelRef) -> ReasoningReplay {
        let settings = self.settings.get();
        let config = settings.providers.iter().find(|config| config.id == model.provider);
        config.map_or(ReasoningReplay::Never, |config| {
            skein_providers::reasoning_replay(config, &model.model, &self.quirks)
        })
    }

    /// How hard the person wants a model to think.
    pub(crate) fn effort(&self, model: &ModelRef) -> ReasoningEffort {
        self.personal(model, |own| own.effort)
    }

    /// How hard a model is asked to think in a session: as that decided, if the model is known to think
    /// at all; else as the person wants it of the model.
    pub(crate) fn session_effort(
        &self,
        session: &Session,
        model: &ModelRef,
        spec: &ModelSpec,
    ) -> ReasoningEffort {
        let decided = session.overrides.effort.filter(|_| spec.reasoning == Some(true));
        decided.unwrap_or_else(|| self.effort(model))
    }

    /// What the person wants in every request to a model.
    pub(crate) fn extra_body(&self, model: &ModelRef) -> Map<String, Value> {
        self.personal(model, |own| own.fields.clone())
    }

    /// Something of what the person set for a model.
    fn personal<T: Default>(&self, model: &ModelRef, of: impl FnOnce(&ModelOverride) -> T) -> T {
        let settings = self.settings.get();
        let config = settings.providers.iter().find(|config| config.id == model.provider);
        let own = config.and_then(|config| config.models.iter().find(|it| it.id == model.model));
        own.map(of).unwrap_or_default()
    }

    /// How hard a model is to think about a title or a summary.
    pub(crate) fn background_effort(&self, model: &ModelRef) -> ReasoningEffort {
        let settings = self.settings.get();
        let config = settings.providers.iter().find(|config| config.id == model.provider);
        config.map_or(ReasoningEffort::Default, |config| {
            skein_providers::background_effort(config, self.effort(model))
        })
    }

    /// Everything known of a model.
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
        let known = catalog.find(catalogue, &model.model).map(|found| found.spec());
        let listed = self.knowledge.listed.of(&model.provider);
        let listed = listed.iter().find(|it| it.id == model.model);
        let learned = self.learned_of(model).await?;
        let known = combine(personal, &learned, listed, known.unwrap_or_default());
        let price_step = self.price_table(model).as_ref().and_then(limits::price_step);
        Ok(ModelSpec { price_step, ..known })
    }

    /// A local server may have loaded another window since it was last asked: before its first
    /// answer of this run it is asked again.
    pub(crate) async fn refresh_local_window(&self, id: &ProviderId) {
        if self.knowledge.is_first_use(id)
            && let Err(error) = self.query_local_server(id).await
        {
            tracing::warn!(%error, "what a local server has loaded was not kept");
        }
    }

    /// Whether a provider is told with each request how large a window it is to hold.
    pub(crate) fn sends_num_ctx(&self, id: &ProviderId) -> bool {
        self.provider_kind(id).is_some_and(skein_providers::sends_window)
    }

    /// Asks a local server what it has loaded. Where it does not answer, nothing changes.
    pub(crate) async fn query_local_server(&self, id: &ProviderId) -> Result<()> {
        if !self.is_single_request_server(id) {
            return Ok(());
        }
        let Ok(provider) = self.connections.provider(id).await else { return Ok(()) };
        match timeout(LISTING, provider.models()).await {
            Ok(Ok(listed)) => self.store_model_list(id, listed).await,
            Ok(Err(_)) | Err(_) => Ok(()),
        }
    }

    /// What a provider lists now. Where it says another window of a model than before, what a
    /// refusal taught of that one holds no longer: the model was loaded anew.
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

    /// What counts tokens as this model does.
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
            if self.knowledge.keep(&learned, news) {
                return Ok(learned);
            }
        }
    }

    /// Whether a provider is a server near by, which as a rule answers one request after the other.
    pub(crate) fn is_single_request_server(&self, id: &ProviderId) -> bool {
        self.provider_kind(id).is_some_and(|row| match row.model_list_api {
            ModelListApi::LlamaCpp | ModelListApi::LmStudio | ModelListApi::Ollama => true,
            ModelListApi::Models => false,
        })
    }

    /// Whether a model may chat, as far as its id and the catalogue tell.
    pub(crate) fn may_chat(&self, kind: Option<&registry::ProviderSpec>, id: &str) -> bool {
        let catalog = self.knowledge.catalog();
        let known = catalog.find(kind.map_or("", |row| row.catalogue), id);
        let words = known.and_then(|found| found.text_to_text());
        words != Some(false) && skein_providers::may_be_chat_model(id)
    }
}
