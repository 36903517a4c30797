//! MCP servers by their configurations, with the user's consent to all of them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use serde_json::Value;
use skein_domain::ids::GrantKey;
use skein_tools::mcp::consent::consent_key;
use skein_tools::mcp::hub::Hub;
use skein_tools::mcp::keys::SecretValues;
use skein_tools::mcp::oauth::oauth_store::{CredentialKind, OAuthStore};
use skein_tools::mcp::{McpServerConfig, McpServerStatus, McpState, McpTransport};

use super::{call, done, named, net};

pub fn stdio(name: &str, command: &str, args: &[&str]) -> McpServerConfig {
    McpServerConfig {
        name: name.into(),
        transport: McpTransport::Stdio {
            command: command.into(),
            args: args.iter().map(|argument| (*argument).to_owned()).collect(),
            env: BTreeMap::new(),
            cwd: None,
        },
        enabled: true,
        always_allow: Vec::new(),
        timeout_seconds: None,
    }
}

pub fn http(name: &str, url: &str) -> McpServerConfig {
    let transport = McpTransport::Http { url: url.into(), headers: BTreeMap::new() };
    McpServerConfig { transport, ..stdio(name, "", &[]) }
}

pub fn hub(configs: Vec<McpServerConfig>) -> Hub {
    hub_with(configs, Arc::new(NoPasses))
}

/// A token store that stores nothing.
pub struct NoPasses;

#[async_trait]
impl OAuthStore for NoPasses {
    async fn read(&self, _server: &str, _what: CredentialKind) -> Result<Option<String>, String> {
        Ok(None)
    }

    async fn is_kept(&self, _server: &str) -> bool {
        false
    }

    async fn write(
        &self,
        _server: &str,
        _what: CredentialKind,
        _kept: Option<String>,
    ) -> Result<(), String> {
        Ok(())
    }
}

pub fn hub_with(configs: Vec<McpServerConfig>, passes: Arc<dyn OAuthStore>) -> Hub {
    // Every requested secret exists, and no other value.
    let values = SecretValues(Arc::new(|name| {
        Box::pin(async move { (!name.contains(".given-")).then(|| "hello".to_owned()) })
    }));
    let hub = Hub::new(net(), values, passes, Arc::new(|| {}));
    hub.apply_configs(configs.clone(), &agreed(&configs));
    hub
}

/// The consents to start all of them.
pub fn agreed(configs: &[McpServerConfig]) -> BTreeSet<GrantKey> {
    configs.iter().map(consent_key).collect()
}

/// The status of the first server, once `is` holds.
pub async fn until(
    hub: &Hub,
    what: &str,
    is: impl Fn(&McpServerStatus) -> bool,
) -> McpServerStatus {
    until_all(hub, what, |all| is(&all[0])).await.remove(0)
}

pub async fn until_all(
    hub: &Hub,
    what: &str,
    are: impl Fn(&[McpServerStatus]) -> bool,
) -> Vec<McpServerStatus> {
    for _ in 0..1_200 {
        let all = hub.status().await;
        if are(&all) {
            return all;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("never {what}: {:#?}", hub.status().await);
}

pub async fn ready(hub: &Hub) -> McpServerStatus {
    until(hub, "ready", |status| status.state == McpState::Ready {}).await
}

pub fn names(status: &McpServerStatus) -> Vec<&str> {
    status.tools.iter().map(|tool| tool.name.as_str()).collect()
}

pub async fn said(hub: &Hub, tool: &str, args: Value) -> String {
    done(call(&named(&hub.tools(), tool), args).await)
}
