//! What is known of a model, from whoever knows best (law 5): the person, what an overflow taught,
//! what a local server has loaded, the provider's list, the catalogue.

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};
use std::time::{Duration, Instant};

use serde_json::{Map, Value};
use skein_context::catalog::Catalog;
use skein_context::tokens::TokenCounter;
use skein_context::window::ReasoningReplay;
use skein_domain::error::Result;
use skein_domain::ids::ProviderId;
use skein_domain::model::{ModelRef, ModelSpec, SourcedValue, ValueSource};
use skein_domain::provider_config::{ModelOverride, ReasoningEffort};
use skein_domain::session::Session;
use skein_providers::ListedModel;
use skein_providers::registry::{self, ModelListApi, ProviderSpec, WireFormat};
use skein_store::LearnedModel;
use tokio::time::timeout;

use super::App;
use super::model_list_cache::ModelListCache;
use crate::catalog_refresh::{self, CachedResource, RefreshResult};
use crate::clock::now;
use crate::events::Topic;
use crate::silent_truncation::WindowEvidence;

/// How long a local server may take to list its models before an answer.
const LISTING: Duration = Duration::from_millis(1_500);
/// How often servers near by are asked what they have, while their list is looked at.
const LOOK_EVERY: Duration = Duration::from_secs(60);

/// What was learned or listed, in memory.
pub(crate) struct Models {
    catalog: RwLock<Arc<Catalog>>,
    /// What the providers list.
    pub listed: ModelListCache,
    learned: Mutex<LearnedModelCache>,
    /// Windows that reports told of, until they are sure.
    pub window_evidence: WindowEvidence,
    /// Local servers that were asked for their window since the program was opened.
    queried_servers: Mutex<HashSet<ProviderId>>,
    /// When those near by were last asked what they have.
    last_refresh: Mutex<HashMap<ProviderId, Instant>>,
}

/// What was learned, as far as it was asked for.
#[derive(Default)]
struct LearnedModelCache {
    known: HashMap<ModelRef, LearnedModel>,
    /// How often something was learned: what was read before is not kept after.
    version: u64,
}

impl Models {
    /// With the catalogue that ships with the program, and the lists kept in the cache folder.
    pub fn open(cache: &Path) -> Self {
        Self {
            catalog: RwLock::new(Arc::new(Catalog::built_in().clone())),
            listed: ModelListCache::open(cache),
            learned: Mutex::default(),
            window_evidence: WindowEvidence::default(),
            queried_servers: Mutex::default(),
            last_refresh: Mutex::default(),
        }
    }

