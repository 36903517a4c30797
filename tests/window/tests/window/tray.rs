//! Skein in the tray of a desktop.

use serde_json::json;
use skein_window::{Setup, until};

use crate::actions::say;

fn closing_to_tray() -> Setup {
    Setup::new()
        .settings(&json!({ "nameSessions": false, "desktop": { "closeToTray": true } }))
        .with_bus()
}

#[test]
fn the_tray_opens_recent_sessions_keeps_skein_running_and_quits_it() {
    let mut skein = closing_to_tray().start();
    let tray = skein.tray();
    say(&skein, "Warp the loom & weave_it");
    until("the tray has the session", || {
        tray.entries()
            == ["Open Skein", "New session", "Quick ask", "Warp the loom & weave_it", "Quit"]
    });

    skein.close_window(|skein| skein.visible_windows() == 0);
    assert!(skein.is_running());
    tray.choose("New session");
    until("the window is back", || skein.visible_windows() == 1);
    skein.get("heading", "Conversations that never have to end").see();
    tray.choose("Warp the loom & weave_it");
    skein.get("article", "You").see();

    skein.close_window(|skein| skein.visible_windows() == 0);
    tray.click();
    until("the window is back", || skein.visible_windows() == 1);
    tray.choose("Quit");
    skein.ended();
}

#[test]
fn without_a_tray_closing_quits_and_the_settings_say_so() {
    let mut skein = closing_to_tray().start();
    skein.get("textbox", "Message").see();
    skein.press("Control+,");
    skein.get("tab", "Desktop").click();
    skein.get("switch", "Icon in the tray").see();
    let says = |hint: &str| skein.run("return document.body.innerText").to_string().contains(hint);
    until("the settings say that there is no tray", || says("This desktop shows no tray"));
    let tray = skein.tray();
    until("the icon appears with the tray", || tray.has_icon());
    until("the settings know the tray", || !says("This desktop shows no tray"));
    skein.screenshot("settings-desktop");
    drop(tray);
    skein.press("Escape");
    skein.quit();
}
