//! Sixty tools of a server, of which a request has one line each.

use serde_json::{Value, json};
use skein_window::{Skein, mcp_test_server};

use crate::actions::{CHINESE, ENGLISH, Names, open_over, send_in};
use crate::scripted::{Play, model, requests, settings};

/// The names of the controls in one language.
struct Words {
    language: &'static str,
    names: &'static Names,
    settings: &'static str,
    tools: &'static str,
    paste: &'static str,
    add: &'static str,
    allow: &'static str,
    ready: &'static str,
    permission: &'static str,
    once: &'static str,
    estimate: &'static str,
    not_loaded: &'static str,
    loaded: &'static str,
    list: &'static str,
}

const IN_ENGLISH: Words = Words {
    language: "english",
    names: &ENGLISH,
    settings: "Settings",
    tools: "Tools and MCP",
    paste: "Paste a configuration",
    add: "Add",
    allow: "Allow and start",
    ready: "Ready",
    permission: "Permission",
    once: "Allow once",
    estimate: "Context estimate",
    not_loaded: "59 tools of servers are not loaded",
    loaded: "Loaded in this thread: many__weave_7",
    list: "Which are not loaded",
};

const IN_CHINESE: Words = Words {
    language: "chinese",
    names: &CHINESE,
    settings: "设置",
    tools: "工具与 MCP",
    paste: "粘贴配置",
    add: "添加",
    allow: "允许并启动",
    ready: "就绪",
    permission: "权限",
    once: "允许一次",
    estimate: "上下文预估",
    not_loaded: "有 59 个服务器工具未载入",
    loaded: "本话题中已载入：many__weave_7",
    list: "未载入的工具",
};

/// Adds the server with sixty tools, and agrees to its command.
fn add_many_tools(skein: &Skein, words: &Words) {
    let labels = [words.settings, words.tools, words.paste, words.add, words.allow, words.ready];
    let picture = format!("deferred-tools-settings-{}", words.language);
    add_many_tools_in(skein, labels, Some(&picture));
}

/// [`add_many_tools`] by the labels of the window's language: of the settings, their page of tools, the
/// field, its button, the question's button, and the state afterwards.
pub fn add_many_tools_in(skein: &Skein, labels: [&str; 6], picture: Option<&str>) {
    let [settings, tools, paste, add, allow, ready] = labels;
    let server = mcp_test_server();
    let many = json!({ "mcpServers": { "many": { "command": server, "args": ["many"] } } });
    skein.get("button", settings).click();
    skein.get("tab", tools).click();
    skein.get("textbox", paste).insert(&many.to_string());
    skein.get("button", add).click();
    let card = skein.get("region", "many");
    card.get("button", allow).click();
    card.text_that("is ready", |text| text.contains(ready));
    if let Some(picture) = picture {
        skein.screenshot(picture);
    }
    skein.press("Escape");
    skein.get("dialog", settings).gone();
}

fn is_declared(request: &Value, name: &str) -> bool {
    let tools = request["tools"].as_array().cloned().unwrap_or_default();
    tools.iter().any(|tool| tool["function"]["name"] == name)
}

fn calls_a_tool_that_is_not_declared(words: &Words) {
    let server = model(|said, spoken| match (said, spoken) {
        ("weave", 0) => Play::Call(vec![("describe_tool", json!({ "name": "many__weave_7" }))]),
        ("weave", 1) => Play::Call(vec![(
            "call_tool",
            json!({ "name": "many__weave_7", "arguments": { "words": "grey wool" } }),
        )]),
        _ => Play::Say("Woven."),
    });
    let look = json!({ "appearance": { "language": words.language } });
    let skein = settings(&server, &look).start();
    add_many_tools(&skein, words);

    send_in(&skein, words.names, "weave");
    let question = skein.get("group", words.permission);
    question.text_that("has the tool's own name", |text| {
        text.contains("weave_7") && text.contains("grey wool") && !text.contains("call_tool")
    });
    skein.screenshot(&format!("deferred-tools-question-{}", words.language));
    question.get("button", words.once).click();
    skein.get_like("button", "many__weave_7").see();
    skein.get("button", words.names.send).see();
    let sent = requests(&server);
    assert!(!is_declared(&sent[0], "many__weave_7") && is_declared(&sent[0], "call_tool"));
    let last = sent.last().unwrap();
    assert_eq!(last["tools"], sent[0]["tools"]);
    assert!(last["messages"].to_string().contains("weave_7 wove grey wool"));

    let dialog = open_over(&skein, words.estimate);
    dialog.text_that("says what is loaded and what is not", |text| {
        text.contains(words.not_loaded) && text.contains(words.loaded)
    });
    dialog.get("button", words.list).click();
    dialog.text_that("names them", |text| text.contains("many__weave_60"));
    skein.screenshot(&format!("deferred-tools-{}", words.language));
}

#[test]
fn w03_a_tool_that_is_not_declared_is_read_and_called_and_the_breakdown_says_so() {
    calls_a_tool_that_is_not_declared(&IN_ENGLISH);
}

#[test]
fn w03_tools_that_are_not_declared_are_told_of_in_chinese() {
    calls_a_tool_that_is_not_declared(&IN_CHINESE);
}
