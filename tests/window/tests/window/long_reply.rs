//! A reply of many screens: parts far from the view are not in the page, without any effect on
//! scrolling, selecting or resizing.

use std::sync::LazyLock;

use serde_json::{Value, json};
use skein_window::{Skein, exported, until};

use crate::actions::{reads, send};
use crate::scripted::{Play, model, requests, settings};

const PARTS: usize = 80;

static REPLY: LazyLock<String> = LazyLock::new(|| {
    let part = |n| {
        format!(
            "## Part {n}\n\nRow **{n}** crosses the warp, and is beaten *home*. `weft {n}`\n\n\
             - wool\n- linen\n\n```rust\nfn weave_{n}() {{}}\n```\n\n| reed | {n} |\n| --- | --- |\n\
             | beats | the weft |\n\n$x_{{{n}}}^2$ ends part {n}.\n\n"
        )
    };
    (1..=PARTS).map(part).collect()
});

/// Scrolls through the whole conversation in steps, and returns the visible text at each.
const THROUGH: &str = "
    const scroller = document.querySelector('[role=log]');
    const parts = new Set();
    let blank = 0, most = 0, apart = 0;
    scroller.scrollTop = 0;
    for (let at = 0; ; at += 500) {
        scroller.scrollTop = at;
        await new Promise((done) => setTimeout(done, 60));
        const view = scroller.getBoundingClientRect();
        const words = [...scroller.querySelectorAll('.Markdown-group')].filter((group) => {
            const { top, bottom } = group.getBoundingClientRect();
            return bottom > view.top && top < view.bottom;
        });
        blank += words.filter((group) => group.childElementCount === 0).length;
        for (const [, n] of words.map((group) => group.innerText).join().matchAll(/ends part (\\d+)\\./g))
            parts.add(n);
        for (const box of scroller.querySelectorAll('.Code')) {
            const { top, bottom } = box.getBoundingClientRect();
            if (top < view.top || bottom > view.bottom) continue;
            const head = box.querySelector('.Code-head').getBoundingClientRect();
            apart = Math.max(apart, Math.abs(head.top - top));
        }
        most = Math.max(most, scroller.querySelectorAll('*').length);
        if (scroller.scrollTop + scroller.clientHeight >= scroller.scrollHeight - 1) break;
    }
    return { parts: parts.size, blank, most, apart };";

#[test]
fn a_long_reply_is_whole_though_only_what_is_near_is_in_the_page() {
    let server = model(|_, _| Play::Say(REPLY.as_str()));
    let skein = settings(&server, &json!({})).start();
    send(&skein, "Tell me all of it.");
    skein.get("button", "Copy").last().see();

    let elements = || number(&skein, "document.querySelectorAll('article *').length");
    let height = || number(&skein, "document.querySelector('[role=log]').scrollHeight");
    until("what is far from the view has left the page", || elements() < 2_000);
    let whole = height();
    assert!(whole > 15_000, "it is many screens long: {whole} px");

    for width in [1_000, 560] {
        skein.resize(width, 700);
        // Once through, so that every part is measured in this width.
        skein.run_async(THROUGH, &json!([]));
        let before = height();
        let seen = skein.run_async(THROUGH, &json!([]));
        assert_eq!(seen["parts"], PARTS, "every part comes into view: {seen}");
        assert_eq!(seen["blank"], 0, "nothing in view is blank: {seen}");
        let apart = seen["apart"].as_f64().expect("a number of px");
        assert!(apart <= 2.0, "the head of code that is wholly in view covers none of it: {seen}");
        assert!(seen["most"].as_u64() < Some(2_000), "the page holds what is near: {seen}");
        assert_eq!(height(), before, "what leaves the page leaves its height");
    }
    skein.screenshot("long-reply");

    let select = "getSelection().selectAllChildren(document.querySelector('.Markdown'))";
    skein.run(select);
    let selected = || skein.run("return getSelection().toString()");
    let holds = |words: &Value, part: usize| {
        words.as_str().is_some_and(|words| words.contains(&format!("ends part {part}.")))
    };
    until("the selection holds the reply from its beginning to its end", || {
        let words = selected();
        (1..=PARTS).all(|part| holds(&words, part))
    });
    skein.run("getSelection().removeAllRanges()");
    until("what was selected leaves the page again", || elements() < 2_000);
}

/// A list and a table of three thousand rows each.
static ROWS: LazyLock<String> = LazyLock::new(|| {
    let items = (1..=3_000).map(|n| format!("{n}. Row {n} crosses the warp.\n"));
    let rows = (1..=3_000).map(|n| format!("| {n} | weft {n} |\n"));
    let table = std::iter::once("\n| reed | beats |\n| --- | --- |\n".to_owned()).chain(rows);
    items.chain(table).collect()
});

