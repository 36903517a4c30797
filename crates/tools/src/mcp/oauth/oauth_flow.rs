//! Signs in to a remote server according to the MCP authorization specification. The server's
//! metadata names the authorization server, where Skein is registered
//! ([`crate::mcp::oauth::oauth_registration`]). The browser returns to a listener on the loopback
//! with a code that only Skein can exchange (PKCE). The tokens are sent to this server alone, and
//! renewed when they expire.
//!
//! This module opens no browser: the caller gets the address of the page. Not here: storing the
//! tokens (`secrets`), or the page in the browser ([`crate::mcp::oauth::oauth_callback`]).

use std::sync::Arc;
use std::time::Duration;

use reqwest::{Client, Url, redirect};
use rmcp::transport::auth::{
    AuthError, AuthorizationManager, AuthorizationSession, OAuthClientConfig, OAuthHttpClient,
    OAuthHttpClientError, OAuthHttpClientFuture, OAuthHttpRedirectPolicy, OAuthHttpRequest,
};
use skein_domain::error::SignInError;
use skein_platform::http::{HttpClient, is_loopback, read_body};
use tokio::net::TcpListener;

use super::credential_store::ServerCredentialStore;
use super::oauth_callback::{CallbackRequest, CallbackResult, SignInPageText, read_callback};
use super::oauth_registration::{
    ClientRegistration, bind_callback_listener, is_unknown_client, is_unknown_client_error,
};
use super::oauth_store::OAuthStore;
use crate::error_chain::error_chain;
use crate::mcp::McpServerError;
use crate::mcp::errors::classify_auth;
use crate::mcp::server_log::ServerLog;
use crate::ssrf_guard::{PublicOnlyResolver, resolves_to_private};

pub const SIGN_IN_TIMEOUT: Duration = Duration::from_secs(300);
/// The limit of an authorization server's response, in bytes.
const MAX_RESPONSE: usize = 1024 * 1024;

/// The manager that provides a token for every request to a server; `None` if nobody is signed in.
/// Tokens are renewed only at the server that issued them: if the metadata now names another one,
/// or none, there is no renewal.
pub(crate) async fn authorization_for(
    passes: &Arc<dyn OAuthStore>,
    server: &str,
    url: &Url,
    net: &HttpClient,
    log: &ServerLog,
) -> Result<Option<AuthorizationManager>, McpServerError> {
    let mut kept = ServerCredentialStore {
        passes: Arc::clone(passes),
        server: server.to_owned(),
        url: url.to_string(),
        client_secret: None,
        token_endpoint: None,
        log: log.clone(),
        only_replaces: true,
    };
    let to_server_error = |error: AuthError| {
        let detail = error_chain(&error);
        classify_auth(&error)
            .sign_in_error(&detail)
            .unwrap_or(McpServerError::Unreachable { detail })
    };
    let Some(pass) = kept.stored().await.map_err(to_server_error)? else { return Ok(None) };
    let mut manager = manager(url, net).await.map_err(to_server_error)?;
    let metadata = manager.resolve_metadata().await.map_err(to_server_error)?.metadata;
    if !pass.is_issued_by(&metadata) {
        let named = metadata.issuer.as_deref().unwrap_or(&metadata.token_endpoint);
        let detail = format!("the server does not name who signed you in any more, but {named}");
        return Err(McpServerError::NotRenewed { detail });
    }
    kept.client_secret.clone_from(&pass.client_secret);
    kept.token_endpoint = Some(metadata.token_endpoint.clone());
    manager.set_metadata(metadata);
    manager.set_credential_store(kept);
    let is_signed_in = manager.initialize_from_store().await.map_err(to_server_error)?;
    if let (true, Some(secret)) = (is_signed_in, pass.client_secret) {
        let client = OAuthClientConfig::new(pass.credentials.client_id, url.as_str());
        manager.configure_client(client.with_client_secret(secret)).map_err(to_server_error)?;
    }
    Ok(is_signed_in.then_some(manager))
}

async fn manager(url: &Url, net: &HttpClient) -> Result<AuthorizationManager, AuthError> {
    let near = resolves_to_private(url).await;
    let client = Arc::new(GuardedOAuthClient {
        net: net.clone(),
        loopback: is_loopback(url),
        is_private_network: near,
    });
    AuthorizationManager::new_with_oauth_http_client(url.clone(), client).await
}

/// The server to sign in to, and the store of its tokens.
struct SignInTarget {
    passes: Arc<dyn OAuthStore>,
    server: String,
    url: Url,
    net: HttpClient,
    log: ServerLog,
}

impl SignInTarget {
    async fn save_registration(&self, registration: &ClientRegistration) {
        registration.save(&self.passes, &self.server).await;
    }
}

