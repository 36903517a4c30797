//! The costs that the screen announces, against a server that counts tokens by a tokeniser of its own: its
//! ranges hold what the ledger has afterwards.

use rusqlite::Connection;
use scripted_server::Server;
use serde_json::json;
use skein_window::{Skein, until};

use crate::actions::{
    CHINESE, ENGLISH, Names, close_estimate, open_estimate, open_over, reads, say, say_in, send,
    unfold, woven,
};
use crate::scripted::{Play, metered_model, priced_settings};

const SUMMARY: &str = "## State now\nThe loom is oak, the reed is steel and the shuttle is ash.";

fn weaver() -> Server {
    metered_model(|words, _| match words {
        words if words.contains("Whoever goes on with that conversation") => Play::Say(SUMMARY),
        _ => Play::Say("Noted."),
    })
}

fn open(language: &str, theme: &str) -> (Skein, Server) {
    let server = weaver();
    let more = json!({ "nameSessions": false });
    let skein = priced_settings(&server, language, theme, &more).start();
    (skein, server)
}

/// The database beside the running program.
fn database(skein: &Skein) -> Connection {
    Connection::open(skein.folder().join("skein.db")).unwrap()
}

/// The latest cost in the ledger, in dollars.
fn booked(skein: &Skein, purpose: &str) -> f64 {
    let sql = "SELECT amount FROM ledger WHERE purpose = ?1 ORDER BY id DESC LIMIT 1";
    let amount: i64 = database(skein).query_row(sql, [purpose], |row| row.get(0)).unwrap();
    amount as f64 / 1e12
}

fn calls(skein: &Skein, purpose: &str) -> i64 {
    let sql = "SELECT count(*) FROM ledger WHERE purpose = ?1";
    database(skein).query_row(sql, [purpose], |row| row.get(0)).unwrap()
}

/// The first two amounts of dollars behind some words.
fn range_behind(text: &str, words: &str) -> (f64, f64) {
    let text = text.split(words).nth(1).unwrap_or_else(|| panic!("no {words:?} in {text:?}"));
    let is_digit = |letter: char| letter.is_ascii_digit() || letter == '.';
    let amounts = text.split('$').skip(1).filter_map(|amount| {
        let digits = amount.split(|letter| !is_digit(letter)).next()?;
        digits.trim_end_matches('.').parse().ok()
    });
    let amounts: Vec<f64> = amounts.take(2).collect();
    assert_eq!(amounts.len(), 2, "two amounts in {text:?}");
    (amounts[0], amounts[1])
}

/// Asserts that an amount lies in a range whose ends are rounded to what is shown.
fn lies_within(amount: f64, (least, most): (f64, f64)) {
    let rounding = 0.00051;
    assert!(
        (least - rounding..=most + rounding).contains(&amount),
        "{amount} is not between {least} and {most}"
    );
}

#[test]
fn c03_the_next_message_and_a_compaction_cost_what_the_screen_said_before() {
    let (skein, _server) = open("english", "light");
    for fact in ["The loom is oak.", "The shuttle is ash.", "The weft is linen."] {
        say(&skein, &woven(fact, 300));
    }
    for words in ["The reed is steel.", "The warp has forty threads.", "The beam is pine."] {
        let dialog = open_estimate(&skein);
        let text = dialog.text_that("says a range", |text| {
            text.contains("Next message") && text.contains(" to $")
        });
        let said = range_behind(&text, "Next message");
        skein.screenshot("cost-next-message-range");
        close_estimate(&skein);
        say(&skein, words);
        lies_within(booked(&skein, "reply"), said);
    }

    let dialog = open_estimate(&skein);
    unfold(&dialog, "Compactions");
    dialog.get("button", "Compact context").click();
    let preview = dialog.get("group", "Compact context");
    let text = preview.text_that("says the cost", |text| text.contains("Cost of the compaction"));
    let said = range_behind(&text, "Cost of the compaction");
    skein.screenshot("cost-of-a-compaction");
    preview.get("button", "Compact now").click();
    close_estimate(&skein);
    until("the summary is booked", || calls(&skein, "summary") > 0);
    skein.get("article", "Summary").see();
    lies_within(booked(&skein, "summary"), said);

    let before = booked(&skein, "reply");
    for words in ["One.", "Two."] {
        say(&skein, words);
    }
    assert!(booked(&skein, "reply") < before, "messages cost less after the compaction");
}

