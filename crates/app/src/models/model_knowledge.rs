//! What was learned of models, or listed by their providers, in memory.
//!
//! Not here: which of it is believed (`spec_sources`).

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

/// How often servers near by are asked what they have, while their list is looked at.
const LOOK_EVERY: Duration = Duration::from_secs(60);

/// What was learned or listed, in memory.
pub(crate) struct ModelKnowledge {
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

impl ModelKnowledge {
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
        Arc::clone(&self.catalog.read())
    }

    /// A newer catalogue came.
    pub fn set_catalog(&self, catalog: Arc<Catalog>) {
        *self.catalog.write() = catalog;
    }

    /// Whether this is the first time since the program was opened.
    pub fn is_first_use(&self, provider: &ProviderId) -> bool {
        self.queried_servers.lock().insert(provider.clone())
    }

    /// Whether a server near by was not asked what it has for a while; then it is now.
    pub fn claim_refresh(&self, provider: &ProviderId) -> bool {
        let mut looked = self.last_refresh.lock();
        let due = looked.get(provider).is_none_or(|last| last.elapsed() >= LOOK_EVERY);
        if due {
            looked.insert(provider.clone(), Instant::now());
        }
        due
    }

    /// Something was learned, and is stored: all of it is read again when it is next asked for.
    pub fn invalidate_learned(&self) {
        let mut learned = self.learned.lock();
        learned.known.clear();
        learned.version += 1;
    }

    /// What was learned of a model.
    ///
    /// # Errors
    /// Where that is to be read first: how much was learned by now, for [`ModelKnowledge::keep`].
    pub fn learned(&self, model: &ModelRef) -> std::result::Result<LearnedModel, u64> {
        let learned = self.learned.lock();
        learned.known.get(model).cloned().ok_or(learned.version)
    }

    /// Keeps what was read, unless something was learned since; `false`: something was.
    pub fn keep(&self, read: &LearnedModel, news: u64) -> bool {
        let mut learned = self.learned.lock();
        let is_latest = learned.version == news;
        if is_latest {
            learned.known.insert(read.model.clone(), read.clone());
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
        assert!(!models.keep(&before, news));
        let after = LearnedModel { window: Some(8_192), ..before };
        let news = models.learned(&model).unwrap_err();
        assert!(models.keep(&after, news));
        assert_eq!(models.learned(&model), Ok(after));
    }
}
