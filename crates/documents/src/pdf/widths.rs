//! Glyph widths in thousandths of the font size. The end of one glyph tells if a space precedes the
//! next.

use lopdf::{Dictionary, Document, Object};

/// The widths that a font states.
#[derive(Debug)]
pub(super) enum GlyphWidths {
    /// A list of widths from the first code on.
    Listed { first: u32, widths: Vec<f32>, other: f32 },
    /// Ranges of codes, sorted.
    Ranges { ranges: Vec<WidthRange>, other: f32 },
    /// No widths: the font is one of the standard fonts that every PDF reader has.
    Known { is_typewriter: bool },
}

/// The widths of a range of codes: one for all, or a list.
#[derive(Debug)]
pub(super) struct WidthRange {
    first: u32,
    last: u32,
    widths: Vec<f32>,
}

impl GlyphWidths {
    /// The widths of a font with one-byte codes.
    pub(super) fn simple(file: &Document, font: &Dictionary) -> Self {
        let name = font.get_deref(b"BaseFont", file).and_then(Object::as_name).unwrap_or_default();
        let listed = font.get_deref(b"Widths", file).and_then(Object::as_array);
        let Ok(listed) = listed else {
            let is_typewriter = name.windows(7).any(|part| part == b"Courier");
            return Self::Known { is_typewriter };
        };
        // Type 3 fonts measure in units of their own.
        let matrix = font.get_deref(b"FontMatrix", file).and_then(Object::as_array);
        let unit =
            matrix.ok().and_then(|it| it.first()?.as_float().ok()).map_or(1.0, |it| it * 1_000.0);
        let widths = listed.iter().map(|width| float(file, width) * unit).collect();
        let first = number(file, font, b"FirstChar").unwrap_or_default();
        let descriptor = font.get_deref(b"FontDescriptor", file).and_then(Object::as_dict);
        let other = descriptor.ok().and_then(|it| number(file, it, b"MissingWidth"));
        Self::Listed { first: first as u32, widths, other: other.unwrap_or_default() }
    }

    /// The widths of a font with longer codes.
    pub(super) fn composite(file: &Document, font: &Dictionary) -> Self {
        let listed = font.get_deref(b"W", file).and_then(Object::as_array);
        let mut listed = listed.map(Vec::as_slice).unwrap_or_default();
        let mut ranges = Vec::new();
        while let [first, second, rest @ ..] = listed {
            let first = float(file, first) as u32;
            let second = file.dereference(second).map_or(second, |(_, second)| second);
            if let Ok(widths) = second.as_array() {
                let widths: Vec<f32> = widths.iter().map(|width| float(file, width)).collect();
                let count = u32::try_from(widths.len()).unwrap_or(u32::MAX);
                ranges.push(WidthRange {
                    first,
                    last: first.saturating_add(count).saturating_sub(1),
                    widths,
                });
                listed = rest;
            } else if let [width, rest @ ..] = rest {
                let width = float(file, width);
                ranges.push(WidthRange {
                    first,
                    last: float(file, second) as u32,
                    widths: vec![width],
                });
                listed = rest;
            } else {
                break;
            }
        }
        ranges.sort_by_key(|range| range.first);
        Self::Ranges { ranges, other: number(file, font, b"DW").unwrap_or(1_000.0) }
    }

    /// The width of a code.
    pub(super) fn of(&self, code: u32, letters: &str) -> f32 {
        match self {
            Self::Listed { first, widths, other } => {
                let place = code.checked_sub(*first).and_then(|at| widths.get(at as usize));
                place.copied().unwrap_or(*other)
            }
            Self::Ranges { ranges, other } => {
                let behind = ranges.partition_point(|range| range.first <= code);
                let range = behind.checked_sub(1).and_then(|at| ranges.get(at));
                let width = range.filter(|range| code <= range.last).and_then(|range| {
                    let at = (code - range.first) as usize;
                    match range.widths.as_slice() {
                        [width] => Some(*width),
                        widths => widths.get(at).copied(),
                    }
                });
                width.unwrap_or(*other)
            }
            Self::Known { is_typewriter: true } => 600.0,
            Self::Known { is_typewriter: false } => letters.chars().map(approximate_width).sum(),
        }
    }
}

/// The approximate width of a character in Helvetica and Times.
fn approximate_width(letter: char) -> f32 {
    match letter {
        'i' | 'j' | 'l' | 't' | 'f' | 'I' | ' ' | '.' | ',' | ':' | ';' | '\'' | '|' | '!'
        | '/' => 270.0,
        'm' | 'w' | 'M' | 'W' | '@' | '%' => 850.0,
        'A'..='Z' => 680.0,
        _ => 520.0,
    }
}

fn number(file: &Document, of: &Dictionary, name: &[u8]) -> Option<f32> {
    of.get_deref(name, file).and_then(Object::as_float).ok()
}

fn float(file: &Document, number: &Object) -> f32 {
    file.dereference(number).and_then(|(_, number)| number.as_float()).unwrap_or_default()
}
