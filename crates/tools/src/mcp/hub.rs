//! All configured servers together.

mod hub_server;
mod server_status;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use base64::Engine;
use parking_lot::Mutex;
use rmcp::model::{
    GetPromptRequestParams, GetPromptResponse, ReadResourceRequestParams, ReadResourceResponse,
    ResourceContents,
};
use rmcp::service::ServiceError;
use skein_domain::error::{Error, Result, SignInError};
use skein_domain::ids::GrantKey;
use skein_platform::http::HttpClient;
use tokio::time::Instant;

use super::change_callback::ChangeCallback;
use super::consent::{command_line, consent_key, grant_prefixes, is_masked_consent, tool_grant};
use super::keys::{SecretValues, environment_variables, unrecognized_secrets};
use super::server::{ConnectionHandle, McpServer};
use super::server_features::ListedTool;
use super::tool::tool_result;
use super::{
    McpResource, McpResourceContent, McpServerConfig, McpServerStatus, McpSignIn, McpState,
    McpToolInfo, McpTransport,
};
use crate::Tool;
use crate::error_chain::error_chain;
use crate::mcp::oauth::oauth_callback::SignInPageText;
use crate::mcp::oauth::oauth_sessions::SignInSessions;
use crate::mcp::oauth::oauth_store::OAuthStore;
use crate::mcp::tool::mcp_tool::McpTool;
use crate::mcp::tool::tool_names::declared_name;
use crate::mcp::tool::tool_names::tool_description;

use hub_server::HubServer;
use server_status::status;

/// How long a prompt or a resource may take.
const PATIENCE: Duration = Duration::from_secs(60);
/// How long a first start is waited for.
const FIRST_START: Duration = Duration::from_secs(10);
/// How long servers may take to end where all are ended.
const FAREWELL: Duration = Duration::from_secs(3);

/// All configured servers, in the order of the configuration.
pub struct Hub {
    net: HttpClient,
    values: SecretValues,
    passes: Arc<dyn OAuthStore>,
    on_change: ChangeCallback,
    sign_ins: SignInSessions,
    /// `None` once all are ended for good.
    servers: Mutex<Option<Vec<HubServer>>>,
}

/// A tool with the name it is declared under.
struct DeclaredTool {
    server: Arc<McpServer>,
    name: String,
    tool: rmcp::model::Tool,
    mark: String,
}

impl DeclaredTool {
    fn info(&self) -> McpToolInfo {
        McpToolInfo {
            name: self.name.clone(),
            tool: self.tool.name.clone().into_owned(),
            title: self.tool.title.clone(),
            description: tool_description(&self.tool),
        }
    }
}

/// What a server says of its tools, for the model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerInstructions {
    pub server: String,
    /// As they are declared.
    pub tools: Vec<String>,
    /// Its words, shortened where they are very many.
    pub words: String,
}

impl Hub {
    /// No servers yet.
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

