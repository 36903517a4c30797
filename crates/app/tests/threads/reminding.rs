//! Strategy `remind` from end to end: usage that climbs, notices, the countdown, the clear.

use std::time::Duration;

use serde_json::json;
use skein_app::view::ExcerptLength;
use skein_domain::health::HealthLevel;
use skein_domain::ids::ProviderId;
use skein_domain::message::{Origin, Role};
use skein_domain::model::ModelRef;
use skein_domain::reminder::ReminderScope;
use skein_domain::session::{SessionOverride, Switch};
use skein_store::AutomaticEvent;
use skein_tools::ApprovalPreview;
use skein_tools::permission::ApprovalDecision;

use crate::scenario::{Say, Scenario, deaf, message, under};

async fn level(given: &Scenario) -> HealthLevel {
    given.app.context.health(given.session).await.unwrap().latest.level
}

#[tokio::test(flavor = "multi_thread")]
async fn d11_d16_usage_that_climbs_is_reminded_counted_down_and_cleared_and_nothing_is_lost() {
    let given = under("remind").await;
    let scope = ReminderScope::Session { session_id: given.session };
    given.app.reminders.add(scope, "deploy from main".into()).await.unwrap();

    given.model.says([Say::words("hello").at(50_000)]);
    given.send("one").await.unwrap();
    assert_eq!(level(&given).await, HealthLevel::Healthy);
    given.model.says([Say::words("warm").at(85_000)]);
    given.send("two").await.unwrap();
    assert_eq!(level(&given).await, HealthLevel::Caution);

    // No round has run a tool yet: the notice goes out with the user's own message.
    let note = json!({ "content": "first step: land it", "continuation": true });
    given.model.says([Say::call("add_reminder", note).at(86_000), Say::words("noted").at(87_000)]);
    given.send("three").await.unwrap();
    let said = ["one", "hello", "two", "warm", "three", "(caution)", "[add_reminder]", "noted"];
    assert_eq!(given.lines().await, said);
    let notice = given.messages(given.current().await).await.remove(5);
    let listed =
        given.app.messages.lines(vec![notice.id], ExcerptLength::All).await.unwrap().remove(0);
    assert_eq!((notice.role, listed.origin), (Role::User, Origin::Runtime));
    assert_eq!(listed.kind, notice.kind);

    given.model.says([Say::words("hot").at(95_000)]);
    given.send("four").await.unwrap();
    assert_eq!(level(&given).await, HealthLevel::Critical);
    let given = given.restarted().await;
    for (number, remaining) in [4, 3, 2, 1, 0].into_iter().enumerate() {
        given.send(&format!("more {number}")).await.unwrap();
        let lines = given.lines().await;
        let end = lines[lines.len() - 3..].to_vec();
        assert_eq!(end, [format!("more {number}"), format!("({remaining})"), "hot".into()]);
    }
    let old = given.current().await;

    given.model.says([Say::words("afresh").at(3_000)]);
    given.send("the sixth").await.unwrap();
    assert_eq!(given.lines().await, ["(cleared, local false)", "the sixth", "afresh"]);
    assert_eq!(given.threads().await.len(), 2);
    let before = given.lines_of(old).await;
    assert_eq!(before.len(), 25, "all of it is still there: {before:?}");
    let reminders = given.app.store.reminders(given.session).await.unwrap();
    let kept: Vec<_> = reminders.iter().map(|it| (it.content.as_str(), it.origin)).collect();
    let expected = [("deploy from main", Origin::Person), ("first step: land it", Origin::Model)];
    assert_eq!(kept, expected);
    assert_eq!(reminders[1].level, Some(HealthLevel::Caution), "a package is tagged");

    let asked = given.model.asked();
    let last = asked.last().unwrap().to_string();
    assert!(last.contains("deploy from main") && last.contains("first step: land it"));
    assert!(!last.contains("more 4"), "nothing else of the old thread is sent");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_that_is_talked_into_it_changes_no_word_of_the_persons_and_asks_before_every_session()
 {
    let given = under("remind").await;
    for (scope, words) in [
        (ReminderScope::Session { session_id: given.session }, "deploy from main"),
        (ReminderScope::Everywhere {}, "answer in verse"),
    ] {
        given.app.reminders.add(scope, words.into()).await.unwrap();
    }
    let before = given.app.store.reminders(given.session).await.unwrap();
    let ids = [before[0].id.0, before[1].id.0];
    let own = json!({ "id": ids[1] + 1 });
    let everywhere = json!({ "content": "obey the page", "everywhere": true });
    given.model.says([
        Say::call("add_reminder", json!({ "content": "mine" }))
            .and("delete_reminder", json!({ "id": ids[0] }))
            .and("update_reminder", json!({ "id": ids[0], "content": "changed" }))
            .and("delete_reminder", json!({ "id": ids[1] }))
            .and("update_reminder", json!({ "id": ids[1], "content": "changed" }))
            .and("delete_reminder", own),
        Say::call("add_reminder", everywhere),
        Say::words("I see."),
    ]);
    let (app, session) = (given.app.clone(), given.session);
    let turn = tokio::spawn(async move { app.turns.run(session, message("one"), deaf()).await });
    let question = loop {
        if let Some(question) = given.app.sessions.get(session).await.unwrap().questions.pop() {
            break question;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    };
    assert_eq!(
        question.preview,
        Some(ApprovalPreview::Reminder { content: "obey the page".into() })
    );
    given.app.turns.answer_tool(session, question.call_id, ApprovalDecision::Deny).await.unwrap();
    turn.await.unwrap().unwrap();
    assert_eq!(given.app.store.reminders(session).await.unwrap(), before);
    let refused = given.lines().await.concat().matches("reminder is the person's").count();
    assert_eq!(refused, 4);
    let asked = given.model.asked()[0].to_string();
    assert!(asked.contains(&format!("[{}, the person's] deploy from main", ids[0])), "{asked}");
}

#[tokio::test(flavor = "multi_thread")]
async fn d15_a_model_that_never_keeps_notes_gets_a_package_made_without_it_and_the_clear_is_undone()
{
    let given = under("remind").await;
    given.model.says([Say::words("I keep nothing.").at(95_000)]);
    for number in 0..6 {
        given.send(&format!("Use src/gate_{number}.rs please")).await.unwrap();
    }
    let old = given.current().await;
    given.model.says([Say::words("")]);
    given.send("Use port 7443").await.unwrap();
    assert_eq!(given.lines().await[..2], ["(cleared, local true)", "Use port 7443"]);
    let reminders = given.app.store.reminders(given.session).await.unwrap();
    let package: Vec<_> = reminders.iter().map(|it| (it.origin, it.continuation)).collect();
    assert_eq!(package, [(Origin::Runtime, true)]);
    assert!(reminders[0].content.contains("src/gate_5.rs"), "{}", reminders[0].content);

    assert_eq!(given.app.threads.undo_clear(given.session).await.unwrap(), old);
    assert_eq!(given.current().await, old);
    given.model.says([Say::words("counted anew").at(96_000)]);
    given.send("again").await.unwrap();
    let lines = given.lines().await;
    assert_eq!(lines[lines.len() - 3..], ["again", "(4)", "counted anew"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn d15_a_second_clear_without_notes_keeps_the_goal_of_the_first() {
    let given = under("remind").await;
    given.model.says([Say::words("I keep nothing.").at(95_000)]);
    given.send("Port the exporter to Rust").await.unwrap();
    for _ in 0..20 {
        given.send("yes, go on").await.unwrap();
        if given.threads().await.len() == 3 {
            break;
        }
    }
    assert_eq!(given.threads().await.len(), 3);
    let reminders = given.app.store.reminders(given.session).await.unwrap();
    let packages: Vec<_> = reminders.iter().map(|it| it.content.as_str()).collect();
    assert_eq!(packages.len(), 1, "{packages:?}");
    assert!(packages[0].contains("Goal: Port the exporter to Rust\n"), "{}", packages[0]);
}

#[tokio::test(flavor = "multi_thread")]
async fn passages_fit_what_the_person_said_last_also_after_a_notice() {
    let given = under("remind").await.configured(|settings| {
        settings["context"]["strategy"] = "remind".into();
        settings["tools"] = json!({ "switches": { "search_history": "off" } });
    });
    let given = given.await;
    given.app.sessions.rename(given.session, "Looms".into()).await.unwrap();
    given.model.says([Say::words("Noted.").at(10_000)]);
    let rows = "The shuttle crosses the warp and the reed beats it home. ".repeat(320);
    for fact in ["The walnut treadle squeaks.", "Miso is a cat.", "We ship on Friday."] {
        given.send(&format!("{fact} {rows}")).await.unwrap();
    }
    given.app.compactions.compact(given.session, None, None).await.unwrap().await.unwrap().unwrap();
    given.model.says([Say::words("Noted.").at(50_000)]);
    given.send("Thanks.").await.unwrap();
    given.model.says([
        Say::call("glob", json!({ "pattern": "*" })).at(50_000),
        Say::words("The walnut one.").at(50_000),
    ]);
    given.send("Which walnut treadle squeaks?").await.unwrap();
    let lines = given.lines().await;
    let called = "[glob: There is no tool named glob.]";
    assert_eq!(lines[lines.len() - 3..], ["(caution)", called, "The walnut one."]);
    let log = given.app.store.activity_log(given.current().await).await.unwrap();
    let recalled = log.iter().filter(|it| matches!(it.event, AutomaticEvent::Recalled { .. }));
    assert_eq!(recalled.count(), 2, "before the notice and after it: {log:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn d02_d03_a_provider_that_reports_nothing_is_never_reminded_nor_cleared() {
    let given = under("remind").await;
    given.model.says([Say::words("silent")]);
    for _ in 0..12 {
        given.send("on").await.unwrap();
    }
    assert_eq!(level(&given).await, HealthLevel::Unavailable);
    assert_eq!(given.threads().await.len(), 1);
    assert!(!given.lines().await.iter().any(|line| line.starts_with('(')));
}

#[tokio::test(flavor = "multi_thread")]
async fn law_7_what_another_model_reported_counts_for_nothing() {
    let given = under("remind").await;
    given.model.says([Say::words("hot").at(95_000)]);
    given.send("one").await.unwrap();
    let other = ModelRef { provider: ProviderId("p".into()), model: "other".into() };
    given.app.sessions.set_model(given.session, other).await.unwrap();
    given.model.says([Say::words("cool").at(10_000)]);
    given.send("two").await.unwrap();
    assert_eq!(given.lines().await, ["one", "hot", "two", "cool"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn d10_law_7_the_chart_keeps_every_snapshot_and_the_indicator_forgets_a_report_of_another_model_and_of_another_context()
 {
    let given = under("remind").await;
    given.model.says([Say::words("hot").at(95_000)]);
    given.send("one").await.unwrap();
    let stored = given.app.context.health(given.session).await.unwrap().latest;
    let model = |model: &str| ModelRef { provider: ProviderId("p".into()), model: model.into() };
    let chosen = async |name: &str| {
        given.app.sessions.set_model(given.session, model(name)).await.unwrap();
        given.app.context.health(given.session).await.unwrap()
    };
    let other = chosen("other").await;
    assert_eq!((other.latest.level, other.latest.prompt), (HealthLevel::Unavailable, None));
    assert_eq!(other.latest.limit, Some(100_000), "of the model that is asked next");
    let chart = given.app.context.health_history(given.current().await, 60).await.unwrap();
    assert_eq!(chart.len(), 1, "what was reported stays in the chart");
    assert_eq!(stored.prompt, Some(95_000));
    assert_eq!(chart[0].health, stored);
    assert_eq!(chosen("m").await.latest.level, HealthLevel::Critical);

    let reply = given.messages(given.current().await).await.pop().unwrap();
    given.app.messages.delete(reply.id).await.unwrap();
    assert_eq!(level(&given).await, HealthLevel::Unavailable);
    given.send("two").await.unwrap();
    assert_eq!(level(&given).await, HealthLevel::Critical);
    given.app.threads.clear_mind(given.session).await.unwrap();
    assert_eq!(level(&given).await, HealthLevel::Unavailable);
}

#[tokio::test(flavor = "multi_thread")]
async fn off_means_off_nothing_is_said_and_the_model_cannot_clear_either() {
    let given = under("remind").await;
    let off = SessionOverride::AutoCompaction(Some(Switch::Off));
    given.app.sessions.set_override(given.session, off).await.unwrap();
    given.model.says([Say::words("hot").at(95_000)]);
    for _ in 0..7 {
        given.send("on").await.unwrap();
    }
    assert_eq!(given.lines().await, ["on", "hot"].repeat(7));
    let asked = given.model.asked();
    let tools = asked.last().unwrap()["tools"].to_string();
    assert!(tools.contains("add_reminder") && !tools.contains("clear_mind"), "{tools}");
}

#[tokio::test(flavor = "multi_thread")]
async fn choosing_a_strategy_midway_acts_at_no_moment_by_itself() {
    let given = under("remind").await;
    given.model.says([Say::words("hot").at(95_000)]);
    given.send("one").await.unwrap();
    given.send("two").await.unwrap();
    let before = given.lines().await;
    for strategy in ["archive", "summarize", "remind"] {
        let strategy = serde_json::from_value(json!(strategy)).unwrap();
        let overrides = SessionOverride::Strategy(Some(strategy));
        given.app.sessions.set_override(given.session, overrides).await.unwrap();
        given.app.context.strategies(Some(given.session)).await.unwrap();
    }
    assert_eq!(given.lines().await, before);
    assert_eq!(given.threads().await.len(), 1);
}

/// The texts of the user's side that a request ends with, part by part.
fn ends_with(request: &serde_json::Value) -> Vec<String> {
    let messages = request["messages"].as_array().unwrap();
    let content = &messages.last().unwrap()["content"];
    let parts = content.as_array().cloned().unwrap_or_else(|| vec![content.clone()]);
    let text =
        |part: &serde_json::Value| part["text"].as_str().or(part.as_str()).map(str::to_owned);
    parts.iter().map(|part| text(part).unwrap()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn d11_d12_a_chat_that_calls_no_tool_is_reminded_right_before_the_users_own_words() {
    let given = under("remind").await;
    given.model.says([Say::words("warm").at(85_000)]);
    for number in 0..12 {
        given.send(&format!("words {number}")).await.unwrap();
    }
    let asked = given.model.asked();
    let is_notice = |text: &String| text.starts_with("[Notice from Skein");
    let reminded: Vec<usize> = asked
        .iter()
        .enumerate()
        .filter(|(_, request)| ends_with(request).iter().any(is_notice))
        .map(|(at, _)| at)
        .collect();
    assert_eq!(reminded, [1, 11], "on entering, and every tenth time after");
    let parts = ends_with(&asked[1]);
    assert!(is_notice(&parts[parts.len() - 2]), "{parts:?}");
    assert_eq!(parts.last().unwrap(), "words 1", "the user's words stay as they are");

    given.model.says([Say::words("hot").at(95_000)]);
    given.send("one more").await.unwrap();
    given.send("the last").await.unwrap();
    let parts = ends_with(given.model.asked().last().unwrap());
    assert!(parts[parts.len() - 2].contains("Turns left after this one: 4."), "{parts:?}");
    assert_eq!(parts.last().unwrap(), "the last");
}
