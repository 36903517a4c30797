//! Signing in to a remote server: one that does as the specification says, with who signs people in
//! for it, both played on the loopback, and a browser that is played, too.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod tools_support;

use std::collections::HashMap;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use reqwest::Url;
use scripted_server::{Asked, Reply, Server};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use skein_runtime::app::App;
use skein_runtime::error::{Error, NotSignedIn, Result};
use skein_runtime::events::Topic;
use skein_runtime::places::Places;
use skein_runtime::tools::mcp::redirect::PageWords;
use skein_runtime::tools::mcp::sign_in::Passes;
use skein_runtime::tools::mcp::{
    Fault, McpServerConfig, McpServerStatus, McpSignIn, McpState, McpTransport,
};
use tools_support::mcp::{http, hub_with, ready, until};
use tools_support::{call, done, failed, named};

/// What the played server knows.
#[derive(Default)]
struct Known {
    /// The only token it takes.
    token: String,
    /// What the page to sign in at was opened with.
    asked: HashMap<String, String>,
    /// What Skein is given at its registration, and must show from then on.
    secret: Option<&'static str>,
    /// What whoever wants to renew is refused with.
    refusal: Option<&'static str>,
    /// Whether it says hello to anybody, and asks at the first call who it is.
    greets_anybody: bool,
}

type Shared = Arc<Mutex<Known>>;

fn form(body: &str) -> HashMap<String, String> {
    let url = Url::parse(&format!("http://form/?{body}")).unwrap();
    url.query_pairs().into_owned().collect()
}

