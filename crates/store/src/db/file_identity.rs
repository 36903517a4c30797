//! Identifies a file, so that the store notices if the open database was replaced.
//!
//! Windows does not let an open file be deleted or moved, so nothing is checked there.

use std::path::Path;

/// Identifies a file, independent of its path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(not(unix), allow(dead_code))]
pub(crate) struct FileIdentity {
    device: u64,
    number: u64,
}

impl FileIdentity {
    /// `None` if there is no file, or the system has no identities.
    #[cfg(unix)]
    pub fn of(path: &Path) -> Option<Self> {
        use std::os::unix::fs::MetadataExt;
        let file = std::fs::metadata(path).ok()?;
        Some(Self { device: file.dev(), number: file.ino() })
    }

    /// Always `None`: this system has no identities.
    #[cfg(not(unix))]
    pub fn of(_path: &Path) -> Option<Self> {
        None
    }
}
