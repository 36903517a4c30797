//! The environment and the proxy that a server is started with.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::json;
use skein_tools::mcp::McpTransport;
use skein_tools::mcp::hub::Hub;
use skein_tools::mcp::keys::SecretValues;

use crate::test_servers::odd;
use crate::tools_support::mcp::{NoPasses, agreed, hub, ready, said};
use crate::tools_support::{call, done, named, net, tools};

#[tokio::test]
async fn a_server_gets_a_clean_environment_and_what_was_listed() {
    let mut config = odd(&[]);
    if let McpTransport::Stdio { env, .. } = &mut config.transport {
        env.insert("LISTED".into(), "${mcp.odd.GREETING} ${NOT_THERE:-world}".into());
    }
    let hub = hub(vec![config]);
    ready(&hub).await;
    assert!(std::env::var_os("CARGO_MANIFEST_DIR").is_some());
    let text = said(&hub, "odd__environment", json!({})).await;
    let environment: BTreeMap<String, String> = serde_json::from_str(&text).unwrap();
    assert_eq!(environment["LISTED"], "hello world");
    let home = if cfg!(windows) { "USERPROFILE" } else { "HOME" };
    assert!(environment.contains_key("PATH") && environment.contains_key(home));
    assert!(!environment.contains_key("CARGO_MANIFEST_DIR"), "{environment:?}");
    for passed in ["DISPLAY", "XDG_RUNTIME_DIR", "SSH_AUTH_SOCK", "https_proxy", "SSL_CERT_FILE"] {
        assert_eq!(environment.get(passed).cloned(), std::env::var(passed).ok(), "{passed}");
    }
    hub.stop().await;
}

#[tokio::test]
async fn of_what_was_given_only_what_is_called_a_key_is_cut_out_of_results() {
    let mut config = odd(&[]);
    if let McpTransport::Stdio { env, .. } = &mut config.transport {
        env.insert("ROOT".into(), "${workspaceFolder}".into());
        env.insert("WHO".into(), "${input:github_token}".into());
        env.insert("PAT".into(), "Bearer ${input:mine}".into());
    }
    let values = SecretValues(Arc::new(|name| {
        let value = match name.as_str() {
            "mcp.odd.given-workspaceFolder" => "/home/ann/work",
            "mcp.odd.given-input_github_token" => "t-2718281828459045",
            "mcp.odd.given-input_mine" => "t-1414213562373095",
            other => panic!("{other}"),
        };
        Box::pin(async move { Some(value.to_owned()) })
    }));
    let hub = Hub::new(net(), values, Arc::new(NoPasses), Arc::new(|| {}));
    hub.apply_configs(vec![config.clone()], &agreed(&[config]));
    ready(&hub).await;
    let text = said(&hub, "odd__environment", json!({})).await;
    let environment: BTreeMap<String, String> = serde_json::from_str(&text).unwrap();
    assert_eq!(environment["ROOT"], "/home/ann/work");
    assert!(!text.contains("27182818") && !text.contains("14142135"), "{text}");
    hub.stop().await;
}

#[test]
fn the_password_of_a_proxy_is_given_to_programs_and_read_nowhere() {
    let again = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["--ignored", "--exact", "environment::programs_are_started_behind_a_proxy"])
        .env("HTTPS_PROXY", "http://ann:pr0xy-p4ssword@127.0.0.1:9")
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&again.stdout);
    assert!(again.status.success() && said.contains("1 passed"), "{said}");
}

#[tokio::test]
#[ignore = "the test above runs it, with a proxy"]
async fn programs_are_started_behind_a_proxy() {
    let hub = hub(vec![odd(&[])]);
    ready(&hub).await;
    let told = said(&hub, "odd__environment", json!({})).await;
    hub.stop().await;
    let folder = tempfile::tempdir().unwrap();
    let command = named(&tools(Some(folder.path()), Arc::default()), "run_command");
    let list = if cfg!(windows) { "set" } else { "env" };
    let ran = done(call(&command, json!({ "command": list })).await);
    for words in [told, ran] {
        assert!(words.contains("@127.0.0.1:9") && !words.contains("pr0xy-p4ssword"), "{words}");
    }
}
