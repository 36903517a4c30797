//! W06: a file that is read again, as the window shows it and as the server recorded the requests.

use std::fs;

use scripted_server::Server;
use serde_json::json;

use crate::actions::{CHINESE, ENGLISH, Names, open_over, say_in};
use crate::scripted::{Play, model, requests, settings};
use crate::tools::{choose_folder, folder, results};

/// The texts of one language.
struct Words {
    language: &'static str,
    theme: &'static str,
    names: &'static Names,
    /// The label of the button that chooses the folder, of the field and of the button in the dialog.
    folder: [&'static str; 3],
    on_the_call: &'static str,
    estimate: &'static str,
    in_the_estimate: &'static str,
}

const IN_ENGLISH: Words = Words {
    language: "english",
    theme: "light",
    names: &ENGLISH,
    folder: ["Choose a folder", "Folder", "Use this folder"],
    on_the_call: "the file was read again further down",
    estimate: "Context estimate",
    in_the_estimate: "1 earlier read of a file is left out",
};

const IN_CHINESE: Words = Words {
    language: "chinese",
    theme: "dark",
    names: &CHINESE,
    folder: ["选择文件夹", "文件夹", "使用此文件夹"],
    on_the_call: "下文又读取了同一文件",
    estimate: "上下文预估",
    in_the_estimate: "有 1 次较早的文件读取已离开上下文",
};

fn reads_a_file_twice(words: &Words) {
    let server = reader();
    let (_kept, path) = folder();
    let notes = path.join("notes.md");
    let set = json!({
        "appearance": { "language": words.language, "theme": words.theme },
        "context": { "toolCleaning": "everySend" },
    });
    let skein = settings(&server, &set).start();
    choose_folder(&skein, words.folder, &path.display().to_string());
    for text in ["grey", "brown"] {
        fs::write(&notes, format!("The wool is {text}. {}", "Row after row. ".repeat(60))).unwrap();
        say_in(&skein, words.names, "read");
    }
    let call = skein.get("group", "read_file").first();
    call.text_that("says that its output left", |text| text.contains(words.on_the_call));
    let later = skein.get("group", "read_file").last();
    assert!(!later.text().contains(words.on_the_call));
    call.run("arguments[0].scrollIntoView({ block: 'center' })");
    skein.screenshot(&format!("read-again-call-{}", words.language));
    let dialog = open_over(&skein, words.estimate);
    dialog.text_that("counts it", |text| text.contains(words.in_the_estimate));
    skein.screenshot(&format!("read-again-estimate-{}", words.language));
    skein.press("Escape");
    dialog.gone();

    say_in(&skein, words.names, "go on");
    let sent = results(&server);
    assert!(sent[0].starts_with("[Left out: this file was read again below"), "{sent:?}");
    assert!(sent[1].contains("The wool is brown."), "{sent:?}");
    assert_eq!(requests(&server).len(), 5, "what was sent before is not sent again");
}

/// A model that reads the file whenever it is asked to.
fn reader() -> Server {
    model(|said, spoken| match (said, spoken) {
        ("read", 0) => Play::Call(vec![("read_file", json!({ "path": "notes.md" }))]),
        _ => Play::Say("Read."),
    })
}

#[test]
fn w06_an_earlier_read_is_shown_as_one_that_is_no_longer_sent() {
    reads_a_file_twice(&IN_ENGLISH);
}

#[test]
fn w06_the_same_in_chinese_and_in_the_dark() {
    reads_a_file_twice(&IN_CHINESE);
}
