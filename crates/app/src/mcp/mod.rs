//! MCP servers: stored in the settings, started only after the user has seen their command, and asked for
//! their tools.
//!
//! A turn waits a little for MCP servers that are starting; their tools would otherwise appear in the middle
//! of it.
//!
//! Not here: their tools (`tools`), their resources (`attachments`), the protocol (`tools::mcp`).

pub(crate) mod mcp_auth;
mod removed_servers;
mod server_consents;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use parking_lot::Mutex;
use serde_json::Value;
use skein_domain::error::{Error, Result};
use skein_domain::model::ModelRef;
use skein_store::Store;
use skein_tools::mcp::config::{McpImportResult, parse_config, read_server, to_entry};
use skein_tools::mcp::hub::Hub;
use skein_tools::mcp::keys::{
    SecretValues, extract_secrets, is_placeholder, is_same_target, keep_existing_secrets,
    required_values, secret_names, value_key,
};
use skein_tools::mcp::{McpServerConfig, McpServerStatus};
use tokio_util::sync::CancellationToken;

use crate::deep_links::without_invisible;
use crate::events::Topic;
use crate::models::Models;
use crate::notifier::Notifier;
use crate::secrets::{Secret, Secrets};
use crate::settings::settings_with_secrets::SettingsWithSecrets;
use crate::settings::{Settings, SettingsFile};
use crate::shared_state::SharedState;
use mcp_auth::{credential_names, http_url};
use removed_servers::RemovedServer;

/// The origin of a configuration.
#[derive(Clone, Copy)]
enum ConfigOrigin {
    /// The user edited it here.
    User,
    /// The configuration was pasted, or came with a link.
    External,
}

/// The keys of the servers.
pub(crate) fn secret_values(secrets: Arc<Secrets>) -> SecretValues {
    SecretValues(Arc::new(move |name| {
        let secrets = Arc::clone(&secrets);
        Box::pin(async move {
            match secrets.get(&name, &[]).await {
                Ok(secret) => secret.map(|(secret, _)| secret.expose().to_owned()),
                Err(error) => {
                    tracing::warn!(%error, "a server's secret cannot be read");
                    None
                }
            }
        })
    }))
}

/// The MCP servers of the settings.
pub struct McpServers {
    store: Store,
    settings: Arc<SettingsFile>,
    secrets: Arc<Secrets>,
    hub: Arc<Hub>,
    notifier: Notifier,
    models: Arc<Models>,
    settings_with_secrets: SettingsWithSecrets,
    removed_servers: Mutex<HashMap<String, RemovedServer>>,
    /// Locked while the running servers are adapted to the settings. Two such runs at once could revoke a
    /// newer consent.
    server_sync: tokio::sync::Mutex<()>,
}

impl McpServers {
    pub(crate) fn new(shared: &SharedState, models: Arc<Models>) -> Self {
        Self {
            store: shared.store.clone(),
            settings: Arc::clone(&shared.settings),
            secrets: Arc::clone(&shared.secrets),
            hub: Arc::clone(&shared.hub),
            notifier: shared.notifier.clone(),
            settings_with_secrets: SettingsWithSecrets::new(
                Arc::clone(&shared.settings),
                Arc::clone(&shared.secrets),
            ),
            removed_servers: Mutex::default(),
            server_sync: tokio::sync::Mutex::default(),
            models,
        }
    }

    /// The configured servers and their states.
    pub async fn list(&self) -> Result<Vec<McpServerStatus>> {
        Ok(self.hub.status().await)
    }

    /// Adds servers from a configuration of any known format, and reports invalid entries. None starts before
    /// the user has seen its command. A replaced server can be restored.
    pub async fn add(&self, pasted: String) -> Result<McpImportResult> {
        let parsed = parse_config(&pasted);
        let mut added = McpImportResult {
            servers: Vec::new(),
            replaced: Vec::new(),
            asking: Vec::new(),
            problems: parsed.problems,
        };
        for mut config in parsed.servers {
            if !std::mem::take(&mut config.always_allow).is_empty() {
                added.asking.push(config.name.clone());
            }
            if let Some(before) = self.save_server(&mut config, ConfigOrigin::External).await? {
                self.removed_servers.lock().insert(config.name.clone(), before);
                added.replaced.push(config.name.clone());
            }
            added.servers.push(config);
        }
        Ok(added)
    }

    /// Adds or replaces a server. Values that look like keys are stored with the keys; keys that it no longer
    /// uses are deleted.
    pub async fn save(&self, mut config: McpServerConfig) -> Result<()> {
        self.save_server(&mut config, ConfigOrigin::User).await.map(drop)
    }

