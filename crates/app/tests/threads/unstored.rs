//! A reply that cannot be stored stays on the screen with its reason, and is stored when that is possible.

use std::fs;
use std::time::Duration;

use rusqlite::Connection;
use scripted_server::until;
use serde_json::json;
use skein_app::turn::turn_start::TurnStart;
use skein_app::view::{CompactionStatus, TranscriptItem, TranscriptPosition, TurnEnd};
use skein_domain::error::Error;
use skein_domain::message::{ContentPart, MessageState, ToolState};
use skein_domain::session::SessionOverride;

use crate::scenario::{Say, Scenario, deaf, under};

/// From now on the database refuses to take anything into this table.
fn refuse(given: &Scenario, table: &str) {
    database(given)
        .execute_batch(&format!(
            "CREATE TRIGGER no_{table} BEFORE INSERT ON {table}
             BEGIN SELECT RAISE(ABORT, 'no room'); END"
        ))
        .unwrap();
}

fn allow(given: &Scenario, table: &str) {
    database(given).execute_batch(&format!("DROP TRIGGER no_{table}")).unwrap();
}

fn database(given: &Scenario) -> Connection {
    let connection = Connection::open(given.folder.path().join("skein.db")).unwrap();
    connection.busy_timeout(Duration::from_secs(5)).unwrap();
    connection
}

async fn last(given: &Scenario) -> TranscriptItem {
    let page = given
        .app
        .messages
        .transcript(given.current().await, TranscriptPosition::End {}, 10)
        .await
        .unwrap();
    page.items.into_iter().last().unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reply_that_cannot_be_stored_arrives_whole_and_stays_until_it_is_stored_or_saved() {
    let given = under("summarize").await;
    let words = ["All ", "of ", "it ", "is ", "paid "];
    given.model.says([Say::slowly(&words, Duration::from_millis(300)), Say::words("On.")]);
    refuse(&given, "chunks");
    refuse(&given, "generations");
    assert_eq!(given.send("Write.").await, Ok(TurnEnd::Unstored {}));

    let shown = last(&given).await;
    assert_eq!(shown.message.text(), "All of it is paid ");
    assert_eq!(shown.message.state, MessageState::Complete {});
    assert!(matches!(shown.unstored, Some(Error::Storage { .. })), "{:?}", shown.unstored);
    assert_eq!(given.app.active_work().unstored, 1, "whoever closes the program is asked");
    let refused = given.send("What next?").await;
    assert!(matches!(refused, Err(Error::Storage { .. })), "nothing follows half a reply");

    let file = given.folder.path().join("saved.md");
    given.app.unstored.save(file.display().to_string()).await.unwrap();
    assert!(fs::read_to_string(file).unwrap().contains("All of it is paid"));
    assert_eq!(given.app.active_work().unstored, 0, "the user has it elsewhere");

    allow(&given, "generations");
    allow(&given, "chunks");
    until("it is stored", async || last(&given).await.unstored.is_none()).await;
    assert_eq!(last(&given).await.message.text(), "All of it is paid ");
    assert_eq!(given.send("What next?").await, Ok(TurnEnd::Answered {}));
    assert_eq!(given.restarted().await.lines().await.len(), 4);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reply_is_stored_with_its_figures_or_not_at_all() {
    let given = under("summarize").await;
    given.model.says([Say::words("All of it.").at(1_000)]);
    refuse(&given, "generations");
    assert_eq!(given.send("Write.").await, Ok(TurnEnd::Unstored {}));
    let stored =
        |sql: &str| -> u32 { database(&given).query_row(sql, [], |row| row.get(0)).unwrap() };
    let whole = "SELECT count(*) FROM messages WHERE state = '{\"type\":\"complete\"}' AND role = 'assistant'";
    assert_eq!(stored(whole), 0);
    allow(&given, "generations");
    until("it is stored", async || stored(whole) == 1).await;
    assert_eq!(stored("SELECT prompt FROM generations WHERE purpose = 'reply'"), 1_000);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_tool_returned_and_cannot_be_stored_stays_until_it_is_stored_or_saved() {
    let given = under("summarize").await;
    let given = given.configured(|settings| {
        settings["tools"] = json!({ "outputLimits": { "read_file": 500 } });
    });
    let given = given.await;
    let long = "wool ".repeat(20_000);
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("notes.txt"), &long).unwrap();
    let chosen = SessionOverride::Folder(Some(folder.path().display().to_string()));
    given.app.sessions.set_override(given.session, chosen).await.unwrap();
    let read = Say::call("read_file", json!({ "path": "notes.txt" }));
    given.model.says([read, Say::words("Read."), Say::words("On.")]);
    // A call that runs is updated in its row; its whole output goes into a table of its own.
    refuse(&given, "outputs");
    assert_eq!(given.send("Read it.").await, Ok(TurnEnd::Unstored {}));

    let shown = last(&given).await;
    assert!(matches!(shown.unstored, Some(Error::Storage { .. })), "{:?}", shown.unstored);
    assert!(returned(&shown).0.contains("wool wool"), "{:?}", returned(&shown).0.get(..80));
    assert_eq!(given.app.active_work().unstored, 1, "whoever closes the program is asked");
    let file = given.folder.path().join("saved.md");
    given.app.unstored.save(file.display().to_string()).await.unwrap();
    assert!(fs::read_to_string(file).unwrap().contains("wool wool"));

    allow(&given, "outputs");
    until("it is stored", async || last(&given).await.unstored.is_none()).await;
    let (text, is_cut) = returned(&last(&given).await);
    assert!(is_cut && text.contains("wool wool"), "the rule for long outputs holds for it, too");
    assert_eq!(
        given.app.turns.run(given.session, TurnStart::Continue, deaf()).await,
        Ok(TurnEnd::Answered {})
    );
}

/// The result of a message's last call, and true if the whole of it is stored apart.
fn returned(item: &TranscriptItem) -> (String, bool) {
    let call = item.message.parts.iter().rev().find_map(|part| match part {
        ContentPart::Tool { call } => Some(call.state.clone()),
        _ => None,
    });
    let Some(ToolState::Done { output }) = call else { panic!("{call:?}") };
    (output.text, output.whole.is_some())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_summary_that_cannot_be_stored_stays_on_the_screen_until_it_is_stored() {
    let given = under("summarize").await;
    given.model.says([Say::words("Noted.")]);
    for fact in ["The port is 7443.", "Miso is a cat.", "We ship on Friday."] {
        let more = "The shuttle crosses the warp and the reed beats it home. ".repeat(320);
        given.send(&format!("{fact} {more}")).await.unwrap();
    }
    refuse(&given, "points");
    let work = given.app.compactions.compact(given.session, None, None).await.unwrap();
    let unstored = async || match given.app.compactions.status(given.session).await {
        Ok(CompactionStatus::Running { progress }) => {
            progress.unstored.map(|why| (progress.text, why))
        }
        _ => None,
    };
    until("it is shown with the reason", async || unstored().await.is_some()).await;
    assert!(!unstored().await.unwrap().0.is_empty());
    allow(&given, "points");
    work.await.unwrap().unwrap();
    assert_eq!(given.app.compactions.list(given.session).await.unwrap().points.len(), 1);
}
