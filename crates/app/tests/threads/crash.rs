//! The program is really killed after each step of an archive and of a clear. What is found afterwards is
//! the old state or the new, whole, with every word of the person and a file that is complete or absent.

use std::io::{Stdout, Write, stdout};
use std::path::Path;
use std::process::Command;
use std::sync::Mutex;
use std::time::Duration;

use scripted_server::until;
use serde_json::{Value, json};
use skein_app::turn::turn_start::TurnStart;
use skein_app::view::TranscriptPosition;
use skein_domain::ids::ProviderId;
use skein_domain::message::{Message, MessageKind, Notice, Origin};
use skein_domain::model::ModelRef;
use skein_domain::session::{Thread, ThreadStart};
use skein_platform::crash_points::CrashPoint;
use skein_store::{AutomaticEvent, Store};
use tracing::field::{Field, Visit};
use tracing::span;

use crate::scenario::{Model, Say, deaf, message, open, settings, store_of};

/// Name the folder that the other process works in, its strategy, and the step after which it dies.
const FOLDER: &str = "SKEIN_TEST_THREADS_IN";
const STRATEGY: &str = "SKEIN_TEST_STRATEGY";
const DIES_AFTER: &str = "SKEIN_TEST_DIES_AFTER";

#[tokio::test(flavor = "multi_thread")]
async fn p04_killed_after_each_step_of_an_archive_it_is_old_or_new_and_the_file_whole_or_absent() {
    killed_after_each("archive", &CrashPoint::ARCHIVE).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn d15_killed_after_each_step_of_a_clear_it_is_old_or_new_and_never_half() {
    killed_after_each("remind", &CrashPoint::CLEAR).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_before_another_answer_is_begun_the_former_one_and_all_after_it_are_still_shown() {
    let folder = tempfile::tempdir().unwrap();
    let ran = Command::new(std::env::current_exe().unwrap())
        .args(["--ignored", "--exact", "crash::makes_room_for_another_answer_until_it_dies"])
        .env(FOLDER, folder.path())
        .output()
        .unwrap();
    assert!(!ran.status.success(), "{ran:?}");
    let app = open(folder.path()).await;
    let session = app.sessions.list().await.unwrap()[0].id;
    let thread = app.sessions.get(session).await.unwrap().session.current_thread;
    let page = app.messages.transcript(thread, TranscriptPosition::End {}, 500).await.unwrap();
    let said = page.items.iter().map(|item| first_word(&item.message.text()));
    let expected = ["0", "Said.", "1", "Said.", "2", "Said.", "3", "Said.", "4", "Said."];
    assert_eq!(said.collect::<Vec<_>>(), expected);
}

/// Kills one program after each step; each begins in a folder of its own and is gone on with.
async fn killed_after_each(strategy: &str, steps: &[CrashPoint]) {
    assert_eq!(steps_of(tempfile::tempdir().unwrap().path(), strategy, None), named(steps));
    for (at, step) in steps.iter().enumerate() {
        let folder = tempfile::tempdir().unwrap();
        let done = steps_of(folder.path(), strategy, Some(*step));
        assert_eq!(done, named(&steps[..=at]), "it died after {step:?}");

        let store = store_of(folder.path());
        store.check_integrity().await.unwrap();
        let threads = threads(&store).await;
        let moved = *step == CrashPoint::Settled;
        assert_eq!(threads.len(), if moved { 2 } else { 1 }, "after {step:?}");
        is_whole(&store, folder.path(), &threads, ["first", "second"]).await;
        let file = strategy == "archive"
            && position(steps, *step) >= position(steps, CrashPoint::FileNamed);
        assert_eq!(archives(folder.path()).len(), usize::from(file), "after {step:?}");
        drop(store);

        goes_on(folder.path(), strategy).await;
        let (files, whole) = (everything_in_archive(folder.path()), archives(folder.path()));
        assert_eq!(files, whole, "nothing half written stays after {step:?}");
    }
}

fn named(steps: &[CrashPoint]) -> Vec<String> {
    steps.iter().map(|step| format!("{step:?}")).collect()
}

fn position(steps: &[CrashPoint], step: CrashPoint) -> Option<usize> {
    steps.iter().position(|it| *it == step)
}

/// Runs a program that archives or clears, and returns the steps it came through.
fn steps_of(folder: &Path, strategy: &str, dies_after: Option<CrashPoint>) -> Vec<String> {
    let ran = Command::new(std::env::current_exe().unwrap())
        .args(["--ignored", "--exact", "--nocapture", "crash::archives_or_clears_until_it_dies"])
        .env(FOLDER, folder)
        .env(STRATEGY, strategy)
        .env(DIES_AFTER, dies_after.map_or(String::new(), |step| format!("{step:?}")))
        .output()
        .unwrap();
    assert_eq!(ran.status.success(), dies_after.is_none(), "{ran:?}");
    let said = String::from_utf8(ran.stdout).unwrap();
    said.lines().filter_map(|line| line.strip_prefix("step ")).map(str::to_owned).collect()
}

async fn threads(store: &Store) -> Vec<Thread> {
    let session = store.sessions().await.unwrap().remove(0);
    store.threads(session.id).await.unwrap()
}

/// Checks that each message of the user is stored once, on the path of its thread, and that an automatically
/// begun thread is complete.
async fn is_whole(store: &Store, folder: &Path, threads: &[Thread], sent: [&str; 2]) {
    let mut said = Vec::new();
    assert_eq!(threads.iter().filter(|thread| thread.ended_at.is_none()).count(), 1);
    let cleared = threads.iter().filter(|it| matches!(it.beginning, ThreadStart::Cleared { .. }));
    let packages = store.reminders(threads[0].session_id).await.unwrap().len();
    assert_eq!(packages, cleared.count(), "a package comes with its clear");
    for thread in threads.iter().rev() {
        let path = store.path_after(thread.id, None).await.unwrap();
        begins_as_it_says(store, folder, thread, path.first()).await;
        let persons = path.iter().filter(|message| message.origin == Origin::Person);
        said.extend(persons.map(|message| first_word(&message.text())));
    }
    assert_eq!(said, sent);
    for file in archives(folder) {
        let archived: Value = serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap();
        let archived = &archived["conversation"]["threads"][0];
        let messages = archived["messages"].as_array().unwrap();
        let persons = messages.iter().filter(|message| message["origin"] == "person");
        let texts =
            persons.map(|message| first_word(message["parts"][0]["text"].as_str().unwrap()));
        assert_eq!(texts.collect::<Vec<_>>(), sent);
    }
}

fn first_word(text: &str) -> String {
    text.split(' ').next().unwrap().to_owned()
}

fn archives(folder: &Path) -> Vec<std::path::PathBuf> {
    let files = everything_in_archive(folder).into_iter();
    files.filter(|file| file.extension().is_some_and(|ending| ending == "json")).collect()
}

fn everything_in_archive(folder: &Path) -> Vec<std::path::PathBuf> {
    let Ok(files) = std::fs::read_dir(folder.join("archive")) else { return Vec::new() };
    files.map(|file| file.unwrap().path()).collect()
}

/// A thread that was begun by itself has its notice and its line in the log; an archive its file.
async fn begins_as_it_says(store: &Store, folder: &Path, thread: &Thread, first: Option<&Message>) {
    let log = store.activity_log(thread.id).await.unwrap();
    let notice = first.map(|message| &message.kind);
    match &thread.beginning {
        ThreadStart::First {} | ThreadStart::Person {} => {}
        ThreadStart::Archived { file, .. } => {
            let logged = |entry: &AutomaticEvent| matches!(entry, AutomaticEvent::Archived { .. });
            assert!(log.iter().any(|entry| logged(&entry.event)));
            assert!(matches!(
                notice,
                Some(MessageKind::Notice { notice: Notice::Archived { .. } })
            ));
            assert!(folder.join("archive").join(file).exists());
        }
        ThreadStart::Cleared { .. } => {
            let logged = |entry: &AutomaticEvent| matches!(entry, AutomaticEvent::Cleared { .. });
            assert!(log.iter().any(|entry| logged(&entry.event)));
            assert!(matches!(notice, Some(MessageKind::Notice { notice: Notice::Cleared { .. } })));
        }
    }
}

/// The program that starts next answers what is sent to it, and has not lost what was sent before.
async fn goes_on(folder: &Path, strategy: &str) {
    let model = Model::start();
    model.says([Say::words("Going on.")]);
    configure(folder, &model, strategy);
    let app = open(folder).await;
    let session = app.sessions.list().await.unwrap()[0].id;
    app.turns.run(session, message("third"), deaf()).await.unwrap();
    let mut said = Vec::new();
    for thread in app.sessions.get(session).await.unwrap().threads.iter().rev() {
        let page =
            app.messages.transcript(thread.id, TranscriptPosition::End {}, 500).await.unwrap();
        let messages = page.items.iter().map(|item| &item.message);
        let persons = messages.filter(|message| message.origin == Origin::Person);
        said.extend(persons.map(|message| first_word(&message.text())));
    }
    assert_eq!(said, ["first", "second", "third"]);
}

/// There is room for one long message beside what is always sent, and not for two.
fn configure(folder: &Path, model: &Model, strategy: &str) {
    let window = if strategy == "archive" { 6_000 } else { 100_000 };
    let settings = settings(&model.url(), strategy, window).to_string();
    std::fs::write(folder.join("settings.json"), settings).unwrap();
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "the tests above run it, and it dies"]
async fn archives_or_clears_until_it_dies() {
    let folder = std::path::PathBuf::from(std::env::var_os(FOLDER).expect("another test runs it"));
    let strategy = std::env::var(STRATEGY).unwrap();
    let model = Model::start();
    let clears =
        Say::words("Clearing.").and("clear_mind", json!({ "reminder_content": "go on" })).at(1_000);
    model.says(match strategy.as_str() {
        "archive" => vec![Say::words("Said.")],
        _ => vec![Say::words("Said."), clears, Say::words("Cleared.")],
    });
    configure(&folder, &model, &strategy);
    let app = open(&folder).await;
    let session = app.sessions.create().await.unwrap();
    let long = |word: &str| message(&format!("{word} {}", "long and longer ".repeat(900)));
    app.turns.run(session, long("first"), deaf()).await.unwrap();
    let mortal =
        Mortal { dies_after: std::env::var(DIES_AFTER).unwrap(), told: Mutex::new(stdout()) };
    tracing::subscriber::set_global_default(mortal).unwrap();
    app.turns.run(session, long("second"), deaf()).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "the test above runs it, and it dies"]
async fn makes_room_for_another_answer_until_it_dies() {
    let folder = std::path::PathBuf::from(std::env::var_os(FOLDER).expect("another test runs it"));
    let model = Model::start();
    model.says([Say::words("Said.")]);
    let mut settings = settings(&model.url(), "summarize", 100_000);
    settings["providers"][0]["models"][1]["window"] = 6_000.into();
    std::fs::write(folder.join("settings.json"), settings.to_string()).unwrap();
    let app = open(&folder).await;
    let session = app.sessions.create().await.unwrap();
    app.sessions.rename(session, "Looms".into()).await.unwrap();
    for number in 0..5 {
        let long = format!("{number} {}", "The weft beats home, row after row. ".repeat(120));
        app.turns.run(session, message(&long), deaf()).await.unwrap();
    }
    let thread = app.sessions.get(session).await.unwrap().session.current_thread;
    let page = app.messages.transcript(thread, TranscriptPosition::End {}, 500).await.unwrap();
    let answer = page.items[7].message.id;
    model.says([Say::words("## State now").after(Duration::from_secs(60))]);
    let with = Some(ModelRef { provider: ProviderId("p".into()), model: "other".into() });
    tokio::spawn(async move {
        app.turns.run(session, TurnStart::Regenerate { answer, with }, deaf()).await
    });
    until("a summary is asked for", async || !model.errands().is_empty()).await;
    std::process::abort();
}

/// Hears of every step, says so, and dies after one, as a process that is killed does: nothing is
/// unwound, closed or written any more.
struct Mortal {
    dies_after: String,
    /// A line per step.
    told: Mutex<Stdout>,
}

impl tracing::Subscriber for Mortal {
    fn enabled(&self, metadata: &tracing::Metadata<'_>) -> bool {
        metadata.target() == "skein_platform::crash_points"
    }

    fn event(&self, event: &tracing::Event<'_>) {
        let mut step = Named(String::new());
        event.record(&mut step);
        let mut told = self.told.lock().unwrap();
        writeln!(told, "step {}", step.0).unwrap();
        if step.0 == self.dies_after {
            std::process::abort();
        }
    }

    fn new_span(&self, _: &span::Attributes<'_>) -> span::Id {
        span::Id::from_u64(1)
    }

    fn record(&self, _: &span::Id, _: &span::Record<'_>) {}
    fn record_follows_from(&self, _: &span::Id, _: &span::Id) {}
    fn enter(&self, _: &span::Id) {}
    fn exit(&self, _: &span::Id) {}
}

struct Named(String);

impl Visit for Named {
    fn record_debug(&mut self, field: &Field, value: &dyn std::fmt::Debug) {
        if field.name() == "step" {
            self.0 = format!("{value:?}");
        }
    }
}
