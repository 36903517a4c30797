//! Imports in the formats of other programs.

use std::io::{Cursor, Write};
use std::path::Path;

use rusqlite::Connection;
use serde_json::{Value, json};
use skein_domain::compaction_point::SummaryWriter;
use skein_domain::error::{Error, FileError};
use skein_domain::message::{ContentPart, ImageRef, MessageKind, Role, ToolState};
use skein_platform::paths::AppPaths;
use skein_store::Store;
use skein_transfer::{ExportFormat, ImportOutcome, ImportReport};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use crate::{NOW, held, import, last_page, path, session_of, store, words};

const PNG: &[u8] = b"\x89PNG and the rest";

fn node(id: &str, parent: Option<&str>, message: Value) -> (String, Value) {
    (id.into(), json!({ "id": id, "parent": parent, "children": [], "message": message }))
}

fn says(role: &str, text: &str) -> Value {
    json!({
        "author": { "role": role }, "create_time": 1_700_000_000.5, "weight": 1.0,
        "content": { "content_type": "text", "parts": [text] }
    })
}

fn chatgpt() -> Value {
    let mut hidden = says("system", "You are …");
    hidden["weight"] = json!(0.0);
    let code = json!({
        "author": { "role": "assistant" }, "recipient": "python",
        "content": { "content_type": "code", "language": "python", "text": "print(1)" }
    });
    let output = json!({
        "author": { "role": "tool", "name": "python" },
        "content": { "content_type": "execution_output", "text": "1" }
    });
    let thoughts = json!({
        "author": { "role": "assistant" },
        "content": { "content_type": "thoughts", "thoughts": [{ "content": "hm" }] }
    });
    let picture = json!({
        "author": { "role": "user" },
        "content": { "content_type": "multimodal_text", "parts": [
            { "content_type": "image_asset_pointer", "asset_pointer": "file-service://file-abc", "width": 4, "height": 3 },
            { "content_type": "image_asset_pointer", "asset_pointer": "sediment://file_gone" },
            "what is this?"
        ] }
    });
    let mapping: serde_json::Map<String, Value> = [
        // A child may stand before its parent.
        node("answer-2", Some("question"), says("assistant", "second answer")),
        node("root", None, Value::Null),
        node("system", Some("root"), hidden),
        node("question", Some("system"), says("user", "question")),
        node("answer-1", Some("question"), says("assistant", "first answer")),
        node("code", Some("answer-2"), code),
        node("output", Some("code"), output),
        node("thoughts", Some("output"), thoughts),
        node("picture", Some("thoughts"), picture),
        // A circle that nobody can enter.
        node("a", Some("b"), says("user", "lost")),
        node("b", Some("a"), says("user", "lost")),
    ]
    .into_iter()
    .collect();
    json!({
        "title": "Shapes", "create_time": 1_700_000_000.0, "update_time": 1_700_000_100.25,
        "mapping": mapping, "current_node": "picture"
    })
}

