//! A turn that the end of the program cuts before its reply has begun is marked at the next start.

use rusqlite::Connection;
use skein_app::view::TurnOutcome;

use crate::scenario::{Say, Scenario, under};

fn database(given: &Scenario) -> Connection {
    Connection::open(given.folder.path().join("skein.db")).unwrap()
}

fn running(given: &Scenario) -> u32 {
    let sql = "SELECT count(*) FROM running_turns";
    database(given).query_row(sql, [], |row| row.get(0)).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_turn_stands_as_running_from_its_first_step_to_its_end() {
    let given = under("summarize").await;
    given.model.says([Say::words("Noted.")]);
    given.model.holds_answers(true);
    let turn = given.sending("Wool?").await;
    assert_eq!(running(&given), 1);
    given.model.holds_answers(false);
    turn.await.unwrap().unwrap();
    assert_eq!(running(&given), 0);
    let given = given.restarted().await;
    assert!(!given.app.sessions.get(given.session).await.unwrap().is_turn_cut);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_message_whose_turn_was_cut_before_its_reply_began_is_marked_until_the_next_turn() {
    let given = under("summarize").await;
    given.model.says([Say::words("Noted.")]);
    given.send("Wool?").await.unwrap();
    // As a program leaves it that is killed before the reply has a row.
    let cut = format!(
        "UPDATE threads SET leaf_id = (SELECT min(id) FROM messages WHERE role = 'user');
         INSERT INTO running_turns (session_id) VALUES ({})",
        given.session.0
    );
    database(&given).execute_batch(&cut).unwrap();

    let given = given.restarted().await;
    let row = given.app.sessions.list().await.unwrap().remove(0);
    assert_eq!((row.unread, row.ended), (true, Some(TurnOutcome::CutOff)));
    assert!(given.app.sessions.get(given.session).await.unwrap().is_turn_cut);
    given.app.sessions.open(given.session).await.unwrap();

    let given = given.restarted().await;
    let row = given.app.sessions.list().await.unwrap().remove(0);
    assert!(!row.unread, "it is marked in the list until it was looked into");
    assert!(given.app.sessions.get(given.session).await.unwrap().is_turn_cut);
    given.send("Silk?").await.unwrap();
    assert!(!given.app.sessions.get(given.session).await.unwrap().is_turn_cut);
}
