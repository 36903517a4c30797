//! A disk that fills up while a reply is coming.

use std::time::Duration;

use faulty_disk::Fault;
use serde_json::json;
use skein_window::Skein;

use crate::actions::send;
use crate::scripted::{Play, model, settings};

const WORDS: [&str; 10] =
    ["The ", "weft ", "crosses ", "the ", "warp ", "and ", "is ", "beaten ", "home ", "twice."];

#[test]
fn a_disk_that_fills_up_amid_a_reply_costs_no_word_of_it() {
    let server = model(|_, _| Play::Slowly(WORDS.to_vec(), Duration::from_millis(500)));
    let setup = settings(&server, &json!({}));
    let mut skein = setup.variable("LD_PRELOAD", faulty_disk::LIBRARY).start();
    send(&skein, "What does the weft do?");
    let reply = || skein.get("article", "Assistant");
    reply().text_that("it has begun", |text| text.contains("crosses"));
    faulty_disk::set(skein.folder(), Some(Fault::Full));

    let alert = skein.get("article", "Assistant").any("alert");
    alert.text_that("it is not stored", |text| text.contains("the disk is full"));
    reply().text_that("it is whole", |text| text.contains(&WORDS.concat()));
    skein.screenshot("full-disk");
    skein.reload();
    reply().text_that("it is whole", |text| text.contains(&WORDS.concat()));

    let question = |skein: &Skein| skein.get("dialog", "1 reply is not stored").is_there();
    skein.close_window(question);
    skein.get("button", "Save as a file…").last().see();
    skein.screenshot("full-disk-closing");
    skein.get("button", "Stay").click();
    skein.get("dialog", "1 reply is not stored").gone();
    alert.see();

    faulty_disk::set(skein.folder(), None);
    alert.gone();
    skein.screenshot("full-disk-stored");
    skein.kill();
    skein.reopen();
    skein.get("article", "Assistant").text_that("it is stored", |text| {
        text.contains(&WORDS.concat()) && !text.contains("Interrupted")
    });
}
