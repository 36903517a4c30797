//! Sessions, threads, and what belongs to them.

use rusqlite::Connection;
use skein_context::compaction::remediation::Remediation;
use skein_context::health::health_snapshot;
use skein_domain::draft::{Attachment, Draft};
use skein_domain::error::Error;
use skein_domain::finish_reason::FinishReason;
use skein_domain::generation::{Generation, Purpose};
use skein_domain::health::HealthLevel;
use skein_domain::ids::{BlobId, MessageId, OutputId, ProviderId, SessionId};
use skein_domain::message::queued_message::QueuedMessage;
use skein_domain::message::{
    ContentPart, ImageRef, Message, MessageKind, Notice, Origin, Role, ToolCall, ToolOutput,
    ToolState,
};
use skein_domain::model::{ModelRef, ModelSpec, ReasoningEffort};
use skein_domain::reminder::ReminderScope;
use skein_domain::session::{
    ClearedBy, Session, SessionOverride, SessionOverrides, Switch, Thread, ThreadStart,
};
use skein_domain::strategy::Strategy;
use skein_domain::usage::TokenUsage;
use skein_store::{
    ActivityLogEntry, AutomaticEvent, DELETION_LIFETIME, DeletedSession, MessageEdit,
    MessageParent, NewMessage, NewReminder, NewSession, NewThread, ReadAccess, TurnMessage,
};

use crate::scenario::{
    NOW, Scenario, a_session, old_database, open, remediation, said, said_under, text_part,
};

fn model(name: &str) -> ModelRef {
    ModelRef { provider: ProviderId("p".into()), model: name.into() }
}

#[tokio::test]
async fn a_session_is_read_back_as_it_was_made_and_changed() {
    let given = a_session().await;
    let model = ModelRef { provider: ProviderId("demo".into()), model: "demo-8k".into() };
    let overrides =
        SessionOverrides::default().with(SessionOverride::Strategy(Some(Strategy::Remind)));
    let made = given
        .store
        .create_session(NewSession {
            title: Some("Kite".into()),
            model: Some(model.clone()),
            overrides: overrides.clone(),
            created_at: NOW,
        })
        .await
        .unwrap();
    assert_eq!(
        made,
        Session {
            id: made.id,
            title: Some("Kite".into()),
            pinned: false,
            current_thread: made.current_thread,
            model: Some(model),
            overrides,
            created_at: NOW,
            updated_at: NOW,
        }
    );
    given.store.set_session_pinned(given.session.id, true).await.unwrap();
    given.store.rename_session(made.id, None).await.unwrap();
    given.store.set_session_model(made.id, None).await.unwrap();
    let listed = given.store.sessions().await.unwrap();
    assert_eq!(
        listed,
        [
            Session { pinned: true, ..given.session.clone() },
            Session { title: None, model: None, ..made }
        ]
    );
}

#[tokio::test]
async fn a_session_said_to_be_of_the_end_of_time_stands_in_no_others_way() {
    let given = a_session().await;
    let absurd = NewMessage { created_at: i64::MAX, ..said(Role::User, "then") };
    given.store.append_message(given.thread(), absurd).await.unwrap();
    let new = NewSession { created_at: NOW, ..NewSession::default() };
    let made = given.store.create_session(new).await.unwrap();
    given.store.append_message(made.current_thread, said(Role::User, "now")).await.unwrap();
    assert_eq!(given.store.sessions().await.unwrap().len(), 2);
}

#[tokio::test]
async fn the_session_that_was_used_last_is_first_though_the_clock_was_set_back() {
    let given = a_session().await;
    let of_the_future = NewMessage { created_at: NOW + 1_000_000, ..said(Role::User, "later") };
    given.store.append_message(given.thread(), of_the_future).await.unwrap();
    let new = NewSession { created_at: NOW, ..NewSession::default() };
    let made = given.store.create_session(new).await.unwrap();
    let listed = async || -> Vec<_> {
        given.store.sessions().await.unwrap().into_iter().map(|it| it.id).collect()
    };
    assert_eq!(listed().await, [made.id, given.session.id]);
    let again = given.says(Role::User, "now").await;
    assert_eq!(listed().await, [given.session.id, made.id]);
    let session = given.store.session(given.session.id).await.unwrap();
    assert_eq!(session.updated_at, again.created_at, "as the clock says, all the same");
    let of_today = NewMessage { created_at: NOW + 1, ..said(Role::User, "and now") };
    given.store.append_message(made.current_thread, of_today).await.unwrap();
    assert_eq!(listed().await, [made.id, given.session.id]);
}

