//! Documents that go along with a message.

use std::path::PathBuf;

use serde_json::json;
use skein_window::{Skein, until};

use crate::actions::send;
use crate::scripted::{Play, model, requests, settings};

fn document(name: &str) -> PathBuf {
    let folder =
        PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../crates/documents/tests/documents");
    folder.join(name).canonicalize().unwrap()
}

fn attach(skein: &Skein, name: &str) {
    skein.get("button", "Attach").click();
    skein.answer_file_dialog(&document(name));
}

#[test]
fn a_pdf_is_attached_shown_with_what_it_costs_and_sent_as_its_text() {
    let server = model(|_, _| Play::Say("Port 7443."));
    let skein = settings(&server, &json!({})).start();
    attach(&skein, "pages.pdf");
    let list = skein.get("list", "Attachments");
    list.text_that("it says what it is", |text| {
        text.contains("PDF, 2 pages") && text.contains("tokens")
    });
    attach(&skein, "budget.xlsx");
    list.text_that("it says what the second is", |text| text.contains("Spreadsheet, 2 sheets"));
    attach(&skein, "talk.ppt");
    list.text_that("it says what the third is", |text| text.contains("PowerPoint, 2 slides"));
    attach(&skein, "locked.pdf");
    skein.any("alert").text_that("it says why not", |text| {
        text.contains("locked.pdf is protected with a password")
    });
    skein.screenshot("documents");

    skein.get("button", "Open pages.pdf").click();
    let opened = skein.get("dialog", "pages.pdf");
    opened.text_that("it shows what is sent", |text| text.contains("[Page 2]"));
    skein.screenshot("documents-opened");
    skein.press("Escape");
    opened.gone();

    send(&skein, "Which port?");
    until("it was sent", || !requests(&server).is_empty());
    let sent = requests(&server).pop().unwrap().to_string();
    for words in [
        "Which port?",
        "pages.pdf",
        "[Page 2]",
        "page two is 7443",
        "2026-03-15\\t4.5",
        "Say it slowly.",
    ] {
        assert!(sent.contains(words), "{words}: {sent}");
    }
    skein.get("button", "Open budget.xlsx").see();
    skein.screenshot("documents-sent");
}
