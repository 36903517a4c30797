//! Starts and ends of servers, and starts that fail.

use std::collections::BTreeSet;
use std::time::Duration;

use scripted_server::{Reply, Server, is_locked};
use serde_json::json;
use skein_app::app::App;
use skein_app::settings::StartMode;
use skein_platform::paths::AppPaths;
use skein_tools::mcp::{McpServerConfig, McpServerError, McpServerStatus, McpState};

use crate::test_servers::{odd, program};
use crate::tools_support::mcp::{http, hub, ready, said, stdio, until};

#[tokio::test]
async fn a_server_that_does_not_end_is_ended_with_its_children() {
    let folder = tempfile::tempdir().unwrap();
    let [server, child] = ["server", "child"].map(|name| folder.path().join(name));
    let hub = hub(vec![odd(&["--stubborn", "--lock", server.to_str().unwrap()])]);
    ready(&hub).await;
    said(&hub, "odd__child", json!({ "lock": child })).await;
    // The child may not have begun.
    scripted_server::until("both run", async || is_locked(&server) && is_locked(&child)).await;
    hub.stop().await;
    scripted_server::until("neither runs", async || !is_locked(&server) && !is_locked(&child))
        .await;
}

#[tokio::test]
async fn a_start_that_hangs_is_ended_by_the_next_one() {
    let folder = tempfile::tempdir().unwrap();
    let mark = folder.path().join("mark");
    let hub = hub(vec![odd(&["--hang-first", "--touch", mark.to_str().unwrap()])]);
    scripted_server::until("it hangs", async || mark.exists()).await;
    hub.restart("odd").unwrap();
    let again = tokio::time::timeout(Duration::from_secs(60), ready(&hub));
    again.await.expect("it is not waited for until its time is over");
    hub.stop().await;
}

#[tokio::test]
async fn a_first_start_is_waited_for_and_what_failed_is_not() {
    let gone = stdio("gone", "skein-no-such-program", &[]);
    let off = McpServerConfig { name: "off".into(), enabled: false, ..odd(&[]) };
    let hub = hub(vec![odd(&["--delay-ms", "500"]), gone, off]);
    hub.wait_for_first_attempts().await;
    assert_eq!(hub.status().await[0].state, McpState::Ready {});
    hub.restart("odd").unwrap();
    hub.wait_for_first_attempts().await;
    assert_eq!(hub.status().await[0].state, McpState::Ready {}, "nor is one that was asked for");
    hub.stop().await;
}

#[tokio::test]
async fn a_list_that_fails_takes_nothing_away_and_is_said_in_the_log() {
    let hub = hub(vec![odd(&["--fussy"])]);
    let has_failed_at = |status: &McpServerStatus, list: &str| {
        status.stderr.iter().any(|line| line.contains(&format!("no {list} today")))
    };
    let offered = |status: &McpServerStatus| {
        let prompts: Vec<_> = status.prompts.iter().map(|prompt| prompt.name.clone()).collect();
        (status.state.clone(), status.tools.len(), prompts, status.resources.len())
    };
    let first = ready(&hub).await;
    assert!(has_failed_at(&first, "resources/list"));
    let all = (McpState::Ready {}, first.tools.len(), vec!["greet".to_owned()], 0);
    assert_eq!(offered(&first), all);
    assert!(first.tools.len() > 10);
    let again = until(&hub, "listed again", |status| has_failed_at(status, "prompts/list")).await;
    assert_eq!(offered(&again), all);
    said(&hub, "odd__sulk", json!({})).await;
    let sulking = until(&hub, "sulking", |status| has_failed_at(status, "tools/list")).await;
    assert_eq!(offered(&sulking), all);
    hub.stop().await;
}

