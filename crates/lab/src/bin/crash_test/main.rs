//! `cargo xtask crash-test [work] [N…] [--sample COUNT] [--seed SEED]`: the program does one piece of work
//! while the Nth file operation in its data folder kills it, or fails for want of space or of a working
//! disk. Afterwards the rules of `rules` must hold; they must hold again after the next start and one more
//! message.
//!
//! Without a work it does all of them, without an N every operation. `--sample` draws that many of all
//! places; the seed is printed. Linux only: the faults come from a preloaded library (`tests/disk`).

#[cfg(target_os = "linux")]
mod places;
#[cfg(target_os = "linux")]
mod rules;
#[cfg(target_os = "linux")]
mod run;
#[cfg(target_os = "linux")]
mod work;

use std::process::ExitCode;

#[cfg(target_os = "linux")]
fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let done = match arguments.as_slice() {
        [task, work, folder] if task == work::TASK => work::perform(work, folder.as_ref()),
        _ => run::crash_test(&arguments),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

#[cfg(not(target_os = "linux"))]
fn main() -> ExitCode {
    eprintln!("Faults of the disk can be simulated on Linux only.");
    ExitCode::FAILURE
}
