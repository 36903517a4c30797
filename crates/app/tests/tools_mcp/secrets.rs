//! Keys that were pasted: storage, use, removal and undo.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use futures::future::BoxFuture;
use serde_json::json;
use skein_app::app::App;
use skein_platform::paths::AppPaths;
use skein_tools::mcp::hub::Hub;
use skein_tools::mcp::keys::{SecretValues, extract_secrets};
use skein_tools::mcp::{McpServerConfig, McpServerError, McpServerStatus, McpState, McpTransport};

use crate::test_servers::{TEST_SERVER, agree, is_ready, odd, program, shown};
use crate::tools_support::mcp::{NoPasses, agreed, ready, said, stdio, until};
use crate::tools_support::{call, failed, named, net};

#[tokio::test(flavor = "multi_thread")]
async fn no_key_that_was_pasted_is_stored_or_shown() {
    let folder = tempfile::tempdir().unwrap();
    let places = AppPaths::in_folder(folder.path());
    let app = App::open(places.clone()).unwrap();
    let key = "k-3141592653589793";
    let pasted = json!({ "mcpServers": {
        "a": { "command": "skein-no-such-program", "args": [format!("--api-key={key}")] },
        "b": { "url": format!("http://127.0.0.1:9/mcp?apiKey={key}") },
    }});
    let parsed = app.mcp.add(pasted.to_string()).await.unwrap();
    for status in app.mcp.list().await.unwrap() {
        let McpState::NeedsConsent { command, .. } = status.state else { panic!("{status:?}") };
        app.mcp.allow(command).await.unwrap();
    }
    let asks = |status: &McpServerStatus| matches!(status.state, McpState::NeedsConsent { .. });
    let shown = app.mcp.list().await.unwrap();
    assert!(!shown.iter().any(asks), "{shown:?}");
    let grants = app.tool_grants.list().await.unwrap();
    assert!(grants.iter().all(|grant| grant.tool.as_str().starts_with("start:")), "{grants:?}");
    assert!(!format!("{parsed:?}{shown:?}{grants:?}").contains(key));
    assert!(!std::fs::read_to_string(places.settings()).unwrap().contains(key));
}

#[tokio::test]
async fn what_a_server_repeats_of_its_keys_is_read_nowhere() {
    let kept = "k-2718281828459045";
    let header = json!({ "Authorization": format!("Bearer {kept}") }).to_string();
    let config = |flag: &str| {
        let mut config = odd(&[flag, "--header", &header, "--api-key=o-1414213562373095"]);
        if let McpTransport::Stdio { env, .. } = &mut config.transport {
            env.insert("TOKEN".into(), "Bearer ${mcp.odd.TOKEN}".into());
        }
        config
    };
    let begin = |config: McpServerConfig| {
        let values =
            SecretValues(Arc::new(move |_| Box::pin(async move { Some(kept.to_owned()) })));
        let hub = Hub::new(net(), values, Arc::new(NoPasses), Arc::new(|| {}));
        hub.apply_configs(vec![config.clone()], &agreed(&[config]));
        hub
    };
    let hides = |words: &str| {
        assert!(words.contains("argv"), "it was repeated: {words}");
        assert!(!words.contains("27182818") && !words.contains("14142135"), "{words}");
    };
    let hub = begin(config("--chatty"));
    let is_chatty =
        |status: &McpServerStatus| status.stderr.iter().any(|line| line.contains("argv"));
    ready(&hub).await;
    hides(&format!("{:?}", until(&hub, "chatty", is_chatty).await));
    hides(&failed(call(&named(&hub.tools(), "odd__refuse"), json!({})).await));
    let environment = said(&hub, "odd__environment", json!({})).await;
    assert!(environment.contains("\"TOKEN\":\"•••") && !environment.contains(kept));
    hub.stop().await;
    let hub = begin(config("--rude"));
    let is_failed = |status: &McpServerStatus| matches!(status.state, McpState::Failed { .. });
    hides(&format!("{:?}", until(&hub, "failed", is_failed).await.state));
    hub.stop().await;
}

