//! The program. All of it is in the library, so that tests reach it without a window.

#![cfg_attr(not(debug_assertions), windows_subsystem = "windows")]

use std::path::PathBuf;
use std::process::ExitCode;

fn main() -> ExitCode {
    // No second Skein: the first has started it to read a document.
    if let Some(end) = skein_documents::run_worker() {
        return end;
    }
    if let Some(program) = own_program() {
        skein_documents::set_worker_program(program);
    }

    // Before anything else: it may start the process over.
    #[cfg(target_os = "linux")]
    skein_lib::linux_env::restart_with_env();

    match skein_lib::run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("skein: {error}");
            ExitCode::FAILURE
        }
    }
}

/// This program, also where another version was put in its place meanwhile.
fn own_program() -> Option<PathBuf> {
    if cfg!(target_os = "linux") {
        Some("/proc/self/exe".into())
    } else {
        std::env::current_exe().ok()
    }
}
