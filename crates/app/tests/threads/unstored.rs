//! A reply that cannot be stored stays on the screen with its reason, and is stored when that is possible.

use std::fs;
use std::time::Duration;

use rusqlite::Connection;
use scripted_server::until;
use skein_app::view::{TranscriptItem, TranscriptPosition, TurnEnd};
use skein_domain::error::Error;
use skein_domain::message::MessageState;

use crate::given::{Given, Say, under};

/// From now on the database refuses to take anything into this table.
fn refuse(given: &Given, table: &str) {
    database(given)
        .execute_batch(&format!(
            "CREATE TRIGGER no_{table} BEFORE INSERT ON {table}
             BEGIN SELECT RAISE(ABORT, 'no room'); END"
        ))
        .unwrap();
}

fn allow(given: &Given, table: &str) {
    database(given).execute_batch(&format!("DROP TRIGGER no_{table}")).unwrap();
}

fn database(given: &Given) -> Connection {
    let connection = Connection::open(given.folder.path().join("skein.db")).unwrap();
    connection.busy_timeout(Duration::from_secs(5)).unwrap();
    connection
}

async fn last(given: &Given) -> TranscriptItem {
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
