//! The kind and size of a picture, read from its bytes.
//!
//! Pure. Not here: other attachments (`attachment`), the tokens of a picture (`context::tokens`).

use imagesize::ImageType;
use skein_domain::ids::BlobId;
use skein_domain::message::ImageRef;

/// A picture whose bytes are not stored yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImageFile {
    /// For example `image/png`.
    pub media_type: &'static str,
    /// Pixels; `None` when the header could not be read.
    pub size: Option<(u32, u32)>,
    pub bytes: Vec<u8>,
}

impl ImageFile {
    /// `None` if no model with vision takes this format.
    pub fn new(bytes: Vec<u8>) -> Option<Self> {
        Some(Self { media_type: image_type(&bytes)?, size: image_size(&bytes), bytes })
    }

    /// A reference to the picture, after its bytes were stored.
    pub fn to_picture(&self, blob: BlobId, name: String) -> ImageRef {
        make_picture(self.media_type, self.size, blob, name, self.bytes.len())
    }
}

/// A reference to a picture whose bytes are stored.
pub(crate) fn make_picture(
    media_type: &str,
    size: Option<(u32, u32)>,
    blob: BlobId,
    name: String,
    bytes: usize,
) -> ImageRef {
    ImageRef {
        blob,
        name,
        media_type: media_type.to_owned(),
        width: size.map(|(width, _)| width),
        height: size.map(|(_, height)| height),
        bytes: u32::try_from(bytes).unwrap_or(u32::MAX),
    }
}

/// The picture formats that every provider with vision takes (`image_scaling::FORMATS`).
pub fn image_type(bytes: &[u8]) -> Option<&'static str> {
    match imagesize::image_type(bytes).ok()? {
        ImageType::Png => Some("image/png"),
        ImageType::Jpeg => Some("image/jpeg"),
        ImageType::Gif => Some("image/gif"),
        ImageType::Webp => Some("image/webp"),
        _ => None,
    }
}

/// Width and height in pixels; `None` if the header cannot be read.
pub(crate) fn image_size(bytes: &[u8]) -> Option<(u32, u32)> {
    let size = imagesize::blob_size(bytes).ok()?;
    Some((u32::try_from(size.width).ok()?, u32::try_from(size.height).ok()?))
}
