//! Connects to a server: starts its program or opens its address, and completes the handshake.

use std::collections::{BTreeMap, HashMap};
use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;

use reqwest::Url;
use reqwest::header::{AUTHORIZATION, HeaderName, HeaderValue};
use rmcp::service::{ClientInitializeError, RunningService};
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::transport::async_rw::AsyncRwTransport;
use rmcp::transport::auth::{AuthClient, AuthorizationManager};
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use rmcp::{RoleClient, ServiceExt};
use skein_platform::http::HttpClient;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, BufReader};
use tokio::process::{ChildStderr, Command};

use super::client_handler::McpClientHandler;
use super::http_client::McpHttpClient;
use super::stdout::messages;
use crate::error_chain::error_chain;
use crate::mcp::errors::{ErrorClass, classify_transport};
use crate::mcp::keys::{ExpandedTransport, SecretValues};
use crate::mcp::oauth::oauth_flow::authorization_for;
use crate::mcp::oauth::oauth_store::OAuthStore;
use crate::mcp::server_log::ServerLog;
use crate::mcp::{McpServerConfig, McpServerError, McpTransport};
use crate::subprocess::{
    ProcessGroup, environment, find_program, proxy_passwords, search_path, spawn,
};

/// The time limit of the handshake: `npx` and `uvx` download the server first.
const HANDSHAKE_TIMEOUT: Duration = Duration::from_secs(120);
/// The limit of a message, in bytes. Results of 22 MB have been seen.
const MAX_MESSAGE: usize = 64 * 1024 * 1024;

pub(crate) struct Connection {
    pub service: RunningService<RoleClient, McpClientHandler>,
    pub handler: McpClientHandler,
    /// The program, if one was started.
    pub process_group: Option<ProcessGroup>,
    /// True if requests carry a token of a sign-in.
    pub signed_in: bool,
}

pub(crate) async fn connect(
    config: &McpServerConfig,
    values: &SecretValues,
    passes: &Arc<dyn OAuthStore>,
    net: &HttpClient,
    log: &ServerLog,
) -> Result<Connection, McpServerError> {
    let handler = McpClientHandler::new(log);
    let hello = async {
        let ExpandedTransport { transport, secrets: keys } = values.expand(config).await?;
        log.add_secrets(&keys);
        match &transport {
            McpTransport::Stdio { command, args, env, cwd } => {
                stdio(command, args, env, cwd.as_deref(), handler, log).await
            }
            McpTransport::Http { url, headers } => {
                let address = parse_server_url(url)?;
                let sent = rendered_command(headers)?;
                net.record_host(&address);
                let pass = match sent.contains_key(&AUTHORIZATION) {
                    true => None,
                    false => authorization_for(passes, &config.name, &address, net, log).await?,
                };
                open(&address, sent, pass, net, handler).await
            }
        }
    };
    let waited = tokio::time::timeout(HANDSHAKE_TIMEOUT, hello).await;
    waited.unwrap_or(Err(McpServerError::TimedOut { seconds: HANDSHAKE_TIMEOUT.as_secs() as u32 }))
}

async fn stdio(
    command: &str,
    args: &[String],
    env: &BTreeMap<String, String>,
    cwd: Option<&str>,
    handler: McpClientHandler,
    log: &ServerLog,
) -> Result<Connection, McpServerError> {
    let places = search_path().await;
    let program = find_program(command, places)
        .ok_or_else(|| McpServerError::ProgramMissing { program: command.to_owned() })?;
    let variables = environment().await;
    log.add_secrets(&proxy_passwords(&variables));
    let mut command = Command::new(program);
    command.env_clear().envs(variables).args(args).envs(env);
    match cwd {
        Some(folder) => command.current_dir(folder),
        None => command.current_dir(std::env::home_dir().unwrap_or_else(std::env::temp_dir)),
    };
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let ended =
        |error: std::io::Error| McpServerError::Ended { code: None, detail: error.to_string() };
    let mut program = spawn(command).map_err(ended)?;
    let pipes = (program.0.stdin().take(), program.0.stdout().take(), program.0.stderr().take());
    let (Some(stdin), Some(stdout), Some(stderr)) = pipes else {
        return Err(McpServerError::Ended { code: None, detail: "no pipes".into() });
    };
    tokio::spawn(listen(stderr, log.clone()));
    let stdout = messages(stdout, MAX_MESSAGE, handler.clone(), log.clone());
    // A repaired line may be longer.
    let transport =
        AsyncRwTransport::<RoleClient, _, _>::new(stdout, stdin).with_max_line_length(usize::MAX);
    match handler.clone().serve(transport).await {
        Ok(service) => {
            Ok(Connection { service, handler, process_group: Some(program), signed_in: false })
        }
        Err(error) => Err(match exit(&mut program).await {
            Some(code) => McpServerError::Ended { code, detail: error_chain(&error) },
            None => server_error(&error),
        }),
    }
}

