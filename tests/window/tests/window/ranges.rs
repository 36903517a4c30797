//! Summaries of chosen messages as a user makes them: previewed, edited, compared and undone.

use serde_json::json;
use skein_window::{Setup, Skein};

use crate::actions::{
    CHINESE, ENGLISH, Names, close_estimate, open_estimate, say_in, unfold, woven,
};

fn tell(skein: &Skein, names: &Names) {
    for fact in ["The loom is oak.", "The warp is linen.", "The weft is wool."] {
        say_in(skein, names, &woven(fact, 22));
    }
}

/// Opens the menu of the user's last message but one and chooses an entry, with the keyboard.
fn choose(skein: &Skein, [who, more, entry]: [&str; 3]) {
    let article = skein.get("article", who).nth(-2);
    article.run("arguments[0].scrollIntoView({ block: 'center' })");
    article.hover();
    article.get("button", more).press("Enter");
    skein.get("menuitem", entry).press("Enter");
}

/// Everything that the next request holds, as the window shows it.
fn seen_by_model(skein: &Skein) -> String {
    let dialog = open_estimate(skein);
    unfold(&dialog, "What the model sees");
    let list = dialog.get("group", "What the model sees");
    let seen = list.text_that("holds the conversation", |text| text.contains("The loom is oak."));
    close_estimate(skein);
    seen
}

#[test]
fn w01_a_range_is_summarised_edited_compared_and_undone() {
    let skein = Skein::start();
    tell(&skein, &ENGLISH);
    let whole = seen_by_model(&skein);
    choose(&skein, ["You", "More actions", "Summarise from here"]);
    let dialog = skein.get("dialog", "Summarise from here");
    dialog.text_that("says what is covered", |text| text.contains("4 messages become"));
    skein.screenshot("range-preview");
    dialog.get("button", "Compact now").click();
    let summary = skein.get("article", "Summary");
    summary
        .text_that("is of a range", |text| text.contains("Summary of a range · 4\u{a0}messages"));
    skein.screenshot("range-summarised");
    let linen = skein.get("article", "You").nth(-2);
    let precedes = "return Boolean(arguments[0].compareDocumentPosition(document.querySelector(\
                    '[data-covered=true]')) & 4)";
    assert_eq!(summary.run(precedes), json!(true), "it stands before the messages it covers");
    assert_eq!(linen.attribute("data-covered").as_deref(), Some("true"));

    summary.get("button", "Edit").click();
    skein.get("textbox", "Edit the summary").fill("The reed is brass.");
    skein.get("button", "Save").click();
    skein.get("textbox", "Edit the summary").gone();
    let ranged = seen_by_model(&skein);
    assert!(ranged.contains("The reed is brass."), "the summary is sent as edited: {ranged}");
    assert!(ranged.len() < whole.len(), "and less than before");
    summary.get("button", "Compare").click();
    skein.get("dialog", "Compare").text_that("has both", |text| {
        text.contains("The reed is brass.") && text.contains("The weft is wool.")
    });
    skein.screenshot("range-compared");
    skein.press("Escape");
    skein.get("dialog", "Compare").gone();

    summary.get("button", "Undo").click();
    summary.gone();
    assert_eq!(seen_by_model(&skein), whole, "as it was");
}

#[test]
fn w01_up_to_a_message_in_chinese_and_in_the_dark() {
    let look = json!({ "language": "chinese", "theme": "dark" });
    let skein = Setup::new().settings(&json!({ "appearance": look })).start();
    tell(&skein, &CHINESE);
    choose(&skein, ["你", "更多操作", "将此处及之前变为摘要"]);
    let dialog = skein.get("dialog", "将此处及之前变为摘要");
    dialog.text_that("says what is covered", |text| text.contains("4 条消息将并入摘要"));
    skein.screenshot("range-preview-chinese-dark");
    dialog.get("button", "立即压缩").click();
    skein.get("article", "摘要").see();
    skein.screenshot("range-summarised-chinese-dark");
}
