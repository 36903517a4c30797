//! Starts Skein with the user's session, hidden in the tray where there is one. Each data folder has an
//! entry of its own. The desktop can switch an entry off in its own settings, which a start of Skein
//! respects.

#[cfg(target_os = "linux")]
#[path = "login_start/desktop_entry.rs"]
mod entry;
#[cfg(not(target_os = "linux"))]
#[path = "login_start/native.rs"]
mod entry;
#[cfg(any(test, not(target_os = "linux")))]
mod quoting;

use std::sync::{Mutex, MutexGuard, PoisonError};

use skein_platform::paths::AppPaths;
use tauri::AppHandle;

use super::notify;

/// The start at login as it was last wanted.
#[derive(Default)]
pub struct LoginStart(Mutex<Choice>);

#[derive(Default)]
struct Choice {
    /// `None` until the settings are known.
    wanted: Option<bool>,
    /// True if the system did not take it.
    failed: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Change {
    /// The entry is added, or switched on again.
    Add,
    /// The path of the program is renewed in an entry that is switched on. Another one stays as it is.
    Renew,
    Remove,
}

impl LoginStart {
    /// Applies the user's choice. The first call of a start adds and removes no entry.
    pub fn set(&self, app: &AppHandle, places: &AppPaths, wanted: bool) {
        let mut choice = self.lock();
        let Some(change) = change(choice.wanted.replace(wanted), wanted) else { return };
        let applied = match change {
            Change::Add => entry::add(places),
            Change::Renew => entry::renew(places),
            Change::Remove => entry::remove(places),
        };
        if let Err(error) = &applied {
            tracing::warn!(%error, "the start at login was not changed");
        }
        if std::mem::replace(&mut choice.failed, applied.is_err()) != applied.is_err() {
            notify(app);
        }
    }

    /// True if the system did not take the user's last choice.
    pub fn has_failed(&self) -> bool {
        self.lock().failed
    }

    fn lock(&self) -> MutexGuard<'_, Choice> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn change(before: Option<bool>, wanted: bool) -> Option<Change> {
    match (before, wanted) {
        (None, true) => Some(Change::Renew),
        (Some(false), true) => Some(Change::Add),
        (Some(true), false) => Some(Change::Remove),
        (None | Some(false), false) | (Some(true), true) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{Change, change};

    #[test]
    fn a_start_neither_adds_nor_removes_an_entry() {
        assert_eq!(change(None, true), Some(Change::Renew));
        assert_eq!(change(None, false), None);
        assert_eq!(change(Some(false), true), Some(Change::Add));
        assert_eq!(change(Some(true), false), Some(Change::Remove));
        assert_eq!(change(Some(true), true), None);
        assert_eq!(change(Some(false), false), None);
    }
}
