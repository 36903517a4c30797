//! Reads a ZIP archive. Only requested entries are unpacked: it may contain much that no
//! conversation needs, and claim a size beyond the memory.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Bound;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use skein_documents::attachment::MAX_BYTES;
use skein_domain::error::FileError;
use zip::ZipArchive;
use zip::result::ZipResult;

/// The limit of an unpacked text, in bytes.
const MAX_TEXT: u32 = u32::MAX;

/// The limit of all unpacked data of one archive, in bytes. Texts are read twice, and many entries
/// may refer to the same bytes.
const MAX_UNPACKED: u64 = 16 * 1024 * 1024 * 1024;

/// A file with several independent read positions on one thread: one per clone.
#[derive(Clone)]
pub(crate) struct SharedFile {
    file: Arc<File>,
    at: u64,
}

impl SharedFile {
    /// A handle at the beginning of the file.
    pub(crate) fn new(file: File) -> Self {
        Self { file: Arc::new(file), at: 0 }
    }

    /// The size of the file in bytes.
    pub(crate) fn length(&self) -> u64 {
        self.file.metadata().map_or(0, |about| about.len())
    }
}

impl Read for SharedFile {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut file = &*self.file;
        file.seek(SeekFrom::Start(self.at))?;
        let read = file.read(buffer)?;
        self.at += read as u64;
        Ok(read)
    }
}

impl Seek for SharedFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let mut file = &*self.file;
        file.seek(SeekFrom::Start(self.at))?;
        self.at = file.seek(to)?;
        Ok(self.at)
    }
}

/// The files beside a conversation. Clones read the same archive.
#[derive(Clone)]
pub(crate) struct ImportArchive {
    /// `None` if the conversation is a file of its own.
    zip: Option<ZipArchive<SharedFile>>,
    /// The index of each entry by the last part of its name. Entries outside folders take
    /// precedence.
    files: BTreeMap<String, usize>,
    /// The bytes that may still be unpacked, shared by all clones.
    room: Arc<AtomicU64>,
}

impl ImportArchive {
    /// An archive without files.
    pub(crate) fn none() -> Self {
        Self { zip: None, files: BTreeMap::new(), room: Arc::default() }
    }

    pub(crate) fn open(file: SharedFile) -> ZipResult<Self> {
        Self::within(file, MAX_UNPACKED)
    }

    fn within(file: SharedFile, room: u64) -> ZipResult<Self> {
        let zip = ZipArchive::new(file)?;
        let (mut files, mut in_none) = (BTreeMap::new(), BTreeMap::new());
        for (place, name) in zip.file_names().enumerate() {
            // An entry whose name cannot be decoded cannot be referred to.
            let Ok(name) = name else { continue };
            let Some(last) = name.rsplit(['/', '\\']).next().filter(|last| !last.is_empty()) else {
                continue;
            };
            let among = if last.len() == name.len() { &mut in_none } else { &mut files };
            among.insert(last.to_owned(), place);
        }
        files.append(&mut in_none);
        Ok(Self { zip: Some(zip), files, room: Arc::new(AtomicU64::new(room)) })
    }

    /// The names with this prefix, sorted.
    pub(crate) fn names_with_prefix<'a>(&'a self, with: &'a str) -> impl Iterator<Item = &'a str> {
        let from = (Bound::Included(with), Bound::Unbounded);
        let names = self.files.range::<str, _>(from).map(|(name, _)| name.as_str());
        names.take_while(move |name| name.starts_with(with))
    }

    /// The bytes of an attachment, or the reason why it cannot be read. One above the size limit is
    /// refused.
    pub(crate) fn unpack(&mut self, name: &str) -> Result<Vec<u8>, FileError> {
        let mut bytes = Vec::new();
        let mut file = self.file(name, MAX_BYTES)?;
        file.read_to_end(&mut bytes).map_err(|error| match error.kind() {
            io::ErrorKind::QuotaExceeded => FileError::TooLarge { limit: MAX_BYTES },
            _ => broken(&error),
        })?;
        let fits = bytes.len() <= MAX_BYTES as usize;
        if fits { Ok(bytes) } else { Err(FileError::TooLarge { limit: MAX_BYTES }) }
    }

    pub(crate) fn text(&mut self, name: &str) -> Result<impl Read, FileError> {
        self.file(name, MAX_TEXT)
    }

    /// A reader of a file. A stated size above `limit` is refused; if the stated size is false, one
    /// byte more than the limit is read.
    fn file(&mut self, name: &str, limit: u32) -> Result<impl Read, FileError> {
        let place = self.files.get(name).copied();
        let Some((zip, place)) = self.zip.as_mut().zip(place) else {
            return Err(FileError::Unreadable {});
        };
        let file = zip.by_index(place).map_err(|error| broken(&error))?;
        if file.size() > u64::from(limit) {
            return Err(FileError::TooLarge { limit });
        }
        let file = file.take(u64::from(limit) + 1);
        Ok(AllowanceReader { file, room: Arc::clone(&self.room) })
    }
}

/// Charges the bytes of an entry to the allowance of the archive.
struct AllowanceReader<R> {
    file: R,
    room: Arc<AtomicU64>,
}

impl<R: Read> Read for AllowanceReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read(buffer)?;
        let left = self.room.load(Ordering::Relaxed).checked_sub(read as u64);
        let left = left.ok_or(io::ErrorKind::QuotaExceeded)?;
        self.room.store(left, Ordering::Relaxed);
        Ok(read)
    }
}

fn broken(error: &dyn Display) -> FileError {
    tracing::info!(%error, "a file of an archive cannot be unpacked");
    FileError::CutOff {}
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use zip::ZipWriter;
    use zip::write::SimpleFileOptions;

    use super::*;

    #[test]
    fn what_is_unpacked_of_an_archive_has_a_limit_in_all() {
        let mut zip = ZipWriter::new(tempfile::tempfile().unwrap());
        for name in ["a", "b", "c"] {
            zip.start_file(name, SimpleFileOptions::default()).unwrap();
            zip.write_all(&[7; 1_000]).unwrap();
        }
        let file = zip.finish().unwrap();
        let mut archive = ImportArchive::within(SharedFile::new(file), 2_500).unwrap();
        let mut another = archive.clone();
        assert_eq!(archive.unpack("a").map(|bytes| bytes.len()), Ok(1_000));
        assert_eq!(another.unpack("b").map(|bytes| bytes.len()), Ok(1_000));
        assert_eq!(archive.unpack("c"), Err(FileError::TooLarge { limit: MAX_BYTES }));
    }
}
