//! Instructions that the model gets before every message of a session.

use serde_json::json;
use skein_window::until;

use crate::actions::send;
use crate::scripted::{Play, model, requests, settings};

#[test]
fn instructions_of_a_session_are_sent_with_its_messages_and_stand_in_its_breakdown() {
    let server = model(|_, _| Play::Say("Wool is warm, wherever you swarm."));
    let skein = settings(&server, &json!({})).start();
    skein.get("textbox", "Message").see();
    let sessions = skein.get("navigation", "Sessions");
    sessions.get("button", "Actions for New session").first().click();
    skein.get("menuitem", "Instructions").click();
    let dialog = skein.get("dialog", "Instructions");
    dialog.get("textbox", "Instructions for New session").insert("Answer in rhymes.");
    dialog.text_that("they are counted", |text| text.contains("tokens each time"));
    skein.screenshot("instructions");
    dialog.get("button", "Save").click();
    dialog.gone();

    send(&skein, "Why wool?");
    let reply = skein.get("article", "Assistant").last();
    reply.text_that("it answers", |text| text.contains("wherever you swarm"));
    let asked = requests(&server);
    assert!(asked[0]["messages"][0].to_string().contains("Answer in rhymes."), "{asked:?}");

    skein.get("button", "Context estimate").click();
    let table = skein.get("dialog", "Context estimate").get("table", "Context breakdown");
    let row = table.get("button", "System prompt");
    until("it is unfolded", || {
        if !row.is_on() {
            row.click();
        }
        row.is_on()
    });
    table.text_that("they are part of it", |text| text.contains("Your instructions"));
}
