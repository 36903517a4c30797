//! Skein's start with the session of the desktop. Not here: the taskbar, because the driver keeps the focus
//! in the window.

use skein_window::{Setup, until};

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