#[tokio::test]
async fn the_session_that_was_opened_last_is_known_and_what_ended_elsewhere_is_unread_until_it_is_opened()
 {
    let given = a_session().await;
    let (store, first) = (&given.store, given.session.id);
    let second = store.create_session(NewSession::default()).await.unwrap().id;
    let opened = async |id| store.session_read_states().await.unwrap()[&id].clone();
    assert_eq!((opened(first).await, opened(second).await), Default::default());

    assert!(!store.mark_opened(second).await.unwrap());
    assert!(!store.mark_opened(first).await.unwrap());
    let last = opened(first).await;
    assert!(last.order > opened(second).await.order && opened(second).await.order.is_some());
    store.mark_opened(first).await.unwrap();
    assert_eq!(opened(first).await, last, "it was the last one already");

    store.mark_unread(second).await.unwrap();
    assert!(opened(second).await.unread && !opened(first).await.unread);
    assert!(store.mark_opened(second).await.unwrap());
    assert!(!opened(second).await.unread && opened(second).await.order > last.order);
}

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

#[tokio::test]
async fn a_deleted_session_comes_back_with_everything_until_it_is_purged() {
    let given = a_session().await;
    given.says(Role::User, "keep me").await;
    let session = given.store.session(given.session.id).await.unwrap();
    given.store.delete_sessions(vec![session.id], NOW).await.unwrap();
    assert_eq!(given.store.sessions().await.unwrap(), []);
    given.store.purge(NOW, vec![]).await.unwrap();
    given.store.restore_sessions(vec![session.id]).await.unwrap();
    assert_eq!(given.store.session(session.id).await.unwrap(), session);
    assert_eq!(given.path().await, ["keep me"]);

    given.store.delete_sessions(vec![session.id], NOW).await.unwrap();
    given.store.purge(NOW + 1, vec![session.id]).await.unwrap();
    assert_eq!(given.store.deleted_sessions().await.unwrap().len(), 1, "it was to be kept");
    given.store.purge(NOW + 1, vec![]).await.unwrap();
    let gone = given.store.restore_sessions(vec![session.id]).await;
    assert_eq!(gone, Err(Error::NotFound { what: "session".into() }));
}

#[tokio::test]
async fn deleted_sessions_are_told_and_go_for_good_when_the_person_says_so_and_no_others_do() {
    let given = a_session().await;
    given.says(Role::User, "keep me").await;
    let (store, first) = (&given.store, given.session.id);
    let named = NewSession { title: Some("Wool".into()), ..NewSession::default() };
    let second = store.create_session(named).await.unwrap().id;
    let kept = store.purge_session(first).await;
    assert_eq!(kept, Err(Error::NotFound { what: "deleted session".into() }));
    assert_eq!(given.path().await, ["keep me"]);

    store.delete_sessions(vec![first], NOW + 1).await.unwrap();
    store.delete_sessions(vec![second], NOW + 2).await.unwrap();
    let deleted = |id, title: &str, messages, deleted_at| DeletedSession {
        id,
        title: Some(title.into()),
        messages,
        deleted_at,
        kept_until: deleted_at + DELETION_LIFETIME,
    };
    let wool = deleted(second, "Wool", 0, NOW + 2);
    let unnamed = deleted(first, "keep me", 1, NOW + 1);
    assert_eq!(store.deleted_sessions().await.unwrap(), [wool.clone(), unnamed]);

    store.purge_session(first).await.unwrap();
    assert_eq!(store.deleted_sessions().await.unwrap(), [wool]);
    let gone = store.restore_sessions(vec![first]).await;
    assert_eq!(gone, Err(Error::NotFound { what: "session".into() }));
}

#[tokio::test]
async fn several_sessions_go_and_come_back_at_once_and_no_other_with_them() {
    let given = a_session().await;
    let store = &given.store;
    let mut ids = vec![given.session.id];
    for _ in 0..3 {
        ids.push(store.create_session(NewSession::default()).await.unwrap().id);
    }
    let listed = || async {
        let mut listed: Vec<_> = store.sessions().await.unwrap().iter().map(|it| it.id).collect();
        listed.sort();
        listed
    };
    store.delete_sessions(vec![ids[0]], NOW).await.unwrap();
    store.delete_sessions(vec![ids[0], ids[1], ids[2], SessionId(99)], NOW + 1).await.unwrap();
    assert_eq!(listed().await, [ids[3]]);
    let deleted = store.deleted_sessions().await.unwrap();
    let when: Vec<_> = deleted.iter().map(|it| (it.id, it.deleted_at)).collect();
    assert_eq!(when, [(ids[2], NOW + 1), (ids[1], NOW + 1), (ids[0], NOW)]);
    store.restore_sessions(vec![ids[1], ids[2]]).await.unwrap();
    assert_eq!(listed().await, ids[1..]);
}

