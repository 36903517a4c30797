//! Replies, notices and the state of a turn.

use skein_context::compaction::remediation::Remediation;
use skein_context::health::health_snapshot;
use skein_domain::finish_reason::FinishReason;
use skein_domain::generation::{Generation, Purpose};
use skein_domain::ids::ProviderId;
use skein_domain::message::{MessageKind, Notice, Origin, Role};
use skein_domain::model::{ModelRef, ModelSpec};
use skein_domain::usage::TokenUsage;
use skein_store::{
    ActivityLogEntry, AutomaticEvent, MessageParent, NewMessage, NewSession, TurnMessage,
};

use super::fixtures::model;
use crate::scenario::{NOW, Scenario, a_session, open, remediation, said};

#[tokio::test]
async fn the_last_reply_of_a_thread_is_found_behind_whatever_else_was_generated() {
    let Scenario { store, session, .. } = &a_session().await;
    let thread = session.current_thread;
    assert_eq!(store.last_reply(thread).await.unwrap(), None);
    let generated = |purpose, at| Generation {
        message_id: None,
        place: None,
        point: None,
        prefix: None,
        purpose,
        model: ModelRef { provider: ProviderId("demo".into()), model: "demo-8k".into() },
        usage: TokenUsage { prompt: Some(12), ..TokenUsage::default() },
        health: None,
        finish: Some(FinishReason::Stop),
        started_at: at,
        duration_ms: 5,
        unmentioned: None,
    };
    for (purpose, at) in [(Purpose::Reply, 1), (Purpose::Reply, 2), (Purpose::Summary, 3)] {
        store.add_generation(thread, generated(purpose, at)).await.unwrap();
    }
    let last = store.last_reply(thread).await.unwrap();
    assert_eq!(last, Some(generated(Purpose::Reply, 2)));
}

#[tokio::test]
async fn d13_a_notice_is_posted_with_where_the_thread_stands_or_neither_happens() {
    let given = a_session().await;
    let other = given.store.create_session(NewSession::default()).await.unwrap();
    let elsewhere = said(Role::User, "elsewhere");
    let elsewhere = given.store.append_message(other.current_thread, elsewhere).await.unwrap();
    let (store, thread) = (&given.store, given.thread());
    let notice = |parent| NewMessage {
        parent,
        kind: MessageKind::Notice { notice: Notice::Critical { remaining: 4 } },
        origin: Origin::Runtime,
        ..said(Role::User, "four left")
    };
    let counting = Remediation::Critical { rest: 4 };
    let event = AutomaticEvent::Reminded { remaining: Some(4) };
    let post = |parent| store.post_notice(thread, notice(parent), counting, event.clone());
    post(MessageParent::Under(Some(elsewhere.id))).await.unwrap_err();
    assert_eq!(remediation(&given, thread).await, Remediation::default());
    assert_eq!(store.activity_log(thread).await.unwrap(), []);

    post(MessageParent::Leaf).await.unwrap();
    assert_eq!(given.path().await, ["four left"]);
    assert_eq!(remediation(&given, thread).await, counting);
    assert_eq!(store.activity_log(thread).await.unwrap(), [ActivityLogEntry { event, at: NOW }]);
}

#[tokio::test]
async fn d10_the_chart_reads_the_latest_replies_that_were_measured_and_no_more() {
    let Scenario { store, session, .. } = &a_session().await;
    let thread = session.current_thread;
    let measured = health_snapshot(&TokenUsage::default(), &ModelSpec::default());
    for at in 0..9 {
        let replies = at % 3 != 0;
        let generation = Generation {
            message_id: None,
            place: None,
            point: None,
            prefix: None,
            purpose: if replies { Purpose::Reply } else { Purpose::Summary },
            model: ModelRef { provider: ProviderId("demo".into()), model: "demo-8k".into() },
            usage: TokenUsage::default(),
            health: (at != 7).then(|| measured.clone()),
            finish: None,
            started_at: at,
            duration_ms: 5,
            unmentioned: None,
        };
        store.add_generation(thread, generation).await.unwrap();
    }
    let latest = store.last_with_health(thread, 3).await.unwrap();
    let latest: Vec<_> = latest.iter().map(|generation| generation.started_at).collect();
    assert_eq!(latest, [4, 5, 8]);
}

#[tokio::test]
async fn a_session_keeps_the_model_of_its_first_turn_and_an_empty_queue_begins_none() {
    let Scenario { store, folder: _folder, .. } = a_session().await;
    let session = store.create_session(NewSession::default()).await.unwrap();
    let begin =
        async |message, default| store.begin_turn(session.id, message, model(default)).await;
    let begun = begin(TurnMessage::Queued { now: NOW }, "first").await.unwrap();
    assert_eq!((begun.model, begun.message), (model("first"), None));
    assert_eq!(store.session(session.id).await.unwrap().model, None, "nothing has begun");

    let draft = TurnMessage::Draft(said(Role::User, "Wool?"));
    let begun = begin(draft, "first").await.unwrap();
    assert_eq!((begun.model, begun.message.unwrap().text()), (model("first"), "Wool?".into()));
    let begun = begin(TurnMessage::Nothing, "second").await.unwrap();
    assert_eq!(begun.model, model("first"));
    assert_eq!(store.session(session.id).await.unwrap().model, Some(model("first")));
}

#[tokio::test]
async fn a_turn_that_a_killed_program_left_is_marked_once() {
    let given = a_session().await;
    given.says(Role::User, "Wool?").await;
    let Scenario { store, session, folder, .. } = given;
    let begun = store.begin_turn(session.id, TurnMessage::Nothing, model("m")).await.unwrap();
    assert_eq!((begun.thread, begun.message), (session.current_thread, None));
    drop(store);
    for unread in [true, false] {
        let store = open(folder.path());
        let state = store.session_read_states().await.unwrap().remove(&session.id).unwrap();
        assert_eq!((state.unread, state.is_unanswered), (unread, unread));
        assert!(store.is_turn_cut(session.id).await.unwrap());
        store.mark_opened(session.id).await.unwrap();
    }
}
