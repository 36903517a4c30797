//! The encoding that an embedded font program (Type 1 or CFF) brings along.

use lopdf::{Dictionary, Document, Object};
use ttf_parser::{RawFace, Tag, cff};

/// The limit of an unpacked font program, in bytes.
const MAX_PROGRAM: usize = 8 * 1024 * 1024;

/// The codes of a font program and their glyph names; `None` if the font has no such program.
pub(super) fn built_in_encoding(file: &Document, font: &Dictionary) -> Option<Vec<(u8, String)>> {
    let descriptor = font.get_deref(b"FontDescriptor", file).and_then(Object::as_dict).ok()?;
    let program = |key: &[u8]| {
        let program = descriptor.get_deref(key, file).and_then(Object::as_stream).ok()?;
        program.get_plain_content_with_limit(MAX_PROGRAM).ok()
    };
    let found = program(b"FontFile").or_else(|| program(b"FontFile3"))?;
    type1_encoding(&found).or_else(|| cff_encoding(&found))
}

/// The encoding in the clear text of a Type 1 program (*Adobe Type 1 Font Format*, chapter 2.2).
fn type1_encoding(program: &[u8]) -> Option<Vec<(u8, String)>> {
    let clear = program.get(..find(program, b"eexec")?)?;
    let from = clear.get(find(clear, b"/Encoding")? + b"/Encoding".len()..)?;
    let text = String::from_utf8_lossy(from).replace('/', " /");
    let tokens: Vec<&str> =
        text.split_whitespace().take_while(|token| !matches!(*token, "def" | "readonly")).collect();
    if tokens.first() == Some(&"StandardEncoding") {
        return None;
    }
    let entry = |put: &[&str]| match put {
        ["dup", code, name, "put"] => Some((number(code)?, name.strip_prefix('/')?.to_owned())),
        _ => None,
    };
    Some(tokens.windows(4).filter_map(entry).collect())
}

/// A PostScript integer, with its radix if it has one: `65`, `8#101`.
fn number(token: &str) -> Option<u8> {
    match token.split_once('#') {
        Some((radix, digits)) => {
            let radix = radix.parse().ok().filter(|radix| (2..=36).contains(radix))?;
            u8::from_str_radix(digits, radix).ok()
        }
        None => token.parse().ok(),
    }
}

/// The encoding of a CFF program, by itself or in an OpenType font. Codes that the predefined charsets
/// encode as usual are missing.
fn cff_encoding(program: &[u8]) -> Option<Vec<(u8, String)>> {
    let face = RawFace::parse(program, 0).ok();
    let table = face.and_then(|face| face.table(Tag::from_bytes(b"CFF "))).unwrap_or(program);
    let table = cff::Table::parse(table)?;
    let name = |code| {
        let glyph = table.glyph_index(code).filter(|glyph| glyph.0 != 0)?;
        Some((code, table.glyph_name(glyph)?.to_owned()))
    };
    Some((0..=u8::MAX).filter_map(name).collect())
}

fn find(text: &[u8], part: &[u8]) -> Option<usize> {
    text.windows(part.len()).position(|window| window == part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_type_1_program_tells_its_encoding() {
        let program = b"%!PS-AdobeFont-1.0: CMR10\n/Encoding 256 array\n0 1 255 {1 index exch /.notdef put} for\n\
            dup 11 /ff put\ndup 8#101/A put\ndup 300 /B put\nreadonly def\ndup 66 /B put currentfile eexec";
        assert_eq!(type1_encoding(program), Some(vec![(11, "ff".into()), (65, "A".into())]));
        assert_eq!(type1_encoding(b"/Encoding StandardEncoding def eexec"), None);
        assert_eq!(type1_encoding(b"/Encoding 256 array dup 11 /ff put"), None);
    }

    /// A font of three glyphs: `.notdef`, and `A` and `loom` at the codes 1 and 2.
    const CFF: &[u8] = b"\x01\x00\x04\x01\
        \x00\x01\x01\x01\x02A\
        \x00\x01\x01\x01\x07\xab\x0f\xb0\x10\xb4\x11\
        \x00\x01\x01\x01\x05loom\
        \x00\x00\
        \x00\x00\x22\x01\x87\
        \x00\x02\x01\x02\
        \x00\x03\x01\x01\x02\x03\x04\x0e\x0e\x0e";

    #[test]
    fn a_cff_program_tells_its_encoding() {
        let found = cff_encoding(CFF).unwrap();
        let own: Vec<_> = found.iter().filter(|(code, _)| *code < 32).collect();
        assert_eq!(own, [&(1, "A".to_owned()), &(2, "loom".to_owned())]);
        assert_eq!(cff_encoding(b"%!PS"), None);
    }
}
