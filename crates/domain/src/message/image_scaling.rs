//! What of a picture a request holds: the picture, or a reduced copy of one that providers refuse.
//!
//! One rule for whoever counts it, makes room for it, or sends it. It asks only what is known of a picture:
//! counting reads no bytes. Not here: making the copy (`app::image_resize`).
//!
//! Where a request holds many images, long ones are scaled too. A message counted by itself is counted as if
//! its images were not scaled for that reason.

use crate::message::ImageRef;

/// The largest picture that every provider with eyes takes, in bytes: for a larger one Anthropic refuses the
/// whole request, and so every later one of that conversation.
pub const MOST_BYTES: u32 = 3_750_000;
/// Its longest side, in pixels, for the same reason.
pub const MOST_SIDE: u32 = 8_000;
/// The longest side of a copy, in pixels. Hardly any provider shows its model more, and Anthropic takes
/// no more of each picture where a request holds [`MANY`].
pub const COPY_SIDE: u32 = 2_000;
/// A request of more pictures than this holds many.
pub const MANY: usize = 20;
/// The formats that every provider with eyes takes.
pub const FORMATS: [&str; 4] = ["image/png", "image/jpeg", "image/gif", "image/webp"];

impl ImageRef {
    /// Whether a reduced copy is sent in its place.
    pub fn is_downscaled(&self) -> bool {
        let longest = self.width.max(self.height);
        self.bytes > MOST_BYTES
            || longest.is_some_and(|longest| longest > MOST_SIDE)
            || !FORMATS.contains(&self.media_type.as_str())
    }

    /// Whether one is sent in its place in a request of so many pictures. Where only their number asks for
    /// it, it is counted as if it were sent as it is: too much, if at all.
    pub fn is_downscaled_among(&self, pictures: usize) -> bool {
        let longest = self.width.max(self.height);
        let is_long = longest.is_some_and(|longest| longest > COPY_SIDE);
        self.is_downscaled() || (pictures > MANY && is_long)
    }

    /// Width and height of what is sent, in pixels; `None` where its own are unknown. A copy of a photo that
    /// was taken with the camera on its side may have them the other way round, which costs the same.
    pub fn sent_size(&self) -> Option<(u32, u32)> {
        let (width, height) = self.width.zip(self.height)?;
        Some(if self.is_downscaled() { scaled_size(width, height) } else { (width, height) })
    }

    /// How much of it is sent at most, in bytes.
    pub fn sent_bytes(&self) -> u32 {
        if self.is_downscaled() { MOST_BYTES } else { self.bytes }
    }
}

/// The size of a copy of a picture of this size, in pixels. Nothing is made larger.
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
