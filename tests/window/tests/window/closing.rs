//! Closing the window while something runs behind it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use serde_json::json;
use skein_window::Skein;

use crate::actions::send;
use crate::scripted::{Play, model, settings};

/// A Skein in which a reply is coming, until it is let go.
fn replying() -> (Skein, Arc<AtomicBool>) {
    let comes = Arc::new(AtomicBool::new(false));
    let waits = Arc::clone(&comes);
    let server = model(move |_, _| {
        while !waits.load(Ordering::Relaxed) {
            thread::sleep(Duration::from_millis(20));
        }
        Play::Say("The loom is warped.")
    });
    let skein = settings(&server, &json!({})).start();
    send(&skein, "Warp the loom.");
    skein.get("button", "Stop").see();
    (skein, comes)
}

const QUESTION: &str = "1 reply is still coming";

#[test]
fn whoever_closes_the_window_while_a_reply_is_coming_is_asked_and_can_stay_or_quit() {
    let (mut skein, comes) = replying();
    skein.close_window(|skein| skein.get("dialog", QUESTION).is_there());
    skein.screenshot("closing");
    skein.get("button", "Stay").click();
    skein.get("dialog", QUESTION).gone();
    skein.get("button", "Stop").see();

    skein.close_window(|skein| skein.get("dialog", QUESTION).is_there());
    skein.get("button", "Quit now").click_last();
    skein.ended();
    comes.store(true, Ordering::Relaxed);
    skein.reopen();
    skein.get("article", "You").see();
}

#[test]
fn a_reply_is_finished_while_the_window_is_away_and_the_program_then_ends() {
    let (mut skein, comes) = replying();
    skein.close_window(|skein| skein.get("dialog", QUESTION).is_there());
    skein.get("button", "Finish in the background").click();
    // A Skein with a folder of its own is minimised, for which no window manager is there.
    skein.get("dialog", QUESTION).gone();
    thread::sleep(Duration::from_secs(2));
    assert!(skein.is_running(), "the reply is still coming");
    comes.store(true, Ordering::Relaxed);
    skein.ended();
    skein.reopen();
    skein.get("article", "Assistant").text_that("came", |text| text.contains("is warped"));
}

#[test]
fn whoever_closes_the_window_while_something_is_written_and_not_saved_is_asked() {
    let mut skein = Skein::start();
    skein.get("button", "Reminders").click();
    skein.get("button", "Add a reminder").click();
    skein.get("textbox", "What to remember").fill("The loom is red.");
    let unsaved = "An edit is not saved";
    skein.close_window(|skein| skein.get("dialog", unsaved).is_there());
    skein.screenshot("closing-unsaved");
    skein.get("button", "Stay").click();
    skein.get("dialog", unsaved).gone();
    skein.get("button", "Save").click();
    skein.get("textbox", "What to remember").gone();
    skein.quit();
}
