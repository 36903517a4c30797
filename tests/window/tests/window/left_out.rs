//! Excluding a message from the context: the display, and the requests to the model.

use std::thread;
use std::time::Duration;

use serde_json::{Value, json};
use skein_window::{Locator, Skein, until};

use crate::actions::{close_estimate, open_estimate, send, unfold};
use crate::scripted::{Play, model, requests, settings};

const SECRET: &str = "The key of the loom shed is hunter-2-wool.";

fn plays(said: &str) -> Play {
    Play::Say(match said {
        SECRET => "Noted: **hunter-2-wool** opens the shed.",
        _ => "The large loom, by the window.",
    })
}

/// Sends a message and waits for the complete reply.
fn say(skein: &Skein, words: &str, articles: usize) {
    send(skein, words);
    until("it is answered", || skein.any("article").count() == articles);
    skein.get("button", "Send").see();
}

/// The next request, as the window shows it.
fn seen_by_model(skein: &Skein) -> String {
    let dialog = open_estimate(skein);
    unfold(&dialog, "What the model sees");
    let list = dialog.get("group", "What the model sees");
    let seen = list.text_that("holds the conversation", |text| text.contains("Since when?"));
    list.run("arguments[0].scrollIntoView()");
    skein.screenshot("left-out-seen");
    seen
}

/// Scrolls to a message. A click misses one under the window's header, and the page still scrolls
/// after a message.
fn into_view(article: &Locator<'_>) {
    until("it is in view", || {
        article.run("arguments[0].scrollIntoView({ block: 'center' })");
        thread::sleep(Duration::from_millis(400));
        let below_head = "return arguments[0].getBoundingClientRect().top > 50";
        article.run(below_head) == json!(true)
    });
}

fn messages(request: &Value) -> Vec<Value> {
    request["messages"].as_array().cloned().unwrap_or_default()
}

#[test]
fn a_message_that_is_left_out_is_dimmed_and_not_sent_and_one_click_takes_it_in_again() {
    let server = model(|said, _| plays(said));
    let skein = settings(&server, &json!({})).start();
    say(&skein, SECRET, 2);
    say(&skein, "Which loom is broken?", 4);
    say(&skein, "Since when?", 6);
    let before = messages(requests(&server).last().unwrap());
    assert!(json!(before).to_string().contains("hunter-2-wool"));
    assert!(seen_by_model(&skein).contains("hunter-2-wool"), "as what is sent, it is seen");
    close_estimate(&skein);

    for who in ["You", "Assistant"] {
        let article = skein.get("article", who).first();
        into_view(&article);
        article.hover();
        article.get("button", "More actions").click();
        skein.get("menuitem", "Leave out of the context").see();
        if who == "You" {
            skein.screenshot("left-out-menu");
        }
        skein.get("menuitem", "Leave out of the context").click();
        article
            .text_that("says that it is not sent", |text| text.contains("not sent to the model"));
    }
    let shown = skein.get("article", "You").first().text();
    assert!(shown.contains(SECRET), "{shown}");
    skein.screenshot("left-out");

    let seen = seen_by_model(&skein);
    assert!(seen.contains("Which loom is broken?") && !seen.contains("hunter-2-wool"), "{seen}");
    let dialog = skein.get("dialog", "Context estimate");
    dialog.text_that("says how many are left out", |text| text.contains("2 messages are left out"));
    close_estimate(&skein);

    say(&skein, "And now?", 8);
    let without = messages(requests(&server).last().unwrap());
    assert!(!json!(without).to_string().contains("hunter-2-wool"), "{without:?}");
    assert!(json!(without).to_string().contains("Which loom is broken?"));

    for who in ["You", "Assistant"] {
        let article = skein.get("article", who).first();
        into_view(&article);
        article.get("button", "Take into the context again").click();
        article.get("button", "Take into the context again").gone();
    }
    say(&skein, "At last?", 10);
    let after = messages(requests(&server).last().unwrap());
    assert_eq!(after.get(..before.len()), Some(before.as_slice()), "word for word as before");
}

#[test]
fn what_waits_for_its_answer_stays_and_the_same_in_chinese_and_in_the_dark() {
    let server = model(|said, _| plays(said));
    let dark = json!({ "appearance": { "theme": "dark", "language": "chinese" } });
    let skein = settings(&server, &dark).start();
    for (words, articles) in [(SECRET, 2), ("哪台织机坏了？", 4)] {
        skein.get("textbox", "消息").insert(words);
        skein.get("textbox", "消息").press("Enter");
        until("it is answered", || skein.any("article").count() == articles);
        skein.get("button", "发送").see();
    }
    let article = skein.get("article", "你").first();
    article.hover();
    article.get("button", "更多操作").click();
    skein.get("menuitem", "移出上下文").click();
    article.text_that("says that it is not sent", |text| text.contains("不会发送给模型"));
    let question = skein.get("article", "你").last();
    question.hover();
    question.get("button", "更多操作").click();
    skein.get("menuitem", "从这里继续").click();
    until("it continues there", || skein.any("article").count() == 3);
    question.hover();
    question.get("button", "更多操作").click();
    skein.get("menuitem", "固定").see();
    assert_eq!(skein.get("menuitem", "移出上下文").count(), 0);
    skein.screenshot("left-out-zh-dark");
}