/// A file with these bytes, stored at this time.
async fn file(given: &Scenario, bytes: &str, at: i64) -> Attachment {
    let blob = given.store.put_blob(bytes.into(), at).await.unwrap();
    note().at(blob)
}

#[tokio::test]
async fn with_a_session_goes_what_it_named_and_nothing_that_it_did_not() {
    let given = a_session().await;
    let (store, session) = (&given.store, given.session.id);
    let other = store.create_session(NewSession::default()).await.unwrap();
    let mut own = Vec::new();
    for bytes in ["said", "shown", "waiting", "drafted", "again"] {
        own.push(file(&given, bytes, NOW).await);
    }
    let [said_there, shown, waiting, drafted, again] = &own[..] else { panic!("five") };
    let shared = file(&given, "shared", NOW).await;
    // Referred to only by an edit, or by a queued message that is restored.
    let edited = file(&given, "edited", NOW).await;

    for (thread, files) in
        [(given.thread(), [said_there, &shared, again]), (other.current_thread, [&shared; 3])]
    {
        let parts = files.map(|file| file.clone().part("wool".into())).into();
        store.append_message(thread, NewMessage { parts, ..said(Role::User, "") }).await.unwrap();
    }
    let picture = ImageRef {
        blob: shown.blob(),
        name: "snapshot".into(),
        media_type: "image/png".into(),
        width: None,
        height: None,
        bytes: 5,
    };
    let text = String::new();
    calls(
        &given,
        ToolOutput { text, whole: None, pictures: vec![picture], withheld: false, folder: None },
    )
    .await;
    store.queue_message(session, vec![waiting.clone().part("wool".into())], NOW).await.unwrap();
    let draft = Draft { text: String::new(), attachments: vec![drafted.clone()] };
    store.set_draft(session, draft, None, NOW).await.unwrap();
    store.delete_sessions(vec![session], NOW + 1).await.unwrap();
    file(&given, "again", NOW + 2).await;
    store.purge_session(session).await.unwrap();

    for gone in [said_there, shown, waiting, drafted] {
        let read = store.blob(gone.blob()).await;
        assert_eq!(read, Err(Error::NotFound { what: "attachment".into() }));
    }
    for (kept, bytes) in [(&shared, "shared"), (&edited, "edited"), (again, "again")] {
        assert_eq!(store.blob(kept.blob()).await.as_deref(), Ok(bytes.as_bytes()));
    }
}

#[tokio::test]
async fn a_session_without_a_title_is_called_by_the_first_words_of_the_person() {
    let given = a_session().await;
    let (store, id) = (&given.store, given.session.id);
    assert_eq!(store.session_name(id).await.unwrap(), None);
    assert_eq!(store.session_names().await.unwrap(), [].into());

    given.says(Role::User, "\n  Which wool\nfor a coat?").await;
    given.says(Role::Assistant, "Merino").await;
    given.says(Role::User, "And silk?").await;
    assert_eq!(store.session_name(id).await.unwrap().as_deref(), Some("Which wool"));
    assert_eq!(store.session_names().await.unwrap(), [(id, "Which wool".to_owned())].into());
    assert_eq!(store.session(id).await.unwrap().title, None, "it can still be named");

    // In the latest version.
    store.append_message(given.thread(), said_under(None, Role::User, "羊毛")).await.unwrap();
    assert_eq!(store.session_name(id).await.unwrap().as_deref(), Some("羊毛"));
    store.rename_session(id, Some("Coat".into())).await.unwrap();
    assert_eq!(store.session_name(id).await.unwrap().as_deref(), Some("Coat"));
}

#[tokio::test]
async fn a_session_is_called_by_its_first_words_however_much_stands_before_and_behind_them() {
    let given = a_session().await;
    let store = &given.store;
    let blanks = "\u{3000}\n \t".repeat(500_000);
    let rest = "warp and weft ".repeat(300_000);
    let file = ContentPart::File {
        blob: store.put_blob(b"wool".to_vec(), NOW).await.unwrap(),
        name: "note.txt".into(),
        media_type: "text/plain".into(),
        text: "The words of a file.".into(),
        bytes: 4,
    };
    let cases = [
        (vec![text_part(&format!("{blanks}Which wool\n{rest}"))], Some("Which wool")),
        (vec![text_part(&blanks), file.clone(), text_part("For a coat")], Some("For a coat")),
        (vec![file.clone(), text_part(&blanks)], None),
        (vec![file], None),
    ];
    for (parts, expected) in cases {
        let made = store.create_session(NewSession::default()).await.unwrap();
        let new = NewMessage { parts, ..said(Role::User, "") };
        store.append_message(made.current_thread, new).await.unwrap();
        assert_eq!(store.session_name(made.id).await.unwrap().as_deref(), expected);
        assert_eq!(
            store.session_names().await.unwrap().get(&made.id).map(String::as_str),
            expected
        );
        store.delete_sessions(vec![made.id], NOW).await.unwrap();
        assert_eq!(store.deleted_sessions().await.unwrap()[0].title.as_deref(), expected);
    }
}

