//! The user's consents to MCP servers: a server starts only after the user has seen its command, and its
//! tools ask unless its configuration allows them.

use std::collections::BTreeSet;

use skein_domain::error::Result;
use skein_domain::ids::GrantKey;
use skein_store::Grant;
use skein_tools::mcp::consent::{
    belongs_to, command_line, consent_key, is_masked_consent, is_orphaned, tool_grant,
};
use skein_tools::mcp::{McpServerConfig, McpState};

use super::McpServers;
use crate::clock::now;

impl McpServers {
    /// Makes a tool ask again that the configuration of its server allows. The consent to the former
    /// configuration includes the narrower one.
    pub(crate) async fn revoke_always_allow(&self, allowed: &GrantKey) -> Result<()> {
        for config in self.configured_servers() {
            let mut narrower = config.clone();
            narrower.always_allow.retain(|tool| tool_grant(&config.name, tool) != *allowed);
            if narrower == config {
                continue;
            }
            if self.consented(Some(&config)).await?.is_some() {
                let tool = consent_key(&narrower);
                self.store.grant(Grant { tool, session: None }, now()).await?;
            }
            self.save(narrower).await?;
        }
        Ok(())
    }

    /// The user's consent to a command. It applies to the waiting servers with exactly this command.
    pub async fn allow(&self, command: String) -> Result<()> {
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
        self.sync().await;
        Ok(())
    }

    /// Deletes a consent in the format of an earlier version, after a new one was given.
    async fn forget_masked_line(&self, server: &str) -> Result<()> {
        let kept = self.store.global_grants().await?.into_iter();
        for before in kept.filter(|grant| is_masked_consent(server, &grant.tool)) {
            self.store.revoke(before).await?;
        }
        Ok(())
    }

    /// Adapts the running servers to the settings. In safe mode all servers are off.
    pub(crate) async fn sync(&self) {
        let _one = self.server_sync.lock().await;
        let mut configs = self.configured_servers();
        let consents = self.consents(&configs).await.unwrap_or_else(|error| {
            tracing::warn!(%error, "no server starts, because nothing is known of consents");
            BTreeSet::new()
        });
        if self.settings.is_safe_mode() {
            configs.iter_mut().for_each(|config| config.enabled = false);
        }
        self.hub.apply_configs(configs, &consents);
    }

    /// The valid consents. Consents for removed or changed servers are revoked, and so are those for a
    /// command that no server has. Servers that cannot be read keep theirs.
    async fn consents(&self, configs: &[McpServerConfig]) -> Result<BTreeSet<GrantKey>> {
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
            if is_orphaned(&grant.tool, configs) && !is_unread(grant.tool.as_str()) {
                self.store.revoke(grant).await?;
            } else {
                consents.insert(grant.tool);
            }
        }
        Ok(consents)
    }

    /// The servers in the settings that cannot be read; `None`: it is unknown which.
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

    /// The user's consent to the command of a server; `None`: there is none.
    pub(super) async fn consented(
        &self,
        config: Option<&McpServerConfig>,
    ) -> Result<Option<Grant>> {
        let Some(config) = config else { return Ok(None) };
        let agreed = consent_key(config);
        let mut granted = self.store.global_grants().await?.into_iter();
        Ok(granted.find(|grant| grant.tool == agreed))
    }
}
