//! That there is a window at all.

use skein_window::Skein;

#[test]
fn the_window_opens_and_shows_the_page() {
    let skein = Skein::start();
    assert_eq!(skein.run("return document.title"), "Skein");
    skein.get("textbox", "Message").see();
    skein.screenshot("first-start");
}
