//! Cherry Studio's backups, in the shapes of its versions.

use serde_json::{Value, json};
use skein_domain::error::{Error, FileError};
use skein_domain::message::{ContentPart, ToolState};
use skein_store::Store;
use skein_transfer::{ImportOutcome, ImportReport};

use crate::imports::zipped;
use crate::{NOW, import, last_page, path, session_of, store};

const KEY: &str = "sk-never-0123456789";
const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x04\0\0\0\x03";
/// The same as base64.
const DRAWN: &str = "iVBORw0KGgoAAAANSUhEUgAAAAQAAAAD";

/// A backup with these tables, and what its settings say of assistants and their topics.
fn backup(version: u32, tables: &Value, assistants: &Value) -> Value {
    // Each is a text in a text, the keys beside them as well.
    let assistants = json!({
        "assistants": assistants, "defaultAssistant": { "id": "default", "topics": [] },
        "tagsOrder": [], "_persist": null
    });
    let persisted = json!({
        "settings": json!({ "webdavPass": KEY }).to_string(),
        "llm": json!({ "providers": [{ "id": "openai", "apiKey": KEY }] }).to_string(),
        "assistants": assistants.to_string(),
        "_persist": "{\"version\":178,\"rehydrated\":true}"
    });
    json!({
        "time": 1_700_000_000_000_i64, "version": version,
        "localStorage": {
            "language": "zh-CN", "persist:cherry-studio": persisted.to_string(), "memory": "[]"
        },
        "indexedDB": tables
    })
}

fn topic(id: &str, name: &str) -> Value {
    json!({
        "id": id, "assistantId": "a", "name": name, "messages": [], "prompt": "",
        "createdAt": "2025-06-01T10:00:00.000Z", "updatedAt": "2025-06-02T10:00:00.000Z"
    })
}

fn assistant(topics: &[Value]) -> Value {
    json!([{ "id": "a", "name": "Weaver", "emoji": "W", "prompt": "Be kind.", "type": "assistant",
             "topics": topics, "settings": { "temperature": 1, "contextCount": 5 } }])
}

/// A message of version 4 and later; each of its blocks is `<its id>.<place>`.
fn message(id: &str, role: &str, blocks: usize, more: &Value) -> Value {
    let blocks: Vec<_> = (0..blocks).map(|at| format!("{id}.{at}")).collect();
    let mut message = json!({
        "id": id, "role": role, "assistantId": "a", "topicId": "t", "status": "success",
        "createdAt": "2025-06-01T10:00:01.000Z", "blocks": blocks
    });
    let fields = message.as_object_mut().unwrap();
    fields.extend(more.as_object().unwrap().clone());
    message
}

fn block(id: &str, kind: &str, more: Value) -> Value {
    let mut block = more;
    block["id"] = json!(id);
    block["messageId"] = json!(id.split('.').next());
    block["type"] = json!(kind);
    for (key, value) in [("status", "success"), ("createdAt", "2025-06-01T10:00:01.000Z")] {
        if block.get(key).is_none() {
            block[key] = json!(value);
        }
    }
    block
}

fn text(id: &str, words: &str) -> Value {
    block(id, "main_text", json!({ "content": words }))
}

fn file(id: &str, ext: &str, origin: &str, kind: &str) -> Value {
    json!({ "id": id, "name": format!("{id}{ext}{ext}"), "origin_name": origin, "ext": ext,
            "path": format!("C:\\Users\\ada\\Files\\{id}{ext}"), "size": 1, "type": kind,
            "created_at": "2025-06-01T10:00:00.000Z", "count": 1 })
}

/// Imports an archive as newer versions of Cherry Studio write it for export.
async fn brought(store: &Store, data: &Value, files: &[(&str, &[u8])]) -> Vec<ImportReport> {
    let data = data.to_string();
    let all: Vec<_> = [("data.json", data.as_bytes())]
        .into_iter()
        .chain(files.iter().copied())
        .chain([("Data/KnowledgeBase/data.json", &b"{\"not\": \"it\"}"[..])])
        .collect();
    import(store, "cherry-studio.202506021000.zip", zipped(&all), NOW).await.unwrap()
}

fn line(part: &ContentPart) -> String {
    match part {
        ContentPart::Text { text } => text.clone(),
        ContentPart::Reasoning { text, .. } => format!("(thinks {text})"),
        ContentPart::Image(picture) => format!("(picture {})", picture.name),
        ContentPart::File { name, text, .. } => format!("{name}: {text}"),
        ContentPart::Tool { call } => match &call.state {
            ToolState::Done { output } => {
                format!("{} {} {} said {}", call.call_id, call.name, call.args, output.text)
            }
            ToolState::Failed { message } => format!("{} failed: {message}", call.name),
            other => format!("{} {other:?}", call.name),
        },
    }
}

