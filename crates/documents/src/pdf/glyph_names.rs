//! The text of glyph names.

use lopdf::{Dictionary, Document, Object};

use super::radicals::ideograph;

/// The text of each of the 256 codes of an encoding; empty where it has none.
pub(super) fn encoding(file: &Document, name: &[u8]) -> Vec<String> {
    let font = font(Object::Name(name.to_vec()));
    let encoding = font.get_font_encoding(file).ok();
    let letters = |code| encoding.as_ref().and_then(|it| it.bytes_to_string(&[code]).ok());
    (0..=u8::MAX).map(|code| letters(code).unwrap_or_default()).collect()
}

/// The text of a glyph name: `A`, `uni4E2D`, `u1F600`, `T_h`, `a.alt`.
pub(super) fn glyph_text(file: &Document, name: &str) -> Option<String> {
    let stem = name.split('.').next().filter(|stem| !stem.is_empty())?;
    if let Some(found) = look_up(file, stem).or_else(|| numbered(stem)) {
        return Some(found);
    }
    let parts = stem.contains('_').then(|| stem.split('_'))?;
    parts.map(|part| look_up(file, part).or_else(|| numbered(part))).collect()
}

/// Looks a name up in `lopdf`'s glyph list, which is private: an encoding made of the name gives
/// access.
fn look_up(file: &Document, name: &str) -> Option<String> {
    let mut encoding = Dictionary::new();
    let difference = vec![Object::Integer(0), Object::Name(name.into())];
    encoding.set("Differences", Object::Array(difference));
    let font = font(Object::Dictionary(encoding));
    let found = font.get_font_encoding(file).ok()?.bytes_to_string(&[0]).ok()?;
    (!found.is_empty()).then_some(found)
}

/// True if the name is a hexadecimal number with a letter among its two digits, as `G4B` and `4b`. Then
/// all numbers of the font are hexadecimal.
pub(super) fn is_hex_number(name: &str) -> bool {
    let digits = hex_digits(name).unwrap_or_default();
    digits.bytes().any(|digit| digit.is_ascii_alphabetic())
}

/// The text of a name that is a number (`a65`, `C0065`, `65`, `G41`): some fonts are named by their codes.
pub(super) fn code_text(name: &str, is_hex: bool) -> Option<String> {
    let digits = || name.trim_start_matches(|letter: char| letter.is_ascii_alphabetic());
    let code = match hex_digits(name).filter(|_| is_hex) {
        Some(digits) => u8::from_str_radix(digits, 16),
        None if name.len() - digits().len() > 2 || digits().len() < 2 => return None,
        None => digits().parse(),
    };
    code.ok().map(|code| char::from(code).into())
}

/// The two hexadecimal digits of a name; `None` if it is longer, apart from one letter before them.
fn hex_digits(name: &str) -> Option<&str> {
    let digits = match name.as_bytes() {
        [first, _, _] if first.is_ascii_alphabetic() => name.get(1..)?,
        [_, _] => name,
        _ => return None,
    };
    digits.bytes().all(|digit| digit.is_ascii_hexdigit()).then_some(digits)
}

fn numbered(name: &str) -> Option<String> {
    if let Some(units) =
        name.strip_prefix("uni").filter(|it| it.len() >= 4 && it.len().is_multiple_of(4))
    {
        let units: Option<Vec<u16>> = units
            .as_bytes()
            .chunks(4)
            .map(|unit| u16::from_str_radix(std::str::from_utf8(unit).ok()?, 16).ok())
            .collect();
        return units.and_then(|units| String::from_utf16(&units).ok());
    }
    let code = name.strip_prefix('u').filter(|it| (4..=6).contains(&it.len()))?;
    u32::from_str_radix(code, 16).ok().and_then(char::from_u32).map(String::from)
}

fn font(encoding: Object) -> Dictionary {
    let mut font = Dictionary::new();
    font.set("Type", Object::Name(b"Font".to_vec()));
    font.set("Encoding", encoding);
    font
}

/// Splits ligatures, replaces radicals by the ideographs they look like, and drops characters that
/// are not text, so that a search finds the word.
pub(super) fn normalize_text(letters: &str) -> String {
    let mut plain = String::with_capacity(letters.len());
    for letter in letters.chars() {
        match letter {
            'ﬀ' => plain.push_str("ff"),
            'ﬁ' => plain.push_str("fi"),
            'ﬂ' => plain.push_str("fl"),
            'ﬃ' => plain.push_str("ffi"),
            'ﬄ' => plain.push_str("ffl"),
            'ﬅ' | 'ﬆ' => plain.push_str("st"),
            '\u{2e80}'..='\u{2fdf}' => plain.push(ideograph(letter).unwrap_or(letter)),
            '\u{a0}' | '\t' | '\n' | '\r' => plain.push(' '),
            letter if letter.is_control() => {}
            letter => plain.push(letter),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stand_for_letters() {
        let file = Document::new();
        for (name, expected) in [
            ("A", Some("A")),
            ("germandbls", Some("ß")),
            ("fi", Some("ﬁ")),
            ("uni4E2D", Some("中")),
            ("u1F600", Some("😀")),
            ("T_h", Some("Th")),
            ("a.alt", Some("a")),
            (".notdef", None),
            ("g17", None),
        ] {
            assert_eq!(glyph_text(&file, name).as_deref(), expected, "{name}");
        }
        assert_eq!(encoding(&file, b"WinAnsiEncoding")[0xe9], "é");
        assert_eq!(normalize_text("eﬃcient\u{0}\u{a0}"), "efficient ");
        assert_eq!(normalize_text("⻅⾯⼈⻚，⺀中"), "见面人页，⺀中");
    }
}
