//! Splits text into the pieces within which tokens are merged, as the published patterns do.
//!
//! The patterns are hand-written code, because a regex engine is what makes other counters slow. Every piece
//! is found in one pass, whatever the text: the code never goes back beyond the piece it returns.

use super::char_classes::{
    CASELESS, CharClasses, LETTER, LINE_END, LOWER, MARK, NUMBER, OTHER, SPACE, UPPER, WHITESPACE,
};

/// A published pattern that splits the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SplitPattern {
    Cl100k,
    O200k,
}

/// The pieces of a text, in order and without gaps.
pub(super) struct PreTokens<'a> {
    classes: &'a CharClasses,
    pattern: SplitPattern,
    text: &'a [u8],
    start: usize,
}

impl<'a> PreTokens<'a> {
    pub(super) fn new(classes: &'a CharClasses, pattern: SplitPattern, text: &'a str) -> Self {
        Self { classes, pattern, text: text.as_bytes(), start: 0 }
    }

    /// The class of the character at `at`, and the position after it.
    #[inline]
    fn class(&self, at: usize) -> Option<(u8, usize)> {
        let byte = *self.text.get(at)?;
        match self.classes.of_ascii(byte) {
            Some(class) => Some((class, at + 1)),
            None => {
                let (code_point, length) = decode(self.text, at);
                Some((self.classes.of(code_point), at + length))
            }
        }
    }

    /// End of the run of characters of the classes in `mask`.
    #[inline]
    fn run(&self, mut at: usize, mask: u8) -> usize {
        while let Some((class, next)) = self.class(at) {
            if class & mask == 0 {
                break;
            }
            at = next;
        }
        at
    }

    fn byte(&self, at: usize) -> u8 {
        self.text.get(at).copied().unwrap_or(0)
    }

    /// `(?i:'s|'t|'re|'ve|'m|'ll|'d)`: its end, or `at` if it does not match.
    #[inline]
    fn contraction(&self, at: usize) -> usize {
        if self.byte(at) != b'\'' {
            return at;
        }
        let second = self.byte(at + 2).to_ascii_lowercase();
        match (self.byte(at + 1).to_ascii_lowercase(), second) {
            (b's' | b't' | b'm' | b'd', _) => at + 2,
            (b'r' | b'v', b'e') | (b'l', b'l') => at + 3,
            // ſ is the only letter outside ASCII that case-folds into one of these.
            (0xC5, 0xBF) => at + 3,
            _ => at,
        }
    }

    /// `\s*[\r\n]+`: the end after the last line end in the whitespace from `at` to `end`.
    fn after_last_line_end(&self, at: usize, end: usize) -> Option<usize> {
        let run = self.text.get(at..end)?;
        run.iter().rposition(|byte| matches!(byte, b'\r' | b'\n')).map(|last| at + last + 1)
    }

    /// `\s+(?!\S)|\s`: the last whitespace character belongs to the word after it.
    fn whitespace(&self, at: usize, end: usize) -> usize {
        if end == self.text.len() {
            return end;
        }
        let mut last = end - 1;
        while last > at && self.byte(last) & 0xC0 == 0x80 {
            last -= 1;
        }
        if last > at { last } else { end }
    }

    fn o200k(&self, at: usize, class: u8, next: usize) -> usize {
        if class & NUMBER != 0 {
            return self.digits(next);
        }
        if class & LETTER != 0 {
            return self.word(at).map_or(next, |end| self.contraction(end));
        }
        // `[^\r\n\p{L}\p{N}]?` before a word; a mark may also begin a word.
        if class != LINE_END {
            let word = self.word(next).or_else(|| self.word(at));
            if let Some(end) = word {
                return self.contraction(end);
            }
        }
        if let Some(end) = self.symbols(at, class, next) {
            return self.run_of(end, b"\r\n/");
        }
        let end = self.run(next, WHITESPACE);
        self.after_last_line_end(at, end).unwrap_or_else(|| self.whitespace(at, end))
    }

