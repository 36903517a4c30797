//! The initial state of the tests: a program with one session, and the server it talks to.

use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use scripted_server::{Asked, Reply, Server, until};
use serde_json::{Value, json};
use skein_app::app::App;
use skein_app::events::TurnEvent;
use skein_app::view::TranscriptPosition;
use skein_context::health::breakdown::BreakdownMode;
use skein_domain::draft::Draft;
use skein_domain::error::Result;
use skein_domain::ids::{MessageId, SessionId, ThreadId};
use skein_domain::message::Message;
use skein_platform::paths::AppPaths;
use skein_store::AutomaticEvent;
use tempfile::TempDir;
use tokio::task::JoinHandle;

/// The server's reply to a request for a summary.
pub const SUMMARY: &str = "## State now\nThe loom is warped.";

/// Said in every request for a summary and nowhere else.
pub const HEADING: &str = "## Key context";

/// A program with one session, and the server it talks to.
pub struct Scenario {
    pub app: Arc<App>,
    pub server: Server,
    pub session: SessionId,
    pub thread: ThreadId,
    /// While it is so, no summary is answered.
    pub held: Arc<AtomicBool>,
    pub folder: TempDir,
}

/// The server reports so many tenths of every prompt as cached.
pub async fn a_program(cached_tenths: usize) -> Scenario {
    a_program_that(9_000, move |asked| answer(asked, cached_tenths)).await
}

/// Its model gives answers of so many tokens, and the server these.
pub async fn a_program_that(
    longest: u32,
    answers: impl Fn(&Asked) -> Reply + Send + Sync + 'static,
) -> Scenario {
    let held = Arc::new(AtomicBool::new(false));
    let holds = Arc::clone(&held);
    let server = Server::start(move |asked, _| {
        while is_summary(asked) && holds.load(Ordering::SeqCst) {
            std::thread::sleep(Duration::from_millis(2));
        }
        answers(asked)
    });
    let folder = tempfile::tempdir().unwrap();
    let settings = json!({
        "catalogueRefresh": false,
        "context": { "toolCleaning": "atCompaction" },
        "defaultModel": { "provider": "scripted", "model": "loom" },
        "providers": [{
            "id": "scripted",
            "kind": "custom",
            "name": "Scripted",
            "baseUrl": format!("{}/v1", server.url()),
            "models": [{ "id": "loom", "window": 60_000, "maxOutput": longest, "effort": "high" }],
        }],
    });
    fs::write(folder.path().join("settings.json"), settings.to_string()).unwrap();
    let app = App::open(AppPaths::in_folder(folder.path())).unwrap();
    let session = app.sessions.create().await.unwrap();
    app.sessions.rename(session, "Looms".into()).await.unwrap();
    let thread = app.sessions.get(session).await.unwrap().session.current_thread;
    Scenario { app, server, session, thread, held, folder }
}

pub fn is_summary(asked: &Asked) -> bool {
    asked.body.contains(HEADING)
}

/// About what English comes to, in tokens.
pub fn size(asked: &Asked) -> usize {
    asked.body.len() / 5
}

pub fn answer(asked: &Asked, cached_tenths: usize) -> Reply {
    answer_having_read(asked, size(asked), cached_tenths)
}

/// The server says that it has read so many tokens of the prompt.
pub fn answer_having_read(asked: &Asked, prompt: usize, cached_tenths: usize) -> Reply {
    let words = if is_summary(asked) { SUMMARY } else { "Noted." };
    let usage = json!({
        "prompt_tokens": prompt,
        "completion_tokens": 2,
        "prompt_tokens_details": { "cached_tokens": prompt * cached_tenths / 10 },
    });
    let said = json!({ "choices": [{ "delta": { "content": words } }] });
    let stop = json!({ "choices": [{ "delta": {}, "finish_reason": "stop" }] });
    let end = json!({ "choices": [], "usage": usage });
    Reply::events(format!("data: {said}\n\ndata: {stop}\n\ndata: {end}\n\ndata: [DONE]\n\n"))
}

