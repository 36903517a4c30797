//! Imports from Open WebUI and LibreChat, in their formats.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use skein_domain::error::FileError;
use skein_domain::ids::SessionId;
use skein_domain::message::{ContentPart, Message, Role, ToolState};
use skein_store::Store;
use skein_transfer::{ImportOutcome, ImportReport};

use crate::{NOW, import, path, session_of, store};

async fn bring_in(store: &Store, file: &Value) -> Vec<ImportReport> {
    import(store, "export.json", file.to_string().into_bytes(), NOW).await.unwrap()
}

/// Every message with the one it follows, by their words.
async fn hangs(store: &Store, session: SessionId) -> BTreeMap<String, Option<String>> {
    let thread = store.session(session).await.unwrap().current_thread;
    let all = store.all_messages(thread).await.unwrap();
    let words = |id| all.iter().find(|it| Some(it.id) == id).map(Message::text);
    all.iter().map(|it| (it.text(), words(it.parent_id))).collect()
}

fn hanging(expected: &[(&str, Option<&str>)]) -> BTreeMap<String, Option<String>> {
    expected.iter().map(|(it, at)| ((*it).to_owned(), at.map(str::to_owned))).collect()
}

fn webui(title: &str, current: &str, messages: &[Value]) -> Value {
    let by_id = messages.iter().map(|it| (it["id"].as_str().unwrap().to_owned(), it.clone()));
    let by_id: serde_json::Map<String, Value> = by_id.collect();
    json!({
        "id": "c", "user_id": "u", "title": title,
        "chat": {
            "title": title, "models": ["qwen3"], "params": { "system": "Be kind." },
            "history": { "currentId": current, "messages": by_id },
        },
        "created_at": 1_700_000_000, "updated_at": 1_700_000_100, "share_id": null,
        "archived": false, "pinned": false, "meta": {}, "folder_id": null
    })
}

fn webui_said(id: &str, parent: Option<&str>, role: &str, content: &str) -> Value {
    json!({ "id": id, "parentId": parent, "childrenIds": [], "role": role, "content": content,
            "timestamp": 1_700_000_010 })
}

fn line(part: &ContentPart) -> String {
    match part {
        ContentPart::Text { text } => text.clone(),
        ContentPart::Reasoning { text, .. } => format!("({text})"),
        ContentPart::Image(picture) => format!("<{} {}>", picture.name, picture.media_type),
        ContentPart::File { name, text, .. } => format!("<{name}: {text}>"),
        ContentPart::Tool { call } => match &call.state {
            ToolState::Done { output } => format!("{}{} = {}", call.name, call.args, output.text),
            ToolState::Cancelled {} => format!("{}{} …", call.name, call.args),
            other => panic!("{other:?}"),
        },
    }
}

async fn lines(store: &Store, session: SessionId) -> Vec<Vec<String>> {
    let thread = store.session(session).await.unwrap().current_thread;
    let path = store.path_after(thread, None).await.unwrap();
    path.iter().map(|message| message.parts.iter().map(line).collect()).collect()
}

#[tokio::test]
async fn open_webui_comes_as_a_tree_with_the_path_that_was_shown() {
    let (_folder, store) = store();
    let file = json!([webui(
        "Boats",
        "b1",
        &[
            webui_said("a1", Some("q"), "assistant", "first answer"),
            webui_said("q", None, "user", "question"),
            webui_said("a2", Some("q"), "assistant", "second answer"),
            webui_said("b1", Some("a1"), "user", "go on"),
            webui_said("b2", Some("a2"), "user", "go on there"),
        ]
    )]);
    let reports = bring_in(&store, &file).await;
    let session = store.session(session_of(&reports[0])).await.unwrap();
    assert_eq!(session.title.as_deref(), Some("Boats"));
    assert_eq!(session.overrides.instructions.as_deref(), Some("Be kind."));
    assert_eq!((session.created_at, session.updated_at), (1_700_000_000_000, 1_700_000_100_000));
    assert_eq!(path(&store, session.id).await, ["question", "first answer", "go on"]);
    let expected = [
        ("question", None),
        ("first answer", Some("question")),
        ("second answer", Some("question")),
        ("go on", Some("first answer")),
        ("go on there", Some("second answer")),
    ];
    assert_eq!(hangs(&store, session.id).await, hanging(&expected));
    let all = store.all_messages(session.current_thread).await.unwrap();
    assert_eq!((all[0].role, all[0].created_at), (Role::User, 1_700_000_010_000));
}

