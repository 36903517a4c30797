//! Threads that are cleared, left and taken up again, and the undo (D15).

use skein_context::compaction::remediation::Remediation;
use skein_domain::error::Error;
use skein_domain::health::HealthLevel;
use skein_domain::message::{MessageKind, Notice, Origin, Role};
use skein_domain::reminder::ReminderScope;
use skein_domain::session::{ClearedBy, Thread, ThreadStart};
use skein_store::{
    ActivityLogEntry, AutomaticEvent, MessageParent, NewMessage, NewReminder, NewThread,
};

use crate::scenario::{NOW, Scenario, a_session, remediation, said, said_under};

#[tokio::test]
async fn a_package_is_of_the_thread_in_which_somebody_wrote_it_whatever_the_clock_says() {
    let given = a_session().await;
    let Scenario { store, session, .. } = &given;
    let package = |origin, created_at| NewReminder {
        content: "go on".into(),
        scope: ReminderScope::Session { session_id: session.id },
        origin,
        continuation: true,
        level: None,
        created_at,
    };
    store.add_reminder(package(Origin::Runtime, NOW)).await.unwrap();
    assert!(!store.has_handoff(given.thread()).await.unwrap(), "the program's own");
    let written = store.add_reminder(package(Origin::Model, NOW - 1_000_000)).await.unwrap();
    assert!(store.has_handoff(given.thread()).await.unwrap());
    let begun = NewThread { package: Some(package(Origin::Model, NOW)), ..cleared(&given) };
    let next = store.begin_thread(begun).await.unwrap().id;
    assert!(!store.has_handoff(next).await.unwrap(), "written in the thread before");
    let (id, words) = (written.id, "go on so".to_owned());
    store.update_own_reminder(id, session.id, words, NOW - 1).await.unwrap();
    assert!(store.has_handoff(next).await.unwrap());
}

fn cleared(given: &crate::scenario::Scenario) -> NewThread {
    NewThread {
        session: given.session.id,
        beginning: ThreadStart::Cleared { by: ClearedBy::Countdown },
        notice: Some(NewMessage {
            kind: MessageKind::Notice {
                notice: Notice::Cleared { by: ClearedBy::Countdown, local_package: true },
            },
            origin: Origin::Runtime,
            ..said(Role::User, "cleared")
        }),
        carried: vec![],
        end: MessageParent::Leaf,
        package: None,
        event: None,
        at: NOW + 5,
    }
}

#[tokio::test]
async fn d15_a_clear_carries_the_persons_message_over_and_its_undo_carries_it_back() {
    let given = a_session().await;
    given.says(Role::User, "one").await;
    given.says(Role::Assistant, "two").await;
    let asked = given.says(Role::User, "three").await;
    let before = given.store.thread(given.thread()).await.unwrap();

    let begun =
        given.store.begin_thread(NewThread { carried: vec![asked.id], ..cleared(&given) }).await;
    let begun = begun.unwrap();
    assert_eq!(
        begun,
        Thread {
            id: begun.id,
            session_id: given.session.id,
            number: 2,
            leaf: Some(asked.id),
            beginning: ThreadStart::Cleared { by: ClearedBy::Countdown },
            created_at: NOW + 5,
            ended_at: None,
        }
    );
    assert_eq!(given.path_of(begun.id).await, ["cleared", "three"]);
    assert_eq!(given.path_of(before.id).await, ["one", "two"]);
    let session = given.store.session(given.session.id).await.unwrap();
    assert_eq!(session.current_thread, begun.id);

    assert_eq!(given.store.undo_thread(begun.id, NOW + 6).await.unwrap(), before);
    assert_eq!(given.path_of(before.id).await, ["one", "two", "three"]);
    assert_eq!(given.store.threads(given.session.id).await.unwrap(), [before]);
}

