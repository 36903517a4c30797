//! A lock of a file as the sign that a process runs: every system releases it when the process ends.

use std::fs::{File, TryLockError};
use std::path::Path;

/// True while a process holds the lock of this file, as `mcp-test-server --lock` does until it ends.
pub fn is_locked(file: &Path) -> bool {
    File::open(file).is_ok_and(|file| matches!(file.try_lock(), Err(TryLockError::WouldBlock)))
}
