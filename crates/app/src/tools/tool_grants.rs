//! The lasting grants of the user for tools.

use std::sync::Arc;

use skein_domain::error::Result;
use skein_domain::ids::{GrantKey, SessionId};
use skein_store::{Grant, Store};
use skein_tools::mcp::consent::covers;
use skein_tools::mcp::hub::Hub;
use skein_tools::permission::Grants;

use crate::clock::now;
use crate::mcp::McpServers;
use crate::shared_state::SharedState;

/// The user's grants, for all sessions or for one.
pub struct ToolGrants {
    store: Store,
    hub: Arc<Hub>,
    mcp: Arc<McpServers>,
}

impl ToolGrants {
    pub(crate) fn new(shared: &SharedState, mcp: Arc<McpServers>) -> Self {
        Self { store: shared.store.clone(), hub: Arc::clone(&shared.hub), mcp }
    }

    /// The grants that apply in a session.
    pub(crate) async fn grants(&self, session: SessionId) -> Result<Grants> {
        let mut grants = Grants { always: self.hub.always_allowed(), ..Grants::default() };
        for grant in self.store.grants(session).await? {
            match grant.session {
                Some(_) => grants.session.insert(grant.tool),
                None => grants.always.insert(grant.tool),
            };
        }
        Ok(grants)
    }

    /// All grants, including those in the configurations of MCP servers.
    pub async fn list(&self) -> Result<Vec<Grant>> {
        let mut grants = self.store.all_grants().await?;
        let configured =
            self.hub.always_allowed().into_iter().map(|tool| Grant { tool, session: None });
        let new: Vec<Grant> = configured.filter(|grant| !grants.contains(grant)).collect();
        grants.extend(new);
        Ok(grants)
    }

    /// True if a grant for the name of a tool applies. One in a configuration does. One of an earlier version
    /// applies once, and is then replaced by a grant for the tool's current declaration.
    pub(crate) async fn has_grant_by_name(
        &self,
        session: SessionId,
        named: &GrantKey,
        current: GrantKey,
    ) -> Result<bool> {
        if self.hub.always_allowed().contains(named) {
            return Ok(true);
        }
        let mut kept = self.store.grants(session).await?;
        kept.retain(|kept| kept.tool == *named);
        for kept in &kept {
            let grant = Grant { tool: current.clone(), session: kept.session };
            self.save_grant(Some(named.clone()), grant).await?;
        }
        Ok(!kept.is_empty())
    }

    /// True if the user granted the tool of this name before, whatever its declaration was.
    pub(crate) async fn had_grant(&self, session: SessionId, named: &GrantKey) -> Result<bool> {
        let kept = self.store.grants(session).await?;
        Ok(kept.iter().any(|kept| covers(named, &kept.tool)))
    }

    /// Stores a grant. Replaces those for former declarations of the same tool.
    pub(crate) async fn save_grant(&self, named: Option<GrantKey>, grant: Grant) -> Result<()> {
        if let Some(named) = named {
            let kept = self.store.all_grants().await?.into_iter();
            for before in kept.filter(|it| it.session == grant.session && covers(&named, &it.tool))
            {
                self.store.revoke(before).await?;
            }
        }
        self.store.grant(grant, now()).await
    }

    /// Revokes a grant. A server whose command is no longer granted is stopped.
    pub async fn revoke(&self, grant: Grant) -> Result<()> {
        if grant.session.is_none() {
            self.mcp.revoke_always_allow(&grant.tool).await?;
        }
        self.store.revoke(grant).await?;
        self.mcp.sync().await;
        Ok(())
    }
}
