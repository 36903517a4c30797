//! Use without a mouse: slash commands, the palette, finding in a conversation, editing the last
//! message, and long pastes.

use serde_json::json;
use skein_window::{Setup, Skein, until};

use crate::actions::say;

#[test]
fn a_slash_offers_the_commands_and_the_keys_walk_them() {
    let skein = Skein::start();
    let message = skein.get("textbox", "Message");
    message.type_text("/");
    skein.get("listbox", "Commands").see();
    assert!(skein.any("option").count() >= 5);
    skein.screenshot("slash");
    message.type_text("comp");
    skein.press("Tab");
    assert_eq!(message.value(), "/compact ");
    message.fill("/cont");
    skein.press("Enter");
    skein.get("dialog", "Context estimate").see();
    skein.press("Escape");
    skein.get("dialog", "Context estimate").gone();
    assert_eq!(message.value(), "");
    message.type_text("/");
    skein.press("Escape");
    skein.get("listbox", "Commands").gone();
    assert_eq!(message.value(), "/");
}

#[test]
fn the_palette_opens_what_a_few_letters_mean() {
    let skein = Skein::start();
    say(&skein, "The loom stands in the attic.");
    skein.press("Control+k");
    let palette = skein.get("combobox", "Search and commands");
    palette.see();
    skein.screenshot("palette");
    palette.type_text("netw");
    skein.press("Enter");
    skein.get("dialog", "Settings").see();
    until("its page is shown", || skein.get("tab", "Network").is_on());
    skein.press("Escape");
    skein.get("dialog", "Settings").gone();
    skein.press("Control+k");
    palette.see();
    palette.type_text("attic");
    skein.get_like("option", "attic").see();
    skein.screenshot("palette-words");
    skein.press("Escape");
    skein.press("Control+/");
    skein.get("dialog", "Keyboard shortcuts").see();
    skein.screenshot("shortcuts");
}

#[test]
fn words_are_found_in_the_conversation_and_stepped_through() {
    let skein = Skein::start();
    for place in ["attic", "cellar", "garden"] {
        say(&skein, &format!("The {place} holds a spindle, said the ferryman."));
    }
    skein.press("Control+f");
    let find = skein.get("searchbox", "Find in this thread");
    find.see();
    find.type_text("ferryman");
    let place = "return document.querySelector('.FindBar [role=status]').textContent";
    // They are counted from the top, and the newest is the last: `6 of 6`.
    let is_newest = || {
        let words = skein.run(place);
        let numbers = words.as_str().and_then(|words| words.split_once(" of "));
        numbers.map(|(at, count)| count.split(' ').next() == Some(at))
    };
    until("the hits are counted", || is_newest() == Some(true));
    skein.screenshot("find");
    until("the next message is gone to, once through the words in this one", || {
        skein.press("Enter");
        is_newest() == Some(false)
    });
    skein.press("Escape");
    find.gone();
}

#[test]
fn the_arrow_up_edits_the_last_message_and_escape_leaves_it() {
    let skein = Skein::start();
    say(&skein, "My deploy port is 7443.");
    let message = skein.get("textbox", "Message");
    message.press("ArrowUp");
    let edit = skein.get("textbox", "Edit the message");
    edit.see();
    assert_eq!(edit.value(), "My deploy port is 7443.");
    skein.screenshot("edit-last");
    skein.press("Escape");
    edit.gone();
    assert_eq!(skein.run("return document.activeElement.ariaLabel"), "Message");
}

#[test]
fn a_long_paste_becomes_a_file_that_can_be_put_back() {
    let skein = Skein::start();
    let message = skein.get("textbox", "Message");
    let words = "warp and weft ".repeat(700);
    message.paste(&words);
    skein.get("list", "Attachments").see();
    skein.screenshot("long-paste");
    assert_eq!(message.value(), "");
    skein.get("button", "Undo").click();
    skein.get("list", "Attachments").gone();
    assert_eq!(message.value(), words);
    message.paste(&words);
    skein.get("button", "Open Pasted text.txt").click();
    let opened = skein.get("dialog", "Pasted text.txt");
    opened.text_that("it holds what was pasted", |text| text.contains("warp and weft warp"));
    skein.screenshot("attachment");
    skein.press("Escape");
    opened.gone();
}

#[test]
fn control_enter_sends_where_the_person_wants_it_so() {
    let skein = Setup::new().settings(&json!({ "keyboard": { "send": "modEnter" } })).start();
    let message = skein.get("textbox", "Message");
    message.type_text("one");
    skein.press("Enter");
    assert_eq!(message.value(), "one\n");
    skein.press("Control+Enter");
    skein.get("article", "You").see();
}

#[test]
fn in_a_narrow_window_what_stands_beside_the_conversation_is_a_drawer_over_it() {
    let skein = Skein::start();
    skein.resize(360, 700);
    let drawers = [
        ("Show or hide the sidebar", "Sessions", "New session"),
        ("Reminders", "Reminders", "Add a reminder"),
    ];
    for (opens, name, holds) in drawers {
        skein.get("button", opens).click();
        let drawer = skein.get("dialog", name);
        drawer.see();
        drawer.get("button", holds).see();
        skein.screenshot(&format!("drawer-{}", name.to_lowercase()));
        let inside = "return document.querySelector('dialog').contains(document.activeElement)";
        for _ in 0..12 {
            skein.press("Tab");
            assert_eq!(skein.run(inside), true, "the keyboard stays in {name}");
        }
        skein.press("Escape");
        drawer.gone();
    }
    skein.press("Control+b");
    skein.get("dialog", "Sessions").see();
    skein.press("Control+b");
    skein.get("dialog", "Sessions").gone();
    skein.get("textbox", "Message").see();
}
