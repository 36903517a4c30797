//! Text and widths of a font's codes.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use lopdf::{Dictionary, Document, Object};

use super::encodings::FontEncoding;
use super::glyph_names::normalize_text;
use super::to_unicode::{self, ToUnicodeMap};
use super::widths::GlyphWidths;

/// The limit of a font's unpacked map, in bytes.
const MAX_MAP: usize = 8 * 1024 * 1024;

/// The fonts of a file, each read once.
pub(super) struct FontCache<'a> {
    file: &'a Document,
    read: RefCell<HashMap<*const Dictionary, Rc<Font>>>,
}

impl<'a> FontCache<'a> {
    pub(super) fn new(file: &'a Document) -> Self {
        Self { file, read: RefCell::default() }
    }

    pub(super) fn get(&self, font: &'a Dictionary) -> Rc<Font> {
        let mut read = self.read.borrow_mut();
        let new = || Rc::new(Font::read(self.file, font));
        Rc::clone(read.entry(std::ptr::from_ref(font)).or_insert_with(new))
    }
}

/// The parts of a font that text extraction needs.
pub(super) struct Font {
    codes: FontEncoding,
    /// The file's own map from codes to text.
    unicode: Option<ToUnicodeMap>,
    widths: GlyphWidths,
    /// True if the lines of the font run down the page.
    pub is_vertical: bool,
}

/// A glyph of a shown text.
pub(super) struct Glyph {
    pub letters: String,
    /// The advance width, in thousandths of the font size.
    pub width: f32,
    /// True for the single-byte code 32, which word spacing widens.
    pub is_space: bool,
}

impl Font {
    fn read(file: &Document, font: &Dictionary) -> Self {
        let unicode = font.get_deref(b"ToUnicode", file).ok().and_then(|map| match map {
            Object::Name(name) if name.starts_with(b"Identity") => Some(ToUnicodeMap::identity()),
            Object::Stream(map) => {
                let map = map.get_plain_content_with_limit(MAX_MAP).ok()?;
                Some(ToUnicodeMap::read(&map))
            }
            _ => None,
        });
        let name = |of: &Dictionary, key: &[u8]| {
            of.get_deref(key, file).and_then(Object::as_name).map(<[u8]>::to_vec)
        };
        if name(font, b"Subtype").is_ok_and(|kind| kind == b"Type0") {
            let encoding = name(font, b"Encoding").unwrap_or_default();
            let parts = font.get_deref(b"DescendantFonts", file).and_then(Object::as_array);
            let part = parts
                .ok()
                .and_then(|parts| file.dereference(parts.first()?).ok()?.1.as_dict().ok());
            let system = part.and_then(|part| {
                part.get_deref(b"CIDSystemInfo", file).and_then(Object::as_dict).ok()
            });
            let ordering = system.and_then(|system| {
                system.get_deref(b"Ordering", file).and_then(Object::as_str).ok()
            });
            let cmap = font.get_deref(b"Encoding", file).and_then(Object::as_stream);
            let cmap = cmap.and_then(|cmap| cmap.get_plain_content_with_limit(MAX_MAP));
            let mut codes = FontEncoding::composite(&encoding, ordering.unwrap_or_default());
            if let (FontEncoding::Cid { codespaces, .. }, Ok(cmap)) = (&mut codes, cmap) {
                *codespaces = to_unicode::codespaces(&cmap);
            }
            let none = Dictionary::new();
            Self {
                codes,
                unicode,
                widths: GlyphWidths::composite(file, part.unwrap_or(&none)),
                is_vertical: encoding == b"V" || encoding.ends_with(b"-V"),
            }
        } else {
            Self {
                codes: FontEncoding::single(file, font),
                unicode,
                widths: GlyphWidths::simple(file, font),
                is_vertical: false,
            }
        }
    }

    /// The glyphs of a shown text.
    pub(super) fn glyphs<'a>(&'a self, mut text: &'a [u8]) -> impl Iterator<Item = Glyph> + 'a {
        std::iter::from_fn(move || {
            let length = self.codes.code_length(text)?;
            let (code, rest) = text.split_at_checked(length).unwrap_or((text, &[]));
            text = rest;
            Some(self.glyph(code))
        })
    }

    fn glyph(&self, bytes: &[u8]) -> Glyph {
        let code = bytes.iter().fold(0, |all, byte| all << 8 | u32::from(*byte));
        let told = self.unicode.as_ref().and_then(|unicode| unicode.letters(code));
        // Some files map every code to NUL.
        let told = told.filter(|letters| !letters.chars().all(|letter| letter == '\0'));
        let letters = told
            .or_else(|| self.codes.letters(code, bytes))
            .as_deref()
            .map_or_else(unknown, normalize_text);
        let width = match self.codes {
            FontEncoding::Single(_) | FontEncoding::Cid { .. } => self.widths.of(code, &letters),
            // The widths are listed by glyph ids of the font, which are unknown here.
            FontEncoding::Jis | FontEncoding::Text(_) => {
                if letters.is_ascii() {
                    500.0
                } else {
                    1_000.0
                }
            }
        };
        Glyph { letters, width, is_space: bytes == b" " }
    }
}

fn unknown() -> String {
    char::REPLACEMENT_CHARACTER.into()
}
