//! The small window for a quick question. It asks side questions of an unused session, so that nothing
//! of it is stored until the user continues it in the app window.
//!
//! A closed window is only hidden: its page keeps what was written and answered until the program ends.

use std::sync::Arc;

use skein_app::app::App;
use tauri::{AppHandle, Manager, Window, WindowEvent};
use tokio::sync::Mutex;

use crate::app_window::{self, QUICK_ASK};
use crate::startup::Startup;

/// Locked while the window opens.
#[derive(Default)]
pub struct Opening(Mutex<()>);

/// Opens the window, or brings it to the front. After a failed start there is nothing to ask.
pub fn open(app: &AppHandle) {
    let Some(skein) = app.try_state::<Arc<App>>().map(|skein| Arc::clone(&skein)) else { return };
    let app = app.clone();
    tauri::async_runtime::spawn(async move {
        // Two presses of the shortcut open one window.
        let opening = app.state::<Opening>();
        let _one_at_a_time = opening.0.lock().await;
        let Ok(view) = skein.settings.view().await else { return };
        let theme = view.settings.appearance.theme;
        let places = app.state::<Startup>().places().clone();
        if let Err(error) = app_window::open_quick_ask(&app, &places, theme) {
            tracing::warn!(%error, "the window for quick questions did not open");
        }
    });
}

pub fn hide(app: &AppHandle) {
    if let Some(Err(error)) = app.get_webview_window(QUICK_ASK).map(|window| window.hide()) {
        tracing::warn!(%error, "the window for quick questions was not hidden");
    }
}

/// True while the window is shown.
pub fn is_visible(app: &AppHandle) -> bool {
    app.get_webview_window(QUICK_ASK).is_some_and(|window| window.is_visible().unwrap_or(false))
}

/// Keeps the page when the user closes the window.
pub fn on_event(window: &Window, event: &WindowEvent) {
    if let WindowEvent::CloseRequested { api, .. } = event {
        api.prevent_close();
        hide(window.app_handle());
    }
}