    /// `[Upper]*[Lower]+|[Upper]+[Lower]*`. Caseless letters and marks count as upper and as lower case.
    #[inline]
    fn word(&self, at: usize) -> Option<usize> {
        let mut upper_end = at;
        let mut last_lower_end = at;
        while let Some((class, next)) = self.class(upper_end) {
            if class & (UPPER | CASELESS | MARK) == 0 {
                break;
            }
            upper_end = next;
            if class != UPPER {
                last_lower_end = next;
            }
        }
        let end = self.run(upper_end, LOWER | CASELESS | MARK);
        if end > upper_end {
            Some(end)
        } else if last_lower_end > at {
            Some(last_lower_end)
        } else {
            (upper_end > at).then_some(upper_end)
        }
    }

    fn cl100k(&self, at: usize, class: u8, next: usize) -> usize {
        let contraction = self.contraction(at);
        if contraction > at {
            return contraction;
        }
        if class & NUMBER != 0 {
            return self.digits(next);
        }
        if class & LETTER != 0 {
            return self.run(next, LETTER);
        }
        if class != LINE_END {
            let end = self.run(next, LETTER);
            if end > next {
                return end;
            }
        }
        if let Some(end) = self.symbols(at, class, next) {
            return self.run_of(end, b"\r\n");
        }
        let end = self.run(next, WHITESPACE);
        if end == self.text.len() {
            return end;
        }
        self.after_last_line_end(at, end).unwrap_or_else(|| self.whitespace(at, end))
    }

    /// `\p{N}{1,3}`, the first of which ends at `at`.
    fn digits(&self, at: usize) -> usize {
        let mut end = at;
        for _ in 1..3 {
            match self.class(end) {
                Some((class, next)) if class & NUMBER != 0 => end = next,
                Some(_) | None => break,
            }
        }
        end
    }

    /// ` ?[^\s\p{L}\p{N}]+`.
    fn symbols(&self, at: usize, class: u8, next: usize) -> Option<usize> {
        let start = if class == SPACE && self.byte(at) == b' ' { next } else { at };
        let end = self.run(start, OTHER | MARK);
        (end > start).then_some(end)
    }

    fn run_of(&self, at: usize, set: &[u8]) -> usize {
        let rest = self.text.get(at..).unwrap_or_default();
        at + rest.iter().take_while(|byte| set.contains(byte)).count()
    }
}

/// A piece with all the text after it, so that whole words can be loaded beyond its end.
pub(super) struct PreToken<'a> {
    pub(super) from_here: &'a [u8],
    pub(super) length: usize,
}

impl<'a> Iterator for PreTokens<'a> {
    type Item = PreToken<'a>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let (class, next) = self.class(self.start)?;
        let end = match self.pattern {
            SplitPattern::Cl100k => self.cl100k(self.start, class, next),
            SplitPattern::O200k => self.o200k(self.start, class, next),
        };
        let piece = PreToken { from_here: self.text.get(self.start..)?, length: end - self.start };
        self.start = end;
        Some(piece)
    }
}

/// Code point and length of the character that begins at `at`.
///
/// The text is valid UTF-8, so the first byte gives the length. A position within a character returns that
/// byte with length 1.
#[inline]
pub(super) fn decode(text: &[u8], at: usize) -> (u32, usize) {
    let byte = |offset: usize| u32::from(text.get(at + offset).copied().unwrap_or(0));
    let tail = |offset: usize| byte(offset) & 0x3F;
    match byte(0) {
        lead @ 0xF0.. => ((lead & 0x07) << 18 | tail(1) << 12 | tail(2) << 6 | tail(3), 4),
        lead @ 0xE0.. => ((lead & 0x0F) << 12 | tail(1) << 6 | tail(2), 3),
        lead @ 0xC0.. => ((lead & 0x1F) << 6 | tail(1), 2),
        byte => (byte, 1),
    }
}