#[tokio::test]
async fn what_stands_in_the_way_is_said_as_a_kind() {
    let missing = stdio("missing", "skein-no-such-program", &[]);
    let hub_of = |config| hub(vec![config]);
    let state = async |config| {
        let hub = hub_of(config);
        let is_failed = |status: &McpServerStatus| matches!(status.state, McpState::Failed { .. });
        until(&hub, "failed", is_failed).await.state
    };
    let fault = McpServerError::ProgramMissing { program: "skein-no-such-program".into() };
    assert_eq!(state(missing).await, McpState::Failed { fault, retry_at: None });
    let fault = McpServerError::ValueMissing { name: "NOT_THERE".into() };
    assert_eq!(state(odd(&["${NOT_THERE}"])).await, McpState::Failed { fault, retry_at: None });
    for others in ["openai", "mcp.other.KEY", "env:mcp.od.KEY"] {
        let argument = format!("${{{others}}}");
        let fault = McpServerError::ValueMissing { name: others.trim_start_matches("env:").into() };
        assert_eq!(
            state(odd(&[&argument])).await,
            McpState::Failed { fault, retry_at: None },
            "only its own keys are within a server's reach"
        );
    }
    let ended = state(odd(&["--exit", "5"])).await;
    assert!(
        matches!(
            ended,
            McpState::Failed {
                fault: McpServerError::Ended { code: Some(5), .. },
                retry_at: Some(_)
            }
        ),
        "{ended:?}"
    );
    let gone = state(http("web", "http://127.0.0.1:9/mcp")).await;
    assert!(
        matches!(
            gone,
            McpState::Failed { fault: McpServerError::Unreachable { .. }, retry_at: Some(_) }
        ),
        "{gone:?}"
    );
    let gone = format!("{:?}", state(http("web", "http://127.0.0.1:9/mcp?key=secret")).await);
    assert!(gone.contains("127.0.0.1:9/mcp") && !gone.contains("secret"), "{gone}");
    for status in [404, 405] {
        let older = Server::always(Reply::new(status, "text/plain", "no POST here"));
        assert_eq!(
            state(http("web", &older.url())).await,
            McpState::Failed { fault: McpServerError::NotSpoken { status }, retry_at: None }
        );
    }
    let invalid = state(http("web", "not an address")).await;
    assert!(
        matches!(
            invalid,
            McpState::Failed { fault: McpServerError::Invalid { .. }, retry_at: None }
        ),
        "{invalid:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn in_safe_mode_no_server_starts_and_what_was_agreed_to_stays() {
    let folder = tempfile::tempdir().unwrap();
    let places = AppPaths::in_folder(folder.path());
    let app = App::open(places.clone()).unwrap();
    app.mcp.save(stdio("files", "skein-no-such-program", &[])).await.unwrap();
    let asks = || async { app.mcp.list().await.unwrap().remove(0).state };
    let McpState::NeedsConsent { command, .. } = asks().await else { panic!("it asks") };
    app.mcp.allow(command).await.unwrap();
    app.close().await;
    drop(app);

    let state = async |mode: StartMode| {
        let app = App::open_as(places.clone(), mode).unwrap();
        // Behind what the start leaves to the background.
        app.mcp.enable("files".into(), true).await.unwrap();
        let state = app.mcp.list().await.unwrap().remove(0).state;
        let shown = app.settings.view().await.unwrap();
        assert_eq!(shown.safe_mode, mode == StartMode::Safe);
        app.close().await;
        state
    };
    assert_eq!(state(StartMode::Safe).await, McpState::Off {});
    let normal = state(StartMode::Normal).await;
    assert!(
        matches!(normal, McpState::Starting {} | McpState::Failed { .. }),
        "it is started again, and nobody is asked: {normal:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_may_be_called_as_the_root_of_a_configuration_is() {
    let (_folder, app) = program();
    for name in ["mcp", "servers", "other"] {
        let mut server = stdio(name, "skein-no-such-program", &[]);
        server.enabled = false;
        app.mcp.save(server).await.unwrap();
    }
    let names: BTreeSet<String> =
        app.mcp.list().await.unwrap().into_iter().map(|server| server.name).collect();
    assert_eq!(names, ["mcp", "servers", "other"].map(str::to_owned).into());
}