fn note() -> Attachment {
    Attachment::File {
        blob: BlobId(3),
        name: "note.txt".into(),
        media_type: "text/plain".into(),
        bytes: 4,
    }
}

/// A message with a call that returned this output.
async fn calls(given: &Scenario, output: ToolOutput) -> MessageId {
    let call = ToolCall {
        call_id: "1".into(),
        name: "look".into(),
        args: "{}".into(),
        signature: None,
        state: ToolState::Pending {},
    };
    let new = NewMessage { parts: vec![ContentPart::Tool { call }], ..said(Role::Assistant, "") };
    let message = given.store.append_message(given.thread(), new).await.unwrap().id;
    let done = ToolState::Done { output };
    given.store.set_tool_state(message, "1".into(), done).await.unwrap();
    message
}

#[tokio::test]
async fn the_whole_of_what_a_tool_said_goes_with_its_message() {
    let given = a_session().await;
    let (store, session) = (&given.store, given.session.id);
    let left = store.put_output(session, "of a call that was never stored".into(), NOW).await;
    let left = left.unwrap().id;
    let mut said = Vec::new();
    for text in ["API_KEY=never", "kept"] {
        let whole = store.put_output(session, text.into(), NOW).await.unwrap();
        let (text, pictures) = ("…".into(), Vec::new());
        let output =
            ToolOutput { text, whole: Some(whole), pictures, withheld: false, folder: None };
        said.push((calls(&given, output).await, whole.id));
    }
    let [(deleted, secret), (_, kept)] = said[..] else { panic!("two") };
    let gone = Err(Error::NotFound { what: "output".into() });

    let deletion = store.delete_message(deleted, NOW).await.unwrap();
    assert_eq!(store.output(session, secret, ReadAccess::User).await, gone);
    store.purge(NOW, vec![]).await.unwrap();
    store.undo_deletion(deletion).await.unwrap();
    assert_eq!(store.output(session, secret, ReadAccess::User).await, Ok("API_KEY=never".into()));

    store.delete_message(deleted, NOW).await.unwrap();
    store.purge(NOW + 1, vec![]).await.unwrap();
    let raw = Connection::open(given.places.database()).unwrap();
    let mut ids = raw.prepare("SELECT id FROM outputs").unwrap();
    let ids = ids.query_map([], |row| row.get(0).map(OutputId)).unwrap();
    assert_eq!(ids.collect::<rusqlite::Result<Vec<_>>>().unwrap(), [kept], "{left:?} is gone, too");
    assert_eq!(store.output(session, kept, ReadAccess::User).await, Ok("kept".into()));
}

#[tokio::test]
async fn the_bytes_of_what_a_tool_showed_stay_as_long_as_its_call() {
    let given = a_session().await;
    let blob = given.store.put_blob(vec![1, 2, 3], NOW).await.unwrap();
    let unnamed = given.store.put_blob(vec![4, 5, 6], NOW).await.unwrap();
    let picture = ImageRef {
        blob,
        name: "snapshot".into(),
        media_type: "image/png".into(),
        width: None,
        height: None,
        bytes: 3,
    };
    let output = ToolOutput {
        text: String::new(),
        whole: None,
        pictures: vec![picture],
        withheld: false,
        folder: None,
    };
    calls(&given, output).await;
    given.store.purge(NOW + 1, vec![]).await.unwrap();
    assert_eq!(given.store.blob(blob).await.unwrap(), [1, 2, 3]);
    assert!(given.store.blob(unnamed).await.is_err());
    given.store.delete_sessions(vec![given.session.id], NOW).await.unwrap();
    given.store.purge(NOW + 1, vec![]).await.unwrap();
    assert!(given.store.blob(blob).await.is_err());
}

