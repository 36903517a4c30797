//! Encodings of a font: the byte length of its codes, and their default letters.

use encoding_rs::Encoding;
use lopdf::{Dictionary, Document, Object};

use super::glyph_names;

/// The encoding of a font's codes.
pub(super) enum FontEncoding {
    /// One byte a code, with the text of each code.
    Single(Vec<String>),
    /// Two bytes a code; only the file's own map gives their text.
    Double,
    /// Text in a Chinese, Japanese or Korean encoding: codes are characters.
    Text(&'static Encoding),
}

impl FontEncoding {
    /// The encoding of a font with one-byte codes.
    pub(super) fn single(file: &Document, font: &Dictionary) -> Self {
        Self::Single(single(file, font))
    }

    /// The encoding of a composite font, whose codes may have several bytes, by the name of its CMap.
    pub(super) fn from_cmap_name(map: &[u8]) -> Self {
        text_encoding(map).map_or(Self::Double, Self::Text)
    }

    /// The length of the first code in bytes; `None` if the text is empty.
    pub(super) fn code_length(&self, text: &[u8]) -> Option<usize> {
        let first = *text.first()?;
        Some(match *self {
            Self::Single(_) => 1,
            Self::Double => 2,
            Self::Text(it) if it == encoding_rs::UTF_16BE => {
                if (0xd8..0xdc).contains(&first) {
                    4
                } else {
                    2
                }
            }
            Self::Text(it) if it == encoding_rs::SHIFT_JIS && (0xa0..0xe0).contains(&first) => 1,
            Self::Text(_) => 1 + usize::from(first > 0x80),
        })
    }

    /// The default text of a code; `None` if only the file's own map has it.
    pub(super) fn letters(&self, code: u32, bytes: &[u8]) -> Option<String> {
        match self {
            Self::Single(letters) => {
                letters.get(code as usize).filter(|it| !it.is_empty()).cloned()
            }
            Self::Double => None,
            Self::Text(encoding) => {
                Some(encoding.decode_without_bom_handling(bytes).0.into_owned())
            }
        }
    }
}

/// The texts of the codes of a one-byte font.
fn single(file: &Document, font: &Dictionary) -> Vec<String> {
    let encoding = font.get_deref(b"Encoding", file).ok();
    let own = encoding.and_then(|it| it.as_dict().ok());
    let named = own.map_or(encoding, |own| own.get_deref(b"BaseEncoding", file).ok());
    let base = named.and_then(|it| it.as_name().ok()).unwrap_or(b"WinAnsiEncoding");
    let mut letters = glyph_names::encoding(file, base);
    let differences = own.and_then(|own| own.get_deref(b"Differences", file).ok());
    let differences = differences.and_then(|it| it.as_array().ok());
    let mut code = 0;
    for difference in differences.into_iter().flatten() {
        match difference {
            Object::Integer(first) => code = usize::try_from(*first).unwrap_or(usize::MAX),
            Object::Name(name) => {
                if let Some(letter) = letters.get_mut(code) {
                    *letter = glyph_names::glyph_text(file, name).unwrap_or_default();
                }
                code = code.saturating_add(1);
            }
            _ => {}
        }
    }
    letters
}

/// The encoding behind a predefined CMap (ISO 32000-1, table 118).
fn text_encoding(map: &[u8]) -> Option<&'static Encoding> {
    let map = std::str::from_utf8(map).ok()?;
    Some(match map {
        _ if map.contains("UCS2") || map.contains("UTF16") => encoding_rs::UTF_16BE,
        _ if map.starts_with("GB") => encoding_rs::GB18030,
        _ if map.contains("B5") => encoding_rs::BIG5,
        _ if map.contains("RKSJ") => encoding_rs::SHIFT_JIS,
        _ if map.starts_with("KSC") => encoding_rs::EUC_KR,
        "EUC-H" | "EUC-V" => encoding_rs::EUC_JP,
        _ => return None,
    })
}
