//! That there is a window, that it goes away, and that it comes back.

use skein_window::Skein;

#[test]
fn the_window_opens_and_shows_the_page() {
    let skein = Skein::start();
    assert_eq!(skein.run("return document.title"), "Skein");
    skein.get("textbox", "Message").see();
    skein.screenshot("first-start");
}

#[test]
fn everything_is_kept_in_the_one_folder_that_is_asked_for() {
    let mut skein = Skein::start();
    skein.get("textbox", "Message").see();
    skein.quit();
    let has = |name: &str| skein.folder().join(name).exists();
    assert!(has("skein.log") && has("window.json") && has("cache/webview"));
    // Fontconfig's cache is not Skein's doing.
    let strays = ["home/.config", "home/.local", "home/.cache/app.skein.desktop"];
    assert_eq!(strays.map(has), [false; 3], "{strays:?}");
}

#[test]
fn a_program_that_was_killed_starts_again() {
    let mut skein = Skein::start();
    skein.get("textbox", "Message").see();
    skein.kill();
    skein.reopen();
    skein.get("textbox", "Message").see();
}
