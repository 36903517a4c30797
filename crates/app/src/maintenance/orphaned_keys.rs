//! Deletes keys that nothing names: a program that was killed while a provider or a server was removed leaves
//! them in secrets.json or in the keychain. They are deleted after the settings have not named them for a
//! day.
//!
//! The keychain belongs to the user's account: a second installation with settings in another folder uses the
//! same entries. Only portable use (`SKEIN_DATA_DIR`) has keys of its own.
//!
//! Not here: storing keys (`secrets`), or deleting the keys of a removed provider (`settings_with_secrets`).

use std::collections::BTreeSet;
use std::sync::Arc;

use skein_domain::error::Result;
use skein_tools::mcp::config::read_server;
use skein_tools::mcp::keys::secret_names;

use crate::clock::now;
use crate::mcp::mcp_auth::credential_names;
use crate::secrets::Secrets;
use crate::settings::{Settings, SettingsFile};
use crate::shared_state::SharedState;
use crate::tools::SEARCH_KEY;

/// The time for which the settings must not name a key, in milliseconds: a file that is edited by hand, or
/// restored, may name it again.
const DAY: i64 = 24 * 60 * 60 * 1_000;

/// The keys that the settings name.
struct NamedKeys {
    exactly: BTreeSet<String>,
    /// Servers with an invalid entry: the keys that they name are unknown.
    unread_servers: Vec<String>,
}

impl NamedKeys {
    fn of(settings: &Settings) -> Self {
        let mut exactly = BTreeSet::from([SEARCH_KEY.to_owned()]);
        exactly.extend(settings.providers.iter().map(|provider| provider.id.0.clone()));
        let mut unread_servers = Vec::new();
        for (name, entry) in &settings.mcp_servers {
            match read_server(name, entry) {
                Ok(config) => exactly
                    .extend(secret_names(&config).into_iter().chain(credential_names(&config))),
                Err(_) => unread_servers.push(name.clone()),
            }
        }
        Self { exactly, unread_servers }
    }

    fn contains(&self, key: &str) -> bool {
        let may_be_of = |server: &String| key.contains(&format!("mcp.{server}"));
        self.exactly.contains(key) || self.unread_servers.iter().any(may_be_of)
    }
}

/// Deletes the keys that nothing names.
pub(crate) struct OrphanedKeys {
    settings: Arc<SettingsFile>,
    secrets: Arc<Secrets>,
}

impl OrphanedKeys {
    pub fn new(shared: &SharedState) -> Self {
        let (settings, secrets) = (Arc::clone(&shared.settings), Arc::clone(&shared.secrets));
        Self { settings, secrets }
    }

    /// Deletes the keys that nothing has named for a day. If the settings cannot be read completely, nothing
    /// is deleted.
    pub async fn drop_due(&self) {
        if let Err(error) = self.drop_keys_unnamed_at(now()).await {
            tracing::warn!(%error, "keys that nothing names were not removed");
        }
    }

    async fn drop_keys_unnamed_at(&self, now: i64) -> Result<()> {
        let Some(settings) = self.settings.read_whole() else { return Ok(()) };
        let named = NamedKeys::of(&settings);
        let orphans = self.secrets.orphans(now, |key| !named.contains(key)).await?;
        for (key, since) in orphans {
            if now.saturating_sub(since) >= DAY {
                self.secrets.remove(&key).await?;
                self.secrets.is_no_orphan(&key)?;
                tracing::info!("a key that nothing names was removed");
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;
    use std::sync::Arc;

    use super::*;
    use crate::app::App;
    use skein_platform::paths::AppPaths;

    const SETTINGS: &str = r#"{
        "providers": [{ "id": "mine", "kind": "openai", "name": "Mine" }],
        "mcpServers": { "notes": { "url": "https://notes.test/mcp" } }
    }"#;
    const KEYS: &str = r#"{ "mine": "1", "search": "2", "sign-in.mcp.notes": "3",
        "gone": "4", "mcp.gone.token": "5" }"#;

    fn orphaned_keys(folder: &Path) -> OrphanedKeys {
        fs::write(folder.join("secrets.json"), KEYS).unwrap();
        let paths = AppPaths::in_folder(folder);
        let settings = Arc::new(SettingsFile::open(&paths));
        OrphanedKeys { settings, secrets: Arc::new(Secrets::open(&paths)) }
    }

    async fn left(keys: &OrphanedKeys) -> Vec<&'static str> {
        let mut left = Vec::new();
        for name in ["mine", "search", "sign-in.mcp.notes", "gone", "mcp.gone.token"] {
            let kept = keys.secrets.get(name, &[]).await.unwrap();
            left.extend(kept.map(|_| name));
        }
        left
    }

    #[tokio::test]
    async fn keys_that_nothing_names_for_a_day_are_removed() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("settings.json"), SETTINGS).unwrap();
        let keys = orphaned_keys(folder.path());
        let now = now();
        keys.drop_keys_unnamed_at(now).await.unwrap();
        assert_eq!(left(&keys).await.len(), 5, "they may be named again");
        keys.drop_keys_unnamed_at(now + DAY + 60_000).await.unwrap();
        assert_eq!(left(&keys).await, ["mine", "search", "sign-in.mcp.notes"]);
    }

    #[tokio::test]
    async fn settings_that_cannot_be_read_whole_cost_no_key() {
        for text in [None, Some("{ broken"), Some(r#"{ "providers": [{ "id": 7 }] }"#)] {
            let folder = tempfile::tempdir().unwrap();
            if let Some(text) = text {
                fs::write(folder.path().join("settings.json"), text).unwrap();
            }
            let keys = orphaned_keys(folder.path());
            for days in 0..3 {
                keys.drop_keys_unnamed_at(now() + days * DAY).await.unwrap();
            }
            assert_eq!(left(&keys).await.len(), 5, "{text:?}");
        }
    }

    #[tokio::test]
    async fn a_key_named_again_within_the_day_stays() {
        let folder = tempfile::tempdir().unwrap();
        let settings = folder.path().join("settings.json");
        fs::write(&settings, "{}").unwrap();
        let keys = orphaned_keys(folder.path());
        let now = now();
        keys.drop_keys_unnamed_at(now).await.unwrap();
        fs::write(&settings, SETTINGS).unwrap();
        keys.drop_keys_unnamed_at(now + DAY / 2).await.unwrap();
        fs::write(&settings, "{}").unwrap();
        keys.drop_keys_unnamed_at(now + DAY + 60_000).await.unwrap();
        assert!(left(&keys).await.contains(&"mine"), "its day begins anew");
    }

    #[test]
    fn a_start_removes_half_files_of_settings_keys_and_prompts() {
        let folder = tempfile::tempdir().unwrap();
        let prompts = folder.path().join("prompts");
        fs::create_dir(&prompts).unwrap();
        let halves = [
            folder.path().join(".skein-aB3x9Z"),
            folder.path().join(".tmpaB3x9Z"),
            prompts.join(".skein-aB3x9Z"),
        ];
        let mine = prompts.join("review.md");
        for file in halves.iter().chain([&mine]) {
            fs::write(file, "half").unwrap();
        }
        let runtime = tokio::runtime::Runtime::new().unwrap();
        let _app =
            runtime.block_on(async { App::open(AppPaths::in_folder(folder.path())).unwrap() });
        assert!(mine.exists() && halves.iter().all(|half| !half.exists()));
    }
}
