//! Makes a scaled copy of an image for providers that refuse the original, because of its size or its format.
//!
//! Pure, and the same bytes each time. Not here: which images need a copy and its size
//! (`domain::image_scaling`), or where it is stored (`store`).
//!
//! The original is stored and exported; only the scaled copy is counted and sent.

use std::io::Cursor;

use image::codecs::jpeg::JpegEncoder;
use image::imageops::FilterType;
use image::metadata::Orientation;
use image::{DynamicImage, ImageDecoder, ImageFormat, ImageReader, RgbImage, Rgba};
use skein_domain::message::image_scaling::{MOST_BYTES, scaled_size};

/// The largest decoded image, in bytes: a photo of 128 million pixels with three bytes each.
const MAX_DECODED: u64 = 384 * 1024 * 1024;
/// The JPEG qualities in percent; the first that gives a file small enough is used.
const QUALITIES: [u8; 3] = [85, 70, 50];

/// A copy that every provider takes, upright: JPEG, or PNG if it has transparency. `None`: the bytes are no
/// image that can be decoded here, or it is too large. Blocks.
pub fn encode_scaled_copy(bytes: &[u8]) -> Option<Vec<u8>> {
    let reader = ImageReader::new(Cursor::new(bytes)).with_guessed_format().ok()?;
    let mut decoder = reader.into_decoder().ok()?;
    if decoder.total_bytes() > MAX_DECODED {
        return None;
    }
    // A photo has its orientation only in its metadata, which the copy does not have.
    let orientation = decoder.orientation().unwrap_or(Orientation::NoTransforms);
    let mut picture = scale_down(DynamicImage::from_decoder(decoder).ok()?);
    picture.apply_orientation(orientation);
    encode(&picture)
}

/// Scales an image down. A large one is halved and quartered first, which is fast and needs little memory.
fn scale_down(picture: DynamicImage) -> DynamicImage {
    let (width, height) = scaled_size(picture.width(), picture.height());
    let coarse = coarse_size(picture.width(), picture.height());
    let picture = match (picture.width(), picture.height()) == coarse {
        true => picture,
        false => picture.thumbnail_exact(coarse.0, coarse.1),
    };
    match (picture.width(), picture.height()) == (width, height) {
        true => picture,
        false => picture.resize_exact(width, height, FilterType::Triangle),
    }
}

/// The size from which an image is scaled with the better algorithm: at most twice the final size on each
/// side. That algorithm needs sixteen bytes for each pixel, and an image may be very wide.
fn coarse_size(width: u32, height: u32) -> (u32, u32) {
    let copy = scaled_size(width, height);
    (width.min(copy.0.saturating_mul(2)), height.min(copy.1.saturating_mul(2)))
}

fn encode(picture: &DynamicImage) -> Option<Vec<u8>> {
    if !picture.color().has_alpha() {
        return encode_jpeg(&picture.to_rgb8());
    }
    let seen = picture.to_rgba8();
    if seen.pixels().all(|Rgba([.., alpha])| *alpha == u8::MAX) {
        return encode_jpeg(&picture.to_rgb8());
    }
    let mut bytes = Cursor::new(Vec::new());
    seen.write_to(&mut bytes, ImageFormat::Png).ok()?;
    let bytes = bytes.into_inner();
    if fits(&bytes) {
        return Some(bytes);
    }
    let size = seen.dimensions();
    encode_jpeg(&RgbImage::from_fn(size.0, size.1, |x, y| on_white(*seen.get_pixel(x, y))))
}

fn encode_jpeg(picture: &RgbImage) -> Option<Vec<u8>> {
    QUALITIES.into_iter().find_map(|quality| {
        let mut bytes = Vec::new();
        JpegEncoder::new_with_quality(&mut bytes, quality).encode_image(picture).ok()?;
        fits(&bytes).then_some(bytes)
    })
}

fn fits(bytes: &[u8]) -> bool {
    bytes.len() <= MOST_BYTES as usize
}

fn on_white(Rgba([red, green, blue, alpha]): Rgba<u8>) -> image::Rgb<u8> {
    let alpha = u16::from(alpha);
    let over = |colour: u8| ((u16::from(colour) * alpha + 255 * (255 - alpha)) / 255) as u8;
    image::Rgb([over(red), over(green), over(blue)])
}

#[cfg(test)]
mod tests {
    use image::{GenericImageView, RgbaImage};

    use super::*;

    fn file(picture: &DynamicImage, format: ImageFormat) -> Vec<u8> {
        let mut bytes = Cursor::new(Vec::new());
        picture.write_to(&mut bytes, format).unwrap();
        bytes.into_inner()
    }

