//! What an archive and a clear consist of, in order: between any two of these the program may die, and
//! loses nothing. Each is said in the log when it is done, below what is written of it. The first ones are
//! those of any file that is written whole.
//!
//! Here so that `tests/threads/crash.rs` can listen, and die after each.

/// A step that has been done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CrashPoint {
    /// The file has begun, under a name that nobody reads.
    FileBegun,
    /// All of it is written.
    FileFilled,
    /// It is on the disk.
    FileSynced,
    FileNamed,
    /// Its name is on the disk.
    FolderSynced,
    /// The thread has ended. From here to the end of the log one transaction.
    ThreadEnded,
    /// The next one has begun.
    ThreadBegun,
    NoticePosted,
    /// What is to be answered there has moved.
    MessagesCarried,
    /// What is gone on from is kept.
    PackageKept,
    /// It stands in the list of what happened by itself.
    EventLogged,
    /// The transaction is on the disk.
    Settled,
}

impl CrashPoint {
    /// Those of an archive.
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

    /// Those of a clear that happens by itself.
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