#[test]
fn of_a_long_list_and_a_long_table_only_what_is_near_is_in_the_page() {
    const AT: &str = "
        const [share] = arguments;
        const log = document.querySelector('[role=log]');
        const view = log.getBoundingClientRect();
        log.scrollTop = share * (log.scrollHeight - log.clientHeight);
        const seen = [...log.querySelectorAll('li, tr:has(td)')].filter((row) => {
            const { top, bottom } = row.getBoundingClientRect();
            return bottom > view.top && top < view.bottom;
        });
        const [row] = seen;
        if (!row) return null;
        const number = row.matches('li')
            ? row.parentElement.start + [...row.parentElement.children].indexOf(row)
            : Number(row.cells[0].innerText);
        return [number, row.innerText];";
    let server = model(|_, _| Play::Say(ROWS.as_str()));
    let skein = settings(&server, &json!({})).start();
    send(&skein, "Tell me every row.");
    skein.get("button", "Copy").last().see();
    until("what is far from the view has left the page", || {
        number(&skein, "document.querySelectorAll('article *').length") < 5_000
    });
    for share in [0.1, 0.4, 0.6, 0.9] {
        let mut seen = Value::Null;
        until(&format!("rows are in view at {share}"), || {
            seen = skein.run_async(AT, &json!([share]));
            !seen.is_null()
        });
        let row = seen[0].as_u64().expect("the number of a row");
        let text = seen[1].as_str().expect("the text of a row");
        assert!(text.split_whitespace().any(|word| word == row.to_string()), "{seen}");
        skein.screenshot(&format!("long-rows-{}", share * 10.0));
    }
}

/// A search leads to the word in one of eighty parts, not to the middle of the reply.
#[test]
fn finding_leads_to_the_word_in_a_long_reply_and_marks_it() {
    const LED: &str = "
        const [range] = CSS.highlights.get('current-match') ?? [];
        if (!range) return null;
        const view = document.querySelector('[role=log]').getBoundingClientRect();
        const { top, bottom } = range.getBoundingClientRect();
        return top >= view.top && bottom <= view.bottom ? range.toString() : null;";
    let server = model(|_, _| Play::Say(REPLY.as_str()));
    let skein = settings(&server, &json!({})).start();
    send(&skein, "Tell me all of it.");
    skein.get("button", "Copy").last().see();
    skein.press("Control+f");
    let find = skein.get("searchbox", "Find in this thread");
    for part in [3, 61] {
        let words = format!("ends part {part}.");
        find.fill(&words);
        until(&format!("{words:?} is in view and marked"), || skein.run(LED) == words.as_str());
    }
    skein.screenshot("long-reply-found");
    skein.press("Escape");
    let search = skein.get("searchbox", "Search");
    search.type_text("\"ends part 7.\"");
    skein.get_like("button", "ends part 7.").first().click();
    until("a hit of the sidebar leads to its words as well", || skein.run(LED) == "ends part 7.");
}

/// A thread of several pages, of which the last is not loaded yet.
#[test]
fn a_reply_in_a_thread_of_several_pages_is_followed_to_its_end() {
    const AT_END: &str = "const log = document.querySelector('[role=log]'); \
         return log.scrollTop + log.clientHeight >= log.scrollHeight - 1";
    let server = model(|_, _| Play::Say(REPLY.as_str()));
    let file = exported("The long one", 200, |id| format!("Message {id}. The weft."));
    let skein = settings(&server, &json!({})).file("long.json", file.to_string()).start();
    skein.get("button", "Settings").click();
    skein.get("tab", "Data").click();
    skein.get("button", "Import…").click();
    skein.answer_file_dialog(&skein.folder().join("long.json"));
    reads(&skein, "Imported 1 session with 200 messages from");
    skein.press("Escape");
    skein.get("link", "The long one").click();
    reads(&skein, "Message 200.");
    skein.get("log", "Conversation").click();
    until("an older page is read", || {
        skein.press("PageUp");
        skein.run("return document.body.innerText.includes('Message 120.')") == true
    });
    skein.get("button", "To the end").click();
    reads(&skein, "Message 200.");

    for (before, words) in ["Tell me all of it.", "Once more."].into_iter().enumerate() {
        send(&skein, words);
        until("the model is asked", || requests(&server).len() > before);
        skein.get("button", "Send").see();
        reads(&skein, &format!("ends part {PARTS}."));
        until(&format!("the end of the reply to {words:?} is in view"), || {
            skein.run(AT_END) == true
        });
    }
    skein.screenshot("long-thread-followed");
}

fn number(skein: &Skein, expression: &str) -> u64 {
    skein.run(&format!("return {expression}")).as_u64().unwrap_or_default()
}
