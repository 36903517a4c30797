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
    /// None is wanted.
    Off {},
    /// It is registered.
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
    /// The keys that were registered last. Locked during a change.
    registered: Mutex<Option<ShortcutKeys>>,
    status: StdMutex<ShortcutStatus>,
    #[cfg(target_os = "linux")]
    portal: StdMutex<Option<tauri::async_runtime::JoinHandle<()>>>,
}

impl QuickAskShortcut {
    pub fn status(&self) -> ShortcutStatus {
        self.status.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Registers these keys instead of the last ones; `None`: no shortcut. `words` says in the user's
    /// language what it does.
    pub async fn set(&self, app: &AppHandle, keys: Option<ShortcutKeys>, words: &str) {
        let mut registered = self.registered.lock().await;
        if *registered == keys {
            return;
        }
        *registered = keys;
        let status = self.register(app, keys, words).await;
        set_status(app, status);
    }

    #[cfg(target_os = "linux")]
    async fn register(
        &self,
        app: &AppHandle,
        keys: Option<ShortcutKeys>,
        words: &str,
    ) -> ShortcutStatus {
        if !portal::is_used() {
            return registration::register(app, keys);
        }
        let next = keys.map(|keys| portal::listen(app.clone(), keys, words.to_owned()));
        let mut task = self.portal.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(before) = std::mem::replace(&mut *task, next.map(tauri::async_runtime::spawn)) {
            before.abort();
        }
        ShortcutStatus::Off {}
    }

    #[cfg(not(target_os = "linux"))]
    async fn register(
        &self,
        app: &AppHandle,
        keys: Option<ShortcutKeys>,
        _: &str,
    ) -> ShortcutStatus {
        registration::register(app, keys)
    }
}

fn set_status(app: &AppHandle, status: ShortcutStatus) {
    let shortcut = app.state::<QuickAskShortcut>();
    *shortcut.status.lock().unwrap_or_else(PoisonError::into_inner) = status;
    notify(app);
}