/// A message of about a thousand tokens.
pub fn long(fact: &str) -> String {
    format!("{fact} {}", "The shuttle crosses the warp and the reed beats it home. ".repeat(80))
}

impl Scenario {
    pub async fn say(&self, words: &str) {
        let message = Draft { text: words.into(), attachments: vec![] };
        self.app.turns.run(self.session, message, Arc::new(|_: &TurnEvent| true)).await.unwrap();
    }

    pub async fn say_all(&self) {
        for fact in ["The port is 7443.", "Miso is a cat.", "We ship on Friday.", "And?", "So?"] {
            self.say(&long(fact)).await;
        }
    }

    pub async fn compact(&self) {
        self.app
            .compactions
            .compact(self.session, None, None)
            .await
            .unwrap()
            .await
            .unwrap()
            .unwrap();
    }

    /// A compaction by hand whose summary is being written. Returns how it will end once
    /// [`Scenario::release`] lets it.
    pub async fn compacting(&self) -> JoinHandle<Result<()>> {
        let before = self.summaries();
        self.held.store(true, Ordering::SeqCst);
        let work = self.app.compactions.compact(self.session, None, None).await.unwrap();
        until("a summary is asked for", async || self.summaries() > before).await;
        work
    }

    /// Says so much that a compaction begins by itself, and holds its summary back.
    pub async fn compacting_by_itself(&self) {
        self.held.store(true, Ordering::SeqCst);
        for fact in ["The port is 7443.", "Miso is a cat.", "We ship on Friday.", "And?", "So?"] {
            self.say(&long(fact).repeat(4)).await;
        }
        until("a summary is asked for", async || self.summaries() > 0).await;
    }

    /// How often a summary was asked for.
    pub fn summaries(&self) -> usize {
        self.asked_for_summaries().len()
    }

    pub fn asked_for_summaries(&self) -> Vec<Asked> {
        self.server.asked().into_iter().filter(is_summary).collect()
    }

    /// True if the latest point is stale, and the model of its summary.
    pub async fn latest(&self) -> (bool, Option<String>) {
        let latest = self.app.compactions.list(self.session).await.unwrap().points.remove(0);
        (latest.stale, latest.point.model.map(|model| model.model))
    }

    /// The activity log, once it has an entry.
    pub async fn log(&self) -> Vec<AutomaticEvent> {
        let log = async || self.app.store.activity_log(self.thread).await.unwrap();
        until("something is listed", async || !log().await.is_empty()).await;
        log().await.into_iter().map(|entry| entry.event).collect()
    }

    pub fn release(&self) {
        self.held.store(false, Ordering::SeqCst);
    }

    /// The messages of the path that is seen, summaries beside it left out.
    pub async fn path(&self) -> Vec<Message> {
        let page = self
            .app
            .messages
            .transcript(self.thread, TranscriptPosition::End {}, 500)
            .await
            .unwrap();
        let items = page.items.into_iter().map(|item| item.message);
        items.filter(|message| !message.is_summary()).collect()
    }

    pub async fn first(&self) -> MessageId {
        self.path().await[0].id
    }

    pub async fn seen(&self) -> Vec<skein_context::window::PreviewEntry> {
        self.app.context.seen_by_model(self.session, Default::default()).await.unwrap().lines
    }

    pub async fn reported(&self) -> bool {
        let breakdown = self.app.context.breakdown(self.session, Draft::default()).await.unwrap();
        matches!(breakdown.mode, BreakdownMode::Reported { .. })
    }
}

/// The text of a request, up to the end of its last message.
pub fn said(asked: &Asked) -> String {
    let body: Value = serde_json::from_str(&asked.body).unwrap();
    let messages = serde_json::to_string(&body["messages"]).unwrap();
    messages.trim_end_matches(']').to_owned()
}
