//! Signing in to a remote server: one that does as the specification says, with who signs people in
//! for it, both played on the loopback, and a browser that is played, too.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

#[path = "../../tools/tests/tools_support/mod.rs"]
mod tools_support;

use std::collections::HashMap;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use async_trait::async_trait;
use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use reqwest::Url;
use scripted_server::{Asked, Reply, Server};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use skein_app::app::App;
use skein_app::events::Topic;
use skein_domain::error::{Error, Result, SignInError};
use skein_platform::paths::AppPaths;
use skein_tools::mcp::oauth::oauth_callback::SignInPageText;
use skein_tools::mcp::oauth::oauth_store::{CredentialKind, OAuthStore};
use skein_tools::mcp::{
    McpServerConfig, McpServerError, McpServerStatus, McpSignIn, McpState, McpTransport,
};
use tokio::task::JoinHandle;

use tools_support::mcp::{http, hub_with, ready, until};
use tools_support::{call, done, failed, named};

/// The state of the scripted server.
#[derive(Default)]
struct Known {
    /// The only token it takes.
    token: String,
    /// The query that the sign-in page was opened with.
    asked: HashMap<String, String>,
    /// Where the browser of each client comes back to, by the client's id.
    clients: HashMap<String, String>,
    /// How many of them it has forgotten, of the oldest on.
    forgotten: usize,
    /// What Skein is given at its registration, and must show from then on.
    secret: Option<&'static str>,
    /// The error for a renewal of tokens.
    refusal: Option<&'static str>,
    /// True if it no longer names its sign-in service.
    tells_nothing: bool,
    /// True if it accepts a connection without sign-in and demands one at the first call.
    greets_anybody: bool,
}

impl Known {
    fn registers(&mut self, back: &str) -> String {
        let id = format!("skein-{}", self.clients.len() + 1);
        self.clients.insert(id.clone(), back.to_owned());
        id
    }

    fn has_forgotten(&self, id: &str) -> bool {
        id.strip_prefix("skein-").unwrap().parse::<usize>().unwrap() <= self.forgotten
    }
}

/// The played server.
struct Remote {
    known: Arc<Mutex<Known>>,
    server: Server,
}

impl Remote {
    fn start(known: Known) -> Self {
        let known = Arc::new(Mutex::new(known));
        Self { server: remote(Arc::clone(&known)), known }
    }

    fn url(&self) -> String {
        format!("{}/mcp", self.server.url())
    }

    fn knows(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap()
    }

    /// A browser that comes back with each of these queries, where `STATE` is that of the page it was
    /// opened with or led to; and the answers it gets.
    fn browser(
        &self,
        queries: &[&str],
    ) -> (impl FnOnce(&str) -> Result<()> + Send + use<>, Receiver<String>) {
        let (known, (say, answers)) = (Arc::clone(&self.known), channel());
        let queries: Vec<String> = queries.iter().map(|query| (*query).to_owned()).collect();
        let open = move |page: &str| {
            let mut asked = opens(page, &mut known.lock().unwrap());
            std::thread::spawn(move || {
                for query in queries {
                    let query = query.replace("STATE", &asked["state"]);
                    let answer = comes_back(&asked["redirect_uri"], &query);
                    let led = answer.lines().find_map(|line| line.strip_prefix("Location: "));
                    if let Some(page) = led {
                        asked = opens(page, &mut known.lock().unwrap());
                    }
                    say.send(answer).unwrap();
                }
            });
            Ok(())
        };
        (open, answers)
    }
}

/// The query of a sign-in page, which redirects the browser only to its client's address.
fn opens(page: &str, known: &mut Known) -> HashMap<String, String> {
    let asked: HashMap<_, _> = Url::parse(page).unwrap().query_pairs().into_owned().collect();
    assert_eq!(known.clients[&asked["client_id"]], asked["redirect_uri"]);
    known.asked.clone_from(&asked);
    asked
}

fn form(body: &str) -> HashMap<String, String> {
    let url = Url::parse(&format!("http://form/?{body}")).unwrap();
    url.query_pairs().into_owned().collect()
}

