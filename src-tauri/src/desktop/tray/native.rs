//! The icon on Windows and macOS, by Tauri.

use std::sync::Arc;

use skein_domain::ids::SessionId;
use tauri::menu::{Menu, MenuEvent, MenuItem, PredefinedMenuItem};
use tauri::tray::{MouseButton, MouseButtonState, TrayIconBuilder, TrayIconEvent};
use tauri::{AppHandle, Wry};

use super::visibility::Visibility;
use crate::desktop::tray_menu::{TrayAction, TrayEntry, perform};

const ID: &str = "tray";

// The ids of the menu's entries.
const OPEN: &str = "tray-open";
const NEW_SESSION: &str = "tray-new-session";
const QUICK_ASK: &str = "tray-quick-ask";
const SESSION: &str = "tray-session-";
const QUIT: &str = "tray-quit";

pub struct NativeIcon(tauri::tray::TrayIcon);

impl NativeIcon {
    /// Creates the icon; `None` if the system refuses. It is visible from then on.
    pub async fn create(
        app: &AppHandle,
        entries: Vec<TrayEntry>,
        visibility: Arc<Visibility>,
    ) -> Option<Self> {
        match build(app) {
            Ok(icon) => {
                visibility.set(true);
                let icon = Self(icon);
                icon.set_entries(app, entries).await;
                Some(icon)
            }
            Err(error) => {
                tracing::warn!(%error, "there is no icon in the tray");
                None
            }
        }
    }

    pub async fn set_entries(&self, app: &AppHandle, entries: Vec<TrayEntry>) {
        let set = menu(app, &entries).and_then(|menu| self.0.set_menu(Some(menu)));
        if let Err(error) = set {
            tracing::warn!(%error, "the menu of the tray was not changed");
        }
    }

    pub async fn remove(self, app: &AppHandle) {
        let owner = app.clone();
        // The last reference removes the icon, on the thread that has created it.
        let removed = app.run_on_main_thread(move || {
            drop(owner.remove_tray_by_id(ID));
            drop(self);
        });
        if let Err(error) = removed {
            tracing::warn!(%error, "the icon was not removed from the tray");
        }
    }
}

/// Adds an icon without a menu. The builder may not be kept across an `await`, because it is not `Send`.
fn build(app: &AppHandle) -> tauri::Result<tauri::tray::TrayIcon> {
    let mut builder = TrayIconBuilder::with_id(ID)
        .tooltip(&app.package_info().name)
        // On Windows a click opens the app window, and the other button the menu.
        .show_menu_on_left_click(cfg!(target_os = "macos"))
        .on_tray_icon_event(|icon, event| {
            if cfg!(windows) && is_click(&event) {
                perform(icon.app_handle(), TrayAction::Open);
            }
        });
    if let Some(icon) = app.default_window_icon() {
        builder = builder.icon(icon.clone());
    }
    builder.build(app)
}

/// Carries out an entry of the menu. Events of other menus are ignored.
pub fn on_menu_event(app: &AppHandle, event: MenuEvent) {
    if let Some(action) = action_of(&event.id().0) {
        perform(app, action);
    }
}

/// The menu; the id of an entry names its action.
fn menu(app: &AppHandle, entries: &[TrayEntry]) -> tauri::Result<Menu<Wry>> {
    let menu = Menu::new(app)?;
    for entry in entries {
        match entry {
            TrayEntry::Separator => menu.append(&PredefinedMenuItem::separator(app)?)?,
            TrayEntry::Action { label, action } => {
                // A single ampersand would mark an access key.
                let label = label.replace('&', "&&");
                menu.append(&MenuItem::with_id(app, id_of(*action), label, true, None::<&str>)?)?;
            }
        }
    }
    Ok(menu)
}

fn id_of(action: TrayAction) -> String {
    match action {
        TrayAction::Open => OPEN.to_owned(),
        TrayAction::NewSession => NEW_SESSION.to_owned(),
        TrayAction::QuickAsk => QUICK_ASK.to_owned(),
        TrayAction::Session(session) => format!("{SESSION}{}", session.0),
        TrayAction::Quit => QUIT.to_owned(),
    }
}

fn action_of(id: &str) -> Option<TrayAction> {
    match id {
        OPEN => Some(TrayAction::Open),
        NEW_SESSION => Some(TrayAction::NewSession),
        QUICK_ASK => Some(TrayAction::QuickAsk),
        QUIT => Some(TrayAction::Quit),
        _ => {
            let session = id.strip_prefix(SESSION)?.parse().ok()?;
            Some(TrayAction::Session(SessionId(session)))
        }
    }
}

fn is_click(event: &TrayIconEvent) -> bool {
    let (left, up) = (MouseButton::Left, MouseButtonState::Up);
    matches!(event, TrayIconEvent::Click { button, button_state, .. }
        if *button == left && *button_state == up)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_of_the_menu_does_what_its_id_says() {
        let session = TrayAction::Session(SessionId(7));
        let plain =
            [TrayAction::Open, TrayAction::NewSession, TrayAction::QuickAsk, TrayAction::Quit];
        for action in plain.into_iter().chain([session]) {
            assert_eq!(action_of(&id_of(action)), Some(action));
        }
        // The menu bar of macOS reports its entries here as well.
        assert_eq!(action_of("quit"), None);
    }
}
