//! Registers the shortcut with X11, Windows or macOS.

use skein_app::settings::ShortcutKeys;
use tauri::{AppHandle, Manager};
use tauri_plugin_global_shortcut::{
    Builder, Error, GlobalShortcut, GlobalShortcutExt, ShortcutState as KeyState,
};

use super::ShortcutStatus;
use crate::desktop::quick_ask;

/// Registers these keys and no others.
pub async fn register(app: &AppHandle, keys: Option<ShortcutKeys>) -> ShortcutStatus {
    let is_loaded = app.try_state::<GlobalShortcut<tauri::Wry>>().is_some();
    let Some(keys) = keys else {
        if is_loaded && let Err(error) = app.global_shortcut().unregister_all() {
            tracing::warn!(%error, "the shortcut was not given back");
        }
        return ShortcutStatus::Off {};
    };
    // Loaded only when it is needed: it opens a connection of its own to the display.
    if !is_loaded && let Err(error) = load(app).await {
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
            tracing::info!(%error, "the shortcut was not registered");
            if is_taken(&error) { ShortcutStatus::Taken {} } else { ShortcutStatus::Unavailable {} }
        }
    }
}

/// Loads the plug-in on the thread of the event loop, where Windows and macOS report the keys.
async fn load(app: &AppHandle) -> tauri::Result<()> {
    let (sender, loaded) = tokio::sync::oneshot::channel();
    let owner = app.clone();
    app.run_on_main_thread(move || {
        // Nobody waits any more when the program ends.
        let _ = sender.send(owner.plugin(Builder::new().build()));
    })?;
    loaded.await.unwrap_or(Err(tauri::Error::FailedToReceiveMessage))
}

/// True if another program has the keys. The plug-in passes on only the words of the error.
fn is_taken(error: &Error) -> bool {
    matches!(error, Error::GlobalHotkey(words) if words.starts_with("HotKey already registered"))
}

fn accelerator(keys: ShortcutKeys) -> &'static str {
    match keys {
        ShortcutKeys::ModShiftSpace => "CommandOrControl+Shift+Space",
        ShortcutKeys::ModAltSpace => "CommandOrControl+Alt+Space",
        ShortcutKeys::ModShiftK => "CommandOrControl+Shift+K",
        ShortcutKeys::AltShiftSpace => "Alt+Shift+Space",
    }
}

#[cfg(test)]
mod tests {
    use super::is_taken;
    use tauri_plugin_global_shortcut::Error;

    #[test]
    fn only_keys_of_another_program_are_taken() {
        let refused = |words: &str| Error::GlobalHotkey(words.to_owned());
        assert!(is_taken(&refused("HotKey already registered: HotKey { .. }")));
        assert!(!is_taken(&refused("Unable to register hotkey: no display")));
    }
}
