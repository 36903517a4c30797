//! The model lists of providers, cached on disk: a listed model can be chosen and its window is known at the
//! next start. A cache file that cannot be read is ignored, because the lists can be fetched again.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use parking_lot::Mutex;
use skein_domain::ids::ProviderId;
use skein_providers::ListedModel;

use super::catalog_refresh::write;

/// The lists of all providers.
pub(crate) struct ModelListCache {
    file: PathBuf,
    lists: Mutex<HashMap<ProviderId, Vec<ListedModel>>>,
}

impl ModelListCache {
    /// Reads the lists from the cache folder.
    pub fn open(cache: &Path) -> Self {
        let file = cache.join("listed.json");
        let kept = std::fs::read(&file).ok();
        let lists = kept.and_then(|json| serde_json::from_slice(&json).ok()).unwrap_or_default();
        Self { file, lists: Mutex::new(lists) }
    }

    /// The models that a provider lists; empty if it was never asked.
    pub fn of(&self, provider: &ProviderId) -> Vec<ListedModel> {
        self.lists.lock().get(provider).cloned().unwrap_or_default()
    }

    /// Stores the list of a provider.
    pub async fn set(&self, provider: ProviderId, models: Vec<ListedModel>) {
        let json = {
            let mut lists = self.lists.lock();
            lists.insert(provider, models);
            serde_json::to_vec(&*lists)
        };
        match json {
            Ok(json) if write(self.file.clone(), &json).await => {}
            Ok(_) | Err(_) => tracing::warn!("the lists of models were not kept"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn fr_3_5_what_a_provider_listed_is_known_after_a_new_start() {
        let folder = tempfile::tempdir().unwrap();
        let provider = ProviderId("mine".to_owned());
        let model = ListedModel {
            id: "m".to_owned(),
            name: None,
            window: Some(32_768),
            loaded_window: Some(8_192),
            max_input: None,
            max_output: None,
        };
        ModelListCache::open(folder.path()).set(provider.clone(), vec![model.clone()]).await;
        assert_eq!(ModelListCache::open(folder.path()).of(&provider), [model]);
        std::fs::write(folder.path().join("listed.json"), "{").unwrap();
        assert_eq!(ModelListCache::open(folder.path()).of(&provider), []);
    }
}
