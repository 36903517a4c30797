//! The desktop besides the app window.

use serde::{Deserialize, Serialize};
use skein_domain::ids::SessionId;
use specta::Type;
use tauri::{AppHandle, Manager, State};

use crate::app_window::close_guard;
use crate::commands::{AppState, Result};
use crate::desktop::login_start::LoginStart;
use crate::desktop::shortcut::{QuickAskShortcut, ShortcutStatus};
use crate::desktop::texts::{CurrentDesktopTexts, DesktopTexts};
use crate::desktop::tray::Tray;
use crate::desktop::{self, quick_ask, session_windows, taskbar};

/// The parts of `DesktopSettings` that this desktop offers, and their state.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct DesktopState {
    /// True while the desktop shows Skein's icon in its tray.
    pub tray_visible: bool,
    /// The global shortcut for quick questions.
    pub shortcut: ShortcutStatus,
    /// True if the system did not take the last choice about the start at login.
    pub login_start_failed: bool,
    /// The sessions that have a window of their own.
    pub session_windows: Vec<SessionId>,
}

/// Sets the texts outside of the windows, at the start and when the language changes.
#[tauri::command]
#[specta::specta]
pub async fn set_desktop_texts(app: AppHandle, texts: DesktopTexts) -> Result<()> {
    app.state::<CurrentDesktopTexts>().set(texts);
    desktop::refresh(&app).await;
    Ok(())
}

/// The state of the desktop now.
#[tauri::command]
#[specta::specta]
pub fn desktop_state(app: AppHandle, tray: State<'_, Tray>) -> DesktopState {
    DesktopState {
        tray_visible: tray.is_visible(),
        shortcut: app.state::<QuickAskShortcut>().status(),
        login_start_failed: app.state::<LoginStart>().has_failed(),
        session_windows: session_windows::sessions(&app),
    }
}

/// True if the user is in a window of Skein, in the asking one or another.
#[tauri::command]
#[specta::specta]
pub fn has_focus(app: AppHandle) -> bool {
    taskbar::has_focus(&app)
}

/// Opens the window for quick questions.
#[tauri::command]
#[specta::specta]
pub async fn open_quick_ask(app: AppHandle) -> Result<()> {
    quick_ask::open(&app);
    Ok(())
}

/// Hides the window for quick questions.
#[tauri::command]
#[specta::specta]
pub async fn hide_quick_ask(app: AppHandle) -> Result<()> {
    quick_ask::hide(&app);
    Ok(())
}

/// Brings the app window to the front and shows a session in it.
#[tauri::command]
#[specta::specta]
pub async fn show_in_app_window(
    app: AppHandle,
    host: AppState<'_>,
    session_id: SessionId,
) -> Result<()> {
    host.links.show_session(session_id);
    close_guard::come_back(&app);
    Ok(())
}

/// Opens a window that shows only this session, or brings it to the front.
#[tauri::command]
#[specta::specta]
pub async fn open_session_window(
    app: AppHandle,
    host: AppState<'_>,
    session_id: SessionId,
) -> Result<()> {
    session_windows::open(&app, &host, session_id).await
}

/// Closes the window of a session, if it has one.
#[tauri::command]
#[specta::specta]
pub async fn close_session_window(app: AppHandle, session_id: SessionId) -> Result<()> {
    session_windows::close(&app, session_id);
    Ok(())
}
