//! What stands in a session's composer. Its files are named by where their bytes are.

use serde::{Deserialize, Serialize};
use specta::Type;

use crate::ids::BlobId;
use crate::message::{ContentPart, ImageRef};

/// What stands in a session's composer.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Draft {
    /// The words.
    pub text: String,
    /// Pictures and files.
    pub attachments: Vec<Attachment>,
}

/// What goes along with a message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Attachment {
    /// A picture.
    Image(ImageRef),
    /// A file whose text is sent.
    File {
        /// Where its bytes are.
        blob: BlobId,
        /// As the user knows it.
        name: String,
        /// For example `text/plain`.
        media_type: String,
        /// Size of the file.
        bytes: u32,
    },
}

impl Attachment {
    /// Where its bytes are.
    pub fn blob(&self) -> BlobId {
        match self {
            Self::Image(ImageRef { blob, .. }) | Self::File { blob, .. } => *blob,
        }
    }

    /// As the user knows it.
    pub fn name(&self) -> &str {
        match self {
            Self::Image(ImageRef { name, .. }) | Self::File { name, .. } => name,
        }
    }

    /// The same elsewhere, where its bytes have another key.
    #[must_use]
    pub fn at(self, blob: BlobId) -> Self {
        match self {
            Self::Image(picture) => Self::Image(ImageRef { blob, ..picture }),
            Self::File { name, media_type, bytes, .. } => {
                Self::File { blob, name, media_type, bytes }
            }
        }
    }

    /// As a message holds it, with what a file says.
    pub fn part(self, text: String) -> ContentPart {
        match self {
            Self::Image(picture) => ContentPart::Image(picture),
            Self::File { blob, name, media_type, bytes } => {
                ContentPart::File { blob, name, media_type, text, bytes }
            }
        }
    }
}
