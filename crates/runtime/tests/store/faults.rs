//! Bad files and bad disks: each has its word, and nothing is lost by it.

use std::fs;
use std::io::{Seek, SeekFrom, Write};
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use rusqlite::Connection;
use skein_context::message::{Message, Role};
use skein_runtime::app::App;
use skein_runtime::error::Error;
use skein_runtime::places::Places;
use skein_runtime::store::{
    BackupContent, BackupReason, NewSession, Store, backups, begin_anew, drop_old, examine, stage,
};

use crate::again;
use crate::given::{Given, NOW, a_session, old_database, said};

async fn closed_with_a_message() -> (tempfile::TempDir, Places) {
    let given = a_session().await;
    given.says(Role::User, "keep me").await;
    let Given { store, folder, places, .. } = given;
    drop(store);
    (folder, places)
}

async fn texts(store: &Store) -> Vec<String> {
    let mut texts = Vec::new();
    for session in store.sessions().await.unwrap() {
        let path = store.path_after(session.current_thread, None).await.unwrap();
        texts.extend(path.iter().map(Message::text));
    }
    texts
}

fn path(places: &Places) -> String {
    places.database().display().to_string()
}

#[tokio::test]
async fn a_database_from_a_newer_version_is_refused_and_left_alone() {
    let (_folder, places) = closed_with_a_message().await;
    let raw = Connection::open(places.database()).unwrap();
    raw.pragma_update(None, "user_version", 99).unwrap();
    drop(raw);
    let before = fs::read(places.database()).unwrap();
    let refused = Store::open(&places, NOW).err();
    let newer = Error::DatabaseNewer { path: path(&places), found: 99, known: known() };
    assert_eq!(refused, Some(newer));
    assert_eq!(fs::read(places.database()).unwrap(), before);
}

#[tokio::test]
async fn a_migration_begins_with_a_copy_that_can_be_put_back() {
    let (_folder, places) = old_database(&["an old message"]);
    let store = Store::open(&places, NOW).unwrap();
    assert_eq!(texts(&store).await, ["an old message"]);
    assert_eq!(names(&places), ["skein-v1-20270115T080000Z.db"]);
    let copy = backups(&places)[0].clone();
    assert_eq!(copy.reason, BackupReason::Update);

    let session = store.sessions().await.unwrap()[0].clone();
    store.append_message(session.current_thread, said(Role::User, "later")).await.unwrap();
    drop(store);
    let content = BackupContent { sessions: 1, messages: 1, last_at: Some(0) };
    assert_eq!(examine(&places, Path::new(&copy.path)), Ok(content));
    stage(&places, Path::new(&copy.path)).unwrap();
    assert_eq!(texts(&Store::open(&places, NOW).unwrap()).await, ["an old message"]);
    let replaced = backups(&places).into_iter().find(|it| it.reason == BackupReason::Replaced);
    stage(&places, Path::new(&replaced.unwrap().path)).unwrap();
    let store = Store::open(&places, NOW + 1).unwrap();
    assert_eq!(texts(&store).await, ["an old message", "later"]);
}

#[tokio::test]
async fn what_was_said_last_is_restored_from_the_log_of_a_database_that_was_not_closed() {
    let given = a_session().await;
    given.says(Role::User, "in the log alone").await;
    let (_other, places) = closed_with_a_message().await;
    stage(&places, &given.places.database()).unwrap();
    assert_eq!(texts(&Store::open(&places, NOW).unwrap()).await, ["in the log alone"]);
}

#[tokio::test]
async fn what_is_no_whole_database_of_skeins_takes_the_place_of_nothing() {
    let (folder, places) = closed_with_a_message().await;
    let foreign = folder.path().join("foreign.db");
    let raw = Connection::open(&foreign).unwrap();
    raw.execute_batch("CREATE TABLE sessions (id); PRAGMA user_version = 1").unwrap();
    drop(raw);
    let text = folder.path().join("text.db");
    fs::write(&text, "not a database".repeat(100)).unwrap();
    let half = folder.path().join("half.db");
    fs::copy(places.database(), &half).unwrap();
    cut(&half, fs::metadata(&half).unwrap().len() / 2);
    let missing = folder.path().join("missing.db");
    for file in [foreign, text, half, missing] {
        let refused = stage(&places, &file);
        assert!(matches!(refused, Err(Error::BadFile { .. })), "{}: {refused:?}", file.display());
    }
    let newer = folder.path().join("newer.db");
    fs::copy(places.database(), &newer).unwrap();
    Connection::open(&newer).unwrap().pragma_update(None, "user_version", 99).unwrap();
    let path = newer.display().to_string();
    let error = Error::DatabaseNewer { path, found: 99, known: known() };
    assert_eq!(stage(&places, &newer), Err(error));

    assert_eq!(texts(&Store::open(&places, NOW).unwrap()).await, ["keep me"]);
    assert_eq!(backups(&places), []);
    let left = fs::read_dir(folder.path()).unwrap().map(|it| it.unwrap().file_name());
    assert!(!left.into_iter().any(|name| name.to_str().unwrap().contains("restore")));
}

