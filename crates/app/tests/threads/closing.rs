//! Processes that were started end with the program.

use std::fs;

use scripted_server::{is_locked, patiently, until};
use serde_json::json;
use skein_app::view::TurnEnd;
use skein_domain::message::Message;
use skein_domain::session::SessionOverride;
use skein_platform::paths::AppPaths;
use skein_store::Store;
use skein_tools::mcp::McpState;

use crate::scenario::{Say, Scenario, deaf, line, message, under};

#[tokio::test(flavor = "multi_thread")]
async fn a_command_and_a_server_end_with_the_program() {
    let given = under("summarize").await;
    let place = tempfile::tempdir().unwrap();
    let (command, server) = (place.path().join("command"), place.path().join("server"));
    let program = env!("CARGO_BIN_EXE_mcp-test-server");
    let args = json!(["--sleep", "600", "--lock", server]);
    let given = given.configured(|settings| {
        settings["tools"] = json!({ "switches": { "run_command": "on" } });
        settings["mcpServers"] = json!({ "stubborn": { "command": program, "args": args } });
    });
    let given = given.await;
    let asked = async || match given.app.mcp.list().await.unwrap().pop().map(|it| it.state) {
        Some(McpState::NeedsConsent { command, .. }) => Ok(command),
        other => Err(other),
    };
    let consent = patiently("it asks for consent", asked).await;
    given.app.mcp.allow(consent).await.unwrap();
    let folder = Some(place.path().display().to_string());
    let overrides = SessionOverride::Folder(folder);
    given.app.sessions.set_override(given.session, overrides).await.unwrap();
    let command_line = format!("\"{program}\" --sleep 600 --lock command");
    let run = Say::call("run_command", json!({ "command": command_line }));
    given.model.says([run, Say::words("Never said.")]);
    let (app, session) = (given.app.clone(), given.session);
    let turn = tokio::spawn(async move { app.turns.run(session, message("go"), deaf()).await });
    let asked = async || {
        let questions = given.app.sessions.get(session).await.unwrap().questions.into_iter();
        questions.last().ok_or("nothing is asked")
    };
    let question = patiently("the person is asked", asked).await;
    let yes = skein_tools::permission::ApprovalDecision::Once;
    given.app.turns.answer_tool(session, question.call_id, yes).await.unwrap();
    until("both run", async || is_locked(&command) && is_locked(&server)).await;

    given.app.close().await;
    assert_eq!(turn.await.unwrap(), Ok(TurnEnd::Interrupted {}));
    until("neither runs", async || !is_locked(&command) && !is_locked(&server)).await;
    let messages = given.messages(given.current().await).await;
    assert_eq!(line(&messages[1]), "[run_command Cancelled]");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_export_ends_with_the_program_and_leaves_no_half_of_it() {
    let given = under("summarize").await;
    for _ in 0..200 {
        given.app.sessions.create().await.unwrap();
    }
    let place = tempfile::tempdir().unwrap();
    let (app, path) = (given.app.clone(), place.path().join("skein.zip").display().to_string());
    let export = tokio::spawn(async move { app.exports.export_all(path).await });
    let names = || fs::read_dir(place.path()).unwrap().map(|it| it.unwrap().file_name());
    while names().count() == 0 {
        tokio::task::yield_now().await;
    }
    given.app.close().await;
    assert_eq!(names().filter(|name| name != "skein.zip").count(), 0);
    assert_eq!(export.await.unwrap().is_ok(), names().count() == 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_program_that_has_ended_begins_no_long_export() {
    let given = under("summarize").await;
    given.app.sessions.create().await.unwrap();
    given.app.close().await;
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("skein.zip").display().to_string();
    given.app.exports.export_all(path).await.unwrap_err();
    assert_eq!(fs::read_dir(place.path()).unwrap().count(), 0);
}

/// The texts in a copy of the database without its log, as somebody makes who copies the file that the
/// settings name.
async fn texts_of_a_copy_alone(given: &Scenario) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    fs::copy(given.folder.path().join("skein.db"), folder.path().join("skein.db")).unwrap();
    let Ok(store) = Store::open(&AppPaths::in_folder(folder.path()), 0) else { return Vec::new() };
    let mut texts = Vec::new();
    for session in store.sessions().await.unwrap() {
        let path = store.path_after(session.current_thread, None).await.unwrap();
        texts.extend(path.iter().map(Message::text));
    }
    texts
}

#[tokio::test(flavor = "multi_thread")]
async fn a_copy_of_the_database_alone_holds_every_message_once_the_program_is_closed() {
    let given = under("summarize").await;
    given.model.says([Say::words("All of it.")]);
    given.send("What is kept?").await.unwrap();
    given.settled().await;
    given.app.close().await;
    assert_eq!(texts_of_a_copy_alone(&given).await, ["What is kept?", "All of it."]);
    let log = fs::metadata(given.folder.path().join("skein.db-wal"));
    assert!(log.is_ok_and(|log| log.len() == 0), "nothing stands in the log alone");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_copy_of_the_database_alone_holds_every_message_whenever_nothing_was_written_for_a_while()
{
    let given = under("summarize").await;
    given.model.says([Say::words("All of it.")]);
    given.send("What is kept?").await.unwrap();
    until("the log is copied into the database", async || {
        texts_of_a_copy_alone(&given).await == ["What is kept?", "All of it."]
    })
    .await;
}