    /// The catalogue as it is now.
    pub fn catalog(&self) -> Arc<Catalog> {
        Arc::clone(&self.catalog.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// A newer catalogue came.
    pub fn set_catalog(&self, catalog: Arc<Catalog>) {
        *self.catalog.write().unwrap_or_else(PoisonError::into_inner) = catalog;
    }

    /// Whether this is the first time since the program was opened.
    fn is_first_use(&self, provider: &ProviderId) -> bool {
        self.queried_servers.lock().unwrap_or_else(PoisonError::into_inner).insert(provider.clone())
    }

    /// Whether a server near by was not asked what it has for a while; then it is now.
    pub fn claim_refresh(&self, provider: &ProviderId) -> bool {
        let mut looked = self.last_refresh.lock().unwrap_or_else(PoisonError::into_inner);
        let due = looked.get(provider).is_none_or(|last| last.elapsed() >= LOOK_EVERY);
        if due {
            looked.insert(provider.clone(), Instant::now());
        }
        due
    }

    /// Something was learned, and is stored: all of it is read again when it is next asked for.
    pub fn invalidate_learned(&self) {
        let mut learned = self.lessons();
        learned.known.clear();
        learned.version += 1;
    }

    /// What was learned of a model.
    ///
    /// # Errors
    /// Where that is to be read first: how much was learned by now, for [`Models::keep`].
    fn learned(&self, model: &ModelRef) -> std::result::Result<LearnedModel, u64> {
        let learned = self.lessons();
        learned.known.get(model).cloned().ok_or(learned.version)
    }

    /// Keeps what was read, unless something was learned since; `false`: something was.
    fn keep(&self, read: &LearnedModel, news: u64) -> bool {
        let mut learned = self.lessons();
        let is_latest = learned.version == news;
        if is_latest {
            learned.known.insert(read.model.clone(), read.clone());
        }
        is_latest
    }

    fn lessons(&self) -> MutexGuard<'_, LearnedModelCache> {
        self.learned.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl App {
    /// The catalogue as it was fetched last; where that is switched off, the one that ships.
    pub(crate) fn load_cached_catalogue(&self) {
        let catalog = match self.settings.get().catalogue_refresh {
            true => catalog_refresh::catalogue(&self.paths.cache),
            false => Catalog::built_in().clone(),
        };
        self.models.set_catalog(Arc::new(catalog));
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
        let catalog = self.models.catalog();
        let known = catalog.find(catalogue, &model.model).map(|found| found.spec());
        let listed = self.models.listed.of(&model.provider);
        let listed = listed.iter().find(|it| it.id == model.model);
        let learned = self.learned_of(model).await?;
        Ok(combine(personal, &learned, listed, known.unwrap_or_default()))
    }

    /// A local server may have loaded another window since it was last asked: before its first
    /// answer of this run it is asked again.
    pub(crate) async fn refresh_local_window(&self, id: &ProviderId) {
        if self.models.is_first_use(id)
            && let Err(error) = self.query_local_server(id).await
        {
            tracing::warn!(%error, "what a local server has loaded was not kept");
        }
    }

    /// Whether a provider is told with each request how large a window it is to hold.
    pub(super) fn sends_num_ctx(&self, id: &ProviderId) -> bool {
        self.provider_kind(id).is_some_and(|row| match row.format {
            WireFormat::Ollama => true,
            WireFormat::Chat
            | WireFormat::Responses
            | WireFormat::Anthropic
            | WireFormat::Gemini => false,
        })
    }

    /// Asks a local server what it has loaded. Where it does not answer, nothing changes.
    pub(crate) async fn query_local_server(&self, id: &ProviderId) -> Result<()> {
        let is_local = self.provider_kind(id).is_some_and(|row| match row.model_list_api {
            ModelListApi::LlamaCpp | ModelListApi::LmStudio | ModelListApi::Ollama => true,
            ModelListApi::Models => false,
        });
        if !is_local {
            return Ok(());
        }
        let Ok(provider) = self.provider(id).await else { return Ok(()) };
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
        let before = self.models.listed.of(id);
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
        self.models.listed.set(id.clone(), now).await;
        self.notifier.changed([Topic::Providers {}]);
        Ok(())
    }

    /// What counts tokens as this model does.
    pub(crate) async fn counter(&self, model: &ModelRef) -> Result<Arc<TokenCounter>> {
        let row = self.provider_kind(&model.provider);
        let seals =
            row.map(|row| skein_providers::signature_prefixes(row.format)).unwrap_or_default();
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
            let news = match self.models.learned(model) {
                Ok(learned) => return Ok(learned),
                Err(news) => news,
            };
            let learned = self.store.learned_model(model.clone()).await?;
            if self.models.keep(&learned, news) {
                return Ok(learned);
            }
        }
    }

    /// FR-5: who writes summaries and titles, best first: the person's choice, the organisation's,
    /// the provider's fast model, the session's own.
    pub(crate) async fn summary_models(&self, session_model: &ModelRef) -> Result<Vec<ModelRef>> {
        let settings = self.settings.get();
        let mut chain: Vec<ModelRef> = settings.summary_model.iter().cloned().collect();
        if chain.is_empty()
            && let Some(url) = &settings.organisation_url
        {
            chain.extend(catalog_refresh::organisation_model(&self.paths.cache, url));
        }
        if chain.is_empty() {
            chain.extend(self.fast_model(session_model));
        }
        if !chain.contains(session_model) {
            chain.push(session_model.clone());
        }
        Ok(chain)
    }

    /// The fast model of a provider's catalogue row, where that very provider lists it or the user has
    /// entered it: behind an address of the same kind may be another server.
    fn fast_model(&self, model: &ModelRef) -> Option<ModelRef> {
        let row = self.provider_kind(&model.provider)?;
        let fast = self.models.catalog().fast_model(row.catalogue)?.to_owned();
        let settings = self.settings.get();
        let config = settings.providers.iter().find(|config| config.id == model.provider)?;
        let is_entered = config.models.iter().any(|own| own.id == fast);
        let listed = self.models.listed.of(&model.provider);
        let is_there = is_entered || listed.iter().any(|it| it.id == fast);
        is_there.then(|| ModelRef { provider: model.provider.clone(), model: fast })
    }

    /// Whether a provider is a server near by, which as a rule answers one request after the other.
    pub(super) fn is_single_request_server(&self, model: &ModelRef) -> bool {
        self.provider_kind(&model.provider).is_some_and(|row| match row.model_list_api {
            ModelListApi::LlamaCpp | ModelListApi::LmStudio | ModelListApi::Ollama => true,
            ModelListApi::Models => false,
        })
    }
}

/// The strongest value of each fact, whatever the order (law 5: [`ModelSpec::learn`]).
fn combine(
    personal: Option<ModelOverride>,
    learned: &LearnedModel,
    listed: Option<&ListedModel>,
    mut known: ModelSpec,
) -> ModelSpec {
    let told = |source, window: Option<u32>, max_input: Option<u32>, max_output: Option<u32>| {
        let from = |value| SourcedValue { value, source };
        ModelSpec {
            window: window.map(from),
            max_input: max_input.map(from),
            max_output: max_output.map(from),
            ..ModelSpec::default()
        }
    };
    known.merge_newer(&told(ValueSource::Learned, learned.window, None, None));
    if let Some(it) = listed {
        known.merge_newer(&told(ValueSource::Loaded, it.loaded_window, None, None));
        known.merge_newer(&told(ValueSource::Provider, it.window, it.max_input, it.max_output));
    }
    if let Some(it) = personal {
        known.merge_newer(&told(ValueSource::Person, it.window, None, it.max_output));
        known.limits = it.limits;
    }
    known
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    const fn of(value: u32, source: ValueSource) -> Option<SourcedValue<u32>> {
        Some(SourcedValue { value, source })
    }

    /// Everybody who may know a window, strongest first, with the window they tell of.
    const TELLERS: [(ValueSource, u32); 5] = [
        (ValueSource::Person, 1),
        (ValueSource::Learned, 2),
        (ValueSource::Loaded, 3),
        (ValueSource::Provider, 4),
        (ValueSource::CataloguePrefix, 5),
    ];

    fn listed(max_input: Option<u32>) -> ListedModel {
        let id = "m".to_owned();
        let (name, window, loaded_window, max_output) = (None, None, None, None);
        ListedModel { id, name, window, loaded_window, max_input, max_output }
    }

    /// What is known where only some of the tellers speak.
    fn told(speaks: impl Fn(ValueSource) -> bool) -> ModelSpec {
        let says = |source| TELLERS.into_iter().find(|it| it.0 == source).map(|it| it.1);
        let says = |source| says(source).filter(|_| speaks(source));
        let model = ModelRef { provider: ProviderId("p".into()), model: "m".into() };
        let window = says(ValueSource::Person);
        let personal = ModelOverride { window, ..ModelOverride::named("m".into()) };
        let learned = LearnedModel { model, window: says(ValueSource::Learned), calibration: None };
        let listed = ListedModel {
            loaded_window: says(ValueSource::Loaded),
            window: says(ValueSource::Provider),
            ..listed(None)
        };
        let source = ValueSource::CataloguePrefix;
        let window = says(source).map(|value| SourcedValue { value, source });
        let known = ModelSpec { window, ..ModelSpec::default() };
        combine(Some(personal), &learned, Some(&listed), known)
    }

    #[test]
    fn what_was_read_before_something_was_learned_is_not_kept_after() {
        let models = Models::open(Path::new("nowhere"));
        let model = ModelRef { provider: ProviderId("p".into()), model: "m".into() };
        let before = LearnedModel { model: model.clone(), window: None, calibration: None };
        let news = models.learned(&model).unwrap_err();
        models.invalidate_learned();
        assert!(!models.keep(&before, news));
        let after = LearnedModel { window: Some(8_192), ..before };
        let news = models.learned(&model).unwrap_err();
        assert!(models.keep(&after, news));
        assert_eq!(models.learned(&model), Ok(after));
    }

    #[test]
    fn law_05_the_strongest_of_those_who_speak_is_believed() {
        for speaking in 0..1_u32 << TELLERS.len() {
            let order = |source| TELLERS.iter().position(|it| it.0 == source).unwrap();
            let spec = told(|source| speaking & (1 << order(source)) != 0);
            let strongest = TELLERS.into_iter().find(|it| speaking & (1 << order(it.0)) != 0);
            let window = strongest.map(|(source, value)| SourcedValue { value, source });
            assert_eq!(spec, ModelSpec { window, ..ModelSpec::default() }, "{speaking:05b}");
        }
    }

    #[test]
    fn law_05_a_longest_prompt_does_not_narrow_a_window_that_is_known_better() {
        let known = ModelSpec {
            window: of(400_000, ValueSource::Catalogue),
            max_input: of(272_000, ValueSource::Catalogue),
            max_output: of(128_000, ValueSource::Catalogue),
            tools: Some(true),
            ..ModelSpec::default()
        };
        let model = ModelRef { provider: ProviderId("p".into()), model: "m".into() };
        let learned = |window| LearnedModel { model: model.clone(), window, calibration: None };
        assert_eq!(combine(None, &learned(None), None, known.clone()), known);
        let listed = listed(Some(90_000));
        let refused = combine(None, &learned(Some(300_000)), Some(&listed), known.clone());
        let window = of(300_000, ValueSource::Learned);
        assert_eq!(refused, ModelSpec { window, max_input: None, ..known });
    }
}
