//! The log of automatic events.

use rusqlite::{Connection, params};
use skein_context::compaction::fingerprint;
use skein_domain::compaction_point::{CompactionPoint, CompactionTrigger, SummaryWriter};
use skein_domain::error::CompactionFailure;
use skein_domain::ids::{ProviderId, SessionId};
use skein_domain::message::Role;
use skein_domain::model::ModelRef;
use skein_store::{AutomaticEvent, MessageParent, NewCompaction, NoProviderSummaryReason, Store};

use crate::scenario::{NOW, Scenario, a_session, old_database, open};

fn model(name: &str) -> ModelRef {
    ModelRef { provider: ProviderId("p".into()), model: name.into() }
}

/// The reasons of the failures for which the model `m` was asked first.
async fn failures(store: &Store, session: SessionId) -> Vec<CompactionFailure> {
    let failed = store.session_state(session).await.unwrap().thread.failed_compactions;
    let of_model = failed.into_iter().filter(|failed| failed.model == model("m"));
    of_model.map(|failed| failed.reason).collect()
}

impl Scenario {
    async fn fails(&self, reason: CompactionFailure, first_asked: Option<ModelRef>, at: i64) {
        let event = AutomaticEvent::NotCompacted { reason, model: first_asked };
        self.store.append_activity(self.thread(), event, at).await.unwrap();
    }

    async fn failures(&self) -> Vec<CompactionFailure> {
        failures(&self.store, self.session.id).await
    }

    /// A compaction by the user, which the log does not contain.
    async fn is_compacted(&self, at: i64) -> CompactionPoint {
        let said = self.says(Role::User, "one").await;
        let covered = self.store.path_to(said.id).await.unwrap();
        let new = NewCompaction {
            thread: self.thread(),
            summary: "in short".into(),
            starts_after: None,
            boundary: said.id,
            end: MessageParent::Leaf,
            before: 100,
            after: 10,
            covered: 1,
            fingerprint: fingerprint(&covered),
            unread: Vec::new(),
            replaces: self.replaces().await,
            builds_on: None,
            facts: String::new(),
            encrypted: None,
            trigger: CompactionTrigger::Manual,
            writer: SummaryWriter::Skein,
            model: None,
            created_at: at,
        };
        self.store.add_point(new).await.unwrap()
    }
}

#[tokio::test]
async fn failures_are_those_since_the_thread_was_compacted_also_by_hand_and_also_if_undone() {
    let given = a_session().await;
    given.fails(CompactionFailure::NotShorter, Some(model("m")), NOW).await;
    given.fails(CompactionFailure::ModelFailed, Some(model("m")), NOW + 1).await;
    assert_eq!(given.failures().await.len(), 2);
    given.is_compacted(NOW + 2).await;
    assert_eq!(given.failures().await.len(), 0, "compacted");
    given.store.undo_point(given.thread(), None, NOW + 3).await.unwrap();
    assert_eq!(given.failures().await.len(), 0, "undone");
    given.fails(CompactionFailure::TooLittleGained, Some(model("m")), NOW + 4).await;
    assert_eq!(given.failures().await.len(), 1, "failed again");
}

#[tokio::test]
async fn w05_messages_that_do_not_fit_the_providers_compaction_are_logged_once_for_each_point() {
    let given = a_session().await;
    let missing = async |name: &str, reason| {
        let event = AutomaticEvent::NoProviderSummary { model: model(name), reason };
        given.store.append_activity(given.thread(), event, NOW).await.unwrap();
        given.store.activity_log(given.thread()).await.unwrap().len()
    };
    assert_eq!(missing("m", NoProviderSummaryReason::TooLong).await, 1);
    given.fails(CompactionFailure::NotShorter, Some(model("m")), NOW).await;
    assert_eq!(missing("m", NoProviderSummaryReason::TooLong).await, 2, "as before");
    assert_eq!(missing("n", NoProviderSummaryReason::TooLong).await, 3, "of another model");
    assert_eq!(missing("m", NoProviderSummaryReason::Failed).await, 4);
    assert_eq!(missing("m", NoProviderSummaryReason::Failed).await, 5, "each call is paid for");
    given.is_compacted(NOW).await;
    assert_eq!(missing("m", NoProviderSummaryReason::TooLong).await, 6, "after another point");
}

#[tokio::test]
async fn the_reasons_of_failures_are_told_the_last_one_last() {
    let given = a_session().await;
    for reason in
        [CompactionFailure::NotShorter, CompactionFailure::Cancelled, CompactionFailure::CutOff]
    {
        given.fails(reason, Some(model("m")), NOW).await;
    }
    assert_eq!(given.failures().await, [CompactionFailure::NotShorter, CompactionFailure::CutOff]);
}