#[tokio::test]
async fn d15_a_question_that_is_answered_anew_is_carried_over_and_what_followed_it_is_still_shown()
{
    let given = a_session().await;
    given.says(Role::User, "one").await;
    given.says(Role::Assistant, "two").await;
    let asked = given.says(Role::User, "three").await;
    given.says(Role::Assistant, "four").await;
    given.says(Role::User, "five").await;
    let end = MessageParent::Under(Some(asked.id));
    let new = NewThread { carried: vec![asked.id], end, ..cleared(&given) };
    let begun = given.store.begin_thread(new).await.unwrap();
    assert_eq!(given.path_of(begun.id).await, ["cleared", "three", "four", "five"]);
    assert_eq!(given.path().await, ["one", "two"]);
    given.store.undo_thread(begun.id, NOW + 6).await.unwrap();
    assert_eq!(given.path().await, ["one", "two", "three", "four", "five"]);
}

#[tokio::test]
async fn d15_where_former_answers_came_along_the_undo_takes_all_of_it_back_as_one_conversation() {
    let given = a_session().await;
    let (store, first) = (&given.store, given.thread());
    given.says(Role::User, "one").await;
    given.says(Role::Assistant, "two").await;
    let asked = given.says(Role::User, "three").await;
    let former = given.says(Role::Assistant, "four").await;
    given.says(Role::User, "five").await;
    let end = MessageParent::Under(Some(asked.id));
    let begun = NewThread { carried: vec![asked.id], end, ..cleared(&given) };
    let begun = store.begin_thread(begun).await.unwrap().id;
    let anew = said_under(Some(asked.id), Role::Assistant, "anew");
    store.append_message(begun, anew).await.unwrap();
    store.append_message(begun, said(Role::User, "six")).await.unwrap();
    assert_eq!(given.path_of(begun).await, ["cleared", "three", "anew", "six"]);

    assert_eq!(store.undo_thread(begun, NOW + 6).await.unwrap().id, first);
    assert_eq!(given.path().await, ["one", "two", "three", "anew", "six"]);
    assert_eq!(store.threads(given.session.id).await.unwrap().len(), 1);
    store.switch_to_branch(former.id).await.unwrap();
    assert_eq!(given.path().await, ["one", "two", "three", "four", "five"]);
    store.delete_sessions(vec![given.session.id], NOW + 7).await.unwrap();
    let deleted = store.deleted_sessions().await.unwrap();
    assert_eq!(deleted[0].messages, 8, "with the notice; none of it is only carried any more");
}

#[tokio::test]
async fn d15_a_round_that_was_carried_in_its_middle_does_not_take_the_whole_thread_back() {
    let given = a_session().await;
    let store = &given.store;
    given.says(Role::User, "one").await;
    let asked = given.says(Role::User, "two").await;
    let step = given.says(Role::Assistant, "a step").await;
    let new = NewThread { carried: vec![asked.id, step.id], ..cleared(&given) };
    let begun = store.begin_thread(new).await.unwrap().id;
    for (role, text) in
        [(Role::Assistant, "done"), (Role::User, "three"), (Role::Assistant, "four")]
    {
        store.append_message(begun, said(role, text)).await.unwrap();
    }
    store.undo_thread(begun, NOW + 6).await.unwrap();
    assert_eq!(given.path().await, ["one"]);
    let there = ["cleared", "two", "a step", "done", "three", "four"];
    assert_eq!(given.path_of(begun).await, there);
    let threads = store.threads(given.session.id).await.unwrap();
    assert_eq!(threads.len(), 2, "it can be read and gone on with");
}

#[tokio::test]
async fn d15_an_answer_to_what_was_carried_keeps_it_in_the_thread_that_is_undone() {
    let given = a_session().await;
    given.says(Role::User, "one").await;
    let asked = given.says(Role::User, "two").await;
    let new = NewThread { carried: vec![asked.id], ..cleared(&given) };
    let begun = given.store.begin_thread(new).await.unwrap().id;
    given.store.append_message(begun, said(Role::Assistant, "three")).await.unwrap();
    given.store.undo_thread(begun, NOW + 6).await.unwrap();
    assert_eq!(given.path().await, ["one"]);
    assert_eq!(given.path_of(begun).await, ["cleared", "two", "three"]);
}