fn remote(known: Arc<Mutex<Known>>) -> Server {
    Server::start(move |asked, _| {
        let base = format!("http://{}", asked.header("host").unwrap());
        match asked.path.as_str() {
            path if path.starts_with("/.well-known/") && known.lock().unwrap().tells_nothing => {
                Reply::json(404, "{}")
            }
            "/mcp" => mcp(asked, &base, &known.lock().unwrap()),
            "/.well-known/oauth-protected-resource/mcp" => Reply::json(
                200,
                json!({ "resource": format!("{base}/mcp"), "authorization_servers": [base] })
                    .to_string(),
            ),
            "/.well-known/oauth-authorization-server" => Reply::json(
                200,
                json!({
                    "issuer": base,
                    "authorization_endpoint": format!("{base}/authorize"),
                    "token_endpoint": format!("{base}/token"),
                    "registration_endpoint": format!("{base}/register"),
                    "response_types_supported": ["code"],
                    "code_challenge_methods_supported": ["S256"],
                })
                .to_string(),
            ),
            "/register" => {
                let mut client: Value = serde_json::from_str(&asked.body).unwrap();
                let mut known = known.lock().unwrap();
                let back = client["redirect_uris"][0].as_str().unwrap().to_owned();
                client["client_id"] = json!(known.registers(&back));
                client["client_secret"] = json!(known.secret);
                Reply::json(201, client.to_string())
            }
            "/token" => token(asked, &mut known.lock().unwrap()),
            _ => Reply::json(404, "{}"),
        }
    })
}

fn token(asked: &Asked, known: &mut Known) -> Reply {
    let form = form(&asked.body);
    let refused = |error: &str| Reply::json(400, json!({ "error": error }).to_string());
    let (id, secret) = client(asked, &form);
    if known.has_forgotten(&id) || secret.as_deref() != known.secret {
        return refused("invalid_client");
    }
    if let (Some(refusal), "refresh_token") = (known.refusal, form["grant_type"].as_str()) {
        return refused(refusal);
    }
    let proves = |verifier: &String| {
        let challenge = URL_SAFE_NO_PAD.encode(Sha256::digest(verifier));
        known.asked.get("code_challenge") == Some(&challenge)
    };
    let granted = match form["grant_type"].as_str() {
        "authorization_code" => form["code"] == "c0de" && proves(&form["code_verifier"]),
        "refresh_token" => form["refresh_token"] == "again-and-again",
        other => panic!("{other}"),
    };
    if !granted {
        return refused("invalid_grant");
    }
    if known.token.is_empty() {
        known.token = "t0ken-1".into();
    }
    let answer = json!({ "access_token": known.token, "token_type": "Bearer", "expires_in": 3_600,
                         "refresh_token": "again-and-again" });
    Reply::json(200, answer.to_string())
}

/// The client id of a request, and its secret.
fn client(asked: &Asked, form: &HashMap<String, String>) -> (String, Option<String>) {
    let Some(shown) = asked.header("authorization") else {
        return (form["client_id"].clone(), None);
    };
    let shown = STANDARD.decode(shown.strip_prefix("Basic ").unwrap()).unwrap();
    let shown = String::from_utf8(shown).unwrap();
    let (id, secret) = shown.split_once(':').unwrap();
    (id.to_owned(), Some(secret.to_owned()))
}

fn mcp(asked: &Asked, base: &str, known: &Known) -> Reply {
    let sent = asked.header("authorization").and_then(|header| header.strip_prefix("Bearer "));
    let is_open = known.greets_anybody && !asked.body.contains("tools/call");
    if !is_open && (known.token.is_empty() || sent != Some(known.token.as_str())) {
        let metadata = format!("{base}/.well-known/oauth-protected-resource/mcp");
        let challenge = format!("Bearer resource_metadata=\"{metadata}\"");
        return Reply::json(401, "{}").with_header("WWW-Authenticate", &challenge);
    }
    if asked.method != "POST" {
        return Reply::json(405, "{}");
    }
    let request: Value = serde_json::from_str(&asked.body).unwrap();
    let result = match request["method"].as_str().unwrap() {
        "initialize" => json!({
            "protocolVersion": "2025-06-18",
            "capabilities": { "tools": {} },
            "serverInfo": { "name": "remote", "version": "1" },
        }),
        "tools/list" => {
            json!({ "tools": [{ "name": "look", "inputSchema": { "type": "object" } }] })
        }
        "tools/call" => json!({ "content": [{ "type": "text", "text": "looked" }] }),
        "notifications/initialized" => return Reply::json(202, ""),
        _ => json!({}),
    };
    let answer = json!({ "jsonrpc": "2.0", "id": request["id"], "result": result });
    Reply::json(200, answer.to_string())
}

