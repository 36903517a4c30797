//! Announcements by the screen reader.

use skein_domain::error::Error;
use tauri::AppHandle;
#[cfg(target_os = "linux")]
use tauri::Manager;

use crate::commands::Result;

/// Makes the screen reader speak a text. Only on Linux, where the page's own live regions are not
/// heard: elsewhere the text would be spoken twice, and the command fails.
///
/// # Errors
/// [`Error::Tool`] on other systems, and if the app window is gone.
#[tauri::command]
#[specta::specta]
pub fn announce(app: AppHandle, text: String) -> Result<()> {
    #[cfg(target_os = "linux")]
    if let Some(window) = app.get_webview_window("main") {
        let announcements = app.state::<crate::announcer::Announcements>();
        return announcements
            .announce(&window, text)
            .map_err(|error| Error::Tool { detail: error.to_string() });
    }
    drop((app, text));
    Err(Error::Tool { detail: "there is nothing here that announces".to_owned() })
}
