//! The global shortcut that opens the window for quick questions. On Wayland the desktop registers it,
//! through its portal, and has the last word on the keys; elsewhere Skein registers it itself.

#[cfg(target_os = "linux")]
mod portal;
mod registration;

use std::sync::{Mutex as StdMutex, PoisonError};

use serde::{Deserialize, Serialize};
use skein_app::settings::ShortcutKeys;
use specta::Type;
use tauri::{AppHandle, Manager};
use tokio::sync::Mutex;

use super::notify;

/// The state of the shortcut.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum ShortcutStatus {
    /// The user wants no shortcut.
    Off {},
    /// The shortcut is registered.
    Registered {
        /// The keys that the desktop has chosen, in its words; `None`: those of the settings.
        keys: Option<String>,
    },
    /// Another program has these keys.
    Taken {},
    /// This desktop has no global shortcuts for programs, or the user has refused it there.
    Unavailable {},
}

impl Default for ShortcutStatus {
    fn default() -> Self {
        Self::Off {}
    }
}

/// The shortcut and its state.
#[derive(Default)]
pub struct QuickAskShortcut {
    /// Locked during a change.
    registered: Mutex<Registered>,
    status: StdMutex<ShortcutStatus>,
}

/// The last registration.
#[derive(Default)]
struct Registered {
    keys: Option<ShortcutKeys>,
    #[cfg(target_os = "linux")]
    portal: Option<portal::PortalShortcut>,
}

impl QuickAskShortcut {
    pub fn status(&self) -> ShortcutStatus {
        self.status.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Registers these keys instead of the last ones; `None`: no shortcut. `words` says in the user's
    /// language what it does.
    pub async fn set(&self, app: &AppHandle, keys: Option<ShortcutKeys>, words: &str) {
        let mut registered = self.registered.lock().await;
        if registered.keys == keys {
            return;
        }
        registered.keys = keys;
        #[cfg(target_os = "linux")]
        if portal::is_used() {
            if let Some(before) = registered.portal.take() {
                before.end().await;
            }
            set_status(app, ShortcutStatus::Off {});
            registered.portal = keys
                .map(|keys| portal::PortalShortcut::register(app.clone(), keys, words.to_owned()));
            return;
        }
        // Only the desktop's portal shows them.
        #[cfg(not(target_os = "linux"))]
        let _ = words;
        set_status(app, registration::register(app, keys).await);
    }
}

fn set_status(app: &AppHandle, status: ShortcutStatus) {
    let shortcut = app.state::<QuickAskShortcut>();
    *shortcut.status.lock().unwrap_or_else(PoisonError::into_inner) = status;
    notify(app);
}
