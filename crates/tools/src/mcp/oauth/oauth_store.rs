//! The store of tokens and registrations.

use async_trait::async_trait;

/// The kinds of data stored for a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CredentialKind {
    Tokens,
    Registration,
}

/// Stores data by the server's name.
#[async_trait]
pub trait OAuthStore: Send + Sync {
    /// The stored value; `None` if there is none.
    ///
    /// # Errors
    /// A text for the log: the store cannot be read now.
    async fn read(&self, server: &str, what: CredentialKind) -> Result<Option<String>, String>;
    /// True if tokens are stored, as far as known without asking the user to unlock a keychain.
    async fn is_kept(&self, server: &str) -> bool;
    /// Stores a value; `None` deletes it.
    ///
    /// # Errors
    /// A text for the log.
    async fn write(
        &self,
        server: &str,
        what: CredentialKind,
        kept: Option<String>,
    ) -> Result<(), String>;
}
