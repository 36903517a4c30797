//! Tools that ask the person first.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use scripted_server::until;
use serde_json::{Value, json};
use skein_app::events::{ChangeNotification, EventSink, Topic, TurnEvent};
use skein_app::turn::turn_start::TurnStart;
use skein_app::view::{Activity, TurnEnd};
use skein_domain::error::Error;
use skein_domain::ids::MessageId;
use skein_domain::session::{SessionOverride, Switch};
use skein_tools::permission::ApprovalDecision;
use tokio::sync::broadcast::Receiver;

use crate::scenario::{Say, Scenario, deaf, line, message, under, with_window};

/// Waits for notifications of the list of sessions until the session has this activity.
async fn heard_until(
    given: &Scenario,
    changes: &mut Receiver<ChangeNotification>,
    awaited: Activity,
) {
    let told = told(given, changes, awaited);
    tokio::time::timeout(Duration::from_secs(60), told).await.expect("the window is told");
}

async fn told(given: &Scenario, changes: &mut Receiver<ChangeNotification>, awaited: Activity) {
    loop {
        if !changes.recv().await.unwrap().topics.contains(&(Topic::Sessions {})) {
            continue;
        }
        let listed = given.app.sessions.list().await.unwrap();
        let view = given.app.sessions.get(given.session).await.unwrap();
        let now = listed.iter().find(|item| item.id == given.session).unwrap().activity;
        if now == awaited && view.activity == awaited {
            return;
        }
    }
}

fn page() -> Say {
    Say::call("fetch_page", json!({ "url": "https://wool.example/patterns" }))
}

