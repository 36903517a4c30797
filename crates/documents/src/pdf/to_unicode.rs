//! `ToUnicode`: the file's own map from the codes of a font to text.

use std::collections::HashMap;

/// The map from codes to text.
#[derive(Debug, Default)]
pub(super) struct ToUnicodeMap {
    single: HashMap<u32, String>,
    /// The first and last code of a range and the text of the first, sorted.
    ranges: Vec<(u32, u32, Vec<u16>)>,
}

impl ToUnicodeMap {
    /// The map of codes that are UTF-16 units: some files name `Identity-H` in place of a map.
    pub(super) fn identity() -> Self {
        Self { single: HashMap::new(), ranges: vec![(0, 0xffff, vec![0])] }
    }

    pub(super) fn read(source: &[u8]) -> Self {
        let mut found = Self::default();
        let mut tokens = CMapTokens(source);
        let mut mode = CMapSection::Other;
        while let Some(token) = tokens.next() {
            match (token, mode) {
                (CMapToken::Word(b"beginbfchar"), _) => mode = CMapSection::Single,
                (CMapToken::Word(b"beginbfrange"), _) => mode = CMapSection::Ranges,
                (CMapToken::Word(b"endbfchar" | b"endbfrange"), _) => mode = CMapSection::Other,
                (CMapToken::Hex(code), CMapSection::Single) => {
                    if let Some(CMapToken::Hex(to)) = tokens.next() {
                        found.single.insert(number(&code), letters(&units(&to)));
                    }
                }
                (CMapToken::Hex(first), CMapSection::Ranges) => {
                    found.range(number(&first), &mut tokens)
                }
                (
                    CMapToken::Hex(_) | CMapToken::Open | CMapToken::Close | CMapToken::Word(_),
                    _,
                ) => {}
            }
        }
        found.ranges.sort_by_key(|(first, ..)| *first);
        found
    }

    fn range(&mut self, first: u32, tokens: &mut CMapTokens<'_>) {
        let Some(CMapToken::Hex(last)) = tokens.next() else { return };
        match tokens.next() {
            Some(CMapToken::Hex(to)) => self.ranges.push((first, number(&last), units(&to))),
            Some(CMapToken::Open) => {
                let mut code = first;
                while let Some(CMapToken::Hex(to)) = tokens.next() {
                    self.single.insert(code, letters(&units(&to)));
                    code = code.saturating_add(1);
                }
            }
            Some(CMapToken::Close | CMapToken::Word(_)) | None => {}
        }
    }

    /// The text of a code; `None` if the map has none.
    pub(super) fn letters(&self, code: u32) -> Option<String> {
        if let Some(found) = self.single.get(&code) {
            return Some(found.clone());
        }
        let behind = self.ranges.partition_point(|(first, ..)| *first <= code);
        let (first, last, to) = self.ranges.get(behind.checked_sub(1)?)?;
        if code > *last {
            return None;
        }
        let mut to = to.clone();
        let step = u16::try_from(code - first).ok()?;
        if let Some(unit) = to.last_mut() {
            *unit = unit.wrapping_add(step);
        }
        Some(letters(&to))
    }
}

/// The lowest and the highest code of a range of codes of one length.
pub(super) type Codespace = (Vec<u8>, Vec<u8>);

/// The limit of codespaces of a CMap.
const MAX_CODESPACES: usize = 100;

/// The codespaces of a CMap.
pub(super) fn codespaces(source: &[u8]) -> Vec<Codespace> {
    let (mut found, mut low, mut is_within) = (Vec::new(), None, false);
    for token in CMapTokens(source) {
        match token {
            CMapToken::Word(word) => is_within = word == b"begincodespacerange",
            CMapToken::Hex(code) if is_within => match low.take() {
                Some(low) => found.push((low, code)),
                None => low = Some(code),
            },
            CMapToken::Hex(_) | CMapToken::Open | CMapToken::Close => {}
        }
        if found.len() == MAX_CODESPACES {
            break;
        }
    }
    found
}

#[derive(Clone, Copy)]
enum CMapSection {
    Single,
    Ranges,
    Other,
}

enum CMapToken<'a> {
    Hex(Vec<u8>),
    Open,
    Close,
    Word(&'a [u8]),
}

struct CMapTokens<'a>(&'a [u8]);

impl<'a> CMapTokens<'a> {
    /// The bytes before the first that satisfies `ends`.
    fn until(&mut self, ends: impl Fn(u8) -> bool) -> &'a [u8] {
        let end = self.0.iter().position(|byte| ends(*byte)).unwrap_or(self.0.len());
        let (taken, rest) = self.0.split_at_checked(end).unwrap_or((self.0, &[]));
        self.0 = rest;
        taken
    }
}

impl<'a> Iterator for CMapTokens<'a> {
    type Item = CMapToken<'a>;

    fn next(&mut self) -> Option<CMapToken<'a>> {
        loop {
            let (first, rest) = self.0.split_first()?;
            match first {
                b'<' if !rest.starts_with(b"<") => {
                    self.0 = rest;
                    return Some(CMapToken::Hex(bytes(self.until(|byte| byte == b'>'))));
                }
                b'[' | b']' => {
                    self.0 = rest;
                    return Some(if *first == b'[' { CMapToken::Open } else { CMapToken::Close });
                }
                b'%' => drop(self.until(|byte| byte == b'\n' || byte == b'\r')),
                b'a'..=b'z' => {
                    return Some(CMapToken::Word(self.until(|byte| !byte.is_ascii_alphabetic())));
                }
                _ => self.0 = rest,
            }
        }
    }
}

fn bytes(hex: &[u8]) -> Vec<u8> {
    let digit =
        |byte: &u8| char::from(*byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    let digits: Vec<u8> = hex.iter().filter_map(digit).collect();
    let whole = |pair: &[u8]| pair.iter().fold(0, |all: u8, digit| all << 4 | digit);
    digits.chunks(2).map(whole).collect()
}

fn number(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0, |all, byte| all << 8 | u32::from(*byte))
}

fn units(bytes: &[u8]) -> Vec<u16> {
    bytes
        .chunks(2)
        .map(|pair| pair.iter().fold(0, |all, byte| all << 8 | u16::from(*byte)))
        .collect()
}

fn letters(units: &[u16]) -> String {
    String::from_utf16_lossy(units)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_read_singly_in_ranges_and_in_lists() {
        let map = b"/CIDInit /ProcSet findresource begin % <99> <0041>\n\
            1 begincodespacerange <0000> <FFFF> endcodespacerange\n\
            2 beginbfchar <0001> <4E2D> <0002> <D83DDE00> endbfchar\n\
            3 beginbfrange <0010> <0012> <0061> <0020> <0021> [<0066 0069> <6587>]\n\
            <00000030> <FFFFFFFF> <0041> endbfrange";
        let unicode = ToUnicodeMap::read(map);
        for (code, expected) in [
            (1, Some("中")),
            (2, Some("😀")),
            (0x11, Some("b")),
            (0x13, None),
            (0x20, Some("fi")),
            (0x21, Some("文")),
            (0x31, Some("B")),
            (0x99, Some("ª")),
        ] {
            assert_eq!(unicode.letters(code).as_deref(), expected, "{code:x}");
        }
        assert_eq!(ToUnicodeMap::read(b"1 beginbfchar <01").letters(1), None);
        assert_eq!(codespaces(map), [(vec![0, 0], vec![0xff, 0xff])]);
        assert_eq!(ToUnicodeMap::identity().letters(0x4e2d).as_deref(), Some("中"));
    }
}
