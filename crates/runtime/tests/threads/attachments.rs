//! What goes along with a message, and out again as a file.

use std::fs;

use skein_context::message::ContentPart;
use skein_runtime::error::Error;
use tempfile::tempdir;

use crate::given::under;

#[tokio::test(flavor = "multi_thread")]
async fn an_attachment_is_written_byte_for_byte_where_the_person_chose() {
    let given = under("summarize").await;
    let bytes = "wool, \r\nlinen\n\u{feff}".as_bytes().to_vec();
    let part = given.app.attach_bytes("notes.txt".into(), bytes.clone()).await.unwrap();
    let ContentPart::File { blob, .. } = part else { panic!("a text is a file") };
    let folder = tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    given.app.save_attachment(blob, path("notes.txt")).await.unwrap();
    assert_eq!(fs::read(path("notes.txt")).unwrap(), bytes);
    let refused = given.app.save_attachment(blob, path("notes.txt/inside")).await;
    assert!(matches!(refused, Err(Error::Storage { .. })), "{refused:?}");
}
