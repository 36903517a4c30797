//! Signing in to a remote server, as the MCP authorization specification has it: who signs people in
//! is read from the server's own metadata, Skein is registered there, the browser comes back to a
//! listener on the loopback with a code that only Skein can exchange (PKCE), and what that brings is
//! sent to this server alone and renewed when it is old.
//!
//! Nothing here opens a browser: the person pressed a button, and whoever asks is handed the page. Not
//! here: where what it brought is kept (`secrets`), or the answer in the browser ([`super::redirect`]).

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use reqwest::{Url, redirect};
use rmcp::transport::auth::{
    AuthError, AuthorizationManager, AuthorizationRequest, AuthorizationSession, CredentialStore,
    OAuthClientConfig, OAuthHttpClient, OAuthHttpClientError, OAuthHttpClientFuture,
    OAuthHttpRedirectPolicy, OAuthHttpRequest, StoredCredentials,
};
use serde::{Deserialize, Serialize};
use tokio::net::TcpListener;

use super::Fault;
use super::failure::of_auth;
use super::log::Log;
use super::redirect::{Answer, PageWords, Visit, visit};
use crate::error::NotSignedIn;
use crate::net::Net;
use crate::tools::page::chain;

/// How long a sign-in may take before it is given up.
pub const PATIENCE: Duration = Duration::from_secs(300);
/// Bytes of the longest answer of whoever signs people in.
const LONGEST: usize = 1024 * 1024;

/// Where what a sign-in brought is kept, by the name of the server.
#[async_trait]
pub trait Passes: Send + Sync {
    /// `None`: nobody is signed in there.
    ///
    /// # Errors
    /// In words for the log: whether somebody is cannot be found out now.
    async fn read(&self, server: &str) -> Result<Option<String>, String>;
    /// Whether there is one, as far as is known: a look in passing asks nobody twice.
    async fn is_kept(&self, server: &str) -> bool;
    /// `None` forgets it.
    ///
    /// # Errors
    /// In words for the log.
    async fn write(&self, server: &str, pass: Option<String>) -> Result<(), String>;
}

/// Keeps nothing.
#[async_trait]
impl Passes for () {
    async fn read(&self, _server: &str) -> Result<Option<String>, String> {
        Ok(None)
    }

    async fn is_kept(&self, _server: &str) -> bool {
        false
    }

    async fn write(&self, _server: &str, _pass: Option<String>) -> Result<(), String> {
        Ok(())
    }
}

/// What a sign-in brought, with the only address it is sent to.
#[derive(Serialize, Deserialize)]
struct Pass {
    url: String,
    credentials: StoredCredentials,
    /// Of Skein itself, where its registration brought one: nothing is renewed without.
    #[serde(default)]
    client_secret: Option<String>,
}

/// The pass of one server at one address.
struct Kept {
    passes: Arc<dyn Passes>,
    server: String,
    url: String,
    /// Kept with what is saved.
    client_secret: Option<String>,
    /// Where what it holds shall not be read.
    log: Log,
    /// Whether it may only take the place of another: what was signed out meanwhile stays so.
    renews: bool,
}

impl Kept {
    async fn pass(&self) -> Result<Option<Pass>, AuthError> {
        let kept = self.passes.read(&self.server).await.map_err(AuthError::CredentialStoreError)?;
        let pass: Option<Pass> = kept.and_then(|kept| serde_json::from_str(&kept).ok());
        if let Some(pass) = &pass {
            self.log.hide(&pass.keys());
        }
        Ok(pass.filter(|pass| pass.url == self.url))
    }

    async fn write(&self, pass: Option<String>) -> Result<(), AuthError> {
        let written = self.passes.write(&self.server, pass).await;
        written.map_err(AuthError::CredentialStoreError)
    }
}

#[async_trait]
impl CredentialStore for Kept {
    async fn load(&self) -> Result<Option<StoredCredentials>, AuthError> {
        Ok(self.pass().await?.map(|pass| pass.credentials))
    }

