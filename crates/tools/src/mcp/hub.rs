//! The hub: all configured servers.
//!
//! Not here: prompts and resources (`hub_requests`).

mod hub_requests;
mod hub_server;
mod server_status;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use skein_domain::error::{Error, Result, SignInError};
use skein_domain::ids::GrantKey;
use skein_platform::http::HttpClient;
use tokio::time::Instant;

use super::consent::{command_line, consent_key, grant_prefixes, is_masked_consent, tool_grant};
use super::keys::{SecretValues, environment_variables, unrecognized_secrets};
use super::server::McpServer;
use super::server_features::ListedTool;
use super::{ChangeCallback, McpServerConfig, McpServerStatus, McpSignIn, McpState, McpTransport};
use crate::Tool;
use crate::mcp::oauth::oauth_callback::SignInPageText;
use crate::mcp::oauth::oauth_sessions::SignInSessions;
use crate::mcp::oauth::oauth_store::OAuthStore;
use crate::mcp::tool::mcp_tool::McpTool;
use crate::mcp::tool::tool_names::declared_name;

use hub_server::HubServer;
use server_status::status;

/// The wait for a first start.
const FIRST_START_WAIT: Duration = Duration::from_secs(10);
/// The time that servers have to exit when all are stopped.
const STOP_TIMEOUT: Duration = Duration::from_secs(3);

/// All configured servers, in the order of the configuration.
pub struct Hub {
    net: HttpClient,
    values: SecretValues,
    passes: Arc<dyn OAuthStore>,
    on_change: ChangeCallback,
    sign_ins: SignInSessions,
    /// `None` after the final stop.
    servers: Mutex<Option<Vec<HubServer>>>,
}

/// A server's instructions on its tools, for the model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerInstructions {
    pub server: String,
    /// The declared names.
    pub tools: Vec<String>,
    /// The text, truncated if it is long.
    pub text: String,
}

impl Hub {
    pub fn new(
        net: HttpClient,
        values: SecretValues,
        passes: Arc<dyn OAuthStore>,
        on_change: ChangeCallback,
    ) -> Self {
        let sign_ins = SignInSessions::new(Arc::clone(&on_change));
        let servers = Mutex::new(Some(Vec::new()));
        Self { net, values, passes, on_change, sign_ins, servers }
    }

    /// Applies a configuration: unchanged servers keep running, new or changed ones are started,
    /// removed ones are stopped. `consents` are the user's start consents ([`consent`]).
    pub fn apply_configs(&self, configs: Vec<McpServerConfig>, consents: &BTreeSet<GrantKey>) {
        let mut kept = self.servers.lock();
        let Some(servers) = kept.as_mut() else { return };
        let mut before = std::mem::take(servers);
        for config in configs {
            let agreed = consents.contains(&consent_key(&config));
            let same = before.iter().position(|running| {
                let runs = running.task.is_some();
                runs == (config.enabled && agreed) && running.is_unchanged(&config)
            });
            servers.push(match same {
                Some(at) => {
                    let always_allow = config.always_allow;
                    HubServer { always_allow, ..before.swap_remove(at) }
                }
                None => {
                    let again = consents.iter().any(|it| is_masked_consent(&config.name, it));
                    self.start_server(config, agreed, again)
                }
            });
        }
        drop(kept);
        before.iter().for_each(|removed| removed.server.stop());
        (self.on_change)();
    }

    /// The prefixes of all grants of servers that these configurations no longer have, or reach
    /// differently (another program under the same name).
    pub fn stale_grant_prefixes(&self, configs: &[McpServerConfig]) -> Vec<String> {
        let stays = |server: &McpServer| {
            let config = configs.iter().find(|config| config.name == server.config.name);
            config.is_some_and(|config| config.transport == server.config.transport)
        };
        let servers = self.servers().into_iter();
        servers
            .filter(|server| !stays(server))
            .flat_map(|removed| grant_prefixes(removed.name()))
            .collect()
    }

    fn start_server(&self, config: McpServerConfig, agreed: bool, again: bool) -> HubServer {
        let runs = config.enabled && agreed;
        let state = match (config.enabled, agreed) {
            (false, _) => McpState::Off {},
            (true, false) => McpState::NeedsConsent {
                command: command_line(&config),
                environment: environment_variables(&config),
                unseen: unrecognized_secrets(&config),
                again,
            },
            (true, true) => McpState::Starting {},
        };
        let always_allow = config.always_allow.clone();
        let (values, passes) = (self.values.clone(), Arc::clone(&self.passes));
        let (net, on_change) = (self.net.clone(), self.on_change.clone());
        let server = Arc::new(McpServer::new(config, state, values, passes, net, on_change));
        let supervised = server.clone();
        let task = runs.then(|| tokio::spawn(async move { supervised.supervise().await }));
        HubServer { server, always_allow, task }
    }

