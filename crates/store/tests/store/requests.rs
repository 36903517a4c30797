//! Stored requests: what goes from them with a message that is deleted for good.

use skein_context::tokens::token_count::{Basis, TokenCount};
use skein_context::window::{EntryLabel, PreviewEntry, PreviewPart};
use skein_domain::ids::{MessageId, PointId};
use skein_domain::message::{MessageState, Role};
use skein_store::{PaidCall, SentRequest};

use crate::given::{Given, a_session, growing};

fn line(label: EntryLabel, text: &str) -> PreviewEntry {
    let parts = vec![PreviewPart::Text { text: text.into() }];
    PreviewEntry { label, role: Some(Role::User), parts, tokens: 10 }
}

/// The line of a message with its words.
fn message(message_id: MessageId, text: &str) -> PreviewEntry {
    line(EntryLabel::Message { message_id }, text)
}

fn request(lines: Vec<PreviewEntry>) -> SentRequest {
    let total = TokenCount { tokens: 100, basis: Basis::Borrowed };
    SentRequest { lines, total, left_out: 1, removed: 0 }
}

impl Given {
    /// A reply of the first thread that answers the request.
    async fn answers(&self, request: SentRequest) -> MessageId {
        let mut reply = self.store.append_message(self.thread(), growing()).await.unwrap();
        reply.state = MessageState::Complete {};
        let call = PaidCall { request: Some(request), ..PaidCall::default() };
        self.store.finish_reply(reply, call).await.unwrap().id
    }

    async fn request_of(&self, reply: MessageId) -> SentRequest {
        self.store.sent_request(reply).await.unwrap().unwrap()
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
    assert_eq!(given.request_of(reply).await, SentRequest { lines, removed: 3, ..sent });
}
