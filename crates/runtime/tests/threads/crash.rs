//! The program is really killed between the steps of an archive and of a clear, many times: what is
//! found afterwards is the old state or the new, and every word of the person.

use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};
use skein_context::message::{Message, MessageKind, Notice, Origin};
use skein_context::session::{Beginning, Thread};
use skein_runtime::store::{AutomaticEvent, Store};

use crate::given::{Model, Say, deaf, message, open, settings, store_of};

/// Names the folder that the other process works in, and its strategy.
const FOLDER: &str = "SKEIN_TEST_THREADS_IN";
const STRATEGY: &str = "SKEIN_TEST_STRATEGY";

const KILLS: u64 = 12;

#[tokio::test(flavor = "multi_thread")]
async fn p04_killed_at_any_moment_of_an_archive_it_is_old_or_new_and_the_file_whole_or_absent() {
    killed_many_times("archive").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn d15_killed_at_any_moment_of_a_clear_it_is_old_or_new_and_never_half() {
    killed_many_times("remind").await;
}

async fn killed_many_times(strategy: &str) {
    let folder = tempfile::tempdir().unwrap();
    let mut sent = Vec::new();
    let mut seed = 3;
    let mut threads = 0;
    for _ in 0..KILLS {
        sent.extend(killed_after(folder.path(), strategy, random(&mut seed) % 400));
        let store = store_of(folder.path());
        store.check().await.unwrap();
        threads = is_whole(&store, folder.path(), &sent).await;
    }
    assert!(threads > 6, "it hardly came to work: {threads} threads");
}

/// Lets a program talk for a while after its first turn, kills it, and returns what it had surely sent.
fn killed_after(folder: &Path, strategy: &str, milliseconds: u64) -> Vec<String> {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--ignored", "--exact", "--nocapture", "crash::talks_until_it_is_killed"])
        .env(FOLDER, folder)
        .env(STRATEGY, strategy)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut out = BufReader::new(child.stdout.take().unwrap());
    let mut first = String::new();
    while !first.starts_with("sent ") {
        first.clear();
        assert!(out.read_line(&mut first).unwrap() > 0, "it ended by itself");
    }
    let reader = std::thread::spawn(move || {
        let mut rest = String::new();
        out.read_to_string(&mut rest).unwrap();
        rest
    });
    std::thread::sleep(Duration::from_millis(milliseconds));
    child.kill().unwrap();
    child.wait().unwrap();
    let said = first + &reader.join().unwrap();
    // The last line may be cut.
    let whole = said.rsplit_once('\n').map_or("", |(whole, _)| whole);
    whole.lines().filter_map(|line| line.strip_prefix("sent ")).map(str::to_owned).collect()
}

/// Checks everything, and counts the threads.
async fn is_whole(store: &Store, folder: &Path, sent: &[String]) -> usize {
    let mut said = Vec::new();
    let session = store.sessions().await.unwrap().remove(0);
    let threads = store.threads(session.id).await.unwrap();
    assert_eq!(threads.iter().filter(|thread| thread.ended_at.is_none()).count(), 1);
    let packages = store.reminders(session.id).await.unwrap().len();
    let cleared = threads.iter().filter(|thread| is_cleared(thread)).count();
    assert_eq!(packages, cleared, "a package comes with its clear");
    for thread in &threads {
        let messages = store.all_messages(thread.id).await.unwrap();
        let path = store.path_after(thread.id, None).await.unwrap();
        begins_as_it_says(store, folder, thread, path.first()).await;
        let persons = messages.iter().filter(|message| message.origin == Origin::Person);
        said.extend(persons.map(Message::text));
    }
    for text in sent {
        assert_eq!(said.iter().filter(|other| *other == text).count(), 1, "{text}");
    }
    if let Ok(files) = std::fs::read_dir(folder.join("archive")) {
        for file in files.map(|file| file.unwrap().path()) {
            if file.extension().is_some_and(|extension| extension == "json") {
                serde_json::from_slice::<Value>(&std::fs::read(file).unwrap()).unwrap();
            }
        }
    }
    threads.len()
}

fn is_cleared(thread: &Thread) -> bool {
    matches!(thread.beginning, Beginning::Cleared { .. })
}

/// A thread that was begun by itself has its notice and its line in the log; an archive its file.
async fn begins_as_it_says(store: &Store, folder: &Path, thread: &Thread, first: Option<&Message>) {
    let log = store.automatic_log(thread.id).await.unwrap();
    let notice = first.map(|message| &message.kind);
    match &thread.beginning {
        Beginning::First {} | Beginning::Person {} => {}
        Beginning::Archived { file, .. } => {
            let logged = |entry: &AutomaticEvent| matches!(entry, AutomaticEvent::Archived { .. });
            assert!(log.iter().any(|entry| logged(&entry.event)));
            assert!(matches!(
                notice,
                Some(MessageKind::Notice { notice: Notice::Archived { .. } })
            ));
            assert!(folder.join("archive").join(file).exists());
        }
        Beginning::Cleared { .. } => {
            let logged = |entry: &AutomaticEvent| matches!(entry, AutomaticEvent::Cleared { .. });
            assert!(log.iter().any(|entry| logged(&entry.event)));
            assert!(matches!(notice, Some(MessageKind::Notice { notice: Notice::Cleared { .. } })));
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "the tests above run it, and kill it"]
async fn talks_until_it_is_killed() {
    let folder = std::path::PathBuf::from(std::env::var_os(FOLDER).expect("another test runs it"));
    let strategy = std::env::var(STRATEGY).unwrap();
    let model = Model::start();
    // There is room for one message beside what is always sent: the next archives it.
    let window = if strategy == "archive" { 6_000 } else { 100_000 };
    let settings = settings(&model.url(), &strategy, window).to_string();
    std::fs::write(folder.join("settings.json"), settings).unwrap();
    let clears =
        Say::words("Clearing.").and("clear_mind", json!({ "reminder_content": "go on" })).at(1_000);
    let turn = match strategy.as_str() {
        "archive" => vec![Say::words("Said.")],
        _ => vec![clears, Say::words("Cleared.")],
    };
    model.says(turn.into_iter().cycle().take(2_000));
    let app = open(&folder).await;
    let session = match app.sessions().await.unwrap().first() {
        Some(session) => session.id,
        None => app.create_session().await.unwrap(),
    };
    for turn in 0_u32.. {
        let text = format!("{} {turn} {}", std::process::id(), "long and longer ".repeat(700));
        if app.send(session, message(&text), deaf()).await.is_ok() {
            println!("sent {text}");
        }
    }
}

/// Where it is killed is different each time, and the same in each run of the test.
fn random(seed: &mut u64) -> u64 {
    *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    *seed >> 33
}
