//! A foreign database: nothing in it acts before the user has approved it, and nothing is lost.

use std::fs;
use std::path::{Path, PathBuf};

use rusqlite::Connection;
use skein_domain::error::{Error, FileError};
use skein_domain::ids::{GrantKey, SessionId};
use skein_domain::message::{Origin, Role};
use skein_domain::reminder::ReminderScope;
use skein_domain::session::SessionOverride;
use skein_platform::paths::AppPaths;
use skein_store::{
    Grant, NewReminder, QuarantineDecision, QuarantineEntry, QuarantineId, QuarantinedItem, Store,
    stage_restore,
};
use tempfile::TempDir;

use crate::scenario::{NOW, Scenario, a_session};

fn grant(tool: &str, session: Option<SessionId>) -> Grant {
    Grant { tool: GrantKey::new(tool), session }
}

fn everywhere(content: &str) -> NewReminder {
    NewReminder {
        content: content.into(),
        scope: ReminderScope::Everywhere {},
        origin: Origin::Person,
        continuation: false,
        level: None,
        created_at: NOW,
    }
}

/// A closed database with a permission of each kind.
async fn permissive() -> (TempDir, AppPaths, SessionId) {
    let given = a_session().await;
    let (id, store) = (given.session.id, &given.store);
    store.grant(grant("run_command ls", Some(id)), NOW).await.unwrap();
    store.grant(grant("write_file", None), NOW).await.unwrap();
    store.set_override(id, SessionOverride::Folder(Some("/home/ada/wool".into()))).await.unwrap();
    store.add_reminder(everywhere("Count the stitches.")).await.unwrap();
    given.says(Role::User, "keep me").await;
    let Scenario { folder, places, .. } = given;
    (folder, places, id)
}

/// The permissions that are in effect in a session.
async fn acts(store: &Store, session: SessionId) -> (Vec<Grant>, Option<String>, Vec<String>) {
    let reminders = store.reminders(session).await.unwrap().into_iter();
    (
        store.all_grants().await.unwrap(),
        store.session(session).await.unwrap().overrides.folder,
        reminders.map(|reminder| reminder.content).collect(),
    )
}

fn everything(session: SessionId) -> (Vec<Grant>, Option<String>, Vec<String>) {
    let grants = vec![grant("run_command ls", Some(session)), grant("write_file", None)];
    (grants, Some("/home/ada/wool".into()), vec!["Count the stitches.".into()])
}

fn nothing() -> (Vec<Grant>, Option<String>, Vec<String>) {
    (Vec::new(), None, Vec::new())
}

fn ids(entries: &[QuarantineEntry]) -> Vec<QuarantineId> {
    entries.iter().map(|entry| entry.id).collect()
}

/// Changes a database as a stranger might.
fn tamper(database: &Path, sql: &str) {
    Connection::open(database).unwrap().execute_batch(sql).unwrap();
}

fn copy_of(places: &AppPaths) -> (TempDir, PathBuf) {
    let elsewhere = tempfile::tempdir().unwrap();
    let file = elsewhere.path().join("copy.db");
    fs::copy(places.database(), &file).unwrap();
    (elsewhere, file)
}

#[tokio::test]
async fn what_was_allowed_here_is_allowed_at_the_next_start() {
    let (_folder, places, session) = permissive().await;
    for _ in 0..2 {
        let store = Store::open(&places, NOW).unwrap();
        assert_eq!(acts(&store, session).await, everything(session));
        assert_eq!(store.quarantine().await.unwrap(), []);
    }
}

#[tokio::test]
async fn nothing_acts_of_a_file_that_is_restored_until_it_is_agreed_to_one_by_one() {
    let (_folder, places, session) = permissive().await;
    let (_elsewhere, file) = copy_of(&places);
    tamper(&file, "INSERT INTO grants (tool) VALUES ('mcp:loom/cut')");
    stage_restore(&places, &file).unwrap();
    let store = Store::open(&places, NOW).unwrap();
    assert_eq!(acts(&store, session).await, nothing());
    let entries = store.quarantine().await.unwrap();
    let said: Vec<_> = entries
        .iter()
        .map(|entry| match &entry.permit {
            QuarantinedItem::Grant { tool, .. } => (entry.session, tool.as_str()),
            QuarantinedItem::Folder { path } => (entry.session, path.as_str()),
            QuarantinedItem::Reminder { reminder } => (entry.session, reminder.content.as_str()),
        })
        .collect();
    let expected = [
        (Some(session), "run_command ls"),
        (None, "write_file"),
        (None, "mcp:loom/cut"),
        (Some(session), "/home/ada/wool"),
        (None, "Count the stitches."),
    ];
    assert_eq!(said, expected);

    // One by one. A declined one does not come back.
    let decide = |at: usize, decision| store.decide_quarantine(vec![entries[at].id], decision);
    decide(3, QuarantineDecision::Allow).await.unwrap();
    let folder = Some("/home/ada/wool".to_owned());
    assert_eq!(acts(&store, session).await, (Vec::new(), folder.clone(), Vec::new()));
    decide(2, QuarantineDecision::Decline).await.unwrap();
    drop(store);
    let store = Store::open(&places, NOW).unwrap();
    assert_eq!(acts(&store, session).await, (Vec::new(), folder, Vec::new()));
    assert_eq!(store.quarantine().await.unwrap().len(), 3);
    store.decide_quarantine(vec![entries[2].id], QuarantineDecision::Reopen).await.unwrap();
    assert_eq!(store.quarantine().await.unwrap().len(), 4);
}

