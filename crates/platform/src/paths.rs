//! Where things are on this machine, as each platform's people expect it.
//!
//! Nothing is created here: who writes into a folder makes it.

use std::env;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// The bundle id: names the folders on macOS and Windows, the keychain entries everywhere.
pub const BUNDLE_ID: &str = "app.skein.desktop";

/// What would be missed in a folder of ours.
const KEPT: [&str; 10] = [
    "skein.db",
    "backups",
    "archive",
    "settings.json",
    "secrets.json",
    "skills",
    "prompts",
    "AGENTS.md",
    "CLAUDE.md",
    "QWEN.md",
];

/// The three folders of the program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AppPaths {
    /// `settings.json`, `AGENTS.md`, `skills/`, `prompts/`.
    pub config: PathBuf,
    /// The database, its backups, `archive/`.
    pub data: PathBuf,
    /// What can be fetched again.
    pub cache: PathBuf,
    /// Whether everything is in one folder that may travel, the keys too.
    pub portable: bool,
}

impl AppPaths {
    /// The folders of the user who runs the program; `SKEIN_DATA_DIR` puts all of it in one. A
    /// relative one is beside the program, so that it is the same at every start.
    /// `None` when neither it nor a home folder is known.
    pub fn for_current_user() -> Option<Self> {
        match env::var_os("SKEIN_DATA_DIR").filter(|folder| !folder.is_empty()) {
            Some(folder) => Some(Self::in_folder(&named(&folder)?)),
            None => of_platform(),
        }
    }

    /// Everything under one folder: portable use, and tests.
    pub fn in_folder(folder: &Path) -> Self {
        Self {
            config: folder.to_owned(),
            data: folder.to_owned(),
            cache: folder.join("cache"),
            portable: true,
        }
    }

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

    pub fn settings(&self) -> PathBuf {
        self.config.join("settings.json")
    }

    pub fn prompts(&self) -> PathBuf {
        self.config.join("prompts")
    }

    /// The id of this installation. Not beside the database: who hands over a data folder hands over none.
    pub fn installation(&self) -> PathBuf {
        self.config.join("installation")
    }

    /// The keys, on a machine without a keychain.
    pub fn secrets(&self) -> PathBuf {
        self.config.join("secrets.json")
    }

    /// The names of keys that nothing may name any more.
    pub fn orphaned_keys(&self) -> PathBuf {
        self.config.join("orphaned-keys.json")
    }

    /// The exports that have begun and not ended.
    pub fn unfinished_exports(&self) -> PathBuf {
        self.data.join("unfinished-exports.json")
    }
}

/// The folder the user named.
fn named(folder: &OsStr) -> Option<PathBuf> {
    let executable = env::current_exe().ok()?;
    let image = env::var_os("APPIMAGE").map(PathBuf::from);
    let mounted = env::var_os("APPDIR").and_then(|folder| Path::new(&folder).canonicalize().ok());
    let carried = carried(&executable, image.as_deref().zip(mounted.as_deref()));
    // It was beside the executable once, also where that is inside what is carried.
    Some(settled(beside(carried, folder)?, beside(&executable, folder)?, holds))
}

