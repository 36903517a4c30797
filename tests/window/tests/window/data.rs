//! The user's data: export, import, backup and restore, and a start that fails.

use std::fs;
use std::path::{Path, PathBuf};

use rusqlite::Connection;
use serde_json::{Value, json};
use skein_window::{Setup, Skein, exported, reads, shows, until};

use crate::actions::send;

fn say(skein: &Skein, words: &str) {
    send(skein, words);
    skein.get("article", "Assistant").last().see();
    skein.get("button", "Send").see();
}

fn open_data(skein: &Skein) {
    skein.get("button", "Settings").click();
    skein.get("tab", "Data").click();
    skein.get("button", "Import…").see();
}

/// Chooses a file in Settings → Data → Import, in the system's own dialog.
fn import(skein: &Skein, file: &Path) {
    open_data(skein);
    skein.get("button", "Import…").click();
    skein.answer_file_dialog(file);
}

fn database(skein: &Skein) -> PathBuf {
    skein.folder().join("skein.db")
}

/// The replaced database, among other backups.
fn replaced(skein: &Skein) -> Option<PathBuf> {
    let files = fs::read_dir(skein.folder().join("backups")).unwrap().flatten();
    files.map(|file| file.path()).find(|path| path.to_string_lossy().ends_with("-replaced.db"))
}

#[test]
fn a_session_leaves_as_a_file_and_comes_back_from_it() {
    let skein = Skein::start();
    say(&skein, "The kiosk code is KX-4471.");
    let sessions = skein.get("navigation", "Sessions");
    // Until it has a title it is called by what was said first, which the demo gives it as a title.
    until("the session has its name", || sessions.any("link").first().text().ends_with("KX-4471"));
    let title = sessions.any("link").first().text();

    send(&skein, "/export");
    skein.get("dialog", &format!("Export “{title}”")).see();
    skein.screenshot("export");
    skein.get("radio", "Skein JSON").click();
    skein.get("button", "Choose where…").click();
    let file = skein.folder().join("kiosk.json");
    skein.answer_file_dialog(&file);
    reads(&skein, "Exported to");
    let written: Value = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
    assert_eq!(written["format"], "skein-conversation");
    assert!(written.to_string().contains("KX-4471"));

    import(&skein, &file);
    reads(&skein, "Imported 1 session with 2 messages from kiosk.json.");
    skein.screenshot("imported");
    skein.press("Escape");
    until("it stands beside the original", || sessions.get("link", &title).count() == 2);

    sessions.get("button", &format!("Actions for {title}")).first().click();
    skein.get("menuitem", "Export").click();
    skein.get("radio", "HTML").click();
    skein.get("button", "Choose where…").click();
    let page = skein.folder().join("kiosk.html");
    skein.answer_file_dialog(&page);
    until("the page is there", || page.exists());
    assert!(fs::read_to_string(&page).unwrap().contains("KX-4471"));
}

#[test]
fn a_file_that_is_no_conversation_is_refused_in_words_and_changes_nothing() {
    let skein = Setup::new()
        .file("bad.json", "{ \"a\": [1, 2")
        .file("mixed.json", json!([{ "mapping": {}, "title": "Nobody" }, { "chat_messages": 1, "name": "Torn" }, { "chat_messages": [{ "sender": "human", "text": "Hello" }], "name": "Sound" }]).to_string())
        .start();
    skein.get("navigation", "Sessions").any("link").first().see();
    let before = skein.get("navigation", "Sessions").any("link").count();
    import(&skein, &skein.folder().join("bad.json"));
    skein.get_like("alert", "").first().see();
    assert!(shows(&skein, "bad.json ends in the middle"), "{}", skein.outline());
    skein.screenshot("import-refused");
    skein.get("button", "Import…").click();
    skein.answer_file_dialog(&skein.folder().join("mixed.json"));
    reads(&skein, "Imported 1 session with 1 message from mixed.json.");
    reads(&skein, "Skipped 2:");
    skein.screenshot("import-in-part");
    skein.press("Escape");
    until("one has come", || skein.get("navigation", "Sessions").any("link").count() == before + 1);
}

#[test]
fn a_deleted_session_is_had_back_from_the_settings_or_goes_for_good() {
    let skein = Skein::start();
    say(&skein, "The kiosk code is KX-4471.");
    let sessions = skein.get("navigation", "Sessions");
    // Until it has a title it is called by what was said first, which the demo gives it as a title.
    until("the session has its name", || sessions.any("link").first().text().ends_with("KX-4471"));
    let title = sessions.any("link").first().text();
    let delete = || {
        sessions.get("button", &format!("Actions for {title}")).first().click();
        skein.get("menuitem", "Delete").click();
        until("it is gone", || sessions.get("link", &title).count() == 0);
    };
    delete();
    open_data(&skein);
    skein.get("button", &format!("Restore “{title}”")).see();
    skein.screenshot("deleted-sessions");
    skein.get("button", &format!("Restore “{title}”")).click();
    reads(&skein, "was restored.");
    skein.press("Escape");
    sessions.get("link", &title).click();
    reads(&skein, "KX-4471");

    delete();
    open_data(&skein);
    skein.get("button", &format!("Delete “{title}” for good…")).click();
    skein.screenshot("delete-for-good");
    skein.get("button", "Delete for good").click();
    reads(&skein, "Nothing was deleted in the last 30 days.");
}