/// The exit code of a program that has ended; `None` if it is still running.
async fn exit(program: &mut ProcessGroup) -> Option<Option<i32>> {
    let waited = tokio::time::timeout(Duration::from_millis(500), program.0.inner_mut().wait());
    waited.await.ok()?.ok().map(|status| status.code())
}

async fn listen(stderr: ChildStderr, log: ServerLog) {
    let mut lines = BufReader::new(stderr);
    let mut line = Vec::new();
    // A line without an end is read in pieces, so that it cannot grow.
    while let Ok(1..) = (&mut lines).take(8_192).read_until(b'\n', &mut line).await {
        log.push(&String::from_utf8_lossy(&line));
        line.clear();
    }
}

pub(crate) fn parse_server_url(url: &str) -> Result<Url, McpServerError> {
    Url::parse(url).map_err(|error| McpServerError::Invalid { detail: error.to_string() })
}

fn rendered_command(
    headers: &BTreeMap<String, String>,
) -> Result<HashMap<HeaderName, HeaderValue>, McpServerError> {
    let invalid = |detail: String| McpServerError::Invalid { detail };
    let mut sent = HashMap::new();
    for (name, value) in headers {
        let header = HeaderName::from_bytes(name.as_bytes());
        let header = header.map_err(|_| invalid(format!("header {name}")))?;
        let mut value = HeaderValue::from_str(value)
            .map_err(|_| invalid(format!("the value of header {name}")))?;
        value.set_sensitive(true);
        sent.insert(header, value);
    }
    Ok(sent)
}

async fn open(
    address: &Url,
    headers: HashMap<HeaderName, HeaderValue>,
    pass: Option<AuthorizationManager>,
    net: &HttpClient,
    handler: McpClientHandler,
) -> Result<Connection, McpServerError> {
    let config = StreamableHttpClientTransportConfig::with_uri(Arc::<str>::from(address.as_str()))
        .custom_headers(headers)
        .max_sse_event_size(MAX_MESSAGE);
    let signed_in = pass.is_some();
    let served = match pass {
        Some(manager) => {
            let client = AuthClient::new(McpHttpClient(net.client()), manager);
            let transport = StreamableHttpClientTransport::with_client(client, config);
            handler.clone().serve(transport).await
        }
        None => {
            let transport =
                StreamableHttpClientTransport::with_client(McpHttpClient(net.client()), config);
            handler.clone().serve(transport).await
        }
    };
    match served {
        Ok(service) => Ok(Connection { service, handler, process_group: None, signed_in }),
        Err(error) => Err(server_error(&error)),
    }
}

fn server_error(error: &ClientInitializeError) -> McpServerError {
    let detail = error_chain(error);
    let ClientInitializeError::TransportError { error, .. } = error else {
        return match error {
            ClientInitializeError::ConnectionClosed(_) => McpServerError::Unreachable { detail },
            _ => McpServerError::Protocol { detail },
        };
    };
    let meaning = classify_transport(error);
    match (meaning.sign_in_error(&detail), meaning) {
        (Some(fault), _) => fault,
        (None, ErrorClass::RequestOnly { status: Some(status @ (404 | 405)) }) => {
            McpServerError::NotSpoken { status }
        }
        (None, _) => McpServerError::Unreachable { detail },
    }
}
