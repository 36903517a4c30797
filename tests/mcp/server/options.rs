//! The options about the start and the end of the process:
//!
//! - `--exit CODE` ends it at once.
//! - `--delay-ms NUMBER` waits before anything else.
//! - `--touch FILE` creates a file.
//! - `--hang-first` never serves if `--touch` has created its file; a second start does.
//! - `--lock FILE` creates a file and keeps it locked until the process ends.
//! - `--sleep SECONDS` ends the process after this time and serves nothing.
//! - `--stubborn` keeps it running after its input has ended.

use std::fs::File;
use std::thread::sleep;
use std::time::Duration;

/// Does what the options say. Returns the locked file.
pub fn apply(args: &[String]) -> Option<File> {
    if let Some(code) = value_of(args, "--exit") {
        std::process::exit(code.parse().unwrap());
    }
    if let Some(delay) = value_of(args, "--delay-ms") {
        sleep(Duration::from_millis(delay.parse().unwrap()));
    }
    let lock = value_of(args, "--lock").map(|path| {
        let file = File::create(path).unwrap();
        file.lock().unwrap();
        file
    });
    if let Some(seconds) = value_of(args, "--sleep") {
        sleep(Duration::from_secs(seconds.parse().unwrap()));
        std::process::exit(0);
    }
    let is_first = value_of(args, "--touch").is_some_and(|path| File::create_new(path).is_ok());
    if is_first && has(args, "--hang-first") {
        hang();
    }
    lock
}

/// The argument after this option.
fn value_of<'a>(args: &'a [String], option: &str) -> Option<&'a str> {
    let mut rest = args.iter().skip_while(|argument| *argument != option);
    rest.nth(1).map(String::as_str)
}

pub fn has(args: &[String], option: &str) -> bool {
    args.iter().any(|argument| argument == option)
}

/// Runs until somebody ends the process.
pub fn hang() -> ! {
    loop {
        sleep(Duration::from_secs(1));
    }
}

pub fn fail(reason: &str) -> ! {
    eprintln!("{reason}");
    std::process::exit(2)
}
