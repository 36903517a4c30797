//! The learned and listed properties of models, in memory.
//!
//! Not here: which source applies (`spec_sources`).

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use parking_lot::{Mutex, RwLock};
use skein_context::limits::catalog::Catalog;
use skein_domain::ids::ProviderId;
use skein_domain::model::ModelRef;
use skein_store::LearnedModel;

use crate::models::model_list_cache::ModelListCache;
use crate::models::window_evidence::WindowEvidence;

/// The interval between queries of local servers while their list is shown.
const QUERY_INTERVAL: Duration = Duration::from_secs(60);

/// The catalogue, and the learned and listed properties of models.
pub(crate) struct ModelKnowledge {
    catalog: RwLock<Arc<Catalog>>,
    /// The model lists of providers.
    pub listed: ModelListCache,
    learned: Mutex<LearnedModelCache>,
    /// Windows that reports suggest, until they are certain.
    pub window_evidence: WindowEvidence,
    /// Local servers that were asked for their window since the program started.
    queried_servers: Mutex<HashSet<ProviderId>>,
    /// The time of the last query of each local server.
    last_refresh: Mutex<HashMap<ProviderId, Instant>>,
}

/// The learned properties that were read from the store.
#[derive(Default)]
struct LearnedModelCache {
    models: HashMap<ModelRef, LearnedModel>,
    /// The number of changes. A value that was read before a change is not cached after it.
    version: u64,
}

impl ModelKnowledge {
    /// Starts with the catalogue that ships and the lists of the cache folder.
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

    /// The current catalogue.
    pub fn catalog(&self) -> Arc<Catalog> {
        Arc::clone(&self.catalog.read())
    }

    /// Replaces the catalogue.
    pub fn set_catalog(&self, catalog: Arc<Catalog>) {
        *self.catalog.write() = catalog;
    }

    /// True for the first call with a provider since the program started.
    pub fn is_first_use(&self, provider: &ProviderId) -> bool {
        self.queried_servers.lock().insert(provider.clone())
    }

    /// True if a local server is due for a query; counts the query.
    pub fn claim_refresh(&self, provider: &ProviderId) -> bool {
        let mut looked = self.last_refresh.lock();
        let due = looked.get(provider).is_none_or(|last| last.elapsed() >= QUERY_INTERVAL);
        if due {
            looked.insert(provider.clone(), Instant::now());
        }
        due
    }

    /// Drops all cached values after a change in the store.
    pub fn invalidate_learned(&self) {
        let mut learned = self.learned.lock();
        learned.models.clear();
        learned.version += 1;
    }

    /// The learned properties of a model.
    ///
    /// # Errors
    /// The limits are not cached. The number is that of the changes so far, for [`ModelKnowledge::keep`].
    pub fn learned(&self, model: &ModelRef) -> std::result::Result<LearnedModel, u64> {
        let learned = self.learned.lock();
        learned.models.get(model).cloned().ok_or(learned.version)
    }

    /// Caches values that were read, unless there was a change since; `false`: there was.
    pub fn cache_learned(&self, read: &LearnedModel, news: u64) -> bool {
        let mut learned = self.learned.lock();
        let is_latest = learned.version == news;
        if is_latest {
            learned.models.insert(read.model.clone(), read.clone());
        }
        is_latest
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn what_was_read_before_something_was_learned_is_not_kept_after() {
        let models = ModelKnowledge::open(Path::new("nowhere"));
        let model = ModelRef { provider: ProviderId("p".into()), model: "m".into() };
        let before = LearnedModel { model: model.clone(), window: None, calibration: None };
        let news = models.learned(&model).unwrap_err();
        models.invalidate_learned();
        assert!(!models.cache_learned(&before, news));
        let after = LearnedModel { window: Some(8_192), ..before };
        let news = models.learned(&model).unwrap_err();
        assert!(models.cache_learned(&after, news));
        assert_eq!(models.learned(&model), Ok(after));
    }
}
