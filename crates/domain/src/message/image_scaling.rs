//! The rule which images are sent as scaled copies.
//!
//! Counting, limiting and sending images use the same rule. It needs only the metadata of an image: counting
//! reads no bytes. Not here: making the copy (`app::attachments::image_resize`).
//!
//! In a request with many images, long ones are scaled too. A message that is counted alone is counted as if
//! its images were not scaled for that reason.

use crate::message::ImageRef;

/// The largest image that every provider takes, in bytes: Anthropic refuses a whole request with a larger
/// one, and so every later one of that conversation.
pub const MOST_BYTES: u32 = 3_750_000;
/// The longest side of such an image, in pixels.
pub const MOST_SIDE: u32 = 8_000;
/// The longest side of a copy, in pixels. Hardly any provider shows its model more, and Anthropic takes no
/// more of each image in a request with [`MANY`].
pub const COPY_SIDE: u32 = 2_000;
/// A request with more images than this has many.
pub const MANY: usize = 20;
/// The formats that every provider takes.
pub const FORMATS: [&str; 4] = ["image/png", "image/jpeg", "image/gif", "image/webp"];

impl ImageRef {
    /// True if a scaled copy is sent instead.
    pub fn is_downscaled(&self) -> bool {
        let longest = self.width.max(self.height);
        self.bytes > MOST_BYTES
            || longest.is_some_and(|longest| longest > MOST_SIDE)
            || !FORMATS.contains(&self.media_type.as_str())
    }

    /// True if a scaled copy is sent instead in a request of `pictures` images. If only their number requires
    /// the copy, the image is counted as if it were sent as it is, which is never too little.
    pub fn is_downscaled_among(&self, pictures: usize) -> bool {
        let longest = self.width.max(self.height);
        let is_long = longest.is_some_and(|longest| longest > COPY_SIDE);
        self.is_downscaled() || (pictures > MANY && is_long)
    }

    /// Width and height of the sent image, in pixels; `None`: its own are unknown. The copy of a rotated
    /// photo may have them swapped, which costs the same.
    pub fn sent_size(&self) -> Option<(u32, u32)> {
        let (width, height) = self.width.zip(self.height)?;
        Some(if self.is_downscaled() { scaled_size(width, height) } else { (width, height) })
    }

    /// The largest size of the sent image, in bytes.
    pub fn sent_bytes(&self) -> u32 {
        if self.is_downscaled() { MOST_BYTES } else { self.bytes }
    }
}

/// The size of a scaled copy, in pixels. An image is never enlarged.
pub fn scaled_size(width: u32, height: u32) -> (u32, u32) {
    let longest = u64::from(width.max(height));
    if longest <= u64::from(COPY_SIDE) {
        return (width, height);
    }
    // Rounded; at most `COPY_SIDE`, so that it fits.
    let side =
        |side| ((u64::from(side) * u64::from(COPY_SIDE) + longest / 2) / longest).max(1) as u32;
    (side(width), side(height))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::BlobId;

    fn picture(bytes: u32, width: u32, height: u32) -> ImageRef {
        ImageRef {
            blob: BlobId(1),
            name: "loom.png".into(),
            media_type: "image/png".into(),
            width: Some(width),
            height: Some(height),
            bytes,
        }
    }

    #[test]
    fn what_every_provider_takes_is_sent_as_it_is_and_the_rest_as_a_copy() {
        for (picture, sent) in [
            (picture(3_750_000, 8_000, 6_000), None),
            (picture(3_750_001, 4_032, 3_024), Some((2_000, 1_500))),
            (picture(3_750_001, 1_200, 900), Some((1_200, 900))),
            (picture(1_000, 100, 8_001), Some((25, 2_000))),
            (picture(1_000, 9_000, 1), Some((2_000, 1))),
            (ImageRef { media_type: "image/bmp".into(), ..picture(9, 20, 10) }, Some((20, 10))),
        ] {
            let own = picture.width.zip(picture.height);
            assert_eq!(picture.is_downscaled(), sent.is_some(), "{picture:?}");
            assert_eq!(picture.sent_size(), sent.or(own), "{picture:?}");
        }
        let long = picture(1_000, 100, 2_001);
        let among = [1, MANY, MANY + 1].map(|pictures| long.is_downscaled_among(pictures));
        assert_eq!(among, [false, false, true]);
        assert!(!picture(1_000, 2_000, 2_000).is_downscaled_among(MANY + 1));
        let unknown = ImageRef { width: None, ..picture(9_000_000, 20, 10) };
        assert_eq!((unknown.sent_size(), unknown.sent_bytes()), (None, 3_750_000));
    }
}
