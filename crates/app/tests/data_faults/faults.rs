//! Bad files and bad disks: each has its word, and nothing is lost by it.

use std::fs;
use std::io::{Seek, SeekFrom, Write};
use std::path::Path;
use std::process::Command;
use std::time::{Duration, SystemTime};

use rusqlite::Connection;
use skein_app::app::App;
use skein_app::events::Topic;
use skein_app::settings::Settings;
use skein_app::view::DataLocations;
use skein_domain::error::Error;
use skein_domain::ids::SessionId;
use skein_domain::message::{ContentPart, Message, MessageState, Role, ToolCall, ToolState};
use skein_platform::paths::AppPaths;
use skein_store::{
    BackupContent, BackupReason, NewMessage, NewSession, Store, backups, inspect_backup,
    prune_backups, reset_database, stage_restore,
};

use crate::scenario::{NOW, Scenario, a_session, growing, old_database, open, said};
use crate::subprocess;

async fn closed_with_a_message() -> (tempfile::TempDir, AppPaths) {
    let given = a_session().await;
    given.says(Role::User, "keep me").await;
    let Scenario { store, folder, places, .. } = given;
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

fn path(places: &AppPaths) -> String {
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
    assert_eq!(inspect_backup(&places, Path::new(&copy.path)), Ok(content));
    stage_restore(&places, Path::new(&copy.path)).unwrap();
    assert_eq!(texts(&Store::open(&places, NOW).unwrap()).await, ["an old message"]);
    let replaced = backups(&places).into_iter().find(|it| it.reason == BackupReason::Replaced);
    stage_restore(&places, Path::new(&replaced.unwrap().path)).unwrap();
    let store = Store::open(&places, NOW + 1).unwrap();
    assert_eq!(texts(&store).await, ["an old message", "later"]);
}

#[tokio::test]
async fn what_was_said_last_is_restored_from_the_log_of_a_database_that_was_not_closed() {
    let given = a_session().await;
    given.says(Role::User, "in the log alone").await;
    let (_other, places) = closed_with_a_message().await;
    stage_restore(&places, &given.places.database()).unwrap();
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
        let refused = stage_restore(&places, &file);
        assert!(matches!(refused, Err(Error::BadFile { .. })), "{}: {refused:?}", file.display());
    }
    let newer = folder.path().join("newer.db");
    fs::copy(places.database(), &newer).unwrap();
    Connection::open(&newer).unwrap().pragma_update(None, "user_version", 99).unwrap();
    let path = newer.display().to_string();
    let error = Error::DatabaseNewer { path, found: 99, known: known() };
    assert_eq!(stage_restore(&places, &newer), Err(error));

    assert_eq!(texts(&Store::open(&places, NOW).unwrap()).await, ["keep me"]);
    assert_eq!(backups(&places), []);
    let left = fs::read_dir(folder.path()).unwrap().map(|it| it.unwrap().file_name());
    assert!(!left.into_iter().any(|name| name.to_str().unwrap().contains("restore")));
}

#[tokio::test]
async fn a_copy_that_is_asked_about_twice_at_once_is_whole_both_times() {
    let (_folder, places) = closed_with_a_message().await;
    let copy = Store::open(&places, NOW).unwrap().back_up(&places, NOW).await.unwrap();
    let looked: Vec<_> = std::thread::scope(|scope| {
        let looks = (0..8)
            .map(|_| scope.spawn(|| (0..8).map(|_| inspect_backup(&places, &copy)).collect()));
        let looks: Vec<_> = looks.collect();
        looks.into_iter().flat_map(|look| -> Vec<_> { look.join().unwrap() }).collect()
    });
    assert!(looked.iter().all(|it| it.as_ref().is_ok_and(|it| it.messages == 1)), "{looked:?}");
}

#[tokio::test]
async fn beginning_anew_keeps_what_was_there_as_a_copy() {
    let (_folder, places) = closed_with_a_message().await;
    reset_database(&places, NOW).unwrap();
    let store = Store::open(&places, NOW).unwrap();
    assert_eq!(texts(&store).await, Vec::<String>::new());
    drop(store);
    stage_restore(&places, Path::new(&backups(&places)[0].path)).unwrap();
    assert_eq!(texts(&Store::open(&places, NOW + 1).unwrap()).await, ["keep me"]);
}

