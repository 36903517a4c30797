//! The consent to a server and to its tools.

use std::collections::BTreeSet;
use std::sync::Arc;

use rusqlite::Connection;
use serde_json::json;
use skein_app::app::App;
use skein_domain::ids::GrantKey;
use skein_platform::paths::AppPaths;
use skein_store::Grant;
use skein_tools::mcp::consent::command_line;
use skein_tools::mcp::hub::Hub;
use skein_tools::mcp::keys::SecretValues;
use skein_tools::mcp::{McpServerConfig, McpState};

use crate::test_servers::{agree, is_ready, odd, program, shown};
use crate::tools_support::mcp::{NoPasses, agreed, hub, ready, stdio, until_all};
use crate::tools_support::net;

fn no_values() -> SecretValues {
    SecretValues(Arc::new(|_| Box::pin(async { None })))
}

#[tokio::test]
async fn nothing_is_started_before_its_whole_command_was_agreed_to() {
    let folder = tempfile::tempdir().unwrap();
    let started = folder.path().join("started");
    let touch = ["--touch", started.to_str().unwrap()];
    let config = odd(&touch);
    let command = command_line(&config);
    let hub = Hub::new(net(), no_values(), Arc::new(NoPasses), Arc::new(|| {}));
    hub.apply_configs(vec![config.clone()], &BTreeSet::new());
    let asks = McpState::NeedsConsent {
        command,
        environment: Vec::new(),
        unseen: Vec::new(),
        again: false,
    };
    assert_eq!(hub.status().await[0].state, asks);
    assert!(hub.tools().is_empty() && !started.exists());
    // Agreeing to one command is not agreeing to another under the same name.
    let consents = agreed(std::slice::from_ref(&config));
    hub.apply_configs(vec![odd(&[&touch[..], &["--else"]].concat())], &consents);
    assert!(matches!(hub.status().await[0].state, McpState::NeedsConsent { .. }));
    assert!(!started.exists());
    hub.apply_configs(vec![config.clone()], &consents);
    ready(&hub).await;
    assert!(started.exists());
    hub.apply_configs(vec![McpServerConfig { enabled: false, ..config }], &consents);
    assert_eq!(hub.status().await[0].state, McpState::Off {});
    assert!(hub.tools().is_empty());
    hub.stop().await;
}

#[tokio::test]
async fn a_yes_to_one_servers_tool_is_never_one_to_anothers() {
    let [first, second] =
        ["搜索", "文件"].map(|name| McpServerConfig { name: name.into(), ..odd(&[]) });
    let both = vec![first.clone(), second.clone()];
    let hub = hub(both.clone());
    let echoes = |hub: &Hub| -> Vec<(String, String)> {
        let tools = hub
            .tools()
            .into_iter()
            .map(|tool| (tool.declaration().name, tool.grant(&json!({})).as_str().to_owned()));
        tools.filter(|(_, grant)| grant.contains("/echo#")).collect()
    };
    ready(&hub).await;
    until_all(&hub, "both ready", |all| all[1].state == McpState::Ready {}).await;
    let together = echoes(&hub);
    assert!(together[0].1.starts_with("mcp:搜索/echo#"), "{together:?}");
    assert!(together[1].1.starts_with("mcp:文件/echo#"), "{together:?}");
    assert_ne!(together[0].0, together[1].0);
    // The name of the other server's tool does not depend on which servers run.
    hub.apply_configs(vec![McpServerConfig { enabled: false, ..first }, second], &agreed(&both));
    assert_eq!(echoes(&hub), together[1..]);
    hub.stop().await;
}

