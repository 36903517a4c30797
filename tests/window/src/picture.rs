//! Pictures of the screen, taken from the display server's own memory: what a person would see.
//! The driver can take them too, but waits for ever where there is no GPU.

use std::fs::{self, File};
use std::io::BufWriter;
use std::path::Path;

/// Writes what is on the screen as a PNG, without the empty margin around the window.
pub fn keep(framebuffer: &Path, file: &Path) {
    let screen = Screen::read(&fs::read(framebuffer).expect("Xvfb keeps its screen in this file"));
    let (width, height) = screen.extent();
    let mut pixels = Vec::with_capacity(width * height * 3);
    for line in screen.pixels.chunks_exact(screen.width).take(height) {
        pixels.extend(line.iter().take(width).flatten());
    }
    let output = BufWriter::new(File::create(file).expect("target can be written"));
    let mut encoder = png::Encoder::new(output, width as u32, height as u32);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    let mut writer = encoder.write_header().expect("target can be written");
    writer.write_image_data(&pixels).expect("as many bytes as pixels");
}

struct Screen {
    width: usize,
    pixels: Vec<[u8; 3]>,
}

impl Screen {
    /// The format of `xwd`, as Xvfb writes it: a header of big-endian numbers, a palette, then
    /// lines of four bytes a pixel: blue, green, red and one unused.
    fn read(dump: &[u8]) -> Self {
        let number = |index: usize| {
            let bytes = dump[index * 4..].first_chunk().expect("the header is 100 bytes long");
            u32::from_be_bytes(*bytes) as usize
        };
        let [header, width, line, colours] = [0, 4, 12, 19].map(number);
        let image = &dump[header + colours * 12..];
        let pixels = image
            .chunks_exact(line)
            .flat_map(|line| line.chunks_exact(4).take(width))
            .map(|pixel| [pixel[2], pixel[1], pixel[0]])
            .collect();
        Self { width, pixels }
    }

    /// Width and height of the part from the upper left corner that is not black to the edge:
    /// where there is no window, there is nothing.
    fn extent(&self) -> (usize, usize) {
        let mut extent = (1, 1);
        for (index, _) in self.pixels.iter().enumerate().filter(|(_, pixel)| **pixel != [0; 3]) {
            extent.0 = extent.0.max(index % self.width + 1);
            extent.1 = extent.1.max(index / self.width + 1);
        }
        extent
    }
}