/// A sign-in in progress: the page to open, and the wait for its result.
pub struct SignInFlow {
    target: SignInTarget,
    listener: TcpListener,
    port: u16,
    attempt: AuthorizationAttempt,
}

impl SignInFlow {
    /// Discovers the authorization server, and registers Skein there unless that is done.
    ///
    /// # Errors
    /// [`NotSignedIn::Failed`].
    pub(crate) async fn begin(
        passes: Arc<dyn OAuthStore>,
        server: &str,
        url: &Url,
        net: &HttpClient,
        log: ServerLog,
    ) -> Result<Self, SignInError> {
        let known = ClientRegistration::load(&passes, server, url).await;
        let (listener, port, known) = bind_callback_listener(known).await.map_err(failed)?;
        let (server, url, net) = (server.to_owned(), url.clone(), net.clone());
        let target = SignInTarget { passes, server, url, net, log };
        let attempt = AuthorizationAttempt::of(&target, port, known).await?;
        if !attempt.was_known {
            target.save_registration(&attempt.registration).await;
        }
        Ok(Self { target, listener, port, attempt })
    }

    /// The address to open in the browser.
    pub fn page(&self) -> &str {
        self.attempt.page.as_str()
    }

    /// Waits for the browser to return, and exchanges the code. If Skein's registration is unknown,
    /// it registers again and redirects the browser to the new page.
    ///
    /// # Errors
    /// [`NotSignedIn`], except `Cancelled`.
    pub async fn finish(mut self, words: &SignInPageText) -> Result<(), SignInError> {
        let waited = tokio::time::timeout(SIGN_IN_TIMEOUT, self.wait(words)).await;
        waited
            .unwrap_or(Err(SignInError::TimedOut {}))
            .map_err(|reason| self.target.log.redact_sign_in_error(reason))
    }

    async fn wait(&mut self, words: &SignInPageText) -> Result<(), SignInError> {
        ClientRegistration::forget(&self.target.passes, &self.target.server).await;
        loop {
            let accepted = self.listener.accept().await;
            let (stream, _) = accepted.map_err(failed)?;
            let Some(visit) = read_callback(stream, &self.attempt.state).await else { continue };
            let CallbackRequest { answer, reply } = visit;
            let outcome = match self.attempt.ended(answer).await {
                Err(SignInFailure::UnknownClient { .. }) if self.attempt.was_known => {
                    match AuthorizationAttempt::of(&self.target, self.port, None).await {
                        Ok(anew) => {
                            reply.redirect(&anew.page).await;
                            self.attempt = anew;
                            continue;
                        }
                        Err(reason) => Err(reason),
                    }
                }
                Err(SignInFailure::UnknownClient { detail }) => Err(SignInError::Failed { detail }),
                Err(SignInFailure::Other(reason)) => Err(reason),
                Ok(()) => Ok(()),
            };
            // An authorization server that reports a refusal of the user knows the registration.
            if matches!(outcome, Ok(()) | Err(SignInError::Declined {})) {
                self.target.save_registration(&self.attempt.registration).await;
            }
            reply.send(if outcome.is_ok() { &words.done } else { &words.failed }).await;
            return outcome;
        }
    }
}

/// A page to sign in at, and the state expected in its redirect.
struct AuthorizationAttempt {
    session: AuthorizationSession,
    page: Url,
    state: String,
    registration: ClientRegistration,
    /// True if the registration is of an earlier sign-in.
    was_known: bool,
}

/// The reason of a redirect without a code.
enum SignInFailure {
    UnknownClient { detail: String },
    Other(SignInError),
}

impl AuthorizationAttempt {
    async fn of(
        target: &SignInTarget,
        port: u16,
        known: Option<ClientRegistration>,
    ) -> Result<Self, SignInError> {
        let mut manager = manager(&target.url, &target.net).await.map_err(failed)?;
        let discovered = manager.resolve_metadata().await.map_err(failed)?;
        let registrar = discovered.metadata.registration_endpoint.clone();
        let token_endpoint = Some(discovered.metadata.token_endpoint.clone());
        manager.set_metadata(discovered.metadata);
        let wanted = manager.select_scopes(None, &[]);
        let known = known.filter(|known| known.is_valid_for(registrar.as_deref(), &wanted));
        let was_known = known.is_some();
        let registration = match known {
            Some(known) => known,
            None => ClientRegistration::register(&mut manager, &target.url, registrar, port)
                .await
                .map_err(failed)?,
        };
        target.log.add_secrets(registration.client_secret.as_slice());
        manager.set_credential_store(ServerCredentialStore {
            passes: Arc::clone(&target.passes),
            server: target.server.clone(),
            url: target.url.to_string(),
            client_secret: registration.client_secret.clone(),
            token_endpoint,
            log: target.log.clone(),
            only_replaces: false,
        });
        let session = AuthorizationSession::new(manager, registration.request()).await;
        let session = session.map_err(|(_, error)| failed(error))?;
        let no_page =
            || SignInError::Failed { detail: "the server names no sign-in page".to_owned() };
        let page = Url::parse(session.get_authorization_url()).map_err(|_| no_page())?;
        if !is_allowed(&page, is_loopback(&target.url)) {
            return Err(SignInError::Failed { detail: format!("{page:.80} is not https") });
        }
        let mut pairs = page.query_pairs();
        let state = pairs.find(|(name, _)| name == "state").map(|(_, state)| state.into_owned());
        let state = state.ok_or_else(no_page)?;
        Ok(Self { session, page, state, registration, was_known })
    }

