//! Calls: results, cancellation, crashes and changes of the list of tools.

use std::time::Duration;

use serde_json::json;
use skein_tools::mcp::{McpServerConfig, McpServerStatus};
use skein_tools::{ToolInvocation, ToolOutcome, output_truncation};
use tokio_util::sync::CancellationToken;

use crate::test_servers::odd;
use crate::tools_support::mcp::{hub, names, ready, said, until};
use crate::tools_support::{call, call_until, failed, named};

#[tokio::test]
async fn a_cancelled_call_is_not_waited_for_though_it_goes_on_telling() {
    let hub = hub(vec![odd(&[])]);
    ready(&hub).await;
    let cancel = CancellationToken::new();
    let (progress, mut heard) = tokio::sync::mpsc::unbounded_channel();
    let hang = named(&hub.tools(), "odd__hang");
    let running = hang.run(ToolInvocation { args: json!({}), cancel: cancel.clone(), progress });
    let stop = async {
        heard.recv().await.expect("progress is told");
        cancel.cancel();
    };
    let (outcome, ()) = tokio::join!(running, stop);
    assert_eq!(failed(outcome), "Cancelled.");
    assert_eq!(said(&hub, "odd__echo", json!({ "text": 1 })).await, "echo: 1");
    // Nobody hears messages after that.
    while let Ok(_left) = heard.try_recv() {}
    assert_eq!(heard.recv().await, None);
    hub.stop().await;
}

#[tokio::test]
async fn a_call_that_is_dropped_is_taken_back() {
    let hub = hub(vec![odd(&[])]);
    ready(&hub).await;
    let hang = named(&hub.tools(), "odd__hang");
    let (progress, mut heard) = tokio::sync::mpsc::unbounded_channel();
    let running = tokio::spawn(async move {
        hang.run(ToolInvocation { args: json!({}), cancel: CancellationToken::new(), progress })
            .await
    });
    heard.recv().await.expect("progress is told");
    running.abort();
    let told =
        |status: &McpServerStatus| status.stderr.iter().any(|line| line == "was told to cancel");
    until(&hub, "told", told).await;
    hub.stop().await;
}

#[tokio::test]
async fn a_call_that_takes_too_long_fails_alone() {
    let hub = hub(vec![McpServerConfig { timeout_seconds: Some(1), ..odd(&[]) }]);
    ready(&hub).await;
    let message = failed(call(&named(&hub.tools(), "odd__hang"), json!({})).await);
    assert!(message.contains("timeout"), "{message}");
    assert_eq!(said(&hub, "odd__echo", json!({ "text": 1 })).await, "echo: 1");
    hub.stop().await;
}