#[tokio::test]
async fn a_draft_stays_until_it_is_emptied() {
    let given = a_session().await;
    let draft = Draft { text: "half a thou".into(), attachments: vec![note()] };
    given.store.set_draft(given.session.id, draft.clone(), None, NOW).await.unwrap();
    assert_eq!(given.store.draft(given.session.id).await.unwrap(), draft);
    given.store.set_draft(given.session.id, Draft::default(), None, NOW).await.unwrap();
    assert_eq!(given.store.draft(given.session.id).await.unwrap(), Draft::default());
}

#[tokio::test]
async fn a_draft_of_before_names_its_files_and_keeps_its_words() {
    let (folder, places) = old_database(&[]);
    let file = r#"{"type":"file","blob":3,"name":"note.txt","mediaType":"text/plain",
                   "text":"wool","bytes":4}"#;
    let lost = r#"{"type":"text","text":"[photo.png]"}"#;
    Connection::open(places.database())
        .unwrap()
        .execute(
            "INSERT INTO drafts (session_id, text, attachments) VALUES (1, 'half a thou', ?1)",
            [format!("[{file},{lost}]")],
        )
        .unwrap();
    let kept = crate::scenario::open(folder.path()).draft(SessionId(1)).await.unwrap();
    let text = "half a thou\n\n[photo.png]".into();
    assert_eq!(kept, Draft { text, attachments: vec![note()] });
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
async fn what_waits_for_the_box_is_in_the_draft_or_waits_and_never_both_nor_neither() {
    let given = a_session().await;
    let (store, session) = (&given.store, given.session.id);
    let draft = |text: &str| Draft { text: text.into(), attachments: vec![] };
    store.set_draft(session, draft("Red wool"), None, NOW).await.unwrap();
    let new = said(Role::User, "Red wool");
    let begun = store.begin_turn(session, TurnMessage::Draft(new), model("m")).await.unwrap();
    let sent = begun.message.unwrap();
    assert_eq!(store.draft(session).await.unwrap(), Draft::default());

    store.return_message_to_draft(session, sent.id, NOW).await.unwrap();
    let waiting = store.queued_messages(session).await.unwrap();
    let [back] = &waiting[..] else { panic!("{waiting:?}") };
    assert_eq!((&back.parts[..], back.for_box), (&[text_part("Red wool")][..], true));
    // A save of the composer at the same moment does not know of it.
    store.set_draft(session, draft("Blue"), None, NOW).await.unwrap();
    assert_eq!(store.queued_messages(session).await.unwrap(), waiting);

    let both = draft("Red wool\n\nBlue");
    store.set_draft(session, both.clone(), Some(back.id), NOW).await.unwrap();
    assert_eq!(store.draft(session).await.unwrap(), both);
    assert_eq!(store.queued_messages(session).await.unwrap(), []);
    let again = store.set_draft(session, draft("twice"), Some(back.id), NOW).await;
    assert_eq!(again, Err(Error::NotFound { what: "waiting message".into() }));
    assert_eq!(store.draft(session).await.unwrap(), both);
}

#[tokio::test]
async fn a_message_that_waits_survives_and_is_sent_in_its_turn() {
    let given = a_session().await;
    let session = given.session.id;
    for text in ["first", "second", "third"] {
        given.store.queue_message(session, vec![text_part(text)], NOW).await.unwrap();
    }
    let ids: Vec<_> =
        given.store.queued_messages(session).await.unwrap().iter().map(|it| it.id).collect();
    given.store.remove_queued(ids[2]).await.unwrap();
    let Scenario { store, folder, .. } = given;
    drop(store);

    let store = crate::scenario::open(folder.path());
    let queued = || TurnMessage::Queued { now: NOW };
    let begun = store.begin_turn(session, queued(), model("m")).await.unwrap();
    let sent = begun.message.unwrap();
    assert_eq!(sent.text(), "first");
    assert_eq!(texts(&store.queued_messages(session).await.unwrap()), ["second"]);

    store.return_message_to_draft(session, sent.id, NOW).await.unwrap();
    assert_eq!(texts(&store.queued_messages(session).await.unwrap()), ["first", "second"]);
    assert!(store.has_queued_message(session).await.unwrap());
    assert_eq!(store.path_ids(sent.thread_id).await.unwrap(), []);

    // A message for the composer is sent only if no other waits, and never automatically.
    for expected in [Some("second"), Some("first"), None] {
        let begun = store.begin_turn(session, queued(), model("m")).await.unwrap();
        assert_eq!(begun.message.map(|message| message.text()).as_deref(), expected);
    }
    let gone = store.remove_queued(ids[2]).await;
    assert_eq!(gone, Err(Error::NotFound { what: "waiting message".into() }));
}

