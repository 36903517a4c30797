//! Encodings of a font: the byte length of its codes, and their default letters.

use encoding_rs::Encoding;
use lopdf::{Dictionary, Document, Object};

use super::cid_collections::{CidCollection, collection};
use super::font_program::built_in_encoding;
use super::glyph_names::{self, code_text, is_hex_number};
use super::symbol_encodings::{SYMBOL, ZAPF_DINGBATS, texts};
use super::to_unicode::Codespace;

/// The encoding of a font's codes.
pub(super) enum FontEncoding {
    /// One byte a code, with the text of each code.
    Single(Vec<String>),
    /// Codes of the lengths that an embedded CMap tells, otherwise of two bytes. They are the CIDs of
    /// a collection if it is known. Otherwise only the file's own map gives their text.
    Cid { codespaces: Vec<Codespace>, collection: Option<CidCollection> },
    /// JIS X 0208 in seven bits.
    Jis,
    /// Text in a Chinese, Japanese or Korean encoding: codes are characters.
    Text(&'static Encoding),
}

impl FontEncoding {
    /// The encoding of a font with one-byte codes.
    pub(super) fn single(file: &Document, font: &Dictionary) -> Self {
        Self::Single(single(file, font))
    }

    /// The encoding of a composite font, whose codes may have several bytes, by the name of its CMap
    /// and the `Ordering` of its characters.
    pub(super) fn composite(map: &[u8], ordering: &[u8]) -> Self {
        let collection = if map.starts_with(b"Identity") { collection(ordering) } else { None };
        match map {
            b"H" | b"V" => Self::Jis,
            _ => text_encoding(map)
                .map_or(Self::Cid { codespaces: Vec::new(), collection }, Self::Text),
        }
    }