#[tokio::test]
async fn open_webui_says_thoughts_and_tools_in_words_or_as_items() {
    let (_folder, store) = store();
    let in_words = "<details type=\"reasoning\" done=\"true\" duration=\"3\">\n\
        <summary>Thought for 3 seconds</summary>\n&gt; Is 2 &lt; 3?\n&gt; It is.\n</details>\n\
        Let me look.\n\
        <details type=\"tool_calls\" done=\"true\" id=\"call_1\" name=\"look\" \
        arguments=\"&quot;{\\&quot;at\\&quot;: 1}&quot;\" result=\"&quot;seen&quot;\" files=\"\">\n\
        <summary>Tool Executed</summary>\n</details>\n\
        Done, as <details> says.";
    let mut as_items = webui_said("b", Some("r"), "assistant", "told <details>twice</details>");
    as_items["output"] = json!([
        { "type": "reasoning", "id": "r", "content": [{ "type": "output_text", "text": "hm" }], "summary": null },
        { "type": "function_call", "call_id": "t", "name": "look", "arguments": "{}" },
        { "type": "function_call_output", "call_id": "t", "output": [{ "type": "input_text", "text": "seen" }] },
        { "type": "function_call", "call_id": "u", "name": "wait", "arguments": "{}" },
        { "type": "message", "role": "assistant", "content": [{ "type": "output_text", "text": "There." }] }
    ]);
    let mut unknown = webui_said("c", Some("b"), "assistant", "its words");
    unknown["output"] = json!([{ "type": "of:tomorrow" }]);
    let mut asked = webui_said("r", Some("a"), "user", "And these?");
    asked["files"] = json!([
        { "type": "image", "url": "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAQAAAADCAYAAAA=" },
        { "type": "image", "url": "5f0c", "name": "cat.png" },
        { "type": "file", "name": "log.txt", "file": { "data": { "content": "line 1" } } },
        { "type": "collection", "name": "Papers" }
    ]);
    let said = [
        webui_said("q", None, "user", "<details type=\"reasoning\">mine</details>"),
        webui_said("a", Some("q"), "assistant", in_words),
        asked,
        as_items,
        unknown,
    ];
    let reports = bring_in(&store, &json!([webui("Ships", "c", &said)])).await;
    let session_id = session_of(&reports[0]);
    let outcome = ImportOutcome::Imported { session_id, messages: 5, missing: 2, unplaced: 0 };
    assert_eq!(reports[0].outcome, outcome);
    let expected: [&[&str]; 5] = [
        &["<details type=\"reasoning\">mine</details>"],
        &[
            "(Is 2 < 3?\nIt is.)",
            "Let me look.",
            "look{\"at\": 1} = seen",
            "Done, as <details> says.",
        ],
        &["And these?", "<image image/png>", "[cat.png]", "<log.txt: line 1>", "[Papers]"],
        &["(hm)", "look{} = seen", "wait{} …", "There."],
        &["its words"],
    ];
    assert_eq!(lines(&store, session_id).await, expected);
}

#[tokio::test]
async fn an_old_chat_of_open_webui_is_a_list() {
    let (_folder, store) = store();
    let messages = json!([
        { "role": "user", "content": "one" }, { "role": "assistant", "content": "two" }
    ]);
    let file = json!([{ "id": "c", "title": "Old", "chat": { "messages": messages } }]);
    let reports = bring_in(&store, &file).await;
    assert_eq!(path(&store, session_of(&reports[0])).await, ["one", "two"]);
}