    fn copy(bytes: &[u8]) -> (ImageFormat, DynamicImage) {
        let copy = encode_scaled_copy(bytes).unwrap();
        assert_eq!(encode_scaled_copy(bytes).unwrap(), copy);
        (image::guess_format(&copy).unwrap(), image::load_from_memory(&copy).unwrap())
    }

    /// Red above, blue below.
    fn flag(width: u32, height: u32) -> RgbImage {
        let colour = |y| if y < height / 2 { [250, 0, 0] } else { [0, 0, 250] };
        RgbImage::from_fn(width, height, |_, y| image::Rgb(colour(y)))
    }

    #[test]
    fn a_format_that_no_provider_takes_becomes_one_that_each_takes() {
        let picture = DynamicImage::from(flag(60, 40));
        for format in [ImageFormat::Bmp, ImageFormat::Tiff, ImageFormat::Gif] {
            let (found, copy) = copy(&file(&picture, format));
            assert_eq!((found, copy.dimensions()), (ImageFormat::Jpeg, (60, 40)), "{format:?}");
            assert!(copy.get_pixel(30, 5).0[0] > 200, "{format:?}");
        }
    }

    #[test]
    fn what_shines_through_still_does_and_what_could_but_does_not_is_a_photo() {
        let glass = |alpha| {
            let pixel = |x, _| Rgba([10, 200, 10, if x < 1_500 { 255 } else { alpha }]);
            DynamicImage::from(RgbaImage::from_fn(3_000, 30, pixel))
        };
        let (found, clear) = copy(&file(&glass(0), ImageFormat::Png));
        assert_eq!((found, clear.dimensions()), (ImageFormat::Png, (2_000, 20)));
        assert_eq!([clear.get_pixel(10, 10).0[3], clear.get_pixel(1_990, 10).0[3]], [255, 0]);
        assert_eq!(copy(&file(&glass(255), ImageFormat::Png)).0, ImageFormat::Jpeg);
    }

    #[test]
    fn a_photo_that_was_taken_with_the_camera_on_its_side_stands_upright() {
        let lying = file(&flag(60, 40).into(), ImageFormat::Jpeg);
        // The note of a camera that was turned: right after the mark that begins the file.
        let note = b"\xff\xe1\x00\x22Exif\0\0MM\0\x2a\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0";
        let turned = [&lying[..2], note, &lying[2..]].concat();
        let (_, copy) = copy(&turned);
        assert_eq!(copy.dimensions(), (40, 60));
        let [left, right] = [copy.get_pixel(3, 30), copy.get_pixel(36, 30)];
        assert!(left.0[2] > 200 && right.0[0] > 200, "{left:?} {right:?}");
    }

    #[test]
    fn what_is_scaled_well_is_small_whatever_its_shape() {
        for (size, expected) in [
            ((400_000_000, 1), (4_000, 1)),
            ((1, 400_000_000), (1, 4_000)),
            ((200_000_000, 2), (4_000, 2)),
            ((u32::MAX, u32::MAX), (4_000, 4_000)),
            ((20_000, 9), (4_000, 2)),
            ((12_000, 9_000), (4_000, 3_000)),
            ((3_000, 30), (3_000, 30)),
            ((40, 1), (40, 1)),
        ] {
            assert_eq!(coarse_size(size.0, size.1), expected, "{size:?}");
        }
    }

    #[test]
    fn a_line_of_pixels_keeps_its_colours() {
        for (width, height) in [(1_000_000, 1), (1, 1_000_000), (300_000, 3)] {
            let half = width.max(height) / 2;
            let colour = |x: u32, y: u32| if x.max(y) < half { [250, 0, 0] } else { [0, 0, 250] };
            let line = RgbImage::from_fn(width, height, |x, y| image::Rgb(colour(x, y)));
            let (_, copy) = copy(&file(&line.into(), ImageFormat::Png));
            assert_eq!(copy.dimensions(), scaled_size(width, height));
            let last = (copy.width() - 1, copy.height() - 1);
            let [first, last] = [copy.get_pixel(0, 0), copy.get_pixel(last.0, last.1)];
            assert!(first.0[0] > 200 && last.0[2] > 200, "{width} {first:?} {last:?}");
        }
    }

    #[test]
    fn what_is_no_picture_or_unpacks_to_too_much_has_no_copy() {
        assert_eq!(
            encode_scaled_copy(
                b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x02\x80\0\0\x01\xe0\x08\x06\0\0\0"
            ),
            None
        );
        assert_eq!(encode_scaled_copy(b"BM"), None);
        let mut bomb = file(&flag(8, 8).into(), ImageFormat::Bmp);
        bomb[18..26].copy_from_slice(&[0, 0, 1, 0, 0, 0, 1, 0]);
        assert_eq!(encode_scaled_copy(&bomb), None);
    }
}
