//! Signing in to MCP servers, and out again: the pass that brings is a key like any other.
//!
//! Not here: how it is done (`tools::mcp::sign_in`), or opening the browser, which the window does.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use tokio_util::sync::CancellationToken;

use super::App;
use crate::error::{Error, NotSignedIn, Result};
use crate::secrets::{Secret, Secrets};
use crate::tools::mcp::redirect::PageWords;
use crate::tools::mcp::sign_in::Passes;
use crate::tools::mcp::{McpServerConfig, McpTransport};

/// The passes, among the keys.
pub(super) struct Kept(pub Arc<Secrets>);

/// The name of a server's pass: no configuration can name it as a value of its own.
fn pass(server: &str) -> String {
    format!("sign-in.mcp.{server}")
}

/// The same; `None` where nobody can sign in, so that nothing need be asked for.
pub(super) fn pass_of(config: &McpServerConfig) -> Option<String> {
    address(config).map(|_| pass(&config.name))
}

/// Where a server is signed in to; `None` for a program.
pub(super) fn address(config: &McpServerConfig) -> Option<&str> {
    match &config.transport {
        McpTransport::Stdio { .. } => None,
        McpTransport::Http { url, .. } => Some(url),
    }
}

#[async_trait]
impl Passes for Kept {
    async fn read(&self, server: &str) -> Result<Option<String>, String> {
        let kept = self.0.get(&pass(server), &[]).await.map_err(|error| error.to_string())?;
        Ok(kept.map(|(kept, _)| kept.expose().to_owned()))
    }

    async fn write(&self, server: &str, kept: Option<String>) -> Result<(), String> {
        let name = pass(server);
        let written = match kept {
            Some(kept) => self.0.set(&name, Secret::new(&kept)).await.map(drop),
            None => self.0.remove(&name).await,
        };
        written.map_err(|error| error.to_string())
    }
}

/// The sign-ins that wait for the browser, by their servers.
#[derive(Default)]
pub(super) struct SignIns(Mutex<HashMap<String, CancellationToken>>);

impl SignIns {
    /// The latest of a server is the only one.
    fn begin(&self, server: &str) -> CancellationToken {
        let token = CancellationToken::new();
        let mut begun = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(before) = begun.insert(server.to_owned(), token.clone()) {
            before.cancel();
        }
        token
    }

    pub(super) fn cancel(&self, server: &str) {
        let mut begun = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(token) = begun.remove(server) {
            token.cancel();
        }
    }
}

impl App {
    /// Signs in to a server, because the person asked to: `open` shows them the page where they do.
    /// Returns when they have, and connects anew.
    ///
    /// # Errors
    /// [`Error::NotSignedIn`], or what `open` says.
    pub async fn sign_in_mcp_server(
        &self,
        name: String,
        words: PageWords,
        open: impl FnOnce(&str) -> Result<()> + Send,
    ) -> Result<()> {
        let stopped = self.sign_ins.begin(&name);
        let work = async {
            let sign_in = self.hub.sign_in(&name).await?;
            open(sign_in.page())?;
            sign_in.finish(&words).await.map_err(|reason| Error::NotSignedIn { reason })
        };
        tokio::select! {
            ended = work => ended?,
            () = stopped.cancelled() => {
                return Err(Error::NotSignedIn { reason: NotSignedIn::Cancelled {} });
            }
        }
        self.hub.restart(&name)
    }

    /// Waits no longer for the browser.
    pub fn cancel_mcp_sign_in(&self, name: &str) {
        self.sign_ins.cancel(name);
    }

    /// Forgets the pass of a server, and connects anew without.
    pub async fn sign_out_mcp_server(&self, name: String) -> Result<()> {
        self.sign_ins.cancel(&name);
        self.secrets.remove(&pass(&name)).await?;
        self.hub.restart(&name)
    }
}
