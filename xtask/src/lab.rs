//! Tasks that need the product's code: the programs of `crates/lab` and the benchmarks.

use crate::system_packages::Need;
use crate::testing::cargo_tool::TAURI_DRIVER;
use crate::{Install, TaskResult};
use crate::{run, shell};

/// Runs the simulation. Only the lab is optimised for it: the engine is in every build, and a release would
/// build everything below it once more. No other build has the lab optimised, which takes longer to compile.
pub fn simulate(arguments: &[String]) -> TaskResult {
    run_program("simulate", &["--config", "profile.dev.package.skein-lab.opt-level=3"], arguments)
}

/// Runs another program of the lab with these arguments, in release because they count and compact far
/// more than a user ever would.
pub fn forward(program: &str, arguments: &[String]) -> TaskResult {
    run_program(program, &["--release"], arguments)
}

/// Runs the crash test, in the profile that tests have built already: it waits for processes.
pub fn crash_test(arguments: &[String]) -> TaskResult {
    run_program("crash_test", &[], arguments)
}

fn run_program(program: &str, options: &[&str], arguments: &[String]) -> TaskResult {
    let words = ["--package", "skein-lab", "--bin", program, "--"];
    let words = [&["cargo", "run"], options, &words].concat();
    shell::run(shell::command(&words).args(arguments))
}

/// Runs all benchmarks, or those whose name contains the given word. Those of the app window run on
/// request only: they need a display, a driver and a release build.
pub fn bench(arguments: &[String], install: Install) -> TaskResult {
    match arguments {
        [only] if only == "window" => window(install),
        [only, option] if only == "window" && option == "--beside-empty" => beside_empty(install),
        _ => engine(arguments),
    }
}

fn engine(arguments: &[String]) -> TaskResult {
    let packages = ["--workspace", "--exclude", "skein", "--exclude", "skein-window"];
    let words = [&["cargo", "bench"], &packages[..], &["--bench", "*", "--"]].concat();
    shell::run(shell::command(&words).args(arguments))
}

fn window(install: Install) -> TaskResult {
    run::build_release(Need::WindowTests, install)?;
    run_window_benches(&["window_streaming", "window_typing"], install)
}

/// Compares the app window with an empty one, both as releases.
fn beside_empty(install: Install) -> TaskResult {
    run::build_release(Need::WindowTests, install)?;
    let words = ["cargo", "build", "--release", "--package", "skein", "--example", "empty_window"];
    shell::run(&mut run::with_release_flags(shell::command(&words)))?;
    run_window_benches(&["window_beside_empty"], install)
}

fn run_window_benches(names: &[&str], install: Install) -> TaskResult {
    let driver = TAURI_DRIVER.ensure(install)?;
    let mut command = shell::command(&["cargo", "bench", "--package", "skein-window"]);
    for name in names {
        command.args(["--bench", name]);
    }
    shell::run(command.env("TAURI_DRIVER", driver))
}
