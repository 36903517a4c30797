//! The global shortcut for a quick question.

use serde_json::json;
use skein_window::{GIVEN_KEYS, Setup, Skein, until};

const LABEL: &str = "Shortcut for Quick ask";

fn open_settings(skein: &Skein) {
    skein.get("textbox", "Message").see();
    skein.press("Control+,");
    skein.get("tab", "Desktop").click();
    skein.get("combobox", LABEL).see();
}

fn choose_keys(skein: &Skein, keys: &str) {
    skein.get("combobox", LABEL).click();
    skein.get("option", keys).click();
}

fn settings_say(skein: &Skein, hint: &str) {
    until(&format!("the settings say {hint:?}"), || {
        skein.run("return document.body.innerText").to_string().contains(hint)
    });
}

#[test]
fn on_x11_the_shortcut_opens_a_quick_question_and_taken_keys_are_reported() {
    let mut skein = Setup::new().start();
    open_settings(&skein);
    let other = skein.take_global_shortcut();
    choose_keys(&skein, "Ctrl+Shift+Space");
    settings_say(&skein, "Another program has these keys.");
    drop(other);
    choose_keys(&skein, "None");
    choose_keys(&skein, "Ctrl+Shift+Space");
    settings_say(&skein, "Works in every program");
    until("the small window is open", || {
        skein.press_global_shortcut();
        skein.visible_windows() == 2
    });
    skein.quit();
}

#[test]
fn on_wayland_the_portal_gives_the_shortcut_and_without_one_the_settings_say_so() {
    let keys = json!({ "desktop": { "quickAskKeys": "modShiftSpace" } });
    let setup = Setup::new().settings(&keys).with_bus();
    let mut skein = setup.variable("WAYLAND_DISPLAY", "absent").start();
    open_settings(&skein);
    settings_say(&skein, "This desktop gives programs no global shortcut.");
    let portal = skein.shortcut_portal();
    choose_keys(&skein, "Ctrl+Shift+K");
    settings_say(&skein, GIVEN_KEYS);
    assert_eq!(portal.preferred_keys().as_deref(), Some("CTRL+SHIFT+k"));
    skein.screenshot("settings-desktop-wayland");
    portal.press();
    until("the small window is open", || skein.visible_windows() == 2);
    skein.quit();
}
