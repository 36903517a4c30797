//! Passes `skein:` addresses and files from the system to the program.
//!
//! On macOS they arrive as events. Elsewhere they are arguments (`command_line`) of the start and
//! of every second start (`instance_lock`).

use std::sync::Arc;

use skein_app::app::App;
use tauri::{AppHandle, Manager, Url};
use tauri_plugin_deep_link::DeepLinkExt;

use super::command_line::Operand;
use crate::app_window::close_guard;

/// Opens the operands of a second start, unless the program failed to start.
pub fn open(window: &AppHandle, operands: &[Operand]) {
    if let Some(skein) = window.try_state::<Arc<App>>() {
        forward(&skein, operands);
    }
}

/// Passes operands to the window, which fetches them when it is loaded.
pub fn forward(skein: &App, operands: &[Operand]) {
    for operand in operands {
        match operand {
            Operand::Link(address) => skein.links.open(address),
            Operand::File(path) => skein.links.open_file(path),
        }
    }
}

/// Passes on everything that macOS opens with Skein, at the start and later.
pub fn forward_system_events(window: &AppHandle, skein: &Arc<App>) {
    if !cfg!(target_os = "macos") {
        return;
    }
    match window.deep_link().get_current() {
        Ok(urls) => forward(skein, &operands(&urls.unwrap_or_default())),
        Err(error) => tracing::warn!(%error, "the link Skein was started with was not read"),
    }
    let (front, skein) = (window.clone(), Arc::clone(skein));
    window.deep_link().on_open_url(move |event| {
        forward(&skein, &operands(&event.urls()));
        close_guard::come_back(&front);
    });
}

fn operands(urls: &[Url]) -> Vec<Operand> {
    let operand = |url: &Url| match url.to_file_path() {
        Ok(path) if url.scheme() == "file" => Operand::File(path),
        Ok(_) | Err(()) => Operand::Link(url.to_string()),
    };
    urls.iter().map(operand).collect()
}
