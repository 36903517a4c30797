//! Runs the program in a temporary folder: a conversation is stored, played up to some message,
//! compacted, and continued. The requests it then sends are measured.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use scripted_server::{Asked, Reply, Server};
use serde_json::{Value, json};
use skein_app::app::App;
use skein_app::events::TurnEvent;
use skein_app::view::TranscriptPosition;
use skein_domain::draft::Draft;
use skein_domain::error::{Error, Result};
use skein_domain::ids::{MessageId, SessionId, ThreadId};
use skein_domain::message::{
    ContentPart, MessageKind, MessageState, Origin, Role, ToolCall, ToolOutput, ToolState,
};
use skein_platform::paths::AppPaths;
use skein_store::{MessageParent, NewMessage, NewSession, Store};
use tempfile::TempDir;
use tokio::time::sleep;

use super::set::{Passage, Speaker};
use super::summariser;

/// The user's message that triggers a request for measuring.
const PROBE: &str = "…";
/// The prefix that makes the model search for the rest of a message.
const LOOK_UP: &str = "search: ";
/// The arguments of every tool call.
pub const ARGUMENTS: &str = "{}";
/// The time that a previous instance may hold the database.
const PATIENCE: Duration = Duration::from_secs(30);

/// The running program with one conversation.
pub struct Program {
    app: Arc<App>,
    /// The body of the last request for a reply.
    sent: Arc<Mutex<String>>,
    _server: Server,
    session: SessionId,
    thread: ThreadId,
    stored: Vec<MessageId>,
    _folder: TempDir,
}

/// A request to the model.
#[derive(Debug, Clone, Default)]
pub struct Request {
    /// The summary in place of the covered messages, without its frame.
    pub summary: String,
    /// The facts beside it.
    pub facts: String,
    /// All other messages, in order.
    pub messages: Vec<String>,
    /// The number of covered messages.
    pub covered: usize,
}

impl Program {
    /// Stores a conversation for a model with this window.
    pub async fn with(passages: &[Passage], window: u32) -> Result<Self> {
        let folder = TempDir::new().map_err(storage)?;
        let sent: Arc<Mutex<String>> = Arc::default();
        let last = Arc::clone(&sent);
        let server = Server::start(move |asked, _| {
            if !is_errand(asked) {
                *last.lock().unwrap_or_else(PoisonError::into_inner) = asked.body.clone();
            }
            answer(asked)
        });
        let settings = settings(&server.url(), window).to_string();
        std::fs::write(folder.path().join("settings.json"), settings).map_err(storage)?;
        let (session, thread, stored) = fill(folder.path(), passages).await?;
        let app = open(folder.path()).await?;
        app.sessions.rename(session, "Measured".to_owned()).await?;
        Ok(Self { app, sent, session, thread, stored, _server: server, _folder: folder })
    }

