//! The setup that the benchmarks of the app window share: a Skein with one model of a scripted server and
//! one imported session, and the percentiles of what is measured.

use scripted_server::{Asked, Reply, Server};
use serde_json::{Value, json};
use skein_window::{Setup, Skein, until};

/// The file with the session to import, in the data folder.
const SESSION_FILE: &str = "session.json";

/// A server that lists the model `m` and answers its requests with `answer`.
pub fn server(answer: impl Fn(&Asked) -> Reply + Send + Sync + 'static) -> Server {
    Server::start(move |asked, _| match asked.method.as_str() {
        "GET" => Reply::json(200, r#"{"data":[{"id":"m"}]}"#),
        _ => answer(asked),
    })
}

/// Opens the window. `more` are settings beside the usual ones; [`import`] reads `session`.
pub fn open(server: &Server, more: &Value, session: &Value) -> Skein {
    setup(server, more).file(SESSION_FILE, session.to_string()).start()
}

/// A Skein with the model of the server. `more` are settings beside the usual ones.
pub fn setup(server: &Server, more: &Value) -> Setup {
    let mut settings = json!({
        "defaultModel": { "provider": "p", "model": "m" },
        "providers": [{
            "id": "p", "kind": "custom", "name": "Scripted", "baseUrl": server.url(),
            "models": [{ "id": "m", "window": 8_000_000 }],
        }],
        "network": { "proxy": { "type": "none" } },
        "catalogueRefresh": false,
        "appearance": { "language": "english" },
    });
    for (name, value) in more.as_object().into_iter().flatten() {
        settings[name] = value.clone();
    }
    Setup::new().settings(&settings)
}

/// Imports the session. `messages` is their number as the window writes it.
pub fn import(skein: &Skein, messages: &str) {
    skein.get("button", "Settings").click();
    skein.get("tab", "Data").click();
    skein.get("button", "Import…").click();
    skein.answer_file_dialog(&skein.folder().join(SESSION_FILE));
    reads(skein, &format!("Imported 1 session with {messages} messages from"));
    skein.press("Escape");
}

/// Waits until the page has the text.
pub fn reads(skein: &Skein, words: &str) {
    let script = format!("return document.body.innerText.includes({})", json!(words));
    until(&format!("the page reads {words:?}"), || skein.run(&script) == json!(true));
}

/// An event of a stream with this text.
pub fn event(text: &str) -> String {
    format!("data: {}\n\n", json!({ "choices": [{ "delta": { "content": text } }] }))
}

/// Percentiles of times, in milliseconds.
#[derive(Clone, Copy)]
pub struct Percentiles {
    pub count: usize,
    pub median: f64,
    /// 99 of 100 are not longer.
    pub of_hundred: f64,
    pub longest: f64,
}

impl Percentiles {
    pub fn of(mut times: Vec<f64>) -> Self {
        times.sort_by(f64::total_cmp);
        let at = |share: f64| {
            let last = times.len().saturating_sub(1);
            times.get((last as f64 * share) as usize).copied().unwrap_or_default()
        };
        Self { count: times.len(), median: at(0.5), of_hundred: at(0.99), longest: at(1.0) }
    }
}
