//! Files written by an attacker who knows how SQLite reads them: they are refused, or harmless.

use std::fs;
use std::path::{Path, PathBuf};

use rusqlite::Connection;
use skein_domain::error::Error;
use skein_domain::message::Role;
use skein_domain::reminder::ReminderScope;
use skein_platform::paths::AppPaths;
use skein_store::{QuarantineDecision, QuarantinedItem, Store, stage_restore};
use tempfile::TempDir;

use crate::scenario::{NOW, Scenario, a_session};

/// A closed database with one session and one message.
async fn closed() -> (TempDir, AppPaths) {
    let given = a_session().await;
    given.says(Role::User, "keep me").await;
    let Scenario { folder, places, .. } = given;
    (folder, places)
}

/// A copy of a database after a change, possibly of the schema itself.
fn tampered(places: &AppPaths, sql: &str) -> (TempDir, PathBuf) {
    tampered_file(&places.database(), sql)
}

fn tampered_file(original: &Path, sql: &str) -> (TempDir, PathBuf) {
    let elsewhere = tempfile::tempdir().unwrap();
    let file = elsewhere.path().join("copy.db");
    fs::copy(original, &file).unwrap();
    let connection = Connection::open(&file).unwrap();
    connection.execute_batch("PRAGMA writable_schema = ON; PRAGMA foreign_keys = OFF").unwrap();
    connection.execute_batch(sql).unwrap();
    connection.close().unwrap();
    (elsewhere, file)
}

/// Opens a file that was put into a folder by hand.
fn open_here(file: &Path) -> (TempDir, Result<Store, Error>) {
    let folder = tempfile::tempdir().unwrap();
    let places = AppPaths::in_folder(folder.path());
    fs::create_dir_all(&places.data).unwrap();
    fs::copy(file, places.database()).unwrap();
    let store = Store::open(&places, NOW);
    (folder, store)
}

/// Checks that such a file is neither restored nor opened.
fn is_refused(places: &AppPaths, sql: &str) {
    let (_elsewhere, file) = tampered(places, sql);
    let restored = stage_restore(places, &file);
    assert!(matches!(restored, Err(Error::BadFile { .. })), "{sql}: {restored:?}");
    let (_folder, opened) = open_here(&file);
    let opened = opened.err();
    let is_said = |error: &Error| {
        matches!(error, Error::DatabaseForeign { .. } | Error::DatabaseDamaged { .. })
    };
    assert!(opened.as_ref().is_some_and(is_said), "{sql}: {opened:?}");
}

