//! What is known of a model, from whoever knows best (law 5): the person, what an overflow taught,
//! what a local server has loaded, the provider's list, the catalogue.

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};
use std::time::{Duration, Instant};

use serde_json::{Map, Value};
use skein_context::catalog::Catalog;
use skein_context::tokens::TokenCounter;
use skein_context::window::ReasoningBack;
use skein_domain::error::Result;
use skein_domain::ids::ProviderId;
use skein_domain::model::{ModelRef, ModelSpec, Source, Sourced};
use skein_domain::provider_config::{Effort, PersonalModel};
use skein_domain::session::Session;
use skein_providers::ListedModel;
use skein_providers::registry::{self, Format, Listing, Row};
use skein_store::Learned;
use tokio::time::timeout;

use super::App;
use super::listed::Listed;
use crate::catalog_refresh::{self, Kept, Look};
use crate::events::Topic;
use crate::silent::Suspicions;

/// How long a local server may take to list its models before an answer.
const LISTING: Duration = Duration::from_millis(1_500);
/// How often servers near by are asked what they have, while their list is looked at.
const LOOK_EVERY: Duration = Duration::from_secs(60);

/// What was learned or listed, in memory.
pub(crate) struct Models {
    catalog: RwLock<Arc<Catalog>>,
    /// What the providers list.
    pub listed: Listed,
    learned: Mutex<Lessons>,
    /// Windows that reports told of, until they are sure.
    pub suspicions: Suspicions,
    /// Local servers that were asked for their window since the program was opened.
    asked: Mutex<HashSet<ProviderId>>,
    /// When those near by were last asked what they have.
    looked: Mutex<HashMap<ProviderId, Instant>>,
}

/// What was learned, as far as it was asked for.
#[derive(Default)]
struct Lessons {
    known: HashMap<ModelRef, Learned>,
    /// How often something was learned: what was read before is not kept after.
    news: u64,
}

impl Models {
    /// With the catalogue that ships with the program, and the lists kept in the cache folder.
    pub fn open(cache: &Path) -> Self {
        Self {
            catalog: RwLock::new(Arc::new(Catalog::built_in().clone())),
            listed: Listed::open(cache),
            learned: Mutex::default(),
            suspicions: Suspicions::default(),
            asked: Mutex::default(),
            looked: Mutex::default(),
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
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).insert(provider.clone())
    }

    /// Whether a server near by was not asked what it has for a while; then it is now.
    pub fn is_due(&self, provider: &ProviderId) -> bool {
        let mut looked = self.looked.lock().unwrap_or_else(PoisonError::into_inner);
        let due = looked.get(provider).is_none_or(|last| last.elapsed() >= LOOK_EVERY);
        if due {
            looked.insert(provider.clone(), Instant::now());
        }
        due
    }

    /// Something was learned, and is stored: all of it is read again when it is next asked for.
    pub fn forget(&self) {
        let mut learned = self.lessons();
        learned.known.clear();
        learned.news += 1;
    }

    /// What was learned of a model.
    ///
    /// # Errors
    /// Where that is to be read first: how much was learned by now, for [`Models::keep`].
    fn learned(&self, model: &ModelRef) -> std::result::Result<Learned, u64> {
        let learned = self.lessons();
        learned.known.get(model).cloned().ok_or(learned.news)
    }

    /// Keeps what was read, unless something was learned since; `false`: something was.
    fn keep(&self, read: &Learned, news: u64) -> bool {
        let mut learned = self.lessons();
        let is_latest = learned.news == news;
        if is_latest {
            learned.known.insert(read.model.clone(), read.clone());
        }
        is_latest
    }

    fn lessons(&self) -> MutexGuard<'_, Lessons> {
        self.learned.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl App {
    /// The catalogue as it was fetched last; where that is switched off, the one that ships.
    pub(crate) fn show_kept_catalogue(&self) {
        let catalog = match self.settings.get().catalogue_refresh {
            true => catalog_refresh::catalogue(&self.places.cache),
            false => Catalog::built_in().clone(),
        };
        self.models.set_catalog(Arc::new(catalog));
    }

    /// FR-3.2: once a week the catalogue is looked at, unless that is switched off; silent whatever
    /// comes of it. The same for the organisation's file, where the person named one.
    pub(crate) async fn refresh_catalogue(&self) {
        let (net, folder) = (self.net(), self.places.cache.clone());
        let settings = self.settings.get();
        if settings.catalogue_refresh {
            let url = catalog_refresh::MODELS_DEV;
            let look =
                catalog_refresh::refresh(&net, &folder, Kept::Catalogue, url, self.now()).await;
            if look == Look::Changed {
                self.show_kept_catalogue();
                self.changed([Topic::Providers {}]);
            }
        }
        if let Some(url) = &settings.organisation_url {
            catalog_refresh::refresh(&net, &folder, Kept::Organisation, url, self.now()).await;
        }
    }

    /// The kind of a configured provider; `None` for the demo, and for a kind of another version.
    pub(crate) fn row(&self, provider: &ProviderId) -> Option<&'static Row> {
        let settings = self.settings.get();
        let config = settings.providers.iter().find(|config| config.id == *provider)?;
        registry::find(&config.kind)
    }