/// The listener's answer to a browser that comes back with this query.
fn comes_back(redirect: &str, query: &str) -> String {
    let url = Url::parse(redirect).unwrap();
    let (host, port) = (url.host_str().unwrap(), url.port().unwrap());
    assert_eq!(host, "127.0.0.1");
    let mut stream = TcpStream::connect((host, port)).unwrap();
    write!(stream, "GET {}?{query} HTTP/1.1\r\nHost: {host}\r\n\r\n", url.path()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

fn words() -> SignInPageText {
    SignInPageText { done: "Done & dusted".into(), failed: "Not done".into() }
}

struct Scenario {
    app: Arc<App>,
    places: AppPaths,
    _folder: tempfile::TempDir,
}

/// The program with this server, which it may contact.
async fn given(url: &str) -> Scenario {
    let folder = tempfile::tempdir().unwrap();
    let places = AppPaths::in_folder(folder.path());
    let app = App::open(places.clone()).unwrap();
    app.mcp.save(config(url)).await.unwrap();
    let given = Scenario { app, places, _folder: folder };
    given.allow().await;
    given
}

/// The same with a server that wants to know who it is.
async fn offered(known: Known) -> (Scenario, Remote) {
    let remote = Remote::start(known);
    let given = given(&remote.url()).await;
    given.until(McpSignIn::Offered {}).await;
    (given, remote)
}

/// The same, and it knows.
async fn signed_in(known: Known) -> (Scenario, Remote) {
    let (given, remote) = offered(known).await;
    given.signs_in(&remote).await;
    (given, remote)
}

fn config(url: &str) -> McpServerConfig {
    http("remote", url)
}

impl Scenario {
    async fn status(&self) -> McpServerStatus {
        self.app.mcp.list().await.unwrap().remove(0)
    }

    async fn allow(&self) {
        let McpState::NeedsConsent { command, .. } = self.status().await.state else {
            panic!("runs")
        };
        self.app.mcp.allow(command).await.unwrap();
    }

    async fn until(&self, sign_in: McpSignIn) -> McpServerStatus {
        self.until_is(|status| status.sign_in == sign_in).await
    }

    async fn until_is(&self, is: impl Fn(&McpServerStatus) -> bool) -> McpServerStatus {
        for _ in 0..500 {
            let status = self.status().await;
            if is(&status) {
                return status;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        panic!("never: {:?}", self.status().await);
    }

    /// Connected with what the sign-in brought.
    async fn until_done(&self) -> McpServerStatus {
        let done = |it: &McpServerStatus| it.state == McpState::Ready {} && it.signed_in;
        self.until_is(done).await
    }

    async fn signs_in(&self, remote: &Remote) {
        let (open, _answers) = remote.browser(&["code=c0de&state=STATE"]);
        self.sign_in(open).await.unwrap();
        self.until_done().await;
    }

    async fn signs_out(&self) {
        self.app.mcp.sign_out("remote".into()).await.unwrap();
        self.until(McpSignIn::Offered {}).await;
    }

    async fn sign_in(&self, open: impl FnOnce(&str) -> Result<()> + Send) -> Result<()> {
        self.app.mcp.sign_in("remote".into(), words(), open).await
    }

    /// A sign-in whose page is opened, and from which no browser comes back.
    fn begins(&self) -> JoinHandle<Result<()>> {
        let app = Arc::clone(&self.app);
        tokio::spawn(async move { app.mcp.sign_in("remote".into(), words(), |_| Ok(())).await })
    }

    fn kept(&self) -> String {
        std::fs::read_to_string(self.places.secrets()).unwrap_or_default()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn from_a_refusal_to_its_tools_and_on_with_a_new_token_and_out_again() {
    let (given, remote) = offered(Known::default()).await;
    let wants = given.status().await;
    assert!(matches!(wants.state, McpState::Failed { .. }), "{wants:?}");

    let (open, answers) = remote.browser(&["code=c0de&state=STATE"]);
    given.sign_in(open).await.unwrap();
    assert!(answers.recv().unwrap().ends_with("<p>Done &amp; dusted</p>"));
    let ready = given.until_done().await;
    assert_eq!((ready.state, ready.tools.len()), (McpState::Ready {}, 1));
    assert_eq!(remote.knows().asked["code_challenge_method"], "S256");

    // Where keys are, and nowhere else.
    assert!(given.kept().contains("t0ken-1"));
    let shown = format!("{:?}", given.app.mcp.list().await.unwrap());
    let settings = std::fs::read_to_string(given.places.settings()).unwrap();
    for token in ["t0ken", "again-and-again", "c0de"] {
        assert!(!shown.contains(token) && !settings.contains(token), "{token}");
    }

    // It takes another one from now on: that is fetched without a word.
    remote.knows().token = "t0ken-2".into();
    given.app.mcp.restart("remote".into()).await.unwrap();
    scripted_server::until("it is kept", async || given.kept().contains("t0ken-2")).await;
    given.until_done().await;
    assert!(!given.kept().contains("t0ken-1"));

    // It goes with its server, and comes back with it.
    given.app.mcp.remove("remote".into()).await.unwrap();
    assert!(!given.kept().contains("t0ken"));
    given.app.mcp.restore("remote".into()).await.unwrap();
    given.until_done().await;

    given.app.mcp.sign_out("remote".into()).await.unwrap();
    given.until(McpSignIn::Offered {}).await;
    assert!(!given.kept().contains("t0ken"));
}

#[tokio::test(flavor = "multi_thread")]
async fn only_the_page_that_was_opened_brings_the_answer_and_a_no_is_one() {
    let (given, remote) = offered(Known::default()).await;
    let (open, answers) = remote.browser(&[
        "code=c0de&state=forged",
        "code=c0de",
        "error=access_denied&state=forged",
        "error=access_denied&state=STATE",
    ]);
    let declined = Error::NotSignedIn { reason: SignInError::Declined {} };
    assert_eq!(given.sign_in(open).await, Err(declined));
    let answers: Vec<_> = answers.iter().collect();
    assert!(answers[..3].iter().all(|it| it.starts_with("HTTP/1.1 404")), "{answers:?}");
    assert!(answers[3].contains("Not done"));

    let (open, answers) = remote.browser(&["code=other&state=STATE"]);
    let failed = given.sign_in(open).await;
    assert!(
        matches!(failed, Err(Error::NotSignedIn { reason: SignInError::Failed { .. } })),
        "{failed:?}"
    );
    assert!(answers.recv().unwrap().contains("Not done"));

    assert_eq!(given.kept(), "{}");
    assert!(remote.server.asked().iter().all(|asked| !asked.body.contains("forged")));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_pass_is_sent_to_the_address_it_was_given_for_and_to_no_other() {
    let (given, remote) = signed_in(Known::default()).await;

    // Another header is not another server.
    let mut changed = config(&remote.url());
    if let McpTransport::Http { headers, .. } = &mut changed.transport {
        headers.insert("X-Team".into(), "weavers".into());
    }
    given.app.mcp.save(changed).await.unwrap();
    given.allow().await;
    given.until_done().await;

    let other = Remote::start(Known::default());
    given.app.mcp.save(config(&other.url())).await.unwrap();
    given.allow().await;
    given.until(McpSignIn::Offered {}).await;
    assert!(!given.kept().contains("t0ken") && !given.kept().contains("skein-1"));
    assert!(other.server.asked().iter().all(|asked| asked.header("authorization").is_none()));
}

#[tokio::test(flavor = "multi_thread")]
async fn where_nobody_signs_people_in_that_is_said_and_no_page_opened() {
    let server =
        Server::start(|_, _| Reply::json(401, "{}").with_header("WWW-Authenticate", "Bearer"));
    let given = given(&format!("{}/mcp", server.url())).await;
    given.until(McpSignIn::Offered {}).await;
    let failed = given.sign_in(|page| panic!("{page}")).await;
    assert!(
        matches!(failed, Err(Error::NotSignedIn { reason: SignInError::Failed { .. } })),
        "{failed:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_in_the_address_is_not_shown_by_a_sign_in_that_fails() {
    let server = Server::start(|asked, _| match asked.method.as_str() {
        "POST" => Reply::json(401, "{}").with_header("WWW-Authenticate", "Bearer"),
        _ => Reply::json(503, "{}"),
    });
    let given = given(&format!("{}/sk-Ab12Cd34Ef56Gh78/mcp", server.url())).await;
    given.until(McpSignIn::Offered {}).await;
    let failed = given.sign_in(|page| panic!("{page}")).await;
    let Err(Error::NotSignedIn { reason: SignInError::Failed { detail } }) = failed else {
        panic!("{failed:?}");
    };
    assert!(!detail.contains("Ab12Cd34"), "{detail}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sign_in_under_way_is_seen_by_all_and_stopped_by_anybody() {
    let (given, _remote) = offered(Known::default()).await;
    let cancelled = Err(Error::NotSignedIn { reason: SignInError::Cancelled {} });
    let first = given.begins();
    given.until(McpSignIn::Waiting {}).await;
    // Another takes its place: the end of the first is not the end of that.
    let second = given.begins();
    assert_eq!(first.await.unwrap(), cancelled);
    assert_eq!(given.status().await.sign_in, McpSignIn::Waiting {});
    let mut changes = given.app.changes();
    given.app.mcp.cancel_sign_in("remote");
    assert_eq!(second.await.unwrap(), cancelled);
    assert_eq!(given.status().await.sign_in, McpSignIn::Offered {});
    assert_eq!(changes.recv().await.unwrap().topics, [Topic::Tools {}]);

    // The tokens would belong to an address that is no longer this server's.
    let third = given.begins();
    given.until(McpSignIn::Waiting {}).await;
    let other = Remote::start(Known::default());
    given.app.mcp.save(config(&other.url())).await.unwrap();
    assert_eq!(third.await.unwrap(), cancelled);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_renewed_can_be_replaced_and_forgotten() {
    for refusal in ["invalid_client", "invalid_grant"] {
        let (given, remote) = signed_in(Known::default()).await;
        remote.knows().token = "t0ken-2".into();
        remote.knows().refusal = Some(refusal);
        given.app.mcp.restart("remote".into()).await.unwrap();
        let refused = given.until(McpSignIn::Offered {}).await;
        assert!(refused.signed_in, "{refused:?}");
        let McpState::Failed { fault, .. } = refused.state else { panic!("{refused:?}") };
        assert_eq!(
            matches!(fault, McpServerError::NotRenewed { .. }),
            refusal == "invalid_client",
            "{fault:?}"
        );
        given.signs_in(&remote).await;
        assert_eq!(given.status().await.sign_in, McpSignIn::NotAsked {});

        remote.knows().token = "t0ken-3".into();
        given.app.mcp.restart("remote".into()).await.unwrap();
        given.until(McpSignIn::Offered {}).await;
        given.app.mcp.sign_out("remote".into()).await.unwrap();
        assert!(!given.status().await.signed_in);
        assert!(!given.kept().contains("t0ken"));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_renews_goes_to_who_gave_it_and_not_to_where_nobody_says_that_they_did() {
    let known = Known { secret: Some("s3cret-of-skein"), ..Known::default() };
    let (given, remote) = signed_in(known).await;
    let renewed = || remote.server.asked().iter().filter(|it| it.path == "/token").count();
    let before = renewed();
    remote.knows().token = "t0ken-2".into();
    remote.knows().tells_nothing = true;
    given.app.mcp.restart("remote".into()).await.unwrap();
    let refused = given.until(McpSignIn::Offered {}).await;
    let McpState::Failed { fault, .. } = refused.state else { panic!("{refused:?}") };
    assert!(matches!(fault, McpServerError::NotRenewed { .. }), "{fault:?}");
    assert!(refused.signed_in && given.kept().contains("t0ken-1"));
    assert_eq!(renewed(), before);

    // It was only out of order.
    remote.knows().tells_nothing = false;
    given.app.mcp.restart("remote".into()).await.unwrap();
    given.until_is(|_| given.kept().contains("t0ken-2")).await;
    given.until_done().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_pass_can_be_forgotten_whatever_its_server_does() {
    let (given, remote) = signed_in(Known::default()).await;
    // Nothing answers there any more.
    drop(remote);
    given.app.mcp.restart("remote".into()).await.unwrap();
    given.until_is(|status| matches!(status.state, McpState::Failed { .. })).await;
    assert!(given.status().await.signed_in);
    given.app.mcp.enable("remote".into(), false).await.unwrap();
    let off = given.status().await;
    assert_eq!((off.state, off.signed_in), (McpState::Off {}, true));
    given.app.mcp.sign_out("remote".into()).await.unwrap();
    assert!(!given.status().await.signed_in);
    assert!(!given.kept().contains("t0ken"));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_secret_of_a_registration_is_kept_with_what_it_renews() {
    let known = Known { secret: Some("s3cret-of-skein"), ..Known::default() };
    let (given, remote) = signed_in(known).await;
    for token in ["t0ken-2", "t0ken-3"] {
        remote.knows().token = token.into();
        given.app.mcp.restart("remote".into()).await.unwrap();
        given.until_is(|_| given.kept().contains(token)).await;
        given.until_done().await;
    }
    let shown = format!("{:?}", given.app.mcp.list().await.unwrap());
    assert!(!shown.contains("s3cret"), "{shown}");
}

#[tokio::test(flavor = "multi_thread")]
async fn skein_is_registered_once_and_known_at_the_next_sign_in() {
    for secret in [None, Some("s3cret-of-skein")] {
        let (given, remote) = signed_in(Known { secret, ..Known::default() }).await;
        for _ in 0..2 {
            given.signs_out().await;
            given.signs_in(&remote).await;
        }
        assert_eq!(remote.knows().clients.len(), 1);

        // It goes with its server, and comes back with it.
        given.app.mcp.remove("remote".into()).await.unwrap();
        assert!(!given.kept().contains("skein-1") && !given.kept().contains("s3cret"));
        given.app.mcp.restore("remote".into()).await.unwrap();
        given.until_done().await;
        given.signs_out().await;
        given.signs_in(&remote).await;
        assert_eq!(remote.knows().clients.len(), 1);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn where_skein_is_no_longer_known_it_is_registered_anew_once_and_the_browser_led_on() {
    let back = "code=c0de&state=STATE";
    for first in [back, "error=unauthorized_client&state=STATE"] {
        let (given, remote) = signed_in(Known::default()).await;
        given.signs_out().await;
        remote.knows().forgotten = 1;
        let (open, answers) = remote.browser(&[first, back]);
        given.sign_in(open).await.unwrap();
        assert!(answers.recv().unwrap().starts_with("HTTP/1.1 303"));
        assert!(answers.recv().unwrap().ends_with("<p>Done &amp; dusted</p>"));
        given.until_done().await;
        assert_eq!(remote.knows().clients.len(), 2);

        given.signs_out().await;
        remote.knows().forgotten = 9;
        let (open, answers) = remote.browser(&[back, back]);
        let failed = given.sign_in(open).await;
        assert!(
            matches!(failed, Err(Error::NotSignedIn { reason: SignInError::Failed { .. } })),
            "{failed:?}"
        );
        assert!(answers.iter().last().unwrap().contains("Not done"));
        assert_eq!(remote.knows().clients.len(), 3);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_registration_is_used_again_only_where_the_browser_comes_back_with_it() {
    let (given, remote) = signed_in(Known::default()).await;
    given.signs_out().await;
    // A service that no longer knows the client may show the user a page that never redirects.
    let waits = given.begins();
    given.until_is(|_| !given.kept().contains("skein-1")).await;
    given.app.mcp.cancel_sign_in("remote");
    waits.await.unwrap().unwrap_err();
    given.signs_in(&remote).await;
    assert_eq!(remote.knows().clients.len(), 2);

    given.signs_out().await;
    let back = Url::parse(&remote.knows().clients["skein-2"]).unwrap();
    let _taken = TcpListener::bind(("127.0.0.1", back.port().unwrap())).unwrap();
    given.signs_in(&remote).await;
    assert_eq!(remote.knows().clients.len(), 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_registration_outlasts_a_page_that_was_never_opened_and_a_no() {
    let (given, remote) = offered(Known::default()).await;
    let unopened = Error::Storage { detail: "no browser".into() };
    for _ in 0..2 {
        assert_eq!(given.sign_in(|_| Err(unopened.clone())).await, Err(unopened.clone()));
        let (open, _answers) = remote.browser(&["error=access_denied&state=STATE"]);
        given.sign_in(open).await.unwrap_err();
    }
    given.signs_in(&remote).await;
    assert_eq!(remote.knows().clients.len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_asks_at_a_call_who_it_is_offers_to_sign_in_and_runs_on() {
    let remote = Remote::start(Known { greets_anybody: true, ..Known::default() });
    let given = given(&remote.url()).await;
    let greeted = given.until_is(|status| status.state == McpState::Ready {}).await;
    assert_eq!(greeted.sign_in, McpSignIn::NotAsked {});

    // The same with a hub alone, whose tools can be called.
    let hub = hub_with(vec![config(&remote.url())], Arc::new(Safe::default()));
    ready(&hub).await;
    let look = async || call(&named(&hub.tools(), "remote__look"), json!({})).await;
    failed(look().await);
    let refused = hub.status().await.remove(0);
    assert_eq!((refused.state, refused.sign_in), (McpState::Ready {}, McpSignIn::Offered {}));
    let greeted =
        || remote.server.asked().iter().filter(|it| it.body.contains(r#""initialize""#)).count();
    assert_eq!(greeted(), 2, "once by the program, once by the hub");

    let (open, _answers) = remote.browser(&["code=c0de&state=STATE"]);
    hub.sign_in("remote", &words(), open).await.unwrap();
    until(&hub, "greeted again", |it| it.state == McpState::Ready {} && greeted() == 3).await;
    let status = hub.status().await.remove(0);
    assert_eq!((status.sign_in, status.signed_in), (McpSignIn::NotAsked {}, true));
    assert_eq!(done(look().await), "looked");
    hub.stop().await;
}

/// Passes that are kept nowhere else.
#[derive(Default)]
struct Safe(Mutex<HashMap<(String, CredentialKind), String>>);

#[async_trait]
impl OAuthStore for Safe {
    async fn read(&self, server: &str, what: CredentialKind) -> Result<Option<String>, String> {
        Ok(self.0.lock().unwrap().get(&(server.to_owned(), what)).cloned())
    }

    async fn is_kept(&self, server: &str) -> bool {
        self.0.lock().unwrap().contains_key(&(server.to_owned(), CredentialKind::Tokens))
    }

    async fn write(
        &self,
        server: &str,
        what: CredentialKind,
        kept: Option<String>,
    ) -> Result<(), String> {
        let (mut all, name) = (self.0.lock().unwrap(), (server.to_owned(), what));
        match kept {
            Some(kept) => drop(all.insert(name, kept)),
            None => drop(all.remove(&name)),
        }
        Ok(())
    }
}

/// A keychain that is locked when it is asked for the first time.
struct Locked {
    pass: String,
    opened: AtomicBool,
}

#[async_trait]
impl OAuthStore for Locked {
    async fn read(&self, _server: &str, _what: CredentialKind) -> Result<Option<String>, String> {
        match self.opened.swap(true, Ordering::Relaxed) {
            true => Ok(Some(self.pass.clone())),
            false => Err("it is locked".into()),
        }
    }

    async fn is_kept(&self, _server: &str) -> bool {
        self.opened.load(Ordering::Relaxed)
    }

    async fn write(
        &self,
        _server: &str,
        _what: CredentialKind,
        _kept: Option<String>,
    ) -> Result<(), String> {
        panic!("nothing is renewed and nobody signs out")
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_keychain_that_is_locked_at_first_costs_nobody_their_sign_in() {
    let (given, Remote { server, .. }) = signed_in(Known::default()).await;
    let url = format!("{}/mcp", server.url());
    let kept: HashMap<String, String> = serde_json::from_str(&given.kept()).unwrap();
    given.app.mcp.remove("remote".into()).await.unwrap();
    let before = server.asked().len();

    let passes = Arc::new(Locked {
        pass: kept["sign-in.mcp.remote"].clone(),
        opened: AtomicBool::default(),
    });
    let hub = hub_with(vec![config(&url)], passes);
    let locked = until(&hub, "locked", |it| matches!(it.state, McpState::Failed { .. })).await;
    let McpState::Failed { fault: McpServerError::Unreachable { detail }, retry_at: Some(_) } =
        locked.state
    else {
        panic!("{locked:?}")
    };
    assert!(detail.contains("it is locked"), "{detail}");
    let status = ready(&hub).await;
    assert_eq!((status.signed_in, status.tools.len()), (true, 1));
    // No request went without the pass.
    let asked = server.asked();
    let mut sent = asked[before..].iter().filter(|it| it.method == "POST" && it.path == "/mcp");
    assert!(sent.all(|asked| asked.header("authorization").is_some()));
    hub.stop().await;
}
