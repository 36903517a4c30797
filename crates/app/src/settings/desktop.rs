//! The program's place on the desktop besides its app window.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use specta::Type;

/// Settings of the desktop. Not every desktop has all of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(default)]
pub struct DesktopSettings {
    /// True if Skein has an icon in the tray.
    pub tray_icon: bool,
    /// True if the program stays in the tray when its last window is closed. Without a tray it ends.
    pub close_to_tray: bool,
    /// The keys that open the window for quick questions from everywhere; `None`: none do.
    pub quick_ask_keys: Option<ShortcutKeys>,
    /// True if Skein starts with the user's session on the desktop, hidden in the tray where there is one.
    pub start_at_login: bool,
    /// True if the taskbar asks for attention at news, and shows the progress of long work.
    pub taskbar: bool,
}

/// The keys of a global shortcut. `Mod` is Ctrl, or Cmd on macOS.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum ShortcutKeys {
    ModShiftSpace,
    ModAltSpace,
    ModShiftK,
    AltShiftSpace,
}

impl Default for DesktopSettings {
    fn default() -> Self {
        Self {
            tray_icon: true,
            close_to_tray: false,
            quick_ask_keys: None,
            start_at_login: false,
            taskbar: true,
        }
    }
}