/// What people carry about as the program. An update replaces all that is inside: the AppImage, where
/// the executable is in what that has mounted, or the application of macOS; else the executable.
fn carried<'a>(executable: &'a Path, image: Option<(&'a Path, &Path)>) -> &'a Path {
    let image = image.filter(|(_, mounted)| executable.starts_with(mounted));
    let is_application = |folder: &&Path| {
        let inside = executable.strip_prefix(folder);
        folder.extension().is_some_and(|it| it == "app")
            && inside.is_ok_and(|it| it.starts_with("Contents"))
    };
    let application = || executable.ancestors().filter(is_application).last();
    image.map(|(file, _)| file).or_else(application).unwrap_or(executable)
}

/// A folder that has moved. Who has something in the old one and nothing in the new one stays there.
fn settled(new: PathBuf, old: PathBuf, holds: impl Fn(&Path) -> bool) -> PathBuf {
    if holds(&old) && !holds(&new) { old } else { new }
}

/// Whether there is something in the folder to lose. What cannot be looked into may hold it.
fn holds(folder: &Path) -> bool {
    KEPT.iter().any(|name| folder.join(name).try_exists().unwrap_or(true))
}

/// A folder as it was named: from the root, or from where the program is.
fn beside(program: &Path, folder: &OsStr) -> Option<PathBuf> {
    Some(program.parent()?.join(folder).components().collect())
}

/// The XDG specification tells programs to ignore relative paths.
#[cfg(not(target_os = "macos"))]
fn absolute(variable: &str) -> Option<PathBuf> {
    env::var_os(variable).map(PathBuf::from).filter(|path| path.is_absolute())
}

#[cfg(not(any(target_os = "macos", windows)))]
fn of_platform() -> Option<AppPaths> {
    let under = |variable, fallback: &str| {
        let base = absolute(variable).or_else(|| Some(env::home_dir()?.join(fallback)));
        base.map(|base| base.join("skein"))
    };
    Some(AppPaths {
        config: under("XDG_CONFIG_HOME", ".config")?,
        data: under("XDG_DATA_HOME", ".local/share")?,
        cache: under("XDG_CACHE_HOME", ".cache")?,
        portable: false,
    })
}

#[cfg(target_os = "macos")]
fn of_platform() -> Option<AppPaths> {
    let library = env::home_dir()?.join("Library");
    let support = library.join("Application Support").join(BUNDLE_ID);
    Some(AppPaths {
        config: support.clone(),
        data: support,
        cache: library.join("Caches").join(BUNDLE_ID),
        portable: false,
    })
}

#[cfg(windows)]
fn of_platform() -> Option<AppPaths> {
    Some(of_windows(&absolute("APPDATA")?, &absolute("LOCALAPPDATA")?, holds))
}

/// The folders that the uninstaller deletes where it is asked to delete the data. Their old ones had
/// the name of the program, and so of the folder it is installed into.
#[cfg(any(windows, test))]
fn of_windows(roaming: &Path, local: &Path, holds: impl Fn(&Path) -> bool) -> AppPaths {
    let within = |base: &Path| settled(base.join(BUNDLE_ID), base.join("Skein"), &holds);
    let data = within(local);
    AppPaths { config: within(roaming), cache: data.join("cache"), data, portable: false }
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

    #[cfg(unix)]
    #[test]
    fn the_program_is_what_people_carry_about() {
        let image = Some(("/stick/Skein.AppImage", "/tmp/.mount_Skein1"));
        for (executable, image, program) in [
            ("/opt/skein/skein", None, "/opt/skein/skein"),
            ("/tmp/.mount_Skein1/usr/bin/skein", image, "/stick/Skein.AppImage"),
            // Started out of the AppImage of another program.
            ("/opt/skein/skein", image, "/opt/skein/skein"),
            ("/stick/Skein.app/Contents/MacOS/skein", None, "/stick/Skein.app"),
            ("/a.app/Contents/b.app/Contents/MacOS/skein", None, "/a.app"),
            ("/home/me/my.app/skein", None, "/home/me/my.app/skein"),
        ] {
            let image = image.map(|(file, mounted)| (Path::new(file), Path::new(mounted)));
            assert_eq!(carried(Path::new(executable), image), Path::new(program), "{executable}");
        }
    }

    #[test]
    fn who_has_something_in_an_old_folder_keeps_finding_it() {
        let (roaming, local) = (Path::new("roaming"), Path::new("local"));
        let [old, new] = ["Skein", BUNDLE_ID].map(|name| local.join(name));
        let [old_config, new_config] = ["Skein", BUNDLE_ID].map(|name| roaming.join(name));
        let check = |full: &[&PathBuf], config: &PathBuf, data: &PathBuf| {
            let places = of_windows(roaming, local, |folder| full.iter().any(|it| *it == folder));
            let expected = AppPaths {
                config: config.clone(),
                data: data.clone(),
                cache: data.join("cache"),
                portable: false,
            };
            assert_eq!(places, expected, "something is in {full:?}");
        };
        check(&[], &new_config, &new);
        check(&[&old], &new_config, &old);
        check(&[&old, &new], &new_config, &new);
        check(&[&old, &old_config], &old_config, &old);
        check(&[&old_config], &old_config, &new);
    }

    #[test]
    fn a_folder_holds_something_with_any_of_what_is_kept_and_not_with_the_program() {
        let folder = tempfile::tempdir().unwrap();
        assert!(!holds(&folder.path().join("missing")));
        std::fs::write(folder.path().join("skein.exe"), "").unwrap();
        std::fs::create_dir(folder.path().join("cache")).unwrap();
        assert!(!holds(folder.path()));
        let places = AppPaths::in_folder(folder.path());
        let files = [places.database(), places.settings(), places.secrets()];
        for kept in [places.backups(), places.archive()].into_iter().chain(files) {
            std::fs::create_dir(&kept).unwrap();
            assert!(holds(folder.path()), "{}", kept.display());
            std::fs::remove_dir(&kept).unwrap();
        }
    }
}
