//! What Chatbox keeps beside the words of a message.

use serde_json::{Value, json};
use skein_domain::message::{ContentPart, ToolState};
use skein_store::Store;
use skein_transfer::ImportOutcome;

use crate::{NOW, import, last_page, session_of, store};

fn line(part: &ContentPart) -> String {
    match part {
        ContentPart::Text { text } => text.clone(),
        ContentPart::Image(picture) => format!("({})", picture.name),
        ContentPart::File { name, text, .. } => format!("{name}: {text}"),
        ContentPart::Tool { call } => match &call.state {
            ToolState::Done { output } => format!("{} said {}", call.name, output.text),
            ToolState::Failed { message } => format!("{} failed: {message}", call.name),
            other => format!("{} {other:?}", call.name),
        },
        ContentPart::Reasoning { text, .. } => text.clone(),
    }
}

/// The parts of each message, and how many attachments did not come.
async fn arrived(store: &Store, mut file: Value, messages: Value) -> (Vec<Vec<String>>, u32) {
    file["session:1"] = json!({ "id": "1", "name": "Papers", "messages": messages });
    let bytes = file.to_string().into_bytes();
    let reports = import(store, "backup.json", bytes, NOW).await.unwrap();
    let ImportOutcome::Imported { missing, .. } = reports[0].outcome else { panic!("{reports:?}") };
    let thread = store.session(session_of(&reports[0])).await.unwrap().current_thread;
    let page = last_page(store, thread).await;
    let lines = page.messages.iter().map(|it| it.message.parts.iter().map(line).collect());
    (lines.collect(), missing)
}

#[tokio::test]
async fn files_links_and_old_pictures_come_along_or_are_named_and_counted() {
    let (_folder, store) = store();
    let file = json!({
        "file:1": "What the paper says.", "raw:3": "data:text/plain;base64,d29vbA==",
        "file:4": "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAQAAAADCAYAAAA=", "link:1": "What the page says.",
        "picture:1": "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAQAAAADCAYAAAA="
    });
    let messages = json!([
        { "role": "user", "contentParts": [{ "type": "text", "text": "Compare." }], "files": [
            { "name": "a.pdf", "fileType": "application/pdf", "storageKey": "file:1" },
            { "name": "gone.pdf", "storageKey": "file:2" },
            { "name": "raw.txt", "storageKey": "file:3", "rawStorageKey": "raw:3" },
            { "name": "kite.png", "storageKey": "file:4" }
        ] },
        { "role": "user", "content": "", "files": [{ "name": "alone.txt" }] },
        { "role": "user", "content": "and", "links": [
            { "url": "https://a.example", "title": "A", "storageKey": "link:1" },
            { "url": "https://b.example", "title": "" }
        ], "pictures": [
            { "storageKey": "picture:1" }, { "url": "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAQAAAADCAYAAAA=" },
            { "url": "https://c.example/p.png" }
        ] },
        { "role": "assistant", "contentParts": [{ "type": "app", "appId": "chess" }] }
    ]);
    let (lines, missing) = arrived(&store, file, messages).await;
    let compare =
        ["Compare.", "a.pdf: What the paper says.", "[gone.pdf]", "raw.txt: wool", "(kite.png)"];
    let links = [
        "and",
        "A https://a.example: What the page says.",
        "[https://b.example]",
        "(picture:1)",
        "(picture)",
        "[picture]",
    ];
    assert_eq!(lines, [&compare[..], &["[alone.txt]"], &links, &["[app]"]]);
    assert_eq!(missing, 5);
}

#[tokio::test]
async fn a_result_that_was_too_large_for_its_message_comes_whole_or_is_counted() {
    let (_folder, store) = store();
    let file = json!({ "result:1": "all of it", "result:2": { "rows": [1] } });
    let call = |name: &str, state: &str, result: Value, key: Option<&str>| {
        json!({ "type": "tool-call", "toolCallId": name, "toolName": name, "state": state,
                "args": {}, "result": result, "resultStorageKey": key })
    };
    let parts = json!([
        call("a", "result", Value::Null, Some("result:1")),
        call("b", "result", json!("all …"), Some("result:2")),
        call("c", "result", json!("begin …"), Some("result:gone")),
        call("d", "result", Value::Null, Some("result:gone")),
        call("e", "call", Value::Null, None)
    ]);
    let messages = json!([{ "role": "assistant", "contentParts": parts }]);
    let (lines, missing) = arrived(&store, file, messages).await;
    let said =
        ["a said all of it", "b said {\"rows\":[1]}", "c said begin …", "d said [result:gone]"];
    assert_eq!(lines, [[&said[..], &["e Cancelled"]].concat()]);
    assert_eq!(missing, 2);
}
