//! The facts beside a summary in requests: lists of many things in one sentence are correct line by
//! line, and facts stored by an earlier version are corrected when their session is opened.

use rusqlite::Connection;
use scripted_server::{Reply, Server};
use serde_json::{Value, json};
use skein_window::{Skein, until};

use crate::actions::{close_estimate, open_estimate, say, send, unfold, woven};
use crate::memory::compactions;
use crate::scripted::settings;

const FIRST: [&str; 7] = [
    "Extensions: Anna Berg 4411, Tom Wolff 4712, Ida Roth 4713. 分机表：张志强4421、王建国4722、李梅4723。",
    "Die Durchwahl von Jonas Keller ist 5511, die von Petra Lang ist 5612.",
    "The flight to Athens leaves at 17:55, the one to Oslo at 14:35. 去广州的高铁8:05发车，去成都的高铁9:40发车。",
    "Der Zug nach Bremen fährt um 07:12, der nach Kassel um 08:47.",
    "Our hosts: db-north-01 is 10.20.4.11, db-south-02 is 10.20.4.12, cache-01 is 10.20.7.30.",
    "我们的主机：网关一号是10.30.1.5，日志二号是10.30.1.6。",
    "Unsere Rechner: der Druckserver hat 10.40.2.7, der Mailserver 10.40.2.8.",
];

const SECOND: [&str; 6] = [
    "Tom Wolff's extension was changed to 4799.",
    "张志强的分机改为4499。",
    "Die Durchwahl von Petra Lang ist jetzt 5699.",
    "The flight to Oslo was moved: it now leaves at 15:10.",
    "Der Zug nach Kassel fährt jetzt um 09:05.",
    "Ida Roth's extension was previously 4700.",
];

/// Words that must be in one line at the end.
const HOLDS: [(&str, &str); 21] = [
    ("Anna Berg", "4411"),
    ("Tom Wolff", "4799"),
    ("Ida Roth", "4713"),
    ("张志强", "4499"),
    ("王建国", "4722"),
    ("李梅", "4723"),
    ("Jonas Keller", "5511"),
    ("Petra Lang", "5699"),
    ("Athens", "17:55"),
    ("Oslo", "15:10"),
    ("广州", "8:05"),
    ("成都", "9:40"),
    ("Bremen", "07:12"),
    ("Kassel", "09:05"),
    ("db-north-01", "10.20.4.11"),
    ("db-south-02", "10.20.4.12"),
    ("cache-01", "10.20.7.30"),
    ("网关一号", "10.30.1.5"),
    ("日志二号", "10.30.1.6"),
    ("Druckserver", "10.40.2.7"),
    ("Mailserver", "10.40.2.8"),
];

/// The remarks that are true, each with its thing.
const WAS: [(&str, &str); 5] = [
    ("Tom Wolff", "(was 4712)"),
    ("张志强", "(was 4421)"),
    ("Petra Lang", "(was 5612)"),
    ("Oslo", "(was 14:35)"),
    ("Kassel", "(was 08:47)"),
];

/// False facts that an earlier version may have stored.
const UNTRUE: &str =
    "Verbatim from covered messages:\n3 The flight to Athens leaves at 17:55 (was 14:35)\n";

/// A model whose every reply is one word, including summaries, so that the program extracts the
/// summary itself.
fn model() -> Server {
    Server::start(|asked, _| {
        if asked.method != "POST" {
            return Reply::json(200, r#"{"data":[]}"#);
        }
        let words = json!({ "choices": [{ "index": 0, "delta": { "content": "Noted." } }] });
        let end = json!({ "choices": [{ "index": 0, "delta": {}, "finish_reason": "stop" }] });
        Reply::events(format!("data: {words}\n\ndata: {end}\n\ndata: [DONE]\n\n"))
    })
}

fn words(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Array(parts) => {
            let texts = parts.iter().filter_map(|part| part["text"].as_str());
            texts.collect::<Vec<_>>().join("\n")
        }
        _ => String::new(),
    }
}

/// The lines of the request with this question.
fn lines(server: &Server, question: &str) -> Vec<String> {
    let bodies = server.asked().into_iter().filter(|asked| asked.method == "POST");
    let mut texts = bodies.filter_map(|asked| {
        let body: Value = serde_json::from_str(&asked.body).ok()?;
        let messages: Vec<String> =
            body["messages"].as_array()?.iter().map(|it| words(&it["content"])).collect();
        messages.last()?.ends_with(question).then(|| messages.join("\n"))
    });
    let text = texts.next_back().expect("it was asked");
    text.lines().map(str::to_owned).collect()
}

fn assert_right(lines: &[String]) {
    for (subject, value) in HOLDS {
        let stands = lines.iter().any(|line| line.contains(subject) && line.contains(value));
        assert!(stands, "{subject} {value}: {lines:#?}");
    }
    for line in lines.iter().filter(|line| line.contains("(was ")) {
        let mut rest = line.clone();
        for (_, remark) in WAS.iter().filter(|(subject, _)| line.contains(subject)) {
            rest = rest.replace(remark, "");
        }
        assert!(!rest.contains("(was "), "{line}");
    }
}

/// Sends these statements and enough after them for a compaction to cover them, and compacts.
fn tell_and_compact(skein: &Skein, statements: &[&str], times: usize) {
    for statement in statements {
        say(skein, statement);
    }
    for about in ["Weaving:", "And on:", "Still:"] {
        say(skein, &woven(about, 240));
    }
    send(skein, "/compact");
    until("it is compacted", || compactions(skein) == times);
}

#[test]
fn rosters_timetables_and_hosts_are_right_after_two_compactions_and_old_false_facts_are_mended() {
    let server = model();
    let mut skein = settings(&server, &json!({})).start();
    tell_and_compact(&skein, &FIRST, 1);
    tell_and_compact(&skein, &SECOND, 2);
    say(&skein, "And now?");
    assert_right(&lines(&server, "And now?"));
    skein.screenshot("facts-after-two-compactions");

    skein.quit();
    let connection = Connection::open(skein.folder().join("skein.db")).unwrap();
    let sql = "UPDATE points SET anchors = ?1, facts_rules = 0";
    assert!(connection.execute(sql, [UNTRUE]).unwrap() > 0);
    drop(connection);
    skein.reopen();
    skein.get("article", "Summary").last().see();
    let dialog = open_estimate(&skein);
    unfold(&dialog, "What happened automatically");
    let log = dialog.get("list", "What happened automatically");
    let text =
        log.text_that("says so", |text| text.contains("found anew in the original messages"));
    assert_eq!(text.matches("found anew").count(), 1, "{text}");
    skein.screenshot("facts-renewed");
    close_estimate(&skein);
    say(&skein, "And here?");
    let lines = lines(&server, "And here?");
    assert!(!lines.iter().any(|line| line.contains("17:55 (was 14:35)")), "{lines:#?}");
    assert_right(&lines);
}
