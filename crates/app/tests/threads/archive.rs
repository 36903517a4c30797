//! Strategy `archive` from end to end.

use std::fs;

use skein_domain::draft::Draft;
use skein_domain::error::Error;
use skein_domain::message::{ContentPart, Origin};
use skein_domain::reminder::ReminderScope;
use skein_domain::session::{SessionOverride, ThreadStart};
use skein_transfer::ImportOutcome;

use crate::scenario::{Say, Scenario, line, store_of, with_window};

const WINDOW: u32 = 6_000;

fn long(fact: &str) -> String {
    format!("{fact} {}", "row after row the weft beats home ".repeat(130))
}

async fn fill(given: &Scenario) -> usize {
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

fn files(given: &Scenario) -> Vec<std::path::PathBuf> {
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
    let ThreadStart::Archived { percent: 90, file: named } = &threads[0].beginning else {
        panic!()
    };
    assert_eq!(file.file_name().unwrap().to_str().unwrap(), named);
    let elsewhere = tempfile::tempdir().unwrap();
    let store = store_of(elsewhere.path());
    let file = fs::File::open(file).unwrap();
    let reports =
        skein_app::transfers::import(&store, named, file, 0, |_, _| true).await.unwrap().unwrap();
    let ImportOutcome::Imported { session_id, .. } = reports[0].outcome else { panic!() };
    let thread = store.session(session_id).await.unwrap().current_thread;
    let path = store.path_after(thread, None).await.unwrap();
    let mut expected = given.lines_of(threads[1].id).await;
    expected.push(long(&format!("fact {last}")));
    assert_eq!(path.iter().map(line).collect::<Vec<_>>(), expected);
}

#[tokio::test(flavor = "multi_thread")]
async fn p05_reminders_memory_and_skills_are_in_the_first_request_of_the_new_thread() {
    let given = with_window("archive", WINDOW).await;
    let write = |path: &str, text: &str| {
        let path = given.folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    write("AGENTS.md", "Always answer in verse.");
    write("skills/warping/SKILL.md", "---\nname: warping\ndescription: Warps a loom.\n---\n\nHow.");
    let instructions = Some("You are a weaver.".to_owned());
    let overrides = SessionOverride::Instructions(instructions);
    given.app.sessions.set_override(given.session, overrides).await.unwrap();
    let scope = ReminderScope::Session { session_id: given.session };
    given.app.reminders.add(scope, "The oak loom is lent.".into()).await.unwrap();

    let last = fill(&given).await;
    let asked = given.model.asked();
    let [before, after] = &asked[asked.len() - 2..] else { panic!("two requests at least") };
    for kept in
        ["Always answer in verse.", "Warps a loom.", "You are a weaver.", "oak loom is lent"]
    {
        for request in [before, after] {
            assert!(request.to_string().contains(kept), "{kept}");
        }
    }
    let fact = |number: usize| format!("fact {number} ");
    assert!(before.to_string().contains(&fact(0)));
    assert!(!after.to_string().contains(&fact(0)), "the old topic is gone from the context");
    assert!(after.to_string().contains(&fact(last)));
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
async fn a_session_that_goes_for_good_takes_the_files_of_its_archived_threads_along() {
    let given = with_window("archive", WINDOW).await;
    fill(&given).await;
    // Of a session that had this number before a copy of the database was restored.
    let of_another =
        given.folder.path().join("archive").join(format!("{}_5.json", given.session.0));
    fs::write(&of_another, "{}").unwrap();
    let (app, id) = (&given.app, given.session);
    let kept = app.sessions.purge(id).await;
    assert_eq!(kept, Err(Error::NotFound { what: "deleted session".into() }));
    assert_eq!(files(&given).len(), 2);
    app.sessions.delete(vec![id]).await.unwrap();
    let deleted = app.store.deleted_sessions().await.unwrap();
    let month = 30 * 24 * 60 * 60 * 1_000;
    assert_eq!(deleted.iter().map(|it| it.id).collect::<Vec<_>>(), [id]);
    assert_eq!(deleted[0].kept_until, deleted[0].deleted_at + month);
    app.sessions.purge(id).await.unwrap();
    assert_eq!(app.store.deleted_sessions().await.unwrap(), []);
    assert_eq!(files(&given), [of_another]);
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
    let seen = given.app.sessions.get(given.session).await.unwrap();
    let back: Vec<_> = seen.waiting.iter().map(|it| (it.parts.clone(), it.for_box)).collect();
    assert_eq!(back, [(vec![ContentPart::Text { text: huge }], true)]);
    assert_eq!(seen.draft, Draft::default());
}

#[tokio::test(flavor = "multi_thread")]
async fn where_what_is_always_sent_does_not_fit_the_message_is_not_blamed() {
    for strategy in ["summarize", "archive"] {
        let given = with_window(strategy, 1_024).await;
        let scope = ReminderScope::Session { session_id: given.session };
        given.app.reminders.add(scope, long("note")).await.unwrap();
        let refused = given.send("hi").await;
        assert!(matches!(refused, Err(Error::Stuck { .. })), "{strategy}: {refused:?}");
        let seen = given.app.sessions.get(given.session).await.unwrap();
        assert_eq!(seen.waiting[0].parts, [ContentPart::Text { text: "hi".into() }]);
    }
}
