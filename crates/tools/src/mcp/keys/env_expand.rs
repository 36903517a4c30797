//! What `${…}` stands for when a server is started.

use std::sync::Arc;

use futures::future::BoxFuture;

use super::log_secrets::find_likely_secrets;
use super::name_rules::is_secret_name;
use super::value_names::{is_own, kept_below, name_in, texts, value_key};
use crate::mcp::{McpServerConfig, McpServerError, McpTransport};

/// The keys that were taken out of configurations ([`super::take_secrets`]), by their names.
#[derive(Clone)]
pub struct SecretValues(pub Arc<SecretResolver>);

/// Looks up what a name stands for.
pub type SecretResolver = dyn Fn(String) -> BoxFuture<'static, Option<String>> + Send + Sync;

/// How a server is reached, with everything in its place.
pub(crate) struct ExpandedTransport {
    pub transport: McpTransport,
    /// What is to be read nowhere: the kept keys, and those that stand in the open.
    pub secrets: Vec<String>,
}

impl SecretValues {
    /// Fills in every `${NAME}`, `${env:NAME}` and `${NAME:-default}`: a server's own keys, the environment
    /// of the program, and what the user gave for a name. No other key is within reach, whatever a
    /// configuration names.
    pub(crate) async fn expand(
        &self,
        config: &McpServerConfig,
    ) -> Result<ExpandedTransport, McpServerError> {
        let mut own = ServerValues { kept: &*self.0, server: &config.name, used: Vec::new() };
        let mut transport = config.transport.clone();
        for text in texts(&mut transport) {
            *text = own.fill(text).await?;
        }
        let mut keys = own.used;
        keys.extend(find_likely_secrets(&transport));
        // `Bearer …` may be kept as a whole, and be quoted without the scheme.
        let last = |key: &String| Some(key.rsplit_once(char::is_whitespace)?.1.to_owned());
        keys.extend(keys.iter().filter_map(last).collect::<Vec<_>>());
        Ok(ExpandedTransport { transport, secrets: keys })
    }
}

/// What `${NAME}` stands for in one server's configuration.
struct ServerValues<'a> {
    kept: &'a SecretResolver,
    server: &'a str,
    /// The keys that were asked for: by what they are called, wherever they stand.
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

    /// A key of its own, or what others know by this name; else, where that is `open`, what was given.
    async fn value(&mut self, name: &str, open: bool) -> Option<String> {
        let own = is_own(&kept_below(self.server), name);
        if !own {
            let value = ambient_value(name);
            if value.is_some() || !open {
                return value;
            }
        }
        let key = (self.kept)(value_key(self.server, name)).await;
        // A path or a name that was given is in honest results, too; what stands in the place of a key is
        // found there.
        if own || is_secret_name(name) {
            self.used.extend(key.clone());
        }
        key
    }
}

/// What a name stands for without anybody's doing: in the environment of the program, or as other programs
/// call a place.
pub(super) fn ambient_value(name: &str) -> Option<String> {
    match name {
        "userHome" => Some(std::env::home_dir()?.display().to_string()),
        name => std::env::var(name).ok(),
    }
}
