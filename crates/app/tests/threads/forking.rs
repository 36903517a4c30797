//! A conversation that goes on in a session of its own.

use serde_json::Value;
use skein_domain::error::Error;
use skein_domain::ids::{MessageId, SessionId};
use skein_domain::message::{Inclusion, Message, Role};

use crate::scenario::{Say, Scenario, deaf, message, under};

/// A message of about four thousand tokens.
fn long(fact: &str) -> String {
    format!("{fact} {}", "The shuttle crosses the warp and the reed beats it home. ".repeat(320))
}

/// Four rounds, of which the first are compacted, one message is pinned and one left out.
async fn given() -> Scenario {
    let given = under("summarize").await;
    given.app.sessions.rename(given.session, "Looms".into()).await.unwrap();
    given.model.says([Say::words("Noted.")]);
    for fact in ["The port is 7443.", "Miso is a cat.", "We ship on Friday.", "Ada is away."] {
        given.send(&long(fact)).await.unwrap();
    }
    let path = path(&given).await;
    given.app.messages.include(path[0].id, Inclusion::Pinned).await.unwrap();
    given.app.messages.include(path[4].id, Inclusion::LeftOut).await.unwrap();
    given.app.compactions.compact(given.session, None, None).await.unwrap().await.unwrap().unwrap();
    given.send("And now?").await.unwrap();
    given
}

/// The messages on the path, without those beside it.
async fn path(given: &Scenario) -> Vec<Message> {
    let messages = given.messages(given.current().await).await;
    messages.into_iter().filter(|it| !it.is_summary()).collect()
}

/// The request when the user continues in a session.
async fn request(given: &Scenario, session: SessionId) -> Value {
    given.app.turns.run(session, message("Go on."), deaf()).await.unwrap();
    let mut asked = given.model.asked().pop().unwrap();
    ["messages", "tools"].map(|field| asked[field].take()).into_iter().collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_of_its_own_sends_byte_for_byte_what_the_other_would_from_there() {
    let given = given().await;
    let whole = path(&given).await;
    let boundary = given.app.compactions.list(given.session).await.unwrap().points[0].point.clone();
    let mut compacted = 0;
    for end in whole.iter().filter(|it| it.role == Role::Assistant) {
        let fork = given.app.sessions.fork(end.id).await.unwrap();
        let here = request(&given, fork).await;
        given.app.messages.set_leaf(end.id).await.unwrap();
        assert_eq!(here, request(&given, given.session).await, "from {:?}", end.id);
        compacted += usize::from(end.id >= boundary.boundary_message_id);
        given.settled().await;
    }
    assert!((2..whole.len() / 2).contains(&compacted), "ends before the boundary and behind it");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_session_it_comes_from_stays_as_it_is() {
    let given = given().await;
    let before = given.messages(given.current().await).await;
    let end = path(&given).await[3].id;
    let fork = given.app.sessions.fork(end).await.unwrap();
    assert_eq!(given.messages(given.current().await).await, before);
    let sessions = given.app.sessions.list().await.unwrap();
    assert_eq!(sessions.iter().map(|it| it.id).collect::<Vec<_>>(), [fork, given.session]);
    let thread = given.app.sessions.get(fork).await.unwrap().session.current_thread;
    let said = given.messages(thread).await.into_iter().filter(|it| !it.is_summary());
    let begins = said.map(|it| it.text().chars().take(16).collect::<String>());
    assert_eq!(
        begins.collect::<Vec<_>>(),
        ["The port is 7443", "Noted.", "Miso is a cat. T", "Noted."]
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_begins_from_a_message_that_is_not_there() {
    let given = under("summarize").await;
    let nowhere = given.app.sessions.fork(MessageId(404)).await;
    assert_eq!(nowhere, Err(Error::NotFound { what: "message".into() }));
    assert_eq!(given.app.sessions.list().await.unwrap().len(), 1);
}
