//! The texts outside of the windows, which the page sends in the user's language.

use std::sync::{Mutex, PoisonError};

use serde::{Deserialize, Serialize};
use specta::Type;

/// The texts of the tray's menu and of the global shortcut.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct DesktopTexts {
    /// Opens the app window.
    pub open: String,
    /// Begins a session.
    pub new_session: String,
    /// Opens the window for quick questions.
    pub quick_ask: String,
    /// Ends the program.
    pub quit: String,
}

/// The latest texts; none until the page has sent them.
#[derive(Default)]
pub struct CurrentDesktopTexts(Mutex<Option<DesktopTexts>>);

impl CurrentDesktopTexts {
    pub fn get(&self) -> Option<DesktopTexts> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub fn set(&self, texts: DesktopTexts) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(texts);
    }
}
