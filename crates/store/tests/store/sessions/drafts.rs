//! Drafts, and edits that were not sent.

use rusqlite::Connection;
use skein_domain::draft::Draft;
use skein_domain::error::Error;
use skein_domain::ids::SessionId;
use skein_domain::message::Role;
use skein_store::{MessageEdit, TurnMessage};

use super::fixtures::{model, note};
use crate::scenario::{NOW, Scenario, a_session, old_database, open, said, text_part};

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