#[tokio::test]
async fn a_server_gets_what_was_pasted_byte_for_byte() {
    let key = "ntn_0123456789abcdef0123456789abcdef";
    let pasted = [
        format!(r#"{{"Authorization" :"Bearer {key}", "Notion-Version":"2022\/06"}}"#),
        format!(r#""{{\"token\":\"{key}\"}}""#),
        format!("Server=h;Password={key}=="),
        format!("https://h/?token={key}"),
    ];
    let mut config = odd(&[]);
    if let McpTransport::Stdio { env, .. } = &mut config.transport {
        env.extend(pasted.iter().enumerate().map(|(at, text)| (format!("T{at}"), text.clone())));
    }
    let taken: BTreeMap<String, String> = extract_secrets(&mut config).into_iter().collect();
    assert_eq!(taken.len(), pasted.len());
    assert!(!format!("{config:?}").contains(key), "{config:?}");
    let look_up = move |name: String| {
        let kept = taken.get(&name).cloned();
        Box::pin(async move { kept }) as BoxFuture<'static, _>
    };
    let hub = Hub::new(net(), SecretValues(Arc::new(look_up)), Arc::new(NoPasses), Arc::new(|| {}));
    hub.apply_configs(vec![config.clone()], &agreed(&[config]));
    ready(&hub).await;
    let backwards = said(&hub, "odd__environment", json!({ "backwards": true })).await;
    let text: String = backwards.chars().rev().collect();
    let environment: BTreeMap<String, String> = serde_json::from_str(&text).unwrap();
    let got = (0..pasted.len()).map(|at| environment[&format!("T{at}")].clone());
    assert_eq!(got.collect::<Vec<_>>(), pasted);
    hub.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_is_removed_takes_its_keys_and_its_consent_along_and_the_undo_brings_them_back()
 {
    let folder = tempfile::tempdir().unwrap();
    let places = AppPaths::in_folder(folder.path());
    let app = App::open(places.clone()).unwrap();
    let asks = || async {
        match app.mcp.list().await.unwrap().remove(0).state {
            McpState::NeedsConsent { command, .. } => Some(command),
            _ => None,
        }
    };
    let keys = || std::fs::read_to_string(places.secrets()).unwrap();
    let granted = || async { app.tool_grants.list().await.unwrap().len() };

    app.mcp.save(with_key()).await.unwrap();
    app.mcp.allow(asks().await.unwrap()).await.unwrap();
    assert_eq!(asks().await, None);
    assert!(keys().contains("t0ken"));

    app.mcp.remove("files".into()).await.unwrap();
    assert!(!keys().contains("t0ken"));
    app.mcp.restore("files".into()).await.unwrap();
    assert_eq!(asks().await, None, "what was agreed to is agreed to again");
    assert!(keys().contains("t0ken"));

    app.mcp.remove("files".into()).await.unwrap();
    app.mcp.save(with_key()).await.unwrap();
    assert!(asks().await.is_some(), "it begins anew");
    assert_eq!(granted().await, 0);

    app.mcp.save(stdio("files", "skein-no-such-program", &[])).await.unwrap();
    assert!(!keys().contains("t0ken"), "a key it no longer has is kept nowhere");
}

/// A server with a key in its environment.
fn with_key() -> McpServerConfig {
    let env = BTreeMap::from([("API_TOKEN".to_owned(), "t0ken".to_owned())]);
    let command = "skein-no-such-program".to_owned();
    let transport = McpTransport::Stdio { command, args: Vec::new(), env, cwd: None };
    McpServerConfig { transport, ..stdio("files", "", &[]) }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_is_removed_with_its_keys_or_stays_with_them() {
    let folder = tempfile::tempdir().unwrap();
    let places = AppPaths::in_folder(folder.path());
    let app = App::open(places.clone()).unwrap();
    app.mcp.save(with_key()).await.unwrap();
    let read = |place: PathBuf| std::fs::read_to_string(place).unwrap();
    let before = (read(places.settings()), read(places.secrets()));
    let after = || (read(places.settings()), read(places.secrets()));

    std::fs::write(places.settings(), "{").unwrap();
    assert!(app.mcp.remove("files".into()).await.is_err());
    let mut other = with_key();
    if let McpTransport::Stdio { env, .. } = &mut other.transport {
        env.insert("API_TOKEN".into(), "other".into());
    }
    assert!(app.mcp.save(other.clone()).await.is_err());
    std::fs::write(places.settings(), &before.0).unwrap();
    assert_eq!(after(), before, "the settings could not be written");

    std::fs::write(places.secrets(), "{").unwrap();
    assert!(app.mcp.remove("files".into()).await.is_err());
    assert!(app.mcp.save(other).await.is_err());
    std::fs::write(places.secrets(), &before.1).unwrap();
    assert_eq!(after(), before, "the keys could not be changed");

    app.mcp.remove("files".into()).await.unwrap();
    std::fs::write(places.settings(), "{").unwrap();
    assert!(app.mcp.restore("files".into()).await.is_err());
    assert!(!read(places.secrets()).contains("t0ken"), "it is not back, so neither is its key");
    std::fs::write(places.settings(), "{}").unwrap();
    app.mcp.restore("files".into()).await.unwrap();
    assert!(read(places.secrets()).contains("t0ken"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_configuration_that_is_pasted_over_a_server_leaves_its_key_and_can_be_undone() {
    let (folder, app) = program();
    let keys = || std::fs::read_to_string(AppPaths::in_folder(folder.path()).secrets()).unwrap();
    let pasted = |args: &[&str], token: &str| {
        let env = json!({ "API_TOKEN": token });
        let server = json!({ "command": "skein-no-such-program", "args": args, "env": env });
        json!({ "mcpServers": { "files": server } }).to_string()
    };
    let first = app.mcp.add(pasted(&["p"], "t0ken-of-mine")).await.unwrap();
    assert_eq!(first.replaced, Vec::<String>::new());
    agree(&app, "files").await;

    for open in ["<YOUR_TOKEN>", "", "${input:token}"] {
        let again = app.mcp.add(pasted(&["p@2"], open)).await.unwrap();
        assert_eq!(again.replaced, ["files"], "{open}");
        assert!(keys().contains("t0ken-of-mine"), "{open}");
        assert_eq!(shown(&app, "files").await.values, ["mcp.files.API_TOKEN"], "{open}");
    }
    app.mcp.add(pasted(&[], "t0ken-of-mine")).await.unwrap();
    agree(&app, "files").await;
    // The same once more is agreed to; with another key, of which the command says nothing, it is not.
    let asks = async || matches!(shown(&app, "files").await.state, McpState::NeedsConsent { .. });
    app.mcp.add(pasted(&[], "t0ken-of-mine")).await.unwrap();
    assert!(!asks().await);
    app.mcp.add(pasted(&[], "of-another")).await.unwrap();
    assert!(asks().await);
    app.mcp.restore("files".into()).await.unwrap();
    assert!(!asks().await && keys().contains("t0ken-of-mine"));
    app.mcp.add(pasted(&["--new"], "an0ther")).await.unwrap();
    assert!(!keys().contains("t0ken-of-mine"));
    assert!(matches!(shown(&app, "files").await.state, McpState::NeedsConsent { .. }));

    app.mcp.restore("files".into()).await.unwrap();
    assert!(keys().contains("t0ken-of-mine") && !keys().contains("an0ther"));
    let state = shown(&app, "files").await.state;
    assert!(!matches!(state, McpState::NeedsConsent { .. }), "what was agreed to: {state:?}");
    assert!(app.mcp.restore("files".into()).await.is_err(), "there is no more to undo");

    // Another program gets no key that was not given to it, whatever it is called.
    let other = pasted(&[], "<YOUR_TOKEN>").replace("skein-no-such", "skein-other");
    app.mcp.add(other).await.unwrap();
    assert!(!keys().contains("t0ken-of-mine"));
    app.mcp.restore("files".into()).await.unwrap();
    assert!(keys().contains("t0ken-of-mine"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_value_that_is_nowhere_can_be_given_and_is_kept_as_long_as_the_server() {
    let (folder, app) = program();
    let keys = || std::fs::read_to_string(AppPaths::in_folder(folder.path()).secrets()).unwrap();
    let env =
        json!({ "PAT": "Bearer ${input:pat}", "API_TOKEN": "YOUR_TOKEN", "HOME": "${userHome}" });
    let server = json!({ "command": TEST_SERVER, "args": ["odd"], "env": env });
    app.mcp.add(json!({ "servers": { "odd": server } }).to_string()).await.unwrap();
    agree(&app, "odd").await;
    assert_eq!(shown(&app, "odd").await.values, ["input:pat", "mcp.odd.API_TOKEN"]);
    let misses = async |value: &str| {
        let is_missing = async || match shown(&app, "odd").await.state {
            McpState::Failed { fault: McpServerError::ValueMissing { name }, .. } => name == value,
            _ => false,
        };
        scripted_server::until("it misses a value", is_missing).await;
    };
    let give = |name: &str, value: &str| app.mcp.set_value("odd".into(), name.into(), value.into());
    misses("mcp.odd.API_TOKEN").await;
    give("mcp.odd.API_TOKEN", "t0ken-given").await.unwrap();
    misses("input:pat").await;
    give("input:pat", "p4t-given").await.unwrap();
    is_ready(&app, "odd").await;
    assert!(give("mcp.other.KEY", "x").await.is_err() && give("PATH", "x").await.is_err());
    assert!(keys().contains("t0ken-given") && keys().contains("p4t-given"));
    app.mcp.remove("odd".into()).await.unwrap();
    assert!(!keys().contains("-given"), "{}", keys());
    app.close().await;
}