#[tokio::test]
async fn a_crash_in_the_middle_of_a_call_fails_that_call_and_the_server_comes_back() {
    let hub = hub(vec![odd(&[])]);
    ready(&hub).await;
    let hang = named(&hub.tools(), "odd__hang");
    let crash = named(&hub.tools(), "odd__crash");
    let (hung, crashed) = tokio::join!(call(&hang, json!({})), call(&crash, json!({})));
    assert!(failed(hung).contains("not running"));
    assert!(failed(crashed).contains("not running"));
    // A call that comes before the loss is noticed, or before it is back, fails as well.
    let came_back = async {
        loop {
            let echo = hub.tools().into_iter().find(|tool| tool.declaration().name == "odd__echo");
            if let Some(echo) = echo
                && let ToolOutcome::Done { text, .. } = call(&echo, json!({ "text": "back" })).await
            {
                return text;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    let answer = tokio::time::timeout(Duration::from_secs(60), came_back).await;
    assert_eq!(answer.expect("it comes back"), "echo: back");
    hub.stop().await;
}

#[tokio::test]
async fn a_list_that_changes_is_read_again_and_a_flood_of_announcements_is_one() {
    let hub = hub(vec![odd(&[])]);
    let status = ready(&hub).await;
    assert!(!names(&status).contains(&"odd__grown"));
    assert_eq!(said(&hub, "odd__grow", json!({})).await, "grew");
    let status = until(&hub, "grown", |status| names(status).contains(&"odd__grown")).await;
    let mut sorted = names(&status);
    sorted.sort_unstable();
    assert_eq!(names(&status), sorted);
    hub.stop().await;
}

#[tokio::test]
async fn results_of_megabytes_arrive_whole_and_once() {
    let hub = hub(vec![odd(&[])]);
    ready(&hub).await;
    assert_eq!(said(&hub, "odd__big", json!({ "characters": 5_000_000 })).await.len(), 5_000_000);
    let lines = 2_200_000; // 11 MB as text, and 11 MB once more as structure.
    assert_eq!(said(&hub, "odd__twice", json!({ "lines": lines })).await.len(), lines * 5);
    let schema = named(&hub.tools(), "odd__wide").declaration().parameters.to_string();
    assert!(schema.len() > 100_000);
    hub.stop().await;
}

#[tokio::test]
async fn noise_floods_pictures_and_refusals_harm_nothing() {
    let hub = hub(vec![odd(&[])]);
    ready(&hub).await;
    assert_eq!(said(&hub, "odd__noise", json!({})).await, "after the noise");
    assert_eq!(said(&hub, "odd__flood", json!({})).await, "flooded");
    assert_eq!(
        said(&hub, "odd__picture", json!({})).await,
        "[image: image/png, 3000 bytes, not shown]"
    );
    let tools = hub.tools();
    assert_eq!(
        failed(call(&named(&tools, "odd__refuse"), json!({})).await),
        "refused by the server"
    );
    assert_eq!(
        failed(call(&named(&tools, "odd__empty"), json!({})).await),
        "The tool failed without a word."
    );
    let status = hub.status().await.remove(0);
    assert!(status.stderr.len() <= 200);
    assert!(status.stderr.iter().all(|line| output_truncation::char_count(line) <= 4_001));
    hub.stop().await;
}

#[tokio::test]
async fn an_answer_cut_within_an_emoji_arrives_and_one_that_is_broken_ends_its_call() {
    let hub = hub(vec![odd(&[])]);
    ready(&hub).await;
    assert_eq!(said(&hub, "odd__half", json!({})).await, "cut here: \u{fffd}");
    let tools = hub.tools();
    let hang = named(&tools, "odd__hang");
    let hanging = tokio::spawn(async move { call(&hang, json!({})).await });
    let reason = failed(call(&named(&tools, "odd__garbled"), json!({})).await);
    assert!(reason.starts_with("The server's answer cannot be read: "), "{reason}");
    assert!(!hanging.is_finished(), "a call that was answered is the only one that ends");
    // Nobody knows whose answer it was: whoever waits for one is told.
    let reason = failed(call(&named(&tools, "odd__anonymous"), json!({})).await);
    assert!(reason.starts_with("The server's answer cannot be read: "), "{reason}");
    assert_eq!(failed(hanging.await.unwrap()), reason);
    assert_eq!(said(&hub, "odd__echo", json!({ "text": 1 })).await, "echo: 1");
    hub.stop().await;
}

#[tokio::test]
async fn what_a_server_says_of_its_tools_is_there_for_the_model_and_short() {
    let hub = hub(vec![odd(&[])]);
    let status = ready(&hub).await;
    let said = hub.instructions().remove(0);
    let tools: Vec<&str> = said.tools.iter().map(String::as_str).collect();
    assert_eq!((said.server.as_str(), tools), ("odd", names(&status)));
    let line = "\n[… 1032 of 5032 characters left out here …]";
    assert!(said.text.starts_with("Call echo before anything else. x"), "{}", said.text);
    assert!(said.text.ends_with(line), "{}", said.text);
    hub.stop().await;
    assert_eq!(hub.instructions(), []);
}

#[tokio::test]
async fn what_a_cancelled_call_was_before_it_began_does_not_matter() {
    let hub = hub(vec![odd(&[])]);
    ready(&hub).await;
    let cancel = CancellationToken::new();
    cancel.cancel();
    let echo = named(&hub.tools(), "odd__echo");
    assert_eq!(failed(call_until(&echo, json!({}), cancel).await), "Cancelled.");
    hub.stop().await;
    let message = failed(call(&echo, json!({})).await);
    assert!(message.contains("not running"), "{message}");
}