/// The parts of each message of the current thread.
async fn lines(store: &Store, report: &ImportReport) -> Vec<Vec<String>> {
    let thread = store.session(session_of(report)).await.unwrap().current_thread;
    let page = last_page(store, thread).await;
    page.messages.iter().map(|it| it.message.parts.iter().map(line).collect()).collect()
}

#[tokio::test]
async fn a_backup_comes_with_titles_instructions_and_answers_side_by_side_and_without_its_keys() {
    let (_folder, store) = store();
    let asked = |id: &str, more: Value| message(id, "assistant", 1, &more);
    let messages = json!([
        message("u1", "user", 1, &json!({})),
        asked("a1", json!({ "askId": "u1", "foldSelected": true })),
        asked("a2", json!({ "askId": "u1", "useful": true })),
        asked("a3", json!({ "askId": "u1" })),
        message("u2", "user", 1, &json!({})),
        asked("a4", json!({ "askId": "u2" })),
        asked("a5", json!({ "askId": "u2" })),
        // A second answer to the first question, asked for later.
        asked("a6", json!({ "askId": "u1" })),
        message("u3", "user", 1, &json!({})),
        // The message that it answers was deleted.
        asked("a7", json!({ "askId": "gone" })),
    ]);
    let ids = ["u1", "a1", "a2", "a3", "u2", "a4", "a5", "a6", "u3", "a7"];
    let mut blocks: Vec<_> = ids.iter().map(|id| text(&format!("{id}.0"), id)).collect();
    blocks.push(text("o.0", "alone"));
    let tables = json!({
        "topics": [
            { "id": "t", "messages": messages },
            { "id": "nothing said", "messages": [] },
            { "id": "orphan", "messages": [message("o", "user", 1, &json!({}))] },
            { "id": "unnamed", "messages": [message("o", "user", 1, &json!({}))] },
        ],
        "message_blocks": blocks,
        "files": [], "settings": [{ "id": "image://avatar", "value": "" }], "quick_phrases": []
    });
    // A cut emoji stands in it as JavaScript writes it, escaped again in the text around it.
    let mut pinned = topic("t", "Boats");
    pinned["pinned"] = json!(true);
    pinned["prompt"] = json!("Speak of boats.");
    let topics = [pinned, topic("nothing said", "Default Topic"), topic("unnamed", "默认话题")];
    let data = backup(5, &tables, &assistant(&topics));
    let cut = data.to_string().replace("Boats", r"Boats \\\\ud83d");
    let cut: Value = serde_json::from_str(&cut).unwrap();
    let reports = brought(&store, &cut, &[]).await;

    let titles: Vec<_> = reports.iter().map(|report| report.title.as_deref()).collect();
    assert_eq!(titles, [Some("Boats \u{fffd}"), None, Some("默认话题")]);
    let session = store.session(session_of(&reports[0])).await.unwrap();
    assert_eq!(session.title.as_deref(), Some("Boats \u{fffd}"));
    assert!(session.pinned);
    let instructions = session.overrides.instructions.as_deref();
    assert_eq!(instructions, Some("Be kind.\n\nSpeak of boats."));
    let times = (session.created_at, session.updated_at);
    assert_eq!(times, (1_748_772_000_000, 1_748_858_400_000));
    assert_eq!(path(&store, session.id).await, ["u1", "a2", "u2", "a4", "u3", "a7"]);
    let page = last_page(&store, session.current_thread).await;
    let beside: Vec<_> = page.messages.iter().map(|it| it.siblings.len()).collect();
    assert_eq!(beside, [1, 4, 1, 2, 1, 1]);

    let orphan = store.session(session_of(&reports[1])).await.unwrap();
    assert_eq!((orphan.title, orphan.overrides.instructions), (None, None));
    assert_eq!(orphan.created_at, 1_748_772_001_000);
    assert_eq!(store.session(session_of(&reports[2])).await.unwrap().title, None);
    let everything = format!("{:?}", store.all_messages(session.current_thread).await.unwrap());
    assert!(!everything.contains(KEY) && !format!("{reports:?}").contains(KEY));
}

