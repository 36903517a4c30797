//! Strategy `archive` from end to end.

use std::fs;

use serde_json::Value;
use skein_context::message::Origin;
use skein_context::reminder::Scope;
use skein_context::session::Beginning;
use skein_runtime::error::Error;
use skein_runtime::store::Draft;

use crate::given::{Given, Say, message, with_window};

const WINDOW: u32 = 6_000;

fn long(fact: &str) -> String {
    format!("{fact} {}", "row after row the weft beats home ".repeat(130))
}

async fn fill(given: &Given) -> usize {
    given.model.says([Say::words("Said.")]);
    for number in 0..20 {
        if given.send(&long(&format!("fact {number}"))).await.is_err()
            || given.threads().await.len() > 1
        {
            return number;
        }
    }
    panic!("it was never full");
}

fn files(given: &Given) -> Vec<std::path::PathBuf> {
    let Ok(entries) = fs::read_dir(given.folder.path().join("archive")) else { return vec![] };
    entries.map(|entry| entry.unwrap().path()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn p03_p07_a_full_thread_is_archived_whole_and_the_message_answered_in_the_next() {
    let given = with_window("archive", WINDOW).await;
    let last = fill(&given).await;
    assert!(last >= 2, "several messages fit: {last}");
    let threads = given.threads().await;
    let lines = given.lines().await;
    assert_eq!(lines, ["(archived at 90)".into(), long(&format!("fact {last}")), "Said.".into()]);
    assert_eq!(given.lines_of(threads[1].id).await.len(), 2 * last, "the old one is readable");

    let [file] = &files(&given)[..] else { panic!("one file") };
    let Beginning::Archived { percent: 90, file: named } = &threads[0].beginning else { panic!() };
    assert_eq!(file.file_name().unwrap().to_str().unwrap(), named);
    let json: Value = serde_json::from_slice(&fs::read(file).unwrap()).unwrap();
    let written = json["messages"].to_string();
    for number in 0..=last {
        assert!(written.contains(&format!("fact {number} ")), "fact {number}");
    }
    assert_eq!(json["messages"].as_array().unwrap().len(), 2 * last + 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn p04_where_the_archive_cannot_be_written_nothing_else_changes_and_the_message_stays() {
    let given = with_window("archive", WINDOW).await;
    fs::write(given.folder.path().join("archive"), "in the way").unwrap();
    let last = fill(&given).await;
    assert_eq!(given.threads().await.len(), 1);
    let said = given.messages(given.current().await).await;
    let said: Vec<_> = said.iter().filter(|it| it.origin == Origin::Person).collect();
    assert_eq!(said.len(), last + 1, "the message that could not leave is there");

    fs::remove_file(given.folder.path().join("archive")).unwrap();
    given.send("and now?").await.unwrap();
    assert_eq!(given.threads().await.len(), 2);
    assert_eq!(files(&given).len(), 1);
    assert!(given.lines().await.contains(&"and now?".to_owned()));
}

#[tokio::test(flavor = "multi_thread")]
async fn p07_a_message_that_alone_does_not_fit_archives_nothing_and_is_given_back() {
    let given = with_window("archive", WINDOW).await;
    given.model.says([Say::words("Said.")]);
    given.send("hello").await.unwrap();
    let huge = long("huge").repeat(8);
    let refused = given.send(&huge).await;
    assert!(matches!(refused, Err(Error::MessageTooLong { limit: WINDOW, .. })), "{refused:?}");
    assert_eq!(files(&given), Vec::<std::path::PathBuf>::new());
    assert_eq!(given.lines().await, ["hello", "Said."]);
    let seen = given.app.session(given.session).await.unwrap();
    let back: Vec<_> = seen.waiting.iter().map(|it| (it.parts.clone(), it.for_box)).collect();
    assert_eq!(back, [(message(&huge).parts, true)]);
    assert_eq!(seen.draft, Draft::default());
}

#[tokio::test(flavor = "multi_thread")]
async fn where_what_is_always_sent_does_not_fit_the_message_is_not_blamed() {
    for strategy in ["summarize", "archive"] {
        let given = with_window(strategy, 1_024).await;
        let scope = Scope::Session { session_id: given.session };
        given.app.add_reminder(scope, long("note")).await.unwrap();
        let refused = given.send("hi").await;
        assert!(matches!(refused, Err(Error::Stuck { .. })), "{strategy}: {refused:?}");
        let seen = given.app.session(given.session).await.unwrap();
        assert_eq!(seen.waiting[0].parts, message("hi").parts);
    }
}