#[tokio::test]
async fn a_waiting_message_that_was_taken_back_waits_again_in_its_place_as_it_was() {
    let given = a_session().await;
    let (store, session) = (&given.store, given.session.id);
    for text in ["first", "second", "third"] {
        store.queue_message(session, vec![text_part(text)], NOW).await.unwrap();
    }
    let before = store.queued_messages(session).await.unwrap();
    store.remove_queued(before[1].id).await.unwrap();
    let draft = Draft { text: "half a thou".into(), attachments: vec![] };
    store.set_draft(session, draft.clone(), None, NOW).await.unwrap();
    store.restore_queued(session, before[1].clone()).await.unwrap();
    assert_eq!(store.queued_messages(session).await.unwrap(), before);
    assert_eq!(store.draft(session).await.unwrap(), draft);

    // A returned message has its place, but it is not lost.
    store.remove_queued(before[0].id).await.unwrap();
    let sent = given.says(Role::User, "zero").await;
    store.return_message_to_draft(session, sent.id, NOW).await.unwrap();
    assert_eq!(store.queued_messages(session).await.unwrap()[0].id, before[0].id);
    store.restore_queued(session, before[0].clone()).await.unwrap();
    let now = store.queued_messages(session).await.unwrap();
    assert_eq!(texts(&now), ["zero", "second", "third", "first"]);
}

fn texts(waiting: &[QueuedMessage]) -> Vec<String> {
    let parts = waiting.iter().flat_map(|message| &message.parts);
    let text = parts.filter_map(|part| match part {
        ContentPart::Text { text } => Some(text.clone()),
        _ => None,
    });
    text.collect()
}

#[tokio::test]
async fn a_deleted_reminder_comes_back_as_it_was_and_where_it_was() {
    let given = a_session().await;
    let mut ids = Vec::new();
    for content in ["one", "two", "three"] {
        let new = NewReminder {
            content: content.into(),
            scope: ReminderScope::Session { session_id: given.session.id },
            origin: Origin::Model,
            continuation: content == "two",
            level: None,
            created_at: NOW,
        };
        ids.push(given.store.add_reminder(new).await.unwrap().id);
    }
    let before = given.store.reminders(given.session.id).await.unwrap();
    let gone = given.store.delete_reminder(ids[1]).await.unwrap();
    assert_eq!(given.store.reminders(given.session.id).await.unwrap().len(), 2);
    given.store.restore_reminder(gone).await.unwrap();
    assert_eq!(given.store.reminders(given.session.id).await.unwrap(), before);

    let everywhere = ReminderScope::Everywhere {};
    let moved = given.store.update_reminder(ids[0], "one, for all".into(), everywhere, NOW + 1);
    let moved = moved.await.unwrap();
    assert_eq!(
        (moved.content.as_str(), moved.scope),
        ("one, for all", ReminderScope::Everywhere {})
    );
}

