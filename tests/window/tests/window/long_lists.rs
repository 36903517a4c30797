//! Lists of what was covered, would be covered and is sent, of a conversation of ten thousand messages:
//! the page holds what is near, and the keys lead to the rest.

use serde_json::{Value, json};
use skein_window::{Locator, exported, until};

use crate::actions::{open_estimate, reads};
use crate::scripted::{Play, model, settings};

const MESSAGES: u32 = 10_000;

/// A summary covers the first half; the second is sent verbatim.
const COVERED: u32 = 5_000;

/// The limit of elements: more than the visible rows and their neighbours have, far fewer than a
/// thousand messages have.
const MOST: u64 = 2_000;

#[test]
fn of_ten_thousand_messages_compare_the_preview_and_the_request_hold_what_is_near() {
    let server = model(|_, _| Play::Say("Wool is warm."));
    let file = compacted().to_string();
    let skein = settings(&server, &json!({})).file("long.json", file).start();
    skein.get("button", "Settings").click();
    skein.get("tab", "Data").click();
    skein.get("button", "Import…").click();
    skein.answer_file_dialog(&skein.folder().join("long.json"));
    reads(&skein, "Imported 1 session with 10,001 messages from");
    skein.press("Escape");
    skein.get("link", "The long one").click();
    reads(&skein, "Message 10000.");

    skein.get("article", "Summary").last().get("button", "Compare").click();
    let compare = skein.get("dialog", "Compare");
    let list = compare.get("group", "What was covered");
    list.text_that("is read where it is looked at", |text| text.contains("Message 1."));
    list.text_that("says who speaks", |text| {
        text.contains("1 · You") && text.contains("Assistant")
    });
    few(&compare);
    skein.screenshot("long-compare");
    to_the_end(&list, &format!("Message {COVERED}."));
    few(&compare);
    assert!(!list.text().contains("Message 1. "), "what is far has left the page");
    skein.screenshot("long-compare-end");
    compare.get("button", "Close").click();
    compare.gone();

    let estimate = open_estimate(&skein);
    estimate.get("button", "What the model sees").click();
    let seen = estimate.get("group", "What the model sees");
    seen.text_that("begins with the prompt", |text| text.contains("Skein’s own instructions"));
    few(&estimate);
    skein.screenshot("long-seen");
    to_the_end(&seen, &format!("Message {MESSAGES}."));
    few(&estimate);

    estimate.get("button", "Compact context").click();
    let preview = estimate.get("group", "Compact context");
    preview.get_like("button", "of the summary").click();
    let covers = preview.get_like("group", "of the summary");
    covers.text_that("says who said what", |text| text.contains("· You") && text.contains("weft."));
    few(&estimate);
    skein.screenshot("long-preview");
}

/// An exported conversation whose summary was made at its end.
fn compacted() -> Value {
    let mut file = exported("The long one", MESSAGES, |id| format!("Message {id}. The weft."));
    let summary = MESSAGES + 1;
    let thread = &mut file["conversation"]["threads"][0];
    thread["messages"].as_array_mut().unwrap().push(json!({
        "id": summary, "threadId": 1, "parentId": MESSAGES, "kind": { "type": "summary" },
        "role": "user", "origin": "runtime",
        "parts": [{ "type": "text", "text": "Row after row was woven." }],
        "state": { "type": "complete" }, "pinned": false, "model": null,
        "createdAt": 1_770_000_000_000_u64,
    }));
    thread["thread"]["leaf"] = json!(MESSAGES);
    thread["points"] = json!([{
        "id": 1, "threadId": 1, "summaryMessageId": summary, "boundaryMessageId": COVERED,
        "before": 90_000, "after": 45_000, "covered": COVERED, "fingerprint": "", "anchors": "",
        "trigger": "manual", "model": null, "createdAt": 1_770_000_000_000_u64,
    }]);
    file
}

/// Goes to the end by keyboard. Measuring rows on the way moves the end.
fn to_the_end(list: &Locator<'_>, words: &str) {
    until(&format!("the keys lead to {words:?}"), || {
        list.press("End");
        list.text().contains(words)
    });
}

fn few(dialog: &Locator<'_>) {
    let elements = dialog.run("return arguments[0].querySelectorAll('*').length");
    assert!(elements.as_u64() < Some(MOST), "the page holds only what is near: {elements}");
}
