//! The classes of characters that the published splitting patterns distinguish, as one byte each.
//!
//! The Unicode tables are those of `regex-syntax`, which the regex engine of the published patterns uses too.

use regex_syntax::hir::{Class, HirKind};

/// `\p{Lu}` and `\p{Lt}`.
pub(super) const UPPER: u8 = 1;
/// `\p{Ll}`.
pub(super) const LOWER: u8 = 2;
/// `\p{Lm}` and `\p{Lo}`: letters without case, which count as upper and as lower.
pub(super) const CASELESS: u8 = 4;
/// `\p{M}`.
pub(super) const MARK: u8 = 8;
/// `\p{N}`.
pub(super) const NUMBER: u8 = 16;
/// `\s` except for the two line ends.
pub(super) const SPACE: u8 = 32;
/// `\r` and `\n`.
pub(super) const LINE_END: u8 = 64;
/// Everything else: punctuation, symbols, controls, what is not assigned.
pub(super) const OTHER: u8 = 128;

/// `\p{L}`.
pub(super) const LETTER: u8 = UPPER | LOWER | CASELESS;
/// `\s`.
pub(super) const WHITESPACE: u8 = SPACE | LINE_END;

const PAGE: usize = 256;

/// The class of every code point in pages of 256. Equal pages are stored once, so that a text in one script
/// needs only a few cache lines.
pub(super) struct CharClasses {
    ascii: [u8; 128],
    page_of: Vec<u8>,
    pages: Vec<[u8; PAGE]>,
}

impl CharClasses {
    pub(super) fn new() -> Self {
        let mut flat = vec![OTHER; char::MAX as usize + 1];
        for (pattern, class) in [
            (r"\s", SPACE),
            (r"[\r\n]", LINE_END),
            (r"\p{N}", NUMBER),
            (r"\p{M}", MARK),
            (r"[\p{Lm}\p{Lo}]", CASELESS),
            (r"\p{Ll}", LOWER),
            (r"[\p{Lu}\p{Lt}]", UPPER),
        ] {
            for (first, last) in ranges(pattern) {
                if let Some(range) = flat.get_mut(first as usize..=last as usize) {
                    range.fill(class);
                }
            }
        }
        let mut classes = Self { ascii: [OTHER; 128], page_of: Vec::new(), pages: Vec::new() };
        for (class, flat) in classes.ascii.iter_mut().zip(&flat) {
            *class = *flat;
        }
        for page in flat.as_chunks::<PAGE>().0 {
            let known = classes.pages.iter().position(|known| known == page);
            classes.page_of.push(known.unwrap_or(classes.pages.len()) as u8);
            if known.is_none() {
                classes.pages.push(*page);
            }
        }
        classes
    }

    /// The class of an ASCII byte; `None` for a byte of a longer character.
    #[inline]
    pub(super) fn of_ascii(&self, byte: u8) -> Option<u8> {
        self.ascii.get(usize::from(byte)).copied()
    }

    #[inline]
    pub(super) fn of(&self, code_point: u32) -> u8 {
        let code_point = code_point as usize;
        self.page_of
            .get(code_point / PAGE)
            .and_then(|page| self.pages.get(usize::from(*page)))
            .and_then(|page| page.get(code_point % PAGE))
            .copied()
            .unwrap_or(OTHER)
    }
}

fn ranges(pattern: &str) -> Vec<(char, char)> {
    let Ok(parsed) = regex_syntax::parse(pattern) else { return Vec::new() };
    match parsed.kind() {
        HirKind::Class(Class::Unicode(class)) => {
            class.iter().map(|range| (range.start(), range.end())).collect()
        }
        // `regex-syntax` returns classes of only ASCII characters, or of one character, in another form.
        HirKind::Class(Class::Bytes(_)) | HirKind::Literal(_) => Vec::new(),
        HirKind::Empty
        | HirKind::Look(_)
        | HirKind::Repetition(_)
        | HirKind::Capture(_)
        | HirKind::Concat(_)
        | HirKind::Alternation(_) => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_character_has_the_class_that_the_regex_engine_gives_it() -> Result<(), regex::Error> {
        let classes = CharClasses::new();
        assert!(classes.pages.len() < 256, "page numbers fit a byte");
        for (pattern, mask) in [
            (r"\p{L}", LETTER),
            (r"\s", WHITESPACE),
            (r"[\r\n]", LINE_END),
            (r"\p{N}", NUMBER),
            (r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]", UPPER | CASELESS | MARK),
            (r"[\p{Ll}\p{Lm}\p{Lo}\p{M}]", LOWER | CASELESS | MARK),
            (r"[^\s\p{L}\p{N}]", OTHER | MARK),
        ] {
            let regex = regex::Regex::new(&format!("^{pattern}$"))?;
            for character in '\0'..=char::MAX {
                let matches = regex.is_match(character.encode_utf8(&mut [0; 4]));
                let ours = classes.of(character as u32) & mask != 0;
                assert_eq!(ours, matches, "{character:?} and {pattern}");
            }
        }
        Ok(())
    }
}