    async fn save(&self, credentials: StoredCredentials) -> Result<(), AuthError> {
        if self.renews && matches!(self.pass().await, Ok(None)) {
            return Err(AuthError::AuthorizationRequired);
        }
        let client_secret = self.client_secret.clone();
        let pass = Pass { url: self.url.clone(), credentials, client_secret };
        self.log.hide(&pass.keys());
        let pass = serde_json::to_string(&pass);
        self.write(Some(pass.map_err(|error| AuthError::InternalError(error.to_string()))?)).await
    }

    async fn clear(&self) -> Result<(), AuthError> {
        self.write(None).await
    }
}

impl Pass {
    /// What of it is shown nowhere.
    fn keys(&self) -> Vec<String> {
        let spelled = serde_json::to_value(&self.credentials).unwrap_or_default();
        let token = |name| Some(spelled.get("token_response")?.get(name)?.as_str()?.to_owned());
        let tokens = ["access_token", "refresh_token"].into_iter().filter_map(token);
        tokens.chain(self.client_secret.clone()).collect()
    }
}

/// Who is asked for a token before every request to a server; `None`: nobody is signed in there.
pub(super) async fn signed_in(
    passes: &Arc<dyn Passes>,
    server: &str,
    url: &Url,
    net: &Net,
    log: &Log,
) -> Result<Option<AuthorizationManager>, Fault> {
    let mut kept = Kept {
        passes: Arc::clone(passes),
        server: server.to_owned(),
        url: url.to_string(),
        client_secret: None,
        log: log.clone(),
        renews: true,
    };
    let fault = |error: AuthError| {
        let detail = chain(&error);
        of_auth(&error).of_sign_in(&detail).unwrap_or(Fault::Unreachable { detail })
    };
    let Some(pass) = kept.pass().await.map_err(fault)? else { return Ok(None) };
    kept.client_secret.clone_from(&pass.client_secret);
    let mut manager = manager(url, net).await.map_err(fault)?;
    manager.set_credential_store(kept);
    let found = manager.initialize_from_store().await.map_err(fault)?;
    if let (true, Some(secret)) = (found, pass.client_secret) {
        let client = OAuthClientConfig::new(pass.credentials.client_id, url.as_str());
        manager.configure_client(client.with_client_secret(secret)).map_err(fault)?;
    }
    Ok(found.then_some(manager))
}

async fn manager(url: &Url, net: &Net) -> Result<AuthorizationManager, AuthError> {
    let way = Arc::new(Way { net: net.clone(), loopback: is_loopback(url) });
    AuthorizationManager::new_with_oauth_http_client(url.clone(), way).await
}

/// A sign-in that has begun: the page to open, and the wait for what it brings.
pub struct SignIn {
    session: AuthorizationSession,
    listener: TcpListener,
    page: Url,
    state: String,
    log: Log,
}

impl SignIn {
    /// Finds out who signs people in for a server, and registers Skein there.
    ///
    /// # Errors
    /// [`NotSignedIn::Failed`].
    pub(super) async fn begin(
        passes: Arc<dyn Passes>,
        server: &str,
        url: &Url,
        net: &Net,
        log: Log,
    ) -> Result<Self, NotSignedIn> {
        let mut manager = manager(url, net).await.map_err(failed)?;
        let found = manager.resolve_metadata().await.map_err(failed)?;
        manager.set_metadata(found.metadata);
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.map_err(failed)?;
        let port = listener.local_addr().map_err(failed)?.port();
        let client = registered(&mut manager, port).await.map_err(failed)?;
        log.hide(client.client_secret.as_slice());
        manager.set_credential_store(Kept {
            passes,
            server: server.to_owned(),
            url: url.to_string(),
            client_secret: client.client_secret.clone(),
            log: log.clone(),
            renews: false,
        });
        let session = AuthorizationSession::new(manager, request(client)).await;
        let session = session.map_err(|(_, error)| failed(error))?;
        let no_page = || NotSignedIn::Failed { detail: "no page to sign in at".to_owned() };
        let page = Url::parse(session.get_authorization_url()).map_err(|_| no_page())?;
        if !is_allowed(&page, is_loopback(url)) {
            return Err(NotSignedIn::Failed { detail: format!("{page:.80} is not https") });
        }
        let mut pairs = page.query_pairs();
        let state = pairs.find(|(name, _)| name == "state").map(|(_, state)| state.into_owned());
        let state = state.ok_or_else(no_page)?;
        Ok(Self { session, listener, page, state, log })
    }

