//! W07: what could go, each with its button and its undo, and the requests that follow as the server recorded
//! them.

use std::fs;

use scripted_server::Server;
use serde_json::{Value, json};
use skein_window::Skein;

use crate::actions::{CHINESE, ENGLISH, Names, open_over, say_in, woven};
use crate::deferred_tools::add_many_tools_in;
use crate::scripted::{Play, metered_model, requests, settings};
use crate::tools::{choose_folder, folder};

/// The texts of one language.
struct Words {
    language: &'static str,
    theme: &'static str,
    names: &'static Names,
    folder: [&'static str; 3],
    server: [&'static str; 6],
    estimate: &'static str,
    title: &'static str,
    /// The first words of the buttons.
    leave_out: &'static str,
    switch_off: &'static str,
    compact: &'static str,
    undo: &'static str,
    summary: &'static str,
}

const IN_ENGLISH: Words = Words {
    language: "english",
    theme: "light",
    names: &ENGLISH,
    folder: ["Choose a folder", "Folder", "Use this folder"],
    server: [
        "Settings",
        "Tools and MCP",
        "Paste a configuration",
        "Add",
        "Allow and start",
        "Ready",
    ],
    estimate: "Context estimate",
    title: "What could go",
    leave_out: "Leave the message out: ",
    switch_off: "Switch off in every session: ",
    compact: "Compact: ",
    undo: "Undo",
    summary: "Summary",
};

const IN_CHINESE: Words = Words {
    language: "chinese",
    theme: "dark",
    names: &CHINESE,
    folder: ["选择文件夹", "文件夹", "使用此文件夹"],
    server: ["设置", "工具与 MCP", "粘贴配置", "添加", "允许并启动", "就绪"],
    estimate: "上下文预估",
    title: "可以移出的内容",
    leave_out: "不发送这条消息: ",
    switch_off: "在所有会话中关闭: ",
    compact: "压缩: ",
    undo: "撤销",
    summary: "摘要",
};

/// A model that reads the file when it is asked to, and does not need the tools of the server.
fn reader() -> Server {
    metered_model(|said, spoken| match (said, spoken) {
        ("read", 0) => Play::Call(vec![("read_file", json!({ "path": "notes.md" }))]),
        _ => Play::Say("Noted."),
    })
}

/// A conversation with two long messages, a long file, and six tools that no round needed.
fn talk(skein: &Skein, words: &Words) {
    for fact in ["The loom is oak.", "The reed is steel."] {
        say_in(skein, words.names, &woven(fact, 400));
    }
    say_in(skein, words.names, "read");
    for row in 1..=9 {
        say_in(skein, words.names, &format!("Row {row}."));
    }
}

fn messages(request: &Value) -> Vec<Value> {
    request["messages"].as_array().cloned().unwrap_or_default()
}

fn acts_and_undoes(words: &Words) {
    let server = reader();
    let (_kept, path) = folder();
    fs::write(path.join("notes.md"), "The wool is grey.\n".repeat(800)).unwrap();
    let off: serde_json::Map<_, _> =
        (7..=60).map(|tool| (format!("many__weave_{tool}"), json!("off"))).collect();
    let set = json!({
        "appearance": { "language": words.language, "theme": words.theme },
        "context": { "toolCleaning": "never" },
        "nameSessions": false,
        "tools": { "loading": "declared", "switches": off },
    });
    let skein = settings(&server, &set).start();
    add_many_tools_in(&skein, words.server, None);
    choose_folder(&skein, words.folder, &path.display().to_string());
    talk(&skein, words);
    let before = requests(&server).pop().unwrap();

    let dialog = open_over(&skein, words.estimate);
    let region = dialog.get("region", words.title);
    for action in [words.leave_out, words.switch_off] {
        let button = region.get_like("button", action);
        button.run("arguments[0].scrollIntoView({ block: 'center' })");
        skein.screenshot(&format!("savings-{}", words.language));
        button.click();
        button.gone();
        skein.screenshot(&format!("savings-undo-{}", words.language));
        dialog.get("button", words.undo).click();
        button.see();
    }
    let compact = region.get_like("button", words.compact);
    compact.click();
    compact.gone();
    skein.press("Escape");
    dialog.gone();
    let summary = skein.get("article", words.summary);
    summary.get("button", words.undo).click();
    summary.gone();

    say_in(&skein, words.names, "Row 10.");
    let after = requests(&server).pop().unwrap();
    assert_eq!(after["tools"], before["tools"]);
    let (sent, before) = (messages(&after), messages(&before));
    assert_eq!(sent.get(..before.len()), Some(before.as_slice()), "word for word as before");
}

#[test]
fn w07_what_could_go_leaves_with_its_button_and_comes_back_with_undo() {
    acts_and_undoes(&IN_ENGLISH);
}

#[test]
fn w07_the_same_in_chinese_and_in_the_dark() {
    acts_and_undoes(&IN_CHINESE);
}
