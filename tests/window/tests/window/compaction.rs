//! The main job: a conversation that compacts itself, seen from where a person sits.

use serde_json::json;
use skein_window::{Skein, until};

use crate::actions::{close_estimate, open_estimate, reads, say, shows, switch_off, woven};

fn fill(skein: &Skein) {
    for fact in
        ["My deploy port is 7443.", "The cat is called Miso.", "We build on Fridays.", "So."]
    {
        say(skein, &woven(fact, 40));
    }
}

/// Remembers every status the page shows from now on: one may come and go between two looks.
fn remember_statuses(skein: &Skein) {
    skein.run(
        "window.statuses = new Set(); \
         new MutationObserver(() => { \
           for (const status of document.querySelectorAll('[role=status][aria-label]')) \
             window.statuses.add(status.ariaLabel); \
         }).observe(document.body, { subtree: true, childList: true });",
    );
}

/// The tokens the button in the box shows, as `1.2k` of `1.2k / 8.2k`.
fn estimate(skein: &Skein) -> f64 {
    let written = skein.get("button", "Context estimate").text();
    let used = written.split('/').next().unwrap_or_default().trim().to_owned();
    match used.strip_suffix('k') {
        Some(thousands) => thousands.parse::<f64>().expect("a number") * 1_000.0,
        None => used.parse().expect("a number"),
    }
}

#[test]
fn us_1_us_2_fr_1_3_fr_1_5_w08_a_conversation_compacts_itself_stays_readable_and_is_taken_back() {
    let skein = Skein::start();
    remember_statuses(&skein);
    fill(&skein);
    skein.get("article", "Summary").see();
    skein.screenshot("compacted");
    let statuses = skein.run("return [...window.statuses]");
    assert!(statuses.as_array().unwrap().contains(&json!("Optimising context…")), "{statuses}");
    skein.run("document.querySelector('[role=log]').scrollTop = 0");
    let first = skein.get("article", "You").first();
    first.text_that("is what was said", |text| text.contains("My deploy port is 7443."));
    assert_eq!(first.attribute("data-covered").as_deref(), Some("true"), "and covered");

    say(&skein, "What is my deploy port?");
    skein.screenshot("asked-after-compaction");
    skein.get("article", "Assistant").last().text_that("answers", |text| text.contains("7443"));

    open_estimate(&skein).get("table", "Context breakdown").see();
    skein.screenshot("context-estimate");
    close_estimate(&skein);

    let compacted = estimate(&skein);
    skein.get("button", "Undo").last().click();
    until("the whole conversation is counted again", || estimate(&skein) > compacted);
    skein.screenshot("compaction-undone");
    let again = "Compacts again with your next message.";
    reads(&skein, again);
    skein.get("button", "Switch off auto-compaction (this session)").click();
    until("the next message compacts nothing", || !shows(&skein, again));
}

#[test]
fn us_3_fr_4_4_moving_the_threshold_in_the_settings_moves_the_trigger() {
    let skein = Skein::start();
    let trigger = || {
        let dialog = open_estimate(&skein);
        let words = dialog.text_that("says when", |words| words.contains("compacts at"));
        close_estimate(&skein);
        let after = words.split("compacts at ").nth(1).unwrap_or_default();
        let number = after.split(|letter: char| letter.is_whitespace()).next().unwrap_or_default();
        number.replace(',', "").parse::<u32>().expect("a number of tokens")
    };
    let before = trigger();
    skein.press("Control+,");
    let slider = skein.get("slider", "Compaction threshold");
    assert_eq!(slider.value(), "60");
    slider.press("ArrowRight");
    slider.press("ArrowRight");
    until("the slider has moved twice", || slider.value() == "70");
    skein.screenshot("settings-threshold");
    skein.press("Escape");
    skein.get("dialog", "Settings").gone();
    until("the trigger has moved", || trigger() > before);
    let share = f64::from(trigger()) / f64::from(before);
    assert!((share - 70.0 / 60.0).abs() < 0.001, "by a sixth, to the token: {share}");
}

#[test]
fn fr_4_2_fr_4_3_nothing_is_compacted_by_itself_where_it_is_switched_off() {
    let skein = Skein::start();
    switch_off(&open_estimate(&skein), "Auto-compaction (this session)");
    close_estimate(&skein);
    fill(&skein);
    say(&skein, "And now?");
    assert!(!skein.get("article", "Summary").is_there());
}
