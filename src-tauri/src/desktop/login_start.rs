//! Starts Skein with the user's session, hidden in the tray where there is one.

use std::sync::{Mutex, PoisonError};

use skein_platform::paths::AppPaths;
use tauri::AppHandle;

/// The choice that was applied last; `None`: none since the start.
#[derive(Default)]
pub struct LoginStart(Mutex<Option<bool>>);

impl LoginStart {
    /// Applies the user's choice.
    pub fn set(&self, app: &AppHandle, places: &AppPaths, wanted: bool) {
        let mut applied = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if applied.replace(wanted) == Some(wanted) {
            return;
        }
        if let Err(error) = apply(app, places, wanted) {
            tracing::warn!(%error, "the start at login was not changed");
        }
    }
}

#[cfg(target_os = "linux")]
use linux::apply;
#[cfg(not(target_os = "linux"))]
use native::apply;

#[cfg(target_os = "linux")]
mod linux {
    //! A desktop entry in the folder for programs that start with the session.
    //! <https://specifications.freedesktop.org/autostart-spec/latest/>

    use std::path::{Path, PathBuf};

    use skein_domain::error::Result;
    use skein_platform::atomic_file;
    use skein_platform::paths::AppPaths;
    use tauri::AppHandle;

    use crate::instance_lock;

    pub fn apply(_: &AppHandle, places: &AppPaths, wanted: bool) -> Result<()> {
        let Some(file) = file(places) else { return Ok(()) };
        if wanted {
            let program = std::env::var_os("APPIMAGE").map(PathBuf::from);
            let Some(program) = program.or_else(|| std::env::current_exe().ok()) else {
                return Ok(());
            };
            let data = places.portable.then_some(places.data.as_path());
            return atomic_file::write_private(&file, entry(&program, data).as_bytes());
        }
        match std::fs::remove_file(&file) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                Err(skein_domain::error::Error::from_io(&file, &error))
            }
            Ok(()) | Err(_) => Ok(()),
        }
    }

    /// The entry's file; `None` without a home folder. Each data folder has one of its own.
    fn file(places: &AppPaths) -> Option<PathBuf> {
        let folder = std::env::var_os("XDG_CONFIG_HOME").map(PathBuf::from);
        let folder = folder.filter(|folder| folder.is_absolute());
        let folder = folder.or_else(|| Some(std::env::home_dir()?.join(".config")))?;
        Some(folder.join("autostart").join(format!("{}.desktop", instance_lock::dbus_id(places))))
    }

    fn entry(program: &Path, data: Option<&Path>) -> String {
        let mut line = format!("{} --hidden", quote(program));
        if let Some(data) = data {
            line.push_str(&format!(" --data {}", quote(data)));
        }
        format!(
            "[Desktop Entry]\nType=Application\nName=Skein\nIcon=skein\nTerminal=false\nExec={line}\n"
        )
    }

    /// A path as an argument of `Exec`: quoted, with its special characters escaped, and once more as in
    /// every value of a desktop entry.
    fn quote(path: &Path) -> String {
        let mut quoted = String::from("\"");
        for letter in path.to_string_lossy().chars() {
            match letter {
                '"' | '`' | '$' => quoted.push_str(r"\\"),
                '\\' => quoted.push_str(r"\\\"),
                '%' => quoted.push('%'),
                _ => {}
            }
            quoted.push(letter);
        }
        quoted.push('"');
        quoted
    }

    #[cfg(test)]
    mod tests {
        use super::entry;
        use std::path::Path;

        #[test]
        fn the_entry_starts_the_program_hidden_whatever_its_path_has() {
            let entry = entry(Path::new("/opt/a b/100%/$x\\y\"z"), Some(Path::new("/data")));
            let line = r#"Exec="/opt/a b/100%%/\\$x\\\\y\\"z" --hidden --data "/data""#;
            assert!(entry.lines().any(|it| it == line), "{entry}");
        }
    }
}

#[cfg(not(target_os = "linux"))]
mod native {
    //! By Tauri's plug-in.

    use skein_platform::paths::AppPaths;
    use tauri::{AppHandle, Manager};
    use tauri_plugin_autostart::{AutoLaunchManager, Builder, ManagerExt};

    pub fn apply(
        app: &AppHandle,
        places: &AppPaths,
        wanted: bool,
    ) -> Result<(), Box<dyn std::error::Error>> {
        if app.try_state::<AutoLaunchManager>().is_none() {
            let mut plugin = Builder::new().arg("--hidden");
            if places.portable {
                plugin =
                    plugin.args(["--data".to_owned(), format!("\"{}\"", places.data.display())]);
            }
            app.plugin(plugin.build())?;
        }
        match wanted {
            true => app.autolaunch().enable()?,
            false => app.autolaunch().disable()?,
        }
        Ok(())
    }
}
