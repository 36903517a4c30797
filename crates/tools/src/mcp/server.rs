//! Supervises one server: starts it, restarts it after a failure, and stops it with its child
//! processes.

mod connection_handle;
mod tool_call;

use std::pin::pin;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use parking_lot::Mutex;
use rmcp::model::{ClientRequest, PingRequest};
use rmcp::service::ServiceError;
use skein_domain::error::{Error, SignInError};
use skein_platform::http::HttpClient;
use tokio::sync::{Notify, watch};
use tokio_util::sync::CancellationToken;

use super::backoff::retry_delay;
use super::errors::{ErrorClass, classify};
use super::keys::{ExpandedTransport, SecretValues};
use super::server_features::ServerFeatures;
use super::server_log::ServerLog;
use super::{ChangeCallback, McpServerConfig, McpServerError, McpSignIn, McpState, McpTransport};
use crate::error_chain::error_chain;
use crate::mcp::oauth::oauth_flow::SignInFlow;
use crate::mcp::oauth::oauth_store::OAuthStore;
use crate::mcp::transport::connection::{Connection, connect, parse_server_url};

pub(super) use connection_handle::ConnectionHandle;

/// The delay that merges `list_changed` notifications in quick succession.
const LIST_DEBOUNCE: Duration = Duration::from_millis(50);
/// The time that a server has to exit by itself.
const EXIT_TIMEOUT: Duration = Duration::from_secs(2);
/// After this uptime, earlier failures are forgotten.
const STABLE_AFTER: Duration = Duration::from_secs(60);
const PING_INTERVAL: Duration = Duration::from_secs(60);
const PING_TIMEOUT: Duration = Duration::from_secs(30);

pub(super) struct McpServer {
    pub config: McpServerConfig,
    pub log: ServerLog,
    values: SecretValues,
    passes: Arc<dyn OAuthStore>,
    net: HttpClient,
    on_change: ChangeCallback,
    now: Mutex<ServerState>,
    /// The connection for calls; a call can wait for the next one.
    line: watch::Sender<Option<ConnectionHandle>>,
    /// True once the result of the last requested start is known.
    attempted: watch::Sender<bool>,
    restart_requested: Notify,
    stop: CancellationToken,
}

struct ServerState {
    state: McpState,
    features: ServerFeatures,
    /// True after a request was rejected for lack of a sign-in, until the next restart.
    wants_sign_in: bool,
}

enum ConnectionEnd {
    Stopped,
    Restart,
    Lost(McpServerError),
}

impl McpServer {
    pub(super) fn new(
        config: McpServerConfig,
        state: McpState,
        values: SecretValues,
        passes: Arc<dyn OAuthStore>,
        net: HttpClient,
        on_change: ChangeCallback,
    ) -> Self {
        let tried = watch::Sender::new(state != McpState::Starting {});
        Self {
            config,
            log: ServerLog::default(),
            values,
            passes,
            net,
            on_change,
            now: Mutex::new(ServerState {
                state,
                features: ServerFeatures::default(),
                wants_sign_in: false,
            }),
            line: watch::Sender::new(None),
            attempted: tried,
            restart_requested: Notify::new(),
            stop: CancellationToken::new(),
        }
    }

    pub(super) fn name(&self) -> &str {
        &self.config.name
    }

    pub(super) fn state(&self) -> McpState {
        self.now.lock().state.clone()
    }

    /// The state of signing in; not needed if the configuration has a key.
    pub(super) fn sign_in_state(&self) -> McpSignIn {
        let McpTransport::Http { headers, .. } = &self.config.transport else {
            return McpSignIn::NotAsked {};
        };
        let has_key = headers.keys().any(|name| name.eq_ignore_ascii_case("authorization"));
        match self.now.lock().wants_sign_in && !has_key {
            true => McpSignIn::Offered {},
            false => McpSignIn::NotAsked {},
        }
    }

    /// Begins a sign-in.
    ///
    /// # Errors
    /// [`Error::NotSignedIn`].
    pub(super) async fn sign_in(&self) -> Result<SignInFlow, Error> {
        let failed = |detail: String| Error::NotSignedIn { reason: SignInError::Failed { detail } };
        let unusable = |error: McpServerError| failed(format!("{error:?}"));
        let ExpandedTransport { transport, secrets: keys } =
            self.values.expand(&self.config).await.map_err(unusable)?;
        self.log.add_secrets(&keys);
        let McpTransport::Http { url, .. } = transport else {
            return Err(failed("a program".to_owned()));
        };
        let url = parse_server_url(&url).map_err(unusable)?;
        let (passes, log) = (Arc::clone(&self.passes), self.log.clone());
        let begun = SignInFlow::begin(passes, self.name(), &url, &self.net, log).await;
        begun.map_err(|reason| Error::NotSignedIn { reason: self.log.redact_sign_in_error(reason) })
    }

