//! The steps of archiving and of clearing a thread, in order. The program may die between any two
//! of them without losing data. Each completed step is logged. The first ones are those of every
//! atomically written file.
//!
//! They are public so that `tests/threads/crash.rs` can listen to the log and kill the program
//! after each.

/// A completed step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CrashPoint {
    /// The temporary file exists.
    FileBegun,
    /// The temporary file is complete.
    FileFilled,
    /// The temporary file is synced to the disk.
    FileSynced,
    FileNamed,
    /// The folder is synced to the disk.
    FolderSynced,
    /// The thread is marked as ended. From here on, all steps are one transaction.
    ThreadEnded,
    /// The next thread exists.
    ThreadBegun,
    NoticePosted,
    /// The messages that still need a reply moved to it.
    MessagesCarried,
    /// The handoff is stored.
    PackageKept,
    /// The activity log has an entry.
    EventLogged,
    /// The transaction is on the disk.
    Settled,
}

impl CrashPoint {
    /// The steps of an archive.
    pub const ARCHIVE: [Self; 11] = [
        Self::FileBegun,
        Self::FileFilled,
        Self::FileSynced,
        Self::FileNamed,
        Self::FolderSynced,
        Self::ThreadEnded,
        Self::ThreadBegun,
        Self::NoticePosted,
        Self::MessagesCarried,
        Self::EventLogged,
        Self::Settled,
    ];

    /// The steps of an automatic clear.
    pub const CLEAR: [Self; 7] = [
        Self::ThreadEnded,
        Self::ThreadBegun,
        Self::NoticePosted,
        Self::MessagesCarried,
        Self::PackageKept,
        Self::EventLogged,
        Self::Settled,
    ];

    pub fn reached(self) {
        tracing::trace!(step = ?self);
    }
}
