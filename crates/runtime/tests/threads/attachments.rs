//! What goes along with a message, and out again as a file.

use std::fs;

use skein_context::message::ContentPart;
use skein_runtime::error::Error;
use skein_runtime::store::{Attachment, Draft};
use tempfile::tempdir;

use crate::given::{Say, deaf, under};

#[tokio::test(flavor = "multi_thread")]
async fn an_attachment_is_written_byte_for_byte_where_the_person_chose() {
    let given = under("summarize").await;
    let bytes = "wool, \r\nlinen\n\u{feff}".as_bytes().to_vec();
    let attached = given.app.attach_bytes("notes.txt".into(), bytes.clone()).await.unwrap();
    let Attachment::File { blob, .. } = attached else { panic!("a text is a file") };
    let folder = tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    given.app.save_attachment(blob, path("notes.txt")).await.unwrap();
    assert_eq!(fs::read(path("notes.txt")).unwrap(), bytes);
    let refused = given.app.save_attachment(blob, path("notes.txt/inside")).await;
    assert!(matches!(refused, Err(Error::Storage { .. })), "{refused:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_is_named_in_the_draft_counted_once_and_written_out_when_it_is_sent() {
    let given = under("summarize").await;
    let (app, session) = (&given.app, given.session);
    let words = "The weft beats home. ".repeat(500);
    let file = app.attach_bytes("weft.txt".into(), words.clone().into_bytes()).await.unwrap();
    let kept = serde_json::to_string(&file).unwrap();
    assert!(!kept.contains("weft beats"), "{kept}");
    let blob = file.blob();
    let draft = |text: &str| Draft { text: text.into(), attachments: vec![file.clone()] };

    let empty = app.estimate(session, Draft::default()).await.unwrap().used.tokens;
    let alone = app.draft_size(session, draft("")).await.unwrap();
    let before = app.estimate(session, draft("Look")).await.unwrap();
    assert!(alone.tokens > 2_000, "{alone:?}");
    assert!(before.used.tokens > empty + alone.tokens);
    let seen = app.seen_by_model(session, draft("Look")).await.unwrap();
    assert_eq!(seen.total, before.used);
    let last = seen.lines.last().unwrap();
    assert!(matches!(&last.parts[1], ContentPart::File { text, .. } if *text == words));

    // A file that is read or counted again would be another one by now.
    let place = given.folder.path().join("skein.db");
    let change = |bytes: &[u8]| {
        let raw = rusqlite::Connection::open(&place).unwrap();
        raw.execute("UPDATE blobs SET bytes = ?1 WHERE id = ?2", (bytes, blob.0)).unwrap();
    };
    change(b"short");
    assert_eq!(app.estimate(session, draft("Look")).await.unwrap(), before);
    assert_eq!(app.draft_size(session, draft("")).await.unwrap(), alone);
    change(words.as_bytes());

    given.model.says([Say::words("Seen.")]);
    app.send(session, draft("Look"), deaf()).await.unwrap();
    let messages = given.messages(given.current().await).await;
    let expected = [ContentPart::Text { text: "Look".into() }, file.clone().part(words.clone())];
    assert_eq!(messages[0].parts[..], expected);
    assert!(given.model.asked().last().unwrap().to_string().contains("weft beats"));
    assert_eq!(app.attached_text(blob, "weft.txt".into()).await.unwrap(), words);
}