    pub(super) fn features(&self) -> ServerFeatures {
        self.now.lock().features.clone()
    }

    /// Requests a stop. [`Self::supervise`] returns when it is done.
    pub(super) fn stop(&self) {
        self.stop.cancel();
    }

    /// Waits until the first start is over, or the last start that the user requested. Does not wait for
    /// automatic restarts.
    pub(super) async fn wait_for_first_attempt(&self) {
        let mut tried = self.attempted.subscribe();
        let _ = tried.wait_for(|tried| *tried).await;
    }

    /// Restarts at once and forgets earlier failures.
    pub(super) fn restart(&self) {
        if !matches!(self.state(), McpState::Off {} | McpState::NeedsConsent { .. }) {
            self.attempted.send_replace(false);
        }
        self.now.lock().wants_sign_in = false;
        self.restart_requested.notify_one();
    }

    /// Keeps the server running until it is stopped.
    pub(super) async fn supervise(&self) {
        let mut failures = 0_u32;
        loop {
            // During automatic restarts its features are gone.
            if failures == 0 {
                self.become_state(McpState::Starting {});
            }
            let connected = tokio::select! {
                connected = self.connect() => connected,
                () = self.restart_requested.notified() => {
                    failures = 0;
                    continue;
                }
                () = self.stop.cancelled() => break,
            };
            let greeted = Instant::now();
            let fault = match connected {
                Ok(connection) => match self.serve(connection).await {
                    ConnectionEnd::Stopped => break,
                    ConnectionEnd::Restart => {
                        failures = 0;
                        continue;
                    }
                    ConnectionEnd::Lost(fault) => fault,
                },
                Err(fault) => fault,
            };
            if greeted.elapsed() > STABLE_AFTER {
                failures = 0;
            }
            failures = failures.saturating_add(1);
            let wait = retry_delay(&fault, failures);
            let retry_at = wait.map(in_milliseconds);
            self.become_state(McpState::Failed { fault: self.log.redact_error(fault), retry_at });
            let pause = async {
                match wait {
                    Some(wait) => tokio::time::sleep(wait).await,
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                () = pause => {}
                () = self.restart_requested.notified() => failures = 0,
                () = self.stop.cancelled() => break,
            }
        }
        self.become_state(McpState::Off {});
    }

    async fn connect(&self) -> Result<Connection, McpServerError> {
        connect(&self.config, &self.values, &self.passes, &self.net, &self.log).await
    }

    /// Serves a connection until it ends or is stopped, and cleans up.
    async fn serve(&self, connection: Connection) -> ConnectionEnd {
        let Connection { service, handler: ears, process_group: mut program, signed_in } =
            connection;
        let line = ConnectionHandle::new(service.peer().clone(), ears, signed_in);
        let hang_up = service.cancellation_token();
        let mut closed = pin!(service.waiting());
        let end = tokio::select! {
            _ = &mut closed => None,
            () = self.stop.cancelled() => Some(ConnectionEnd::Stopped),
            () = self.restart_requested.notified() => Some(ConnectionEnd::Restart),
            () = line.over() => Some(ConnectionEnd::Restart),
            fault = self.keep_features_current(&line) => Some(ConnectionEnd::Lost(fault)),
            fault = self.keep_pinging(&line) => Some(ConnectionEnd::Lost(fault)),
        };
        self.line.send_replace(None);
        let end = match end {
            Some(end) => {
                hang_up.cancel();
                let _ = tokio::time::timeout(EXIT_TIMEOUT, closed).await;
                end
            }
            None => ConnectionEnd::Lost(McpServerError::Ended {
                code: None,
                detail: "it hung up".into(),
            }),
        };
        let Some(program) = &mut program else { return end };
        // The stdin of the server is closed now: most servers exit by themselves, the others are killed with
        // their group.
        let ended = tokio::time::timeout(EXIT_TIMEOUT, program.0.inner_mut().wait()).await;
        match (end, ended) {
            (ConnectionEnd::Lost(McpServerError::Ended { detail, .. }), Ok(Ok(status))) => {
                ConnectionEnd::Lost(McpServerError::Ended { code: status.code(), detail })
            }
            (end, _) => end,
        }
    }

    /// Lists the server's features, and again after each change. Returns only if the first listing
    /// of tools fails; after that, the last list stays valid.
    async fn keep_features_current(&self, line: &ConnectionHandle) -> McpServerError {
        match self.list(line).await {
            Ok(offer) => {
                self.now.lock().wants_sign_in = false;
                self.become_ready(line, offer);
            }
            Err(fault) => return fault,
        }
        loop {
            line.handler.changed.notified().await;
            tokio::time::sleep(LIST_DEBOUNCE).await;
            match self.list(line).await {
                Ok(offer) => self.become_ready(line, offer),
                Err(fault) => self.log.list_failed("tools/list", &fault),
            }
        }
    }

    async fn list(&self, line: &ConnectionHandle) -> Result<ServerFeatures, McpServerError> {
        ServerFeatures::fetch(&line.peer, self.features(), &self.log).await
    }

    fn become_ready(&self, line: &ConnectionHandle, offer: ServerFeatures) {
        self.line.send_replace(Some(line.clone()));
        {
            let mut now = self.now.lock();
            now.features = offer;
            now.state = McpState::Ready {};
        }
        self.attempted.send_replace(true);
        (self.on_change)();
    }

    /// Pings the server at intervals and after doubtful errors. Returns if it cannot be reached, or
    /// does not respond while no call is in progress. Any response counts, including "method not
    /// found".
    async fn keep_pinging(&self, line: &ConnectionHandle) -> McpServerError {
        loop {
            tokio::select! {
                () = line.doubt.notified() => {}
                () = tokio::time::sleep(PING_INTERVAL) => if !line.is_idle() {
                    continue;
                },
            }
            let ping = ClientRequest::PingRequest(PingRequest::default());
            match tokio::time::timeout(PING_TIMEOUT, line.peer.send_request(ping)).await {
                Err(_) if line.is_idle() => {
                    return McpServerError::TimedOut { seconds: PING_TIMEOUT.as_secs() as u32 };
                }
                Ok(Err(error)) if self.meaning(&error) == ErrorClass::Unclear => {
                    return McpServerError::Unreachable { detail: error_chain(&error) };
                }
                Ok(Err(error)) => self.handle_error(line, &error),
                Ok(Ok(_)) | Err(_) => {}
            }
        }
    }

    /// Handles the consequences of a failed request for its connection: nothing, unless the session
    /// is lost.
    pub(super) fn handle_error(&self, line: &ConnectionHandle, error: &ServiceError) {
        match self.meaning(error) {
            ErrorClass::Unauthorized | ErrorClass::NotRenewed => self.want_sign_in(true),
            ErrorClass::NoSession => line.session_lost.cancel(),
            ErrorClass::Unclear => line.doubt.notify_one(),
            ErrorClass::RequestOnly { .. } => {}
        }
    }

    /// Notes that the server accepted a request, so the sign-in is valid.
    fn note_accepted(&self, line: &ConnectionHandle) {
        if line.signed_in {
            self.want_sign_in(false);
        }
    }

    fn want_sign_in(&self, wants: bool) {
        let before = std::mem::replace(&mut self.now.lock().wants_sign_in, wants);
        if before != wants {
            (self.on_change)();
        }
    }

    /// The class of an error. A local program has no session to lose.
    fn meaning(&self, error: &ServiceError) -> ErrorClass {
        match (&self.config.transport, error) {
            (McpTransport::Stdio { .. }, ServiceError::McpError(_)) => {
                ErrorClass::RequestOnly { status: None }
            }
            _ => classify(error),
        }
    }

    pub(super) fn connection(&self) -> Option<ConnectionHandle> {
        self.line.borrow().clone()
    }

    fn become_state(&self, state: McpState) {
        let keeps_offer = matches!(state, McpState::Starting {} | McpState::Ready {});
        {
            let mut now = self.now.lock();
            if let McpState::Failed { fault, .. } = &state {
                now.wants_sign_in = matches!(
                    fault,
                    McpServerError::Unauthorized {} | McpServerError::NotRenewed { .. }
                );
            }
            now.state = state;
            if !keeps_offer {
                now.features = ServerFeatures::default();
            }
        }
        if !keeps_offer {
            self.attempted.send_replace(true);
        }
        (self.on_change)();
    }
}

fn in_milliseconds(wait: Duration) -> i64 {
    let then = SystemTime::now() + wait;
    let since = then.duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}
