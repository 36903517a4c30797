//! The initial state of the tests.

use std::path::Path;

use rusqlite::{Connection, params};
use skein_context::compaction::fingerprint;
use skein_context::compaction::remediation::Remediation;
use skein_domain::compaction_point::{CompactionTrigger, SummaryWriter};
use skein_domain::ids::{MessageId, ThreadId};
use skein_domain::message::{ContentPart, Message, MessageKind, MessageState, Origin, Role};
use skein_domain::session::Session;
use skein_platform::paths::AppPaths;
use skein_store::{
    MessageParent, NewCompaction, NewMessage, NewSession, PointVersion, Store, TranscriptPage,
};
use tempfile::TempDir;

pub const NOW: i64 = 1_800_000_000_000;

/// A store in a folder of its own, with one session.
pub struct Scenario {
    pub store: Store,
    pub session: Session,
    pub places: AppPaths,
    pub folder: TempDir,
}

pub async fn a_session() -> Scenario {
    let folder = tempfile::tempdir().unwrap();
    let places = AppPaths::in_folder(folder.path());
    let store = Store::open(&places, NOW).unwrap();
    let session = store.create_session(NewSession::default()).await.unwrap();
    Scenario { store, session, places, folder }
}

pub fn open(folder: &Path) -> Store {
    Store::open(&AppPaths::in_folder(folder), NOW).unwrap()
}

impl Scenario {
    pub fn thread(&self) -> ThreadId {
        self.session.current_thread
    }

    pub async fn says(&self, role: Role, text: &str) -> Message {
        self.store.append_message(self.thread(), said(role, text)).await.unwrap()
    }

    /// The texts of the path of the first thread, root first.
    pub async fn path(&self) -> Vec<String> {
        self.path_of(self.thread()).await
    }

    /// The last messages of the path of the first thread.
    pub async fn last_page(&self, limit: u32) -> TranscriptPage {
        let last = self.store.path_ids(self.thread()).await.unwrap().last().copied();
        self.store.transcript_page(self.thread(), last, limit).await.unwrap()
    }

    /// The point that a compaction of the first thread would replace, if no branch has points of
    /// its own.
    pub async fn replaces(&self) -> Option<PointVersion> {
        replaces(&self.store, self.thread()).await
    }

    pub async fn path_of(&self, thread: ThreadId) -> Vec<String> {
        let path = self.store.path_after(thread, None).await.unwrap();
        path.iter().map(Message::text).collect()
    }
}

/// The state of a thread's sequence of caution notices, countdown and clear.
pub async fn remediation(given: &Scenario, thread: ThreadId) -> Remediation {
    let connection = Connection::open(given.places.database()).unwrap();
    let sql = "SELECT remediation FROM threads WHERE id = ?1";
    let stored: String = connection.query_row(sql, [thread.0], |row| row.get(0)).unwrap();
    serde_json::from_str(&stored).unwrap()
}

/// A compaction of the first thread up to this message, ready to be applied.
pub async fn new_point(given: &Scenario, boundary: MessageId) -> NewCompaction {
    let covered = given.store.path_to(boundary).await.unwrap();
    NewCompaction {
        thread: given.thread(),
        summary: "in short".into(),
        starts_after: None,
        boundary,
        end: MessageParent::Leaf,
        before: 1_000,
        after: 100,
        covered: u32::try_from(covered.len()).unwrap(),
        fingerprint: fingerprint(&covered),
        unread: Vec::new(),
        replaces: given.replaces().await,
        builds_on: None,
        facts: "port: 7443".into(),
        encrypted: None,
        trigger: CompactionTrigger::Threshold,
        model: None,
        writer: SummaryWriter::Skein,
        created_at: NOW,
    }
}

/// The latest point of a thread, as a compaction finds it.
pub async fn replaces(store: &Store, thread: ThreadId) -> Option<PointVersion> {
    let point = store.points(thread).await.unwrap().pop()?;
    let summary = store.message(point.summary_message_id).await.unwrap();
    Some(PointVersion { point: point.id, summary: fingerprint([&summary]) })
}

pub fn said(role: Role, text: &str) -> NewMessage {
    NewMessage {
        parent: MessageParent::Leaf,
        kind: MessageKind::Chat {},
        role,
        origin: match role {
            Role::User => Origin::Person,
            Role::Assistant => Origin::Model,
        },
        parts: vec![text_part(text)],
        state: MessageState::Complete {},
        model: None,
        created_at: NOW,
    }
}

pub fn said_under(parent: Option<MessageId>, role: Role, text: &str) -> NewMessage {
    NewMessage { parent: MessageParent::Under(parent), ..said(role, text) }
}

pub fn growing() -> NewMessage {
    NewMessage { state: MessageState::Streaming {}, parts: vec![], ..said(Role::Assistant, "") }
}

pub fn text_part(text: &str) -> ContentPart {
    ContentPart::Text { text: text.into() }
}

/// A database as the first version left it, with one session and these messages.
pub fn old_database(messages: &[&str]) -> (TempDir, AppPaths) {
    let folder = tempfile::tempdir().unwrap();
    let places = AppPaths::in_folder(folder.path());
    let mut raw = Connection::open(places.database()).unwrap();
    let raw = raw.transaction().unwrap();
    raw.execute_batch(include_str!("../../../../migrations/01-foundation/up.sql")).unwrap();
    raw.pragma_update(None, "user_version", 1).unwrap();
    raw.execute_batch(
        "INSERT INTO sessions DEFAULT VALUES; INSERT INTO threads (session_id) VALUES (1)",
    )
    .unwrap();
    for (id, text) in (1_i64..).zip(messages) {
        raw.execute(
            "INSERT INTO messages (id, thread_id, parent_id) VALUES (?1, 1, nullif(?1 - 1, 0))",
            [id],
        )
        .unwrap();
        raw.execute("INSERT INTO parts (message_id, text) VALUES (?1, ?2)", params![id, text])
            .unwrap();
        raw.execute("UPDATE threads SET leaf_id = ?1", [id]).unwrap();
    }
    raw.commit().unwrap();
    (folder, places)
}
