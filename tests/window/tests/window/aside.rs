//! A side question as a user asks it: beside the conversation, and kept after all.

use scripted_server::Server;
use serde_json::json;
use skein_window::until;

use crate::actions::{reads, say, send};
use crate::scripted::{Play, model, requests, settings};

fn weaver() -> Server {
    model(|words, _| match words {
        words if words.contains("warp") => Play::Say("The warp has **forty** threads."),
        _ => Play::Say("Noted."),
    })
}

#[test]
fn w02_a_side_question_leaves_the_next_request_as_it_was_until_it_is_kept() {
    let server = weaver();
    let skein = settings(&server, &json!({ "nameSessions": false })).start();
    say(&skein, "The loom is oak.");
    send(&skein, "/aside How many threads has the warp?");
    skein.get("region", "Side question").see();
    reads(&skein, "The warp has forty threads.");
    skein.screenshot("aside");
    say(&skein, "The reed is steel.");
    let last = requests(&server).pop().unwrap().to_string();
    assert!(!last.contains("threads"), "the conversation knows nothing of it: {last}");
    skein.press("Escape");
    skein.get("button", "Keep it after all").click();
    skein.get("region", "Side question").gone();
    say(&skein, "The shuttle is ash.");
    let last = requests(&server).pop().unwrap().to_string();
    assert!(last.contains("forty"), "kept, it is part of the conversation: {last}");
}

#[test]
fn w02_an_open_panel_asks_before_it_forgets_in_chinese_and_in_the_dark() {
    let server = weaver();
    let look = json!({ "language": "chinese", "theme": "dark" });
    let skein = settings(&server, &json!({ "nameSessions": false, "appearance": look })).start();
    skein.get("textbox", "消息").insert("/aside How many threads has the warp?");
    skein.get("textbox", "消息").press("Enter");
    reads(&skein, "The warp has forty threads.");
    skein.screenshot("aside-chinese-dark");
    until("the panel asks", || {
        skein.press("Escape");
        skein.any("dialog").count() == 1
    });
    skein.screenshot("aside-forget-chinese-dark");
    skein.press("Escape");
    until("the question is closed, the panel is not", || skein.any("dialog").count() == 0);
    reads(&skein, "The warp has forty threads.");
}