    /// What the browser shall open.
    pub fn page(&self) -> &str {
        self.page.as_str()
    }

    /// Waits for the browser to come back, and exchanges what it brings.
    ///
    /// # Errors
    /// [`NotSignedIn`], but for `Cancelled`.
    pub async fn finish(self, words: &PageWords) -> Result<(), NotSignedIn> {
        let waited = tokio::time::timeout(PATIENCE, self.wait(words)).await;
        waited
            .unwrap_or(Err(NotSignedIn::TimedOut {}))
            .map_err(|reason| self.log.cleaned_reason(reason))
    }

    async fn wait(&self, words: &PageWords) -> Result<(), NotSignedIn> {
        loop {
            let accepted = self.listener.accept().await;
            let (stream, _) = accepted.map_err(failed)?;
            let Some(visit) = visit(stream, &self.state).await else { continue };
            let Visit { answer, reply } = visit;
            let outcome = match answer {
                Answer::Declined => Err(NotSignedIn::Declined {}),
                Answer::Back(address) => self.exchange(address.as_str()).await,
            };
            reply.send(if outcome.is_ok() { &words.done } else { &words.failed }).await;
            return outcome;
        }
    }

    async fn exchange(&self, address: &str) -> Result<(), NotSignedIn> {
        let exchanged = self.session.handle_callback_url(address).await;
        exchanged.map(drop).map_err(failed)
    }
}

/// Registers Skein, with a browser that comes back to this port.
async fn registered(
    manager: &mut AuthorizationManager,
    port: u16,
) -> Result<OAuthClientConfig, AuthError> {
    let back = format!("http://127.0.0.1:{port}/callback");
    let scopes = manager.select_scopes(None, &[]);
    let scopes: Vec<&str> = scopes.iter().map(String::as_str).collect();
    manager.register_client("Skein", &back, &scopes).await
}

/// The request of a client that is registered, for what it was registered for.
fn request(client: OAuthClientConfig) -> AuthorizationRequest {
    let request = AuthorizationRequest::new(client.redirect_uri)
        .with_preregistered_client(client.client_id)
        .with_scopes(client.scopes);
    match client.client_secret {
        Some(secret) => request.with_client_secret(secret),
        None => request,
    }
}

/// The way of every request but the browser's: the one client, noted as any other is.
struct Way {
    net: Net,
    /// Whether the server itself is on this machine: only then may who signs people in be, too.
    loopback: bool,
}

impl OAuthHttpClient for Way {
    fn execute(&self, asked: OAuthHttpRequest) -> OAuthHttpClientFuture<'_> {
        Box::pin(async move {
            let follows = asked.redirect_policy == OAuthHttpRedirectPolicy::Follow;
            let mut request = reqwest::Request::try_from(asked.request)?;
            *request.timeout_mut() = asked.timeout;
            if !is_allowed(request.url(), self.loopback) {
                return Err(OAuthHttpClientError::from("an address that is not https"));
            }
            self.net.note(request.url());
            let client = if follows {
                self.net.client()
            } else {
                self.net.builder()?.redirect(redirect::Policy::none()).build()?
            };
            read(client.execute(request).await?).await
        })
    }
}

async fn read(
    mut response: reqwest::Response,
) -> Result<http::Response<Vec<u8>>, OAuthHttpClientError> {
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await? {
        body.extend_from_slice(&chunk);
        if body.len() > LONGEST {
            return Err("an answer that is too long".into());
        }
    }
    let mut read = http::Response::new(body);
    *read.status_mut() = response.status();
    read.headers_mut().clone_from(response.headers());
    Ok(read)
}

/// Nothing that could be read on its way, but on this machine.
fn is_allowed(url: &Url, loopback: bool) -> bool {
    url.scheme() == "https" || (loopback && url.scheme() == "http" && is_loopback(url))
}

fn is_loopback(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    let address = host.trim_matches(['[', ']']).parse::<IpAddr>();
    host == "localhost" || address.is_ok_and(|address| address.is_loopback())
}

fn failed(error: impl std::error::Error + 'static) -> NotSignedIn {
    NotSignedIn::Failed { detail: chain(&error) }
}
