//! Attachments of a message, and saving them as files.

use std::fs;

use skein_context::window::PreviewPart;
use skein_domain::draft::{Attachment, Draft};
use skein_domain::error::{Error, FileError};
use skein_domain::message::ContentPart;
use tempfile::tempdir;

use crate::scenario::{Say, deaf, under};

#[tokio::test(flavor = "multi_thread")]
async fn an_attachment_is_written_byte_for_byte_where_the_person_chose() {
    let given = under("summarize").await;
    let bytes = "wool, \r\nlinen\n\u{feff}".as_bytes().to_vec();
    let attached =
        given.app.attachments.attach_bytes("notes.txt".into(), bytes.clone()).await.unwrap();
    let Attachment::File { blob, .. } = attached else { panic!("a text is a file") };
    let folder = tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    given.app.exports.save_attachment(blob, path("notes.txt")).await.unwrap();
    assert_eq!(fs::read(path("notes.txt")).unwrap(), bytes);
    let refused = given.app.exports.save_attachment(blob, path("notes.txt/inside")).await;
    assert!(matches!(refused, Err(Error::Storage { .. })), "{refused:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_is_named_in_the_draft_counted_once_and_written_out_when_it_is_sent() {
    let given = under("summarize").await;
    let (app, session) = (&given.app, given.session);
    let words = "The weft beats home. ".repeat(500);
    let file =
        app.attachments.attach_bytes("weft.txt".into(), words.clone().into_bytes()).await.unwrap();
    let kept = serde_json::to_string(&file).unwrap();
    assert!(!kept.contains("weft beats"), "{kept}");
    let blob = file.blob();
    let draft = |text: &str| Draft { text: text.into(), attachments: vec![file.clone()] };

    let empty = app.context.estimate(session, Draft::default()).await.unwrap().used.tokens;
    let alone = app.context.draft_size(session, draft("")).await.unwrap();
    let before = app.context.estimate(session, draft("Look")).await.unwrap();
    assert!(alone.tokens > 2_000, "{alone:?}");
    assert!(before.used.tokens > empty + alone.tokens);
    let seen = app.context.seen_by_model(session, draft("Look")).await.unwrap();
    assert_eq!(seen.total, before.used);
    let last = seen.lines.last().unwrap();
    let framed = PreviewPart::Text { text: skein_context::prompts::file_block("weft.txt", &words) };
    assert_eq!(last.parts[1], framed);

    // A file that is read or counted again would be another one by now.
    let place = given.folder.path().join("skein.db");
    let change = |bytes: &[u8]| {
        let raw = rusqlite::Connection::open(&place).unwrap();
        raw.execute("UPDATE blobs SET bytes = ?1 WHERE id = ?2", (bytes, blob.0)).unwrap();
    };
    change(b"short");
    assert_eq!(app.context.estimate(session, draft("Look")).await.unwrap(), before);
    assert_eq!(app.context.draft_size(session, draft("")).await.unwrap(), alone);
    change(words.as_bytes());

    given.model.says([Say::words("Seen.")]);
    app.turns.run(session, draft("Look"), deaf()).await.unwrap();
    let messages = given.messages(given.current().await).await;
    let expected = [ContentPart::Text { text: "Look".into() }, file.clone().part(words.clone())];
    assert_eq!(messages[0].parts[..], expected);
    assert!(given.model.asked().last().unwrap().to_string().contains("weft beats"));
    assert_eq!(app.attachments.attached_text(blob, "weft.txt".into()).await.unwrap(), words);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_document_goes_as_its_text_and_stays_as_it_was() {
    let given = under("summarize").await;
    let (app, session) = (&given.app, given.session);
    let bytes = include_bytes!("../../../documents/tests/documents/pages.pdf").to_vec();
    let file = app.attachments.attach_bytes("pages.pdf".into(), bytes.clone()).await.unwrap();
    let blob = file.blob();
    assert!(
        matches!(&file, Attachment::File { media_type, .. } if media_type == "application/pdf")
    );
    assert_eq!(app.attachments.attached_pages(blob, "pages.pdf".into()).await, Ok(Some(2)));
    let says = app.attachments.attached_text(blob, "pages.pdf".into()).await.unwrap();
    assert!(says.contains("[Page 2]\nThe deploy port of page two is 7443."), "{says}");

    let draft = Draft { text: "Which port?".into(), attachments: vec![file.clone()] };
    let alone = Draft { attachments: vec![file.clone()], ..Draft::default() };
    let text = Draft { text: says.clone(), ..Draft::default() };
    let size = app.context.draft_size(session, alone).await.unwrap().tokens;
    let words = app.context.draft_size(session, text).await.unwrap().tokens;
    assert!((words..words + 30).contains(&size), "{size} for {words}");

    given.model.says([Say::words("7443.")]);
    app.turns.run(session, draft, deaf()).await.unwrap();
    let messages = given.messages(given.current().await).await;
    assert_eq!(messages[0].parts[1], file.part(says));
    assert!(given.model.asked().last().unwrap().to_string().contains("page two is 7443"));
    let hits = app.messages.search("\"page two\"".into(), None, 0).await.unwrap();
    let found: Vec<_> = hits.iter().filter_map(|hit| hit.place).map(|it| it.message_id).collect();
    assert_eq!(found, [messages[0].id]);

    let folder = tempdir().unwrap();
    let path = folder.path().join("again.pdf");
    app.exports.save_attachment(blob, path.to_string_lossy().into_owned()).await.unwrap();
    assert_eq!(fs::read(path).unwrap(), bytes);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_document_that_cannot_be_read_is_refused_before_it_is_sent() {
    let given = under("summarize").await;
    for (bytes, fault) in [
        (
            &include_bytes!("../../../documents/tests/documents/locked.pdf")[..],
            FileError::Locked {},
        ),
        (&include_bytes!("../../../documents/tests/documents/scan.pdf")[..], FileError::NoWords {}),
    ] {
        let refused = given.app.attachments.attach_bytes("it.pdf".into(), bytes.to_vec()).await;
        assert_eq!(refused, Err(Error::BadFile { name: "it.pdf".into(), fault }));
    }
}