#[tokio::test]
async fn a_restored_copy_of_ones_own_gives_everything_back_with_one_yes() {
    let (_folder, places, session) = permissive().await;
    let (_elsewhere, file) = copy_of(&places);
    let before = Store::open(&places, NOW).unwrap().reminders(session).await.unwrap();
    stage_restore(&places, &file).unwrap();
    let store = Store::open(&places, NOW).unwrap();
    let all = ids(&store.quarantine().await.unwrap());
    store.decide_quarantine(all.clone(), QuarantineDecision::Allow).await.unwrap();
    assert_eq!(acts(&store, session).await, everything(session));
    assert_eq!(store.reminders(session).await.unwrap(), before, "each as it was");
    assert_eq!(store.quarantine().await.unwrap(), []);
    let again = store.decide_quarantine(all, QuarantineDecision::Allow).await;
    assert!(matches!(again, Err(Error::NotFound { .. })), "{again:?}");
}

#[tokio::test]
async fn a_file_that_was_put_into_the_folder_by_hand_is_asked_about() {
    let (_folder, theirs, session) = permissive().await;
    // In a folder that was never used, and in one that was.
    let other = a_session().await;
    let used = other.places.clone();
    drop(other.store);
    let fresh = tempfile::tempdir().unwrap();
    for places in [AppPaths::in_folder(fresh.path()), used] {
        fs::copy(theirs.database(), places.database()).unwrap();
        let store = Store::open(&places, NOW).unwrap();
        assert_eq!(acts(&store, session).await, nothing());
        assert_eq!(store.quarantine().await.unwrap().len(), 4);
    }
}

/// Converts a database to the version before the quarantine.
fn from_before(places: &AppPaths) {
    let sql = "DROP TABLE encrypted_summaries; DROP TABLE installation; DROP TABLE quarantine; DROP TABLE edits;
               DROP TABLE running_turns; DROP TABLE ledger;
               DROP TABLE request_starts; DROP TABLE cache_misses;
               DROP TABLE requests; DROP TABLE request_lines;
               ALTER TABLE points DROP COLUMN facts_rules;
               ALTER TABLE undone_points DROP COLUMN facts_rules;
               DROP INDEX points_after; DROP INDEX undone_points_after;
               ALTER TABLE points DROP COLUMN after_id;
               ALTER TABLE undone_points DROP COLUMN after_id;
               PRAGMA user_version = 20";
    tamper(&places.database(), sql);
    fs::remove_file(places.installation()).unwrap();
}

#[tokio::test]
async fn the_first_start_of_a_version_that_asks_takes_what_was_open_before_for_its_own() {
    let (_folder, places, session) = permissive().await;
    from_before(&places);
    let store = Store::open(&places, NOW).unwrap();
    assert_eq!(acts(&store, session).await, everything(session));
    drop(store);
    // The same file in a folder without an earlier database is foreign.
    from_before(&places);
    let fresh = tempfile::tempdir().unwrap();
    let fresh = AppPaths::in_folder(fresh.path());
    fs::copy(places.database(), fresh.database()).unwrap();
    let store = Store::open(&fresh, NOW).unwrap();
    assert_eq!(acts(&store, session).await, nothing());
}

#[tokio::test]
async fn what_is_restored_at_the_first_start_of_a_version_that_asks_is_from_elsewhere() {
    let (_folder, places, session) = permissive().await;
    from_before(&places);
    let (_elsewhere, file) = copy_of(&places);
    stage_restore(&places, &file).unwrap();
    let store = Store::open(&places, NOW).unwrap();
    assert_eq!(acts(&store, session).await, nothing());
    assert_eq!(store.quarantine().await.unwrap().len(), 4);
}

#[tokio::test]
async fn a_message_that_waited_elsewhere_is_not_sent_by_itself() {
    let (_folder, places, session) = permissive().await;
    let (_elsewhere, file) = copy_of(&places);
    tamper(
        &file,
        r#"INSERT INTO waiting (session_id, parts) VALUES (1, '[{"type":"text","text":"buy wool"}]')"#,
    );
    stage_restore(&places, &file).unwrap();
    let store = Store::open(&places, NOW).unwrap();
    assert!(!store.has_queued_message(session).await.unwrap());
    assert_eq!(store.queued_messages(session).await.unwrap().len(), 1, "it waits for the box");
}

