//! The tokens of a remote server, stored for the OAuth client.

use std::sync::Arc;

use async_trait::async_trait;
use rmcp::transport::auth::{AuthError, AuthorizationMetadata, CredentialStore, StoredCredentials};
use serde::{Deserialize, Serialize};

use super::oauth_store::{CredentialKind, OAuthStore};
use crate::mcp::server_log::ServerLog;

/// The tokens of a sign-in, and the only address they are sent to.
#[derive(Serialize, Deserialize)]
pub(super) struct StoredTokens {
    pub url: String,
    pub credentials: StoredCredentials,
    /// Skein's own secret, needed to renew tokens; `None`: its registration has none.
    #[serde(default)]
    pub client_secret: Option<String>,
    /// The endpoint that issued the tokens, and the only one that renews them; `None`: stored by an earlier
    /// version.
    #[serde(default)]
    pub token_endpoint: Option<String>,
}

/// Stores the tokens of one server at one address.
pub(super) struct ServerCredentialStore {
    pub passes: Arc<dyn OAuthStore>,
    pub server: String,
    pub url: String,
    /// Stored with the next tokens, see [`StoredTokens::client_secret`].
    pub client_secret: Option<String>,
    /// Stored with the next tokens, see [`StoredTokens::token_endpoint`].
    pub token_endpoint: Option<String>,
    /// The server's log, which must not show the tokens.
    pub log: ServerLog,
    /// True if tokens are stored only over older ones, so that a renewal does not undo a sign-out.
    pub only_replaces: bool,
}

impl ServerCredentialStore {
    pub async fn stored(&self) -> Result<Option<StoredTokens>, AuthError> {
        let kept = self.passes.read(&self.server, CredentialKind::Tokens).await;
        let kept = kept.map_err(AuthError::CredentialStoreError)?;
        let pass: Option<StoredTokens> = kept.and_then(|kept| serde_json::from_str(&kept).ok());
        if let Some(pass) = &pass {
            self.log.add_secrets(&pass.keys());
        }
        Ok(pass.filter(|pass| pass.url == self.url))
    }

    async fn write(&self, pass: Option<String>) -> Result<(), AuthError> {
        let written = self.passes.write(&self.server, CredentialKind::Tokens, pass).await;
        written.map_err(AuthError::CredentialStoreError)
    }
}

#[async_trait]
impl CredentialStore for ServerCredentialStore {
    async fn load(&self) -> Result<Option<StoredCredentials>, AuthError> {
        Ok(self.stored().await?.map(|pass| pass.credentials))
    }

    async fn save(&self, credentials: StoredCredentials) -> Result<(), AuthError> {
        if self.only_replaces && matches!(self.stored().await, Ok(None)) {
            return Err(AuthError::AuthorizationRequired);
        }
        let pass = StoredTokens {
            url: self.url.clone(),
            credentials,
            client_secret: self.client_secret.clone(),
            token_endpoint: self.token_endpoint.clone(),
        };
        self.log.add_secrets(&pass.keys());
        let pass = serde_json::to_string(&pass);
        self.write(Some(pass.map_err(|error| AuthError::InternalError(error.to_string()))?)).await
    }

    async fn clear(&self) -> Result<(), AuthError> {
        self.write(None).await
    }
}

impl StoredTokens {
    /// The tokens and the secret, to be redacted from logs.
    fn keys(&self) -> Vec<String> {
        let json = serde_json::to_value(&self.credentials).unwrap_or_default();
        let token = |name| Some(json.get("token_response")?.get(name)?.as_str()?.to_owned());
        let tokens = ["access_token", "refresh_token"].into_iter().filter_map(token);
        tokens.chain(self.client_secret.clone()).collect()
    }

    /// True if `found` is the authorization server that issued the tokens. Without an issuer, its
    /// token endpoint identifies it.
    pub fn is_issued_by(&self, found: &AuthorizationMetadata) -> bool {
        match (&self.credentials.issuer, &self.token_endpoint) {
            (Some(issuer), _) => found.issuer.as_ref() == Some(issuer),
            (None, Some(endpoint)) => found.token_endpoint == *endpoint,
            (None, None) => true,
        }
    }
}
