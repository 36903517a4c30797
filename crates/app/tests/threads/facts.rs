//! The facts beside a summary as the provider is sent them: right line by line, in whatever language, and
//! right again where an earlier version stored them wrong.

use rusqlite::Connection;
use serde_json::Value;
use skein_domain::draft::Draft;
use skein_platform::paths::AppPaths;
use skein_store::AutomaticEvent;

use crate::scenario::{Say, Scenario, under};

/// Talk that says nothing of what is remembered, of about four thousand tokens.
fn filler(about: &str) -> String {
    format!("{about} {}", "the shuttle crosses the warp and the reed beats it home. ".repeat(320))
}

const FIRST: [&str; 7] = [
    "The flight to Athens leaves at 17:55, the one to Oslo at 14:35, and the one to Porto at 09:20.",
    "Extensions: Anna Berg 4411, Tom Wolff 4712, Ida Roth 4713.",
    "分机表：张志强4421、王建国4722、李梅4723。",
    "去广州的高铁8:05发车，去成都的高铁9:40发车。",
    "Der Zug nach Bremen fährt um 07:12, der nach Kassel um 08:47.",
    "Our hosts:\n- db-north-01: 10.20.4.11\n- db-south-02: 10.20.4.12\n- cache-01: 10.20.7.30",
    "the tram to lund leaves at 06:15, the tram to malmo at 06:45.",
];

const SECOND: [&str; 5] = [
    "The flight to Oslo was moved: it now leaves at 15:10.",
    "Tom Wolff's extension was changed to 4799.",
    "张志强的分机改为4499。",
    "Der Zug nach Kassel fährt jetzt um 09:05.",
    "the tram to malmo now leaves at 07:05.",
];

/// Values that must be in one line at the end.
const HOLDS: [(&str, &str); 14] = [
    ("Athens", "17:55"),
    ("Oslo", "15:10"),
    ("Porto", "09:20"),
    ("Anna Berg", "4411"),
    ("Tom Wolff", "4799"),
    ("Ida Roth", "4713"),
    ("张志强", "4499"),
    ("王建国", "4722"),
    ("成都", "9:40"),
    ("Bremen", "07:12"),
    ("Kassel", "09:05"),
    ("db-south-02", "10.20.4.12"),
    ("cache-01", "10.20.7.30"),
    ("malmo", "07:05"),
];

/// False facts: the older value of one subject told of another.
const FALSE: [&str; 6] =
    ["(was 17:55)", "(was 4411)", "(was 4722)", "(was 07:12)", "(was 06:15)", "(was 10.20"];

async fn compact(given: &Scenario) {
    given.app.compactions.compact(given.session, None, None).await.unwrap().await.unwrap().unwrap();
}

async fn talk(given: &Scenario, statements: &[&str]) {
    for statement in statements {
        given.send(statement).await.unwrap();
    }
    for about in ["Weaving:", "And on:", "Still:"] {
        given.send(&filler(about)).await.unwrap();
    }
}

/// A session that was told all of it and compacted twice.
async fn compacted() -> Scenario {
    let given = under("summarize").await;
    given.app.sessions.rename(given.session, "Looms".into()).await.unwrap();
    given.model.says([Say::words("Noted.")]);
    talk(&given, &FIRST).await;
    compact(&given).await;
    talk(&given, &SECOND).await;
    compact(&given).await;
    given
}

/// The lines of what the model was sent last, but for what is said word for word behind its summary.
fn lines(given: &Scenario) -> Vec<String> {
    let asked = given.model.asked().pop().unwrap();
    let contents =
        asked["messages"].as_array().unwrap().iter().map(|message| text(&message["content"]));
    let text: String = contents.collect::<Vec<_>>().join("\n");
    text.lines().map(str::to_owned).collect()
}

fn text(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Array(parts) => {
            let texts = parts.iter().filter_map(|part| part["text"].as_str());
            texts.collect::<Vec<_>>().join("\n")
        }
        _ => String::new(),
    }
}

fn assert_right(lines: &[String]) {
    for (subject, value) in HOLDS {
        let stands = lines.iter().any(|line| line.contains(subject) && line.contains(value));
        assert!(stands, "{subject} {value}: {lines:#?}");
    }
    for remark in FALSE {
        assert!(!lines.iter().any(|line| line.contains(remark)), "{remark}: {lines:#?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn rosters_timetables_and_hosts_are_right_in_the_request_line_by_line() {
    let given = compacted().await;
    given.send("And now?").await.unwrap();
    let lines = lines(&given);
    assert!(
        !lines.iter().any(|line| line.contains(FIRST[0]) && !line.starts_with(char::is_numeric))
    );
    assert_right(&lines);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_summary_of_a_few_words_without_any_value_gives_way_to_the_local_one() {
    let given = compacted().await;
    let points = given.app.compactions.list(given.session).await.unwrap().points;
    assert!(points.iter().all(|point| point.point.model.is_none()), "{points:?}");
}

const UNTRUE: &str =
    "Verbatim from covered messages:\n3 The flight to Athens leaves at 17:55 (was 14:35)\n";

/// Replaces the facts of the points by false ones, as an earlier version stored them.
fn with_false_facts(given: &Scenario) {
    let places = AppPaths::in_folder(given.folder.path());
    let connection = Connection::open(places.database()).unwrap();
    for table in ["points", "undone_points"] {
        let sql = format!("UPDATE {table} SET anchors = ?1, facts_rules = 0");
        assert_eq!(connection.execute(&sql, [UNTRUE]).unwrap(), 1, "{table}");
    }
}

async fn renewed(given: &Scenario) -> Vec<AutomaticEvent> {
    let log = given.app.store.activity_log(given.current().await).await.unwrap();
    let events = log.into_iter().map(|entry| entry.event);
    events.filter(|event| matches!(event, AutomaticEvent::FactsRenewed { .. })).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn f05_what_an_earlier_version_stored_is_found_anew_when_its_session_is_opened() {
    let given = compacted().await;
    given.app.compactions.undo(given.current().await, None).await.unwrap();
    given.settled().await;
    with_false_facts(&given);
    let given = given.restarted().await;
    given.app.context.breakdown(given.session, Draft::default()).await.unwrap();
    assert_eq!(renewed(&given).await, [AutomaticEvent::FactsRenewed { points: 2 }]);
    given.app.compactions.redo(given.current().await).await.unwrap();
    given.send("And now?").await.unwrap();
    assert_right(&lines(&given));
    let untrue = |lines: &[String]| lines.iter().any(|line| line.contains("17:55 (was 14:35)"));
    assert!(!untrue(&lines(&given)));
    given.app.compactions.undo(given.current().await, None).await.unwrap();
    given.send("And here?").await.unwrap();
    assert!(!untrue(&lines(&given)));
    assert_eq!(renewed(&given).await.len(), 1, "once");
}
