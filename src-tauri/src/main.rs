//! The program. All of it is in the library, so that tests reach it without a window.

#![cfg_attr(not(debug_assertions), windows_subsystem = "windows")]

use std::process::ExitCode;

fn main() -> ExitCode {
    // Before anything else: it may start the process over.
    #[cfg(target_os = "linux")]
    skein_lib::renderer::avoid_dmabuf_without_gpu();

    match skein_lib::run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("skein: {error}");
            ExitCode::FAILURE
        }
    }
}