#[tokio::test]
async fn beginning_anew_keeps_what_was_there_as_a_copy() {
    let (_folder, places) = closed_with_a_message().await;
    begin_anew(&places, NOW).unwrap();
    let store = Store::open(&places, NOW).unwrap();
    assert_eq!(texts(&store).await, Vec::<String>::new());
    drop(store);
    stage(&places, Path::new(&backups(&places)[0].path)).unwrap();
    assert_eq!(texts(&Store::open(&places, NOW + 1).unwrap()).await, ["keep me"]);
}

#[tokio::test]
async fn what_is_set_aside_after_a_kill_is_one_file_with_all_that_was_said() {
    let running = a_session().await;
    running.says(Role::User, "in the log alone").await;
    // What a program that was killed leaves: the database, and its log beside it.
    let (_folder, places) = closed_with_a_message().await;
    for suffix in ["", "-wal"] {
        let file = |places: &Places| format!("{}{suffix}", path(places));
        fs::copy(file(&running.places), file(&places)).unwrap();
    }
    begin_anew(&places, NOW).unwrap();
    let kept: Vec<_> = fs::read_dir(places.backups()).unwrap().collect();
    assert_eq!(kept.len(), 1, "{kept:?}");
    stage(&places, Path::new(&backups(&places)[0].path)).unwrap();
    assert_eq!(texts(&Store::open(&places, NOW + 1).unwrap()).await, ["in the log alone"]);
}

fn known() -> u32 {
    u32::try_from(fs::read_dir("../../migrations").unwrap().count()).unwrap()
}

fn names(places: &Places) -> Vec<String> {
    let name = |path: String| Path::new(&path).file_name().unwrap().to_str().unwrap().to_owned();
    backups(places).into_iter().map(|copy| name(copy.path)).collect()
}

#[tokio::test]
async fn of_copies_from_updates_only_the_latest_stay_and_of_the_persons_all() {
    let (_folder, places) = old_database(&["an old message"]);
    fs::create_dir_all(places.backups()).unwrap();
    for year in 2020..2025 {
        fs::write(places.backups().join(format!("skein-v0-{year}0101T000000Z.db")), "").unwrap();
        fs::write(places.backups().join(format!("skein-v0-{year}0101T000000Z-kept.db")), "")
            .unwrap();
    }
    let store = Store::open(&places, NOW).unwrap();
    store.back_up(&places, NOW).await.unwrap();
    drop_old(&places);
    let of = |reason| backups(&places).iter().filter(|copy| copy.reason == reason).count();
    assert_eq!((of(BackupReason::Update), of(BackupReason::Person)), (3, 6));
    assert!(names(&places).contains(&"skein-v1-20270115T080000Z.db".to_owned()));
    assert_eq!(fs::read_dir(places.backups()).unwrap().count(), 9);
}

#[tokio::test]
async fn a_cut_or_overwritten_file_is_called_damaged_with_its_latest_copy_and_left_alone() {
    type Harm = fn(&Path);
    let harms: [Harm; 4] = [
        |file| cut(file, 0),
        |file| cut(file, 5_000),
        |file| cut(file, fs::metadata(file).unwrap().len() / 2),
        |file| fs::write(file, "<html>not a database</html>".repeat(400)).unwrap(),
    ];
    for harm in harms {
        let (_folder, places) = closed_with_a_message().await;
        let store = Store::open(&places, NOW).unwrap();
        let copy = store.back_up(&places, NOW).await.unwrap();
        drop(store);
        harm(&places.database());
        let before = fs::read(places.database()).unwrap();
        let backup = Some(copy.display().to_string());
        let refused = Store::open(&places, NOW).err();
        assert_eq!(refused, Some(Error::DatabaseDamaged { path: path(&places), backup }));
        assert_eq!(fs::read(places.database()).unwrap(), before);

        stage(&places, &copy).unwrap();
        assert_eq!(texts(&Store::open(&places, NOW).unwrap()).await, ["keep me"]);
    }
}

