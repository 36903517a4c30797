//! Changes the settings and the keys that belong to them: both, or neither.
//!
//! Not here: storing keys (`secrets`), and which keys belong to what (`providers`, `mcp`).

use std::sync::Arc;

use skein_domain::error::Result;

use crate::clock::now;
use crate::secrets::{Secret, Secrets};
use crate::settings::{Settings, SettingsFile};

/// The name of a key and its new value; `None`: the key is deleted.
pub(crate) type SecretChange = (String, Option<Secret>);

/// The settings and the keys, which are changed together.
pub(crate) struct SettingsWithSecrets {
    settings: Arc<SettingsFile>,
    secrets: Arc<Secrets>,
}

impl SettingsWithSecrets {
    pub fn new(settings: Arc<SettingsFile>, secrets: Arc<Secrets>) -> Self {
        Self { settings, secrets }
    }

    /// Changes the settings and then the keys. Returns the former keys of these names.
    ///
    /// # Errors
    /// A key cannot be read, the settings cannot be written, or a key cannot be changed. Then nothing has
    /// changed:
    /// `back` undoes the change of the settings.
    pub async fn update(
        &self,
        keys: Vec<SecretChange>,
        change: impl FnOnce(&mut Settings),
        undo: impl FnOnce(&mut Settings),
    ) -> Result<Vec<(String, Secret)>> {
        let mut before = Vec::new();
        for (name, _) in &keys {
            let kept = self.secrets.get(name, &[]).await?;
            before.push((name.clone(), kept.map(|(secret, _)| secret)));
        }
        for (name, _) in keys.iter().filter(|(_, key)| key.is_none()) {
            self.note_orphan(name);
        }
        self.settings.change(change)?;
        for (at, (name, key)) in keys.into_iter().enumerate() {
            if let Err(error) = self.set_or_remove(&name, key).await {
                self.restore_secrets(before.into_iter().take(at + 1)).await;
                if let Err(error) = self.settings.change(undo) {
                    tracing::warn!(%error, "the settings could not be changed back");
                }
                return Err(error);
            }
        }
        Ok(before.into_iter().filter_map(|(name, key)| Some((name, key?))).collect())
    }

    /// Records a key that is about to be deleted, so that the next start deletes it if this one is killed. An
    /// error does not stop the deletion: a server can be removed even if the disk is full.
    fn note_orphan(&self, name: &str) {
        if let Err(error) = self.secrets.may_be_orphan(name, now()) {
            tracing::warn!(%error, "a key that is removed was not noted");
        }
    }

    async fn set_or_remove(&self, name: &str, key: Option<Secret>) -> Result<()> {
        match key {
            Some(key) => self.secrets.set(name, key).await.map(|_| ()),
            None => self.secrets.remove(name).await,
        }?;
        if let Err(error) = self.secrets.is_no_orphan(name) {
            tracing::warn!(%error, "a key that is settled is still noted");
        }
        Ok(())
    }

    /// Restores keys, also the one whose change failed, because it may have been changed in part.
    async fn restore_secrets(&self, before: impl Iterator<Item = SecretChange>) {
        for (name, key) in before {
            if let Err(error) = self.set_or_remove(&name, key).await {
                tracing::warn!(%error, "a key could not be put back");
            }
        }
    }
}