    /// Continues as if only the first `told` messages existed, and compacts them. Returns true if
    /// there was something to compact.
    pub async fn compact(&self, told: usize) -> Result<bool> {
        self.tell(told).await?;
        let compacted = match self.app.compactions.compact(self.session, None, None).await {
            Ok(work) => work.await.map_err(storage)?,
            Err(error) => Err(error),
        };
        match compacted {
            Ok(()) => Ok(true),
            Err(Error::NotCompacted { .. } | Error::Stuck { .. }) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// The request for the reply to the next message.
    ///
    /// # Errors
    /// Those of the program, and facts of the compaction point that the request lacks.
    pub async fn request(&self, told: usize) -> Result<Request> {
        self.say(PROBE).await?;
        let sent = self.sent();
        self.tell(told).await?;
        let points = self.app.compactions.list(self.session).await?.points;
        let point = points.iter().max_by_key(|point| point.covered_messages);
        let mut request = Request::default();
        if let Some(point) = point {
            request.facts = point.point.anchors.trim_end().to_owned();
            let boundary = point.point.boundary_message_id;
            let at = self.stored.iter().position(|id| *id == boundary);
            request.covered = at.map_or(0, |at| at + 1);
        }
        let mut has_facts = false;
        for text in sent.iter().filter(|(role, _)| role != "system").map(|(_, text)| text) {
            let rest = match text.split_once("</summary>") {
                Some((summary, rest)) if request.summary.is_empty() => {
                    let framed = summary.trim_start().trim_start_matches("<summary>").trim_start();
                    let summary = framed.split_once('\n').map_or("", |(_, summary)| summary);
                    request.summary = summary.trim().to_owned();
                    rest
                }
                Some(_) | None => text,
            };
            has_facts |= rest.contains(&request.facts);
            let rest = rest.replacen(&request.facts, "", usize::from(!request.facts.is_empty()));
            if !rest.trim().is_empty() && rest != PROBE {
                request.messages.push(rest);
            }
        }
        if !has_facts {
            return Err(Error::Invalid { detail: "the facts were not sent".to_owned() });
        }
        Ok(request)
    }

    /// The output of the history search tool.
    pub async fn search(&self, query: &str) -> Result<String> {
        let asked = self.say(&format!("{LOOK_UP}{query}")).await?;
        let mut results = self.sent().into_iter().filter(|(role, _)| role == "tool");
        let found = results.next_back().map(|(_, text)| text).unwrap_or_default();
        // A search result must not be found by later searches.
        for message in asked.into_iter().rev() {
            self.app.messages.delete(message).await?;
        }
        Ok(found)
    }

    /// Ends the path after this many messages.
    async fn tell(&self, told: usize) -> Result<()> {
        let last = told.checked_sub(1).and_then(|last| self.stored.get(last));
        if let Some(last) = last {
            self.app.messages.set_leaf(*last).await?;
        }
        Ok(())
    }

    /// Sends a message, and returns the new messages.
    async fn say(&self, text: &str) -> Result<Vec<MessageId>> {
        let draft = Draft { text: text.to_owned(), attachments: Vec::new() };
        self.app.turns.run(self.session, draft, Arc::new(|_: &TurnEvent| true)).await?;
        let page = self.app.messages.transcript(self.thread, TranscriptPosition::End {}, 8).await?;
        let messages = page.items.into_iter().map(|item| item.message);
        let ids = messages.filter(|message| matches!(message.kind, MessageKind::Chat {}));
        Ok(ids.map(|message| message.id).filter(|id| !self.stored.contains(id)).collect())
    }

    /// Roles and texts of the last request.
    fn sent(&self) -> Vec<(String, String)> {
        let sent = self.sent.lock().unwrap_or_else(PoisonError::into_inner);
        let body: Value = serde_json::from_str(&sent).unwrap_or_default();
        let messages = body.get("messages").and_then(Value::as_array);
        let of = |message: &Value| {
            let role = message.get("role").and_then(Value::as_str).unwrap_or_default();
            (role.to_owned(), words(message.get("content").unwrap_or(&Value::Null)))
        };
        messages.into_iter().flatten().map(of).collect()
    }
}

fn settings(url: &str, window: u32) -> Value {
    json!({
        "defaultModel": { "provider": "lab", "model": "m" },
        "providers": [{
            "id": "lab", "kind": "custom", "name": "Lab", "baseUrl": url,
            "models": [{ "id": "m", "window": window }],
        }],
        "network": { "proxy": { "type": "none" } },
        "catalogueRefresh": false,
        "dailyBackup": false,
        "nameSessions": false,
    })
}

/// Opens the program. A previous store of its folder may still be closing.
async fn open(folder: &Path) -> Result<Arc<App>> {
    let until = std::time::Instant::now() + PATIENCE;
    loop {
        match App::open(AppPaths::in_folder(folder)) {
            Err(_) if std::time::Instant::now() < until => sleep(Duration::from_millis(20)).await,
            opened => return opened,
        }
    }
}

async fn fill(
    folder: &Path,
    passages: &[Passage],
) -> Result<(SessionId, ThreadId, Vec<MessageId>)> {
    let store = Store::open(&AppPaths::in_folder(folder), 0)?;
    let session = store.create_session(NewSession::default()).await?;
    let mut stored = Vec::with_capacity(passages.len());
    for (at, passage) in (1..).zip(passages) {
        let message = store.append_message(session.current_thread, message(passage, at)).await?;
        stored.push(message.id);
    }
    Ok((session.id, session.current_thread, stored))
}

fn message(passage: &Passage, at: i64) -> NewMessage {
    let text = passage.text.clone();
    let part = match passage.by {
        Speaker::User | Speaker::Assistant => ContentPart::Text { text },
        Speaker::Tool => {
            let output = ToolOutput { text, ..ToolOutput::default() };
            let call = ToolCall {
                call_id: format!("call_{at}"),
                name: "look_up".to_owned(),
                args: ARGUMENTS.to_owned(),
                signature: None,
                state: ToolState::Done { output },
            };
            ContentPart::Tool { call }
        }
    };
    let (role, origin) = match passage.by {
        Speaker::User => (Role::User, Origin::Person),
        Speaker::Assistant | Speaker::Tool => (Role::Assistant, Origin::Model),
    };
    NewMessage {
        parent: MessageParent::Leaf,
        kind: MessageKind::Chat {},
        role,
        origin,
        parts: vec![part],
        state: MessageState::Complete {},
        model: None,
        created_at: at,
    }
}

/// The model's reply: a summary if requested, a search if the user asks for one, otherwise any
/// text.
fn answer(asked: &Asked) -> Reply {
    if asked.method == "GET" {
        return Reply::json(200, r#"{"data":[{"id":"m"}]}"#);
    }
    let body: Value = serde_json::from_str(&asked.body).unwrap_or_default();
    let messages = body.get("messages").and_then(Value::as_array).cloned().unwrap_or_default();
    let of = |message: &Value| words(message.get("content").unwrap_or(&Value::Null));
    if is_errand(asked) {
        let all: Vec<String> = messages.iter().map(of).collect();
        return events(json!({ "content": summariser::summary(&all.join("\n")) }), "stop");
    }
    let query = messages.last().filter(|last| last.get("role") == Some(&json!("user"))).map(of);
    // If the conversation ends with a user message, the query is merged with it.
    let asked_last = query.as_deref().and_then(|text| text.lines().next_back());
    match asked_last.and_then(|line| line.strip_prefix(LOOK_UP)) {
        Some(query) => {
            let arguments = json!({ "query": query }).to_string();
            let function = json!({ "name": "search_history", "arguments": arguments });
            let call = json!({ "index": 0, "id": "call_search", "type": "function", "function": function });
            events(json!({ "tool_calls": [call] }), "tool_calls")
        }
        None => events(json!({ "content": "OK." }), "stop"),
    }
}

fn events(delta: Value, finish: &str) -> Reply {
    let said = json!({ "choices": [{ "delta": delta }] });
    let end = json!({ "choices": [{ "delta": {}, "finish_reason": finish }] });
    Reply::events(format!("data: {said}\n\ndata: {end}\n\ndata: [DONE]\n\n"))
}

fn is_errand(asked: &Asked) -> bool {
    asked.method != "POST" || asked.body.contains(summariser::ASKED)
}

/// The text of a message, from a string or from parts.
fn words(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Array(parts) => {
            let texts = parts.iter().filter_map(|part| part.get("text")?.as_str());
            texts.collect::<Vec<_>>().join("\n")
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => String::new(),
    }
}

fn storage(error: impl std::fmt::Display) -> Error {
    Error::Storage { detail: error.to_string() }
}
