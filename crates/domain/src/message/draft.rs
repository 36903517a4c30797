//! The draft in a session's composer. It refers to its files by blob id.

use serde::{Deserialize, Serialize};
use specta::Type;

use crate::ids::BlobId;
use crate::message::{ContentPart, ImageRef};

/// The draft in a session's composer.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Draft {
    /// The text.
    pub text: String,
    /// Images and files.
    pub attachments: Vec<Attachment>,
}

/// An attachment of a message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Attachment {
    /// An image.
    Image(ImageRef),
    /// A file whose text is sent.
    File {
        /// The original bytes.
        blob: BlobId,
        /// The name that the user knows.
        name: String,
        /// The media type, for example `text/plain`.
        media_type: String,
        /// The size of the file, in bytes.
        bytes: u32,
    },
}

impl Attachment {
    /// The id of its bytes.
    pub fn blob(&self) -> BlobId {
        match self {
            Self::Image(ImageRef { blob, .. }) | Self::File { blob, .. } => *blob,
        }
    }

    /// The name that the user knows.
    pub fn name(&self) -> &str {
        match self {
            Self::Image(ImageRef { name, .. }) | Self::File { name, .. } => name,
        }
    }

    /// The attachment with another id of its bytes.
    #[must_use]
    pub fn at(self, blob: BlobId) -> Self {
        match self {
            Self::Image(picture) => Self::Image(ImageRef { blob, ..picture }),
            Self::File { name, media_type, bytes, .. } => {
                Self::File { blob, name, media_type, bytes }
            }
        }
    }

    /// The attachment as a part of a message; `text` is the text of a file.
    pub fn part(self, text: String) -> ContentPart {
        match self {
            Self::Image(picture) => ContentPart::Image(picture),
            Self::File { blob, name, media_type, bytes } => {
                ContentPart::File { blob, name, media_type, text, bytes }
            }
        }
    }
}
