//! Turns a picture or a file into an attachment: reads its kind from its bytes, and extracts its
//! text.
//!
//! Pure. Not here: reading a document (`documents`), storing the bytes (`store`), the tokens of a
//! picture (`context::tokens`).

use imagesize::ImageType;
use skein_domain::draft::Attachment;
use skein_domain::error::{Error, FileError, Result};
use skein_domain::ids::BlobId;
use skein_platform::charset;

use crate::Document;
use crate::image_info::{image_size, image_type, make_picture};

/// The size limit of an attachment, in bytes.
pub const MAX_BYTES: u32 = 50 * 1024 * 1024;

/// A file whose kind is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum IngestedFile {
    /// A picture, for models with vision.
    Image {
        /// For example `image/png`.
        media_type: &'static str,
        /// Pixels; `None` when the header could not be read.
        size: Option<(u32, u32)>,
    },
    /// A file that contains text.
    File {
        /// For example `text/plain`.
        media_type: &'static str,
        document: Document,
    },
}

/// Reads the kind and the content of a file. Blocks.
///
/// # Errors
/// [`Error::BadFile`] if it is empty, too large, or neither a picture, a text nor a readable
/// document.
pub fn ingest(name: &str, bytes: &[u8]) -> Result<IngestedFile> {
    let refuse = |fault| Err(Error::BadFile { name: name.to_owned(), fault });
    if bytes.is_empty() {
        return refuse(FileError::Empty {});
    }
    if bytes.len() > MAX_BYTES as usize {
        return refuse(FileError::TooLarge { limit: MAX_BYTES });
    }
    if let Some(media_type) = picture_type(bytes) {
        return Ok(IngestedFile::Image { media_type, size: image_size(bytes) });
    }
    if is_other_picture(bytes) {
        return refuse(FileError::OtherPicture {});
    }
    let (media_type, says) = read_as(name, bytes)?;
    Ok(IngestedFile::File { media_type, document: says })
}

/// The attachment of a message, made from an ingested file.
pub fn attachment(taken: IngestedFile, blob: BlobId, name: String, bytes: usize) -> Attachment {
    match taken {
        IngestedFile::Image { media_type, size } => {
            Attachment::Image(make_picture(media_type, size, blob, name, bytes))
        }
        IngestedFile::File { media_type, document: _ } => {
            let bytes = u32::try_from(bytes).unwrap_or(u32::MAX);
            Attachment::File { blob, name, media_type: media_type.to_owned(), bytes }
        }
    }
}

/// The text of a file, as it will be sent. The same bytes always give the same text. Blocks.
///
/// # Errors
/// [`Error::BadFile`] if it is neither a text nor a readable document.
pub fn extract_document(name: &str, bytes: &[u8]) -> Result<Document> {
    read_as(name, bytes).map(|(_, says)| says)
}

fn read_as(name: &str, bytes: &[u8]) -> Result<(&'static str, Document)> {
    let refused = |fault| Error::BadFile { name: name.to_owned(), fault };
    if let Some((kind, says)) = crate::read(bytes).map_err(refused)? {
        return Ok((kind.media_type(), says));
    }
    let text = charset::decode(bytes).ok_or_else(|| refused(FileError::NotText {}))?;
    Ok((text_type(name), Document { text, pages: None }))
}

/// The media type of a picture that can be attached, including formats that are converted before
/// they are sent.
fn picture_type(bytes: &[u8]) -> Option<&'static str> {
    image_type(bytes).or_else(|| match imagesize::image_type(bytes).ok()? {
        // The signature of BMP is two letters, which a text may begin with as well.
        ImageType::Bmp if bytes.get(6..10) == Some(&[0; 4]) => Some("image/bmp"),
        ImageType::Tiff => Some("image/tiff"),
        _ => None,
    })
}

/// True if the file is a picture in an unsupported format, such as the HEIC photos of many phones.
fn is_other_picture(bytes: &[u8]) -> bool {
    matches!(imagesize::image_type(bytes), Ok(ImageType::Heif(_) | ImageType::Jxl))
}

fn text_type(name: &str) -> &'static str {
    let ending = name.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase());
    match ending.as_deref() {
        Some("md" | "markdown") => "text/markdown",
        Some("csv") => "text/csv",
        Some("html" | "htm") => "text/html",
        Some("json") => "application/json",
        Some("xml") => "application/xml",
        _ => "text/plain",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_read_in_the_encoding_it_was_saved_in() {
        let check = |bytes: &[u8], expected: &str| {
            let says = Document { text: expected.into(), pages: None };
            assert_eq!(extract_document("notes.md", bytes).unwrap(), says);
            let taken = ingest("notes.md", bytes).unwrap();
            assert_eq!(taken, IngestedFile::File { media_type: "text/markdown", document: says });
        };
        check("plain".as_bytes(), "plain");
        check(b"BM is what a bitmap begins with", "BM is what a bitmap begins with");
        check("上下文".as_bytes(), "上下文");
        check(b"\xef\xbb\xbfmarked", "marked");
        check(b"\xff\xfeh\0i\0", "hi");
        let gbk = encoding_rs::GBK.encode("会话永远不必结束，上下文会自己整理。").0;
        check(&gbk, "会话永远不必结束，上下文会自己整理。");
    }

    #[test]
    fn a_picture_is_known_by_its_bytes_and_not_by_its_name() {
        let png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x02\x80\0\0\x01\xe0\x08\x06\0\0\0";
        assert_eq!(
            ingest("holiday.txt", png).unwrap(),
            IngestedFile::Image { media_type: "image/png", size: Some((640, 480)) }
        );
    }

    #[test]
    fn what_is_neither_is_refused_with_its_name() {
        for (bytes, fault) in [
            (&b""[..], FileError::Empty {}),
            (b"\x7fELF\0\0\0\x01", FileError::NotText {}),
            (b"\0\0\0\x18ftypheic\0\0\0\0mif1heic", FileError::OtherPicture {}),
            (b"\0\0\0\x1cftypavif\0\0\0\0avifmif1miaf", FileError::OtherPicture {}),
        ] {
            assert_eq!(ingest("thing", bytes), Err(Error::BadFile { name: "thing".into(), fault }));
        }
    }
}
