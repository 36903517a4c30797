//! MCP servers: kept in the settings, started only after the person has seen their command, and
//! asked for what they offer.
//!
//! A turn waits a little for MCP servers that are starting; their tools would otherwise appear in the middle
//! of it.
//!
//! Not here: their tools (`tools`), their resources (`attachments`), how one is spoken to
//! (`tools::mcp`).

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Arc, MutexGuard, PoisonError};

use serde_json::Value;
use skein_domain::error::{Error, Result};
use skein_domain::model::ModelRef;
use skein_store::Grant;
use skein_tools::mcp::config::{McpImportResult, parse_config, read_server, to_entry};
use skein_tools::mcp::consent::{
    belongs_to, command_line, consent_key, is_masked_consent, is_orphaned, tool_grant,
};
use skein_tools::mcp::keys::{
    SecretValues, extract_secrets, is_placeholder, is_same_target, keep_existing_secrets,
    required_values, secret_names, value_key,
};
use skein_tools::mcp::{McpServerConfig, McpServerStatus, McpState};
use tokio_util::sync::CancellationToken;

use super::App;
use super::mcp_auth::{credential_names, http_url};
use crate::clock::now;
use crate::deep_links::seen;
use crate::events::Topic;
use crate::secrets::{Secret, Secrets};
use crate::settings::Settings;

/// A server that was taken out or replaced, for undoing that: it is nowhere else any more.
#[derive(Clone)]
pub(super) struct RemovedServer {
    /// As it was written in the settings.
    entry: Value,
    /// Those that have gone with it.
    secrets: Vec<(String, Secret)>,
    /// The person had agreed to its command.
    consent: Option<Grant>,
}

/// Who a configuration is from.
#[derive(Clone, Copy)]
enum ConfigOrigin {
    /// The person changed it here.
    User,
    /// It was pasted, or came with a link.
    External,
}