    /// When a model's provider gets its reasoning back.
    pub(crate) fn reasoning_back(&self, model: &ModelRef) -> ReasoningBack {
        let settings = self.settings.get();
        let config = settings.providers.iter().find(|config| config.id == model.provider);
        config.map_or(ReasoningBack::Never, |config| {
            skein_providers::reasoning_back(config, &model.model, &self.manners)
        })
    }

    /// How hard the person wants a model to think.
    pub(crate) fn effort(&self, model: &ModelRef) -> Effort {
        self.personal(model, |own| own.effort)
    }

    /// How hard a model is asked to think in a session: as that decided, if the model is known to think
    /// at all; else as the person wants it of the model.
    pub(crate) fn effort_in(
        &self,
        session: &Session,
        model: &ModelRef,
        spec: &ModelSpec,
    ) -> Effort {
        let decided = session.overrides.effort.filter(|_| spec.reasoning == Some(true));
        decided.unwrap_or_else(|| self.effort(model))
    }

    /// What the person wants in every request to a model.
    pub(crate) fn fields(&self, model: &ModelRef) -> Map<String, Value> {
        self.personal(model, |own| own.fields.clone())
    }

    /// Something of what the person set for a model.
    fn personal<T: Default>(&self, model: &ModelRef, of: impl FnOnce(&PersonalModel) -> T) -> T {
        let settings = self.settings.get();
        let config = settings.providers.iter().find(|config| config.id == model.provider);
        let own = config.and_then(|config| config.models.iter().find(|it| it.id == model.model));
        own.map(of).unwrap_or_default()
    }