    /// Signs in to a server. `open` shows the sign-in page to the user. Returns when the user has
    /// signed in, and reconnects.
    ///
    /// # Errors
    /// [`Error::NotSignedIn`], [`Error::NotFound`], or the error of `open`.
    pub async fn sign_in(
        &self,
        name: &str,
        words: &SignInPageText,
        open: impl FnOnce(&str) -> Result<()> + Send,
    ) -> Result<()> {
        let server = self.find(name)?;
        let begun = self.sign_ins.begin(name);
        let work = async {
            let sign_in = server.sign_in().await?;
            open(sign_in.page())?;
            sign_in.finish(words).await.map_err(|reason| Error::NotSignedIn { reason })
        };
        tokio::select! {
            ended = work => ended?,
            () = begun.wait_cancelled() => {
                return Err(Error::NotSignedIn { reason: SignInError::Cancelled {} });
            }
        }
        self.restart(name)
    }

    /// Cancels a sign-in that waits for the browser.
    pub fn cancel_sign_in(&self, name: &str) {
        self.sign_ins.cancel(name);
    }

    /// Stops and starts a server, also one that has failed for good.
    pub fn restart(&self, name: &str) -> Result<()> {
        self.find(name).map(|server| server.restart())
    }

    /// Waits briefly for servers that start for the first time or were restarted by the user,
    /// because their tools are about to be needed.
    pub async fn wait_for_first_attempts(&self) {
        let servers = self.servers();
        let all =
            futures::future::join_all(servers.iter().map(|server| server.wait_for_first_attempt()));
        let _ = tokio::time::timeout(FIRST_START_WAIT, all).await;
    }

    /// Stops all servers for good. Returns when all have exited; one that does not exit in time is
    /// killed.
    pub async fn stop(&self) {
        let servers = self.servers.lock().take();
        let servers = servers.unwrap_or_default();
        servers.iter().for_each(|running| running.server.stop());
        let end = Instant::now() + STOP_TIMEOUT;
        for mut task in servers.into_iter().filter_map(|running| running.task) {
            if tokio::time::timeout_at(end, &mut task).await.is_err() {
                // Dropping the supervision kills the program.
                task.abort();
                let _ = task.await;
            }
        }
    }

    pub async fn status(&self) -> Vec<McpServerStatus> {
        let mut servers = Vec::new();
        for server in self.servers() {
            let signed_in = self.is_signed_in(&server).await;
            servers.push((server, signed_in));
        }
        let listed = self.listed();
        let statuses = servers.into_iter().map(|(server, signed_in)| {
            let sign_in = match self.sign_ins.is_active(server.name()) {
                true => McpSignIn::Waiting {},
                false => server.sign_in_state(),
            };
            let own = listed.iter().filter(|listed| Arc::ptr_eq(&listed.server, &server));
            status(&server, own.map(McpTool::info).collect(), sign_in, signed_in)
        });
        statuses.collect()
    }

    /// True if tokens are stored for a server, in any state.
    async fn is_signed_in(&self, server: &McpServer) -> bool {
        match server.config.transport {
            McpTransport::Stdio { .. } => false,
            McpTransport::Http { .. } => self.passes.is_kept(server.name()).await,
        }
    }

    /// The tools of all servers, in a fixed order, with distinct names.
    pub fn tools(&self) -> Vec<Arc<dyn Tool>> {
        let listed = self.listed().into_iter();
        listed.map(|tool| Arc::new(tool) as Arc<dyn Tool>).collect()
    }

    /// The server's name of each tool, by the tool's declared name.
    pub fn tool_servers(&self) -> BTreeMap<String, String> {
        let listed = self.listed().into_iter();
        listed.map(|tool| (tool.name, tool.server.name().to_owned())).collect()
    }

    /// The grants that configurations contain (`alwaysAllow`).
    pub fn always_allowed(&self) -> BTreeSet<GrantKey> {
        let servers = self.servers.lock();
        let allowed = |running: &HubServer| {
            let tools = running.always_allow.iter();
            tools.map(|tool| tool_grant(running.server.name(), tool)).collect::<Vec<_>>()
        };
        servers.iter().flatten().flat_map(allowed).collect()
    }

    pub fn instructions(&self) -> Vec<ServerInstructions> {
        let listed = self.listed();
        let instructions = self.servers().into_iter().filter_map(|server| {
            let text = server.features().instructions?;
            let own = listed.iter().filter(|listed| Arc::ptr_eq(&listed.server, &server));
            let tools = own.map(|listed| listed.name.clone()).collect();
            Some(ServerInstructions { server: server.name().to_owned(), tools, text })
        });
        instructions.collect()
    }

    /// The tools without duplicates.
    fn listed(&self) -> Vec<McpTool> {
        let mut names = BTreeSet::new();
        let mut tools = Vec::new();
        for server in self.servers() {
            for ListedTool { tool, fingerprint } in server.features().tools {
                let name = declared_name(server.name(), &tool.name);
                if names.insert(name.clone()) {
                    tools.push(McpTool { server: server.clone(), name, tool, fingerprint });
                }
            }
        }
        tools
    }

    fn find(&self, name: &str) -> Result<Arc<McpServer>> {
        let server = self.servers().into_iter().find(|server| server.name() == name);
        server.ok_or_else(|| Error::NotFound { what: format!("MCP server {name}") })
    }

    fn servers(&self) -> Vec<Arc<McpServer>> {
        let servers = self.servers.lock();
        servers.iter().flatten().map(|running| running.server.clone()).collect()
    }
}

impl Drop for Hub {
    fn drop(&mut self) {
        self.servers().iter().for_each(|server| server.stop());
    }
}
