//! From Enter to the request on the wire, in a thread of ten thousand messages: what is stored,
//! assembled, counted, decided, spelled and sent before the provider has heard all of it.
//!
//! Beside it, in the same run, what a program pays that keeps nothing and decides nothing: the same
//! body sent by the same client. The difference is ours. The statements that the database ran until then
//! are counted, too.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, clippy::print_stdout)]

use std::fmt::Debug;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use scripted_server::{Asked, Reply, Server};
use serde_json::json;
use skein_app::app::App;
use skein_app::events::TurnEvent;
use skein_domain::draft::Draft;
use skein_domain::ids::SessionId;
use skein_domain::message::{ContentPart, MessageKind, MessageState, Origin, Role};
use skein_domain::session::Session;
use skein_platform::paths::AppPaths;
use skein_store::{MessageParent, NewMessage, NewSession, Store};
use tracing::field::{Field, Visit};
use tracing::{Event, Subscriber};
use tracing_subscriber::filter::LevelFilter;
use tracing_subscriber::layer::{Context, Layer, SubscriberExt};
use tracing_subscriber::util::SubscriberInitExt;

const MESSAGES: u32 = 10_000;
const RUNS: usize = 15;

/// The request that reached the server last.
struct Arrival {
    /// When the server had read all of it.
    at: Instant,
    body: String,
    /// The statements that began before its first byte.
    statements: StatementCount,
}

type Arrived = Arc<Mutex<Arrival>>;

/// The statements of the database since `StatementCount::restart`, and when each began.
static STATEMENTS: Mutex<Vec<(Instant, StatementKind)>> = Mutex::new(Vec::new());

#[derive(Clone, Copy, PartialEq)]
enum StatementKind {
    BeginRead,
    BeginWrite,
    Other,
}

#[derive(Clone, Copy)]
struct StatementCount {
    all: usize,
    reads: usize,
    writes: usize,
}

impl StatementCount {
    fn restart() {
        STATEMENTS.lock().unwrap().clear();
    }

    fn until(end: Instant) -> Self {
        let statements = STATEMENTS.lock().unwrap();
        let before = statements.iter().filter(|(at, _)| *at < end);
        let count = |wanted| before.clone().filter(|(_, kind)| *kind == wanted).count();
        Self {
            all: before.clone().count(),
            reads: count(StatementKind::BeginRead),
            writes: count(StatementKind::BeginWrite),
        }
    }
}

/// Notes the statements of the database, and among them the beginnings of transactions.
struct StatementCounter;

impl<S: Subscriber> Layer<S> for StatementCounter {
    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        if event.metadata().target() == "skein_store::statements" {
            event.record(&mut SqlVisitor);
        }
    }
}

struct SqlVisitor;

impl Visit for SqlVisitor {
    fn record_str(&mut self, _: &Field, sql: &str) {
        let kind = match sql {
            _ if sql.starts_with("BEGIN DEFERRED") => StatementKind::BeginRead,
            _ if sql.starts_with("BEGIN IMMEDIATE") => StatementKind::BeginWrite,
            _ => StatementKind::Other,
        };
        STATEMENTS.lock().unwrap().push((Instant::now(), kind));
    }

    fn record_debug(&mut self, _: &Field, _: &dyn Debug) {}
}

#[tokio::main]
async fn main() {
    tracing_subscriber::registry().with(StatementCounter.with_filter(LevelFilter::TRACE)).init();
    let now = Instant::now();
    let first = Arrival { at: now, body: String::new(), statements: StatementCount::until(now) };
    let arrived: Arrived = Arc::new(Mutex::new(first));
    let note = Arc::clone(&arrived);
    let server = Server::start(move |asked, _| {
        *note.lock().unwrap() = Arrival {
            at: Instant::now(),
            body: asked.body.clone(),
            statements: StatementCount::until(asked.began),
        };
        answer(asked)
    });
    let folder = tempfile::tempdir().unwrap();
    let places = AppPaths::in_folder(folder.path());
    let session = fill(&places).await;
    std::fs::write(folder.path().join("settings.json"), settings(&server).to_string()).unwrap();
    let app = App::open(places).unwrap();
    app.sessions.rename(session.id, "Looms".into()).await.unwrap();

    // The first opens the thread and counts it; a person has seen it by then.
    say(&app, session.id).await;
    report("nothing covered", &app, session.id, &server, &arrived).await;
    app.compactions.compact(session.id, None, None).await.unwrap().await.unwrap().unwrap();
    say(&app, session.id).await;
    report("after a compaction", &app, session.id, &server, &arrived).await;
}