#[tokio::test]
async fn the_model_changes_its_own_reminders_of_its_session_and_no_others() {
    let given = a_session().await;
    let other = given.store.create_session(NewSession::default()).await.unwrap().id;
    let (here, everywhere) =
        (ReminderScope::Session { session_id: given.session.id }, ReminderScope::Everywhere {});
    let mut ids = Vec::new();
    for (scope, origin) in [
        (here, Origin::Person),
        (everywhere, Origin::Person),
        (everywhere, Origin::Model),
        (ReminderScope::Session { session_id: other }, Origin::Model),
        (here, Origin::Model),
        (here, Origin::Runtime),
    ] {
        let new = NewReminder {
            content: "as it was".into(),
            scope,
            origin,
            continuation: false,
            level: None,
            created_at: NOW,
        };
        ids.push(given.store.add_reminder(new).await.unwrap().id);
    }
    let (store, session) = (&given.store, given.session.id);
    for (at, id) in ids.into_iter().enumerate() {
        let updated = store.update_own_reminder(id, session, "changed".into(), NOW + 1).await;
        let deleted = store.delete_own_reminder(id, session).await;
        match at {
            0..3 => {
                assert!(matches!(updated, Err(Error::Invalid { .. })), "{at}: {updated:?}");
                assert!(matches!(deleted, Err(Error::Invalid { .. })), "{at}: {deleted:?}");
            }
            3 => {
                assert!(matches!(updated, Err(Error::NotFound { .. })), "{at}: {updated:?}");
                assert!(matches!(deleted, Err(Error::NotFound { .. })), "{at}: {deleted:?}");
            }
            _ => {
                assert_eq!(updated.unwrap().content, "changed");
                deleted.unwrap();
            }
        }
    }
    let kept = [store.reminders(session).await.unwrap(), store.reminders(other).await.unwrap()];
    let mut kept: Vec<_> = kept.concat().into_iter().map(|it| (it.id, it.content)).collect();
    kept.sort();
    kept.dedup();
    let words: Vec<_> = kept.into_iter().map(|(_, content)| content).collect();
    assert_eq!(words, ["as it was"; 4]);
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

#[tokio::test(flavor = "multi_thread")]
async fn however_many_ask_for_the_first_session_at_once_one_is_made() {
    let given = a_session().await;
    given.store.delete_sessions(vec![given.session.id], NOW).await.unwrap();
    let asked = (0..8).map(|_| given.store.first_session(NewSession::default()));
    let made: Vec<_> = futures::future::join_all(asked).await;
    let listed = given.store.sessions().await.unwrap();
    assert_eq!(listed.len(), 1);
    assert!(made.iter().all(|session| session.as_ref() == Ok(&listed[0])));
}

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
async fn law_07_a_report_of_a_prompt_that_held_a_withheld_output_is_forgotten() {
    let given = a_session().await;
    let (store, thread) = (&given.store, given.thread());
    let output = ToolOutput {
        text: "long".into(),
        whole: None,
        pictures: vec![],
        withheld: false,
        folder: None,
    };
    let call = |state| ToolCall {
        call_id: "c1".into(),
        name: "read_page".into(),
        args: "{}".into(),
        signature: None,
        state,
    };
    let calls = NewMessage {
        parts: vec![ContentPart::Tool { call: call(ToolState::Done { output: output.clone() }) }],
        ..said(Role::Assistant, "")
    };
    let calls = store.append_message(thread, calls).await.unwrap();
    let reported = |message: &Message, place| Generation {
        message_id: Some(message.id),
        place: Some(place),
        point: None,
        prefix: None,
        purpose: Purpose::Reply,
        model: ModelRef { provider: ProviderId("demo".into()), model: "demo-8k".into() },
        usage: TokenUsage::default(),
        health: None,
        finish: None,
        started_at: NOW,
        duration_ms: 5,
        unmentioned: None,
    };
    store.add_generation(thread, reported(&calls, 0)).await.unwrap();
    let withheld = ToolState::Done { output: ToolOutput { withheld: true, ..output } };
    let withhold = || store.withhold_output(calls.id, "c1".into(), withheld.clone());
    let place = async || store.last_reply(thread).await.unwrap().unwrap().place;
    withhold().await.unwrap();
    assert_eq!(place().await, Some(0), "it was called for after that prompt");
    let kept = store.message(calls.id).await.unwrap().parts;
    assert_eq!(kept, vec![ContentPart::Tool { call: call(withheld.clone()) }].into());

    let after = given.says(Role::Assistant, "Read.").await;
    store.add_generation(thread, reported(&after, 1)).await.unwrap();
    withhold().await.unwrap();
    assert_eq!(place().await, None);
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
async fn what_a_link_brings_goes_into_a_session_that_nobody_has_used_and_else_into_a_new_one() {
    let given = a_session().await;
    let model = ModelRef { provider: ProviderId("demo".into()), model: "demo-8k".into() };
    let with = |text: &str| {
        given.store.session_for_draft(vec![text_part(text)], Some(model.clone()), NOW + 1)
    };
    let (first, second) = tokio::join!(with("one"), with("two"));
    let mut taken = [first.unwrap(), second.unwrap()];
    taken.sort();
    assert_eq!(taken[0], given.session.id);
    let mut written = Vec::new();
    for session in taken {
        assert_eq!(given.store.session(session).await.unwrap().model, Some(model.clone()));
        let waiting = given.store.queued_messages(session).await.unwrap();
        assert!(waiting.iter().all(|it| it.for_box));
        written.extend(texts(&waiting));
    }
    written.sort();
    assert_eq!(written, ["one", "two"]);
}

#[tokio::test]
async fn a_question_from_an_unused_session_leaves_its_model_and_never_takes_a_used_one() {
    let given = a_session().await;
    let Scenario { store, session, .. } = &given;
    let model = ModelRef { provider: ProviderId("demo".into()), model: "demo-8k".into() };
    store.set_session_model(session.id, Some(model.clone())).await.unwrap();
    assert_eq!(store.unused_session(NOW).await.unwrap(), session.id);
    assert_eq!(store.session(session.id).await.unwrap().model, Some(model));
    given.says(Role::User, "hello").await;
    let other = store.unused_session(NOW).await.unwrap();
    assert_ne!(other, session.id);
    assert_eq!(store.unused_session(NOW).await.unwrap(), other);
}

#[tokio::test]
async fn what_a_session_decides_is_changed_one_by_one_and_leaves_the_others() {
    let Scenario { store, session, folder: _folder, .. } = a_session().await;
    let decided = [
        SessionOverride::Instructions(Some("Answer in rhymes.".into())),
        SessionOverride::Folder(Some("/loom".into())),
        SessionOverride::Strategy(Some(Strategy::Remind)),
        SessionOverride::AutoCompaction(Some(Switch::Off)),
        SessionOverride::Effort(Some(ReasoningEffort::High)),
    ];
    // Concurrently, in any order: none overwrites another.
    futures::future::join_all(decided.map(|one| store.set_override(session.id, one))).await;
    store.set_override(session.id, SessionOverride::Strategy(None)).await.unwrap();
    let expected = SessionOverrides {
        auto_compaction: Some(Switch::Off),
        strategy: None,
        instructions: Some("Answer in rhymes.".into()),
        folder: Some("/loom".into()),
        effort: Some(ReasoningEffort::High),
    };
    assert_eq!(store.session(session.id).await.unwrap().overrides, expected);
    let nobody = store.set_override(SessionId(404), SessionOverride::Folder(None)).await;
    assert!(matches!(nobody, Err(Error::NotFound { .. })), "{nobody:?}");
}

#[tokio::test]
async fn a_session_that_was_used_in_any_way_is_not_taken_for_a_link() {
    let given = a_session().await;
    let Scenario { store, session, .. } = &given;
    let new = || store.create_session(NewSession::default());
    given.says(Role::User, "hello").await;
    store.delete_message(store.path_ids(given.thread()).await.unwrap()[0], NOW).await.unwrap();
    let mut used = vec![session.id];
    for use_it in 0..5 {
        let id = new().await.unwrap().id;
        match use_it {
            0 => store.rename_session(id, Some("Kite".into())).await.unwrap(),
            1 => store.set_session_pinned(id, true).await.unwrap(),
            2 => {
                let decided = SessionOverride::Strategy(Some(Strategy::Remind));
                store.set_override(id, decided).await.unwrap();
            }
            3 => {
                let draft = Draft { text: "not sent".into(), attachments: vec![] };
                store.set_draft(id, draft, None, NOW).await.unwrap();
            }
            _ => store.delete_sessions(vec![id], NOW).await.unwrap(),
        }
        used.push(id);
    }
    let taken = store.session_for_draft(Vec::new(), None, NOW).await.unwrap();
    assert!(!used.contains(&taken));
    let again = store.session_for_draft(Vec::new(), None, NOW).await.unwrap();
    assert_eq!(again, taken, "an empty link leaves it unused");
}

#[tokio::test]
async fn an_edit_that_was_not_sent_is_kept_with_its_files_until_it_is_put_away() {
    let given = a_session().await;
    let message = given.says(Role::User, "Look").await;
    let edit = MessageEdit { text: Some("Look twice".into()), attachments: None };
    given.store.set_edit(message.id, edit.clone(), NOW).await.unwrap();
    let Scenario { store, session, folder, .. } = given;
    drop(store);
    let store = open(folder.path());
    let edits = store.edits(session.id).await.unwrap();
    assert_eq!(edits.len(), 1);
    assert_eq!((edits[0].message_id, &edits[0].edit), (message.id, &edit));
    let deletion = store.delete_message(message.id, NOW).await.unwrap();
    assert_eq!(store.edits(session.id).await.unwrap(), []);
    store.undo_deletion(deletion).await.unwrap();
    assert_eq!(store.edits(session.id).await.unwrap().len(), 1, "it comes back with its message");
    store.set_edit(message.id, MessageEdit::default(), NOW).await.unwrap();
    assert_eq!(store.edits(session.id).await.unwrap(), []);
}

#[tokio::test]
async fn a_session_that_an_import_left_without_a_thread_gets_an_empty_one_at_the_next_start() {
    let Scenario { store, session, places, folder } = a_session().await;
    let other = store.create_session(NewSession::default()).await.unwrap();
    let kept = store.session(session.id).await.unwrap();
    drop(store);
    let database = Connection::open(places.database()).unwrap();
    database.execute("DELETE FROM threads WHERE session_id = ?1", [other.id.0]).unwrap();
    drop(database);

    let store = open(folder.path());
    let healed = store.session(other.id).await.unwrap();
    assert_ne!(healed.current_thread, other.current_thread);
    assert!(store.thread_is_empty(healed.current_thread).await.unwrap());
    assert_eq!(store.thread(healed.current_thread).await.unwrap().number, 1);
    assert_eq!(store.session(session.id).await.unwrap(), kept, "nothing else changes");
    assert_eq!(store.sessions().await.unwrap().len(), 2);
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