#[tokio::test]
async fn what_was_cleared_is_an_earlier_thread() {
    let (_folder, store) = store();
    let clear = |id: &str| message(id, "user", 0, &json!({ "type": "clear" }));
    let said = |id: &str, role: &str| message(id, role, 1, &json!({ "askId": "u" }));
    let messages = |end: &[Value]| {
        let before = [clear("c0"), said("u", "user"), said("a", "assistant"), clear("c1")];
        let after = [clear("c2"), said("a", "assistant")];
        json!([&before[..], &after, end].concat())
    };
    let tables = json!({
        "topics": [{ "id": "t", "messages": messages(&[]) }, { "id": "s", "messages": messages(&[clear("c3")]) }],
        "message_blocks": [text("u.0", "question"), text("a.0", "answer")]
    });
    let reports = brought(&store, &backup(4, &tables, &json!([])), &[]).await;
    for (report, numbers, current) in [(0, vec![2, 1], vec!["answer"]), (1, vec![3, 2, 1], vec![])]
    {
        let session = session_of(&reports[report]);
        let threads = store.threads(session).await.unwrap();
        assert_eq!(threads.iter().map(|it| it.number).collect::<Vec<_>>(), numbers);
        assert_eq!(path(&store, session).await, current);
        let first = store.path_after(threads.last().unwrap().id, None).await.unwrap();
        assert_eq!(first.len(), 2);
    }
}

#[tokio::test]
async fn each_kind_of_block_is_what_it_was() {
    let (_folder, store) = store();
    let blocks = [
        text("u.0", "Look."),
        block("u.1", "image", json!({ "file": file("p", ".png", "kite.png", "image") })),
        block("u.2", "file", json!({ "file": file("n", ".md", "notes.md", "text") })),
        block("u.3", "file", json!({ "file": file("gone", ".pdf", "law.pdf", "document") })),
        block("a.0", "thinking", json!({ "content": "hm", "thinking_millsec": 12 })),
        block(
            "a.1",
            "tool",
            json!({ "toolId": "call_1", "toolName": "fetch", "arguments": { "url": "x" },
                    "content": { "content": [{ "type": "text", "text": "wool" },
                                             { "type": "image", "mimeType": "image/png", "data": DRAWN }],
                                 "isError": false } }),
        ),
        block(
            "a.2",
            "tool",
            json!({ "toolId": "2", "metadata": { "rawMcpToolResponse": {
                "id": "2", "tool": { "id": "f", "name": "find" }, "arguments": null, "status": "error",
                "response": { "isError": true, "content": [{ "type": "text", "text": "no loom" }] } } } }),
        ),
        block(
            "a.3",
            "tool",
            json!({ "toolId": "3", "toolName": "wait",
                    "metadata": { "rawMcpToolResponse": { "status": "invoking" } } }),
        ),
        block("a.4", "tool", json!({ "toolId": "4", "toolName": "count", "content": "7" })),
        text("a.5", "Here."),
        block("a.6", "code", json!({ "content": "a\n```\nb", "language": "md" })),
        block("a.7", "image", json!({ "url": format!("data:image/png;base64,{DRAWN}") })),
        block(
            "a.8",
            "image",
            json!({ "metadata": { "generateImageResponse": { "type": "base64",
                    "images": [DRAWN, "https://a.example/b.png"] } } }),
        ),
        block("a.9", "citation", json!({ "response": { "results": [], "source": "websearch" } })),
        block("a.10", "translation", json!({ "content": "Hier.", "targetLanguage": "de-de" })),
        block("a.11", "video", json!({ "filePath": "C:\\videos\\kite.mp4" })),
        block("a.12", "unknown", json!({ "status": "processing" })),
        block("a.13", "error", json!({ "status": "error", "error": { "message": "late" } })),
        block("f.0", "error", json!({ "status": "error", "error": { "message": "no credit" } })),
        block("k.0", "compact", json!({ "content": "in short", "compactedContent": "x" })),
    ];
    let messages = json!([
        message("u", "user", 4, &json!({})),
        message("a", "assistant", 14, &json!({ "askId": "u" })),
        message("f", "assistant", 1, &json!({ "askId": "g", "status": "error" })),
        message("e", "assistant", 0, &json!({ "askId": "h", "status": "pending" })),
        message("k", "assistant", 1, &json!({ "askId": "i" })),
    ]);
    let tables =
        json!({ "topics": [{ "id": "t", "messages": messages }], "message_blocks": blocks });
    let data = backup(5, &tables, &assistant(&[topic("t", "Kites")]));
    let files: [(&str, &[u8]); 2] = [("Data/Files/p.png", PNG), ("Data/Files/n.md", b"# Wool")];
    let reports = brought(&store, &data, &files).await;
    let ImportOutcome::Imported { missing, .. } = reports[0].outcome else { panic!("{reports:?}") };
    assert_eq!(missing, 4, "the law, what a tool showed, what is elsewhere, and the film");
    let code = "````md\na\n```\nb\n````";
    let answered = [
        "(thinks hm)",
        "call_1 fetch {\"url\":\"x\"} said wool\n\n[image/png]",
        "find failed: no loom",
        "wait Cancelled",
        "4 count  said 7",
        "Here.",
        code,
        "(picture picture)",
        "(picture picture)",
        "[https://a.example/b.png]",
        "[kite.mp4]",
    ];
    assert_eq!(
        lines(&store, &reports[0]).await,
        [
            vec!["Look.", "(picture kite.png)", "notes.md: # Wool", "[law.pdf]"],
            answered.to_vec(),
            vec!["no credit"],
            vec!["in short"],
        ]
    );
}