#[tokio::test]
async fn what_is_set_aside_after_a_kill_is_one_file_with_all_that_was_said() {
    let running = a_session().await;
    running.says(Role::User, "in the log alone").await;
    // A killed program leaves the database, and its log beside it.
    let (_folder, places) = closed_with_a_message().await;
    for suffix in ["", "-wal"] {
        let file = |places: &AppPaths| format!("{}{suffix}", path(places));
        fs::copy(file(&running.places), file(&places)).unwrap();
    }
    reset_database(&places, NOW).unwrap();
    let kept: Vec<_> = fs::read_dir(places.backups()).unwrap().collect();
    assert_eq!(kept.len(), 1, "{kept:?}");
    stage_restore(&places, Path::new(&backups(&places)[0].path)).unwrap();
    assert_eq!(texts(&Store::open(&places, NOW + 1).unwrap()).await, ["in the log alone"]);
}

fn known() -> u32 {
    u32::try_from(fs::read_dir("../../migrations").unwrap().count()).unwrap()
}

fn names(places: &AppPaths) -> Vec<String> {
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
    // Files that a user copied there or renamed.
    for name in ["mine.db", "skein.db", "skein-v0-20200101T000000Z copy.db", "mine-7-daily.db"] {
        let file = fs::File::create(places.backups().join(name)).unwrap();
        file.set_modified(SystemTime::UNIX_EPOCH).unwrap();
    }
    let store = Store::open(&places, NOW).unwrap();
    store.back_up(&places, NOW).await.unwrap();
    prune_backups(&places);
    let of = |reason| backups(&places).iter().filter(|copy| copy.reason == reason).count();
    assert_eq!((of(BackupReason::Update), of(BackupReason::Person)), (3, 10));
    assert!(names(&places).contains(&"skein-v1-20270115T080000Z.db".to_owned()));
    assert_eq!(fs::read_dir(places.backups()).unwrap().count(), 13);
}

const HOUR: i64 = 60 * 60 * 1_000;

/// Copies the database as the program does by itself at this time, which the file is then of.
async fn of_the_day(given: &Scenario, now: i64) -> Option<String> {
    let made = given.store.back_up_daily(&given.places, now).await.unwrap()?;
    let at = SystemTime::UNIX_EPOCH + Duration::from_millis(u64::try_from(now).unwrap());
    fs::File::options().write(true).open(&made).unwrap().set_modified(at).unwrap();
    Some(made.file_name().unwrap().to_str().unwrap().to_owned())
}

#[tokio::test]
async fn a_day_brings_a_copy_where_something_was_written_and_the_last_seven_stay() {
    let given = a_session().await;
    assert_eq!(of_the_day(&given, NOW).await, None, "nobody has said anything");
    given.says(Role::User, "day 0").await;
    let first = of_the_day(&given, NOW).await.unwrap();
    assert!(first.ends_with("-20270115T080000Z-0001-daily.db"), "{first}");
    given.says(Role::User, "the same day").await;
    assert_eq!(of_the_day(&given, NOW + 23 * HOUR).await, None);
    assert!(of_the_day(&given, NOW + 24 * HOUR).await.is_some());
    assert_eq!(of_the_day(&given, NOW + 48 * HOUR).await, None, "nothing was written since");

    for day in 3..11 {
        given.says(Role::User, &format!("day {day}")).await;
        of_the_day(&given, NOW + day * 24 * HOUR).await.unwrap();
    }
    given.store.back_up(&given.places, NOW).await.unwrap();
    prune_backups(&given.places);
    let copies = backups(&given.places);
    let of = |reason| copies.iter().filter(|copy| copy.reason == reason).count();
    assert_eq!((of(BackupReason::Daily), of(BackupReason::Person)), (7, 1));
    let newest = copies.iter().find(|it| it.reason == BackupReason::Daily).unwrap();
    let content = inspect_backup(&given.places, Path::new(&newest.path)).unwrap();
    assert_eq!(content.messages, 10);
}

#[tokio::test]
async fn what_another_program_wrote_or_did_not_is_known_by_the_copies_alone() {
    let mut given = a_session().await;
    given.says(Role::User, "said before").await;
    of_the_day(&given, NOW).await.unwrap();
    for day in [2, 3] {
        drop(given.store);
        given.store = open(given.folder.path());
        assert_eq!(of_the_day(&given, NOW + day * 24 * HOUR).await, None);
    }
    let left = fs::read_dir(given.places.backups()).unwrap().count();
    assert_eq!(left, 1, "no half copy");
    given.says(Role::User, "said since").await;
    assert!(of_the_day(&given, NOW + 4 * 24 * HOUR).await.is_some());
}

