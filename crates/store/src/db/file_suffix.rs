//! Names of the files that SQLite keeps beside a database: `-wal`, `-shm`, `-journal`.

use std::path::{Path, PathBuf};

/// The file whose name is that of another with something behind it.
pub(crate) fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}