    /// Returns the server that was replaced.
    async fn save_server(
        &self,
        config: &mut McpServerConfig,
        origin: ConfigOrigin,
    ) -> Result<Option<RemovedServer>> {
        let before = self.configured(&config.name);
        let reached = before.as_ref().filter(|before| is_same_target(config, before));
        let keeps_keys = reached.is_some();
        if let Some(before) = reached {
            keep_existing_secrets(config, before);
        }
        let mut extracted = extract_secrets(config);
        // A placeholder is no key: the key exists already, or the user is asked for it.
        extracted.retain(|(_, key)| !is_placeholder(key));
        let moved = |before: &&McpServerConfig| http_url(before) != http_url(config);
        let kept = before.as_ref().filter(moved).map(credential_names).unwrap_or_default();
        if !kept.is_empty() {
            self.hub.cancel_sign_in(&config.name);
        }
        let consented = self.consented(before.as_ref()).await?;
        let before = before.as_ref().map(secret_names).unwrap_or_default();
        let other_keys = !extracted.is_empty();
        // A server at another address gets no keys that were not given to it.
        let mut stays: BTreeSet<String> = extracted.iter().map(|(name, _)| name.clone()).collect();
        if keeps_keys {
            stays.extend(secret_names(config));
        }
        let unused = before.difference(&stays).cloned().chain(kept).map(|name| (name, None));
        let new: Vec<(String, Secret)> =
            extracted.into_iter().map(|(name, key)| (name, Secret::new(&key))).collect();
        let set = new.clone().into_iter().map(|(name, key)| (name, Some(key)));
        let (name, old) = (&config.name, self.entry(&config.name));
        let same = old.as_ref() == Some(&to_entry(config));
        let keys = self
            .settings_with_secrets
            .update(
                set.chain(unused).collect(),
                set_entry(name, Some(to_entry(config))),
                set_entry(name, old.clone()),
            )
            .await?;
        // The command does not show its keys: with foreign keys it needs a new consent.
        if let (ConfigOrigin::External, Some(consented)) = (origin, &consented)
            && !new.iter().all(|key| keys.contains(key))
        {
            self.store.revoke(consented.clone()).await?;
        }
        self.notifier.changed([Topic::Settings {}]);
        self.sync().await;
        if same && other_keys {
            self.hub.restart(name)?;
        }
        Ok(old.map(|entry| RemovedServer { entry, secrets: keys, consent: consented }))
    }

    /// Sets a value that the configuration of a server refers to ([`McpServerStatus::values`]), and restarts
    /// the server.
    ///
    /// # Errors
    /// [`Error::NotFound`] if it refers to no such value, or the error of the keychain.
    pub async fn set_value(&self, server: String, name: String, value: String) -> Result<()> {
        let wants =
            self.configured(&server).filter(|config| required_values(config).contains(&name));
        wants.ok_or_else(|| Error::NotFound { what: format!("{name} of MCP server {server}") })?;
        self.secrets.set(&value_key(&server, &name), Secret::new(&value)).await?;
        self.hub.restart(&server)
    }

    /// Waits a little for servers that are starting, before a call of a model with tools. A stopped turn
    /// waits no longer.
    pub(crate) async fn wait_for_servers(&self, model: &ModelRef, cancel: &CancellationToken) {
        if self.models.spec(model).await.is_ok_and(|spec| spec.tools == Some(false)) {
            return;
        }
        let tried = async {
            drop(self.server_sync.lock().await);
            self.hub.wait_for_first_attempts().await;
        };
        tokio::select! {
            () = tried => {}
            () = cancel.cancelled() => {}
        }
    }

    /// Switches a server on or off.
    pub async fn enable(&self, name: String, on: bool) -> Result<()> {
        let not_found = || Error::NotFound { what: format!("MCP server {name}") };
        let configured = self.configured(&name).ok_or_else(not_found)?;
        self.save(McpServerConfig { enabled: on, ..configured }).await
    }

    /// Stops a server and starts it again.
    pub async fn restart(&self, name: String) -> Result<()> {
        self.hub.restart(&name)
    }

    /// A prompt of a server, filled with the user's values, as text for the composer.
    pub async fn prompt(
        &self,
        server: String,
        prompt: String,
        values: BTreeMap<String, String>,
    ) -> Result<String> {
        let text = self.hub.prompt(&server, &prompt, values).await?;
        Ok(without_invisible(&text).into_owned())
    }

    /// The entry of a server in the settings, valid or not.
    fn entry(&self, name: &str) -> Option<Value> {
        self.settings.get().mcp_servers.get(name).cloned()
    }

    fn configured(&self, name: &str) -> Option<McpServerConfig> {
        self.configured_servers().into_iter().find(|config| config.name == name)
    }

    pub(crate) fn configured_servers(&self) -> Vec<McpServerConfig> {
        let written = &self.settings.get().mcp_servers;
        let read = written.iter().map(|(name, entry)| read_server(name, entry));
        let note = |problem: &_| tracing::warn!(?problem, "a server's configuration is unusable");
        read.filter_map(|read| read.inspect_err(note).ok()).collect()
    }
}

/// Sets or removes the entry of a server.
fn set_entry(name: &str, entry: Option<Value>) -> impl FnOnce(&mut Settings) {
    let name = name.to_owned();
    move |settings| match entry {
        Some(entry) => drop(settings.mcp_servers.insert(name, entry)),
        None => drop(settings.mcp_servers.remove(&name)),
    }
}
