//! The names of sessions without a title.

use skein_domain::message::{ContentPart, Role};
use skein_store::{NewMessage, NewSession};

use crate::scenario::{NOW, a_session, said, said_under, text_part};

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