#[test]
fn everything_leaves_as_one_archive() {
    let skein = Skein::start();
    say(&skein, "The kiosk code is KX-4471.");
    open_data(&skein);
    skein.get("button", "Export all sessions…").click();
    let archive = skein.folder().join("all.zip");
    skein.answer_file_dialog(&archive);
    reads(&skein, "1 session exported to");
    skein.get("button", "Import…").click();
    skein.answer_file_dialog(&archive);
    reads(&skein, "Imported 1 session with 2 messages from all.zip.");
}

#[test]
fn a_copy_is_looked_into_put_back_and_what_it_replaced_is_a_copy() {
    let mut skein = Skein::start();
    say(&skein, "The kiosk code is KX-4471.");
    open_data(&skein);
    skein.get("button", "Back up now").click();
    // The newest: the program may have made one, too.
    let restore = skein.get_like("button", "Restore the copy of").first();
    restore.see();
    skein.press("Escape");
    say(&skein, "And this was said afterwards.");
    open_data(&skein);
    skein.screenshot("data");
    restore.click();
    skein.get("dialog", "Restore a copy").see();
    reads(&skein, "It holds 1 session with 2 messages");
    skein.screenshot("restore");
    skein.get("button", "Restore and restart").click_last();
    until("the program has started over", || replaced(&skein).is_some());
    // The driver does not follow a program that starts over: a person would see this window.
    skein.kill();
    skein.reopen();
    reads(&skein, "KX-4471");
    assert!(!shows(&skein, "afterwards"));
    open_data(&skein);
    reads(&skein, "replaced by another");
}

#[test]
fn a_file_that_is_no_database_is_refused_before_anything_is_replaced() {
    let skein = Setup::new().file("notes.db", "not a database").start();
    skein.get("textbox", "Message").see();
    open_data(&skein);
    skein.get("button", "Restore from a file…").click();
    skein.answer_file_dialog(&skein.folder().join("notes.db"));
    reads(&skein, "notes.db is not a Skein database");
    assert!(!skein.get("dialog", "Restore a copy").is_there());
}

#[test]
fn a_database_from_a_newer_version_is_named_with_both_versions_and_the_way_out_keeps_it() {
    let mut skein = Skein::start();
    say(&skein, "The kiosk code is KX-4471.");
    skein.kill();
    let known = set_format(&database(&skein), 99);
    skein.reopen();
    skein.get("heading", "Your sessions were last opened by a newer Skein").see();
    reads(&skein, "written by a newer Skein (format 99");
    skein.screenshot("fault-newer");

    set_format(&database(&skein), known);
    skein.get("button", "Try again").click();
    reads(&skein, "KX-4471");
}

#[test]
fn the_day_has_its_copy_without_being_asked_and_what_is_in_the_way_is_said_until_it_is_not() {
    let mut skein = Skein::start();
    say(&skein, "The kiosk code is KX-4471.");
    skein.kill();
    let copies = skein.folder().join("backups");
    let _ = fs::remove_dir_all(&copies);
    fs::write(&copies, "in the way").unwrap();
    skein.reopen();
    reads(&skein, "The daily copy could not be made");
    skein.screenshot("daily-copy-fault");
    open_data(&skein);
    let daily = skein.get("switch", "Copy the database daily");
    daily.see();
    skein.screenshot("daily-copy-fault-data");

    daily.click();
    until("it is not wanted", || !shows(&skein, "The daily copy could not be made"));
    fs::remove_file(&copies).unwrap();
    daily.click();
    reads(&skein, "· daily ·");
    skein.screenshot("daily-copy");
}

#[test]
fn a_damaged_database_is_said_in_both_languages_and_both_themes_and_a_copy_brings_it_back() {
    let mut skein = Skein::start();
    say(&skein, "The kiosk code is KX-4471.");
    open_data(&skein);
    skein.get("button", "Back up now").click();
    skein.get_like("button", "Restore the copy of").first().see();
    skein.kill();
    damage(&database(&skein), &"<html>not a database</html>".repeat(900));
    for (language, theme, title) in
        [("chinese", "dark", "数据库已损坏"), ("english", "light", "The database is damaged")]
    {
        let look = json!({ "appearance": { "language": language, "theme": theme } });
        fs::write(skein.folder().join("settings.json"), look.to_string()).unwrap();
        skein.reopen();
        skein.get("heading", title).see();
        skein.screenshot(&format!("fault-damaged-{language}-{theme}"));
    }
    skein.get_like("button", "Begin with the copy of").first().click();
    reads(&skein, "KX-4471");
    open_data(&skein);
    reads(&skein, "replaced by another");
}

