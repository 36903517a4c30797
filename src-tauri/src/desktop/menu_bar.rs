//! The menu bar on macOS: Tauri's own with another Quit entry, because Tauri's ends the program
//! without asking.
//!
//! Not here: quitting from the Dock's menu or by logging out, which Tauri reports only afterwards.
#![cfg(target_os = "macos")]

use tauri::menu::{Menu, MenuEvent, MenuItem, MenuItemKind};
use tauri::{AppHandle, Wry};

use crate::app_window::close_guard;

const QUIT: &str = "quit";

/// Tauri's menu with the Quit entry replaced, which is the last one of the first menu.
///
/// # Errors
/// The system rejects the menu.
pub fn of_mac(app: &AppHandle) -> tauri::Result<Menu<Wry>> {
    let menu = Menu::default(app)?;
    let items = menu.items()?;
    let Some(own) = items.first().and_then(MenuItemKind::as_submenu) else { return Ok(menu) };
    if let Some(last) = own.items()?.len().checked_sub(1) {
        own.remove_at(last)?;
    }
    let words = format!("Quit {}", app.package_info().name);
    own.append(&MenuItem::with_id(app, QUIT, words, true, Some("CmdOrCtrl+Q"))?)?;
    Ok(menu)
}

/// Handles the program's own entries.
pub fn on_event(app: &AppHandle, event: MenuEvent) {
    if event.id() == QUIT {
        close_guard::quit(app);
    }
}