#[tokio::test]
async fn d15_a_cleared_thread_in_which_more_was_said_stays_readable_after_the_undo() {
    let given = a_session().await;
    given.says(Role::User, "one").await;
    let before = given.store.thread(given.thread()).await.unwrap();
    let begun = given.store.begin_thread(cleared(&given)).await.unwrap();
    given.store.append_message(begun.id, said(Role::User, "anew")).await.unwrap();
    given.store.undo_thread(begun.id, NOW + 6).await.unwrap();
    let threads = given.store.threads(given.session.id).await.unwrap();
    let numbers: Vec<_> = threads.iter().map(|thread| (thread.number, thread.ended_at)).collect();
    assert_eq!(numbers, [(1, None), (2, Some(NOW + 6))]);
    assert_eq!(threads[0], before);
}

#[tokio::test]
async fn d15_a_question_whose_answer_failed_goes_back_with_the_undo() {
    let given = a_session().await;
    given.says(Role::User, "one").await;
    let asked = given.says(Role::User, "two").await;
    let new = NewThread { carried: vec![asked.id], ..cleared(&given) };
    let begun = given.store.begin_thread(new).await.unwrap();
    given.store.append_message(begun.id, said(Role::Assistant, "")).await.unwrap();
    given.store.undo_thread(begun.id, NOW + 6).await.unwrap();
    assert_eq!(given.path().await, ["one", "two"]);
}

#[tokio::test]
async fn a_thread_that_was_left_is_gone_on_with_as_it_was() {
    let given = a_session().await;
    let (store, first) = (&given.store, given.thread());
    given.says(Role::User, "one").await;
    let second = store.begin_thread(cleared(&given)).await.unwrap().id;
    store.append_message(second, said(Role::User, "used")).await.unwrap();
    let before = store.thread(second).await.unwrap();
    store.undo_thread(second, NOW + 6).await.unwrap();

    assert_eq!(store.resume_thread(second, NOW + 7).await.unwrap(), first);
    assert_eq!(store.thread(second).await.unwrap(), before);
    let threads = store.threads(given.session.id).await.unwrap();
    let ended: Vec<_> = threads.iter().map(|it| (it.id, it.ended_at)).collect();
    assert_eq!(ended, [(second, None), (first, Some(NOW + 7))]);
    assert_eq!(store.resume_thread(second, NOW + 8).await.unwrap(), second, "it is already");
    assert_eq!(store.thread(second).await.unwrap(), before);
}

#[tokio::test]
async fn d14_a_thread_that_is_left_however_begins_its_countdown_anew_when_it_is_taken_up_again() {
    let given = a_session().await;
    let (store, first) = (&given.store, given.thread());
    let waits = Remediation::Critical { rest: 0 };
    let new = NewThread { notice: None, carried: vec![], package: None, ..cleared(&given) };
    store.set_remediation(first, waits).await.unwrap();
    let second = store.begin_thread(new.clone()).await.unwrap().id;
    assert_eq!(remediation(&given, first).await, Remediation::default(), "cleared");

    store.append_message(second, said(Role::User, "used")).await.unwrap();
    store.set_remediation(second, waits).await.unwrap();
    store.resume_thread(second, NOW + 6).await.unwrap();
    assert_eq!(remediation(&given, second).await, waits, "it was not left");
    store.resume_thread(first, NOW + 7).await.unwrap();
    assert_eq!(remediation(&given, second).await, Remediation::default(), "left");

    store.resume_thread(second, NOW + 8).await.unwrap();
    store.set_remediation(second, waits).await.unwrap();
    store.undo_thread(second, NOW + 9).await.unwrap();
    assert_eq!(remediation(&given, second).await, Remediation::default(), "undone");
}