    /// How hard a model is to think about a title or a summary.
    pub(crate) fn errand_effort(&self, model: &ModelRef) -> Effort {
        let settings = self.settings.get();
        let config = settings.providers.iter().find(|config| config.id == model.provider);
        config.map_or(Effort::Default, |config| {
            skein_providers::errand_effort(config, self.effort(model))
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
        let row = config.and_then(|config| registry::find(&config.kind));
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
    pub(crate) async fn renew_loaded_window(&self, id: &ProviderId) {
        if self.models.is_first_use(id)
            && let Err(error) = self.ask_local(id).await
        {
            tracing::warn!(%error, "what a local server has loaded was not kept");
        }
    }

    /// Whether a provider is told with each request how large a window it is to hold.
    pub(super) fn is_told_its_window(&self, id: &ProviderId) -> bool {
        self.row(id).is_some_and(|row| match row.format {
            Format::Ollama => true,
            Format::Chat | Format::Responses | Format::Anthropic | Format::Gemini => false,
        })
    }

    /// Asks a local server what it has loaded. Where it does not answer, nothing changes.
    pub(crate) async fn ask_local(&self, id: &ProviderId) -> Result<()> {
        let is_local = self.row(id).is_some_and(|row| match row.listing {
            Listing::LlamaCpp | Listing::LmStudio | Listing::Ollama => true,
            Listing::Models => false,
        });
        if !is_local {
            return Ok(());
        }
        let Ok(provider) = self.provider(id).await else { return Ok(()) };
        match timeout(LISTING, provider.models()).await {
            Ok(Ok(listed)) => self.keep_list(id, listed).await,
            Ok(Err(_)) | Err(_) => Ok(()),
        }
    }

    /// What a provider lists now. Where it says another window of a model than before, what a
    /// refusal taught of that one holds no longer: the model was loaded anew.
    pub(crate) async fn keep_list(&self, id: &ProviderId, now: Vec<ListedModel>) -> Result<()> {
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
            self.unlearn_window(model).await?;
        }
        self.models.listed.set(id.clone(), now).await;
        self.changed([Topic::Providers {}]);
        Ok(())
    }

    /// What counts tokens as this model does.
    pub(crate) async fn counter(&self, model: &ModelRef) -> Result<Arc<TokenCounter>> {
        let row = self.row(&model.provider);
        let seals = row.map(|row| skein_providers::seals(row.format)).unwrap_or_default();
        let counter = TokenCounter::for_model(&model.model).taking_back(seals);
        let counter = counter.seeing(self.spec(model).await?.sees());
        let learned = self.learned_of(model).await?;
        Ok(Arc::new(match learned.calibration {
            Some(calibration) => counter.calibrated(calibration),
            None => counter,
        }))
    }

    async fn learned_of(&self, model: &ModelRef) -> Result<Learned> {
        loop {
            let news = match self.models.learned(model) {
                Ok(learned) => return Ok(learned),
                Err(news) => news,
            };
            let learned = self.store.learned(model.clone()).await?;
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
            chain.extend(catalog_refresh::organisation_model(&self.places.cache, url));
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
        let row = self.row(&model.provider)?;
        let fast = self.models.catalog().fast_model(row.catalogue)?.to_owned();
        let settings = self.settings.get();
        let config = settings.providers.iter().find(|config| config.id == model.provider)?;
        let is_entered = config.models.iter().any(|own| own.id == fast);
        let listed = self.models.listed.of(&model.provider);
        let is_there = is_entered || listed.iter().any(|it| it.id == fast);
        is_there.then(|| ModelRef { provider: model.provider.clone(), model: fast })
    }

    /// Whether a provider is a server near by, which as a rule answers one request after the other.
    pub(super) fn answers_one_at_a_time(&self, model: &ModelRef) -> bool {
        self.row(&model.provider).is_some_and(|row| match row.listing {
            Listing::LlamaCpp | Listing::LmStudio | Listing::Ollama => true,
            Listing::Models => false,
        })
    }
}

/// The strongest value of each fact, whatever the order (law 5: [`ModelSpec::learn`]).
fn combine(
    personal: Option<PersonalModel>,
    learned: &Learned,
    listed: Option<&ListedModel>,
    mut known: ModelSpec,
) -> ModelSpec {
    let told = |source, window: Option<u32>, max_input: Option<u32>, max_output: Option<u32>| {
        let from = |value| Sourced { value, source };
        ModelSpec {
            window: window.map(from),
            max_input: max_input.map(from),
            max_output: max_output.map(from),
            ..ModelSpec::default()
        }
    };
    known.learn(&told(Source::Learned, learned.window, None, None));
    if let Some(it) = listed {
        known.learn(&told(Source::Loaded, it.loaded_window, None, None));
        known.learn(&told(Source::Provider, it.window, it.max_input, it.max_output));
    }
    if let Some(it) = personal {
        known.learn(&told(Source::Person, it.window, None, it.max_output));
        known.limits = it.limits;
    }
    known
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    const fn of(value: u32, source: Source) -> Option<Sourced<u32>> {
        Some(Sourced { value, source })
    }

    /// Everybody who may know a window, strongest first, with the window they tell of.
    const TELLERS: [(Source, u32); 5] = [
        (Source::Person, 1),
        (Source::Learned, 2),
        (Source::Loaded, 3),
        (Source::Provider, 4),
        (Source::CataloguePrefix, 5),
    ];

    fn listed(max_input: Option<u32>) -> ListedModel {
        let id = "m".to_owned();
        let (name, window, loaded_window, max_output) = (None, None, None, None);
        ListedModel { id, name, window, loaded_window, max_input, max_output }
    }

    /// What is known where only some of the tellers speak.
    fn told(speaks: impl Fn(Source) -> bool) -> ModelSpec {
        let says = |source| TELLERS.into_iter().find(|it| it.0 == source).map(|it| it.1);
        let says = |source| says(source).filter(|_| speaks(source));
        let model = ModelRef { provider: ProviderId("p".into()), model: "m".into() };
        let window = says(Source::Person);
        let personal = PersonalModel { window, ..PersonalModel::named("m".into()) };
        let learned = Learned { model, window: says(Source::Learned), calibration: None };
        let listed = ListedModel {
            loaded_window: says(Source::Loaded),
            window: says(Source::Provider),
            ..listed(None)
        };
        let source = Source::CataloguePrefix;
        let window = says(source).map(|value| Sourced { value, source });
        let known = ModelSpec { window, ..ModelSpec::default() };
        combine(Some(personal), &learned, Some(&listed), known)
    }

    #[test]
    fn what_was_read_before_something_was_learned_is_not_kept_after() {
        let models = Models::open(Path::new("nowhere"));
        let model = ModelRef { provider: ProviderId("p".into()), model: "m".into() };
        let before = Learned { model: model.clone(), window: None, calibration: None };
        let news = models.learned(&model).unwrap_err();
        models.forget();
        assert!(!models.keep(&before, news));
        let after = Learned { window: Some(8_192), ..before };
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
            let window = strongest.map(|(source, value)| Sourced { value, source });
            assert_eq!(spec, ModelSpec { window, ..ModelSpec::default() }, "{speaking:05b}");
        }
    }

    #[test]
    fn law_05_a_longest_prompt_does_not_narrow_a_window_that_is_known_better() {
        let known = ModelSpec {
            window: of(400_000, Source::Catalogue),
            max_input: of(272_000, Source::Catalogue),
            max_output: of(128_000, Source::Catalogue),
            tools: Some(true),
            ..ModelSpec::default()
        };
        let model = ModelRef { provider: ProviderId("p".into()), model: "m".into() };
        let learned = |window| Learned { model: model.clone(), window, calibration: None };
        assert_eq!(combine(None, &learned(None), None, known.clone()), known);
        let listed = listed(Some(90_000));
        let refused = combine(None, &learned(Some(300_000)), Some(&listed), known.clone());
        let window = of(300_000, Source::Learned);
        assert_eq!(refused, ModelSpec { window, max_input: None, ..known });
    }
}