fn remote(known: Shared) -> Server {
    Server::start(move |asked, _| {
        let base = format!("http://{}", asked.header("host").unwrap());
        match asked.path.as_str() {
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
                client["client_id"] = json!("skein-1");
                client["client_secret"] = json!(known.lock().unwrap().secret);
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
    let secret =
        known.secret.map(|it| format!("Basic {}", STANDARD.encode(format!("skein-1:{it}"))));
    if secret.is_some_and(|secret| asked.header("authorization") != Some(secret.as_str())) {
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

/// What the listener answers to a browser that comes back with this query.
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

/// A browser that comes back with each of these queries, where `STATE` is that of the page it was
/// opened with; and the answers it gets.
fn browser(
    known: &Shared,
    queries: &[&str],
) -> (impl FnOnce(&str) -> Result<()> + Send, Receiver<String>) {
    let (known, (say, answers)) = (Arc::clone(known), channel());
    let queries: Vec<String> = queries.iter().map(|query| (*query).to_owned()).collect();
    let open = move |page: &str| {
        let asked: HashMap<_, _> = Url::parse(page).unwrap().query_pairs().into_owned().collect();
        known.lock().unwrap().asked.clone_from(&asked);
        std::thread::spawn(move || {
            for query in queries {
                let query = query.replace("STATE", &asked["state"]);
                say.send(comes_back(&asked["redirect_uri"], &query)).unwrap();
            }
        });
        Ok(())
    };
    (open, answers)
}

fn words() -> PageWords {
    PageWords { done: "Done & dusted".into(), failed: "Not done".into() }
}

struct Given {
    app: Arc<App>,
    places: Places,
    _folder: tempfile::TempDir,
}

/// The program with this server, which it may contact.
async fn given(url: &str) -> Given {
    let folder = tempfile::tempdir().unwrap();
    let places = Places::in_one(folder.path());
    let app = App::open(places.clone()).unwrap();
    app.save_mcp_server(config(url)).await.unwrap();
    let given = Given { app, places, _folder: folder };
    given.allow().await;
    given
}

fn config(url: &str) -> McpServerConfig {
    http("remote", url)
}

impl Given {
    async fn status(&self) -> McpServerStatus {
        self.app.mcp_servers().await.unwrap().remove(0)
    }

    async fn allow(&self) {
        let McpState::NeedsConsent { command } = self.status().await.state else { panic!("runs") };
        self.app.allow_mcp_server(command).await.unwrap();
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

    async fn signs_in(&self, known: &Shared) {
        let (open, _answers) = browser(known, &["code=c0de&state=STATE"]);
        self.sign_in(open).await.unwrap();
    }

    async fn sign_in(&self, open: impl FnOnce(&str) -> Result<()> + Send) -> Result<()> {
        self.app.sign_in_mcp_server("remote".into(), words(), open).await
    }

    fn kept(&self) -> String {
        std::fs::read_to_string(self.places.secrets()).unwrap_or_default()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn from_a_refusal_to_its_tools_and_on_with_a_new_token_and_out_again() {
    let known = Shared::default();
    let server = remote(Arc::clone(&known));
    let given = given(&format!("{}/mcp", server.url())).await;
    let wants = given.until(McpSignIn::Offered {}).await;
    assert!(matches!(wants.state, McpState::Failed { .. }), "{wants:?}");

    let (open, answers) = browser(&known, &["code=c0de&state=STATE"]);
    given.sign_in(open).await.unwrap();
    assert!(answers.recv().unwrap().ends_with("<p>Done &amp; dusted</p>"));
    let ready = given.until_done().await;
    assert_eq!((ready.state, ready.tools.len()), (McpState::Ready {}, 1));
    assert_eq!(known.lock().unwrap().asked["code_challenge_method"], "S256");

    // Where keys are, and nowhere else.
    assert!(given.kept().contains("t0ken-1"));
    let shown = format!("{:?}", given.app.mcp_servers().await.unwrap());
    let settings = std::fs::read_to_string(given.places.settings()).unwrap();
    for token in ["t0ken", "again-and-again", "c0de"] {
        assert!(!shown.contains(token) && !settings.contains(token), "{token}");
    }

    // It takes another one from now on: that is fetched without a word.
    known.lock().unwrap().token = "t0ken-2".into();
    given.app.restart_mcp_server("remote".into()).await.unwrap();
    while !given.kept().contains("t0ken-2") {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    given.until_done().await;
    assert!(!given.kept().contains("t0ken-1"));

    // It goes with its server, and comes back with it.
    given.app.remove_mcp_server("remote".into()).await.unwrap();
    assert!(!given.kept().contains("t0ken"));
    given.app.restore_mcp_server("remote".into()).await.unwrap();
    given.until_done().await;

    given.app.sign_out_mcp_server("remote".into()).await.unwrap();
    given.until(McpSignIn::Offered {}).await;
    assert!(!given.kept().contains("t0ken"));
}

#[tokio::test(flavor = "multi_thread")]
async fn only_the_page_that_was_opened_brings_the_answer_and_a_no_is_one() {
    let known = Shared::default();
    let server = remote(Arc::clone(&known));
    let given = given(&format!("{}/mcp", server.url())).await;
    given.until(McpSignIn::Offered {}).await;
    let (open, answers) = browser(
        &known,
        &[
            "code=c0de&state=forged",
            "code=c0de",
            "error=access_denied&state=forged",
            "error=access_denied&state=STATE",
        ],
    );
    let declined = Error::NotSignedIn { reason: NotSignedIn::Declined {} };
    assert_eq!(given.sign_in(open).await, Err(declined));
    let answers: Vec<_> = answers.iter().collect();
    assert!(answers[..3].iter().all(|it| it.starts_with("HTTP/1.1 404")), "{answers:?}");
    assert!(answers[3].contains("Not done"));

    let (open, answers) = browser(&known, &["code=other&state=STATE"]);
    let failed = given.sign_in(open).await;
    assert!(
        matches!(failed, Err(Error::NotSignedIn { reason: NotSignedIn::Failed { .. } })),
        "{failed:?}"
    );
    assert!(answers.recv().unwrap().contains("Not done"));

    assert_eq!(given.kept(), "");
    assert!(server.asked().iter().all(|asked| !asked.body.contains("forged")));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_pass_is_sent_to_the_address_it_was_given_for_and_to_no_other() {
    let known = Shared::default();
    let server = remote(Arc::clone(&known));
    let given = given(&format!("{}/mcp", server.url())).await;
    given.until(McpSignIn::Offered {}).await;
    given.signs_in(&known).await;
    given.until_done().await;

    // Another header is not another server.
    let mut changed = config(&format!("{}/mcp", server.url()));
    if let McpTransport::Http { headers, .. } = &mut changed.transport {
        headers.insert("X-Team".into(), "weavers".into());
    }
    given.app.save_mcp_server(changed).await.unwrap();
    given.allow().await;
    given.until_done().await;

    let other = remote(Shared::default());
    given.app.save_mcp_server(config(&format!("{}/mcp", other.url()))).await.unwrap();
    given.allow().await;
    given.until(McpSignIn::Offered {}).await;
    assert!(!given.kept().contains("t0ken"));
    assert!(other.asked().iter().all(|asked| asked.header("authorization").is_none()));
}

#[tokio::test(flavor = "multi_thread")]
async fn where_nobody_signs_people_in_that_is_said_and_no_page_opened() {
    let server =
        Server::start(|_, _| Reply::json(401, "{}").with_header("WWW-Authenticate", "Bearer"));
    let given = given(&format!("{}/mcp", server.url())).await;
    given.until(McpSignIn::Offered {}).await;
    let failed = given.sign_in(|page| panic!("{page}")).await;
    assert!(
        matches!(failed, Err(Error::NotSignedIn { reason: NotSignedIn::Failed { .. } })),
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
    let Err(Error::NotSignedIn { reason: NotSignedIn::Failed { detail } }) = failed else {
        panic!("{failed:?}");
    };
    assert!(!detail.contains("Ab12Cd34"), "{detail}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sign_in_under_way_is_seen_by_all_and_stopped_by_anybody() {
    let known = Shared::default();
    let server = remote(Arc::clone(&known));
    let given = given(&format!("{}/mcp", server.url())).await;
    given.until(McpSignIn::Offered {}).await;
    let begin = || {
        let app = Arc::clone(&given.app);
        tokio::spawn(
            async move { app.sign_in_mcp_server("remote".into(), words(), |_| Ok(())).await },
        )
    };
    let cancelled = Err(Error::NotSignedIn { reason: NotSignedIn::Cancelled {} });
    let first = begin();
    given.until(McpSignIn::Waiting {}).await;
    // Another takes its place: the end of the first is not the end of that.
    let second = begin();
    assert_eq!(first.await.unwrap(), cancelled);
    assert_eq!(given.status().await.sign_in, McpSignIn::Waiting {});
    let mut changes = given.app.changes();
    given.app.cancel_mcp_sign_in("remote");
    assert_eq!(second.await.unwrap(), cancelled);
    assert_eq!(given.status().await.sign_in, McpSignIn::Offered {});
    assert_eq!(changes.recv().await.unwrap().topics, [Topic::Tools {}]);

    // What it would bring belongs to an address that is no longer this server's.
    let third = begin();
    given.until(McpSignIn::Waiting {}).await;
    let other = remote(Shared::default());
    given.app.save_mcp_server(config(&format!("{}/mcp", other.url()))).await.unwrap();
    assert_eq!(third.await.unwrap(), cancelled);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_renewed_can_be_replaced_and_forgotten() {
    for refusal in ["invalid_client", "invalid_grant"] {
        let known = Shared::default();
        let server = remote(Arc::clone(&known));
        let given = given(&format!("{}/mcp", server.url())).await;
        given.until(McpSignIn::Offered {}).await;
        given.signs_in(&known).await;
        given.until_done().await;

        known.lock().unwrap().token = "t0ken-2".into();
        known.lock().unwrap().refusal = Some(refusal);
        given.app.restart_mcp_server("remote".into()).await.unwrap();
        let refused = given.until(McpSignIn::Offered {}).await;
        assert!(refused.signed_in, "{refused:?}");
        let McpState::Failed { fault, .. } = refused.state else { panic!("{refused:?}") };
        assert_eq!(
            matches!(fault, Fault::NotRenewed { .. }),
            refusal == "invalid_client",
            "{fault:?}"
        );
        given.signs_in(&known).await;
        assert_eq!(given.until_done().await.sign_in, McpSignIn::NotAsked {});

        known.lock().unwrap().token = "t0ken-3".into();
        given.app.restart_mcp_server("remote".into()).await.unwrap();
        given.until(McpSignIn::Offered {}).await;
        given.app.sign_out_mcp_server("remote".into()).await.unwrap();
        assert!(!given.status().await.signed_in);
        assert!(!given.kept().contains("t0ken"));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_pass_can_be_forgotten_whatever_its_server_does() {
    let known = Shared::default();
    let server = remote(Arc::clone(&known));
    let given = given(&format!("{}/mcp", server.url())).await;
    given.until(McpSignIn::Offered {}).await;
    given.signs_in(&known).await;
    given.until_done().await;
    // Nothing answers there any more.
    drop(server);
    given.app.restart_mcp_server("remote".into()).await.unwrap();
    given.until_is(|status| matches!(status.state, McpState::Failed { .. })).await;
    assert!(given.status().await.signed_in);
    given.app.enable_mcp_server("remote".into(), false).await.unwrap();
    let off = given.status().await;
    assert_eq!((off.state, off.signed_in), (McpState::Off {}, true));
    given.app.sign_out_mcp_server("remote".into()).await.unwrap();
    assert!(!given.status().await.signed_in);
    assert!(!given.kept().contains("t0ken"));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_secret_of_a_registration_is_kept_with_what_it_renews() {
    let known = Shared::default();
    known.lock().unwrap().secret = Some("s3cret-of-skein");
    let server = remote(Arc::clone(&known));
    let given = given(&format!("{}/mcp", server.url())).await;
    given.until(McpSignIn::Offered {}).await;
    given.signs_in(&known).await;
    given.until_done().await;
    for token in ["t0ken-2", "t0ken-3"] {
        known.lock().unwrap().token = token.into();
        given.app.restart_mcp_server("remote".into()).await.unwrap();
        given.until_is(|_| given.kept().contains(token)).await;
        given.until_done().await;
    }
    let shown = format!("{:?}", given.app.mcp_servers().await.unwrap());
    assert!(!shown.contains("s3cret"), "{shown}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_asks_at_a_call_who_it_is_offers_to_sign_in_and_runs_on() {
    let known = Shared::default();
    known.lock().unwrap().greets_anybody = true;
    let server = remote(Arc::clone(&known));
    let given = given(&format!("{}/mcp", server.url())).await;
    let greeted = given.until_is(|status| status.state == McpState::Ready {}).await;
    assert_eq!(greeted.sign_in, McpSignIn::NotAsked {});

    // The same with a hub alone, whose tools can be called.
    let hub = hub_with(vec![config(&format!("{}/mcp", server.url()))], Arc::new(Safe::default()));
    ready(&hub).await;
    let look = async || call(&named(&hub.tools(), "remote__look"), json!({})).await;
    failed(look().await);
    let refused = hub.status().await.remove(0);
    assert_eq!((refused.state, refused.sign_in), (McpState::Ready {}, McpSignIn::Offered {}));
    let greeted = || server.asked().iter().filter(|it| it.body.contains(r#""initialize""#)).count();
    assert_eq!(greeted(), 2, "once by the program, once by the hub");

    let (open, _answers) = browser(&known, &["code=c0de&state=STATE"]);
    hub.sign_in("remote", &words(), open).await.unwrap();
    until(&hub, "greeted again", |it| it.state == McpState::Ready {} && greeted() == 3).await;
    let status = hub.status().await.remove(0);
    assert_eq!((status.sign_in, status.signed_in), (McpSignIn::NotAsked {}, true));
    assert_eq!(done(look().await), "looked");
    hub.stop().await;
}

/// Passes that are kept nowhere else.
#[derive(Default)]
struct Safe(Mutex<HashMap<String, String>>);

#[async_trait]
impl Passes for Safe {
    async fn read(&self, server: &str) -> Result<Option<String>, String> {
        Ok(self.0.lock().unwrap().get(server).cloned())
    }

    async fn is_kept(&self, server: &str) -> bool {
        self.0.lock().unwrap().contains_key(server)
    }

    async fn write(&self, server: &str, pass: Option<String>) -> Result<(), String> {
        let mut kept = self.0.lock().unwrap();
        match pass {
            Some(pass) => drop(kept.insert(server.to_owned(), pass)),
            None => drop(kept.remove(server)),
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
impl Passes for Locked {
    async fn read(&self, _server: &str) -> Result<Option<String>, String> {
        match self.opened.swap(true, Ordering::Relaxed) {
            true => Ok(Some(self.pass.clone())),
            false => Err("it is locked".into()),
        }
    }

    async fn is_kept(&self, _server: &str) -> bool {
        self.opened.load(Ordering::Relaxed)
    }

    async fn write(&self, _server: &str, _pass: Option<String>) -> Result<(), String> {
        panic!("nothing is renewed and nobody signs out")
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_keychain_that_is_locked_at_first_costs_nobody_their_sign_in() {
    let known = Shared::default();
    let server = remote(Arc::clone(&known));
    let url = format!("{}/mcp", server.url());
    let given = given(&url).await;
    given.until(McpSignIn::Offered {}).await;
    given.signs_in(&known).await;
    let kept: HashMap<String, String> = serde_json::from_str(&given.kept()).unwrap();
    given.app.remove_mcp_server("remote".into()).await.unwrap();
    let before = server.asked().len();

    let passes = Arc::new(Locked {
        pass: kept["sign-in.mcp.remote"].clone(),
        opened: AtomicBool::default(),
    });
    let hub = hub_with(vec![config(&url)], passes);
    let locked = until(&hub, "locked", |it| matches!(it.state, McpState::Failed { .. })).await;
    let McpState::Failed { fault: Fault::Unreachable { detail }, retry_at: Some(_) } = locked.state
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