#[tokio::test]
async fn d15_of_three_threads_the_undo_goes_back_to_the_one_that_ended_as_the_last_began() {
    let given = a_session().await;
    let (store, first) = (&given.store, given.thread());
    given.says(Role::User, "one").await;
    let second = store.begin_thread(cleared(&given)).await.unwrap().id;
    store.append_message(second, said(Role::User, "used")).await.unwrap();
    assert_eq!(store.undo_thread(second, NOW + 6).await.unwrap().id, first);

    let asked = given.says(Role::User, "two").await;
    let new = NewThread { carried: vec![asked.id], at: NOW + 7, ..cleared(&given) };
    let third = store.begin_thread(new).await.unwrap().id;
    assert_eq!(given.path_of(third).await, ["cleared", "two"]);
    assert_eq!(store.undo_thread(third, NOW + 8).await.unwrap().id, first);
    assert_eq!(given.path().await, ["one", "two"]);
    assert_eq!(given.path_of(second).await, ["cleared", "used"]);
}

#[tokio::test]
async fn another_branch_of_an_ended_thread_is_looked_at_and_going_back_goes_on_where_it_ended() {
    let given = a_session().await;
    let (store, first) = (&given.store, given.thread());
    let asked = given.says(Role::User, "what?").await;
    let other = given.says(Role::Assistant, "wool").await;
    store.set_leaf(first, Some(asked.id)).await.unwrap();
    let answer = given.says(Role::Assistant, "linen").await;
    let second = store.begin_thread(cleared(&given)).await.unwrap().id;

    for shown in [other.id, answer.id, other.id] {
        store.switch_to_branch(shown).await.unwrap();
        assert_eq!(store.path_ids(first).await.unwrap(), [asked.id, shown]);
    }
    store.undo_thread(second, NOW + 6).await.unwrap();
    assert_eq!(given.path().await, ["what?", "linen"]);

    // A resumed thread continues from the shown leaf.
    store.switch_to_branch(other.id).await.unwrap();
    let third = store.begin_thread(cleared(&given)).await.unwrap().id;
    store.undo_thread(third, NOW + 7).await.unwrap();
    assert_eq!(given.path().await, ["what?", "wool"]);

    // The leaf it ended with was purged, so it continues from the shown one.
    store.begin_thread(cleared(&given)).await.unwrap();
    store.switch_to_branch(answer.id).await.unwrap();
    store.delete_message(other.id, NOW + 8).await.unwrap();
    store.purge(NOW + 9, Vec::new()).await.unwrap();
    let last = store.session(given.session.id).await.unwrap().current_thread;
    store.undo_thread(last, NOW + 10).await.unwrap();
    assert_eq!(given.path().await, ["what?", "linen"]);
}

#[tokio::test]
async fn d15_replies_that_took_nothing_up_stay_where_they_are_and_the_undo_puts_the_question_last()
{
    let given = a_session().await;
    given.says(Role::User, "one").await;
    given.says(Role::Assistant, "two").await;
    let asked = given.says(Role::User, "three").await;
    given.says(Role::Assistant, "failed").await;
    let again = given.says(Role::User, "four").await;
    let new = NewThread { carried: vec![asked.id, again.id], ..cleared(&given) };
    let begun = given.store.begin_thread(new).await.unwrap();
    assert_eq!(given.path_of(begun.id).await, ["cleared", "three", "four"]);
    assert_eq!(given.path().await, ["one", "two", "failed"]);
    given.store.undo_thread(begun.id, NOW + 6).await.unwrap();
    assert_eq!(given.path().await, ["one", "two", "failed", "three", "four"]);
}

