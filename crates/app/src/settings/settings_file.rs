//! `settings.json`: only what differs from the defaults, unknown keys kept, written whole or not at
//! all. A file that cannot be read is never written over.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{fs, io};

use parking_lot::{Mutex, RwLock};
use serde_json::{Map, Value};
use skein_context::limits::policy::Policy;
use skein_domain::error::{Error, Result};
use skein_domain::model::ModelLimits;
use skein_domain::session::SessionOverrides;
use skein_platform::atomic_file;
use skein_platform::paths::AppPaths;

use super::Settings;
use super::sparse::{self, SettingProblem};

const SCHEMA: &str = include_str!("schema.json");
const SCHEMA_NAME: &str = "settings.schema.json";

/// The settings and the file they are kept in.
pub struct SettingsFile {
    path: PathBuf,
    mode: StartMode,
    /// One change at a time.
    changing: Mutex<()>,
    now: RwLock<Arc<LoadedSettings>>,
}

/// How the program was started. The file says nothing of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StartMode {
    /// As the settings say.
    Normal,
    /// `--safe-mode`: no MCP server starts, and nothing is compacted, cleared or archived automatically.
    Safe,
}

/// What reading the file came to.
struct LoadedSettings {
    settings: Arc<Settings>,
    /// What the file said, for when it is not there any more.
    file: Map<String, Value>,
    problems: Vec<SettingProblem>,
    /// `SettingsBroken`: the defaults hold, and nothing is written.
    broken: Option<Error>,
}

impl SettingsFile {
    /// Reads the settings. Never fails: a file that is not there or cannot be read leaves the
    /// defaults, and [`SettingsFile::broken`] says so.
    pub fn open(places: &AppPaths) -> Self {
        Self::open_as(places, StartMode::Normal)
    }

    /// The same, for a program that was started in this mode.
    pub fn open_as(places: &AppPaths, mode: StartMode) -> Self {
        let path = places.settings();
        let now = RwLock::new(Arc::new(read(&path)));
        Self { path, mode, changing: Mutex::new(()), now }
    }

    /// Whether the program was started with `--safe-mode`.
    pub fn is_safe_mode(&self) -> bool {
        self.mode == StartMode::Safe
    }

    /// The policy that holds for a session and its model. In safe mode it is never automatic, whatever the
    /// session says.
    pub fn policy(&self, overrides: &SessionOverrides, limits: &ModelLimits) -> Policy {
        let policy = Policy::resolve(&self.get().policy(), overrides, limits);
        Policy { automatic: policy.automatic && !self.is_safe_mode(), ..policy }
    }

    /// The settings as they are.
    pub fn get(&self) -> Arc<Settings> {
        Arc::clone(&self.now().settings)
    }

    /// Values in the file that could not be used.
    pub fn problems(&self) -> Vec<SettingProblem> {
        self.now().problems.clone()
    }

    /// Why the file could not be read at all.
    pub fn broken(&self) -> Option<Error> {
        self.now().broken.clone()
    }

    /// The settings as the file says them now; `None`: there is no file, or not all of it can be read.
    pub fn read_whole(&self) -> Option<Arc<Settings>> {
        let is_there = fs::exists(&self.path).unwrap_or(false);
        let LoadedSettings { settings, problems, broken, .. } = read(&self.path);
        (is_there && problems.is_empty() && broken.is_none()).then_some(settings)
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Changes the settings; what was written into the file by hand meanwhile stays. A file that is not
    /// there any more is written as it was: whoever moves it away may be about to put it back. Blocks for
    /// as long as the disk takes.
    ///
    /// # Errors
    /// `Invalid` for a value out of range, `SettingsBroken` until [`SettingsFile::reset`],
    /// `DiskFull`, `Storage`; the settings stay as they were.
    pub fn change(&self, change: impl FnOnce(&mut Settings)) -> Result<Arc<Settings>> {
        let _one = self.changing.lock();
        let before = self.get();
        let mut after = Settings::clone(&before);
        change(&mut after);
        if !after.in_range() {
            return Err(Error::Invalid { detail: "a setting is out of range".into() });
        }
        let mut file = parse(&self.path)?.unwrap_or_else(|| self.now().file.clone());
        sparse::write(&mut file, &before, &after);
        write(&self.path, &mut file)?;
        let now = self.take(read(&self.path));
        Ok(Arc::clone(&now.settings))
    }

    /// Puts a broken file aside and begins with the defaults. Returns where it is kept.
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

/// The file's values; `None` when there is no file. A link that leads nowhere is no file that is not there:
/// its place may come back.
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
    // Some editors on Windows begin a file with a mark.
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes);
    serde_json::from_slice(text).map(Some).map_err(|error| broken(error.to_string()))
}

/// Writes beside the file, then over it: a reader, or a power cut, meets the old or the new.
fn write(path: &Path, file: &mut Map<String, Value>) -> Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    if !file.contains_key("$schema") {
        file.shift_insert(0, "$schema".into(), format!("./{SCHEMA_NAME}").into());
    }
    let mut text = serde_json::to_string_pretty(file)
        .map_err(|error| Error::Storage { detail: error.to_string() })?;
    text.push('\n');
    // Before the settings, and nothing they depend upon: it helps those who write them by hand.
    if let Err(error) = replace(&folder.join(SCHEMA_NAME), SCHEMA.as_bytes()) {
        tracing::warn!(%error, "the schema of the settings was not written");
    }
    replace(path, text.as_bytes())
}

fn replace(path: &Path, bytes: &[u8]) -> Result<()> {
    if fs::read(path).is_ok_and(|old| old == bytes) {
        return Ok(());
    }
    atomic_file::write_private(path, bytes)
}