#[tokio::test]
async fn what_a_configuration_allows_is_allowed_of_that_server_alone() {
    let lasting = McpServerConfig { always_allow: vec!["echo".into()], ..odd(&[]) };
    let slashed = McpServerConfig { name: "odd/echo".into(), ..lasting.clone() };
    let hub = Hub::new(net(), no_values(), Arc::new(NoPasses), Arc::new(|| {}));
    hub.apply_configs(vec![lasting, slashed], &BTreeSet::new());
    let granted = ["mcp:odd%2Fecho/echo", "mcp:odd/echo"].map(GrantKey::new);
    assert_eq!(hub.always_allowed(), BTreeSet::from(granted));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_allowed_of_a_server_ends_with_it_or_when_it_becomes_another() {
    let folder = tempfile::tempdir().unwrap();
    let places = AppPaths::in_folder(folder.path());
    let app = App::open(places.clone()).unwrap();
    // Nobody agreed to it: it is not started.
    let config = stdio("my files", "skein-no-such-program", &["--read-only"]);
    let own = ["mcp:my files/read", "mcp:my files/write"];
    let of_others = ["mcp:files/read", "web_fetch"];
    let left_over =
        ["mcp:gone/read", "start:my files/0f", "mcp:npx -y kept --by an earlier version"];
    let database = Connection::open(places.database()).unwrap();
    let allow = || {
        let sql = "INSERT OR IGNORE INTO grants (tool) VALUES (?1)";
        let names = own.iter().chain(&of_others).chain(&left_over);
        names.for_each(|name| assert!(database.execute(sql, [name]).is_ok()));
    };
    let allowed = || async {
        let grants = app.tool_grants.list().await.unwrap();
        grants.into_iter().map(|grant| grant.tool.as_str().to_owned()).collect::<BTreeSet<_>>()
    };
    let named = |names: &[&str]| -> BTreeSet<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    };
    let all = named(&[own, of_others].concat());
    let others = named(&of_others);

    app.mcp.save(stdio("files", "skein-no-such-program", &[])).await.unwrap();
    app.mcp.save(config.clone()).await.unwrap();
    allow();
    app.mcp.enable("my files".into(), false).await.unwrap();
    app.mcp.enable("my files".into(), true).await.unwrap();
    assert_eq!(allowed().await, all);

    let other = stdio("my files", "skein-no-such-program", &["--everything"]);
    app.mcp.save(other.clone()).await.unwrap();
    assert_eq!(allowed().await, others, "it became another");

    allow();
    app.mcp.remove("my files".into()).await.unwrap();
    assert_eq!(allowed().await, others, "it is gone");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_allowed_outlives_settings_that_cannot_be_read() {
    let folder = tempfile::tempdir().unwrap();
    let places = AppPaths::in_folder(folder.path());
    let app = App::open(places.clone()).unwrap();
    app.mcp.save(stdio("files", "skein-no-such-program", &[])).await.unwrap();
    let McpState::NeedsConsent { command, .. } = app.mcp.list().await.unwrap().remove(0).state
    else {
        panic!("it asks")
    };
    app.mcp.allow(command).await.unwrap();
    let database = Connection::open(places.database()).unwrap();
    let sql = "INSERT INTO grants (tool) VALUES ('mcp:files/read'), ('mcp:gone/read')";
    database.execute(sql, []).unwrap();
    drop(app);
    let whole = std::fs::read_to_string(places.settings()).unwrap();
    // Begins as the program does, and does not wait for what that leaves to the background.
    let begun = async |settings: &str| {
        std::fs::write(places.settings(), settings).unwrap();
        let app = App::open(places.clone()).unwrap();
        app.tool_grants.revoke(Grant { tool: GrantKey::new("none"), session: None }).await.unwrap();
        app
    };
    let of = async |app: &App, server: &str| {
        let grants = app.tool_grants.list().await.unwrap().into_iter();
        grants.filter(|grant| grant.tool.as_str().contains(&format!(":{server}/"))).count()
    };
    let unreadable = r#"{ "mcpServers": { "files": { "command": 3 } } }"#;
    for broken in ["{", r#"{ "mcpServers": 1 }"#, unreadable] {
        assert_eq!(of(&*begun(broken).await, "files").await, 2, "{broken}");
    }
    let app = begun(&whole).await;
    let status = app.mcp.list().await.unwrap().remove(0);
    assert!(!matches!(status.state, McpState::NeedsConsent { .. }), "{status:?}");
    assert_eq!((of(&app, "files").await, of(&app, "gone").await), (2, 0));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_configuration_allows_stands_among_the_grants_and_can_be_taken_back() {
    let (_folder, app) = program();
    let server = McpServerConfig { always_allow: vec!["echo".into(), "big".into()], ..odd(&[]) };
    app.mcp.save(server).await.unwrap();
    agree(&app, "odd").await;
    is_ready(&app, "odd").await;
    let allowed = async || {
        let grants = app.tool_grants.list().await.unwrap().into_iter();
        let tools = grants.filter(|grant| grant.tool.as_str().starts_with("mcp:"));
        tools.map(|grant| (grant.tool.as_str().to_owned(), grant.session)).collect::<Vec<_>>()
    };
    let of = |tool: &str| (format!("mcp:odd/{tool}"), None);
    assert_eq!(allowed().await, [of("big"), of("echo")]);
    app.tool_grants
        .revoke(Grant { tool: GrantKey::new("mcp:odd/echo"), session: None })
        .await
        .unwrap();
    assert_eq!(allowed().await, [of("big")]);
    // It was agreed to more, and what the server does goes on.
    assert_eq!(shown(&app, "odd").await.state, McpState::Ready {});
    app.close().await;
}
