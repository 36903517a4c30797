//! Branches: a reply is regenerated, and each version keeps its own context when the other changes.

use std::sync::atomic::{AtomicUsize, Ordering};

use scripted_server::Server;
use serde_json::{Value, json};
use skein_window::{Skein, until};

use crate::actions::{send, woven};
use crate::scripted::{Play, model, requests, settings};

/// The model's replies in order; the first two are versions of one.
const ANSWERS: [&str; 9] = [
    "The first version.",
    "The second version.",
    "The third.",
    "The fourth.",
    "The fifth.",
    "The sixth.",
    "The seventh.",
    "The eighth.",
    "The ninth.",
];

fn weaver() -> Server {
    let said = AtomicUsize::new(0);
    model(move |_, _| Play::Say(ANSWERS[said.fetch_add(1, Ordering::SeqCst)]))
}

fn long(fact: &str) -> String {
    woven(fact, 25)
}

/// Sends a message, waits for this reply, and returns the messages of its request.
fn ask(skein: &Skein, server: &Server, words: &str, answer: &str) -> Vec<Value> {
    send(skein, words);
    sent_for(skein, server, answer)
}

fn sent_for(skein: &Skein, server: &Server, answer: &str) -> Vec<Value> {
    let said = skein.get("article", "Assistant").last();
    said.text_that(&format!("says {answer}"), |text| text.contains(answer));
    skein.get("button", "Send").see();
    let body = requests(server).pop().expect("it was asked");
    body["messages"].as_array().expect("messages").clone()
}

fn text(messages: &[Value]) -> String {
    json!(messages).to_string()
}

/// True if a summary replaces the first messages.
fn is_compacted(messages: &[Value]) -> bool {
    text(messages).contains("Wool") && !text(messages).contains("What is woven?")
}

/// Switches between the two versions of the reply.
fn step(skein: &Skein, way: &str) {
    let button = skein.get("button", way);
    if !button.is_there() {
        skein.get("log", "Conversation").click();
    }
    until("that answer is in the page", || {
        let is_there = button.is_there();
        if !is_there {
            skein.press("PageUp");
        }
        is_there
    });
    button.click();
}

#[test]
fn law_12_a_compaction_of_one_version_leaves_the_context_of_the_other_as_it_was() {
    let server = weaver();
    let skein = settings(&server, &json!({ "catalogueRefresh": false })).start();
    ask(&skein, &server, "What is woven?", ANSWERS[0]);
    skein.get("article", "Assistant").last().get("button", "Regenerate").click();
    sent_for(&skein, &server, ANSWERS[1]);
    let before = ask(&skein, &server, "What of this version?", ANSWERS[2]);

    step(&skein, "Previous version");
    skein.get("article", "Assistant").last().text_that("is the first", |it| it.contains("first"));
    ask(&skein, &server, &long("The port is 7443."), ANSWERS[3]);
    ask(&skein, &server, &long("The cat is Miso."), ANSWERS[4]);
    ask(&skein, &server, "Is it Friday?", ANSWERS[5]);
    skein.screenshot("branches-before");
    send(&skein, "/compact");
    skein.get("article", "Summary").see();
    skein.screenshot("branches-compacted");
    let compacted = ask(&skein, &server, "Is it compacted?", ANSWERS[6]);
    assert!(is_compacted(&compacted), "{compacted:?}");

    step(&skein, "Next version");
    skein.get("article", "Summary").gone();
    skein.get("article", "Assistant").last().text_that("is its last", |it| it.contains("third"));
    skein.screenshot("branches-other");
    let after = ask(&skein, &server, "And is it still so?", ANSWERS[7]);
    assert_eq!(after[..before.len()], before, "byte for byte");

    step(&skein, "Previous version");
    skein.get("article", "Summary").see();
    skein.screenshot("branches-back");
    let again = ask(&skein, &server, "And is it still compacted?", ANSWERS[8]);
    assert!(is_compacted(&again), "{again:?}");
}

#[test]
fn law_11_a_compaction_is_taken_back_and_a_thread_begun_by_words_in_the_box() {
    let server = weaver();
    let skein = settings(&server, &json!({ "catalogueRefresh": false })).start();
    ask(&skein, &server, &long("The port is 7443."), ANSWERS[0]);
    ask(&skein, &server, &long("The cat is Miso."), ANSWERS[1]);
    let before = ask(&skein, &server, "Is it Friday?", ANSWERS[2]);
    let whole = skein.get("button", "Context estimate").text();
    send(&skein, "/compact");
    skein.get("article", "Summary").see();
    until("it is smaller", || skein.get("button", "Context estimate").text() != whole);

    send(&skein, "/undo-compact");
    skein.get("article", "Summary").gone();
    assert_eq!(skein.get("textbox", "Message").value(), "");
    until("all of it counts", || skein.get("button", "Context estimate").text() == whole);
    skein.screenshot("branches-undone");
    let after = ask(&skein, &server, "Is it whole?", ANSWERS[3]);
    assert_eq!(after[..before.len()], before, "byte for byte");

    send(&skein, "/new");
    until("the thread is empty", || !skein.get("article", "You").is_there());
    assert_eq!(skein.get("textbox", "Message").value(), "");
    skein.screenshot("branches-new");
    let anew = text(&ask(&skein, &server, "What do you know?", ANSWERS[4]));
    assert!(anew.contains("What do you know?") && !anew.contains("Friday"), "{anew}");
    let threads = skein.get("list", "Threads");
    until("both threads are listed", || threads.any("listitem").count() == 2);
}