#[tokio::test]
async fn d15_a_package_that_somebody_has_written_anew_is_not_the_programs_to_replace() {
    for origin in [Origin::Person, Origin::Model] {
        let given = a_session().await;
        let store = &given.store;
        let package = |content: &str| NewReminder {
            content: content.into(),
            scope: ReminderScope::Session { session_id: given.session.id },
            origin: Origin::Runtime,
            continuation: true,
            level: None,
            created_at: NOW + 5,
        };
        let clear =
            |content: &str| NewThread { package: Some(package(content)), ..cleared(&given) };
        store.begin_thread(clear("first")).await.unwrap();
        let made = store.reminders(given.session.id).await.unwrap().remove(0);
        let written = "what is decided".to_owned();
        match origin {
            Origin::Person => store.update_reminder(made.id, written, made.scope, NOW + 6).await,
            _ => store.update_own_reminder(made.id, given.session.id, written, NOW + 6).await,
        }
        .unwrap();
        store.begin_thread(clear("second")).await.unwrap();
        let kept = store.reminders(given.session.id).await.unwrap();
        let kept: Vec<_> = kept.into_iter().map(|it| (it.content, it.origin)).collect();
        let all = [("what is decided".into(), origin), ("second".into(), Origin::Runtime)];
        assert_eq!(kept, all);
    }
}

#[tokio::test]
async fn d15_a_clear_and_its_package_and_its_log_are_one_step_and_so_is_the_undo() {
    let given = a_session().await;
    given.says(Role::User, "one").await;
    let standing = Remediation::Critical { rest: 0 };
    given.store.set_remediation(given.thread(), standing).await.unwrap();
    let package = |origin| NewReminder {
        content: "go on with the gate".into(),
        scope: ReminderScope::Session { session_id: given.session.id },
        origin,
        continuation: true,
        level: Some(HealthLevel::Critical),
        created_at: NOW + 5,
    };
    let event = AutomaticEvent::Cleared { by: ClearedBy::Countdown };
    let new = NewThread {
        package: Some(package(Origin::Model)),
        event: Some(event.clone()),
        ..cleared(&given)
    };
    let begun = given.store.begin_thread(new).await.unwrap();
    let kept = given.store.reminders(given.session.id).await.unwrap();
    let kept: Vec<_> = kept.iter().map(|it| (it.content.as_str(), it.level)).collect();
    assert_eq!(kept, [("go on with the gate", Some(HealthLevel::Critical))]);
    let log = given.store.activity_log(begun.id).await.unwrap();
    assert_eq!(log, [ActivityLogEntry { event, at: NOW + 5 }]);
    let rearmed = remediation(&given, given.thread()).await;
    assert_eq!(rearmed, Remediation::default(), "taken up again, it counts down anew");

    given.store.undo_thread(begun.id, NOW + 6).await.unwrap();
    assert_eq!(given.store.reminders(given.session.id).await.unwrap(), []);

    let mut kept = Vec::new();
    let mut latest = given.thread();
    for content in ["first", "second"] {
        let package = NewReminder { content: content.into(), ..package(Origin::Runtime) };
        let new = NewThread { package: Some(package), ..cleared(&given) };
        latest = given.store.begin_thread(new).await.unwrap().id;
        kept.push(given.store.reminders(given.session.id).await.unwrap());
    }
    let said = |at: usize| kept[at].iter().map(|it| it.content.as_str()).collect::<Vec<_>>();
    assert_eq!(said(1), ["second"], "the program's own package is about the latest thread");
    given.store.undo_thread(latest, NOW + 6).await.unwrap();
    assert_eq!(given.store.reminders(given.session.id).await.unwrap(), kept[0]);
}

#[tokio::test]
async fn nothing_else_the_person_said_is_left_behind_and_a_refusal_changes_nothing() {
    let given = a_session().await;
    let first = given.says(Role::User, "one").await;
    given.says(Role::User, "two").await;
    let new = NewThread { carried: vec![first.id], ..cleared(&given) };
    assert!(matches!(given.store.begin_thread(new).await, Err(Error::Invalid { .. })));
    let threads = given.store.threads(given.session.id).await.unwrap();
    assert_eq!(threads.iter().map(|thread| thread.ended_at).collect::<Vec<_>>(), [None]);
    assert_eq!(given.path().await, ["one", "two"]);
}
