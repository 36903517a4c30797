//! The start of the tests: a program in a folder of its own and a scripted model.

use std::collections::VecDeque;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use scripted_server::{Act, Asked, MeteredPrompt, Reply, Server, TokenMeter, patiently, until};
use serde_json::{Value, json};
use skein_app::app::App;
use skein_app::events::{EventSink, TurnEvent};
use skein_app::view::TurnEnd;
use skein_domain::draft::Draft;
use skein_domain::error::Result;
use skein_domain::ids::{SessionId, ThreadId};
use skein_domain::message::{ContentPart, Message, MessageKind, Notice, ToolState};
use skein_domain::session::Thread;
use skein_platform::paths::AppPaths;
use skein_store::Store;
use tempfile::TempDir;
use tokio::task::JoinHandle;

/// One reply of the scripted model.
#[derive(Debug, Clone, Default)]
pub struct Say {
    text: String,
    /// Names and arguments.
    calls: Vec<(&'static str, Value)>,
    /// Reported prompt tokens; `None`: nothing is reported.
    prompt: Option<u32>,
    /// How many of them were read from a cache; `None`: nothing is reported.
    cached: Option<u32>,
    pause: Option<Duration>,
    /// The finish reason; `None`: the usual one.
    ending: Option<&'static str>,
    /// Pieces of text before the main one, each after a pause.
    begun: Vec<(Duration, &'static str)>,
}

impl Say {
    pub fn words(text: &str) -> Self {
        Self { text: text.into(), ..Self::default() }
    }

    /// Words one by one, with a pause before each.
    pub fn slowly(words: &[&'static str], pause: Duration) -> Self {
        Self { begun: words.iter().map(|word| (pause, *word)).collect(), ..Self::default() }
    }

    pub fn call(name: &'static str, args: Value) -> Self {
        Self::default().and(name, args)
    }

    pub fn and(mut self, name: &'static str, args: Value) -> Self {
        self.calls.push((name, args));
        self
    }

    /// Sets the reported tokens of the prompt.
    pub fn at(mut self, prompt: u32) -> Self {
        self.prompt = Some(prompt);
        self
    }

    /// The cached tokens that the provider reports, beside the prompt.
    pub fn cached(mut self, cached: u32) -> Self {
        self.cached = Some(cached);
        self
    }

    /// Sets the reported finish reason.
    pub fn ending(mut self, reason: &'static str) -> Self {
        self.ending = Some(reason);
        self
    }

    pub fn after(mut self, pause: Duration) -> Self {
        self.pause = Some(pause);
        self
    }

    fn reply(&self) -> Reply {
        let mut body = String::new();
        let mut event = |value: Value| body.push_str(&format!("data: {value}\n\n"));
        event(json!({ "choices": [{ "delta": { "content": self.text } }] }));
        for (index, (name, args)) in self.calls.iter().enumerate() {
            let function = json!({ "name": name, "arguments": args.to_string() });
            let call = json!({ "index": index, "id": format!("call-{index}"), "type": "function",
                               "function": function });
            event(json!({ "choices": [{ "delta": { "tool_calls": [call] } }] }));
        }
        let usual = if self.calls.is_empty() { "stop" } else { "tool_calls" };
        let finish = self.ending.unwrap_or(usual);
        event(json!({ "choices": [{ "delta": {}, "finish_reason": finish }] }));
        if let Some(prompt) = self.prompt {
            let mut usage = json!({ "prompt_tokens": prompt, "completion_tokens": 5 });
            if let Some(cached) = self.cached {
                usage["prompt_tokens_details"] = json!({ "cached_tokens": cached });
            }
            event(json!({ "choices": [], "usage": usage }));
        }
        body.push_str("data: [DONE]\n\n");
        let mut reply = Reply::events("");
        for (pause, word) in &self.begun {
            let said = json!({ "choices": [{ "delta": { "content": word } }] });
            let said = format!("data: {said}\n\n").into_bytes();
            reply = reply.then(Act::Pause(*pause)).then(Act::Send(said));
        }
        let reply = self.pause.into_iter().fold(reply, |reply, wait| reply.then(Act::Pause(wait)));
        reply.then(Act::Send(body.into_bytes()))
    }
}

/// A model that says what it is told, one reply after the other, and then the last one again.
pub struct Model {
    server: Server,
    script: Arc<Mutex<VecDeque<Say>>>,
    title: Arc<Mutex<Say>>,
    refused: Arc<Mutex<Vec<String>>>,
    answers: Arc<AtomicBool>,
    busy: Arc<AtomicBool>,
    breaking: Arc<AtomicBool>,
    metered: Arc<AtomicBool>,
    held: Arc<Held>,
}

/// The requests whose replies are held back.
#[derive(Default)]
struct Held {
    summaries: AtomicBool,
    titles: AtomicBool,
    answers: AtomicBool,
}

impl Held {
    fn keeps_back(&self, asked: &Asked) -> bool {
        let held = match asked {
            asked if asks_for_a_summary(asked) => &self.summaries,
            asked if asks_for_a_title(asked) => &self.titles,
            asked if asked.method == "POST" => &self.answers,
            _ => return false,
        };
        held.load(Ordering::SeqCst)
    }
}

impl Model {
    pub fn start() -> Self {
        let script: Arc<Mutex<VecDeque<Say>>> = Arc::default();
        let told = Arc::clone(&script);
        let title = Arc::new(Mutex::new(Say::words("A title")));
        let named = Arc::clone(&title);
        let refused: Arc<Mutex<Vec<String>>> = Arc::default();
        let refuses = Arc::clone(&refused);
        let answers = Arc::new(AtomicBool::new(true));
        let answering = Arc::clone(&answers);
        let busy: Arc<AtomicBool> = Arc::default();
        let refusing = Arc::clone(&busy);
        let breaking: Arc<AtomicBool> = Arc::default();
        let closing = Arc::clone(&breaking);
        let metered: Arc<AtomicBool> = Arc::default();
        let (is_metered, meter) = (Arc::clone(&metered), TokenMeter::default());
        let held: Arc<Held> = Arc::default();
        let holds = Arc::clone(&held);
        let server = Server::start(move |asked, _| {
            while holds.keeps_back(asked) {
                std::thread::sleep(Duration::from_millis(2));
            }
            if asked.method == "GET" {
                return Reply::json(200, r#"{"data":[{"id":"m"}]}"#);
            }
            if is_errand(asked) && refuses.lock().unwrap().contains(&model_of(asked)) {
                return Reply::json(403, r#"{"error":{"message":"Not with this model."}}"#);
            }
            if asks_for_a_title(asked) {
                return named.lock().unwrap().reply();
            }
            if closing.load(Ordering::Relaxed) {
                return Reply::nothing();
            }
            if refusing.load(Ordering::Relaxed) {
                let refusal = Reply::json(429, r#"{"error":{"message":"Later."}}"#);
                return refusal.with_header("retry-after", "3");
            }
            if !answering.load(Ordering::Relaxed) {
                return Reply::json(403, r#"{"error":{"message":"Not today."}}"#);
            }
            let mut told = told.lock().unwrap();
            let mut say = match told.len() {
                0 => Say::words("Nothing to say."),
                1 => told[0].clone(),
                _ => told.pop_front().unwrap(),
            };
            if is_metered.load(Ordering::Relaxed) {
                let body = serde_json::from_str(&asked.body).unwrap();
                let MeteredPrompt { prompt, cached } = meter.count(&body);
                say = say.at(prompt).cached(cached);
            }
            say.reply()
        });
        Self { server, script, title, refused, answers, busy, breaking, metered, held }
    }

    /// Sets whether it answers in conversations.
    pub fn answers(&self, answers: bool) {
        self.answers.store(answers, Ordering::Relaxed);
    }

    /// Sets whether it asks to be asked again three seconds later.
    pub fn is_busy(&self, busy: bool) {
        self.busy.store(busy, Ordering::Relaxed);
    }

    /// Sets whether it reads requests and closes the connection.
    pub fn breaks_off(&self, breaks_off: bool) {
        self.breaking.store(breaks_off, Ordering::Relaxed);
    }

    /// From now on it reports tokens of its own count, and what its cache holds of them.
    pub fn is_metered(&self) {
        self.metered.store(true, Ordering::Relaxed);
    }

    /// Sets whether summaries are held back.
    pub fn holds_summaries(&self, holds: bool) {
        self.held.summaries.store(holds, Ordering::SeqCst);
    }

    /// Sets whether titles are held back.
    pub fn holds_titles(&self, holds: bool) {
        self.held.titles.store(holds, Ordering::SeqCst);
    }

    /// Sets whether replies in conversations are held back.
    pub fn holds_answers(&self, holds: bool) {
        self.held.answers.store(holds, Ordering::SeqCst);
    }

    /// Refuses requests for summaries and titles to these models.
    pub fn refuses(&self, models: &[&str]) {
        *self.refused.lock().unwrap() = models.iter().map(|&model| model.to_owned()).collect();
    }

    /// The models that were asked for summaries and titles, in order.
    pub fn errands(&self) -> Vec<String> {
        self.server.asked().iter().filter(|asked| is_errand(asked)).map(model_of).collect()
    }

    /// How hard it was asked to think, in order, and whether for an errand.
    pub fn efforts(&self) -> Vec<(Value, bool)> {
        let asked = self.server.asked().into_iter().filter(|asked| asked.method == "POST");
        let effort = |asked: Asked| {
            let body: Value = serde_json::from_str(&asked.body).unwrap();
            (body["reasoning_effort"].clone(), is_errand(&asked))
        };
        asked.map(effort).collect()
    }

    /// Sets its reply to a request for a title.
    pub fn names(&self, title: Say) {
        *self.title.lock().unwrap() = title;
    }

    /// How often it was asked for a title.
    pub fn titles(&self) -> usize {
        self.server.asked().iter().filter(|asked| asks_for_a_title(asked)).count()
    }

    pub fn says(&self, replies: impl IntoIterator<Item = Say>) {
        *self.script.lock().unwrap() = replies.into_iter().collect();
    }

    pub fn url(&self) -> String {
        self.server.url()
    }

    /// The bodies of what was asked in conversations, in order.
    pub fn asked(&self) -> Vec<Value> {
        let asked = self.server.asked();
        let asked = asked.iter().filter(|asked| asked.method == "POST" && !asks_for_a_title(asked));
        asked.map(|asked| serde_json::from_str(&asked.body).unwrap()).collect()
    }
}

/// True for a request outside the conversation: for a summary or a title.
fn is_errand(asked: &Asked) -> bool {
    asks_for_a_title(asked) || asks_for_a_summary(asked)
}

fn asks_for_a_summary(asked: &Asked) -> bool {
    asked.body.contains("Whoever goes on with that conversation")
}

fn model_of(asked: &Asked) -> String {
    let body: Value = serde_json::from_str(&asked.body).unwrap();
    body["model"].as_str().unwrap().to_owned()
}

fn asks_for_a_title(asked: &Asked) -> bool {
    asked.body.contains("Name the conversation between")
}

/// Settings under which model `m` answers every session.
pub fn settings(url: &str, strategy: &str, window: u32) -> Value {
    let models = json!([{ "id": "m", "window": window }, { "id": "other", "window": window }]);
    json!({
        "context": { "strategy": strategy },
        "defaultModel": { "provider": "p", "model": "m" },
        "providers": [
            { "id": "p", "kind": "custom", "name": "P", "baseUrl": url, "models": models }
        ],
        "network": { "proxy": { "type": "none" } },
        "catalogueRefresh": false,
        "appearance": { "language": "english" }
    })
}

/// The program in a folder of its own, with one session.
pub struct Scenario {
    pub app: Arc<App>,
    pub model: Model,
    pub session: SessionId,
    pub folder: TempDir,
}

/// A window of 100,000 tokens: optimal 80,000, critical 90,000.
pub async fn under(strategy: &str) -> Scenario {
    with_window(strategy, 100_000).await
}

pub async fn with_window(strategy: &str, window: u32) -> Scenario {
    let folder = tempfile::tempdir().unwrap();
    let model = Model::start();
    let settings = settings(&model.url(), strategy, window).to_string();
    fs::write(folder.path().join("settings.json"), settings).unwrap();
    let app = open(folder.path()).await;
    let session = app.sessions.create().await.unwrap();
    Scenario { app, model, session, folder }
}

/// Opens the program; one that was there before may still be ending.
pub async fn open(folder: &Path) -> Arc<App> {
    let places = AppPaths::in_folder(folder);
    patiently("the program is open", async || App::open(places.clone())).await
}

/// Notes that a turn waits for a compaction.
#[derive(Default)]
pub struct Waiting(AtomicBool);

impl Waiting {
    pub fn is_so(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }
}

impl EventSink for Waiting {
    fn event(&self, event: &TurnEvent) -> bool {
        let waits = matches!(event, TurnEvent::WaitingForCompaction {});
        self.0.fetch_or(waits, Ordering::SeqCst);
        true
    }
}

/// Hears, and keeps nothing.
pub fn deaf() -> Arc<dyn EventSink> {
    Arc::new(|_: &TurnEvent| true)
}

pub fn message(text: &str) -> Draft {
    Draft { text: text.into(), attachments: vec![] }
}

impl Scenario {
    /// How it ended, or why it did not.
    pub async fn send(&self, text: &str) -> Result<TurnEnd> {
        match self.app.turns.run(self.session, message(text), deaf()).await? {
            TurnEnd::Failed { error } => Err(error),
            end => Ok(end),
        }
    }

    /// Sends, and goes on once the model was asked something. Returns how the turn will end.
    pub async fn sending(&self, text: &str) -> JoinHandle<Result<TurnEnd>> {
        let before = self.model.asked().len();
        let (app, session, message) = (self.app.clone(), self.session, message(text));
        let turn = tokio::spawn(async move { app.turns.run(session, message, deaf()).await });
        until("the model is asked", async || self.model.asked().len() > before).await;
        turn
    }

    /// Until what follows a turn has ended.
    pub async fn settled(&self) {
        until("nothing runs", async || self.app.tasks.tracker.is_empty()).await;
    }

    /// The same folder with other settings, which begin as those of [`settings`].
    pub async fn configured(self, change: impl FnOnce(&mut Value)) -> Self {
        let mut settings = settings(&self.model.url(), "summarize", 60_000);
        change(&mut settings);
        fs::write(self.folder.path().join("settings.json"), settings.to_string()).unwrap();
        self.restarted().await
    }

    /// The same folder, opened by another start of the program.
    pub async fn restarted(self) -> Self {
        let Self { app, model, session, folder } = self;
        drop(app);
        let app = open(folder.path()).await;
        Self { app, model, session, folder }
    }

    pub async fn threads(&self) -> Vec<Thread> {
        self.app.sessions.get(self.session).await.unwrap().threads
    }

    pub async fn current(&self) -> ThreadId {
        self.app.sessions.get(self.session).await.unwrap().session.current_thread
    }

    pub async fn messages(&self, thread: ThreadId) -> Vec<Message> {
        let page = self
            .app
            .messages
            .transcript(thread, skein_app::view::TranscriptPosition::End {}, 500)
            .await;
        page.unwrap().items.into_iter().map(|item| item.message).collect()
    }

    /// The messages of the current thread, a line each.
    pub async fn lines(&self) -> Vec<String> {
        let current = self.current().await;
        self.lines_of(current).await
    }

    pub async fn lines_of(&self, thread: ThreadId) -> Vec<String> {
        self.messages(thread).await.iter().map(line).collect()
    }
}

/// A message in short: a notice by its kind, calls by their names and how they ended.
pub fn line(message: &Message) -> String {
    if let MessageKind::Notice { notice } = &message.kind {
        return match notice {
            Notice::Caution { .. } => "(caution)".into(),
            Notice::Critical { remaining } => format!("({remaining})"),
            Notice::Archived { percent } => format!("(archived at {percent})"),
            Notice::Cleared { local_package, .. } => format!("(cleared, local {local_package})"),
        };
    }
    let parts = message.parts.iter().filter_map(|part| match part {
        ContentPart::Text { text } if text.is_empty() => None,
        ContentPart::Text { text } => Some(text.clone()),
        ContentPart::Tool { call } => Some(match &call.state {
            ToolState::Done { .. } => format!("[{}]", call.name),
            ToolState::Failed { message } => format!("[{}: {message}]", call.name),
            other => format!("[{} {other:?}]", call.name),
        }),
        other => Some(format!("{other:?}")),
    });
    parts.collect::<Vec<_>>().join(" ")
}

/// Opens the store of a folder in which no program runs any more.
pub fn store_of(folder: &Path) -> Store {
    Store::open(&AppPaths::in_folder(folder), 0).unwrap()
}
