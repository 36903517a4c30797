//! Costs as a user sees them: under a reply, in the estimate, in Settings → Usage, and nowhere once they are
//! switched off.

use serde_json::json;
use skein_window::{Skein, until};

use crate::actions::{CHINESE, say, say_in};
use crate::scripted::{Play, model, priced_settings};

/// 4,321 tokens of prompt at 2.50 and 12 of completion at 10 dollars per million: 0.0109225 dollars.
const COST: &str = "0.0109";

fn open(language: &str, theme: &str) -> (Skein, scripted_server::Server) {
    let server = model(|_, _| Play::Say("Noted."));
    let skein = priced_settings(&server, language, theme, &json!({})).start();
    (skein, server)
}

fn page(skein: &Skein) -> String {
    skein.run("return document.body.innerText").as_str().unwrap_or_default().to_owned()
}

#[test]
fn a_reply_the_next_message_and_the_usage_have_a_cost_until_costs_are_switched_off() {
    let (skein, _server) = open("english", "light");
    say(&skein, "The loom is oak.");
    until("the cost stands under the reply", || page(&skein).contains(COST));
    skein.screenshot("cost-of-a-reply");

    skein.get("button", "Context estimate").click();
    let dialog = skein.get("dialog", "Context estimate");
    dialog.text_that("says what the next message costs", |text| {
        text.contains("Next message") && text.contains('$')
    });
    skein.screenshot("cost-of-the-next-message");
    skein.press("Escape");

    skein.get("button", "Settings").click();
    skein.get("tab", "Usage").click();
    until("the sums are there", || page(&skein).contains("8,642") && page(&skein).contains('$'));
    skein.screenshot("usage");
    skein.get("switch", "Show costs").click();
    skein.press("Escape");
    until("no money is in the window", || !page(&skein).contains('$'));
}

#[test]
fn costs_in_chinese_and_in_the_dark() {
    let (skein, _server) = open("chinese", "dark");
    say_in(&skein, &CHINESE, "织机是橡木的。");
    until("the cost stands under the reply", || page(&skein).contains(COST));
    skein.screenshot("cost-of-a-reply-chinese-dark");
    skein.get("button", "设置").click();
    skein.get("tab", "用量").click();
    until("the sums are there", || page(&skein).contains('$'));
    skein.screenshot("usage-chinese-dark");
}
