//! The shortcut on Wayland, where no program sees the keys of others: the desktop's portal
//! `org.freedesktop.portal.GlobalShortcuts` tells when it is pressed.

use std::pin::pin;

use ashpd::desktop::global_shortcuts::{GlobalShortcuts, NewShortcut};
use futures::StreamExt;
use skein_app::settings::ShortcutKeys;
use tauri::AppHandle;

use super::{ShortcutStatus, set_status};
use crate::desktop::quick_ask;

const ID: &str = "quick-ask";

/// True on Wayland.
pub fn is_used() -> bool {
    std::env::var_os("WAYLAND_DISPLAY").is_some_and(|display| !display.is_empty())
}

/// Asks the desktop for the shortcut, and opens the window whenever it is pressed. Ends with the portal.
pub async fn listen(app: AppHandle, keys: ShortcutKeys, words: String) {
    if let Err(error) = open_when_pressed(&app, keys, &words).await {
        tracing::info!(%error, "this desktop gives no global shortcut");
    }
    set_status(&app, ShortcutStatus::Unavailable {});
}

async fn open_when_pressed(app: &AppHandle, keys: ShortcutKeys, words: &str) -> ashpd::Result<()> {
    let portal = GlobalShortcuts::new().await?;
    let session = portal.create_session(Default::default()).await?;
    let mut presses = pin!(portal.receive_activated().await?);
    let shortcut = NewShortcut::new(ID, words).preferred_trigger(trigger(keys));
    let bound = portal.bind_shortcuts(&session, &[shortcut], None, Default::default()).await?;
    let bound = bound.response()?;
    let Some(shortcut) = bound.shortcuts().first() else { return Ok(()) };
    let keys = Some(shortcut.trigger_description().to_owned()).filter(|keys| !keys.is_empty());
    set_status(app, ShortcutStatus::Registered { keys });
    while let Some(press) = presses.next().await {
        if press.shortcut_id() == ID {
            quick_ask::open(app);
        }
    }
    Ok(())
}

/// The keys in the form of the XDG shortcuts specification.
fn trigger(keys: ShortcutKeys) -> &'static str {
    match keys {
        ShortcutKeys::ModShiftSpace => "CTRL+SHIFT+space",
        ShortcutKeys::ModAltSpace => "CTRL+ALT+space",
        ShortcutKeys::ModShiftK => "CTRL+SHIFT+k",
        ShortcutKeys::AltShiftSpace => "ALT+SHIFT+space",
    }
}
