//! The menu bar of a Mac: Tauri's own, but for its Quit, which ends the program and asks nobody.
//!
//! Not here: what else ends it there, the Dock's menu and logging out. They reach no program made with Tauri
//! before it is over.
#![cfg(target_os = "macos")]

use tauri::menu::{Menu, MenuEvent, MenuItem, MenuItemKind};
use tauri::{AppHandle, Wry};

use crate::closing;

const QUIT: &str = "quit";

/// Tauri's own menu, its Quit replaced: the last entry of the first menu, which is the program's.
///
/// # Errors
/// Where the system takes no menu.
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

/// Does what an entry of our own says.
pub fn on_event(app: &AppHandle, event: MenuEvent) {
    if event.id() == QUIT {
        closing::quit(app);
    }
}
