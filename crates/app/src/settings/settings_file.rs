//! `settings.json`: has only the values that differ from the defaults, keeps unknown keys, and is written
//! atomically. A file that cannot be read is never overwritten.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{fs, io};

use parking_lot::{Mutex, RwLock};
use serde::Serialize;
use serde_json::{Map, Value};
use skein_context::limits::policy::Policy;
use skein_domain::error::{Error, Result};
use skein_domain::model::ModelLimits;
use skein_domain::session::SessionOverrides;
use skein_platform::atomic_file;
use skein_platform::paths::AppPaths;

use super::Settings;
use super::schema::SCHEMA;
use super::sparse::{self, SettingProblem};

const SCHEMA_NAME: &str = "settings.schema.json";

/// The settings and their file.
pub struct SettingsFile {
    path: PathBuf,
    mode: StartMode,
    /// Locked during a change.
    changing: Mutex<()>,
    now: RwLock<Arc<LoadedSettings>>,
}

/// The mode in which the program was started. The file does not contain it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StartMode {
    /// Without restrictions.
    Normal,
    /// `--safe-mode`: no MCP server starts, and nothing is compacted, cleared or archived automatically.
    Safe,
}

/// The result of reading the file.
struct LoadedSettings {
    settings: Arc<Settings>,
    /// The contents of the file, for the case that the file disappears.
    file: Map<String, Value>,
    problems: Vec<SettingProblem>,
    /// `SettingsBroken`: the defaults apply, and nothing is written.
    broken: Option<Error>,
}

impl SettingsFile {
    /// Reads the settings. Never fails: if the file is missing or cannot be read, the defaults apply, and
    /// [`SettingsFile::broken`] returns the error.
    pub fn open(places: &AppPaths) -> Self {
        Self::open_as(places, StartMode::Normal)
    }

    /// Reads the settings for a program started in this mode.
    pub fn open_as(places: &AppPaths, mode: StartMode) -> Self {
        let path = places.settings();
        let now = RwLock::new(Arc::new(read(&path)));
        Self { path, mode, changing: Mutex::new(()), now }
    }

    /// True if the program was started with `--safe-mode`.
    pub fn is_safe_mode(&self) -> bool {
        self.mode == StartMode::Safe
    }

    /// The policy for a session and its model. In safe mode it is never automatic.
    pub fn policy(&self, overrides: &SessionOverrides, limits: &ModelLimits) -> Policy {
        let policy = Policy::resolve(&self.get().policy(), overrides, limits);
        Policy { automatic: policy.automatic && !self.is_safe_mode(), ..policy }
    }

    /// The current settings.
    pub fn get(&self) -> Arc<Settings> {
        Arc::clone(&self.now().settings)
    }

    /// The values in the file that are invalid.
    pub fn problems(&self) -> Vec<SettingProblem> {
        self.now().problems.clone()
    }

    /// The error of a file that cannot be read; `None`: it can.
    pub fn broken(&self) -> Option<Error> {
        self.now().broken.clone()
    }

    /// Reads the settings from the file again; `None`: there is no file, or a part of it is invalid.
    pub fn read_whole(&self) -> Option<Arc<Settings>> {
        let is_there = fs::exists(&self.path).unwrap_or(false);
        let LoadedSettings { settings, problems, broken, .. } = read(&self.path);
        (is_there && problems.is_empty() && broken.is_none()).then_some(settings)
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Changes the settings. Changes that were made to the file by hand meanwhile stay. A file that has
    /// disappeared is written again with its old contents, because somebody may be about to put it back.
    /// Blocks while the disk writes.
    ///
    /// # Errors
    /// `Invalid` for a value out of range, `SettingsBroken` until [`SettingsFile::reset`],
    /// `DiskFull`, `Storage`; the settings stay as they were.
    pub fn change(&self, change: impl FnOnce(&mut Settings)) -> Result<Arc<Settings>> {
        let _one = self.changing.lock();
        let before = self.get();
        let mut after = Settings::clone(&before);
        change(&mut after);
        if !after.is_usable() {
            return Err(Error::Invalid { detail: "a setting is out of range".into() });
        }
        let mut file = parse(&self.path)?.unwrap_or_else(|| self.now().file.clone());
        sparse::write(&mut file, &before, &after);
        write(&self.path, &mut file)?;
        let now = self.take(read(&self.path));
        Ok(Arc::clone(&now.settings))
    }

    /// Renames a broken file and starts with the defaults. Returns the new path of the old file.
    pub fn reset(&self, now: i64) -> Result<PathBuf> {
        let _one = self.changing.lock();
        let aside = self.path.with_file_name(format!("settings.broken-{now}.json"));
        fs::rename(&self.path, &aside).map_err(|error| Error::from_io(&self.path, &error))?;
        self.take(read(&self.path));
        Ok(aside)
    }

    fn now(&self) -> Arc<LoadedSettings> {
        Arc::clone(&self.now.read())
    }

    fn take(&self, read: LoadedSettings) -> Arc<LoadedSettings> {
        let read = Arc::new(read);
        *self.now.write() = Arc::clone(&read);
        read
    }
}

fn read(path: &Path) -> LoadedSettings {
    match parse(path) {
        Ok(file) => {
            let file = file.unwrap_or_default();
            let (settings, problems) = sparse::read(&file);
            LoadedSettings { settings: Arc::new(settings), file, problems, broken: None }
        }
        Err(error) => {
            let settings = Arc::new(Settings::default());
            LoadedSettings { settings, file: Map::new(), problems: Vec::new(), broken: Some(error) }
        }
    }
}

/// The values of the file; `None`: there is no file. A link to a missing file is an error, because its target
/// may come back.
fn parse(path: &Path) -> Result<Option<Map<String, Value>>> {
    let broken =
        |detail: String| Error::SettingsBroken { path: path.display().to_string(), detail };
    let bytes = match fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound && !path.is_symlink() => {
            return Ok(None);
        }
        Err(error) => return Err(broken(error.to_string())),
    };
    // Some editors on Windows begin a file with a byte order mark.
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes);
    serde_json::from_slice(text).map(Some).map_err(|error| broken(error.to_string()))
}

/// Writes atomically: a reader, or a power cut, finds the old file or the new one.
fn write(path: &Path, file: &mut Map<String, Value>) -> Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    if !file.contains_key("$schema") {
        file.shift_insert(0, "$schema".into(), format!("./{SCHEMA_NAME}").into());
    }
    // The schema only helps those who edit the file by hand, so its error does not matter.
    if let Err(error) = replace(&folder.join(SCHEMA_NAME), &*SCHEMA) {
        tracing::warn!(%error, "the schema of the settings was not written");
    }
    replace(path, file)
}

fn replace(path: &Path, json: &impl Serialize) -> Result<()> {
    let mut text = serde_json::to_string_pretty(json)
        .map_err(|error| Error::Storage { detail: error.to_string() })?;
    text.push('\n');
    if fs::read(path).is_ok_and(|old| old == text.as_bytes()) {
        return Ok(());
    }
    atomic_file::write_private(path, text.as_bytes())
}
