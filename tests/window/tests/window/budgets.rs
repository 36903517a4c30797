//! Budgets as a user meets them: the warning, the question, the yes, and their page in the settings.

use serde_json::json;
use skein_window::{Skein, until};

use crate::actions::{CHINESE, ENGLISH, Names, reads, say_in, send, send_in};
use crate::scripted::{Play, model, priced_settings, requests};

/// Each reply costs 0.0109225 dollars: the first passes the share that warns, the second the limit.
fn open(language: &str, theme: &str) -> (Skein, scripted_server::Server) {
    let limit = json!({ "type": "money", "amount": "0.013", "currency": "USD",
                        "unpricedTokens": 1_000_000 });
    let server = model(|_, _| Play::Say("Noted."));
    let more = json!({
        "budgets": [{ "scope": "session", "limit": limit, "warnAt": 80 }],
        "nameSessions": false,
    });
    let skein = priced_settings(&server, language, theme, &more).start();
    (skein, server)
}

/// Sends until the budget asks.
fn use_up(skein: &Skein, names: &Names, warning: &str, question: &str) {
    say_in(skein, names, "The loom is oak.");
    reads(skein, warning);
    skein.screenshot(&format!("budget-warning-{}", names.send));
    say_in(skein, names, "The shuttle is ash.");
    send_in(skein, names, "The reed is steel.");
    skein.get("group", question).see();
    skein.screenshot(&format!("budget-question-{}", names.send));
}

#[test]
fn c04_a_budget_warns_asks_and_goes_on_after_a_yes() {
    let (skein, server) = open("english", "light");
    use_up(&skein, &ENGLISH, "$0.0109 of $0.013", "A budget is used up");
    assert_eq!(requests(&server).len(), 2, "nothing left after the stop");
    reads(&skein, "Nothing was sent. Go on?");
    let another = skein.get("button", "Allow another $0.013");
    until("it takes an answer", || another.attribute("aria-disabled").as_deref() == Some("false"));
    another.click();
    until("it is answered", || requests(&server).len() == 3);
    skein.get("group", "A budget is used up").gone();

    skein.get("button", "Settings").click();
    skein.get("tab", "Usage").click();
    reads(&skein, "$0.0328 of $0.0348");
    skein.screenshot("budget-settings");
    skein.get("switch", "Show costs").click();
    reads(&skein, "The budget still holds.");
    skein.press("Escape");
    until("no money is in the window", || {
        let page = skein.run("return document.body.innerText");
        !page.as_str().unwrap_or_default().contains('$')
    });
    for _ in 0..2 {
        send(&skein, "The weft is linen.");
        until("it left or was stopped", || {
            requests(&server).len() == 4 || skein.get("group", "A budget is used up").is_there()
        });
    }
    skein.get("group", "A budget is used up").see();
    skein.screenshot("budget-question-without-costs");
}

#[test]
fn c04_budgets_in_chinese_and_in_the_dark() {
    let (skein, server) = open("chinese", "dark");
    use_up(&skein, &CHINESE, "上限 US$0.013", "预算已用完");
    assert_eq!(requests(&server).len(), 2, "nothing left after the stop");
    skein.get("button", "修改预算").click();
    reads(&skein, "费用未知时的 tokens 上限");
    skein.screenshot("budget-settings-chinese-dark");
}
