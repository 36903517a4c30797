//! MCP servers: kept in the settings, started only after the person has seen their command, and
//! asked for what they offer.
//!
//! Not here: their tools (`tools`), their resources (`attachments`), how one is spoken to
//! (`tools::mcp`).

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::App;
use crate::error::{Error, Result};
use crate::events::Topic;
use crate::secrets::{Secret, Secrets};
use crate::store::Grant;
use crate::tools::mcp::config::{ParsedConfig, Values, entry, parse_config, take_secrets};
use crate::tools::mcp::{McpServerConfig, McpServerStatus};

/// The servers' keys.
pub(super) fn values(secrets: Arc<Secrets>) -> Values {
    Values(Arc::new(move |name| {
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
        Ok(self.hub.status())
    }

    /// Adds servers from a configuration in any dialect, and says what could not be used. None is
    /// started before the person has seen its command.
    pub async fn add_mcp_servers(&self, pasted: String) -> Result<ParsedConfig> {
        let parsed = parse_config(&pasted);
        for config in parsed.servers.clone() {
            self.save_mcp_server(config).await?;
        }
        Ok(parsed)
    }

    /// Adds or replaces one. What looks like a key goes where keys are.
    pub async fn save_mcp_server(&self, mut config: McpServerConfig) -> Result<()> {
        for (name, value) in take_secrets(&mut config) {
            self.secrets.set(&name, Secret::new(&value)).await?;
        }
        self.settings.change(|settings| {
            settings.mcp_servers.insert(config.name.clone(), entry(&config));
        })?;
        self.changed([Topic::Settings {}]);
        self.apply_servers().await;
        Ok(())
    }

    /// Turns a server on or off; off, its tools are gone.
    pub async fn enable_mcp_server(&self, name: String, on: bool) -> Result<()> {
        let configured = self.configured_servers().into_iter().find(|config| config.name == name);
        let gone = || Error::NotFound { what: format!("MCP server {name}") };
        self.save_mcp_server(McpServerConfig { enabled: on, ..configured.ok_or_else(gone)? }).await
    }

    /// Stops one and takes it out.
    pub async fn remove_mcp_server(&self, name: String) -> Result<()> {
        self.settings.change(|settings| {
            settings.mcp_servers.remove(&name);
        })?;
        self.changed([Topic::Settings {}]);
        self.apply_servers().await;
        Ok(())
    }

    /// The person has seen this command and says yes.
    pub async fn allow_mcp_server(&self, command: String) -> Result<()> {
        let grant = Grant { tool: consent(&command), session: None };
        self.store.grant(grant, self.now()).await?;
        self.apply_servers().await;
        Ok(())
    }

    /// Stops one and starts it again.
    pub async fn restart_mcp_server(&self, name: String) -> Result<()> {
        self.hub.restart(&name)
    }

    /// A prompt of a server, filled with the person's words, as text for the box.
    pub async fn mcp_prompt(
        &self,
        server: String,
        prompt: String,
        values: BTreeMap<String, String>,
    ) -> Result<String> {
        self.hub.prompt(&server, &prompt, values).await
    }

    /// Makes what runs follow the settings.
    pub(super) async fn apply_servers(&self) {
        let configs = self.configured_servers();
        let consents = self.consents(&configs).await.unwrap_or_else(|error| {
            tracing::warn!(%error, "no server starts, because nothing is known of consents");
            BTreeSet::new()
        });
        self.hub.apply(configs, &consents);
    }

    /// The commands that may run. What was allowed of a server that is gone or has become another
    /// one, is allowed no more.
    async fn consents(&self, configs: &[McpServerConfig]) -> Result<BTreeSet<String>> {
        for beginning in self.hub.replaced(configs) {
            self.store.revoke_all(beginning).await?;
        }
        let grants = self.store.lasting_grants().await?.into_iter();
        let command = |grant: Grant| grant.tool.strip_prefix(CONSENT).map(str::to_owned);
        Ok(grants.filter_map(command).collect())
    }

    fn configured_servers(&self) -> Vec<McpServerConfig> {
        let written = serde_json::json!({ "mcpServers": self.settings.get().mcp_servers });
        let parsed = parse_config(&written.to_string());
        for problem in &parsed.problems {
            tracing::warn!(?problem, "a server's configuration is unusable");
        }
        parsed.servers
    }
}

const CONSENT: &str = "mcp:";

fn consent(command: &str) -> String {
    format!("{CONSENT}{command}")
}
