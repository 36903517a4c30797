//! A session in a window of its own.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use serde_json::json;
use skein_window::{Skein, until};

use crate::actions::send;
use crate::scripted::{Play, model, settings};

const OWN: &str = "session=";

fn open_own_window(skein: &Skein) {
    skein.get_like("button", "Actions for").click();
    skein.get("menuitem", "Open in a new window").click();
    skein.go_to_window(OWN);
}

#[test]
fn a_session_in_its_own_window_and_in_the_app_window_stay_in_step_and_has_one_draft() {
    let comes = Arc::new(AtomicBool::new(false));
    let waits = Arc::clone(&comes);
    let server = model(move |_, _| {
        while !waits.load(Ordering::Relaxed) {
            thread::sleep(Duration::from_millis(20));
        }
        Play::Say("The loom is warped.")
    });
    let mut skein = settings(&server, &json!({ "nameSessions": false })).start();
    skein.get("textbox", "Message").insert("Begun in the app window.");
    until("there is a session to open", || skein.get_like("button", "Actions for").is_there());
    open_own_window(&skein);
    until("the draft came along", || {
        skein.get("textbox", "Message").value() == "Begun in the app window."
    });
    send(&skein, " Finished in its own.");
    skein.get("button", "Stop").see();
    skein.go_to_app_window();
    skein.get("button", "Show that window").see();
    skein.get("textbox", "Message").gone();
    skein.get("button", "Stop").see();
    skein.screenshot("own-window-beside");
    comes.store(true, Ordering::Relaxed);
    until("the reply is in both", || skein.get("article", "Assistant").is_there());
    skein.go_to_window(OWN);
    skein.get("article", "Assistant").see();
    skein.get("textbox", "Message").insert("Left over");
    thread::sleep(Duration::from_millis(1_500));
    skein.screenshot("own-window");
    skein.close_top_window();
    skein.go_to_app_window();
    until("the draft came back", || skein.get("textbox", "Message").value() == "Left over");
    skein.quit();
}

#[test]
fn skein_ends_with_its_last_window_and_shows_the_session_in_chinese_and_dark() {
    let server = model(|_, _| Play::Say("The loom is warped."));
    let appearance = json!({ "language": "chinese", "theme": "dark" });
    let mut skein =
        settings(&server, &json!({ "nameSessions": false, "appearance": appearance })).start();
    skein.get("textbox", "消息").insert("Warp the loom.");
    skein.get("textbox", "消息").press("Enter");
    skein.get_like("article", "").see();
    skein.get_like("button", "Warp the loom").last().click();
    skein.get("menuitem", "在新窗口中打开").click();
    skein.go_to_window(OWN);
    skein.get("article", "助手").see();
    skein.screenshot("own-window-chinese-dark");
    skein.quit();
}
