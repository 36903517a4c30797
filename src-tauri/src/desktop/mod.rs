//! Skein's place on the desktop besides its app window.
//!
//! Not here: the texts. The page sends them in the user's language.

pub mod login_start;
#[cfg(target_os = "macos")]
pub mod menu_bar;
pub mod quick_ask;
pub mod session_windows;
pub mod shortcut;
pub mod taskbar;
pub mod texts;
pub mod tray;
pub mod tray_menu;

use std::sync::Arc;
use std::time::Duration;

use skein_app::app::App;
use skein_app::events::Topic;
use tauri::{AppHandle, Manager};
use tauri_specta::Event;
use tokio::sync::broadcast::error::RecvError;

use crate::app_window::close_guard;
use crate::ipc;
use crate::startup::Startup;
use login_start::LoginStart;
use shortcut::QuickAskShortcut;
use taskbar::Taskbar;
use texts::CurrentDesktopTexts;
use tray::Tray;

/// How long a hidden program waits for the tray, which desktops open after the programs of a login.
const WAITS_FOR_TRAY: Duration = Duration::from_secs(10);
const LOOKS_FOR_TRAY_EVERY: Duration = Duration::from_millis(200);

/// Keeps the desktop as the settings and the sessions say.
pub fn follow(app: &AppHandle, skein: &Arc<App>) {
    let (app, mut changes) = (app.clone(), skein.changes());
    tauri::async_runtime::spawn(async move {
        // The first refresh takes the settings as they were at the start.
        refresh(&app).await;
        loop {
            let is_affected = match changes.recv().await {
                Ok(changed) => changed.topics.iter().any(affects),
                Err(RecvError::Lagged(_)) => true,
                Err(RecvError::Closed) => return,
            };
            if is_affected {
                refresh(&app).await;
            }
        }
    });
}

/// Brings everything up to date with the settings and the sessions.
pub async fn refresh(app: &AppHandle) {
    let Some(skein) = app.try_state::<Arc<App>>().map(|skein| Arc::clone(&skein)) else { return };
    let Ok(view) = skein.settings.view().await else { return };
    let wanted = view.settings.desktop;
    app.state::<LoginStart>().set(app, app.state::<Startup>().places(), wanted.start_at_login);
    app.state::<Taskbar>().refresh(app, &skein, wanted.taskbar).await;
    // Without the texts of the page nothing can be shown.
    let Some(texts) = app.state::<CurrentDesktopTexts>().get() else { return };
    app.state::<QuickAskShortcut>().set(app, wanted.quick_ask_keys, &texts.quick_ask).await;
    app.state::<Tray>().refresh(app, &skein, &wanted, &texts).await;
}

/// Shows the app window if no window is visible and the desktop shows no tray for a while, as after a hidden
/// start or when the tray goes away: nothing would lead to the program.
pub async fn show_without_tray(app: AppHandle) {
    let mut waits = WAITS_FOR_TRAY;
    while !app.state::<Tray>().is_visible() {
        if waits.is_zero() {
            close_guard::come_back_if_lost(&app);
            return;
        }
        tokio::time::sleep(LOOKS_FOR_TRAY_EVERY).await;
        waits = waits.saturating_sub(LOOKS_FOR_TRAY_EVERY);
    }
}

fn affects(topic: &Topic) -> bool {
    use Topic::{Everything, Import, Sessions, Settings};
    matches!(topic, Sessions {} | Settings {} | Import {} | Everything {})
}

/// Reports to the page that the desktop has changed.
pub fn notify(app: &AppHandle) {
    if let Err(error) = (ipc::Changed { topics: vec![Topic::Desktop {}] }).emit(app) {
        tracing::warn!(%error, "the page does not hear of a change of the desktop");
    }
}
