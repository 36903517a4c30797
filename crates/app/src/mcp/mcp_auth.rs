//! Signing in to MCP servers, and out again: the pass that brings is a key like any other.
//!
//! Not here: how it is done (`tools::mcp::oauth_flow`), or opening the browser, which the window does.

use std::sync::Arc;

use async_trait::async_trait;
use skein_domain::error::Result;
use skein_tools::mcp::oauth::oauth_callback::SignInPageText;
use skein_tools::mcp::oauth::oauth_store::{CredentialKind, OAuthStore};
use skein_tools::mcp::{McpServerConfig, McpTransport};

use super::McpServers;
use crate::events::Topic;
use crate::secrets::{Secret, Secrets};

/// The passes and the registrations, among the keys.
pub(crate) struct SecretsOAuthStore(pub Arc<Secrets>);

/// Under which name it is kept: no configuration can name it as a value of its own.
fn name(server: &str, what: CredentialKind) -> String {
    match what {
        CredentialKind::Tokens => format!("sign-in.mcp.{server}"),
        CredentialKind::Registration => format!("registration.mcp.{server}"),
    }
}

/// The names of all that is kept of a server; none where nobody can sign in, so that nothing need be
/// asked for.
pub(crate) fn credential_names(config: &McpServerConfig) -> Vec<String> {
    let all =
        [CredentialKind::Tokens, CredentialKind::Registration].map(|what| name(&config.name, what));
    http_url(config).map(|_| all.to_vec()).unwrap_or_default()
}

/// The address at which the user signs in to a server; `None` for a server that is a local process.
pub(super) fn http_url(config: &McpServerConfig) -> Option<&str> {
    match &config.transport {
        McpTransport::Stdio { .. } => None,
        McpTransport::Http { url, .. } => Some(url),
    }
}

#[async_trait]
impl OAuthStore for SecretsOAuthStore {
    async fn read(&self, server: &str, what: CredentialKind) -> Result<Option<String>, String> {
        let kept = self.0.get(&name(server, what), &[]).await.map_err(|error| error.to_string())?;
        Ok(kept.map(|(kept, _)| kept.expose().to_owned()))
    }

    async fn is_kept(&self, server: &str) -> bool {
        matches!(self.0.location(&name(server, CredentialKind::Tokens), &[]).await, Ok(Some(_)))
    }

    async fn write(
        &self,
        server: &str,
        what: CredentialKind,
        kept: Option<String>,
    ) -> Result<(), String> {
        let name = name(server, what);
        let written = match kept {
            Some(kept) => self.0.set(&name, Secret::new(&kept)).await.map(drop),
            None => self.0.remove(&name).await,
        };
        written.map_err(|error| error.to_string())
    }
}

impl McpServers {
    /// Signs in to a server, because the person asked to: `open` shows them the page where they do.
    /// Returns when they have, and connects anew.
    ///
    /// # Errors
    /// [`Error::NotSignedIn`], or what `open` says.
    pub async fn sign_in(
        &self,
        name: String,
        words: SignInPageText,
        open: impl FnOnce(&str) -> Result<()> + Send,
    ) -> Result<()> {
        self.hub.sign_in(&name, &words, open).await
    }

    /// Waits no longer for the browser.
    pub fn cancel_sign_in(&self, name: &str) {
        self.hub.cancel_sign_in(name);
    }

    /// Forgets the pass of a server, and connects anew without. Skein stays known there.
    pub async fn sign_out(&self, server: String) -> Result<()> {
        self.hub.cancel_sign_in(&server);
        self.secrets.remove(&name(&server, CredentialKind::Tokens)).await?;
        self.notifier.changed([Topic::Tools {}]);
        self.hub.restart(&server)
    }
}