    /// Makes what runs follow the configuration: what is unchanged goes on, what is new or changed
    /// is started, what is gone is ended. `consents` are what the user agreed to
    /// ([`consent`]).
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
        before.iter().for_each(|gone| gone.server.stop());
        (self.on_change)();
    }

    /// The prefixes of everything that was allowed of servers which these configurations no longer have,
    /// or now reach in another way (another program, though under the same name).
    pub fn stale_grant_prefixes(&self, configs: &[McpServerConfig]) -> Vec<String> {
        let stays = |server: &McpServer| {
            let config = configs.iter().find(|config| config.name == server.config.name);
            config.is_some_and(|config| config.transport == server.config.transport)
        };
        let servers = self.servers().into_iter();
        servers
            .filter(|server| !stays(server))
            .flat_map(|gone| grant_prefixes(gone.name()))
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

    /// Signs in to a server: `open` shows the user the page where they do. Returns when they have, and
    /// connects anew.
    ///
    /// # Errors
    /// [`Error::NotSignedIn`], [`Error::NotFound`], or what `open` says.
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

    /// Waits no longer for the browser.
    pub fn cancel_sign_in(&self, name: &str) {
        self.sign_ins.cancel(name);
    }

    /// Ends a server and starts it anew; also one that was given up.
    pub fn restart(&self, name: &str) -> Result<()> {
        self.find(name).map(|server| server.restart())
    }

    /// Waits a little for servers that are started for the first time, or because the user asked for it:
    /// what they offer would otherwise be missing where it is about to be needed.
    pub async fn wait_for_first_attempts(&self) {
        let servers = self.servers();
        let all =
            futures::future::join_all(servers.iter().map(|server| server.wait_for_first_attempt()));
        let _ = tokio::time::timeout(FIRST_START, all).await;
    }

    /// Ends all servers for good, and returns when nothing of them is left: one that does not end by
    /// itself in time is killed.
    pub async fn stop(&self) {
        let servers = self.servers.lock().take();
        let servers = servers.unwrap_or_default();
        servers.iter().for_each(|running| running.server.stop());
        let end = Instant::now() + FAREWELL;
        for mut task in servers.into_iter().filter_map(|running| running.task) {
            if tokio::time::timeout_at(end, &mut task).await.is_err() {
                // With its supervision goes its program.
                task.abort();
                let _ = task.await;
            }
        }
    }

    /// Every server as it is now.
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
            status(&server, own.map(DeclaredTool::info).collect(), sign_in, signed_in)
        });
        statuses.collect()
    }

    /// Whether a pass is kept for a server, whatever it is doing.
    async fn is_signed_in(&self, server: &McpServer) -> bool {
        match server.config.transport {
            McpTransport::Stdio { .. } => false,
            McpTransport::Http { .. } => self.passes.is_kept(server.name()).await,
        }
    }

    /// The tools of all servers, in a fixed order, under distinct names.
    pub fn tools(&self) -> Vec<Arc<dyn Tool>> {
        let listed = self.listed().into_iter();
        let tools = listed.map(|DeclaredTool { server, name, tool, mark }| McpTool {
            server,
            name,
            tool,
            fingerprint: mark,
        });
        tools.map(|tool| Arc::new(tool) as Arc<dyn Tool>).collect()
    }

    /// Whose each tool is: the server's name by the name that is declared.
    pub fn tool_servers(&self) -> BTreeMap<String, String> {
        let listed = self.listed().into_iter();
        listed.map(|tool| (tool.name, tool.server.name().to_owned())).collect()
    }

    /// The lasting answers that the configurations themselves give (`alwaysAllow`).
    pub fn always_allowed(&self) -> BTreeSet<GrantKey> {
        let servers = self.servers.lock();
        let allowed = |running: &HubServer| {
            let tools = running.always_allow.iter();
            tools.map(|tool| tool_grant(running.server.name(), tool)).collect::<Vec<_>>()
        };
        servers.iter().flatten().flat_map(allowed).collect()
    }

    /// What the servers that run say of their tools.
    pub fn instructions(&self) -> Vec<ServerInstructions> {
        let listed = self.listed();
        let said = self.servers().into_iter().filter_map(|server| {
            let words = server.features().instructions?;
            let own = listed.iter().filter(|listed| Arc::ptr_eq(&listed.server, &server));
            let tools = own.map(|listed| listed.name.clone()).collect();
            Some(ServerInstructions { server: server.name().to_owned(), tools, words })
        });
        said.collect()
    }

    /// What is listed twice is there once.
    fn listed(&self) -> Vec<DeclaredTool> {
        let mut names = BTreeSet::new();
        let mut tools = Vec::new();
        for server in self.servers() {
            for ListedTool { tool, mark } in server.features().tools {
                let name = declared_name(server.name(), &tool.name);
                if names.insert(name.clone()) {
                    tools.push(DeclaredTool { server: server.clone(), name, tool, mark });
                }
            }
        }
        tools
    }

    /// A prompt filled with the user's words, as text for the composer.
    pub async fn prompt(
        &self,
        server: &str,
        prompt: &str,
        arguments: BTreeMap<String, String>,
    ) -> Result<String> {
        let arguments = arguments.into_iter().map(|(name, value)| (name, value.into())).collect();
        let request = GetPromptRequestParams::new(prompt).with_arguments(arguments);
        let server = self.find(server)?;
        let line = line(&server)?;
        match in_time(&server, &line, line.peer.get_prompt_once(request)).await? {
            GetPromptResponse::Complete(got) => {
                let texts =
                    got.messages.iter().map(|message| tool_result::content_text(&message.content));
                Ok(server.log.redact_whole(texts.collect::<Vec<_>>().join("\n\n")))
            }
            _ => Err(asks_for_input()),
        }
    }

    /// Reads a resource, to be attached.
    pub async fn resource(&self, server: &str, uri: &str) -> Result<Vec<McpResource>> {
        let server = self.find(server)?;
        let line = line(&server)?;
        let request = ReadResourceRequestParams::new(uri);
        match in_time(&server, &line, line.peer.read_resource_once(request)).await? {
            ReadResourceResponse::Complete(read) => {
                read.contents.into_iter().map(|read| piece(&server, read)).collect()
            }
            _ => Err(asks_for_input()),
        }
    }

    /// What a resource is called, else its address.
    pub fn resource_name(&self, server: &str, uri: &str) -> String {
        let offer = self.find(server).map(|server| server.features()).unwrap_or_default();
        let found = offer.resources.into_iter().find(|resource| resource.uri == uri);
        found.map_or_else(|| uri.to_owned(), |it| it.title.unwrap_or(it.name))
    }

    fn find(&self, name: &str) -> Result<Arc<McpServer>> {
        let found = self.servers().into_iter().find(|server| server.name() == name);
        found.ok_or_else(|| Error::NotFound { what: format!("MCP server {name}") })
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

fn asks_for_input() -> Error {
    Error::Tool { detail: "The server asks for input, which Skein cannot give.".into() }
}

fn line(server: &McpServer) -> Result<ConnectionHandle> {
    let gone = || Error::Tool { detail: format!("The server {} is not running.", server.name()) };
    server.connection().ok_or_else(gone)
}

async fn in_time<T>(
    server: &McpServer,
    line: &ConnectionHandle,
    request: impl Future<Output = std::result::Result<T, ServiceError>>,
) -> Result<T> {
    let failed = |detail: String| Error::Tool {
        detail: crate::output_truncation::truncate_end(&detail, 1_000),
    };
    match tokio::time::timeout(PATIENCE, request).await {
        Ok(answer) => answer.map_err(|error| {
            server.handle_error(line, &error);
            failed(server.log.redact(&error_chain(&error)))
        }),
        Err(_) => Err(failed(format!("No answer in {} s.", PATIENCE.as_secs()))),
    }
}

fn piece(server: &McpServer, content: ResourceContents) -> Result<McpResource> {
    let invalid = |detail: String| Error::Tool { detail };
    match content {
        ResourceContents::TextResourceContents { uri, mime_type, text, .. } => {
            let content = McpResourceContent::Text { text: server.log.redact_whole(text) };
            Ok(McpResource { uri, media_type: mime_type, content })
        }
        ResourceContents::BlobResourceContents { uri, mime_type, blob, .. } => {
            let bytes = base64::engine::general_purpose::STANDARD.decode(blob);
            let bytes = bytes.map_err(|error| invalid(format!("{uri}: {error}")))?;
            let content = McpResourceContent::Bytes { bytes };
            Ok(McpResource { uri, media_type: mime_type, content })
        }
        _ => Err(invalid("The resource is of an unknown kind.".into())),
    }
}
