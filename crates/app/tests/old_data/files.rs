//! Files that earlier versions wrote for other programs: an exported session, and a thread in `archive/`.

use std::fs;

use serde_json::{Value, json};
use skein_platform::paths::AppPaths;
use skein_store::Store;

use crate::contents::contents;
use crate::{LOOMS, NOW, VERSIONS, assert_same, data, expected, import, titled_in};

/// A session without what is another one in every database: the keys.
fn without_keys(session: &Value) -> Value {
    let message = |it: &Value| {
        let mut it = it.clone();
        let fields = it.as_object_mut().unwrap();
        for key in ["id", "parent"] {
            fields.remove(key);
        }
        it
    };
    let point =
        |it: &Value| json!({ "facts": it["facts"], "covered": it["covered"], "at": it["at"] });
    let thread = |it: &Value| {
        let messages = it["messages"].as_array().unwrap().iter().map(message);
        let points = it["points"].as_array().unwrap().iter().map(point);
        json!({
            "beginning": it["beginning"],
            "path": it["path"].as_array().unwrap().len(),
            "messages": messages.collect::<Vec<_>>(),
            "points": points.collect::<Vec<_>>(),
        })
    };
    let threads = session["threads"].as_array().unwrap().iter().map(thread);
    json!({
        "title": session["title"],
        "pinned": session["pinned"],
        "instructions": session["instructions"],
        "threads": threads.collect::<Vec<_>>(),
    })
}

#[tokio::test]
async fn an_old_export_is_imported_with_every_word() {
    for version in VERSIONS {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&AppPaths::in_folder(folder.path()), NOW).unwrap();
        import(&store, &data(version).join("looms.json")).await;
        let found = contents(&store).await;
        let expected = expected(version);
        let session = titled_in(&found, LOOMS);
        let looms = titled_in(&expected, LOOMS);
        assert_same(&without_keys(session), &without_keys(looms), version);
        assert_eq!(session["draft"], looms["draft"], "{version}");
        assert_eq!(found["grants"], json!([]), "{version}: a file allows nothing");
    }
}

#[tokio::test]
async fn an_old_archive_of_a_thread_is_imported_with_every_word() {
    for version in VERSIONS {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&AppPaths::in_folder(folder.path()), NOW).unwrap();
        let archive = fs::read_dir(data(version).join("archive")).unwrap();
        let [file] = &archive.map(|it| it.unwrap().path()).collect::<Vec<_>>()[..] else {
            panic!()
        };
        import(&store, file).await;
        let found = contents(&store).await;
        let words = |session: &Value, thread: usize| {
            let messages = session["threads"][thread]["messages"].as_array().unwrap().iter();
            messages.map(|it| it["parts"].clone()).collect::<Vec<_>>()
        };
        let expected = expected(version);
        let archived = titled_in(&expected, "归档 archived");
        let threads = archived["threads"].as_array().unwrap();
        let full = threads.iter().position(|it| it["number"] == 1).unwrap();
        let mut expected = words(archived, full);
        // The message that did not fit is in the file, too; in the database it moved on.
        let found = words(&found["sessions"][0], 0);
        assert!(found.len() >= expected.len(), "{version}");
        expected.extend_from_slice(&found[expected.len()..]);
        assert_eq!(found, expected, "{version}");
    }
}
