//! A conversation by keyboard and ear: Orca's own speech, read from its log. Ignored where Orca is not
//! installed; `cargo xtask test --spoken` installs and runs it.

use std::fs;

use serde_json::json;
use skein_window::{Setup, Skein, until};

use crate::actions::send;
use crate::scripted::{Play, model, settings};
use crate::tools::{chosen, folder};

/// Waits until `text` is spoken behind the place `after` of the speech. Gives the place behind it.
fn hear(skein: &Skein, after: usize, text: &str) -> usize {
    let mut end = after;
    until(&format!("{text:?} is spoken"), || {
        let speech = skein.spoken().join("\n");
        let place = speech[after..].find(text);
        end = place.map_or(after, |place| after + place + text.len());
        place.is_some()
    });
    end
}

#[test]
#[ignore = "needs Orca: cargo xtask test --spoken"]
fn h01_a_screen_reader_speaks_a_conversation_and_its_compaction_in_order() {
    let skein = Setup::new().read_aloud().start();
    let mut heard = hear(&skein, 0, "Skein frame");
    for words in
        ["The loom stands in the attic.", "The wool is grey.", "The warp has forty threads."]
    {
        // Long enough that a compaction is worth it.
        send(&skein, &words.repeat(60));
        heard = hear(&skein, heard, "Message sent.");
        heard = hear(&skein, heard, "Assistant: ");
        skein.get("button", "Send").see();
    }
    let speech = skein.spoken().join("\n");
    assert_eq!(speech.matches("Message sent.").count(), 3, "each once");
    send(&skein, "/compact");
    heard = hear(&skein, heard, "Compacted");
    skein.press("Control+k");
    let palette = skein.get("combobox", "Search and commands");
    palette.type_text("back up now");
    skein.any("option").first().see();
    skein.press("Enter");
    hear(&skein, heard, "Backed up to ");
    keep(&skein, "conversation");
}

#[test]
#[ignore = "needs Orca: cargo xtask test --spoken"]
fn h01_a_screen_reader_speaks_a_tools_question_and_an_error() {
    let server = model(|words, since| match (words, since) {
        (words, 0) if words.contains("write") => {
            Play::Call(vec![("write_file", json!({ "path": "loom.md", "content": "Old." }))])
        }
        _ => Play::Say("It is written."),
    });
    let (_kept, folder) = folder();
    let skein = settings(&server, &json!({})).read_aloud().start();
    let mut heard = hear(&skein, 0, "Skein frame");
    chosen(&skein, &folder);
    send(&skein, "Please write that down.");
    heard = hear(&skein, heard, "The model wants to use write_file.");
    heard = hear(&skein, heard, "+Old.");
    skein.press("Control+Shift+y");
    heard = hear(&skein, heard, "It is written.");
    drop(server);
    send(&skein, "And the loom?");
    hear(&skein, heard, "does not answer");
    keep(&skein, "question");
}

/// Keeps the speech as `target/screens/spoken-<name>.txt`.
fn keep(skein: &Skein, name: &str) {
    let picture = skein.screenshot(&format!("spoken-{name}"));
    fs::write(picture.with_extension("txt"), skein.spoken().join("\n")).unwrap();
}