#[test]
fn c06_a_changed_tool_list_shows_the_miss_and_names_the_tool() {
    let (skein, _server) = open("english", "light");
    say(&skein, &woven("The loom is oak.", 200));
    say(&skein, "The reed is steel.");
    reads(&skein, "cached");
    skein.get("button", "Settings").click();
    skein.get("tab", "Tools and MCP").click();
    skein.get("switch", "fetch_page").click();
    until("it is off", || !skein.get("switch", "fetch_page").is_on());
    skein.press("Escape");
    say(&skein, "The shuttle is ash.");
    reads(&skein, "cache not used");
    skein.screenshot("cache-miss-under-a-reply");
    let dialog = open_over(&skein, "Context estimate");
    dialog.text_that("names the cause", |text| {
        text.contains("the tool list changed since the last message, first at “fetch_page”")
    });
    skein.screenshot("cache-miss-in-the-estimate");
}

#[test]
fn c06_the_miss_in_chinese_and_in_the_dark() {
    let (skein, _server) = open("chinese", "dark");
    say_in(&skein, &CHINESE, &woven("织机是橡木的。", 200));
    say_in(&skein, &CHINESE, "筘是钢的。");
    skein.get("button", "设置").click();
    skein.get("tab", "工具与 MCP").click();
    skein.get("switch", "fetch_page").click();
    until("it is off", || !skein.get("switch", "fetch_page").is_on());
    skein.press("Escape");
    say_in(&skein, &CHINESE, "梭是白蜡木的。");
    reads(&skein, "未使用缓存");
    let dialog = open_over(&skein, "上下文预估");
    dialog.text_that("names the cause", |text| text.contains("首先是“fetch_page”"));
    skein.screenshot("cache-miss-chinese-dark");
}

/// A conversation of more than 32,000 tokens whose last reply is a day and an hour old.
fn return_a_day_later(skein: &mut Skein, names: &Names) {
    for fact in ["The loom is oak.", "The shuttle is ash.", "The weft is linen."] {
        say_in(skein, names, &woven(fact, 800));
    }
    skein.quit();
    let earlier = "UPDATE generations SET started_at = started_at - 25 * 3600 * 1000";
    database(skein).execute_batch(earlier).unwrap();
    skein.reopen();
}

#[test]
fn c08_a_session_whose_cache_has_expired_offers_to_compact_first_with_two_prices() {
    let (mut skein, _server) = open("english", "light");
    return_a_day_later(&mut skein, &ENGLISH);
    reads(&skein, "has likely left the provider’s cache");
    let page = skein.run("return document.body.innerText");
    let page = page.as_str().unwrap_or_default();
    let now = range_behind(page, "The next message costs");
    let first = range_behind(page, "compacting first and then sending it");
    skein.screenshot("cache-expired");
    skein.get("button", "Compact first").click();
    until("the summary is booked", || calls(&skein, "summary") > 0);
    let summary = booked(&skein, "summary");
    assert!(first.1 > summary, "{first:?} holds the compaction's {summary}");
    assert!(now.0 > 0.05, "{now:?} is the whole prompt at the input's price");
    skein.get("button", "Compact first").gone();
    send(&skein, "The reed is steel.");
}

#[test]
fn c08_the_expired_cache_in_chinese_and_in_the_dark() {
    let (mut skein, _server) = open("chinese", "dark");
    return_a_day_later(&mut skein, &CHINESE);
    reads(&skein, "此对话可能已不在服务商缓存中");
    skein.get("button", "先压缩").see();
    skein.screenshot("cache-expired-chinese-dark");
}