#[tokio::test(flavor = "multi_thread")]
async fn who_lists_the_sessions_hears_that_a_tool_waits_for_the_person_and_that_it_does_no_longer()
{
    let given = under("summarize").await;
    given.model.says([page(), Say::words("a").after(Duration::from_secs(120))]);
    let mut changes = given.app.changes();
    let (app, session) = (given.app.clone(), given.session);
    let turn = tokio::spawn(async move { app.turns.run(session, message("one"), deaf()).await });
    heard_until(&given, &mut changes, Activity::Asking).await;
    let call = given.app.sessions.get(session).await.unwrap().questions[0].call_id.clone();
    given.app.turns.answer_tool(session, call, ApprovalDecision::Deny).await.unwrap();
    heard_until(&given, &mut changes, Activity::Replying).await;
    given.app.turns.stop(session).await.unwrap();
    turn.await.unwrap().unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_that_would_come_to_nothing_fails_without_anybody_being_asked() {
    let given = under("summarize").await;
    given.model.says([Say::call("fetch_page", json!({ "page": "wool" })), Say::words("I see.")]);
    let turn = given.app.turns.run(given.session, message("one"), deaf());
    let end = tokio::time::timeout(Duration::from_secs(60), turn).await;
    assert_eq!(end.expect("nobody is waited for"), Ok(TurnEnd::Answered {}));
    let messages = given.messages(given.current().await).await;
    assert!(line(&messages[1]).starts_with("[fetch_page: "), "{}", line(&messages[1]));
    assert!(line(&messages[1]).contains("url"), "{}", line(&messages[1]));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_yes_writes_over_nothing_that_has_changed_since_the_question() {
    let given = under("summarize").await;
    let place = tempfile::tempdir().unwrap();
    let chosen = SessionOverride::Folder(Some(place.path().display().to_string()));
    given.app.sessions.set_override(given.session, chosen).await.unwrap();
    let file = place.path().join("loom.md");
    std::fs::write(&file, "as it was\n").unwrap();
    let args = json!({ "path": "loom.md", "content": "of the model\n" });
    given.model.says([Say::call("write_file", args), Say::words("I see.")]);
    let mut changes = given.app.changes();
    let (app, session) = (given.app.clone(), given.session);
    let turn = tokio::spawn(async move { app.turns.run(session, message("one"), deaf()).await });
    heard_until(&given, &mut changes, Activity::Asking).await;
    std::fs::write(&file, "mended by the person\n").unwrap();
    let call = given.app.sessions.get(session).await.unwrap().questions[0].call_id.clone();
    given.app.turns.answer_tool(session, call, ApprovalDecision::Once).await.unwrap();
    turn.await.unwrap().unwrap();
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "mended by the person\n");
    let messages = given.messages(given.current().await).await;
    assert!(line(&messages[1]).contains("has changed since"), "{}", line(&messages[1]));
}

/// Keeps which messages left the path.
#[derive(Default)]
struct Removals(Mutex<Vec<MessageId>>);

impl EventSink for Removals {
    fn event(&self, event: &TurnEvent) -> bool {
        if let TurnEvent::Removed { message_id } = event {
            self.0.lock().unwrap().push(*message_id);
        }
        true
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn who_watches_a_turn_hears_of_a_deletion_and_what_the_turn_goes_on_from_stays() {
    let given = under("summarize").await;
    given.model.says([page()]);
    let mut changes = given.app.changes();
    let removals = Arc::new(Removals::default());
    let (app, session, watcher) = (given.app.clone(), given.session, removals.clone());
    let turn = tokio::spawn(async move { app.turns.run(session, message("one"), watcher).await });
    heard_until(&given, &mut changes, Activity::Asking).await;
    let messages = given.messages(given.current().await).await;
    let [question, calling] = [messages[0].id, messages[1].id];
    assert_eq!(given.app.messages.delete(calling).await, Err(Error::Busy {}));
    given.app.messages.delete(question).await.unwrap();
    assert_eq!(*removals.0.lock().unwrap(), [question]);
    given.app.turns.stop(session).await.unwrap();
    turn.await.unwrap().unwrap();
    given.app.messages.delete(calling).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_message_that_is_deleted_while_it_waits_for_a_compaction_is_not_answered() {
    let given = with_window("summarize", 40_000).await;
    let automatic = |switch| SessionOverride::AutoCompaction(Some(switch));
    given.app.sessions.set_override(given.session, automatic(Switch::Off)).await.unwrap();
    given.model.says([Say::words("Said.")]);
    let long = "The shuttle crosses the warp and the reed beats it home. ".repeat(80 * 8);
    for _ in 0..4 {
        given.send(&long).await.unwrap();
    }
    let before = given.lines().await;
    given.app.sessions.set_override(given.session, automatic(Switch::On)).await.unwrap();
    given.model.says([Say::words("## State now").after(Duration::from_secs(120))]);
    let asked = given.model.asked().len();
    let (app, session) = (given.app.clone(), given.session);
    let turn = tokio::spawn(async move { app.turns.run(session, message("wrong"), deaf()).await });
    until("a summary is asked for", async || given.model.asked().len() > asked).await;
    let wrong = given.messages(given.current().await).await.pop().unwrap();
    assert_eq!(line(&wrong), "wrong");
    given.app.messages.delete(wrong.id).await.unwrap();
    assert_eq!(turn.await.unwrap(), Ok(TurnEnd::Interrupted {}));
    assert_eq!(given.lines().await, before);
    let asked = given.model.asked().split_off(asked);
    let told = asked.iter().map(Value::to_string).filter(|body| body.contains("wrong"));
    assert_eq!(told.count(), 0);
    assert_eq!(asked.len(), 1, "the summary alone");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_asked_for_anew_and_withdrawn_with_its_question_leaves_what_followed_on_the_path()
{
    let given = with_window("summarize", 40_000).await;
    let automatic = |switch| SessionOverride::AutoCompaction(Some(switch));
    given.app.sessions.set_override(given.session, automatic(Switch::Off)).await.unwrap();
    let long = "The shuttle crosses the warp and the reed beats it home. ".repeat(80 * 8);
    given.model.says([Say::words("Said.")]);
    for _ in 0..5 {
        given.send(&long).await.unwrap();
    }
    let messages = given.messages(given.current().await).await;
    let before = given.lines().await;
    let (question, answer) = (messages[6].id, messages[7].id);
    given.app.sessions.set_override(given.session, automatic(Switch::On)).await.unwrap();
    given.model.says([Say::words("## State now").after(Duration::from_secs(120))]);
    let asked = given.model.asked().len();
    let (app, session) = (given.app.clone(), given.session);
    let turn = tokio::spawn(async move {
        app.turns.run(session, TurnStart::Regenerate { answer, with: None }, deaf()).await
    });
    until("a summary is asked for", async || given.model.asked().len() > asked).await;
    let deletion = given.app.messages.delete(question).await.unwrap();
    assert_eq!(turn.await.unwrap(), Ok(TurnEnd::Interrupted {}));
    let mut without = before.clone();
    without.remove(6);
    assert_eq!(given.lines().await, without);
    given.app.messages.restore(deletion).await.unwrap();
    assert_eq!(given.lines().await, before);
}