/// An archive of these files.
pub fn zipped(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in files {
        zip.start_file(*name, SimpleFileOptions::default()).unwrap();
        zip.write_all(bytes).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

#[tokio::test]
async fn what_is_damaged_in_an_archive_takes_nothing_else_along() {
    let (_folder, store) = store();
    let one = json!([chatgpt()]).to_string();
    let files: [(&str, &[u8]); 4] = [
        ("conversations-000.json", one.as_bytes()),
        ("conversations-001.json", b"[{\"mapping\":"),
        ("conversations-002.json", one.as_bytes()),
        ("a-film-that-nobody-names.mp4", b"damaged here"),
    ];
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in files {
        let stored = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
        zip.start_file(name, stored).unwrap();
        zip.write_all(bytes).unwrap();
    }
    let mut bytes = zip.finish().unwrap().into_inner();
    let at = bytes.windows(12).position(|window| window == b"damaged here").unwrap();
    bytes[at] = b'D';
    let reports = import(&store, "export.zip", bytes, NOW).await.unwrap();
    let said: Vec<_> = reports
        .iter()
        .map(|report| {
            let imported = matches!(report.outcome, ImportOutcome::Imported { .. });
            (report.title.as_deref().unwrap_or_default(), imported)
        })
        .collect();
    assert_eq!(said, [("Shapes", true), ("conversations-001.json", false), ("Shapes", true)]);
}

#[tokio::test]
async fn a_chatgpt_archive_comes_with_its_branches_and_pictures() {
    let (_folder, store) = store();
    let broken = json!({ "title": "Broken", "mapping": [] });
    let empty = json!({ "title": "Nothing said", "mapping": {} });
    let first = json!([chatgpt(), broken]).to_string();
    let second = json!([empty]).to_string();
    let file = zipped(&[
        ("conversations-001.json", second.as_bytes()),
        ("conversations-000.json", first.as_bytes()),
        ("file-abc-kite.png", PNG),
        ("user.json", b"{}"),
    ]);
    let reports = import(&store, "export.zip", file, NOW).await.unwrap();
    let session = session_of(&reports[0]);
    let outcome = |title: &str, outcome| ImportReport { title: Some(title.into()), outcome };
    assert_eq!(
        reports,
        [
            outcome(
                "Shapes",
                ImportOutcome::Imported {
                    session_id: session,
                    messages: 7,
                    missing: 1,
                    unplaced: 0
                }
            ),
            outcome(
                "Broken",
                ImportOutcome::Unreadable {
                    fault: FileError::Misbuilt { detail: "`mapping` is not a map".into() }
                }
            ),
            outcome("Nothing said", ImportOutcome::Empty {}),
        ]
    );
    assert_eq!(
        path(&store, session).await,
        [
            "question",
            "second answer",
            "```python\nprint(1)\n```",
            "",
            "",
            "[file_gone]\n\nwhat is this?"
        ]
    );
    let imported = store.session(session).await.unwrap();
    assert_eq!((imported.created_at, imported.updated_at), (1_700_000_000_000, 1_700_000_100_250));
    let page = last_page(&store, imported.current_thread).await;
    assert_eq!(page.messages[1].siblings.len(), 2);
    assert_eq!(page.messages[0].message.created_at, 1_700_000_000_500);
    let [ContentPart::Tool { call }] = &page.messages[3].message.parts[..] else {
        panic!("what a tool said is no word of the model's: {:?}", page.messages[3]);
    };
    let ToolState::Done { output } = &call.state else { panic!("{call:?}") };
    assert_eq!(output.text, "1");
    let ContentPart::Image(ImageRef { blob, width, .. }) = page.messages[5].message.parts[0] else {
        panic!("no picture");
    };
    assert_eq!((store.blob(blob).await.unwrap(), width), (PNG.to_vec(), Some(4)));
}

#[tokio::test]
async fn claude_comes_as_a_list_or_as_lines_with_or_without_parents() {
    let one = json!({
        "uuid": "1", "name": "Ships", "created_at": "2024-03-01T10:00:00.5Z",
        "updated_at": "2024-03-01T12:00:00+02:00",
        "chat_messages": [
            { "uuid": "a", "sender": "human", "text": "hello", "content": [],
              "created_at": "2024-03-01T10:00:00Z",
              "attachments": [{ "file_name": "log.txt", "extracted_content": "line 1" }],
              "parent_message_uuid": "00000000-0000-4000-8000-000000000000" },
            { "uuid": "b", "sender": "assistant", "text": "old answer", "parent_message_uuid": "a" },
            { "uuid": "c", "sender": "assistant", "text": "ignored when there are blocks",
              "parent_message_uuid": "a", "content": [
                { "type": "thinking", "thinking": "hm" },
                { "type": "tool_use", "id": "t", "name": "look", "input": { "at": 1 } },
                { "type": "tool_result", "tool_use_id": "t", "content": [{ "type": "text", "text": "seen" }] },
                { "type": "text", "text": "new answer" }
            ] }
        ]
    });
    let two = json!({ "name": "", "chat_messages": [
        { "sender": "human", "text": "one" }, { "sender": "assistant", "text": "two" }
    ] });
    for file in [json!([one, two]).to_string(), format!("{one}\n\n{two}\n")] {
        let (_folder, store) = store();
        let reports = import(&store, "conversations.json", file.into_bytes(), NOW).await.unwrap();
        let session = store.session(session_of(&reports[0])).await.unwrap();
        assert_eq!(
            (session.created_at, session.updated_at),
            (1_709_287_200_500, 1_709_287_200_000)
        );
        let page = last_page(&store, session.current_thread).await;
        assert_eq!(page.messages[1].siblings.len(), 2);
        assert!(matches!(page.messages[0].message.parts[1], ContentPart::File { .. }));
        let ContentPart::Tool { call } = &page.messages[1].message.parts[1] else {
            panic!("no call");
        };
        let ToolState::Done { output } = &call.state else { panic!("no result") };
        assert_eq!((call.args.as_str(), output.text.as_str()), ("{\"at\":1}", "seen"));
        let other = session_of(&reports[1]);
        assert_eq!(path(&store, other).await, ["one", "two"]);
        assert_eq!(store.session(other).await.unwrap().title, None);
    }
}

#[tokio::test]
async fn chatbox_comes_with_threads_forks_and_points_and_without_its_keys() {
    let said = |id: &str, role: &str, text: &str| {
        json!({ "id": id, "role": role, "timestamp": 1_700_000_000_000_i64,
                "contentParts": [{ "type": "text", "text": text }] })
    };
    let mut summary = said("s", "assistant", "in short");
    summary["isSummary"] = json!(true);
    let point = json!({ "summaryMessageId": "s", "boundaryMessageId": "b", "createdAt": 5 });
    let older = json!({ "id": "o", "role": "user", "content": "legacy text" });
    let file = json!({
        "settings": { "providers": { "openai": { "apiKey": "sk-never" } } },
        "picture:1": "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAQAAAADCAYAAAA=",
        "session:1": {
            "id": "1", "name": "Boats",
            "messages": [
                said("sys", "system", "Be kind."), said("a", "user", "question"),
                said("b", "assistant", "answer"), summary, said("c", "user", "more"),
                { "id": "d", "role": "assistant", "contentParts": [
                    { "type": "image", "storageKey": "picture:1" },
                    { "type": "tool-call", "state": "result", "toolCallId": "t", "toolName": "look",
                      "args": {}, "result": { "ok": true } }
                ] }
            ],
            "threads": [{ "id": "t", "name": "earlier", "createdAt": 3, "messages": [older] }],
            "messageForksHash": { "a": { "position": 1, "lists": [
                { "id": "x", "messages": [said("b2", "assistant", "another answer")] },
                { "id": "y", "messages": [] }
            ] } },
            "compactionPoints": [point]
        },
        "chat-sessions": [{ "id": "2", "name": "Old", "messages": [{ "role": "user", "content": "hi" }] }]
    });
    let (_folder, store) = store();
    let reports = import(&store, "backup.json", file.to_string().into_bytes(), NOW).await.unwrap();
    assert_eq!(path(&store, session_of(&reports[1])).await, ["hi"]);
    let session = store.session(session_of(&reports[0])).await.unwrap();
    assert_eq!(session.overrides.instructions.as_deref(), Some("Be kind."));
    assert_eq!(path(&store, session.id).await, ["question", "answer", "more", ""]);
    let threads = store.threads(session.id).await.unwrap();
    assert_eq!(threads.iter().map(|it| it.number).collect::<Vec<_>>(), [2, 1]);
    let page = last_page(&store, session.current_thread).await;
    assert_eq!(page.messages[1].siblings.len(), 2);
    let ContentPart::Image(image) = &page.messages[3].message.parts[0] else {
        panic!("{:?}", page.messages[3].message)
    };
    let size = image.width.zip(image.height);
    assert_eq!((image.media_type.as_str(), size), ("image/png", Some((4, 3))));
    let points = store.points(session.current_thread).await.unwrap();
    assert_eq!(points.len(), 1);
    assert_eq!(points[0].boundary_message_id, page.messages[1].message.id);
    assert_eq!(
        (&page.beside[0].kind, page.beside[0].role),
        (&MessageKind::Summary { writer: SummaryWriter::Skein }, Role::Assistant)
    );
    let everything = format!("{:?}", store.all_messages(session.current_thread).await.unwrap());
    assert!(!everything.contains("sk-never"));
}

#[tokio::test]
async fn chatbox_forks_of_forks_come_whatever_their_order_and_lost_ones_are_counted() {
    let said = |id: &str, role: &str| json!({ "id": id, "role": role, "content": id });
    let fork = |messages: &[Value]| {
        json!({ "position": 1, "lists": [
            { "id": "in use", "messages": [] }, { "id": "other", "messages": messages }
        ] })
    };
    let file = json!({ "session:1": {
        "id": "1", "name": "Boats",
        "messages": [said("q", "user"), said("r", "assistant")],
        // By their keys: each fork but the last hangs in one that comes after it.
        "messageForksHash": {
            "a2": fork(&[said("a3", "assistant")]),
            "b2": fork(&[said("a2", "user")]),
            "gone": fork(&[said("x", "user")]),
            "q": fork(&[said("b2", "assistant")]),
        }
    } });
    let (_folder, store) = store();
    let reports = import(&store, "backup.json", file.to_string().into_bytes(), NOW).await.unwrap();
    let session_id = session_of(&reports[0]);
    let outcome = ImportOutcome::Imported { session_id, messages: 5, missing: 0, unplaced: 1 };
    assert_eq!(reports[0].outcome, outcome);
    let thread = store.session(session_id).await.unwrap().current_thread;
    let all = store.all_messages(thread).await.unwrap();
    let text = |id| all.iter().find(|it| Some(it.id) == id).map(|it| it.text());
    let mut hangs: Vec<_> = all.iter().map(|it| (it.text(), text(it.parent_id))).collect();
    hangs.sort();
    let expected = [("a2", Some("b2")), ("a3", Some("a2")), ("b2", Some("q")), ("q", None)];
    let expected = expected.into_iter().chain([("r", Some("q"))]);
    let expected: Vec<_> = expected.map(|(it, at)| (it.into(), at.map(str::to_owned))).collect();
    assert_eq!(hangs, expected);
}

#[tokio::test]
async fn what_is_no_conversation_is_refused_and_adds_nothing() {
    let (_folder, store) = store();
    let zip = zipped(&[("user.json", b"{}")]);
    let cut = zipped(&[("conversations.json", b"[]")]).split_at(20).0.to_vec();
    for (bytes, fault) in [
        (b"".to_vec(), FileError::Empty {}),
        (b" \n".to_vec(), FileError::Empty {}),
        (b"[]".to_vec(), FileError::NoConversation {}),
        (b"{}".to_vec(), FileError::UnknownFormat {}),
        (b"7".to_vec(), FileError::UnknownFormat {}),
        (b"{}\n{}".to_vec(), FileError::NoConversation {}),
        (b"[1, null, {\"a\": 1}]".to_vec(), FileError::NoConversation {}),
        (b"{ \"a\": [1, 2".to_vec(), FileError::CutOff {}),
        (b"<html>".to_vec(), FileError::NotJson {}),
        (b"\xff\xfe\x00".to_vec(), FileError::NotJson {}),
        (zip, FileError::NoConversation {}),
        (cut, FileError::CutOff {}),
        (
            json!({ "format": "other", "version": 1 }).to_string().into_bytes(),
            FileError::UnknownFormat {},
        ),
    ] {
        let refused = import(&store, "file", bytes.clone(), NOW).await;
        let shown = String::from_utf8_lossy(&bytes).into_owned();
        let expected = Error::BadFile { name: "file".into(), fault };
        assert_eq!(refused, Err(expected), "{shown}");
    }
    let newer = json!({ "format": "skein-conversation", "version": 99 });
    let reports = import(&store, "file", newer.to_string().into_bytes(), NOW).await.unwrap();
    assert_eq!(reports[0].outcome, ImportOutcome::Unreadable { fault: FileError::NewerFormat {} });
    assert_eq!(store.sessions().await.unwrap(), []);
}

#[tokio::test]
async fn an_entry_that_nobody_knows_is_told_and_takes_nothing_else_along() {
    let (_folder, store) = store();
    let list = json!([{ "name": "Odd", "posts": [] }, chatgpt(), 7]).to_string();
    let zip = zipped(&[("conversations.json", list.as_bytes()), ("conversations-2.json", b"[1]")]);
    for file in [list.into_bytes(), zip] {
        let reports = import(&store, "file", file, NOW).await.unwrap();
        let titles = reports.iter().map(|report| report.title.as_deref());
        assert_eq!(titles.collect::<Vec<_>>(), [Some("Odd"), Some("Shapes"), None]);
        session_of(&reports[1]);
        for at in [0, 2] {
            let unknown = ImportOutcome::Unreadable { fault: FileError::UnknownFormat {} };
            assert_eq!(reports[at].outcome, unknown);
        }
    }
}

#[tokio::test]
async fn an_import_that_is_stopped_leaves_nothing() {
    let (_folder, store) = store();
    let file = json!([chatgpt(), chatgpt(), chatgpt()]).to_string().into_bytes();
    let mut heard = Vec::new();
    let stopped = skein_app::transfers::import(&store, "file", held(&file), NOW, |done, total| {
        heard.push((done, total));
        done < 2
    });
    assert_eq!(stopped.await, Ok(None));
    assert_eq!(heard, [(0, 3), (1, 3), (2, 3)]);
    assert_eq!(store.sessions().await.unwrap(), []);
    assert_eq!(store.deleted_sessions().await.unwrap(), [], "nobody ever had them");
}

#[tokio::test]
async fn an_import_that_is_stopped_takes_its_pictures_along() {
    let (folder, store) = store();
    let file = zipped(&[
        ("conversations.json", json!([chatgpt(), chatgpt()]).to_string().as_bytes()),
        ("file-abc-cat.png", PNG),
    ]);
    assert_eq!(
        skein_app::transfers::import(&store, "file", held(&file), NOW, |done, _| done == 0).await,
        Ok(None)
    );
    assert_eq!(blobs(folder.path()), 0);
}

#[tokio::test]
async fn an_import_that_was_killed_is_seen_by_nobody_and_gone_at_the_next_start() {
    let (folder, store) = store();
    let file = zipped(&[
        ("conversations.json", json!(vec![chatgpt(); 1_100]).to_string().as_bytes()),
        ("file-abc-cat.png", PNG),
    ]);
    let killed = tokio::spawn(async move {
        skein_app::transfers::import(&store, "file", held(&file), NOW, |done, _| {
            done < 1_090 || panic!("killed")
        })
        .await
    });
    assert!(killed.await.is_err());
    assert_eq!(blobs(folder.path()), 1);
    let store = Store::open(&AppPaths::in_folder(folder.path()), NOW + 1).unwrap();
    assert_eq!(store.sessions().await.unwrap(), []);
    assert_eq!(store.deleted_sessions().await.unwrap(), []);
    assert_eq!(blobs(folder.path()), 0);
    let undone = store.interrupted_import().expect("what was undone is said");
    assert!(undone.sessions > 1 && undone.messages > undone.sessions, "{undone:?}");
    drop(store);
    let store = Store::open(&AppPaths::in_folder(folder.path()), NOW + 2).unwrap();
    assert_eq!(store.interrupted_import(), None, "it is said once");
}

/// How many attachments are kept.
fn blobs(folder: &Path) -> u32 {
    let raw = Connection::open(AppPaths::in_folder(folder).database()).unwrap();
    raw.query_row("SELECT count(*) FROM blobs", [], |row| row.get(0)).unwrap()
}

#[tokio::test]
async fn what_was_attached_in_chatgpt_comes_along_or_is_named() {
    let (_folder, store) = store();
    let file = |id: &str, name: &str| json!({ "id": id, "name": name, "mime_type": "x/y" });
    let mut question = says("user", "What do they say?");
    question["content"]["parts"] = json!([
        { "asset_pointer": "sediment://file_abc", "width": 4, "height": 3 }, "What do they say?"
    ]);
    question["metadata"] = json!({ "attachments": [
        file("file_abc", "cat.png"), file("file-n", "notes.md"), file("file-c", "contract.pdf"),
        file("file-gone", "table.csv"), {}
    ] });
    let mut alone = says("user", "");
    alone["metadata"] = json!({ "attachments": [file("file-gone", "alone.txt")] });
    let mapping: serde_json::Map<String, Value> = [
        node("question", None, question),
        node("alone", Some("question"), alone),
        node("answer", Some("alone"), says("assistant", "Much.")),
    ]
    .into_iter()
    .collect();
    let one = json!([{ "title": "Files", "mapping": mapping, "current_node": "answer" }]);
    let file = zipped(&[
        ("conversations.json", one.to_string().as_bytes()),
        ("file_abc-cat.png", PNG),
        ("file-n-notes.md", b"# Wool"),
        ("file-c-contract.pdf", b"%PDF-1.4\0\x01"),
    ]);
    let reports = import(&store, "export.zip", file, NOW).await.unwrap();
    let ImportOutcome::Imported { missing, .. } = reports[0].outcome else { panic!("{reports:?}") };
    assert_eq!(missing, 4, "the contract, the table, what has no name, and what stands alone");
    let imported = store.session(session_of(&reports[0])).await.unwrap();
    let page = last_page(&store, imported.current_thread).await;
    let line = |part: &ContentPart| match part {
        ContentPart::Text { text } => text.clone(),
        ContentPart::Image(picture) => format!("({})", picture.name),
        ContentPart::File { name, media_type, text, .. } => format!("{name}, {media_type}: {text}"),
        other => panic!("{other:?}"),
    };
    let lines = page.messages.iter().map(|it| it.message.parts.iter().map(line).collect());
    let lines: Vec<Vec<String>> = lines.collect();
    let question = [
        "(file_abc-cat.png)",
        "What do they say?",
        "notes.md, text/markdown: # Wool",
        "[contract.pdf]",
        "[table.csv]",
        "[file]",
    ];
    assert_eq!(lines, [question.to_vec(), vec!["[alone.txt]"], vec!["Much."]]);
}

#[tokio::test]
async fn half_an_emoji_costs_its_sign_and_no_conversation() {
    let (_folder, store) = store();
    let text = json!([chatgpt(), chatgpt()]).to_string();
    let cut = text.replacen("\"Shapes\"", "\"Shapes \\ud83d\"", 1);
    assert_ne!(cut, text);
    let zip = zipped(&[("conversations.json", cut.as_bytes())]);
    for file in [cut.into_bytes(), zip] {
        let reports = import(&store, "file", file, NOW).await.unwrap();
        let titles = reports.iter().map(|report| report.title.as_deref());
        assert_eq!(titles.collect::<Vec<_>>(), [Some("Shapes \u{fffd}"), Some("Shapes")]);
        for report in &reports {
            session_of(report);
        }
    }
}

fn is_misbuilt(report: &ImportReport, there: &str) -> bool {
    let ImportOutcome::Unreadable { fault } = &report.outcome else { return false };
    matches!(fault, FileError::Misbuilt { detail } if detail.contains(there))
}

#[tokio::test]
async fn what_cannot_be_held_of_a_conversation_takes_no_other_along() {
    let (_folder, store) = store();
    let deep = "[".repeat(200) + &"]".repeat(200);
    for odd in [deep.as_str(), "1e999"] {
        let claude = format!(r#"{{"name":"Odd","chat_messages":[],"settings":{odd}}}"#);
        let list = format!("[{claude},{}]", chatgpt());
        let reports = import(&store, "file", list.into_bytes(), NOW).await.unwrap();
        let [first, second] = &reports[..] else { panic!("{reports:?}") };
        assert_eq!(first.title.as_deref(), Some("Odd"));
        assert!(is_misbuilt(first, "`settings`"), "{first:?}");
        session_of(second);

        let session = json!({ "name": "Whole", "messages": [
            { "id": "1", "role": "user", "contentParts": [{ "type": "text", "text": "wool" }] },
        ] });
        let chatbox = format!(r#"{{"session:1":{{"a":{odd}}},"session:2":{session}}}"#);
        let reports = import(&store, "file", chatbox.into_bytes(), NOW).await.unwrap();
        session_of(&reports[0]);
        assert!(is_misbuilt(&reports[1], "`session:1`"), "{reports:?}");
    }
}

#[tokio::test]
async fn an_entry_that_takes_all_memory_is_refused_before_and_its_archive_is_not() {
    let (_folder, store) = store();
    let values = format!(r#"[{{"title":"Heavy","mapping":[{}0]}}]"#, "0,".repeat(5_000_000));
    let limit = 512 * 1024 * 1024;
    let refused = import(&store, "file", values.clone().into_bytes(), NOW).await;
    let fault = FileError::TooLarge { limit };
    assert_eq!(refused, Err(Error::BadFile { name: "file".into(), fault: fault.clone() }));

    let whole = json!([chatgpt()]).to_string();
    let zip = zipped(&[
        ("conversations-1.json", values.as_bytes()),
        ("conversations-2.json", whole.as_bytes()),
    ]);
    let reports = import(&store, "file", zip, NOW).await.unwrap();
    assert_eq!(reports[0].outcome, ImportOutcome::Unreadable { fault });
    session_of(&reports[1]);
}

#[tokio::test]
async fn a_file_of_a_session_without_threads_brings_its_draft_in_an_empty_one() {
    let (_folder, from) = store();
    let chat = import(&from, "a.json", json!([chatgpt()]).to_string().into(), NOW).await.unwrap();
    let (format, id) = (ExportFormat::Json, session_of(&chat[0]));
    let text = skein_app::transfers::export(&from, id, format, &words(), NOW).await.unwrap();
    let mut file: Value = serde_json::from_str(&text).unwrap();
    file["conversation"]["threads"] = json!([]);
    file["conversation"]["draft"]["text"] = json!("half a thought");

    let (_folder, to) = store();
    let reports = import(&to, "a.json", file.to_string().into(), NOW).await.unwrap();
    let listed = to.sessions().await.unwrap();
    assert_eq!(listed.iter().map(|it| it.id).collect::<Vec<_>>(), [session_of(&reports[0])]);
    assert_eq!(to.threads(listed[0].id).await.unwrap().len(), 1);
    assert_eq!(to.draft(listed[0].id).await.unwrap().text, "half a thought");
}
