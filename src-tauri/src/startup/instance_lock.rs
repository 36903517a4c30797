//! Allows one program for a data folder: a second start passes its operands to the first, whose
//! window comes to the front, and ends.
//!
//! The plug-in finds the first program by a name: on Linux a D-Bus name, derived here from the data
//! folder. On Windows and macOS Skein has only one name, so a program with a folder of its own has
//! no lock there. Not here: the lock of the database, in the store.

use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};
use skein_platform::paths::{AppPaths, BUNDLE_ID};
use tauri::plugin::TauriPlugin;
use tauri::{AppHandle, Wry};

use super::command_line::{self, Invocation};
use super::deep_links;
use crate::app_window::close_guard;

/// The lock of this data folder; `None` if the system has none for it.
pub fn plugin(places: &AppPaths) -> Option<TauriPlugin<Wry>> {
    if places.portable && !cfg!(target_os = "linux") {
        return None;
    }
    let plugin = tauri_plugin_single_instance::Builder::new().dbus_id(dbus_id(places));
    Some(plugin.callback(second_start).build())
}

/// Handles a second start. Its options are ignored; its operands are opened.
fn second_start(app: &AppHandle, arguments: Vec<String>, folder: String) {
    let arguments = arguments.into_iter().skip(1).map(Into::into);
    if let Ok(Invocation::Start(options)) = command_line::parse(arguments, &PathBuf::from(folder)) {
        deep_links::open(app, &options.open);
    }
    close_guard::come_back(app);
}

/// The program's D-Bus name: the plain one for the default folders, another for any other folder.
pub fn dbus_id(places: &AppPaths) -> String {
    if !places.portable {
        return BUNDLE_ID.to_owned();
    }
    let folder = places.data.canonicalize().unwrap_or_else(|_| places.data.clone());
    format!("{BUNDLE_ID}.data_{}", mark(&folder))
}

/// A 128-bit hash in hexadecimal, because a D-Bus name cannot contain a path.
fn mark(folder: &Path) -> String {
    let hash = Sha256::digest(folder.as_os_str().as_encoded_bytes());
    hash.iter().take(16).map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::dbus_id;
    use skein_platform::paths::{AppPaths, BUNDLE_ID};

    #[test]
    fn each_data_folder_has_a_lock_of_its_own_however_it_is_spelled() {
        let folder = tempfile::tempdir().unwrap();
        let (one, other) = (folder.path().join("one"), folder.path().join("other"));
        std::fs::create_dir(&one).unwrap();
        std::fs::create_dir(&other).unwrap();
        let id = |folder: &std::path::Path| dbus_id(&AppPaths::in_folder(folder));
        assert_eq!(id(&one), id(&other.join("../one")));
        assert_ne!(id(&one), id(&other));
        assert!(id(&one).starts_with(&format!("{BUNDLE_ID}.data_")));
        let usual = AppPaths { portable: false, ..AppPaths::in_folder(&one) };
        assert_eq!(dbus_id(&usual), BUNDLE_ID);
    }
}