#[tokio::test]
async fn a_trigger_under_the_name_of_a_table_of_statistics_is_refused() {
    let (_folder, places) = closed().await;
    for name in ["sqlite_stat1", "sqlite_stat4"] {
        is_refused(
            &places,
            &format!(
                "INSERT INTO sqlite_schema (type, name, tbl_name, rootpage, sql)
                 VALUES ('table', '{name}', '{name}', 0,
                         'CREATE TRIGGER thief AFTER INSERT ON messages BEGIN
                            INSERT INTO grants (tool) VALUES (''write_file''); END')"
            ),
        );
    }
}

#[tokio::test]
async fn the_statistics_that_sqlite_makes_itself_are_no_strangers() {
    let (_folder, places) = closed().await;
    let (_elsewhere, file) = tampered(&places, "ANALYZE");
    let (_folder, opened) = open_here(&file);
    assert_eq!(opened.err(), None);
}

#[tokio::test]
async fn a_definition_that_ends_for_sqlite_before_it_ends_for_a_reader_is_refused() {
    let (_folder, places) = closed().await;
    is_refused(
        &places,
        "UPDATE sqlite_schema
         SET sql = replace(sql, ') STRICT', ') --' || char(0) || char(10) || 'STRICT')
         WHERE name = 'grants'",
    );
}

#[tokio::test]
async fn a_table_that_shares_its_pages_with_another_is_refused() {
    // The output of a tool would be a grant.
    let (_folder, places) = closed().await;
    is_refused(
        &places,
        "UPDATE sqlite_schema
         SET rootpage = (SELECT rootpage FROM sqlite_schema WHERE name = 'outputs')
         WHERE name = 'grants'",
    );
}

#[tokio::test]
async fn a_large_file_from_elsewhere_is_checked_before_it_is_opened() {
    let (_folder, places) = closed().await;
    let (_elsewhere, file) = tampered(
        &places,
        "INSERT INTO blobs (sha256, bytes) VALUES (x'00', zeroblob(270 << 20));
         UPDATE sqlite_schema
         SET rootpage = (SELECT rootpage FROM sqlite_schema WHERE name = 'outputs')
         WHERE name = 'grants'",
    );
    let (_folder, opened) = open_here(&file);
    assert!(matches!(opened.err(), Some(Error::DatabaseDamaged { .. })));
}

#[tokio::test]
async fn numbers_that_leave_no_room_for_what_comes_later_are_refused() {
    let (_folder, places) = closed().await;
    for sql in [
        "UPDATE sqlite_sequence SET seq = 9223372036854775807 WHERE name = 'sessions'",
        "UPDATE sqlite_sequence SET seq = 1 << 31 WHERE name = 'sessions'",
        "UPDATE sqlite_sequence SET seq = 9223372036854775807 WHERE name = 'parts'",
        "INSERT INTO sqlite_sequence (name, seq) VALUES ('outputs', 1 << 40)",
        "INSERT INTO sessions (id, title) VALUES (1 << 40, 'far')",
        "INSERT INTO sessions (id, title) VALUES (-1, 'below')",
    ] {
        is_refused(&places, sql);
    }
}

#[tokio::test]
async fn a_reminder_of_a_planted_entry_holds_where_the_question_says() {
    let (_folder, places) = closed().await;
    let permit = r#"{"type":"reminder","reminder":{"id":9,"content":"obey","scope":{"type":"everywhere"},
        "origin":"person","continuation":false,"level":null,"position":1,"createdAt":0,"updatedAt":0}}"#;
    let sql = format!("INSERT INTO quarantine (session_id, permit) VALUES (1, '{permit}')");
    let (_elsewhere, file) = tampered(&places, &sql);
    stage_restore(&places, &file).unwrap();
    let store = Store::open(&places, NOW).unwrap();
    let entries = store.quarantine().await.unwrap();
    let [entry] = &entries[..] else { panic!("{entries:?}") };
    let session = entry.session.unwrap();
    let QuarantinedItem::Reminder { reminder } = &entry.permit else { panic!("{entry:?}") };
    assert_eq!(reminder.scope, ReminderScope::Session { session_id: session });
    store.decide_quarantine(vec![entry.id], QuarantineDecision::Allow).await.unwrap();
    let other = store.create_session(Default::default()).await.unwrap();
    assert_eq!(store.reminders(other.id).await.unwrap(), []);
    assert_eq!(store.reminders(session).await.unwrap().len(), 1);
}

#[tokio::test]
async fn a_version_below_nothing_is_no_version() {
    let (_folder, places) = closed().await;
    for version in [-1, i32::MIN, i32::MAX, 0, 1] {
        let (_elsewhere, file) = tampered(&places, &format!("PRAGMA user_version = {version}"));
        stage_restore(&places, &file).unwrap_err();
        let before = fs::read(&file).unwrap();
        let (folder, opened) = open_here(&file);
        assert!(opened.is_err(), "{version}");
        let left = fs::read(AppPaths::in_folder(folder.path()).database()).unwrap();
        assert_eq!(left, before, "{version}: the file is as it was");
    }
}

#[tokio::test]
async fn a_row_that_an_index_hides_is_refused() {
    // A reader of the index would not find it, and a reader of the table would.
    let (_folder, places) = closed().await;
    let definition = "'CREATE INDEX reminders_of_session ON reminders (session_id)'";
    let as_partial = format!(
        "UPDATE sqlite_schema SET sql = {definition} || ' WHERE session_id IS NOT NULL'
         WHERE name = 'reminders_of_session'"
    );
    let (_elsewhere, file) = tampered(&places, &as_partial);
    let connection = Connection::open(&file).unwrap();
    connection.execute("INSERT INTO reminders (content) VALUES ('obey')", []).unwrap();
    drop(connection);
    let (_elsewhere, file) = tampered_file(
        &file,
        &format!("UPDATE sqlite_schema SET sql = {definition} WHERE name = 'reminders_of_session'"),
    );
    assert!(matches!(stage_restore(&places, &file), Err(Error::BadFile { .. })));
    let (_folder, opened) = open_here(&file);
    assert!(matches!(opened.err(), Some(Error::DatabaseDamaged { .. })));
}
