//! Stored requests: what goes from them with a message that is deleted for good.

use std::io::{Read, Write, repeat};

use flate2::Compression;
use flate2::read::DeflateEncoder as DeflateReader;
use flate2::write::DeflateEncoder;
use rusqlite::{Connection, Params};
use serde_json::{Value, json};
use skein_context::tokens::token_count::{Basis, TokenCount};
use skein_context::window::{EntryLabel, PreviewEntry, PreviewPart};
use skein_domain::ids::{MessageId, PointId};
use skein_domain::message::{MessageState, Role};
use skein_store::{NewSession, PaidCall, PromptView};

use crate::scenario::{Scenario, a_session, growing};

fn line(label: EntryLabel, text: &str) -> PreviewEntry {
    let parts = vec![PreviewPart::Text { text: text.into() }];
    PreviewEntry { label, role: Some(Role::User), parts, tokens: 10 }
}

/// The line of a message with its words.
fn message(message_id: MessageId, text: &str) -> PreviewEntry {
    line(EntryLabel::Message { message_id }, text)
}

fn request(lines: Vec<PreviewEntry>) -> PromptView {
    let total = TokenCount { tokens: 100, basis: Basis::Borrowed };
    PromptView { lines, total, left_out: 1, removed: 0 }
}

impl Scenario {
    /// A reply of the first thread that answers the request.
    async fn answers(&self, request: PromptView) -> MessageId {
        let mut reply = self.store.append_message(self.thread(), growing()).await.unwrap();
        reply.state = MessageState::Complete {};
        let call = PaidCall { request: Some(request), ..PaidCall::default() };
        self.store.finish_reply(reply, call).await.unwrap().id
    }

    async fn request_of(&self, reply: MessageId) -> PromptView {
        self.store.sent_request(reply).await.unwrap().unwrap()
    }

    /// Changes the database from outside.
    fn tamper(&self, sql: &str, params: impl Params) {
        Connection::open(self.places.database()).unwrap().execute(sql, params).unwrap();
    }

    /// Stores a request for the reply that no version of the program writes.
    fn forge(&self, lines: Value) {
        let total = json!({ "tokens": 1, "basis": "exact" });
        let request = json!({ "lines": lines, "tokens": [1], "total": total, "leftOut": 0 });
        let mut deflated = DeflateEncoder::new(Vec::new(), Compression::default());
        deflated.write_all(request.to_string().as_bytes()).unwrap();
        self.tamper("UPDATE requests SET request = ?1", [deflated.finish().unwrap()]);
    }
}

#[tokio::test]
async fn w04_what_quotes_a_message_that_is_deleted_for_good_leaves_the_requests_of_its_thread() {
    let given = a_session().await;
    let secret = given.says(Role::User, "The key is under the mat.").await.id;
    let other = given.says(Role::User, "And the reed?").await.id;
    let summary = EntryLabel::Summary { message_id: other, point_id: PointId(1) };
    let sent = request(vec![
        line(EntryLabel::Opening {}, "The conversation begins."),
        line(summary, "The key is under the mat."),
        line(EntryLabel::Anchors {}, "key: under the mat"),
        line(EntryLabel::Passages {}, "> The key is under the mat."),
        message(other, "And the reed?"),
    ]);
    let reply = given.answers(sent.clone()).await;
    assert_eq!(given.request_of(reply).await, sent);
    given.store.purge(i64::MAX, vec![]).await.unwrap();
    assert_eq!(given.request_of(reply).await, sent);
    given.store.delete_message(secret, 1).await.unwrap();
    given.store.purge(i64::MAX, vec![]).await.unwrap();
    let lines = vec![sent.lines[0].clone(), sent.lines[4].clone()];
    assert_eq!(given.request_of(reply).await, PromptView { lines, removed: 3, ..sent });
}

#[tokio::test]
async fn w04_a_request_with_ranges_that_no_program_wrote_is_refused() {
    let given = a_session().await;
    let reply = given.answers(request(vec![line(EntryLabel::Opening {}, "It begins.")])).await;
    for ranges in [
        json!([[0, i64::MAX]]),
        json!([[i64::MIN, i64::MAX]]),
        json!([[2, 1]]),
        json!([[1, 1_000_000], [1, 1_000_000]]),
    ] {
        given.forge(ranges);
        assert!(given.store.sent_request(reply).await.is_err());
    }
    given.forge(json!([[1, 1_000_000]]));
    let seen = given.request_of(reply).await;
    assert_eq!((seen.lines.len(), seen.removed), (1, 999_999));
}

#[tokio::test]
async fn w04_a_line_that_inflates_without_end_is_refused() {
    let given = a_session().await;
    let reply = given.answers(request(vec![line(EntryLabel::Opening {}, "It begins.")])).await;
    let mut bomb = Vec::new();
    let spaces = repeat(b' ').take(65 << 20);
    DeflateReader::new(spaces, Compression::fast()).read_to_end(&mut bomb).unwrap();
    given.tamper("UPDATE request_lines SET line = ?1", [&bomb]);
    let refused = given.store.sent_request(reply).await.unwrap_err();
    assert!(format!("{refused:?}").contains("invalid data"), "{refused:?}");
    given.tamper("UPDATE requests SET request = ?1", [&bomb]);
    assert!(given.store.sent_request(reply).await.is_err());
}

#[tokio::test]
async fn w04_a_request_shows_no_line_of_another_thread() {
    let given = a_session().await;
    let sent = request(vec![line(EntryLabel::Opening {}, "It begins.")]);
    let reply = given.answers(sent).await;
    let other = given.store.create_session(NewSession::default()).await.unwrap().current_thread;
    given.tamper("UPDATE request_lines SET thread_id = ?1", [other.0]);
    let seen = given.request_of(reply).await;
    assert_eq!((seen.lines.len(), seen.removed), (0, 1));
}

#[tokio::test]
async fn w04_a_conversation_under_another_token_factor_stores_no_line_again() {
    let given = a_session().await;
    let sent = request(vec![
        line(EntryLabel::Opening {}, "It begins."),
        line(EntryLabel::Recall {}, "Search for more."),
        line(EntryLabel::GoOn {}, "Go on."),
    ]);
    let mut later = sent.clone();
    later.lines.remove(1);
    for (tokens, line) in (20..).zip(&mut later.lines) {
        line.tokens = tokens;
    }
    let replies = [given.answers(sent.clone()).await, given.answers(later.clone()).await];
    assert_eq!(given.request_of(replies[0]).await, sent);
    assert_eq!(given.request_of(replies[1]).await, later);
    let raw = Connection::open(given.places.database()).unwrap();
    let stored = raw.query_one("SELECT count(*) FROM request_lines", [], |row| row.get(0));
    assert_eq!(stored, Ok(3));
}
