//! Several sessions at once, forked sessions, and the user's own prompts.

use std::fs;

use serde_json::{Value, json};
use skein_window::{Skein, until};

use crate::actions::{reads, send};
use crate::scripted::{Play, model, requests, settings};

/// Sends a message and waits until the reply contains the answer.
fn ask(skein: &Skein, words: &str, answer: &str) {
    send(skein, words);
    reads(skein, answer);
    skein.get("button", "Send").see();
}

#[test]
fn a_conversation_goes_on_from_a_message_in_a_session_of_its_own() {
    let server = model(|asked, _| match asked {
        "How is wool washed?" => Play::Say("In lukewarm water."),
        "And linen?" => Play::Say("It is boiled."),
        _ => Play::Say("Lying down."),
    });
    let skein = settings(&server, &json!({})).start();
    ask(&skein, "How is wool washed?", "In lukewarm water.");
    ask(&skein, "And linen?", "It is boiled.");

    let first = skein.get("article", "Assistant").first();
    first.get("button", "More actions").click();
    skein.get("menuitem", "Continue in a new session").click();
    let titles = skein.get("navigation", "Sessions");
    titles.get("link", "Wool (2)").see();
    until("what came later is not in it", || skein.get("article", "Assistant").count() == 1);
    skein.screenshot("fork");
    ask(&skein, "And how is it dried?", "Lying down.");
    let sent = said(&requests(&server).pop().expect("it was asked"));
    assert_eq!(sent, ["How is wool washed?", "In lukewarm water.", "And how is it dried?"]);

    titles.get("link", "Wool").click();
    until("the other is as it was", || skein.get("article", "Assistant").count() == 2);
    ask(&skein, "And silk?", "Lying down.");
    let sent = said(&requests(&server).pop().expect("it was asked"));
    assert_eq!(sent[2..], ["And linen?", "It is boiled.", "And silk?"]);
}

/// The texts of a request's messages.
fn said(request: &Value) -> Vec<String> {
    let messages = request["messages"].as_array().expect("messages").iter();
    let of_both = messages.filter(|message| message["role"] != "system");
    of_both.map(|message| message["content"].as_str().unwrap_or_default().to_owned()).collect()
}

#[test]
fn several_sessions_go_and_come_back_at_once() {
    let server = model(|_, _| Play::Say("Woven."));
    let skein = settings(&server, &json!({ "nameSessions": false })).start();
    let list = skein.get("navigation", "Sessions");
    for (number, title) in ["Silk", "Linen", "Hemp"].into_iter().enumerate() {
        if number > 0 {
            skein.press("Control+n");
            until("an empty session is open", || skein.any("article").count() == 0);
        }
        ask(&skein, title, "Woven.");
        list.get("link", title).see();
    }
    list.get("button", "Actions for Silk").first().click();
    skein.get("menuitem", "Select").click();
    list.get("checkbox", "Select Hemp").click();
    let bar = skein.get("group", "Selected sessions");
    bar.text_that("counts them", |text| text.contains("2 selected"));
    skein.screenshot("selected");
    bar.get("button", "Delete").click();
    list.get("link", "Silk").gone();
    list.get("link", "Hemp").gone();
    list.get("link", "Linen").see();
    skein.get("button", "Undo").click();
    for title in ["Silk", "Linen", "Hemp"] {
        list.get("link", title).see();
    }
}

#[test]
fn what_is_saved_as_a_prompt_is_a_command_and_a_file_of_the_persons() {
    let server = model(|_, _| Play::Say("Drawn."));
    let mut skein = settings(&server, &json!({})).start();
    let message = |skein: &Skein, words: &str| {
        skein.get("textbox", "Message").insert(words);
        skein.get("textbox", "Message").press("Enter");
    };
    message(&skein, "/save-prompt Draw a loom for {{cloth}}.");
    let dialog = skein.any("dialog");
    dialog.get("textbox", "Name").fill("loom");
    skein.screenshot("save-prompt");
    dialog.get("button", "Save the prompt").click();
    reads(&skein, "Saved: it is the command /loom now.");
    let file = skein.folder().join("prompts/loom.md");
    until("it is a file", || {
        fs::read_to_string(&file).is_ok_and(|text| text.contains("Draw a loom for {{cloth}}."))
    });

    skein.quit();
    skein.reopen();
    message(&skein, "/loom felt");
    let words = "Draw a loom for felt.";
    until("it stands in the box", || skein.get("textbox", "Message").value() == words);
    assert_eq!(requests(&server).len(), 0, "nothing is sent by itself");
    skein.get("textbox", "Message").press("Enter");
    reads(&skein, "Drawn.");
    assert_eq!(said(&requests(&server)[0]), [words]);
}