const NOBODY: &str = "00000000-0000-0000-0000-000000000000";

fn libre(title: &str, key: &str, messages: &Value) -> Value {
    json!({
        "conversationId": "4a86c40e", "endpoint": "openAI", "title": title,
        "exportAt": "13:18:04 GMT-0400 (Eastern Daylight Time)", "branches": true,
        "recursive": true, "options": { "model": "gpt-4o", "promptPrefix": "Be kind." },
        key: messages
    })
}

fn libre_said(id: &str, parent: &str, person: bool, text: &str) -> Value {
    json!({
        "_id": "66326f3f", "messageId": id, "parentMessageId": parent, "conversationId": "4a86c40e",
        "createdAt": "2024-05-28T18:08:55.014Z", "isCreatedByUser": person, "text": text,
        "sender": if person { "User" } else { "GPT-4" }, "error": false, "unfinished": false
    })
}

fn holding(mut message: Value, children: Vec<Value>) -> Value {
    message["children"] = json!(children);
    message
}

#[tokio::test]
async fn librechat_comes_as_a_list_or_as_a_tree() {
    let said = |id: &str, parent: &str, person| libre_said(id, parent, person, id);
    let list = json!([
        said("q", NOBODY, true),
        said("a1", "q", false),
        said("a2", "q", false),
        said("b", "a2", true),
        said("q2", NOBODY, true),
        said("c", "q2", false),
    ]);
    let tree = json!([
        holding(
            said("q", NOBODY, true),
            vec![
                holding(said("a1", "q", false), vec![]),
                holding(said("a2", "q", false), vec![holding(said("b", "a2", true), vec![])]),
            ]
        ),
        holding(said("q2", NOBODY, true), vec![holding(said("c", "q2", false), vec![])]),
    ]);
    for (key, messages) in [("messages", &list), ("messages", &tree), ("messagesTree", &tree)] {
        let (_folder, store) = store();
        let reports = bring_in(&store, &libre("Stories", key, messages)).await;
        let session = store.session(session_of(&reports[0])).await.unwrap();
        assert_eq!(session.title.as_deref(), Some("Stories"));
        assert_eq!(session.overrides.instructions.as_deref(), Some("Be kind."));
        assert_eq!(session.created_at, 1_716_919_735_014);
        assert_eq!(path(&store, session.id).await, ["q2", "c"], "what was said last");
        let expected = [
            ("q", None),
            ("a1", Some("q")),
            ("a2", Some("q")),
            ("b", Some("a2")),
            ("q2", None),
            ("c", Some("q2")),
        ];
        assert_eq!(hangs(&store, session.id).await, hanging(&expected));
    }
}

#[tokio::test]
async fn the_parts_of_librechat_come_along_or_are_named() {
    let (_folder, store) = store();
    let mut asked = libre_said("q", NOBODY, true, "Look [here], \"there\" and at \\ {it}.");
    asked["files"] = json!([
        { "file_id": "f", "filename": "cat.png", "type": "image/png", "filepath": "/images/cat.png" },
        { "file_id": "g", "filename": "log.txt", "text": "line 1" }
    ]);
    let mut answer = libre_said("a", "q", false, "");
    answer["content"] = json!([
        { "type": "think", "think": "hm" },
        { "type": "tool_call", "tool_call": {
            "id": "t", "name": "look", "args": "{\"at\":1}", "output": "seen", "type": "tool_call" } },
        { "type": "tool_call", "tool_call": { "id": "u", "name": "wait", "args": { "children": [1] } } },
        { "type": "agent_update", "agent_update": { "agentId": "x" } },
        { "type": "image_file", "image_file": { "filename": "chart.png" } },
        { "type": "text", "text": { "value": "There." } },
        { "type": "of_tomorrow" }
    ]);
    let file = libre("Parts", "messages", &json!([holding(asked, vec![holding(answer, vec![])])]));
    let reports = bring_in(&store, &file).await;
    let session_id = session_of(&reports[0]);
    let outcome = ImportOutcome::Imported { session_id, messages: 2, missing: 3, unplaced: 0 };
    assert_eq!(reports[0].outcome, outcome);
    let expected: [&[&str]; 2] = [
        &["Look [here], \"there\" and at \\ {it}.", "[cat.png]", "<log.txt: line 1>"],
        &[
            "(hm)",
            "look{\"at\":1} = seen",
            "wait{\"children\":[1]} …",
            "[chart.png]",
            "There.",
            "[of_tomorrow]",
        ],
    ];
    assert_eq!(lines(&store, session_id).await, expected);
}

