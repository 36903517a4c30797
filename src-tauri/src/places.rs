//! Where Skein keeps things on this machine.

use std::io;
use std::path::{Path, PathBuf};

/// Puts everything into one folder: for tests, and for a Skein on a stick.
pub const PORTABLE: &str = "SKEIN_DATA_DIR";

/// The folders of one person. None of them need exist yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Places {
    /// `settings.json`, instructions, skills: what the person may edit.
    pub config: PathBuf,
    /// The database, its backups, the archive, the log.
    pub data: PathBuf,
    /// What can be fetched or made again.
    pub cache: PathBuf,
    /// Whether all of the above is the one folder named by [`PORTABLE`].
    pub portable: bool,
}

impl Places {
    /// # Errors
    /// Where the system names no home folder.
    pub fn here() -> io::Result<Self> {
        if let Some(folder) = std::env::var_os(PORTABLE).filter(|folder| !folder.is_empty()) {
            return std::path::absolute(folder).map(|folder| Self::portable(&folder));
        }
        Self::at_home().ok_or_else(|| {
            io::Error::new(io::ErrorKind::NotFound, "this system names no home folder")
        })
    }

    fn at_home() -> Option<Self> {
        let name = if cfg!(target_os = "macos") { "app.skein.desktop" } else { "skein" };
        Some(Self {
            config: dirs::config_dir()?.join(name),
            data: dirs::data_local_dir()?.join(name),
            cache: dirs::cache_dir()?.join(name),
            portable: false,
        })
    }

    fn portable(folder: &Path) -> Self {
        Self {
            config: folder.to_path_buf(),
            data: folder.to_path_buf(),
            cache: folder.join("cache"),
            portable: true,
        }
    }

    /// Size and position of the window.
    pub fn window_state(&self) -> PathBuf {
        self.data.join("window.json")
    }

    /// What the webview itself stores.
    pub fn webview(&self) -> PathBuf {
        self.cache.join("webview")
    }

    pub fn log(&self) -> PathBuf {
        self.data.join("skein.log")
    }
}

#[cfg(test)]
mod tests {
    use super::Places;
    use std::path::Path;

    #[test]
    fn a_portable_skein_keeps_everything_below_its_folder() {
        let folder = Path::new("/media/stick/skein");
        let places = Places::portable(folder);
        let all = [&places.config, &places.data, &places.cache];
        assert!(all.iter().all(|place| place.starts_with(folder)));
        let files = [places.window_state(), places.webview(), places.log()];
        assert!(files.iter().all(|file| file.starts_with(folder)));
    }
}
