//! Expands `${…}` when a server is started.

use std::sync::Arc;

use futures::future::BoxFuture;

use super::log_secrets::find_likely_secrets;
use super::name_rules::is_secret_name;
use super::value_names::{is_own, kept_below, name_in, texts, value_key};
use crate::mcp::{McpServerConfig, McpServerError, McpTransport};

/// Resolves the keys that were extracted from configurations ([`super::extract_secrets`]), by name.
#[derive(Clone)]
pub struct SecretValues(pub Arc<SecretResolver>);

/// Resolves the value of a name.
pub type SecretResolver = dyn Fn(String) -> BoxFuture<'static, Option<String>> + Send + Sync;

/// A transport with every placeholder expanded.
pub(crate) struct ExpandedTransport {
    pub transport: McpTransport,
    /// Secrets to redact: stored keys, and those in plain sight.
    pub secrets: Vec<String>,
}

impl SecretValues {
    /// Expands every `${NAME}`, `${env:NAME}` and `${NAME:-default}` with the server's own keys,
    /// the environment, and the values that the user gave. Keys of other servers are out of reach.
    pub(crate) async fn expand(
        &self,
        config: &McpServerConfig,
    ) -> Result<ExpandedTransport, McpServerError> {
        let mut own = ServerValues { resolver: &*self.0, server: &config.name, used: Vec::new() };
        let mut transport = config.transport.clone();
        for text in texts(&mut transport) {
            *text = own.fill(text).await?;
        }
        let mut keys = own.used;
        keys.extend(find_likely_secrets(&transport));
        // `Bearer …` may be stored as a whole, and be quoted without the scheme.
        let last = |key: &String| Some(key.rsplit_once(char::is_whitespace)?.1.to_owned());
        keys.extend(keys.iter().filter_map(last).collect::<Vec<_>>());
        Ok(ExpandedTransport { transport, secrets: keys })
    }
}

/// Resolves the names in one server's configuration.
struct ServerValues<'a> {
    resolver: &'a SecretResolver,
    server: &'a str,
    /// The keys that were used, in any place.
    used: Vec<String>,
}

impl ServerValues<'_> {
    async fn fill(&mut self, text: &str) -> Result<String, McpServerError> {
        let mut filled = String::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once("${") {
            let Some((inside, after)) = after.split_once('}') else { break };
            filled.push_str(before);
            let (name, default) = name_in(inside);
            let value = match self.value(name, default.is_none()).await {
                Some(value) => Some(value),
                None => default.map(str::to_owned),
            };
            let missing = || McpServerError::ValueMissing { name: name.to_owned() };
            filled.push_str(&value.ok_or_else(missing)?);
            rest = after;
        }
        filled.push_str(rest);
        Ok(filled)
    }

    /// The value of a name: a key of the server, a well-known name, or else, if `open`, a value the
    /// user gave.
    async fn value(&mut self, name: &str, open: bool) -> Option<String> {
        let own = is_own(&kept_below(self.server), name);
        if !own {
            let value = ambient_value(name);
            if value.is_some() || !open {
                return value;
            }
        }
        let key = (self.resolver)(value_key(self.server, name)).await;
        // A given path or name may occur in results, so only values with a key's name are
        // redacted.
        if own || is_secret_name(name) {
            self.used.extend(key.clone());
        }
        key
    }
}

/// The value of a name without configuration: from the environment, or a folder that other programs
/// call so.
pub(super) fn ambient_value(name: &str) -> Option<String> {
    match name {
        "userHome" => Some(std::env::home_dir()?.display().to_string()),
        name => std::env::var(name).ok(),
    }
}
