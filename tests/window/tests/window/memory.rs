//! Compaction: the kept facts, and the user's actions on a compaction.

use serde_json::json;
use skein_window::{Setup, Skein, until};

use crate::actions::{
    CHINESE, close_estimate, long, open_estimate, open_over, say, say_in, send, switch_off, unfold,
};

const PINNED: &str = "Remember: the loom stands at 47 Weaver Lane, third floor.";

/// Asks a question, and waits until the last reply contains the answer.
fn ask(skein: &Skein, question: &str, answer: &str) {
    say(skein, question);
    let said = skein.get("article", "Assistant").last();
    said.text_that(&format!("answers {question}"), |text| text.contains(answer));
}

/// The number of compactions in the dialog.
pub fn compactions(skein: &Skein) -> usize {
    let dialog = open_estimate(skein);
    unfold(&dialog, "Compactions");
    dialog.get("list", "Compactions").see();
    let count = dialog.get("list", "Compactions").any("listitem").count();
    close_estimate(skein);
    count
}

fn share(skein: &Skein) -> String {
    skein.get("button", "Context estimate").text()
}

#[test]
fn facts_told_early_are_answered_three_compactions_later_and_a_pinned_message_is_still_there() {
    let skein = Skein::start();
    say(&skein, PINNED);
    skein.get("article", "You").first().get("button", "More actions").click();
    skein.get("menuitem", "Pin").click();
    for fact in ["My deploy port is 7443.", "The cat is called Miso.", "The launch is on 14 March."]
    {
        say(&skein, &long(fact));
    }
    let mut told = 0;
    while compactions(&skein) < 3 {
        told += 1;
        assert!(told < 12, "it does not compact");
        say(&skein, &long(&format!("Row {told} is woven.")));
    }
    skein.screenshot("memory-three-compactions");
    ask(&skein, "What is my deploy port?", "7443");
    ask(&skein, "What is the cat called?", "Miso");
    ask(&skein, "When is the launch?", "14 March");

    let dialog = open_estimate(&skein);
    skein.get_like("dialog", "Context estimate").see();
    assert!(dialog.text().contains("1 pinned message takes"), "{}", dialog.text());
    unfold(&dialog, "What the model sees");
    dialog.get("button", "Copy").see();
    assert!(dialog.text().contains(PINNED), "the pinned message is sent word for word");
    unfold(&dialog, "What happened automatically");
    let log = dialog.get("list", "What happened automatically");
    log.see();
    let words = log.text();
    assert!(words.matches("Compacted: ").count() >= 3 && words.contains("tokens."), "{words}");
    skein.screenshot("memory-automatic-log");
    close_estimate(&skein);
}

#[test]
fn a_compaction_is_previewed_steered_compared_undone_redone_and_renewed() {
    let skein = Skein::start();
    switch_off(&open_estimate(&skein), "Auto-compaction (this session)");
    close_estimate(&skein);
    for fact in
        ["My deploy port is 7443.", "We chose SQLite because it is one file.", "So.", "And."]
    {
        say(&skein, &long(fact));
    }
    let dialog = open_estimate(&skein);
    dialog.get("button", "Compact context").click();
    let preview = dialog.get("group", "Compact context");
    let words = preview.text_that("says what it would do", |text| text.contains("afterwards"));
    assert!(words.contains("of the summary"), "{words}");
    assert!(!words.contains("messages stay"), "what there is none of is not said: {words}");
    preview.get_like("button", "of the summary").click();
    skein.screenshot("memory-preview");
    preview.get("button", "Cancel").click();
    close_estimate(&skein);

    let whole = share(&skein);
    send(&skein, "/compact keep the deploy port");
    skein.get("article", "Summary").see();
    until("it is smaller", || share(&skein) != whole);
    let compacted = share(&skein);

    skein.get("article", "Summary").last().get("button", "Compare").click();
    let compare = skein.get("dialog", "Compare");
    compare.get("region", "What was covered").see();
    let kept = compare.get("region", "What is kept").text();
    assert!(kept.contains("7443") && kept.contains("word for word in the summary"), "{kept}");
    skein.screenshot("memory-compare");
    compare.get("button", "Close").click();
    compare.gone();

    skein.get("article", "Summary").last().get("button", "Undo").click();
    until("the whole conversation is counted again", || share(&skein) == whole);
    let dialog = open_estimate(&skein);
    unfold(&dialog, "Compactions");
    dialog.get("button", "Redo").click();
    dialog.get("list", "Compactions").any("listitem").see();
    close_estimate(&skein);
    until("it is compacted as before", || share(&skein) == compacted);

    skein.get("article", "You").first().get("button", "More actions").click();
    skein.get("menuitem", "Delete").click();
    skein.get_like("article", "Summary").last().get("button", "Renew").see();
    let dialog = open_estimate(&skein);
    unfold(&dialog, "Compactions");
    dialog.get("button", "Renew").see();
    skein.screenshot("memory-stale");
    dialog.get("button", "Renew").click();
    dialog.get("button", "Renew").gone();
    close_estimate(&skein);
}

#[test]
fn the_same_in_chinese_and_in_the_dark() {
    let settings = json!({ "appearance": { "theme": "dark", "language": "chinese" } });
    let skein = Setup::new().settings(&settings).start();
    for fact in ["部署端口是 7443。", "猫叫米索。", "三月十四日上线。", "好。"]
    {
        say_in(&skein, &CHINESE, &long(fact));
    }
    skein.get("article", "摘要").see();
    let dialog = open_over(&skein, "上下文预估");
    unfold(&dialog, "压缩记录");
    dialog.get("list", "压缩记录").any("listitem").first().see();
    unfold(&dialog, "自动操作记录");
    dialog.get("list", "自动操作记录").see();
    skein.screenshot("memory-log-zh-dark");
    dialog.get("button", "对比").first().click();
    skein.get("dialog", "对比").get("region", "保留的内容").see();
    skein.screenshot("memory-compare-zh-dark");
}
