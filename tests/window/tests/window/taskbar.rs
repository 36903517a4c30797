//! Skein's start with the session of the desktop, and its entry in the taskbar.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use serde_json::json;
use skein_window::{Setup, until};

use crate::hands::send;
use crate::scripted::{Play, model, settings};

#[test]
fn a_start_at_login_is_an_entry_of_the_desktop_and_hidden_in_the_tray() {
    let mut skein = Setup::new().argument("--hidden").with_tray().start();
    until("the tray has a menu", || skein.first_tray().entries().len() > 2);
    assert_eq!(skein.visible_windows(), 0);
    skein.first_tray().click();
    until("the window is shown", || skein.visible_windows() == 1);

    skein.press("Control+,");
    skein.get("tab", "Desktop").click();
    skein.get("switch", "Start with the computer").click();
    let folder = skein.folder().join("home/.config/autostart");
    let entries = || std::fs::read_dir(&folder).into_iter().flatten().flatten();
    until("there is an entry", || entries().count() == 1);
    let entry = entries().next().expect("it is there").path();
    let text = std::fs::read_to_string(entry).expect("it can be read");
    let data = format!("--hidden --data \"{}\"", skein.folder().display());
    assert!(
        text.lines().any(|line| line.starts_with("Exec=\"") && line.ends_with(&data)),
        "{text}"
    );
    skein.screenshot("settings-desktop");
    skein.get("switch", "Start with the computer").click();
    until("the entry is gone", || entries().count() == 0);
    skein.quit();
}

#[test]
fn a_reply_that_ends_while_no_window_has_the_focus_asks_for_attention() {
    let comes = Arc::new(AtomicBool::new(false));
    let waits = Arc::clone(&comes);
    let server = model(move |_, _| {
        while !waits.load(Ordering::Relaxed) {
            thread::sleep(Duration::from_millis(20));
        }
        Play::Say("The loom is warped.")
    });
    let skein = settings(&server, &json!({ "nameSessions": false })).start();
    send(&skein, "Warp the loom.");
    skein.get("button", "Stop").see();
    skein.unfocus();
    assert!(!skein.asks_for_attention());
    comes.store(true, Ordering::Relaxed);
    until("the window asks for attention", || skein.asks_for_attention());
}