fn cut(file: &Path, length: u64) {
    fs::File::options().write(true).open(file).unwrap().set_len(length).unwrap();
}

#[tokio::test]
async fn a_second_program_is_told_that_the_database_is_locked() {
    let given = a_session().await;
    let refused = Store::open(&given.places, NOW).err();
    assert_eq!(refused, Some(Error::DatabaseLocked { path: path(&given.places) }));
    drop(given.store);
    let foreign = Connection::open(given.places.database()).unwrap();
    foreign.pragma_update(None, "locking_mode", "EXCLUSIVE").unwrap();
    foreign.execute_batch("BEGIN EXCLUSIVE; COMMIT").unwrap();
    let refused = Store::open(&given.places, NOW).err();
    assert_eq!(refused, Some(Error::DatabaseLocked { path: path(&given.places) }));
    drop(foreign);
    assert!(Store::open(&given.places, NOW).is_ok());
}

/// A process whose files may not grow past 2 MB meets what a full disk is.
#[cfg(unix)]
#[tokio::test]
async fn on_a_full_disk_a_message_is_refused_and_those_before_it_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let child = again::command("faults::writes_until_the_disk_is_full", folder.path());
    let words = child.get_args().map(|word| word.to_str().unwrap()).collect::<Vec<_>>();
    let line = format!(
        "trap '' XFSZ; ulimit -f 4000; exec {} {}",
        child.get_program().display(),
        words.join(" ")
    );
    let ended = Command::new("sh").args(["-c", &line]).env(again::FOLDER, folder.path()).output();
    let said = String::from_utf8(ended.unwrap().stdout).unwrap();
    let kept: usize = said.split_once("kept ").unwrap().1.lines().next().unwrap().parse().unwrap();
    let store = Store::open(&Places::in_one(folder.path()), NOW).unwrap();
    store.check().await.unwrap();
    let texts = texts(&store).await;
    assert!(texts.len() >= kept && kept > 3, "{kept} of {}", texts.len());
}

#[tokio::test]
#[ignore = "the test above runs it, on a disk that is soon full"]
async fn writes_until_the_disk_is_full() {
    let places = Places::in_one(&again::folder());
    let store = Store::open(&places, NOW).unwrap();
    let session = store.create_session(NewSession::default()).await.unwrap();
    for kept in 0.. {
        let words = format!("{kept} {}", "all work and no play ".repeat(200));
        match store.append_message(session.current_thread, said(Role::User, &words)).await {
            Ok(_) => {}
            Err(error) => {
                assert_eq!(error, Error::DiskFull { path: path(&places) });
                assert_eq!(texts(&store).await.len(), kept);
                println!("kept {kept}");
                return;
            }
        }
    }
}

/// A page that nothing reads before it is asked for, of a file that is too large to be looked through
/// as it is opened. Most of it is a hole.
fn damage_a_large_database(places: &Places) {
    let raw = Connection::open(places.database()).unwrap();
    let page = |sql: &str| raw.query_row(sql, [], |row| row.get::<_, u32>(0)).unwrap();
    let size = page("SELECT page_size FROM pragma_page_size");
    let hosts = page("SELECT rootpage FROM sqlite_schema WHERE name = 'hosts'");
    drop(raw);
    let mut file = fs::File::options().write(true).open(places.database()).unwrap();
    file.seek(SeekFrom::Start(u64::from((hosts - 1) * size))).unwrap();
    file.write_all(&vec![0xff; usize::try_from(size).unwrap()]).unwrap();
    file.set_len(257 << 20).unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_large_database_is_looked_through_once_it_is_open_and_its_copies_stay_where_it_is_damaged()
 {
    let (_folder, places) = closed_with_a_message().await;
    damage_a_large_database(&places);
    fs::create_dir_all(places.backups()).unwrap();
    for year in 2020..2025 {
        fs::write(places.backups().join(format!("skein-v0-{year}0101T000000Z.db")), "").unwrap();
    }
    fs::write(places.config.join("settings.json"), r#"{"catalogueRefresh":false}"#).unwrap();
    let app = App::open(places.clone()).unwrap();
    let view = loop {
        let view = app.places().await.unwrap();
        if view.damage.is_some() {
            break view;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    };
    let backup = Some(view.backups[0].path.clone());
    assert_eq!(view.damage, Some(Error::DatabaseDamaged { path: path(&places), backup }));
    assert_eq!(view.backups.len(), 5);
}
