//! Compound files: the container of Office before 2007, and of newer files that are locked with a password.
//! The names in it tell which.

use skein_domain::error::FileError;

pub(crate) fn is_compound(begin: &[u8]) -> bool {
    begin.starts_with(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")
}

/// True if a compound file is a spreadsheet; false if it is no document.
///
/// # Errors
/// The file is encrypted, or a document of Word or PowerPoint.
pub(crate) fn is_workbook(bytes: &[u8]) -> Result<bool, FileError> {
    let names = |name: &str| {
        let name: Vec<u8> = name.encode_utf16().flat_map(u16::to_le_bytes).collect();
        bytes.windows(name.len()).any(|window| window == name)
    };
    if names("EncryptedPackage") {
        return Err(FileError::Locked {});
    }
    if ["WordDocument", "PowerPoint Document"].into_iter().any(names) {
        return Err(FileError::OtherOffice {});
    }
    Ok(["Workbook", "Book"].into_iter().any(names))
}
