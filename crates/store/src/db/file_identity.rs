//! What identifies a file at a path, so that the store notices when the open database was replaced.
//!
//! Windows does not let an open file be deleted or moved, so there is nothing to notice there.

use std::path::Path;

/// Tells a file from another one that later stands at the same path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(not(unix), allow(dead_code))]
pub(crate) struct FileIdentity {
    device: u64,
    number: u64,
}

impl FileIdentity {
    /// `None`: nothing is there, or the system has no such thing.
    #[cfg(unix)]
    pub fn of(path: &Path) -> Option<Self> {
        use std::os::unix::fs::MetadataExt;
        let file = std::fs::metadata(path).ok()?;
        Some(Self { device: file.dev(), number: file.ino() })
    }

    /// Identity of the file at a path; always `None` here, where the system offers none.
    #[cfg(not(unix))]
    pub fn of(_path: &Path) -> Option<Self> {
        None
    }
}