    /// Completes a sign-in: exchanges the code for tokens.
    async fn ended(&self, answer: CallbackResult) -> Result<(), SignInFailure> {
        match answer {
            CallbackResult::Refused(code) if is_unknown_client(&code) => {
                Err(SignInFailure::UnknownClient { detail: code })
            }
            CallbackResult::Refused(code) if code == "access_denied" => {
                Err(SignInFailure::Other(SignInError::Declined {}))
            }
            CallbackResult::Refused(code) => {
                Err(SignInFailure::Other(SignInError::Failed { detail: code }))
            }
            CallbackResult::Code(address) => {
                let exchanged = self.session.handle_callback_url(address.as_str()).await;
                exchanged.map(drop).map_err(|error| match is_unknown_client_error(&error) {
                    true => SignInFailure::UnknownClient { detail: error_chain(&error) },
                    false => SignInFailure::Other(failed(error)),
                })
            }
        }
    }
}

/// Sends all requests of a sign-in except the browser's, through the one client, so that hosts are
/// recorded.
struct GuardedOAuthClient {
    net: HttpClient,
    /// True if the server is on this machine. Only then may the authorization server be on this machine.
    loopback: bool,
    /// True if the server is in the local network. Only then may the authorization server be in it.
    is_private_network: bool,
}

impl GuardedOAuthClient {
    /// A client for one address. A server on the internet cannot name an authorization server
    /// within the local network.
    async fn client(&self, url: &Url, follows: bool) -> Result<Client, OAuthHttpClientError> {
        if self.is_private_network && follows {
            return Ok(self.net.client());
        }
        let mut builder = self.net.builder()?;
        if !self.is_private_network {
            if resolves_to_private(url).await {
                return Err("an address that is not public".into());
            }
            builder = builder.dns_resolver(PublicOnlyResolver::of(url));
        }
        if !follows {
            builder = builder.redirect(redirect::Policy::none());
        }
        Ok(builder.build()?)
    }
}

impl OAuthHttpClient for GuardedOAuthClient {
    fn execute(&self, asked: OAuthHttpRequest) -> OAuthHttpClientFuture<'_> {
        Box::pin(async move {
            let follows = asked.redirect_policy == OAuthHttpRedirectPolicy::Follow;
            let mut request = reqwest::Request::try_from(asked.request)?;
            *request.timeout_mut() = asked.timeout;
            if !is_allowed(request.url(), self.loopback) {
                return Err(OAuthHttpClientError::from("an address that is not https"));
            }
            let client = self.client(request.url(), follows).await?;
            self.net.record_host(request.url());
            read(client.execute(request).await?).await
        })
    }
}

async fn read(
    response: reqwest::Response,
) -> Result<http::Response<Vec<u8>>, OAuthHttpClientError> {
    let (status, headers) = (response.status(), response.headers().clone());
    let body = read_body(response, MAX_RESPONSE).await?.ok_or("an answer that is too long")?;
    let mut read = http::Response::new(body);
    *read.status_mut() = status;
    *read.headers_mut() = headers;
    Ok(read)
}

/// True for `https`, and for `http` on this machine.
fn is_allowed(url: &Url, loopback: bool) -> bool {
    url.scheme() == "https" || (loopback && url.scheme() == "http" && is_loopback(url))
}

fn failed(error: impl std::error::Error + 'static) -> SignInError {
    SignInError::Failed { detail: error_chain(&error) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn what_a_server_out_in_the_world_names_does_not_lead_in_here() {
        let net = HttpClient::new(&skein_platform::http::NetworkSettings::default(), Arc::new(()))
            .unwrap();
        let said = async |near: bool| {
            let way =
                GuardedOAuthClient { net: net.clone(), loopback: false, is_private_network: near };
            let url = Url::parse("https://localhost:9/token").unwrap();
            way.client(&url, false).await.map(drop).map_err(|error| error.to_string())
        };
        assert_eq!(said(true).await, Ok(()));
        assert_eq!(said(false).await, Err("an address that is not public".into()));
        assert!(resolves_to_private(&Url::parse("http://127.0.0.1:9/mcp").unwrap()).await);
    }
}
