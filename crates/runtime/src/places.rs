//! Where things are on this machine, as each platform's people expect it.
//!
//! Nothing is created here: who writes into a folder makes it.

use std::env;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// The bundle id: names the folders on macOS, the keychain entries everywhere.
pub const BUNDLE_ID: &str = "app.skein.desktop";

/// The three folders of the program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Places {
    /// `settings.json`, `AGENTS.md`, `skills/`.
    pub config: PathBuf,
    /// The database, its backups, `archive/`.
    pub data: PathBuf,
    /// What can be fetched again.
    pub cache: PathBuf,
    /// Whether everything is in one folder that may travel, the keys too.
    pub portable: bool,
}

impl Places {
    /// The folders of the person who runs the program; `SKEIN_DATA_DIR` puts all of it in one. A
    /// relative one is beside the program, so that it is the same at every start.
    /// `None` when neither it nor a home folder is known.
    pub fn of_person() -> Option<Self> {
        match env::var_os("SKEIN_DATA_DIR").filter(|folder| !folder.is_empty()) {
            Some(folder) => Some(Self::in_one(&beside(&env::current_exe().ok()?, &folder)?)),
            None => of_platform(),
        }
    }

    /// Everything under one folder: portable use, and tests.
    pub fn in_one(folder: &Path) -> Self {
        Self {
            config: folder.to_owned(),
            data: folder.to_owned(),
            cache: folder.join("cache"),
            portable: true,
        }
    }

    /// The database.
    pub fn database(&self) -> PathBuf {
        self.data.join("skein.db")
    }

    /// Copies of the database from before migrations.
    pub fn backups(&self) -> PathBuf {
        self.data.join("backups")
    }

    /// P04: threads archived as JSON.
    pub fn archive(&self) -> PathBuf {
        self.data.join("archive")
    }

    /// The settings.
    pub fn settings(&self) -> PathBuf {
        self.config.join("settings.json")
    }

    /// The keys, on a machine without a keychain.
    pub fn secrets(&self) -> PathBuf {
        self.config.join("secrets.json")
    }
}

/// A folder as it was named: from the root, or from where the program is.
fn beside(program: &Path, folder: &OsStr) -> Option<PathBuf> {
    Some(program.parent()?.join(folder).components().collect())
}

/// The XDG specification tells programs to ignore relative paths.
fn absolute(variable: &str) -> Option<PathBuf> {
    env::var_os(variable).map(PathBuf::from).filter(|path| path.is_absolute())
}

#[cfg(not(any(target_os = "macos", windows)))]
fn of_platform() -> Option<Places> {
    let under = |variable, fallback: &str| {
        let base = absolute(variable).or_else(|| Some(env::home_dir()?.join(fallback)));
        base.map(|base| base.join("skein"))
    };
    Some(Places {
        config: under("XDG_CONFIG_HOME", ".config")?,
        data: under("XDG_DATA_HOME", ".local/share")?,
        cache: under("XDG_CACHE_HOME", ".cache")?,
        portable: false,
    })
}

#[cfg(target_os = "macos")]
fn of_platform() -> Option<Places> {
    let library = env::home_dir()?.join("Library");
    let support = library.join("Application Support").join(BUNDLE_ID);
    Some(Places {
        config: support.clone(),
        data: support,
        cache: library.join("Caches").join(BUNDLE_ID),
        portable: false,
    })
}

#[cfg(windows)]
fn of_platform() -> Option<Places> {
    let local = absolute("LOCALAPPDATA")?.join("Skein");
    Some(Places {
        config: absolute("APPDATA")?.join("Skein"),
        cache: local.join("cache"),
        data: local,
        portable: false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn a_relative_folder_is_beside_the_program() {
        for (named, folder) in [
            ("data", "/opt/skein/data"),
            ("./data/", "/opt/skein/data"),
            ("/elsewhere", "/elsewhere"),
        ] {
            let found = beside(Path::new("/opt/skein/skein"), named.as_ref());
            assert_eq!(found, Some(folder.into()), "{named}");
        }
    }
}
