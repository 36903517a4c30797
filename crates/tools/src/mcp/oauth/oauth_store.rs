//! Where the tokens and registrations of sign-ins are stored.

use async_trait::async_trait;

/// What is kept of a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CredentialKind {
    /// What a sign-in brought.
    Tokens,
    /// What Skein is known by to who signs people in.
    Registration,
}

/// Where that is kept, by the name of the server.
#[async_trait]
pub trait OAuthStore: Send + Sync {
    /// `None`: there is none.
    ///
    /// # Errors
    /// In words for the log: whether there is one cannot be found out now.
    async fn read(&self, server: &str, what: CredentialKind) -> Result<Option<String>, String>;
    /// Whether there is a pass, as far as is known: a look in passing asks nobody twice.
    async fn is_kept(&self, server: &str) -> bool;
    /// `None` forgets it.
    ///
    /// # Errors
    /// In words for the log.
    async fn write(
        &self,
        server: &str,
        what: CredentialKind,
        kept: Option<String>,
    ) -> Result<(), String>;
}