/// The servers' keys.
pub(super) fn secret_values(secrets: Arc<Secrets>) -> SecretValues {
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

impl App {
    /// Configured servers and how they are.
    pub async fn mcp_servers(&self) -> Result<Vec<McpServerStatus>> {
        Ok(self.hub.status().await)
    }

    /// Adds servers from a configuration in any dialect, and says what could not be used. None is
    /// started before the person has seen its command; one whose name was taken can be brought back.
    pub async fn add_mcp_servers(&self, pasted: String) -> Result<McpImportResult> {
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
                self.removed_servers().insert(config.name.clone(), before);
                added.replaced.push(config.name.clone());
            }
            added.servers.push(config);
        }
        Ok(added)
    }

    /// Adds or replaces one. What looks like a key goes where keys are; one that it no longer has is
    /// kept nowhere.
    pub async fn save_mcp_server(&self, mut config: McpServerConfig) -> Result<()> {
        self.save_server(&mut config, ConfigOrigin::User).await.map(drop)
    }

    /// Returns what it took the place of.
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
        let mut taken = extract_secrets(config);
        // What everybody replaces is no key: there is one already, or the person is asked for it.
        taken.retain(|(_, key)| !is_placeholder(key));
        let moved = |before: &&McpServerConfig| http_url(before) != http_url(config);
        let kept = before.as_ref().filter(moved).map(credential_names).unwrap_or_default();
        if !kept.is_empty() {
            self.hub.cancel_sign_in(&config.name);
        }
        let consented = self.consented(before.as_ref()).await?;
        let before = before.as_ref().map(secret_names).unwrap_or_default();
        let other_keys = !taken.is_empty();
        // What is reached otherwise gets nothing that was not given to it.
        let mut stays: BTreeSet<String> = taken.iter().map(|(name, _)| name.clone()).collect();
        if keeps_keys {
            stays.extend(secret_names(config));
        }
        let gone = before.difference(&stays).cloned().chain(kept).map(|name| (name, None));
        let new: Vec<(String, Secret)> =
            taken.into_iter().map(|(name, key)| (name, Secret::new(&key))).collect();
        let set = new.clone().into_iter().map(|(name, key)| (name, Some(key)));
        let (name, old) = (&config.name, self.written(&config.name));
        let same = old.as_ref() == Some(&to_entry(config));
        let keys = self
            .update_with_secrets(
                set.chain(gone).collect(),
                placed(name, Some(to_entry(config))),
                placed(name, old.clone()),
            )
            .await?;
        // The command says nothing of its keys: with others from elsewhere it is another one to agree to.
        if let (ConfigOrigin::External, Some(consented)) = (origin, &consented)
            && !new.iter().all(|key| keys.contains(key))
        {
            self.store.revoke(consented.clone()).await?;
        }
        self.notifier.changed([Topic::Settings {}]);
        self.sync_servers().await;
        if same && other_keys {
            self.hub.restart(name)?;
        }
        Ok(old.map(|entry| RemovedServer { entry, secrets: keys, consent: consented }))
    }

    /// The person's yes to the command of a server, if they gave it.
    async fn consented(&self, config: Option<&McpServerConfig>) -> Result<Option<Grant>> {
        let Some(config) = config else { return Ok(None) };
        let agreed = consent_key(config);
        let mut granted = self.store.global_grants().await?.into_iter();
        Ok(granted.find(|grant| grant.tool == agreed))
    }

    /// Gives a server a value that its configuration names ([`McpServerStatus::values`]), and starts it
    /// anew.
    ///
    /// # Errors
    /// [`Error::NotFound`] where it names no such value, or what the keychain says.
    pub async fn set_mcp_value(&self, server: String, name: String, value: String) -> Result<()> {
        let wants =
            self.configured(&server).filter(|config| required_values(config).contains(&name));
        wants.ok_or_else(|| Error::NotFound { what: format!("{name} of MCP server {server}") })?;
        self.secrets.set(&value_key(&server, &name), Secret::new(&value)).await?;
        self.hub.restart(&server)
    }

    /// Has a tool ask again that the configuration of its server lets run without a question. Agreeing to
    /// that was agreeing to less of it, too.
    pub(super) async fn revoke_always_allow(&self, allowed: &str) -> Result<()> {
        for config in self.configured_servers() {
            let mut narrower = config.clone();
            narrower.always_allow.retain(|tool| tool_grant(&config.name, tool) != allowed);
            if narrower == config {
                continue;
            }
            if self.consented(Some(&config)).await?.is_some() {
                let tool = consent_key(&narrower);
                self.store.grant(Grant { tool, session: None }, now()).await?;
            }
            self.save_mcp_server(narrower).await?;
        }
        Ok(())
    }

    /// Before a model that takes tools is asked: waits a little for servers that are being started, unless
    /// the turn is stopped.
    pub(crate) async fn wait_for_servers(&self, model: &ModelRef, cancel: &CancellationToken) {
        if self.spec(model).await.is_ok_and(|spec| spec.tools == Some(false)) {
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

    /// Turns a server on or off; off, its tools are gone.
    pub async fn enable_mcp_server(&self, name: String, on: bool) -> Result<()> {
        let gone = || Error::NotFound { what: format!("MCP server {name}") };
        let configured = self.configured(&name).ok_or_else(gone)?;
        self.save_mcp_server(McpServerConfig { enabled: on, ..configured }).await
    }

    /// Stops one and takes it out, with its keys and with what was allowed of it: one that is added
    /// under its name later begins anew.
    ///
    /// # Errors
    /// Where a key or the settings cannot be changed: then the server stays, with all its keys.
    pub async fn remove_mcp_server(&self, name: String) -> Result<()> {
        let Some(entry) = self.written(&name) else { return Ok(()) };
        let config = self.configured(&name);
        self.hub.cancel_sign_in(&name);
        let consented = self.consented(config.as_ref()).await?;
        let keys = config
            .iter()
            .flat_map(|config| secret_names(config).into_iter().chain(credential_names(config)));
        let keys = keys.map(|key| (key, None)).collect();
        let back = placed(&name, Some(entry.clone()));
        let keys = self.update_with_secrets(keys, placed(&name, None), back).await?;
        self.removed_servers()
            .insert(name, RemovedServer { entry, secrets: keys, consent: consented });
        self.notifier.changed([Topic::Settings {}]);
        self.sync_servers().await;
        Ok(())
    }

    /// Undoes that one was removed or replaced: with its keys, and without asking again. Each tool of it asks
    /// again.
    ///
    /// # Errors
    /// [`Error::NotFound`] where none was removed or replaced under this name since the start.
    pub async fn restore_mcp_server(&self, name: String) -> Result<()> {
        let removed = self.removed_servers().get(&name).cloned();
        let Some(RemovedServer { entry, secrets: keys, consent: consented }) = removed else {
            return Err(Error::NotFound { what: format!("MCP server {name}") });
        };
        let back = placed(&name, self.written(&name));
        let gone = self.only_of_now(&name, &entry).into_iter().map(|key| (key, None));
        let keys = keys.into_iter().map(|(key, secret)| (key, Some(secret)));
        let same = self.written(&name).as_ref() == Some(&entry);
        self.update_with_secrets(gone.chain(keys).collect(), placed(&name, Some(entry)), back)
            .await?;
        self.removed_servers().remove(&name);
        self.notifier.changed([Topic::Settings {}]);
        // What was agreed to of the one that stood here ends first.
        self.sync_servers().await;
        if let Some(consented) = consented {
            self.store.grant(consented, now()).await?;
            self.sync_servers().await;
        }
        if same {
            self.hub.restart(&name)?;
        }
        Ok(())
    }

    /// The keys of the server that stands under a name now, which the one of `entry` did not have.
    fn only_of_now(&self, name: &str, entry: &Value) -> Vec<String> {
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

    /// The person has seen this command and says yes: of the servers that ask, to those that would run
    /// exactly this.
    pub async fn allow_mcp_server(&self, command: String) -> Result<()> {
        let asks = |state: &McpState| matches!(state, McpState::NeedsConsent { command: asked, .. } if *asked == command);
        for server in self.hub.status().await.into_iter().filter(|server| asks(&server.state)) {
            let config = self.configured(&server.name);
            let Some(config) = config.filter(|config| command_line(config) == command) else {
                continue;
            };
            let grant = Grant { tool: consent_key(&config), session: None };
            self.store.grant(grant, now()).await?;
            self.forget_masked_line(&server.name).await?;
        }
        self.sync_servers().await;
        Ok(())
    }

    /// The yes that an earlier version kept has been given anew.
    async fn forget_masked_line(&self, server: &str) -> Result<()> {
        let kept = self.store.global_grants().await?.into_iter();
        for before in kept.filter(|grant| is_masked_consent(server, &grant.tool)) {
            self.store.revoke(before).await?;
        }
        Ok(())
    }

    /// Stops one and starts it again.
    pub async fn restart_mcp_server(&self, name: String) -> Result<()> {
        self.hub.restart(&name)
    }

    /// A prompt of a server, filled with the person's words, as text for the box: all of it can be seen.
    pub async fn mcp_prompt(
        &self,
        server: String,
        prompt: String,
        values: BTreeMap<String, String>,
    ) -> Result<String> {
        let words = self.hub.prompt(&server, &prompt, values).await?;
        Ok(seen(&words).into_owned())
    }

    /// Makes what runs follow the settings.
    pub(super) async fn sync_servers(&self) {
        let _one = self.server_sync.lock().await;
        let configs = self.configured_servers();
        let consents = self.consents(&configs).await.unwrap_or_else(|error| {
            tracing::warn!(%error, "no server starts, because nothing is known of consents");
            BTreeSet::new()
        });
        self.hub.apply_configs(configs, &consents);
    }

    /// What is allowed. What was allowed of a server that is gone or has become another one, is allowed
    /// no more; nor is a command that no server has. What cannot be read is not gone.
    async fn consents(&self, configs: &[McpServerConfig]) -> Result<BTreeSet<String>> {
        let unread = self.unread_servers(configs);
        let is_unread = |allowed: &str| match &unread {
            Some(names) => names.iter().any(|name| belongs_to(name, allowed)),
            None => true,
        };
        let replaced = self.hub.stale_grant_prefixes(configs).into_iter();
        for beginning in replaced.filter(|beginning| !is_unread(beginning)) {
            self.store.revoke_by_prefix(beginning).await?;
        }
        let mut consents = BTreeSet::new();
        for grant in self.store.all_grants().await? {
            if is_orphaned(&grant.tool, configs) && !is_unread(&grant.tool) {
                self.store.revoke(grant).await?;
            } else {
                consents.insert(grant.tool);
            }
        }
        Ok(consents)
    }

    /// The servers that stand in the settings and cannot be read; `None`: it cannot be read which do.
    fn unread_servers(&self, configs: &[McpServerConfig]) -> Option<Vec<String>> {
        let problems = self.settings.problems();
        let is_hidden = problems.iter().any(|problem| problem.key.starts_with("mcpServers"));
        if is_hidden || self.settings.broken().is_some() {
            return None;
        }
        let is_read = |name: &String| configs.iter().any(|config| config.name == *name);
        let written = self.settings.get().mcp_servers.keys().cloned().collect::<Vec<_>>();
        Some(written.into_iter().filter(|name| !is_read(name)).collect())
    }

    /// What stands in the settings under a name, readable or not.
    fn written(&self, name: &str) -> Option<Value> {
        self.settings.get().mcp_servers.get(name).cloned()
    }

    fn configured(&self, name: &str) -> Option<McpServerConfig> {
        self.configured_servers().into_iter().find(|config| config.name == name)
    }

    fn removed_servers(&self) -> MutexGuard<'_, HashMap<String, RemovedServer>> {
        self.removed_servers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn configured_servers(&self) -> Vec<McpServerConfig> {
        let written = &self.settings.get().mcp_servers;
        let read = written.iter().map(|(name, entry)| read_server(name, entry));
        let note = |problem: &_| tracing::warn!(?problem, "a server's configuration is unusable");
        read.filter_map(|read| read.inspect_err(note).ok()).collect()
    }
}

/// Puts an entry under a name, or none.
fn placed(name: &str, entry: Option<Value>) -> impl FnOnce(&mut Settings) {
    let name = name.to_owned();
    move |settings| match entry {
        Some(entry) => drop(settings.mcp_servers.insert(name, entry)),
        None => drop(settings.mcp_servers.remove(&name)),
    }
}