#[tokio::test]
async fn a_clock_that_is_set_back_neither_stops_the_daily_copies_nor_piles_them_up() {
    let given = a_session().await;
    for day in 0..7 {
        given.says(Role::User, &format!("a year ahead, day {day}")).await;
        of_the_day(&given, NOW + (365 + day) * 24 * HOUR).await.unwrap();
    }
    for hour in 0..30 {
        given.says(Role::User, "said on time").await;
        let made = of_the_day(&given, NOW + hour * HOUR).await;
        assert_eq!(made.is_some(), hour % 24 == 0, "hour {hour}: {made:?}");
        prune_backups(&given.places);
    }
    let on_time = backups(&given.places).into_iter().filter(|it| it.at <= NOW + 30 * HOUR).count();
    assert_eq!((backups(&given.places).len(), on_time), (7, 2));
}

#[tokio::test]
async fn a_daily_copy_that_cannot_be_made_leaves_nothing_and_is_made_when_it_can() {
    let given = a_session().await;
    given.says(Role::User, "keep me").await;
    fs::write(given.places.backups(), "in the way").unwrap();
    let refused = given.store.back_up_daily(&given.places, NOW).await;
    assert!(matches!(refused, Err(Error::Storage { .. })), "{refused:?}");
    fs::remove_file(given.places.backups()).unwrap();
    assert!(of_the_day(&given, NOW).await.is_some());

    // The incomplete files of a killed program are no backups and are removed.
    let Scenario { store, places, folder, .. } = given;
    for name in ["unfinished", "unfinished-journal"] {
        fs::write(places.backups().join(name), "half").unwrap();
    }
    drop(store);
    let _store = open(folder.path());
    assert_eq!(fs::read_dir(places.backups()).unwrap().count(), 1);
}

#[tokio::test]
async fn a_database_that_is_not_whole_is_not_copied_by_itself() {
    let (_folder, places) = closed_with_a_message().await;
    damage_a_large_database(&places);
    let store = Store::open(&places, NOW).unwrap();
    let refused = store.back_up_daily(&places, NOW).await;
    assert!(matches!(refused, Err(Error::BadFile { .. })), "{refused:?}");
    assert_eq!(fs::read_dir(places.backups()).unwrap().count(), 0);
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

        stage_restore(&places, &copy).unwrap();
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
#[cfg_attr(windows, ignore = "Windows limits no process to a size of files")]
#[tokio::test]
async fn on_a_full_disk_a_message_is_refused_and_those_before_it_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let child = subprocess::command("faults::writes_until_the_disk_is_full", folder.path());
    let words = child.get_args().map(|word| word.to_str().unwrap()).collect::<Vec<_>>();
    let line = format!(
        "trap '' XFSZ; ulimit -f 4000; exec {} {}",
        child.get_program().display(),
        words.join(" ")
    );
    let ended =
        Command::new("sh").args(["-c", &line]).env(subprocess::FOLDER, folder.path()).output();
    let said = String::from_utf8(ended.unwrap().stdout).unwrap();
    let kept: usize = said.split_once("kept ").unwrap().1.lines().next().unwrap().parse().unwrap();
    let store = Store::open(&AppPaths::in_folder(folder.path()), NOW).unwrap();
    store.check_integrity().await.unwrap();
    let texts = texts(&store).await;
    assert!(texts.len() >= kept && kept > 3, "{kept} of {}", texts.len());
}

