//! Signs in to MCP servers, and out again. The tokens are stored like other keys.
//!
//! Not here: the OAuth flow (`tools::mcp::oauth_flow`), or opening the browser (`src-tauri`).

use std::sync::Arc;

use async_trait::async_trait;
use skein_domain::error::Result;
use skein_tools::mcp::oauth::oauth_callback::SignInPageText;
use skein_tools::mcp::oauth::oauth_store::{CredentialKind, OAuthStore};
use skein_tools::mcp::{McpServerConfig, McpTransport};

use super::McpServers;
use crate::events::Topic;
use crate::secrets::{Secret, Secrets};

/// Stores OAuth tokens and registrations among the keys.
pub(crate) struct SecretsOAuthStore(pub Arc<Secrets>);

/// The name of a stored credential. No configuration can refer to it as a value.
fn name(server: &str, what: CredentialKind) -> String {
    match what {
        CredentialKind::Tokens => format!("sign-in.mcp.{server}"),
        CredentialKind::Registration => format!("registration.mcp.{server}"),
    }
}

/// The names of all credentials of a server; empty if the server needs no sign-in, so that no keychain query
/// is necessary.
pub(crate) fn credential_names(config: &McpServerConfig) -> Vec<String> {
    let all =
        [CredentialKind::Tokens, CredentialKind::Registration].map(|what| name(&config.name, what));
    http_url(config).map(|_| all.to_vec()).unwrap_or_default()
}

/// The URL at which the user signs in to a server; `None`: the server is a local process.
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
    /// Signs in to a server, as the user asked: `open` shows the page. Returns when the user has signed in,
    /// and connects again.
    ///
    /// # Errors
    /// [`Error::NotSignedIn`], or the error of `open`.
    pub async fn sign_in(
        &self,
        name: String,
        words: SignInPageText,
        open: impl FnOnce(&str) -> Result<()> + Send,
    ) -> Result<()> {
        self.hub.sign_in(&name, &words, open).await
    }

    /// Stops waiting for the browser.
    pub fn cancel_sign_in(&self, name: &str) {
        self.hub.cancel_sign_in(name);
    }

    /// Deletes the tokens of a server, and connects again without them. The registration stays.
    pub async fn sign_out(&self, server: String) -> Result<()> {
        self.hub.cancel_sign_in(&server);
        self.secrets.remove(&name(&server, CredentialKind::Tokens)).await?;
        self.notifier.changed([Topic::Tools {}]);
        self.hub.restart(&server)
    }
}
