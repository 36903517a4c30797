//! Skein beside a Tauri window with nothing but a text box, in one run: the time from the start of the
//! process to the first text and to the box that takes keys, and the memory of program and page, at rest and
//! after an hour's use. The promise: ready within 1.25 times, memory at rest within 1.3 times.
#![allow(clippy::print_stdout)]

// The other benchmarks use the rest.
#[allow(dead_code)]
mod harness;

use std::thread;
use std::time::Duration;

use scripted_server::{Act, Asked, Reply};
use serde_json::json;
use skein_window::{ProportionalMemory, Setup, Skein, until};

/// The empty window, by its path in the folder that Skein was built in.
const EMPTY: &str = "examples/empty_window";

/// Starts of each, in turns. The first start of all, which creates the data folder, is not counted.
const STARTS: usize = 5;

/// Memory is read so long after the start or the last use.
const REST: Duration = Duration::from_secs(12);

/// Rounds of a message and a reply: 300 messages in six sessions.
const SESSIONS: usize = 6;
const ROUNDS: usize = 25;

fn main() {
    let server = harness::server(answer);
    let mut empty = drawn_alike(Setup::new().program(EMPTY)).start();
    let mut skein = drawn_alike(harness::setup(&server, &json!({}))).start();
    let (mut of_empty, mut of_skein) = (Vec::new(), Vec::new());
    for window in [&mut empty, &mut skein] {
        window.get("textbox", "Message").see();
        window.quit();
    }
    for _ in 0..STARTS {
        of_empty.push(measure_start(&mut empty));
        of_skein.push(measure_start(&mut skein));
    }
    println!("{:<28} {:>9} {:>9} {:>6}", "medians", "empty", "Skein", "ratio");
    for (name, figure) in TIMES.iter().chain(&MEMORY) {
        print_row(name, median(&of_empty, *figure), median(&of_skein, *figure));
    }

    skein.reopen();
    (0..SESSIONS).for_each(|session| use_session(&skein, session));
    thread::sleep(REST);
    let used = Start { memory: skein.proportional_memory(), ..Start::default() };
    println!("after {} messages, against the empty window at rest", 2 * SESSIONS * ROUNDS);
    for (name, figure) in &MEMORY {
        print_row(name, median(&of_empty, *figure), figure(&used));
    }
}

/// A row of the table.
type Row = (&'static str, fn(&Start) -> f64);

const TIMES: [Row; 3] = [
    ("page begins, ms", |start| start.page),
    ("first text, ms", |start| start.first_text),
    ("ready, ms", |start| start.ready),
];

const MEMORY: [Row; 3] = [
    ("program, MiB", |start| mebibytes(start.memory.program)),
    ("page, MiB", |start| mebibytes(start.memory.page)),
    ("program and page, MiB", |start| mebibytes(start.memory.program + start.memory.page)),
];

/// Skein sets this by itself where there is no GPU: `src-tauri/src/startup/linux_env.rs`.
fn drawn_alike(setup: Setup) -> Setup {
    setup.variable("WEBKIT_DISABLE_DMABUF_RENDERER", "1")
}

/// One start: the times are milliseconds from the start of the process.
#[derive(Default)]
struct Start {
    /// The webview begins to load the page.
    page: f64,
    first_text: f64,
    ready: f64,
    memory: ProportionalMemory,
}

/// Opens the window and closes it again.
fn measure_start(window: &mut Skein) -> Start {
    window.reopen();
    let [first_text, ready] = ["first-contentful-paint", "composer-ready"].map(|name| {
        let script = format!(
            "const [entry] = performance.getEntriesByName('{name}'); \
             return entry === undefined ? null : performance.timeOrigin + entry.startTime;"
        );
        until(&format!("the page reports {name}"), || window.run(&script).is_number());
        window.time_from_start(window.run(&script).as_f64().unwrap_or_default())
    });
    let began = window.run("return performance.timeOrigin").as_f64().unwrap_or_default();
    let page = window.time_from_start(began);
    thread::sleep(REST);
    let memory = window.proportional_memory();
    window.quit();
    Start { page, first_text, ready, memory }
}

/// A session's part of an hour of use: messages, searches, the dialogs, a compaction, other sessions.
fn use_session(skein: &Skein, session: usize) {
    if session > 0 {
        skein.get("button", "New session").click();
        skein.any("article").gone();
    }
    for round in session * ROUNDS..(session + 1) * ROUNDS {
        skein.get("textbox", "Message").insert(&format!("{} What is its pattern?", row(round)));
        skein.get("textbox", "Message").press("Enter");
        harness::reads(skein, &reply_end(round));
        skein.get("button", "Send").see();
    }
    look_around(skein);
    skein.get("textbox", "Message").insert("/compact");
    skein.get("textbox", "Message").press("Enter");
    skein.get("article", "Summary").first().see();
    if session > 0 {
        skein.get("navigation", "Sessions").any("link").last().click();
        harness::reads(skein, &reply_end(ROUNDS - 1));
    }
}

/// Opens and closes what reads the conversation without changing it.
fn look_around(skein: &Skein) {
    let palette = skein.get("combobox", "Search and commands");
    for round in (0..ROUNDS).step_by(5) {
        skein.press("Control+k");
        palette.see();
        palette.type_text(&format!("row {round}"));
        skein.any("option").first().see();
        skein.press("Escape");
        palette.gone();
    }
    for (button, part) in [("Settings", "tab"), ("Context estimate", "table")] {
        skein.get("button", button).click();
        skein.any(part).first().see();
        skein.press("Escape");
        skein.get("dialog", button).gone();
    }
}

/// The begin of a message, by which its reply and its session are found.
fn row(round: usize) -> String {
    format!("Row {round} of the loom.")
}

fn reply_end(round: usize) -> String {
    format!("That is row {round}.")
}

/// A page of text, a list, code and a table, as models write them, in pieces.
fn answer(asked: &Asked) -> Reply {
    let asked_for =
        asked.body.rsplit("Row ").find_map(|rest| rest.split_once(" of the loom.")?.0.parse().ok());
    let prose = "The weft crosses the warp, row after row, and is beaten **home**. ".repeat(8);
    let text = format!(
        "## A loom\n\n{prose}\n\n- warp: `{{0}}` threads\n- weft: wool\n- reed: *fine*\n\n\
         ```rust\nfn weave(rows: u32) -> u32 {{\n    rows * 2\n}}\n```\n\n\
         | part | use |\n| --- | --- |\n| reed | beats |\n| heddle | lifts |\n\n{prose}\n\n{}",
        reply_end(asked_for.unwrap_or_default())
    );
    let words: Vec<&str> = text.split_inclusive(' ').collect();
    let reply = words.chunks(20).fold(Reply::events(""), |reply, words| {
        let event = harness::event(&words.concat());
        reply.then(Act::Send(event.into_bytes())).then(Act::Pause(Duration::from_millis(20)))
    });
    reply.then(Act::Send(b"data: [DONE]\n\n".to_vec()))
}

fn median(starts: &[Start], figure: fn(&Start) -> f64) -> f64 {
    let mut values: Vec<f64> = starts.iter().map(figure).collect();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn print_row(name: &str, empty: f64, skein: f64) {
    println!("{name:<28} {empty:>9.0} {skein:>9.0} {:>6.2}", skein / empty);
}

fn mebibytes(bytes: u64) -> f64 {
    bytes as f64 / f64::from(1 << 20)
}