#[tokio::test]
#[ignore = "the test above runs it, on a disk that is soon full"]
async fn writes_until_the_disk_is_full() {
    let places = AppPaths::in_folder(&subprocess::folder());
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

#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_disk_that_fails_is_called_so_also_where_only_a_sync_fails_and_a_full_one_is_called_full()
{
    let folder = tempfile::tempdir().unwrap();
    let ended = subprocess::command("faults::meets_every_fault_of_a_disk", folder.path())
        .env(faulty_disk::FOLDER, folder.path())
        .env("LD_PRELOAD", faulty_disk::LIBRARY)
        .output()
        .unwrap();
    assert!(ended.status.success(), "{}", String::from_utf8_lossy(&ended.stdout));
}

#[cfg(target_os = "linux")]
#[tokio::test]
#[ignore = "the test above runs it, on a disk that is full and fails"]
async fn meets_every_fault_of_a_disk() {
    use faulty_disk::Fault;

    let folder = subprocess::folder();
    let places = AppPaths::in_folder(&folder);
    let store = Store::open(&places, NOW).unwrap();
    let session = store.create_session(NewSession::default()).await.unwrap();
    let [full, failing] = {
        let path = path(&places);
        [Error::DiskFull { path: path.clone() }, Error::DiskFailing { path }]
    };
    let faults =
        [(Fault::Full, full), (Fault::Failing, failing.clone()), (Fault::Unsynced, failing)];
    for (fault, error) in faults {
        faulty_disk::set(&folder, Some(fault));
        let refused = store.append_message(session.current_thread, said(Role::User, "lost")).await;
        assert_eq!(refused.err(), Some(error), "{fault:?}");
        faulty_disk::set(&folder, None);
    }
    store.append_message(session.current_thread, said(Role::User, "kept")).await.unwrap();
    assert_eq!(texts(&store).await, ["kept"]);
}

/// A page that nothing reads before it is asked for, of a file that is too large to be looked through
/// as it is opened. Most of it is a hole.
fn damage_a_large_database(places: &AppPaths) {
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
        let view = app.maintenance.data_locations().await.unwrap();
        if view.damage.is_some() {
            break view;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    };
    let backup = Some(view.backups[0].path.clone());
    assert_eq!(view.damage, Some(Error::DatabaseDamaged { path: path(&places), backup }));
    assert_eq!(view.backups.len(), 5);
}

/// Sessions that were deleted so many days before the message that was written last, which is a hundred days
/// old.
async fn deleted_before_it(places: &AppPaths, days: &[i64]) -> Vec<SessionId> {
    let store = Store::open(places, NOW).unwrap();
    let mut ids = Vec::new();
    for _ in days {
        ids.push(store.create_session(NewSession::default()).await.unwrap().id);
    }
    drop(store);
    let raw = Connection::open(places.database()).unwrap();
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap().as_millis();
    let last = i64::try_from(now).unwrap() - 100 * 24 * HOUR;
    raw.execute("UPDATE messages SET created_at = ?1", [last]).unwrap();
    for (id, days) in ids.iter().zip(days) {
        let sql = "UPDATE sessions SET deleted_at = ?2 WHERE id = ?1";
        raw.execute(sql, [id.0, last - days * 24 * HOUR]).unwrap();
    }
    ids
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_deleted_goes_after_a_month_in_which_somebody_wrote_and_after_the_days_copy() {
    let (_folder, places) = closed_with_a_message().await;
    let ids = deleted_before_it(&places, &[31, 29, -99]).await;
    fs::write(places.config.join("settings.json"), r#"{"catalogueRefresh":false}"#).unwrap();
    let app = App::open(places.clone()).unwrap();
    let kept = loop {
        let kept: Vec<_> =
            app.store.deleted_sessions().await.unwrap().into_iter().map(|it| it.id).collect();
        if kept.len() < ids.len() {
            break kept;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    };
    assert_eq!(kept, [ids[2], ids[1]], "a clock that is ahead lets no month pass");
    let copy = backups(&places).into_iter().next().expect("the copy was made before");
    let copy = Connection::open(copy.path).unwrap();
    let gone = "SELECT count(*) FROM sessions WHERE deleted_at IS NOT NULL";
    assert_eq!(copy.query_row(gone, [], |row| row.get::<_, u32>(0)).unwrap(), 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_database_that_is_damaged_loses_nothing_of_what_was_deleted() {
    let (_folder, places) = closed_with_a_message().await;
    let ids = deleted_before_it(&places, &[31]).await;
    damage_a_large_database(&places);
    fs::write(places.config.join("settings.json"), r#"{"catalogueRefresh":false}"#).unwrap();
    let app = App::open(places.clone()).unwrap();
    until(&app, |view| view.damage.is_some()).await;
    // The background work has had enough time.
    tokio::time::sleep(Duration::from_millis(300)).await;
    let kept = app.store.deleted_sessions().await.unwrap();
    assert_eq!(kept.into_iter().map(|it| it.id).collect::<Vec<_>>(), ids);
}

async fn until(app: &App, is: impl Fn(&DataLocations) -> bool) -> DataLocations {
    for _ in 0..1_000 {
        let view = app.maintenance.data_locations().await.unwrap();
        if is(&view) {
            return view;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("never: {:?}", app.maintenance.data_locations().await.unwrap());
}

#[tokio::test(flavor = "multi_thread")]
async fn the_program_copies_by_itself_unless_told_not_to_and_says_what_is_in_the_way() {
    let (_folder, places) = closed_with_a_message().await;
    let settings = |daily: bool| {
        let text = format!(r#"{{"catalogueRefresh":false,"dailyBackup":{daily}}}"#);
        fs::write(places.config.join("settings.json"), text).unwrap();
    };
    let want = async |app: &App, daily_backup| {
        let settings = app.settings.view().await.unwrap().settings;
        let changed = Settings { daily_backup, ..settings.clone() };
        app.settings.save(settings, changed).await.unwrap();
    };
    settings(false);
    fs::write(places.backups(), "in the way").unwrap();
    let app = App::open(places.clone()).unwrap();
    want(&app, true).await;
    let fault = until(&app, |view| view.uncopied.is_some()).await;
    assert_eq!(fault.backups, []);

    want(&app, false).await;
    until(&app, |view| view.uncopied.is_none()).await;
    fs::remove_file(places.backups()).unwrap();
    let mut changes = app.changes();
    want(&app, true).await;
    let view = until(&app, |view| !view.backups.is_empty()).await;
    assert_eq!(view.backups[0].reason, BackupReason::Daily);
    while changes.recv().await.unwrap().topics != [Topic::Data {}] {}
}

#[cfg_attr(windows, ignore = "Windows lets nobody move a database that is open")]
#[tokio::test]
async fn a_database_that_is_moved_while_it_is_open_is_noticed_at_the_next_write_and_all_of_it_can_be_saved()
 {
    let given = a_session().await;
    given.says(Role::User, "keep me").await;
    let away = given.folder.path().join("away.db");
    for replaced in [false, true] {
        fs::rename(given.places.database(), &away).unwrap();
        if replaced {
            fs::write(given.places.database(), "another file").unwrap();
        }
        assert_eq!(given.store.moved_error(), None, "nothing was written yet");
        let session = given.session.current_thread;
        let refused = given.store.append_message(session, said(Role::User, "lost")).await;
        let moved = Error::DatabaseMoved { path: path(&given.places) };
        assert_eq!(refused.err(), Some(moved.clone()));
        assert_eq!(given.store.moved_error(), Some(moved));

        let elsewhere = tempfile::tempdir().unwrap();
        let copy = AppPaths::in_folder(elsewhere.path());
        given.store.copy_to(copy.database()).await.unwrap();
        assert_eq!(texts(&Store::open(&copy, NOW).unwrap()).await, ["keep me"]);
        assert_eq!(texts(&given.store).await, ["keep me"], "it can still be read");

        fs::rename(&away, given.places.database()).unwrap();
        given.store.rename_session(given.session.id, Some("back".into())).await.unwrap();
        assert_eq!(given.store.moved_error(), None);
    }
}

/// The store does not look for a moved database on Windows.
#[cfg(windows)]
#[tokio::test]
async fn a_database_that_is_open_can_be_neither_moved_nor_deleted() {
    let given = a_session().await;
    let database = given.places.database();
    assert!(fs::rename(&database, given.folder.path().join("away.db")).is_err());
    assert!(fs::remove_file(&database).is_err());
    given.says(Role::User, "keep me").await;
    assert_eq!(texts(&given.store).await, ["keep me"]);
}

#[tokio::test]
async fn a_session_whose_reply_was_cut_off_with_the_program_is_marked_until_it_is_opened() {
    let given = a_session().await;
    given.says(Role::User, "Go on.").await;
    given.store.append_message(given.thread(), growing()).await.unwrap();
    let Scenario { store, session, folder, .. } = given;
    drop(store);
    for _ in 0..2 {
        let store = open(folder.path());
        let mark = store.session_read_states().await.unwrap().remove(&session.id).unwrap();
        assert_eq!((mark.unread, mark.leaf), (true, Some(MessageState::Interrupted {})));
    }
    let store = open(folder.path());
    store.mark_opened(session.id).await.unwrap();
    assert!(!store.session_read_states().await.unwrap()[&session.id].unread);
}

#[tokio::test]
async fn a_session_whose_call_was_cut_off_with_the_program_is_marked() {
    let given = a_session().await;
    let call = ToolCall {
        call_id: "c".into(),
        name: "read".into(),
        args: "{}".into(),
        signature: None,
        state: ToolState::Running { started_at: NOW },
    };
    let parts = vec![ContentPart::Tool { call }];
    let reply = NewMessage { parts, ..said(Role::Assistant, "") };
    given.store.append_message(given.thread(), reply).await.unwrap();
    let Scenario { store, session, folder, .. } = given;
    drop(store);
    assert!(open(folder.path()).session_read_states().await.unwrap()[&session.id].unread);
}