    /// The length of the first code in bytes; `None` if the text is empty.
    pub(super) fn code_length(&self, text: &[u8]) -> Option<usize> {
        let first = *text.first()?;
        Some(match *self {
            Self::Single(_) => 1,
            Self::Jis => 2,
            Self::Cid { ref codespaces, .. } => {
                let of_code = codespaces.iter().find(|codespace| is_within(text, codespace));
                of_code.map_or(2, |(low, _)| low.len())
            }
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
            Self::Cid { collection, .. } => {
                let character = *collection.as_ref()?.get(code as usize)?;
                character.map(String::from)
            }
            Self::Jis => {
                let euc: Vec<u8> = bytes.iter().map(|byte| byte | 0x80).collect();
                Some(encoding_rs::EUC_JP.decode_without_bom_handling(&euc).0.into_owned())
            }
            Self::Text(encoding) => {
                Some(encoding.decode_without_bom_handling(bytes).0.into_owned())
            }
        }
    }
}

/// True if the text begins with a code of this codespace.
fn is_within(text: &[u8], (low, high): &Codespace) -> bool {
    let bounds = low.iter().zip(high);
    text.len() >= low.len()
        && !low.is_empty()
        && text.iter().zip(bounds).all(|(byte, (low, high))| (low..=high).contains(&byte))
}

/// The texts of the codes of a one-byte font.
fn single(file: &Document, font: &Dictionary) -> Vec<String> {
    let has_map = font.has(b"ToUnicode");
    let encoding = font.get_deref(b"Encoding", file).ok();
    let own = encoding.and_then(|it| it.as_dict().ok());
    let named = own.map_or(encoding, |own| own.get_deref(b"BaseEncoding", file).ok());
    let named = named.and_then(|it| it.as_name().ok()).filter(|it| NAMED.contains(it));
    let mut names = Vec::new();
    let mut letters = match named {
        Some(name) => glyph_names::encoding(file, name),
        None => {
            names.extend(built_in_encoding(file, font).unwrap_or_default());
            default_encoding(file, font)
        }
    };
    names.extend(own.map(|own| differences(file, own)).unwrap_or_default());
    let text = |name: &str| glyph_names::glyph_text(file, name);
    let is_hex = names.iter().any(|(_, name)| is_hex_number(name) && text(name).is_none());
    // Beside a map to text, a number in a name is seldom a code.
    let code_text = |name: &str| if has_map { None } else { code_text(name, is_hex) };
    for (code, name) in names {
        if let Some(letter) = letters.get_mut(usize::from(code)) {
            *letter = text(&name).or_else(|| code_text(&name)).unwrap_or_default();
        }
    }
    letters
}

/// The codes and glyph names by which an encoding differs from its base.
fn differences(file: &Document, encoding: &Dictionary) -> Vec<(u8, String)> {
    let listed = encoding.get_deref(b"Differences", file).and_then(Object::as_array);
    let mut names = Vec::new();
    let mut code: usize = 0;
    for difference in listed.into_iter().flatten() {
        match difference {
            Object::Integer(first) => code = usize::try_from(*first).unwrap_or(usize::MAX),
            Object::Name(name) => {
                if let Ok(code) = u8::try_from(code) {
                    names.push((code, String::from_utf8_lossy(name).into_owned()));
                }
                code = code.saturating_add(1);
            }
            _ => {}
        }
    }
    names
}

/// The encodings that a font can name (ISO 32000-1, table 114).
const NAMED: [&[u8]; 4] =
    [b"StandardEncoding", b"MacRomanEncoding", b"MacExpertEncoding", b"WinAnsiEncoding"];

/// The encoding of a font that tells none, neither by name nor in an embedded program.
fn default_encoding(file: &Document, font: &Dictionary) -> Vec<String> {
    let name = |key| font.get_deref(key, file).and_then(Object::as_name).unwrap_or_default();
    match name(b"BaseFont") {
        b"Symbol" => texts(&SYMBOL),
        b"ZapfDingbats" => texts(&ZAPF_DINGBATS),
        _ if name(b"Subtype") == b"TrueType" => glyph_names::encoding(file, b"WinAnsiEncoding"),
        _ => glyph_names::encoding(file, b"StandardEncoding"),
    }
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

#[cfg(test)]
mod tests {
    use lopdf::dictionary;

    use super::*;

    #[test]
    fn a_composite_font_is_read_by_its_cmap_and_its_collection() {
        for (map, ordering, bytes, expected) in [
            ("Identity-H", "Japan1", &b"\x04\x65"[..], Some("亜")),
            ("Identity-V", "GB1", b"\x11\xcf", Some("中")),
            ("Identity-H", "Identity", b"\x04\x65", None),
            ("Identity-H", "Korea1", b"\xff\xff", None),
            ("H", "Japan1", b"\x30\x21", Some("亜")),
            ("UniJIS-UCS2-H", "Japan1", b"\x4e\x2d", Some("中")),
            ("UniGB-UTF16-H", "GB1", b"\xd8\x3d\xde\x00", Some("😀")),
            ("90ms-RKSJ-H", "Japan1", b"\x82\xa0", Some("あ")),
            ("90ms-RKSJ-H", "Japan1", b"A", Some("A")),
            ("GBK-EUC-H", "GB1", b"\xd6\xd0", Some("中")),
            ("ETen-B5-H", "CNS1", b"\xa4\xa4", Some("中")),
            ("KSCms-UHC-H", "Korea1", b"\xb0\xa1", Some("가")),
        ] {
            let encoding = FontEncoding::composite(map.as_bytes(), ordering.as_bytes());
            assert_eq!(encoding.code_length(bytes), Some(bytes.len()), "{map}");
            let code = bytes.iter().fold(0, |all, byte| all << 8 | u32::from(*byte));
            assert_eq!(encoding.letters(code, bytes).as_deref(), expected, "{map} {ordering}");
        }
    }

    #[test]
    fn an_embedded_cmap_tells_the_length_of_codes() {
        let codespaces = vec![(vec![0], vec![0x7f]), (vec![0x80, 0, 0], vec![0xff, 0xff, 0xff])];
        let encoding = FontEncoding::Cid { codespaces, collection: None };
        for (text, expected) in
            [(&b"ab"[..], Some(1)), (b"\x80bcd", Some(3)), (b"\x80", Some(2)), (b"", None)]
        {
            assert_eq!(encoding.code_length(text), expected, "{text:?}");
        }
    }

    #[test]
    fn a_font_without_a_map_is_read_by_its_names_and_its_kind() {
        let file = Document::new();
        let names = |names: [&str; 3]| {
            let names = names.map(|name| Object::Name(name.into())).to_vec();
            dictionary! { "Differences" => [vec![Object::Integer(65)], names].concat() }
        };
        let font = |kind: &str, base: &str, encoding: Dictionary| {
            let font = dictionary! { "Subtype" => Object::Name(kind.into()), "BaseFont" => Object::Name(base.into()), "Encoding" => encoding };
            single(&file, &font)
        };
        let none = Dictionary::new;
        for (letters, code, expected) in [
            (font("Type1", "Times", none()), 0x27, "’"),
            (font("TrueType", "Arial", none()), 0x27, "'"),
            (font("Type1", "Symbol", none()), 0x61, "α"),
            (font("Type1", "ZapfDingbats", none()), 0x34, "✔"),
            (font("Type3", "", names(["a65", "C0066", "c"])), 66, "B"),
            (font("Type3", "", names(["G41", "G4b", "fi"])), 66, "K"),
            (font("Type3", "", names(["G41", "G4b", "fi"])), 67, "ﬁ"),
            (font("Type3", "", names(["g999", "glyph12", "x"])), 66, ""),
        ] {
            assert_eq!(letters[code], expected, "{code}");
        }
    }
}
