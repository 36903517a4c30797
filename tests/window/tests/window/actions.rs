//! Common actions of tests: sending a message, reading, and opening the estimate.

use std::thread;
use std::time::Duration;

use serde_json::json;
use skein_window::{Locator, Skein, until};
pub use skein_window::{reads, shows};

/// Types into the composer and sends.
pub fn send(skein: &Skein, words: &str) {
    send_in(skein, &ENGLISH, words);
}

pub fn send_in(skein: &Skein, names: &Names, words: &str) {
    skein.get("textbox", names.message).insert(words);
    skein.get("textbox", names.message).press("Enter");
}

/// The names of the composer and its buttons in one language.
pub struct Names {
    pub message: &'static str,
    pub send: &'static str,
    pub stop: &'static str,
}

pub const ENGLISH: Names = Names { message: "Message", send: "Send", stop: "Stop" };
pub const CHINESE: Names = Names { message: "消息", send: "发送", stop: "停止" };

/// Sends a message and waits for the complete reply.
pub fn say(skein: &Skein, words: &str) {
    say_in(skein, &ENGLISH, words);
}

/// [`say`] in a window of another language.
pub fn say_in(skein: &Skein, names: &Names, words: &str) {
    let before = replies(skein, names);
    send_in(skein, names, words);
    until("it is answered", || replies(skein, names) > before);
    skein.get("button", names.send).see();
}

/// The number of replies that have ended since the first call. A reply may come and go between two
/// polls, so the page itself counts how often the Stop button has gone.
fn replies(skein: &Skein, names: &Names) -> u64 {
    let script = format!(
        "if (window.replies === undefined) {{ \
           window.replies = 0; \
           const runs = () => [...document.querySelectorAll('button')] \
             .some((button) => button.textContent.trim() === {stop}); \
           let ran = runs(); \
           new MutationObserver(() => {{ \
             const run = runs(); \
             if (ran && !run) window.replies += 1; \
             ran = run; \
           }}).observe(document.body, {{ subtree: true, childList: true }}); \
         }} \
         return window.replies;",
        stop = json!(names.stop)
    );
    skein.run(&script).as_u64().expect("a number")
}

/// A message that fills about a tenth of the demo model's small window.
pub fn long(fact: &str) -> String {
    woven(fact, 45)
}

/// A message with a fact and this many sentences.
pub fn woven(fact: &str, sentences: usize) -> String {
    let filler = "The weaver crosses the warp with the weft and beats it home, row after row. ";
    format!("{fact} {}", filler.repeat(sentences))
}

pub fn open_estimate(skein: &Skein) -> Locator<'_> {
    open_over(skein, "Context estimate")
}

/// Opens the dialog of the button with this name. Repeated, because a click misses a button whose
/// text just grows shorter after a compaction.
pub fn open_over<'a>(skein: &'a Skein, name: &str) -> Locator<'a> {
    let dialog = skein.get("dialog", name);
    until("the dialog is there", || {
        if !dialog.is_there() {
            skein.get("button", name).click();
            thread::sleep(Duration::from_millis(300));
        }
        dialog.is_there()
    });
    dialog
}

pub fn close_estimate(skein: &Skein) {
    skein.press("Escape");
    skein.get("dialog", "Context estimate").gone();
}

/// Switches something off in a dialog. Repeated, because a click misses an element that moves while
/// the dialog fills; the switch changes only once it is saved.
pub fn switch_off(dialog: &Locator<'_>, name: &str) {
    let switch = dialog.get("switch", name);
    until("it is on", || switch.is_on());
    until("it is off", || {
        if switch.is_on() {
            switch.click();
            thread::sleep(Duration::from_millis(500));
        }
        !switch.is_on()
    });
}

/// Unfolds a section of a dialog. Repeated, because a click misses an element that moves while the
/// dialog fills.
pub fn unfold(dialog: &Locator<'_>, part: &str) {
    let button = dialog.get("button", part);
    until("it is unfolded", || {
        if !button.is_on() {
            button.click();
        }
        button.is_on()
    });
}
