//! Measures a start without skills, and with a folder of 300 of them.
//!
//! Prints the medians and their ratio; fails if skills delay the first display. Skills are read when the
//! first context is counted, and after that only if they have changed.
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout)]

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use skein_app::app::App;
use skein_domain::draft::Draft;
use skein_platform::paths::AppPaths;

const RUNS: usize = 15;

/// The times of the steps of one start.
struct Start {
    /// Until the window can show its sidebar and an empty conversation.
    shown: Duration,
    /// Until the first estimate stands beside the box.
    counted: Duration,
    /// The next estimate.
    again: Duration,
}

#[tokio::main]
async fn main() {
    skein_context::tokens::preload();
    let (mut without, mut with) = (Vec::new(), Vec::new());
    // In turns, so that what else the machine does weighs on both; the first pair warms it up.
    for run in 0..=RUNS {
        let (bare, full) = (start_with(0).await, start_with(300).await);
        if run > 0 {
            without.push(bare);
            with.push(full);
        }
    }
    for (what, of) in [
        ("shown", (|start: &Start| start.shown) as fn(&Start) -> Duration),
        ("first estimate", |start| start.counted),
        ("next estimate", |start| start.again),
    ] {
        let (bare, full) = (median(&without, of), median(&with, of));
        let ratio = full.as_secs_f64() / bare.as_secs_f64();
        println!("{what}: {bare:?} without skills, {full:?} with 300 of them, ratio {ratio:.2}");
    }
    let of = |start: &Start| start.shown;
    let (bare, full) = (median(&without, of), median(&with, of));
    assert!(full < bare * 3 / 2, "300 skills delay the start");
}

async fn start_with(skills: usize) -> Start {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("settings.json"), r#"{"catalogueRefresh": false}"#).unwrap();
    (0..skills).for_each(|number| write_skill(folder.path(), number));
    start(folder.path()).await
}

async fn start(folder: &Path) -> Start {
    let begun = Instant::now();
    let app = App::open(AppPaths::in_folder(folder)).unwrap();
    let session = app.sessions.create().await.unwrap();
    app.sessions.list().await.unwrap();
    app.sessions.get(session).await.unwrap();
    let shown = begun.elapsed();
    let estimate = async || {
        let begun = Instant::now();
        app.context.estimate(session, Draft::default()).await.unwrap();
        begun.elapsed()
    };
    Start { shown, counted: estimate().await, again: estimate().await }
}

fn write_skill(folder: &Path, number: usize) {
    let name = format!("skill-{number}");
    let skill = folder.join("skills").join(&name);
    fs::create_dir_all(&skill).unwrap();
    let body = "Take the file, look at every page, and write down what is on it. ".repeat(60);
    let text = format!(
        "---\nname: {name}\ndescription: Turns one kind of file into another.\n---\n{body}\n"
    );
    fs::write(skill.join("SKILL.md"), text).unwrap();
}

fn median(starts: &[Start], of: impl Fn(&Start) -> Duration) -> Duration {
    let mut times: Vec<_> = starts.iter().map(of).collect();
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or_default()
}