#[test]
fn a_damaged_database_without_a_copy_can_be_left_behind_and_is_kept() {
    let mut skein = Skein::start();
    say(&skein, "The kiosk code is KX-4471.");
    skein.kill();
    let damaged = "<html>not a database</html>".repeat(900);
    damage(&database(&skein), &damaged);
    skein.reopen();
    skein.get("heading", "The database is damaged").see();
    skein.get("button", "Begin anew").click();
    skein.get("textbox", "Message").see();
    say(&skein, "A new beginning.");
    let kept = replaced(&skein).expect("what was replaced is kept");
    assert_eq!(fs::read_to_string(kept).unwrap(), damaged);
}

#[test]
fn a_folder_that_cannot_be_written_is_said_and_tried_again() {
    let mut skein = Skein::start();
    skein.get("textbox", "Message").see();
    skein.kill();
    // Root may write everywhere: what stands where the folder of copies goes cannot be written into
    // by anybody, and a copy that is to be put in place needs that folder.
    fs::copy(database(&skein), skein.folder().join("skein-restore.db")).unwrap();
    fs::write(skein.folder().join("backups"), "in the way").unwrap();
    skein.reopen();
    skein.get("heading", "Skein could not open its data").see();
    skein.screenshot("fault-unwritable");
    fs::remove_file(skein.folder().join("backups")).unwrap();
    skein.get("button", "Try again").click();
    skein.get("textbox", "Message").see();
}

#[test]
fn a_broken_settings_file_is_said_at_once_and_kept() {
    let broken = "{ \"appearance\": { \"theme\": \"dark\" ";
    let skein = Setup::new().file("settings.json", broken).start();
    skein.get("textbox", "Message").see();
    reads(&skein, "The defaults are used");
    skein.screenshot("settings-broken");
    assert_eq!(fs::read_to_string(skein.folder().join("settings.json")).unwrap(), broken);
    skein.get("button", "Set the file aside and use defaults").click();
    reads(&skein, "The settings were reset");
    let files = fs::read_dir(skein.folder()).unwrap().flatten();
    let kept = files.filter(|file| file.file_name().to_string_lossy().contains("broken"));
    let kept: Vec<_> = kept.map(|file| fs::read_to_string(file.path()).unwrap()).collect();
    assert_eq!(kept, [broken]);
}

#[test]
fn settings_out_of_range_are_said_in_chinese_too() {
    let settings = json!({
        "appearance": { "language": "chinese", "theme": "dark" }, "context": { "archiveAt": 900 },
    });
    let skein = Setup::new().settings(&settings).start();
    reads(&skein, "context.archiveAt");
    skein.screenshot("settings-out-of-range-chinese-dark");
}

#[test]
fn ten_thousand_messages_open_at_their_end_and_are_read_and_found_to_the_first() {
    let words = |id: u32| {
        let filler = "The weaver crosses the warp with the weft and beats it home. ".repeat(9);
        match id {
            41 => format!("The lighthouse keeper wrote quernstone-41 here. {filler}"),
            id => format!("Message {id}. {filler}"),
        }
    };
    let file = exported("The long one", 10_000, words).to_string();
    let skein = Setup::new().file("long.json", file).start();
    import(&skein, &skein.folder().join("long.json"));
    reads(&skein, "Imported 1 session with 10,000 messages from long.json.");
    skein.press("Escape");
    skein.get("link", "The long one").click();
    reads(&skein, "Message 10000.");
    skein.screenshot("ten-thousand");
    assert!(skein.any("article").count() < 60, "the page holds only what is near");

    skein.get("textbox", "Message").insert("typing is not delayed");
    assert_eq!(skein.get("textbox", "Message").value(), "typing is not delayed");

    skein.get("log", "Conversation").click();
    until("older pages come as the person goes up", || {
        skein.press("PageUp");
        let text = skein.get("log", "Conversation").text();
        let numbers =
            text.split("Message ").filter_map(|part| part.split('.').next()?.parse().ok());
        numbers.min().is_some_and(|first: u32| first < 9_850)
    });
    skein.screenshot("ten-thousand-up");
    assert!(skein.any("article").count() < 60, "the page holds only what is near");

    skein.get("searchbox", "Search").fill("quernstone");
    skein.get("list", "Found").any("button").first().click();
    reads(&skein, "The lighthouse keeper wrote");
    let inside = "const found = [...document.querySelectorAll('article')] \
         .find((it) => it.textContent.includes('quernstone-41'))?.getBoundingClientRect(); \
         return found !== undefined && found.bottom > 0 && found.top < innerHeight";
    until("what was found is in view", || skein.run(inside) == true);
    skein.screenshot("ten-thousand-found");
}

/// Gives a database another format; returns the one it had.
fn set_format(database: &Path, format: u32) -> u32 {
    let connection = Connection::open(database).unwrap();
    let before = connection.pragma_query_value(None, "user_version", |row| row.get(0)).unwrap();
    connection.pragma_update(None, "user_version", format).unwrap();
    before
}

/// Writes over a database, its log included.
fn damage(database: &Path, with: &str) {
    let connection = Connection::open(database).unwrap();
    connection.execute_batch("PRAGMA wal_checkpoint(TRUNCATE)").unwrap();
    drop(connection);
    fs::write(database, with).unwrap();
}
