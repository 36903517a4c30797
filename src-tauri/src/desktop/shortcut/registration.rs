//! Registers the shortcut with X11, Windows or macOS.

use skein_app::settings::ShortcutKeys;
use tauri::{AppHandle, Manager};
use tauri_plugin_global_shortcut::{
    Builder, GlobalShortcut, GlobalShortcutExt, ShortcutState as KeyState,
};

use super::ShortcutStatus;
use crate::desktop::quick_ask;

/// Registers these keys and no others.
pub fn register(app: &AppHandle, keys: Option<ShortcutKeys>) -> ShortcutStatus {
    let is_loaded = app.try_state::<GlobalShortcut<tauri::Wry>>().is_some();
    let Some(keys) = keys else {
        if is_loaded && let Err(error) = app.global_shortcut().unregister_all() {
            tracing::warn!(%error, "the shortcut was not given back");
        }
        return ShortcutStatus::Off {};
    };
    // Loaded only when it is needed: it opens a connection of its own to the display.
    if !is_loaded && let Err(error) = app.plugin(Builder::new().build()) {
        tracing::warn!(%error, "this desktop takes no shortcut");
        return ShortcutStatus::Unavailable {};
    }
    let shortcuts = app.global_shortcut();
    let registered = shortcuts.unregister_all().and_then(|()| {
        shortcuts.on_shortcut(accelerator(keys), |app, _, event| {
            if event.state() == KeyState::Pressed {
                quick_ask::open(app);
            }
        })
    });
    match registered {
        Ok(()) => ShortcutStatus::Registered { keys: None },
        Err(error) => {
            tracing::info!(%error, "the keys of the shortcut are taken");
            ShortcutStatus::Taken {}
        }
    }
}

fn accelerator(keys: ShortcutKeys) -> &'static str {
    match keys {
        ShortcutKeys::ModShiftSpace => "CommandOrControl+Shift+Space",
        ShortcutKeys::ModAltSpace => "CommandOrControl+Alt+Space",
        ShortcutKeys::ModShiftK => "CommandOrControl+Shift+K",
        ShortcutKeys::AltShiftSpace => "Alt+Shift+Space",
    }
}
