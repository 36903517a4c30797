//! An entry of the registry on Windows, a launch agent on macOS.

use auto_launch::{AutoLaunch, AutoLaunchBuilder, WindowsEnableMode};
use skein_domain::error::{Error, Result};
use skein_platform::paths::AppPaths;

use super::quoting::quote_for_windows;
use crate::startup::instance_lock;

/// Adds the entry.
///
/// # Errors
/// [`Error::Tool`] if the system refuses.
pub fn add(places: &AppPaths) -> Result<()> {
    launcher(places)?.enable().map_err(refused)
}

/// Writes the entry again if it is switched on.
///
/// # Errors
/// Those of [`add`].
pub fn renew(places: &AppPaths) -> Result<()> {
    let launcher = launcher(places)?;
    if launcher.is_enabled().map_err(refused)? {
        launcher.enable().map_err(refused)?;
    }
    Ok(())
}

/// Removes the entry, if there is one.
///
/// # Errors
/// Those of [`add`].
pub fn remove(places: &AppPaths) -> Result<()> {
    launcher(places)?.disable().map_err(refused)
}

fn launcher(places: &AppPaths) -> Result<AutoLaunch> {
    let program = std::env::current_exe().map_err(refused)?;
    let mut arguments = vec!["--hidden".to_owned()];
    if places.portable {
        arguments.extend(["--data".to_owned(), encode(&places.data.display().to_string())]);
    }
    AutoLaunchBuilder::new()
        .set_app_name(&instance_lock::dbus_id(places))
        .set_app_path(&encode(&program.display().to_string()))
        .set_args(&arguments)
        // An entry for all users would need an administrator.
        .set_windows_enable_mode(WindowsEnableMode::CurrentUser)
        .build()
        .map_err(refused)
}

/// A path as the library writes it: into a command line on Windows, into a string of XML on macOS. There the
/// library finds no program whose path must be escaped, and fails.
fn encode(path: &str) -> String {
    if cfg!(windows) {
        quote_for_windows(path)
    } else {
        html_escape::encode_text(path).into_owned()
    }
}

fn refused(error: impl std::fmt::Display) -> Error {
    Error::Tool { detail: error.to_string() }
}
