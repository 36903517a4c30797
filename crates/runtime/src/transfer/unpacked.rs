//! A zip archive of which only what is asked for is unpacked: it may hold much that no conversation
//! names, and claim to hold more than there is memory.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::io::{Cursor, Read as _};
use std::ops::Bound;

use zip::ZipArchive;
use zip::result::ZipResult;

use crate::error::FileFault;

/// The most that one file of an archive may unpack to, in bytes.
const UNPACKED_AT_MOST: u32 = 1 << 30;

/// The files that come with a conversation.
pub(super) struct Archive {
    /// `None`: the conversation is a file of its own.
    zip: Option<ZipArchive<Cursor<Vec<u8>>>>,
    /// Their places, by the last parts of their names.
    files: BTreeMap<String, usize>,
}

impl Archive {
    /// No files.
    pub(super) fn none() -> Self {
        Self { zip: None, files: BTreeMap::new() }
    }

    /// Reads what there is.
    pub(super) fn open(bytes: Vec<u8>) -> ZipResult<Self> {
        let zip = ZipArchive::new(Cursor::new(bytes))?;
        let mut files = BTreeMap::new();
        for (place, name) in zip.file_names().enumerate() {
            // One whose name cannot be read is named by nothing else either.
            let Ok(name) = name else { continue };
            let last = name.rsplit(['/', '\\']).next().filter(|last| !last.is_empty());
            files.extend(last.map(|last| (last.to_owned(), place)));
        }
        Ok(Self { zip: Some(zip), files })
    }

    /// The names that begin so, in order.
    pub(super) fn beginning<'a>(&'a self, with: &'a str) -> impl Iterator<Item = &'a str> {
        let from = (Bound::Included(with), Bound::Unbounded);
        let names = self.files.range::<str, _>(from).map(|(name, _)| name.as_str());
        names.take_while(move |name| name.starts_with(with))
    }

    /// What is in a file, or why it cannot be read.
    pub(super) fn unpack(&mut self, name: &str) -> Result<Vec<u8>, FileFault> {
        let place = self.files.get(name).copied();
        let Some((zip, place)) = self.zip.as_mut().zip(place) else {
            return Err(FileFault::Unreadable {});
        };
        let broken = |error: &dyn Display| {
            tracing::info!(%error, "a file of an archive cannot be unpacked");
            FileFault::CutOff {}
        };
        let file = zip.by_index(place).map_err(|error| broken(&error))?;
        let mut bytes = Vec::new();
        let limit = u64::from(UNPACKED_AT_MOST);
        let most = file.take(limit + 1).read_to_end(&mut bytes).map_err(|error| broken(&error))?;
        if u64::try_from(most).is_ok_and(|most| most > limit) {
            return Err(FileFault::TooLarge { limit: UNPACKED_AT_MOST });
        }
        Ok(bytes)
    }
}
