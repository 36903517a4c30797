//! The lasting answers to the questions of tools.

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

/// What the person allowed for good, or for a session.
pub struct ToolGrants {
    store: Store,
    hub: Arc<Hub>,
    mcp: Arc<McpServers>,
}

impl ToolGrants {
    pub(crate) fn new(shared: &SharedState, mcp: Arc<McpServers>) -> Self {
        Self { store: shared.store.clone(), hub: Arc::clone(&shared.hub), mcp }
    }

    /// The lasting answers that hold in a session.
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

    /// The lasting answers, those of all sessions, and those that the configurations of servers give.
    pub async fn list(&self) -> Result<Vec<Grant>> {
        let mut grants = self.store.all_grants().await?;
        let configured =
            self.hub.always_allowed().into_iter().map(|tool| Grant { tool, session: None });
        let new: Vec<Grant> = configured.filter(|grant| !grants.contains(grant)).collect();
        grants.extend(new);
        Ok(grants)
    }

    /// Whether a yes to the name of a tool holds. That of a configuration does. One that an earlier version
    /// kept holds this once, and from then on for the tool as it is.
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

    /// Whether the person said a lasting yes to the tool of this name, whatever it was then.
    pub(crate) async fn had_grant(&self, session: SessionId, named: &GrantKey) -> Result<bool> {
        let kept = self.store.grants(session).await?;
        Ok(kept.iter().any(|kept| covers(named, &kept.tool)))
    }

    /// Keeps a lasting yes, in the place of those to the same tool as it was before.
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

    /// Has a tool ask again; a server whose command is no longer agreed to is ended.
    pub async fn revoke(&self, grant: Grant) -> Result<()> {
        if grant.session.is_none() {
            self.mcp.revoke_always_allow(&grant.tool).await?;
        }
        self.store.revoke(grant).await?;
        self.mcp.sync().await;
        Ok(())
    }
}
