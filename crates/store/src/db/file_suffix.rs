//! Names of the files that SQLite creates beside a database: `-wal`, `-shm`, `-journal`.

use std::path::{Path, PathBuf};

/// A path with a suffix appended to its file name.
pub(crate) fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}