async fn report(name: &str, app: &Arc<App>, session: SessionId, server: &Server, seen: &Arrived) {
    let mut ours = Vec::new();
    for _ in 0..RUNS {
        // The work behind the turn before ends first.
        tokio::time::sleep(Duration::from_millis(500)).await;
        StatementCount::restart();
        let began = Instant::now();
        say(app, session).await;
        ours.push(seen.lock().unwrap().at - began);
    }
    let (body, StatementCount { all, reads, writes }) = {
        let last = seen.lock().unwrap();
        (last.body.clone(), last.statements)
    };
    let client = reqwest::Client::builder().no_proxy().build().unwrap();
    let address = format!("{}/v1/chat/completions", server.url());
    let mut bare = Vec::new();
    for _ in 0..RUNS {
        let began = Instant::now();
        client.post(&address).body(body.clone()).send().await.unwrap();
        bare.push(seen.lock().unwrap().at - began);
    }
    let (ours, bare) = (median(ours), median(bare));
    let own = ours.saturating_sub(bare).as_secs_f64() * 1_000.0;
    println!(
        "{name}: {:.2} MB on the wire after {ours:.1?}, sent bare after {bare:.1?}: {own:.1} ms are ours (promised: under 10); {all} statements, {reads} reads and {writes} writes before its first byte",
        body.len() as f64 / 1e6,
    );
    // The UI asks for these after a turn.
    tokio::time::sleep(Duration::from_millis(500)).await;
    StatementCount::restart();
    app.context.estimate(session, Draft::default()).await.unwrap();
    app.context.health(session).await.unwrap();
    app.context.breakdown(session, Draft::default()).await.unwrap();
    let StatementCount { all, reads, writes: _ } = StatementCount::until(Instant::now());
    println!(
        "{name}: estimate, health and breakdown after it take {all} statements in {reads} reads"
    );
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}

async fn say(app: &Arc<App>, session: SessionId) {
    let draft = Draft { text: "And then?".into(), attachments: Vec::new() };
    app.turns.run(session, draft, Arc::new(|_: &TurnEvent| true)).await.unwrap();
}

fn answer(asked: &Asked) -> Reply {
    let summary = asked.body.contains("## Key context");
    let words = if summary { "## State now\nThe loom is warped." } else { "Noted." };
    let said = json!({ "choices": [{ "delta": { "content": words }, "finish_reason": "stop" }] });
    Reply::events(format!("data: {said}\n\ndata: [DONE]\n\n"))
}

fn settings(server: &Server) -> serde_json::Value {
    json!({
        "catalogueRefresh": false,
        "context": { "automatic": false },
        "defaultModel": { "provider": "scripted", "model": "loom" },
        "providers": [{
            "id": "scripted",
            "kind": "custom",
            "name": "Scripted",
            "baseUrl": format!("{}/v1", server.url()),
            "models": [{ "id": "loom", "window": 4_000_000 }],
        }],
    })
}

/// Six megabytes of conversation.
async fn fill(places: &AppPaths) -> Session {
    let store = Store::open(places, 0).unwrap();
    let session = store.create_session(NewSession::default()).await.unwrap();
    for number in 0..MESSAGES {
        let (role, origin) = match number % 2 {
            0 => (Role::User, Origin::Person),
            _ => (Role::Assistant, Origin::Model),
        };
        let text =
            format!("Row {number}. {}", "The shuttle crosses the warp once more. ".repeat(15));
        let message = NewMessage {
            parent: MessageParent::Leaf,
            kind: MessageKind::Chat {},
            role,
            origin,
            parts: vec![ContentPart::Text { text }],
            state: MessageState::Complete {},
            model: None,
            created_at: 0,
        };
        store.append_message(session.current_thread, message).await.unwrap();
    }
    session
}
