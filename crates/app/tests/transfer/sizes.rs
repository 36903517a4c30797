//! Imports of files larger than the memory.

use std::fs::OpenOptions;

use serde_json::{Value, json};
use skein_domain::error::{Error, FileError};

use crate::{NOW, store};

/// A conversation that no buffer holds.
fn long(title: usize) -> Value {
    let text = "row after row ".repeat(10_000);
    json!({ "name": title.to_string(), "chat_messages": [{ "sender": "human", "text": text }] })
}

#[tokio::test]
async fn a_file_is_read_as_its_conversations_are_added_and_leaves_nothing_where_it_breaks() {
    let (folder, store) = store();
    let path = folder.path().join("export.json");
    let all: Vec<_> = (0..20).map(long).collect();
    std::fs::write(&path, json!(all).to_string()).unwrap();
    let (mut heard, file) = (Vec::new(), std::fs::File::open(&path).unwrap());
    let read = skein_app::transfers::import(&store, "export.json", file, NOW, |done, total| {
        heard.push((done, total));
        if done == 0 {
            // Half of it goes while it is read: what comes next was not in memory.
            let half = OpenOptions::new().write(true).open(&path).unwrap();
            half.set_len(half.metadata().unwrap().len() / 2).unwrap();
        }
        true
    });
    let name = "export.json".to_owned();
    assert_eq!(read.await, Err(Error::BadFile { name, fault: FileError::CutOff {} }));
    assert!((5..15).contains(&heard.len()) && heard[1] == (1, 20), "{heard:?}");
    assert_eq!(store.sessions().await.unwrap(), []);
    assert_eq!(store.deleted_sessions().await.unwrap(), []);
}
