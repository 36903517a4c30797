//! Measures the frames and the memory of the real app window while a reply of a thousand tokens a
//! second is streamed into a thread of ten thousand messages.
//!
//! For comparison, in the same run: the idle window, and the same reply in an empty thread. The
//! limit is a longest frame of 50 ms; on a machine without a GPU the idle window shows the
//! machine's share.
#![allow(clippy::print_stdout)]

mod harness;

use std::fmt;
use std::thread;
use std::time::Duration;

use scripted_server::{Act, Asked, Reply};
use serde_json::{Value, json};
use skein_window::{Skein, exported};

use harness::{Percentiles, event, reads};

const SECONDS: usize = 15;
const TOKENS_PER_SECOND: usize = 1_000;
/// The number of network packets per second.
const BURSTS_PER_SECOND: usize = 50;

fn main() {
    let server = harness::server(answer);
    let filler = "The weaver crosses the warp with the weft and beats it home. ".repeat(9);
    let long = exported("The long one", 10_000, |id| format!("Message {id}. {filler}"));
    let skein = harness::open(&server, &json!({}), &long);

    // By then the start has finished its background work.
    thread::sleep(Duration::from_secs(3));
    let rest = frames(&skein, || thread::sleep(Duration::from_secs(SECONDS as u64)));
    println!("{:<31} {rest}", "at rest");
    // The first few warm up; from the fifth on the memory only grows by the text.
    streamed(&skein, "into an empty thread");
    let short = streamed(&skein, "the same once more");
    let mut held = Vec::new();
    for round in 3..=10 {
        streamed(&skein, &format!("reply {round} in one thread"));
        held.push(least(&skein) / 1_048_576);
    }
    println!("{:<31} {held:?} MiB", "held after the last eight");

    harness::import(&skein, "10,000");
    skein.get("link", "The long one").click();
    reads(&skein, "Message 10000.");
    // Memory of an import of six megabytes is released some ten seconds later.
    thread::sleep(Duration::from_secs(12));
    let long = streamed(&skein, "into 10,000 messages");
    println!("10,000 messages against none: {:.2} times the longest frame", long / short);
    let summary = frames(&skein, || {
        skein.get("textbox", "Message").insert("/compact");
        skein.get("textbox", "Message").press("Enter");
        skein.get("article", "Summary").first().see();
    });
    println!("{:<31} {summary}", "a summary as fast as that");
    assert!(skein.any("article").count() < 60, "the page holds only what is near");
}

/// The lowest memory within twelve seconds, in bytes: free memory is returned with a delay.
fn least(skein: &Skein) -> u64 {
    let held = (0..24).map(|_| {
        thread::sleep(Duration::from_millis(500));
        skein.memory()
    });
    held.min().unwrap_or_default()
}

/// Sends a message and measures until the reply has ended. Returns the longest frame in
/// milliseconds.
fn streamed(skein: &Skein, name: &str) -> f64 {
    let before = skein.memory();
    let frames = frames(skein, || {
        skein.get("textbox", "Message").insert("Tell me about looms.");
        skein.get("textbox", "Message").press("Enter");
        skein.get("button", "Stop").see();
        // Queries of the driver take time in the page, so there are none while it streams.
        thread::sleep(Duration::from_secs(SECONDS as u64));
        skein.get("button", "Send").see();
    });
    let grown = skein.memory().saturating_sub(before) / 1_024;
    let text: usize = tokens().take(TOKENS_PER_SECOND * SECONDS).map(|token| token.len()).sum();
    let text = text / 1_024;
    println!("{name:<31} {frames}; memory +{grown} KiB for {text} KiB of text");
    frames.times.longest
}

/// The times between frames.
struct Frames {
    times: Percentiles,
    /// Frames above 50 ms: seconds from the beginning and milliseconds.
    above_50: Vec<(f64, f64)>,
}

impl fmt::Display for Frames {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { times: Percentiles { count, median, of_hundred, longest }, above_50 } = self;
        write!(
            f,
            "{count:>5} frames: median {median:>5.1} ms, 99 of 100 below {of_hundred:>6.1}, \
             longest {longest:>6.1}, above 50 ms: {}",
            above_50.len()
        )?;
        above_50.iter().try_for_each(|(at, took)| write!(f, " [{took:.0} at {at:.1} s]"))
    }
}

fn frames(skein: &Skein, work: impl FnOnce()) -> Frames {
    skein.run(
        "window.frames = []; window.watching = true; let last = performance.now(); \
         const see = (now) => { if (!window.watching) return; \
           window.frames.push(now - last); last = now; requestAnimationFrame(see); }; \
         requestAnimationFrame((now) => { last = now; requestAnimationFrame(see); });",
    );
    work();
    let seen = skein.run("window.watching = false; return window.frames");
    let times: Vec<f64> = seen.as_array().into_iter().flatten().filter_map(Value::as_f64).collect();
    let ends = times.iter().scan(0.0, |end, took| {
        *end += took;
        Some((*end / 1_000.0, *took))
    });
    let above_50 = ends.filter(|(_, took)| *took > 50.0).collect();
    Frames { times: Percentiles::of(times), above_50 }
}

/// Paragraphs, a list, code and a table in turn, as models write them.
fn answer(asked: &Asked) -> Reply {
    let mut reply = Reply::events("");
    if asked.body.contains("Name the conversation between") {
        return reply.then(Act::Send(event("Looms").into_bytes()));
    }
    let each = TOKENS_PER_SECOND / BURSTS_PER_SECOND;
    let mut tokens = tokens();
    for _ in 0..SECONDS * BURSTS_PER_SECOND {
        let burst: String = tokens.by_ref().take(each).map(|token| event(&token)).collect();
        let pause = Duration::from_micros(1_000_000 / BURSTS_PER_SECOND as u64);
        reply = reply.then(Act::Send(burst.into_bytes())).then(Act::Pause(pause));
    }
    reply.then(Act::Send(b"data: [DONE]\n\n".to_vec()))
}

fn tokens() -> impl Iterator<Item = String> {
    let prose = "The weft crosses the warp, row after row, and is beaten **home**. ".repeat(8);
    let page = format!(
        "## A loom\n\n{prose}\n\n- warp: `{{0}}` threads\n- weft: wool\n- reed: *fine*\n\n\
         ```rust\nfn weave(rows: u32) -> u32 {{\n    rows * 2\n}}\n```\n\n\
         | part | use |\n| --- | --- |\n| reed | beats |\n| heddle | lifts |\n\n{prose}\n\n"
    );
    let tokens: Vec<String> = page.split_inclusive(' ').map(str::to_owned).collect();
    tokens.into_iter().cycle()
}
