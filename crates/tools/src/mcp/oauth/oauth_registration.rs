//! Skein's registration with whoever signs people in for a server: made once, and used again for as
//! long as it is known there.
//!
//! It is forgotten while its page is open in the browser, and kept again once somebody has come back from
//! there with a yes or a no of theirs: that Skein is no longer known, some tell only the user, on a page
//! that leads nowhere. The next sign-in then makes another.

use std::io;
use std::sync::Arc;

use reqwest::Url;
use rmcp::transport::auth::{AuthError, AuthorizationManager, AuthorizationRequest};
use serde::{Deserialize, Serialize};
use tokio::net::TcpListener;

use super::oauth_store::{CredentialKind, OAuthStore};

/// What Skein is known by, and what that was made for.
#[derive(Serialize, Deserialize)]
pub(crate) struct ClientRegistration {
    /// Of the server.
    url: String,
    /// Where it was made.
    registrar: Option<String>,
    client_id: String,
    pub client_secret: Option<String>,
    scopes: Vec<String>,
    /// Where the browser comes back to.
    port: u16,
}

impl ClientRegistration {
    /// The one that is kept for a server at this address.
    pub async fn load(passes: &Arc<dyn OAuthStore>, server: &str, url: &Url) -> Option<Self> {
        let kept =
            passes.read(server, CredentialKind::Registration).await.unwrap_or_else(unread)?;
        let kept: Option<Self> = serde_json::from_str(&kept).ok();
        kept.filter(|it| it.url == url.as_str())
    }

    /// Has the next sign-in make another, unless this one is kept again.
    pub async fn forget(passes: &Arc<dyn OAuthStore>, server: &str) {
        if let Err(error) = passes.write(server, CredentialKind::Registration, None).await {
            tracing::warn!(%error, "a registration that may be unknown stays");
        }
    }

    /// Keeps it for the next sign-in.
    pub async fn save(&self, passes: &Arc<dyn OAuthStore>, server: &str) {
        let spelled = serde_json::to_string(self).ok();
        if let Err(error) = passes.write(server, CredentialKind::Registration, spelled).await {
            tracing::warn!(%error, "a registration is not kept: the next sign-in makes another");
        }
    }

    /// Registers Skein at who signs people in for the server at this address, with a browser that comes
    /// back to this port.
    pub async fn register(
        manager: &mut AuthorizationManager,
        url: &Url,
        registrar: Option<String>,
        port: u16,
    ) -> Result<Self, AuthError> {
        let scopes = manager.select_scopes(None, &[]);
        let named: Vec<&str> = scopes.iter().map(String::as_str).collect();
        let client = manager.register_client("Skein", &back(port), &named).await?;
        let url = url.to_string();
        let (client_id, client_secret) = (client.client_id, client.client_secret);
        Ok(Self { url, registrar, client_id, client_secret, scopes, port })
    }

    /// Whether it was made there, for what is wanted now.
    pub fn is_valid_for(&self, registrar: Option<&str>, wanted: &[String]) -> bool {
        self.registrar.as_deref() == registrar && self.scopes == wanted
    }

    /// The request of a client that is registered, for what it was registered for.
    pub fn request(&self) -> AuthorizationRequest {
        let request = AuthorizationRequest::new(back(self.port))
            .with_preregistered_client(&self.client_id)
            .with_scopes(&self.scopes);
        match &self.client_secret {
            Some(secret) => request.with_client_secret(secret),
            None => request,
        }
    }
}

/// Where the browser comes back to: to the port it is known to come back to, where that is free. At any
/// other, who signs people in may let nobody in.
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

fn back(port: u16) -> String {
    format!("http://127.0.0.1:{port}/callback")
}

fn unread(error: String) -> Option<String> {
    tracing::warn!(%error, "a registration cannot be read");
    None
}

/// Whether this code of the specification says that Skein is not known there, or not for this.
pub(crate) fn is_unknown_client(code: &str) -> bool {
    matches!(code, "invalid_client" | "unauthorized_client")
}

/// The same of an exchange that was refused, in the words of `rmcp`.
pub(crate) fn is_unknown_client_error(error: &AuthError) -> bool {
    let AuthError::TokenExchangeFailed(words) = error else { return false };
    let code = words.strip_prefix("Server returned error response: ");
    code.and_then(|code| code.split([':', ' ']).next()).is_some_and(is_unknown_client)
}
