//! The contents of a database in names that no version changes, as in `contents.json`, which the version that
//! wrote the database also wrote.

use serde_json::{Value, json};
use skein_domain::compaction_point::CompactionPoint;
use skein_domain::generation::Generation;
use skein_domain::ids::{BlobId, SessionId};
use skein_domain::message::{
    ContentPart, Inclusion, Message, MessageKind, MessageState, Notice, Origin, Role, ToolCall,
    ToolState,
};
use skein_domain::model::ModelRef;
use skein_domain::reminder::{Reminder, ReminderScope};
use skein_domain::session::{ClearedBy, Session, Thread, ThreadStart};
use skein_store::{ReadAccess, Store};

/// All of a database.
pub async fn contents(store: &Store) -> Value {
    let mut sessions = Vec::new();
    for it in store.sessions().await.unwrap() {
        sessions.push(session(store, &it).await);
    }
    let grants = store.all_grants().await.unwrap();
    let grants = grants
        .iter()
        .map(|it| json!({ "tool": it.tool, "session": it.session.map(|id| id.0) }))
        .collect::<Vec<_>>();
    let hosts = store.hosts().await.unwrap();
    let hosts =
        hosts.iter().map(|it| json!({ "host": it.host, "calls": it.calls })).collect::<Vec<_>>();
    json!({ "sessions": sessions, "grants": grants, "hosts": hosts })
}

async fn session(store: &Store, it: &Session) -> Value {
    let id = it.id;
    let mut threads = Vec::new();
    for it in store.threads(id).await.unwrap() {
        threads.push(thread(store, &it).await);
    }
    let draft = store.draft(id).await.unwrap();
    let mut attached = Vec::new();
    for it in &draft.attachments {
        attached.push(json!({ "name": it.name(), "bytes": bytes(store, it.blob()).await }));
    }
    let mut waiting = Vec::new();
    for it in store.queued_messages(id).await.unwrap() {
        let parts = parts(store, id, &it.parts).await;
        waiting.push(json!({ "parts": parts, "inComposer": it.for_box, "at": it.created_at }));
    }
    let reminders = store.reminders(id).await.unwrap();
    let edits = store.edits(id).await.unwrap();
    let edits = edits
        .iter()
        .map(|it| json!({ "message": it.message_id.0, "text": it.edit.text }))
        .collect::<Vec<_>>();
    let overrides = &it.overrides;
    json!({
        "id": id.0,
        "title": it.title,
        "pinned": it.pinned,
        "model": it.model.as_ref().map(model),
        "current": it.current_thread.0,
        "at": it.created_at,
        "strategy": overrides.strategy,
        "automatic": overrides.auto_compaction,
        "instructions": overrides.instructions,
        "folder": overrides.folder,
        "draft": { "text": draft.text, "attached": attached },
        "waiting": waiting,
        "reminders": reminders.iter().map(reminder).collect::<Vec<_>>(),
        "threads": threads,
        "edits": edits,
    })
}

async fn thread(store: &Store, it: &Thread) -> Value {
    let id = it.id;
    let mut all = store.all_messages(id).await.unwrap();
    all.sort_by_key(|it| it.id);
    let mut messages = Vec::new();
    for message in &all {
        messages.push(self::message(store, it.session_id, message).await);
    }
    let points = store.points(id).await.unwrap();
    let undone = store.undone_point(id).await.unwrap();
    let generations = store.generations(id).await.unwrap();
    let log = store.activity_log(id).await.unwrap();
    let log = log.iter().map(|it| json!({ "event": it.event, "at": it.at })).collect::<Vec<_>>();
    let path = store.path_ids(id).await.unwrap();
    json!({
        "id": id.0,
        "number": it.number,
        "beginning": beginning(&it.beginning),
        "ended": it.ended_at,
        "path": path.iter().map(|id| id.0).collect::<Vec<_>>(),
        "messages": messages,
        "points": points.iter().map(point).collect::<Vec<_>>(),
        "undone": undone.as_ref().map(point),
        "generations": generations.iter().map(generation).collect::<Vec<_>>(),
        "automatic": log,
    })
}

async fn message(store: &Store, session: SessionId, it: &Message) -> Value {
    json!({
        "id": it.id.0,
        "parent": it.parent_id.map(|id| id.0),
        "kind": kind(&it.kind),
        "role": match it.role {
            Role::User => "user",
            Role::Assistant => "assistant",
        },
        "origin": origin(it.origin),
        "state": state(&it.state),
        "inclusion": inclusion(it.inclusion),
        "model": it.model.as_ref().map(model),
        "at": it.created_at,
        "parts": parts(store, session, &it.parts).await,
    })
}

async fn parts(store: &Store, session: SessionId, parts: &[ContentPart]) -> Vec<Value> {
    let mut all = Vec::new();
    for it in parts {
        all.push(part(store, session, it).await);
    }
    all
}

