//! The program's folders, where each platform expects them.
//!
//! Not here: creating folders. Code that writes into a folder creates it.

use std::env;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// The bundle id. Names the folders on macOS and Windows, and the keychain entries everywhere.
pub const BUNDLE_ID: &str = "app.skein.desktop";

/// Names of the files and folders that hold data of the user.
const USER_DATA: [&str; 10] = [
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

/// The folders of the program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AppPaths {
    /// `settings.json`, `AGENTS.md`, `skills/`, `prompts/`.
    pub config: PathBuf,
    /// The database, its backups, `archive/`.
    pub data: PathBuf,
    /// Data that can be fetched again.
    pub cache: PathBuf,
    /// True if everything, including the keys, is in one folder that may be carried elsewhere.
    pub portable: bool,
}

impl AppPaths {
    /// The folders of the current user. `SKEIN_DATA_DIR` puts everything into one folder; a
    /// relative path is resolved beside the program, so that it is the same at every start. `None`
    /// if neither it nor a home folder is known.
    pub fn for_current_user() -> Option<Self> {
        match env::var_os("SKEIN_DATA_DIR").filter(|folder| !folder.is_empty()) {
            Some(folder) => Some(Self::in_folder(&folder_from_variable(&folder)?)),
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

    /// Copies of the database, made before migrations and daily.
    pub fn backups(&self) -> PathBuf {
        self.data.join("backups")
    }

    /// Archived threads as JSON (P04).
    pub fn archive(&self) -> PathBuf {
        self.data.join("archive")
    }

    pub fn settings(&self) -> PathBuf {
        self.config.join("settings.json")
    }

    /// The account of what was spent of each budget.
    pub fn budgets(&self) -> PathBuf {
        self.config.join("budgets.json")
    }

    pub fn prompts(&self) -> PathBuf {
        self.config.join("prompts")
    }

    /// The id of this installation. It is not beside the database, so that a copied data folder
    /// does not carry it.
    pub fn installation(&self) -> PathBuf {
        self.config.join("installation")
    }

    /// The keys, on a machine without a keychain.
    pub fn secrets(&self) -> PathBuf {
        self.config.join("secrets.json")
    }

    /// The names of keys that no setting may use any more.
    pub fn orphaned_keys(&self) -> PathBuf {
        self.config.join("orphaned-keys.json")
    }

    /// The packages and records of updates.
    pub fn updates(&self) -> PathBuf {
        self.data.join("updates")
    }

    /// The exports that have begun and not ended.
    pub fn unfinished_exports(&self) -> PathBuf {
        self.data.join("unfinished-exports.json")
    }
}

/// The AppImage that this program was started from; `None`: it was started from none. The variables alone say
/// nothing: a program that an AppImage starts inherits them.
pub fn app_image() -> Option<PathBuf> {
    let image = PathBuf::from(env::var_os("APPIMAGE")?).canonicalize().ok()?;
    let mounted = Path::new(&env::var_os("APPDIR")?).canonicalize().ok()?;
    env::current_exe().ok()?.starts_with(mounted).then_some(image)
}

/// The folder that the user named.
fn folder_from_variable(folder: &OsStr) -> Option<PathBuf> {
    let executable = env::current_exe().ok()?;
    let image = env::var_os("APPIMAGE").map(PathBuf::from);
    let mounted = env::var_os("APPDIR").and_then(|folder| Path::new(&folder).canonicalize().ok());
    let carried = program_file(&executable, image.as_deref().zip(mounted.as_deref()));
    // Earlier versions resolved it beside the executable, also within an AppImage or bundle.
    Some(new_or_used_folder(
        sibling_folder(carried, folder)?,
        sibling_folder(&executable, folder)?,
        may_hold_data,
    ))
}

/// The file or folder that users move around as the program: the AppImage, the application bundle
/// of macOS, or else the executable. An update replaces everything inside.
fn program_file<'a>(executable: &'a Path, image: Option<(&'a Path, &Path)>) -> &'a Path {
    let image = image.filter(|(_, mounted)| executable.starts_with(mounted));
    let is_application = |folder: &&Path| {
        let inside = executable.strip_prefix(folder);
        folder.extension().is_some_and(|it| it == "app")
            && inside.is_ok_and(|it| it.starts_with("Contents"))
    };
    let application = || executable.ancestors().filter(is_application).last();
    image.map(|(file, _)| file).or_else(application).unwrap_or(executable)
}

/// The new folder, unless only the old one has data.
fn new_or_used_folder(new: PathBuf, old: PathBuf, holds: impl Fn(&Path) -> bool) -> PathBuf {
    if holds(&old) && !holds(&new) { old } else { new }
}

/// True if the folder may hold data of the user. A folder that cannot be read may.
fn may_hold_data(folder: &Path) -> bool {
    USER_DATA.iter().any(|name| folder.join(name).try_exists().unwrap_or(true))
}

/// A folder as it was named: absolute, or relative to the program.
fn sibling_folder(program: &Path, folder: &OsStr) -> Option<PathBuf> {
    Some(program.parent()?.join(folder).components().collect())
}

/// The absolute path in a variable. The XDG specification tells programs to ignore relative ones.
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
    Some(of_windows(&absolute("APPDATA")?, &absolute("LOCALAPPDATA")?, may_hold_data))
}

/// The folders that the uninstaller deletes on request. The old ones had the name of the program,
/// and thus of the installation folder.
#[cfg(any(windows, test))]
fn of_windows(roaming: &Path, local: &Path, holds: impl Fn(&Path) -> bool) -> AppPaths {
    let within = |base: &Path| new_or_used_folder(base.join(BUNDLE_ID), base.join("Skein"), &holds);
    let data = within(local);
    AppPaths { config: within(roaming), cache: data.join("cache"), data, portable: false }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_relative_folder_is_beside_the_program() {
        let (program, data, elsewhere) = if cfg!(windows) {
            (r"C:\Skein\skein.exe", r"C:\Skein\data", r"D:\elsewhere")
        } else {
            ("/opt/skein/skein", "/opt/skein/data", "/elsewhere")
        };
        for (named, folder) in [("data", data), ("./data/", data), (elsewhere, elsewhere)] {
            let found = sibling_folder(Path::new(program), named.as_ref());
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
            // Started from the AppImage of another program.
            ("/opt/skein/skein", image, "/opt/skein/skein"),
            ("/stick/Skein.app/Contents/MacOS/skein", None, "/stick/Skein.app"),
            ("/a.app/Contents/b.app/Contents/MacOS/skein", None, "/a.app"),
            ("/home/me/my.app/skein", None, "/home/me/my.app/skein"),
        ] {
            let image = image.map(|(file, mounted)| (Path::new(file), Path::new(mounted)));
            assert_eq!(
                program_file(Path::new(executable), image),
                Path::new(program),
                "{executable}"
            );
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
        assert!(!may_hold_data(&folder.path().join("missing")));
        std::fs::write(folder.path().join("skein.exe"), "").unwrap();
        std::fs::create_dir(folder.path().join("cache")).unwrap();
        assert!(!may_hold_data(folder.path()));
        let places = AppPaths::in_folder(folder.path());
        let files = [places.database(), places.settings(), places.secrets()];
        for kept in [places.backups(), places.archive()].into_iter().chain(files) {
            std::fs::create_dir(&kept).unwrap();
            assert!(may_hold_data(folder.path()), "{}", kept.display());
            std::fs::remove_dir(&kept).unwrap();
        }
    }
}
