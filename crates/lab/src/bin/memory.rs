//! `cargo xtask memory [--small] [--to folder]`: measures how much compaction keeps, in the
//! measurement's own words, in those of two other generators and in those of one that was written
//! blind, prints the tables, and writes `memory.svg` and `memory.json`.

#[path = "../../tests/memory/fresh.rs"]
mod fresh;
#[path = "../../tests/memory/other.rs"]
mod other;
#[path = "../../tests/memory/unseen.rs"]
mod unseen;

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Mutex;
use std::{env, fs, io, thread};

use skein_context::tokens::TokenCounter;
use skein_lab::memory::baselines::Baseline;
use skein_lab::memory::conversation::{Flavour, Generator, OWN};
use skein_lab::memory::measure::{CHECKPOINTS, Measured, Setting, measure};
use skein_lab::memory::report::{Report, judged};
use skein_lab::memory::svg;

/// Conversations measured at the same time.
const AT_ONCE: usize = 2;
const SEED: u64 = 20_260_311;

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let small = arguments.iter().any(|argument| argument == "--small");
    let to = arguments.iter().skip_while(|argument| *argument != "--to").nth(1);
    match run(small, &to.map_or_else(|| PathBuf::from("target/memory"), PathBuf::from)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn run(small: bool, to: &PathBuf) -> io::Result<()> {
    let sizes: &[u32] = if small { &[8_000, 32_000] } else { &[8_000, 32_000, 128_000, 300_000] };
    let settings: Vec<Setting> = sizes
        .iter()
        .flat_map(|tokens| Flavour::ALL.map(|flavour| Setting::new(flavour, *tokens, SEED)))
        .collect();
    let own = Report::of(all(OWN, &settings, &Baseline::ALL)?);
    let other = Report::of(all(other::OTHER, &settings, &[])?);
    let fresh = Report::of(all(fresh::FRESH, &settings, &[])?);
    // What the demo model misses with everything in its window it misses by reading, not by compaction.
    let unseen = Report::of(all(unseen::UNSEEN, &settings, &[Baseline::Nothing])?);
    let sets = [
        ("own words", &own),
        ("other words", &other),
        ("fresh words", &fresh),
        ("unseen words", &unseen),
    ];
    for (name, report) in sets {
        println!("in {name}\n\n{}", report.table());
    }
    println!("{}", judged(&sets));
    fs::create_dir_all(to)?;
    let data = serde_json::json!({
        "ownWords": own,
        "otherWords": other,
        "freshWords": fresh,
        "unseenWords": unseen,
    });
    fs::write(to.join("memory.svg"), svg::draw(&own, &unseen))?;
    fs::write(to.join("memory.json"), serde_json::to_string_pretty(&data)?)?;
    println!("written: {0}/memory.svg, {0}/memory.json", to.display());
    Ok(())
}

/// Measures all, a few at a time, in their order.
fn all(
    generator: Generator,
    settings: &[Setting],
    baselines: &[Baseline],
) -> io::Result<Vec<Measured>> {
    let counter = TokenCounter::for_model("gpt-4o");
    let count = settings.len();
    let waiting = Mutex::new(settings.iter().copied().enumerate().rev().collect::<Vec<_>>());
    let done: Mutex<Vec<(usize, io::Result<Measured>)>> = Mutex::new(Vec::with_capacity(count));
    thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| {
                while let Some((index, setting)) = waiting.lock().ok().and_then(|mut w| w.pop()) {
                    let measured = measure(generator, setting, &counter, &CHECKPOINTS, baselines);
                    eprintln!("{} {} measured", setting.tokens, setting.flavour.name());
                    if let Ok(mut done) = done.lock() {
                        done.push((index, measured));
                    }
                }
            });
        }
    });
    let mut done = done.into_inner().unwrap_or_default();
    done.sort_by_key(|(index, _)| *index);
    done.into_iter().map(|(_, measured)| measured).collect()
}
