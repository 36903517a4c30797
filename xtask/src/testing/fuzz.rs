//! Runs the fuzz targets of `fuzz/`.
//!
//! The coverage that guides the fuzzer comes from LLVM and needs no nightly compiler. The targets are
//! built with the crate versions of the workspace, in a build folder of their own.

use std::fs;
use std::path::PathBuf;

use crate::{TaskResult, paths, shell};

/// The flags of cargo-fuzz, but for the sanitizer: the code is safe Rust.
const FLAGS: &str = "--cfg fuzzing -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
    -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
    -Cllvm-args=-sanitizer-coverage-trace-compares";

/// Folders of other tests whose files a target begins with, beside those in `fuzz/seeds`.
const SEEDS: [(&str, &str); 4] = [
    ("stream_decoders", "crates/providers/tests/streams"),
    ("overflow", "crates/providers/tests/streams"),
    ("documents", "crates/documents/tests/documents"),
    ("imports", "crates/app/tests/old_data/7af9e2e/archive"),
];

/// The memory limit of a target, in MiB.
const MAX_MEMORY: u32 = 4_096;

const DEFAULT_MINUTES: u32 = 5;

/// Runs one target, or each, for some minutes: `[target] [minutes]`.
pub fn fuzz(arguments: &[String]) -> TaskResult {
    let all = targets()?;
    let (chosen, minutes) = match arguments {
        [target, rest @ ..] if all.contains(target) => (vec![target.clone()], rest),
        rest => (all.clone(), rest),
    };
    let minutes = match minutes {
        [] => Some(DEFAULT_MINUTES),
        [minutes] => minutes.parse().ok(),
        _ => None,
    };
    let minutes = minutes
        .ok_or_else(|| format!("cargo xtask fuzz [target] [minutes]\n\n  {}", all.join("\n  ")))?;
    let failed = chosen.iter().filter_map(|target| run(target, minutes).err());
    let failed: Vec<String> = failed.collect();
    if failed.is_empty() { Ok(()) } else { Err(failed.join("\n")) }
}

fn targets() -> TaskResult<Vec<String>> {
    let files = fs::read_dir(folder().join("targets")).map_err(|error| error.to_string())?;
    let names =
        files.filter_map(|entry| entry.ok()?.path().file_stem()?.to_str().map(str::to_owned));
    let mut names: Vec<String> = names.collect();
    names.sort();
    Ok(names)
}

fn run(target: &str, minutes: u32) -> TaskResult {
    let lock = "Cargo.lock";
    fs::copy(paths::root().join(lock), folder().join(lock)).map_err(|error| error.to_string())?;
    let corpus = paths::target().join("fuzz-corpus").join(target);
    fs::create_dir_all(&corpus).map_err(|error| error.to_string())?;
    let host = shell::output_of(&["rustc", "--print", "host-tuple"]);
    let host = host.ok_or("`rustc --print host-tuple` failed: is Rust installed?")?;

    // With `--target`, the flags do not apply to build scripts and macros.
    let words = ["cargo", "run", "--release", "--target", &host, "--bin", target, "--"];
    let seeds = SEEDS.iter().filter(|(name, _)| *name == target);
    let seeds = seeds.map(|(_, seeds)| paths::root().join(seeds));
    let seeds = seeds.chain([folder().join("seeds").join(target)]).filter(|it| it.exists());
    let mut command = shell::command(&words);
    command
        .current_dir(folder())
        .env("CARGO_TARGET_DIR", paths::target().join("fuzz"))
        .env("RUSTFLAGS", FLAGS)
        .arg(&corpus)
        .args(seeds)
        .arg(format!("-max_total_time={}", u64::from(minutes) * 60))
        .arg(format!("-rss_limit_mb={MAX_MEMORY}"))
        .arg(format!("-artifact_prefix={}/", corpus.display()));
    shell::run(&mut command).map_err(|error| {
        format!("{error}\nThe input is in {}. Make it a plain test of its crate.", corpus.display())
    })
}

fn folder() -> PathBuf {
    paths::root().join("fuzz")
}
