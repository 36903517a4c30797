//! Skein's client registration at the authorization server of an MCP server: created once, and
//! reused while it is valid.
//!
//! The stored registration is deleted while the sign-in page is open and stored again after a
//! redirect with a user's decision. Some servers report an unknown client only on a page in the
//! browser, without a redirect; the next sign-in then registers again.

use std::io;
use std::sync::Arc;

use reqwest::Url;
use rmcp::transport::auth::{AuthError, AuthorizationManager, AuthorizationRequest};
use serde::{Deserialize, Serialize};
use tokio::net::TcpListener;

use super::oauth_store::{CredentialKind, OAuthStore};

/// A client registration, and its purpose.
#[derive(Serialize, Deserialize)]
pub(crate) struct ClientRegistration {
    /// The address of the MCP server.
    url: String,
    /// The authorization server.
    registrar: Option<String>,
    client_id: String,
    pub client_secret: Option<String>,
    scopes: Vec<String>,
    /// The port of the redirect address.
    port: u16,
}

impl ClientRegistration {
    /// The stored registration for a server at this address.
    pub async fn load(passes: &Arc<dyn OAuthStore>, server: &str, url: &Url) -> Option<Self> {
        let kept =
            passes.read(server, CredentialKind::Registration).await.unwrap_or_else(unread)?;
        let kept: Option<Self> = serde_json::from_str(&kept).ok();
        kept.filter(|it| it.url == url.as_str())
    }

    /// Deletes the stored registration; the next sign-in registers again.
    pub async fn forget(passes: &Arc<dyn OAuthStore>, server: &str) {
        if let Err(error) = passes.write(server, CredentialKind::Registration, None).await {
            tracing::warn!(%error, "a registration that may be unknown stays");
        }
    }

    pub async fn save(&self, passes: &Arc<dyn OAuthStore>, server: &str) {
        let json = serde_json::to_string(self).ok();
        if let Err(error) = passes.write(server, CredentialKind::Registration, json).await {
            tracing::warn!(%error, "a registration is not kept: the next sign-in makes another");
        }
    }

    /// Registers Skein at the authorization server of the server at this address, with a redirect
    /// to this port.
    pub async fn register(
        manager: &mut AuthorizationManager,
        url: &Url,
        registrar: Option<String>,
        port: u16,
    ) -> Result<Self, AuthError> {
        let scopes = manager.select_scopes(None, &[]);
        let named: Vec<&str> = scopes.iter().map(String::as_str).collect();
        let client = manager.register_client("Skein", &redirect_uri(port), &named).await?;
        let url = url.to_string();
        let (client_id, client_secret) = (client.client_id, client.client_secret);
        Ok(Self { url, registrar, client_id, client_secret, scopes, port })
    }

    /// True if this is the registration at this authorization server for these scopes.
    pub fn is_valid_for(&self, registrar: Option<&str>, wanted: &[String]) -> bool {
        self.registrar.as_deref() == registrar && self.scopes == wanted
    }

    pub fn request(&self) -> AuthorizationRequest {
        let request = AuthorizationRequest::new(redirect_uri(self.port))
            .with_preregistered_client(&self.client_id)
            .with_scopes(&self.scopes);
        match &self.client_secret {
            Some(secret) => request.with_client_secret(secret),
            None => request,
        }
    }
}

/// Opens the listener for the redirect: at the registered port, if it is free. Authorization
/// servers may refuse any other port, so the registration is dropped with it.
pub(crate) async fn bind_callback_listener(
    known: Option<ClientRegistration>,
) -> io::Result<(TcpListener, u16, Option<ClientRegistration>)> {
    if let Some(known) = known
        && let Ok(listener) = TcpListener::bind(("127.0.0.1", known.port)).await
    {
        return Ok((listener, known.port, Some(known)));
    }
    let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
    let port = listener.local_addr()?.port();
    Ok((listener, port, None))
}

fn redirect_uri(port: u16) -> String {
    format!("http://127.0.0.1:{port}/callback")
}

fn unread(error: String) -> Option<String> {
    tracing::warn!(%error, "a registration cannot be read");
    None
}

/// True if an OAuth error code means that the client is unknown, or not registered for this.
pub(crate) fn is_unknown_client(code: &str) -> bool {
    matches!(code, "invalid_client" | "unauthorized_client")
}

/// [`is_unknown_client`] for a failed exchange, read from `rmcp`'s message.
pub(crate) fn is_unknown_client_error(error: &AuthError) -> bool {
    let AuthError::TokenExchangeFailed(words) = error else { return false };
    let code = words.strip_prefix("Server returned error response: ");
    code.and_then(|code| code.split([':', ' ']).next()).is_some_and(is_unknown_client)
}
