//! Reminders of the user and of the model.

use skein_domain::error::Error;
use skein_domain::message::Origin;
use skein_domain::reminder::ReminderScope;
use skein_store::{NewReminder, NewSession};

use crate::scenario::{NOW, a_session};

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