#[tokio::test]
async fn what_failed_since_a_compaction_is_known_though_the_clock_was_set_back() {
    const DAY: i64 = 24 * 60 * 60 * 1_000;
    let given = a_session().await;
    given.fails(CompactionFailure::NotShorter, Some(model("m")), NOW + DAY).await;
    given.is_compacted(NOW).await;
    assert_eq!(
        given.failures().await.len(),
        0,
        "compacted by hand, by a clock that is right again"
    );
    given.is_compacted(NOW + DAY).await;
    given.fails(CompactionFailure::NotShorter, Some(model("m")), NOW).await;
    assert_eq!(
        given.failures().await.len(),
        1,
        "failed after a compaction of a day that never was"
    );
}

#[tokio::test]
async fn what_an_earlier_version_counted_as_failed_still_counts() {
    let (folder, places) = old_database(&["one"]);
    let raw = Connection::open(places.database()).unwrap();
    let failed = serde_json::to_string(&AutomaticEvent::NotCompacted {
        reason: CompactionFailure::NotShorter,
        model: Some(model("m")),
    });
    let failed = failed.unwrap();
    for at in [10, 30] {
        let row = "INSERT INTO automatic (thread_id, event, at) VALUES (1, ?1, ?2)";
        raw.execute(row, params![failed, at]).unwrap();
    }
    let point = "INSERT INTO points (thread_id, summary_id, boundary_id, created_at)
                 VALUES (1, 1, 1, 20)";
    raw.execute(point, []).unwrap();
    drop(raw);
    let store = open(folder.path());
    assert_eq!(failures(&store, SessionId(1)).await, [CompactionFailure::NotShorter]);
}

#[tokio::test]
async fn a_failure_that_cannot_be_decoded_is_left_out_and_the_session_stays_readable() {
    let (folder, places) = old_database(&["one"]);
    let raw = Connection::open(places.database()).unwrap();
    for event in [
        r#"{"type":"notCompacted","reason":"ofAnotherProgram","model":{"provider":"p","model":"m"}}"#,
        r#"{"type":"notCompacted","reason":"notShorter","model":{"model":"m"}}"#,
        r#"{"type":"notCompacted","reason":"notShorter","model":{"provider":"p","model":"m"}}"#,
    ] {
        let row = "INSERT INTO automatic (thread_id, event, at) VALUES (1, ?1, 10)";
        raw.execute(row, [event]).unwrap();
    }
    drop(raw);
    let store = open(folder.path());
    assert_eq!(failures(&store, SessionId(1)).await, [CompactionFailure::NotShorter]);
}

#[tokio::test]
async fn what_the_person_changed_or_stopped_is_no_failure_nor_is_what_happened_otherwise() {
    let given = a_session().await;
    given.fails(CompactionFailure::Changed, Some(model("m")), NOW).await;
    given.fails(CompactionFailure::Cancelled, Some(model("m")), NOW).await;
    let other = AutomaticEvent::LimitLearned { window: 8_192 };
    given.store.append_activity(given.thread(), other, NOW).await.unwrap();
    assert_eq!(given.failures().await.len(), 0);
}

#[tokio::test]
async fn another_model_to_write_the_summary_begins_without_failures() {
    let given = a_session().await;
    given.fails(CompactionFailure::NotShorter, Some(model("another")), NOW).await;
    given.fails(CompactionFailure::NotShorter, None, NOW).await;
    assert_eq!(given.failures().await.len(), 0);
    given.fails(CompactionFailure::NotShorter, Some(model("m")), NOW).await;
    assert_eq!(given.failures().await.len(), 1);
}

#[tokio::test]
async fn that_a_thread_is_stuck_or_stopped_is_noted_once_until_a_compaction_is_tried_again() {
    let given = a_session().await;
    let stuck = |floor| AutomaticEvent::Stuck { floor, limit: 10 };
    let elsewhere = AutomaticEvent::Stuck { floor: 13, limit: 12 };
    let failed =
        AutomaticEvent::NotCompacted { reason: CompactionFailure::ModelFailed, model: None };
    let stopped = AutomaticEvent::Stopped {};
    let (first, again) = (stuck(11), stuck(13));
    let note = async |event: &AutomaticEvent| {
        given.store.append_activity(given.thread(), event.clone(), NOW).await.unwrap();
    };
    for event in [&first, &stuck(12), &failed, &stopped, &stopped, &failed, &again, &elsewhere] {
        note(event).await;
    }
    given.is_compacted(NOW).await;
    note(&elsewhere).await;
    let log = given.store.activity_log(given.thread()).await.unwrap();
    let log: Vec<_> = log.into_iter().map(|entry| entry.event).collect();
    let (once, by_hand) = (elsewhere.clone(), elsewhere);
    assert_eq!(log, [first, failed.clone(), stopped, failed, again, once, by_hand]);
}
