//! The executable. All code is in the library, so that tests can use it without a window.

#![cfg_attr(not(debug_assertions), windows_subsystem = "windows")]

use std::path::PathBuf;
use std::process::ExitCode;

use skein_lib::command_line::{self, Invocation, StartOptions};
use skein_lib::start_failure;

/// The exit status after invalid arguments.
const USAGE_ERROR: u8 = 2;

fn main() -> ExitCode {
    // A worker process that reads a document.
    if let Some(end) = skein_documents::run_worker() {
        return end;
    }
    let folder = std::env::current_dir().unwrap_or_default();
    match command_line::parse(std::env::args_os().skip(1), &folder) {
        Ok(Invocation::Version) => {
            start_failure::print(&format!("skein {}\n", env!("CARGO_PKG_VERSION")));
            ExitCode::SUCCESS
        }
        Ok(Invocation::Help) => {
            start_failure::print(&command_line::help());
            ExitCode::SUCCESS
        }
        Ok(Invocation::Start(options)) => start(options),
        Err(error) => {
            start_failure::complain(&format!("{error} (skein --help lists all options)"));
            ExitCode::from(USAGE_ERROR)
        }
    }
}

fn start(options: StartOptions) -> ExitCode {
    // First of all, while there is a single thread.
    #[cfg(target_os = "linux")]
    skein_lib::linux_env::set_variables();
    if let Some(program) = own_program() {
        skein_documents::set_worker_program(program);
    }

    match skein_lib::run(options) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            start_failure::report(&failure);
            ExitCode::FAILURE
        }
    }
}

/// The path of this executable, also after an update replaced the file.
fn own_program() -> Option<PathBuf> {
    if cfg!(target_os = "linux") {
        Some("/proc/self/exe".into())
    } else {
        std::env::current_exe().ok()
    }
}