#[tokio::test]
async fn before_version_4_a_message_holds_all_of_it_and_in_version_1_a_table_everything() {
    let old = |id: &str, role: &str, more: Value| {
        let mut message = json!({
            "id": id, "role": role, "assistantId": "a", "topicId": "t", "type": "text", "content": "",
            "status": "success", "createdAt": "2024-06-01T10:00:01.000Z"
        });
        message.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        message
    };
    let tool = json!({ "id": "c1", "tool": { "id": "f", "name": "fetch" }, "arguments": { "url": "x" },
                       "status": "done", "response": { "content": [{ "type": "text", "text": "wool" }] } });
    let messages = json!([
        old(
            "u",
            "user",
            json!({ "content": "Look.", "files": [file("p", ".png", "kite.png", "image")] })
        ),
        old(
            "a",
            "assistant",
            json!({ "content": "Here.", "askId": "u", "reasoning_content": "hm",
            "metadata": { "mcpTools": [tool], "generateImage": { "type": "base64", "images": [DRAWN] } } })
        ),
        old("b", "assistant", json!({ "content": "Or here.", "askId": "u" })),
        old("f", "assistant", json!({ "status": "error", "error": { "message": "no credit" } })),
        old("c", "user", json!({ "type": "clear" })),
        old("v", "user", json!({ "content": "Again." })),
    ]);
    let topics = json!([{ "id": "t", "messages": messages }]);
    let rows = json!([
        { "key": "image://avatar", "value": "data:," },
        { "key": "topic:t", "value": { "id": "t", "name": "x", "messages": messages } },
        { "key": "topic:e", "value": { "id": "e", "messages": [] } },
    ]);
    for (version, tables) in
        [(1, rows), (2, json!({ "topics": topics })), (3, json!({ "topics": topics }))]
    {
        let (_folder, store) = store();
        let data = backup(version, &tables, &assistant(&[topic("t", "Kites")]));
        let reports = brought(&store, &data, &[("Data/Files/p.png", PNG)]).await;
        assert_eq!(reports.len(), 1);
        let session = session_of(&reports[0]);
        assert_eq!(path(&store, session).await, ["Again."]);
        let threads = store.threads(session).await.unwrap();
        let page = last_page(&store, threads[1].id).await;
        let parts = page.messages.iter().map(|it| it.message.parts.iter().map(line).collect());
        let answer = "c1 fetch {\"url\":\"x\"} said wool";
        assert_eq!(
            parts.collect::<Vec<Vec<_>>>(),
            [
                vec!["Look.", "(picture kite.png)"],
                vec!["(thinks hm)", answer, "Here.", "(picture picture)"],
                vec!["no credit"],
            ]
        );
        assert_eq!(page.messages[1].siblings.len(), 2);
        assert_eq!(store.session(session).await.unwrap().title.as_deref(), Some("Kites"));
    }
}

#[tokio::test]
async fn a_copy_of_its_database_is_called_so_and_another_text_of_that_name_is_not_its() {
    let (_folder, store) = store();
    let metadata =
        json!({ "version": 6, "timestamp": 1, "appName": "Cherry Studio", "platform": "win32" });
    let metadata = metadata.to_string();
    let other = json!({ "appName": "Another" }).to_string();
    let leveldb = ("IndexedDB/file__0.indexeddb.leveldb/000003.log", &b"\x01\x02"[..]);
    for (files, fault) in [
        (vec![("metadata.json", metadata.as_bytes()), leveldb], FileError::CherrySnapshot {}),
        (vec![("metadata.json", other.as_bytes()), leveldb], FileError::NoConversation {}),
        (vec![("data.json", &b"{\"mapping\": {}}"[..])], FileError::NoConversation {}),
        (vec![("data.json", &b"<html>"[..])], FileError::NoConversation {}),
    ] {
        let refused = import(&store, "backup.zip", zipped(&files), NOW).await;
        assert_eq!(refused, Err(Error::BadFile { name: "backup.zip".into(), fault }), "{files:?}");
    }
    let alone = backup(5, &json!({ "topics": [] }), &json!([])).to_string().into_bytes();
    let fault = FileError::NoConversation {};
    let refused = import(&store, "data.json", alone, NOW).await;
    assert_eq!(refused, Err(Error::BadFile { name: "data.json".into(), fault }));
}