async fn part(store: &Store, session: SessionId, part: &ContentPart) -> Value {
    match part {
        ContentPart::Text { text } => json!({ "text": text }),
        ContentPart::Image(it) => json!({
            "picture": it.name,
            "type": it.media_type,
            "size": [it.width, it.height],
            "bytes": bytes(store, it.blob).await,
        }),
        ContentPart::File { blob, name, media_type, text, .. } => json!({
            "file": name,
            "type": media_type,
            "says": text,
            "bytes": bytes(store, *blob).await,
        }),
        ContentPart::Tool { call } => tool_call(store, session, call).await,
        ContentPart::Reasoning { .. } => panic!("the data has none: {part:?}"),
    }
}

async fn tool_call(store: &Store, session: SessionId, call: &ToolCall) -> Value {
    let ended = match &call.state {
        ToolState::Done { output } => {
            let whole = match output.whole {
                Some(whole) => {
                    let whole = store.output(session, whole.id, ReadAccess::User).await;
                    Some(whole.unwrap())
                }
                None => None,
            };
            json!({ "done": output.text, "whole": whole })
        }
        ToolState::Failed { message } => json!({ "failed": message }),
        ToolState::Denied {} => json!("denied"),
        other => panic!("the data has none: {other:?}"),
    };
    json!({ "tool": call.name, "id": call.call_id, "arguments": call.args, "ended": ended })
}

fn point(it: &CompactionPoint) -> Value {
    json!({
        "id": it.id.0,
        "summary": it.summary_message_id.0,
        "boundary": it.boundary_message_id.0,
        "before": it.before,
        "after": it.after,
        "covered": it.covered,
        "facts": it.anchors,
        "unread": it.unread.iter().map(|id| id.0).collect::<Vec<_>>(),
        "trigger": it.trigger,
        "model": it.model.as_ref().map(model),
        "at": it.created_at,
    })
}

fn generation(it: &Generation) -> Value {
    json!({
        "message": it.message_id.map(|id| id.0),
        "point": it.point.map(|id| id.0),
        "purpose": it.purpose,
        "model": model(&it.model),
        "usage": it.usage,
        "finish": it.finish,
        "at": it.started_at,
    })
}

fn reminder(it: &Reminder) -> Value {
    json!({
        "id": it.id.0,
        "content": it.content,
        "origin": origin(it.origin),
        "everywhere": it.scope == ReminderScope::Everywhere {},
        "continuation": it.continuation,
        "at": it.created_at,
    })
}

fn model(model: &ModelRef) -> String {
    format!("{}/{}", model.provider.0, model.model)
}

fn origin(origin: Origin) -> &'static str {
    match origin {
        Origin::Person => "user",
        Origin::Model => "model",
        Origin::Runtime => "program",
    }
}

fn cleared_by(by: ClearedBy) -> &'static str {
    match by {
        ClearedBy::Person => "user",
        ClearedBy::Model => "model",
        ClearedBy::Countdown => "countdown",
    }
}

fn beginning(beginning: &ThreadStart) -> String {
    match beginning {
        ThreadStart::First {} => "first".into(),
        ThreadStart::Person {} => "user".into(),
        ThreadStart::Archived { percent, file } => format!("archived at {percent} as {file}"),
        ThreadStart::Cleared { by } => format!("cleared by {}", cleared_by(*by)),
    }
}

fn kind(kind: &MessageKind) -> String {
    match kind {
        MessageKind::Chat {} => "chat".into(),
        MessageKind::Summary { .. } => "summary".into(),
        MessageKind::Card { .. } => "card".into(),
        MessageKind::Notice { notice } => match notice {
            Notice::Caution { prompt, optimal } => format!("caution {prompt} of {optimal}"),
            Notice::Critical { remaining } => format!("critical {remaining}"),
            Notice::Archived { percent } => format!("archived at {percent}"),
            Notice::Cleared { by, local_package } => {
                format!("cleared by {}, local package {local_package}", cleared_by(*by))
            }
        },
    }
}

fn state(state: &MessageState) -> String {
    match state {
        MessageState::Complete {} => "complete".into(),
        MessageState::Interrupted {} => "interrupted".into(),
        MessageState::Failed { error } => format!("failed: {}", String::from(error.clone())),
        other => panic!("the data has none: {other:?}"),
    }
}

fn inclusion(inclusion: Inclusion) -> &'static str {
    match inclusion {
        Inclusion::Usual => "usual",
        Inclusion::Pinned => "pinned",
        Inclusion::LeftOut => "left out",
    }
}

async fn bytes(store: &Store, blob: BlobId) -> String {
    let bytes = store.blob(blob).await.unwrap();
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