/// As LibreChat writes by default: nothing that calls itself for each bracket reads it.
#[tokio::test]
async fn a_long_conversation_of_librechat_is_nested_as_deep_as_it_is_long() {
    let (_folder, store) = store();
    let count = 3_000;
    let begun = (0..count).map(|at| {
        let parent = if at == 0 { NOBODY.to_owned() } else { format!("m{}", at - 1) };
        let said = libre_said(&format!("m{at}"), &parent, at % 2 == 0, &format!("line {at}"));
        let said = said.to_string();
        format!("{},\n  \"children\": [", said.trim_end_matches('}'))
    });
    let text = format!(
        "{{\"conversationId\": \"c\", \"title\": \"Long\", \"recursive\": true, \"messages\": [{}{}]}}",
        begun.collect::<String>(),
        "]}".repeat(count)
    );
    let reports = import(&store, "export.json", text.into_bytes(), NOW).await.unwrap();
    let said = path(&store, session_of(&reports[0])).await;
    assert_eq!((said.len(), said[count - 1].as_str()), (count, "line 2999"));
}

#[tokio::test]
async fn circles_and_lost_parents_take_nothing_else_along() {
    let said = |id: &str, parent: &str| libre_said(id, parent, true, id);
    let libre = libre(
        "Odd",
        "messages",
        &json!([
            said("first", NOBODY), said("found", "first"), said("lost", "gone"), said("itself", "itself"),
            said("one", "two"), said("two", "one"), said("first", "found"), { "messageId": 7 }, 7, [[]]
        ]),
    );
    let said = |id: &str, parent: Option<&str>| webui_said(id, parent, "user", id);
    let webui = webui(
        "Odd",
        "gone",
        &[
            said("first", None),
            said("found", Some("first")),
            said("lost", Some("gone")),
            said("itself", Some("itself")),
            said("one", Some("two")),
            said("two", Some("one")),
        ],
    );
    let (_folder, store) = store();
    for (file, more) in [(libre, Some(("first", Some("found")))), (json!([webui]), None)] {
        let reports = bring_in(&store, &file).await;
        let kept = [("first", None), ("found", Some("first")), ("lost", None)];
        let kept: Vec<_> = kept.into_iter().chain(more).collect();
        assert_eq!(hangs(&store, session_of(&reports[0])).await, hanging(&kept));
    }
}

#[tokio::test]
async fn what_is_not_built_as_they_build_it_is_told() {
    let (_folder, store) = store();
    let empty = json!([webui("Nothing", "", &[])]);
    assert_eq!(bring_in(&store, &empty).await[0].outcome, ImportOutcome::Empty {});
    for (file, detail) in [
        (json!([{ "chat": "hello" }]), "`chat.history.messages` is not a map"),
        (
            json!([{ "chat": { "history": { "messages": [] } } }]),
            "`chat.history.messages` is not a map",
        ),
        (json!({ "conversationId": 7, "messages": {} }), "`messages` is not a list"),
    ] {
        let fault = FileError::Misbuilt { detail: detail.to_owned() };
        let reports = bring_in(&store, &file).await;
        assert_eq!(reports[0].outcome, ImportOutcome::Unreadable { fault }, "{file}");
    }
    assert_eq!(store.sessions().await.unwrap(), []);
}