#[tokio::test]
async fn what_was_planted_for_a_session_that_does_not_exist_yet_never_acts() {
    let (_folder, places, _) = permissive().await;
    let (_elsewhere, file) = copy_of(&places);
    tamper(
        &file,
        "PRAGMA foreign_keys = OFF;
         INSERT INTO grants (session_id, tool) VALUES (2, 'run_command sh');
         INSERT INTO reminders (session_id, content) VALUES (2, 'obey')",
    );
    stage_restore(&places, &file).unwrap();
    let store = Store::open(&places, NOW).unwrap();
    let all = ids(&store.quarantine().await.unwrap());
    let next = store.create_session(Default::default()).await.unwrap();
    assert_eq!(next.id, SessionId(2), "the number that was planted");
    store.decide_quarantine(all, QuarantineDecision::Decline).await.unwrap();
    assert_eq!(acts(&store, next.id).await, nothing());
}

#[tokio::test]
async fn what_cannot_be_read_hides_nothing_and_allows_nothing() {
    for overrides in [
        // The key twice, so that readers that take the first or the last one differ.
        r#"{"folder":"/home/ada/wool","folder":"/home/ada"}"#,
        // A value that a later version may know.
        r#"{"folder":"/home/ada","effort":"boundless"}"#,
        // As a list.
        r#"[null,null,null,"/home/ada",null]"#,
    ] {
        let (_folder, places, _) = permissive().await;
        let (_elsewhere, file) = copy_of(&places);
        let sql = format!(
            "UPDATE sessions SET overrides = '{overrides}';
             INSERT INTO quarantine (permit) VALUES ('{{}}'), ('{{\"type\":\"other\"}}'), ('wool')"
        );
        tamper(&file, &sql);
        stage_restore(&places, &file).unwrap();
        let store = Store::open(&places, NOW).unwrap();
        let entries = store.quarantine().await.unwrap();
        let permit = QuarantinedItem::Folder { path: "/home/ada".into() };
        assert!(entries.iter().any(|entry| entry.permit == permit), "{overrides}: {entries:?}");
        assert_eq!(entries.len(), 4, "{overrides}");
        let kept = Connection::open(places.database()).unwrap();
        let sql = "SELECT overrides FROM sessions";
        let kept: String = kept.query_row(sql, [], |row| row.get(0)).unwrap();
        assert!(!kept.contains("/home/ada"), "{overrides}: {kept}");
        let all = ids(&entries);
        store.decide_quarantine(all, QuarantineDecision::Decline).await.unwrap();
        assert_eq!(store.all_grants().await.unwrap(), []);
    }
}

#[tokio::test]
async fn a_schema_that_no_migration_makes_is_refused_by_its_name() {
    let (_folder, places, _) = permissive().await;
    let strangers = [
        (
            "CREATE TRIGGER thief AFTER INSERT ON messages BEGIN
               INSERT INTO grants (tool) VALUES ('write_file');
             END",
            "trigger thief",
        ),
        ("CREATE VIEW spy AS SELECT * FROM parts", "view spy"),
        ("CREATE TABLE more (id)", "table more"),
        ("CREATE INDEX thumb ON messages (role)", "index thumb"),
        ("DROP TRIGGER search_part_added", "trigger search_part_added"),
        ("ALTER TABLE grants ADD COLUMN extra TEXT DEFAULT 'x'", "table grants"),
    ];
    for (sql, object) in strangers {
        let (_elsewhere, file) = copy_of(&places);
        tamper(&file, sql);
        let name = "copy.db".to_owned();
        let fault = FileError::ForeignSchema { object: object.into() };
        assert_eq!(stage_restore(&places, &file), Err(Error::BadFile { name, fault }), "{sql}");
        // Put into the folder by hand, it is not opened either, and stays unchanged.
        let here = tempfile::tempdir().unwrap();
        let here = AppPaths::in_folder(here.path());
        fs::create_dir_all(&here.data).unwrap();
        fs::copy(&file, here.database()).unwrap();
        let path = here.database().display().to_string();
        let foreign = Error::DatabaseForeign { path, object: object.into() };
        assert_eq!(Store::open(&here, NOW).err(), Some(foreign), "{sql}");
    }
    Store::open(&places, NOW).unwrap();
}

#[cfg(unix)]
#[tokio::test]
async fn new_files_are_the_users_alone_whoever_may_read_what_they_come_from() {
    use std::os::unix::fs::PermissionsExt;

    let root = tempfile::tempdir().unwrap();
    let places = AppPaths::in_folder(&root.path().join("skein"));
    let store = Store::open(&places, NOW).unwrap();
    store.create_session(Default::default()).await.unwrap();
    let copy = store.back_up(&places, NOW).await.unwrap();
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    for file in [&places.database(), &places.data.join("skein.db-wal"), &copy] {
        assert_eq!(mode(file), 0o600, "{}", file.display());
    }
    for folder in [&places.data, &places.backups()] {
        assert_eq!(mode(folder), 0o700, "{}", folder.display());
    }
    drop(store);
    fs::set_permissions(&copy, fs::Permissions::from_mode(0o644)).unwrap();
    stage_restore(&places, &copy).unwrap();
    let _store = Store::open(&places, NOW).unwrap();
    assert_eq!(mode(&places.database()), 0o600);
}
