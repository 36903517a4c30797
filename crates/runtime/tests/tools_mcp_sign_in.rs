//! Signing in to a remote server: one that does as the specification says, with who signs people in
//! for it, both played on the loopback, and a browser that is played, too.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use reqwest::Url;
use scripted_server::{Asked, Reply, Server};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use skein_runtime::app::App;
use skein_runtime::error::{Error, NotSignedIn, Result};
use skein_runtime::net::{Net, NetworkSettings};
use skein_runtime::places::Places;
use skein_runtime::tools::mcp::consent::{command_line, consent};
use skein_runtime::tools::mcp::hub::Hub;
use skein_runtime::tools::mcp::keys::Values;
use skein_runtime::tools::mcp::redirect::PageWords;
use skein_runtime::tools::mcp::sign_in::Passes;
use skein_runtime::tools::mcp::{
    Fault, McpServerConfig, McpServerStatus, McpSignIn, McpState, McpTransport,
};

/// What the played server knows.
#[derive(Default)]
struct Known {
    /// The only token it takes.
    token: String,
    /// What the page to sign in at was opened with.
    asked: HashMap<String, String>,
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
            "/mcp" => mcp(asked, &base, &known.lock().unwrap().token),
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
                Reply::json(201, client.to_string())
            }
            "/token" => token(&form(&asked.body), &mut known.lock().unwrap()),
            _ => Reply::json(404, "{}"),
        }
    })
}

fn token(form: &HashMap<String, String>, known: &mut Known) -> Reply {
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
        return Reply::json(400, json!({ "error": "invalid_grant" }).to_string());
    }
    if known.token.is_empty() {
        known.token = "t0ken-1".into();
    }
    let answer = json!({ "access_token": known.token, "token_type": "Bearer", "expires_in": 3_600,
                         "refresh_token": "again-and-again" });
    Reply::json(200, answer.to_string())
}

fn mcp(asked: &Asked, base: &str, token: &str) -> Reply {
    let sent = asked.header("authorization").and_then(|header| header.strip_prefix("Bearer "));
    if token.is_empty() || sent != Some(token) {
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
    McpServerConfig {
        name: "remote".into(),
        transport: McpTransport::Http { url: url.into(), headers: BTreeMap::new() },
        enabled: true,
        always_allow: Vec::new(),
        timeout_seconds: None,
    }
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
        for _ in 0..500 {
            let status = self.status().await;
            if status.sign_in == sign_in {
                return status;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        panic!("never {sign_in:?}: {:?}", self.status().await);
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
    let ready = given.until(McpSignIn::Done {}).await;
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
    given.until(McpSignIn::Done {}).await;
    assert!(!given.kept().contains("t0ken-1"));

    // It goes with its server, and comes back with it.
    given.app.remove_mcp_server("remote".into()).await.unwrap();
    assert!(!given.kept().contains("t0ken"));
    given.app.restore_mcp_server("remote".into()).await.unwrap();
    given.until(McpSignIn::Done {}).await;

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

    let app = Arc::clone(&given.app);
    let stops = move |_: &str| {
        app.cancel_mcp_sign_in("remote");
        Ok(())
    };
    let cancelled = Error::NotSignedIn { reason: NotSignedIn::Cancelled {} };
    assert_eq!(given.sign_in(stops).await, Err(cancelled));
    assert_eq!(given.kept(), "");
    assert!(server.asked().iter().all(|asked| !asked.body.contains("forged")));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_pass_is_sent_to_the_address_it_was_given_for_and_to_no_other() {
    let known = Shared::default();
    let server = remote(Arc::clone(&known));
    let given = given(&format!("{}/mcp", server.url())).await;
    given.until(McpSignIn::Offered {}).await;
    given.sign_in(browser(&known, &["code=c0de&state=STATE"]).0).await.unwrap();
    given.until(McpSignIn::Done {}).await;

    // Another header is not another server.
    let mut changed = config(&format!("{}/mcp", server.url()));
    if let McpTransport::Http { headers, .. } = &mut changed.transport {
        headers.insert("X-Team".into(), "weavers".into());
    }
    given.app.save_mcp_server(changed).await.unwrap();
    given.allow().await;
    given.until(McpSignIn::Done {}).await;

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
    given.sign_in(browser(&known, &["code=c0de&state=STATE"]).0).await.unwrap();
    let kept: HashMap<String, String> = serde_json::from_str(&given.kept()).unwrap();
    given.app.remove_mcp_server("remote".into()).await.unwrap();
    let before = server.asked().len();

    let passes = Arc::new(Locked {
        pass: kept["sign-in.mcp.remote"].clone(),
        opened: AtomicBool::default(),
    });
    let net = Net::new(&NetworkSettings::default(), Arc::new(())).unwrap();
    let values = Values(Arc::new(|_| Box::pin(async { None })));
    let hub = Hub::new(net, values, passes, Arc::new(|| {}));
    let config = config(&url);
    let agreed = BTreeSet::from([consent(&config.name, &command_line(&config))]);
    hub.apply(vec![config], &agreed);
    let until = async |is: fn(&McpState) -> bool| {
        for _ in 0..500 {
            let status = hub.status().remove(0);
            if is(&status.state) {
                return status;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        panic!("never: {:?}", hub.status());
    };
    let locked = until(|state| matches!(state, McpState::Failed { .. })).await;
    let McpState::Failed { fault: Fault::Unreachable { detail }, retry_at: Some(_) } = locked.state
    else {
        panic!("{locked:?}")
    };
    assert!(detail.contains("it is locked"), "{detail}");
    let ready = until(|state| *state == McpState::Ready {}).await;
    assert_eq!((ready.sign_in, ready.tools.len()), (McpSignIn::Done {}, 1));
    // No request went without the pass.
    let asked = server.asked();
    let mut sent = asked[before..].iter().filter(|it| it.method == "POST" && it.path == "/mcp");
    assert!(sent.all(|asked| asked.header("authorization").is_some()));
    hub.stop().await;
}
