//! Removes servers, and restores removed or replaced ones.

use serde_json::Value;
use skein_domain::error::{Error, Result};
use skein_store::Grant;
use skein_tools::mcp::config::read_server;
use skein_tools::mcp::keys::secret_names;

use super::mcp_auth::{credential_names, http_url};
use super::{McpServers, set_entry};
use crate::clock::now;
use crate::events::Topic;
use crate::secrets::Secret;

/// A removed or replaced server, for undo. It is stored nowhere else.
#[derive(Clone)]
pub(super) struct RemovedServer {
    /// The entry in the settings.
    pub entry: Value,
    /// The keys that were removed with it.
    pub secrets: Vec<(String, Secret)>,
    /// The user's consent to its command.
    pub consent: Option<Grant>,
}

impl McpServers {
    /// Stops a server and removes it with its keys and consents, so that a later server of the same name has
    /// none.
    ///
    /// # Errors
    /// A key or the settings cannot be changed; then the server stays with all its keys.
    pub async fn remove(&self, name: String) -> Result<()> {
        let Some(entry) = self.entry(&name) else { return Ok(()) };
        let config = self.configured(&name);
        self.hub.cancel_sign_in(&name);
        let consented = self.consented(config.as_ref()).await?;
        let keys = config
            .iter()
            .flat_map(|config| secret_names(config).into_iter().chain(credential_names(config)));
        let keys = keys.map(|key| (key, None)).collect();
        let back = set_entry(&name, Some(entry.clone()));
        let keys = self.settings_with_secrets.update(keys, set_entry(&name, None), back).await?;
        self.removed_servers
            .lock()
            .insert(name, RemovedServer { entry, secrets: keys, consent: consented });
        self.notifier.changed([Topic::Settings {}]);
        self.sync().await;
        Ok(())
    }

    /// Restores a removed or replaced server with its keys and its consent. Each of its tools asks again.
    ///
    /// # Errors
    /// [`Error::NotFound`] if none of this name was removed or replaced since the start.
    pub async fn restore(&self, name: String) -> Result<()> {
        let removed = self.removed_servers.lock().get(&name).cloned();
        let Some(RemovedServer { entry, secrets: keys, consent: consented }) = removed else {
            return Err(Error::NotFound { what: format!("MCP server {name}") });
        };
        let back = set_entry(&name, self.entry(&name));
        let deleted = self.new_secret_names(&name, &entry).into_iter().map(|key| (key, None));
        let keys = keys.into_iter().map(|(key, secret)| (key, Some(secret)));
        let same = self.entry(&name).as_ref() == Some(&entry);
        self.settings_with_secrets
            .update(deleted.chain(keys).collect(), set_entry(&name, Some(entry)), back)
            .await?;
        self.removed_servers.lock().remove(&name);
        self.notifier.changed([Topic::Settings {}]);
        // The consents of the server that is replaced now end first.
        self.sync().await;
        if let Some(consented) = consented {
            self.store.grant(consented, now()).await?;
            self.sync().await;
        }
        if same {
            self.hub.restart(&name)?;
        }
        Ok(())
    }

    /// The keys of the current server of this name that the server of `entry` did not have.
    fn new_secret_names(&self, name: &str, entry: &Value) -> Vec<String> {
        let Some(now) = self.configured(name) else { return Vec::new() };
        let then = read_server(name, entry).ok();
        let stays = then.as_ref().map(secret_names).unwrap_or_default();
        let moved = then.as_ref().and_then(http_url) != http_url(&now);
        if moved {
            self.hub.cancel_sign_in(name);
        }
        let kept = if moved { credential_names(&now) } else { Vec::new() };
        secret_names(&now).into_iter().filter(|key| !stays.contains(key)).chain(kept).collect()
    }
}
