//! Windows that show one session. A session that has one is written there alone, so that no draft overwrites
//! another; the app window shows it, too.

use skein_domain::error::{Error, Result};
use skein_domain::ids::SessionId;
use tauri::{AppHandle, Manager, WebviewWindow};

use super::notify;
use crate::app_window;
use crate::app_window::close_guard::CloseGuard;
use crate::commands::AppState;
use crate::startup::Startup;

/// Opens the window of a session, or brings it to the front.
///
/// # Errors
/// [`Error::Tool`] if the system opens none.
pub async fn open(app: &AppHandle, host: &AppState<'_>, session: SessionId) -> Result<()> {
    let theme = host.settings.view().await?.settings.appearance.theme;
    let places = app.state::<Startup>().places().clone();
    app_window::open_session(app, &places, theme, session)
        .map_err(|error| Error::Tool { detail: error.to_string() })?;
    notify(app);
    Ok(())
}

/// Closes the window of a session, which has been deleted with its unsaved text.
pub fn close(app: &AppHandle, session: SessionId) {
    let label = app_window::session_label(session);
    let Some(window) = app.get_webview_window(&label) else { return };
    app.state::<CloseGuard>().give_up(&label);
    if let Err(error) = window.close() {
        tracing::warn!(%error, "the window of a session did not close");
    }
}

/// Changes the windows of all sessions.
pub fn for_each(app: &AppHandle, change: fn(&WebviewWindow) -> tauri::Result<()>) {
    for (label, window) in app.webview_windows() {
        if app_window::session_of_label(&label).is_some()
            && let Err(error) = change(&window)
        {
            tracing::warn!(%error, "the window of a session was not changed");
        }
    }
}

/// The sessions that have a window of their own.
pub fn sessions(app: &AppHandle) -> Vec<SessionId> {
    let windows = app.webview_windows();
    windows.keys().filter_map(|label| app_window::session_of_label(label)).collect()
}
