//! Opening, closing and reopening the window.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::json;
use skein_window::{Setup, Skein};

#[test]
fn the_window_opens_and_shows_the_page() {
    let skein = Skein::start();
    assert_eq!(skein.run("return document.title"), "Skein");
    skein.get("textbox", "Message").see();
    skein.get("heading", "Conversations that never have to end").see();
    skein.screenshot("first-start");
}

#[test]
fn everything_is_kept_in_the_one_folder_that_is_asked_for() {
    let mut skein = Skein::start();
    skein.get("textbox", "Message").see();
    skein.kill();
    let has = |name: &str| skein.folder().join(name).exists();
    assert!(has("skein.log") && has("skein.db") && has("cache/webview"));
    assert_eq!(files_below(&skein.folder().join("home")), Vec::<PathBuf>::new());
}

#[test]
fn the_window_comes_back_at_the_size_it_had() {
    let mut skein = Skein::start();
    skein.get("textbox", "Message").see();
    skein.resize(700, 640);
    skein.quit();
    skein.reopen();
    skein.get("textbox", "Message").see();
    assert_eq!(skein.run("return [innerWidth, innerHeight]"), json!([700, 640]));
}

#[test]
fn the_page_is_dark_from_its_first_paint_where_dark_was_chosen() {
    let prefers_dark = "return matchMedia('(prefers-color-scheme: dark)').matches";
    for (theme, dark) in [("dark", true), ("light", false)] {
        let settings = json!({ "appearance": { "theme": theme } });
        let skein = Setup::new().settings(&settings).start();
        skein.get("textbox", "Message").see();
        assert_eq!(skein.run(prefers_dark), dark, "{theme}");
        skein.screenshot(&format!("first-start-{theme}"));
    }
}

#[test]
fn a_program_that_was_killed_starts_again() {
    let mut skein = Skein::start();
    skein.get("textbox", "Message").see();
    skein.kill();
    skein.reopen();
    skein.get("textbox", "Message").see();
}

/// The files below a folder, without caches of system libraries.
fn files_below(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let (folders, mut files): (Vec<_>, Vec<_>) = entries.partition(|path| path.is_dir());
    let caches =
        ["dconf", "fontconfig", "mesa_shader_cache", "mesa_shader_cache_db", "gstreamer-1.0"];
    let is_ours = |folder: &&PathBuf| !caches.iter().any(|cache| folder.ends_with(cache));
    files.extend(folders.iter().filter(is_ours).flat_map(|folder| files_below(folder)));
    files
}
