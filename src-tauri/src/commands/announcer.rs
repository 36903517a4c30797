//! Announcements by the screen reader.

use skein_domain::error::Error;
#[cfg(target_os = "linux")]
use tauri::Manager;
use tauri::WebviewWindow;

use crate::commands::Result;

/// Makes the screen reader speak a text. Only on Linux, where the page's own live regions are not
/// heard: elsewhere the text would be spoken twice, and the command fails.
///
/// # Errors
/// [`Error::Tool`] on other systems, and if the window is gone.
#[tauri::command]
#[specta::specta]
pub fn announce(window: WebviewWindow, text: String) -> Result<()> {
    #[cfg(target_os = "linux")]
    return window
        .state::<crate::app_window::announcer::Announcements>()
        .announce(&window, text)
        .map_err(|error| Error::Tool { detail: error.to_string() });
    #[cfg(not(target_os = "linux"))]
    {
        drop((window, text));
        Err(Error::Tool { detail: "there is nothing here that announces".to_owned() })
    }
}
