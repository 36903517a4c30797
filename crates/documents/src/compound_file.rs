//! Compound files: the container of Office before 2007, and of newer files that are locked with a password.
//! The streams in it tell which.

use std::io::Cursor;

use cfb::CompoundFile;
use skein_domain::error::FileError;

use super::document_kind::DocumentKind;

pub(crate) fn is_compound(begin: &[u8]) -> bool {
    begin.starts_with(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")
}

/// The kind of document in a compound file; `None` if it is none.
///
/// # Errors
/// The file is encrypted, or damaged.
pub(crate) fn kind(bytes: &[u8]) -> Result<Option<DocumentKind>, FileError> {
    let file = CompoundFile::open(Cursor::new(bytes)).map_err(|error| {
        tracing::info!(?error, "a compound file cannot be read");
        FileError::Broken {}
    })?;
    if file.exists("/EncryptedPackage") {
        return Err(FileError::Locked {});
    }
    let kinds = [
        ("/WordDocument", DocumentKind::Word97),
        ("/PowerPoint Document", DocumentKind::Slides97),
        ("/Workbook", DocumentKind::Excel97),
        ("/Book", DocumentKind::Excel97),
    ];
    Ok(kinds.into_iter().find(|(stream, _)| file.exists(stream)).map(|(_, kind)| kind))
}
