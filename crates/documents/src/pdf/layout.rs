//! Groups positioned glyphs into words and lines.

use skein_domain::error::FileError;

use super::accents::accented;
use super::matrix::Point;
use crate::document::Document;
use crate::text_builder::TextBuilder;

/// The gap of a space, in parts of the font size.
const SPACE_GAP: f32 = 0.15;
/// The gap of a space where letters are spaced apart to fill a justified line, in parts of the font
/// size.
const WIDE_SPACE_GAP: f32 = 0.7;
/// The gap between two table columns, in parts of the font size.
const COLUMN_GAP: f32 = 2.0;
/// The vertical offset that still belongs to the line, as of an exponent, in parts of the font
/// size.
const LINE_OFFSET: f32 = 0.6;
/// The distance below the last line at which a paragraph begins, in parts of the font size. The
/// same distance upwards begins another column.
const PARAGRAPH_GAP: f32 = 1.9;

/// A glyph with its position.
pub(super) struct PlacedText<'a> {
    pub text: &'a str,
    pub from: Point,
    pub to: Point,
    pub height: f32,
}

struct PreviousLetter {
    text: String,
    from: Point,
    to: Point,
    direction: Point,
    height: f32,
}

/// The text of the pages so far.
pub(super) struct TextLayout {
    words: TextBuilder,
    line: String,
    last: Option<PreviousLetter>,
    /// Glyphs of this page.
    letters: usize,
    /// Glyphs of this page without a known text.
    unknown: usize,
}

impl TextLayout {
    pub(super) fn new(words: TextBuilder) -> Self {
        Self { words, line: String::new(), last: None, letters: 0, unknown: 0 }
    }

    /// Begins a page.
    pub(super) fn heading(&mut self, name: &str) -> Result<(), FileError> {
        self.end_line()?;
        self.last = None;
        (self.letters, self.unknown) = (0, 0);
        self.words.heading(name)
    }

    /// Ends a page. A page without glyphs, or with mostly unknown ones, is marked as a picture.
    pub(super) fn end_page(&mut self) -> Result<(), FileError> {
        self.end_line()?;
        if self.unknown * 2 > self.letters || !self.words.has_section_text() {
            self.words.replace_section("no text; it may be a picture");
        }
        Ok(())
    }

    /// Writes a list under a heading of its own; nothing if the list is empty.
    pub(super) fn write_list(
        &mut self,
        name: &str,
        items: impl Iterator<Item = String>,
    ) -> Result<(), FileError> {
        for (number, item) in items.enumerate() {
            if number == 0 {
                self.heading(name)?;
            }
            self.words.push(&format!("{item}\n"))?;
        }
        Ok(())
    }

    /// Fails if the reader was told to stop.
    pub(super) fn go_on(&self) -> Result<(), FileError> {
        self.words.check_stopped()
    }

    /// The finished document, with its number of pages.
    pub(super) fn document(self, pages: usize) -> Result<Document, FileError> {
        self.words.document(Some(pages))
    }

    /// Adds a glyph, preceded by a space, tab or line break according to the gap.
    pub(super) fn place(&mut self, drawn: &PlacedText<'_>) -> Result<(), FileError> {
        let way = drawn.to.from(drawn.from).unit();
        let way = way
            .or(self.last.as_ref().map(|last| last.direction))
            .unwrap_or(Point { x: 1.0, y: 0.0 });
        if self.is_shadow(drawn) || self.join_accent(drawn) {
            return Ok(());
        }
        match self.last.as_ref().map(|last| between(last, drawn, way)) {
            None | Some(LetterGap::Nothing) => {}
            Some(LetterGap::Space) => self.line.push(' '),
            Some(LetterGap::Column) => self.line.push('\t'),
            Some(LetterGap::Line) => self.end_line()?,
            Some(LetterGap::Paragraph) => {
                self.end_line()?;
                self.words.push("\n")?;
            }
        }
        self.letters += 1;
        self.unknown += usize::from(drawn.text.contains(char::REPLACEMENT_CHARACTER));
        self.line.push_str(drawn.text);
        let PlacedText { text, from, to, height } = *drawn;
        self.last =
            Some(PreviousLetter { text: text.to_owned(), from, to, direction: way, height });
        self.words.fits(self.line.len())
    }

    /// True if the same glyph was drawn at nearly the same position, which imitates bold type.
    fn is_shadow(&self, drawn: &PlacedText<'_>) -> bool {
        self.last.as_ref().is_some_and(|last| {
            last.text == drawn.text
                && !drawn.text.trim().is_empty()
                && drawn.from.from(last.from).length() < 0.1 * drawn.height
        })
    }

    /// Joins a letter and an accent if one was just drawn over the other.
    fn join_accent(&mut self, drawn: &PlacedText<'_>) -> bool {
        let Some(last) = &mut self.last else { return false };
        let (joined, is_accent) = match accented(&last.text, drawn.text) {
            Some(joined) => (joined, true),
            None => match accented(drawn.text, &last.text) {
                Some(joined) => (joined, false),
                None => return false,
            },
        };
        let (old, new) = ((last.from, last.to), (drawn.from, drawn.to));
        let (letter, accent) = if is_accent { (old, new) } else { (new, old) };
        if !is_over(accent, letter, last.direction, last.height.max(drawn.height))
            || !self.line.ends_with(&last.text)
        {
            return false;
        }
        self.line.truncate(self.line.len() - last.text.len());
        self.line.push_str(&joined);
        (last.from, last.to) = letter;
        last.text = joined;
        true
    }

    fn end_line(&mut self) -> Result<(), FileError> {
        let line = std::mem::take(&mut self.line);
        let line = line.trim();
        if line.is_empty() { Ok(()) } else { self.words.push(&format!("{line}\n")) }
    }
}

enum LetterGap {
    Nothing,
    Space,
    Column,
    Line,
    Paragraph,
}

fn between(last: &PreviousLetter, drawn: &PlacedText<'_>, way: Point) -> LetterGap {
    let height = last.height.max(drawn.height);
    let step = drawn.from.from(last.to);
    let (gap, down) = (step.dot(last.direction), step.cross(last.direction));
    let same_way = way.dot(last.direction) > 0.9;
    // NaN is on no line.
    if !(same_way && down.abs() < LINE_OFFSET * height && gap > -LINE_OFFSET * height) {
        let next = same_way && (-height * LINE_OFFSET..PARAGRAPH_GAP * height).contains(&down);
        return if next { LetterGap::Line } else { LetterGap::Paragraph };
    }
    let spaced =
        last.text.ends_with(char::is_whitespace) || drawn.text.starts_with(char::is_whitespace);
    let solid = is_set_solid(&last.text) && is_set_solid(drawn.text);
    if gap > COLUMN_GAP * height {
        LetterGap::Column
    } else if !spaced && gap > if solid { WIDE_SPACE_GAP } else { SPACE_GAP } * height {
        LetterGap::Space
    } else {
        LetterGap::Nothing
    }
}

/// True if the middle of the accent is above or below the letter; both by their ends.
fn is_over(accent: (Point, Point), letter: (Point, Point), way: Point, height: f32) -> bool {
    let (from, to) = (accent.0.from(letter.0), accent.1.from(letter.0));
    let middle = (from.dot(way) + to.dot(way)) / 2.0;
    let width = letter.1.from(letter.0).dot(way);
    (0.0..=width).contains(&middle) && from.cross(way).abs() < height
}

/// True for Chinese and Japanese, which have no spaces between words.
fn is_set_solid(text: &str) -> bool {
    text.chars().all(|letter| matches!(letter, '\u{2e80}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{fe30}'..='\u{fe4f}' | '\u{ff00}'..='\u{ffef}' | '\u{20000}'..='\u{3ffff}'))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text of glyphs of size 10 on one line, each with its beginning and end.
    fn text(glyphs: &[(&str, f32, f32)]) -> String {
        let mut layout = TextLayout::new(TextBuilder::new().0);
        for (text, from, to) in glyphs {
            let (from, to) = (Point { x: *from, y: 0.0 }, Point { x: *to, y: 0.0 });
            layout.place(&PlacedText { text, from, to, height: 10.0 }).unwrap();
        }
        layout.end_line().unwrap();
        layout.document(1).unwrap().text.trim_end().to_owned()
    }

    #[test]
    fn a_narrow_gap_is_a_space_and_kerning_is_none() {
        assert_eq!(text(&[("a", 0.0, 5.0), ("b", 6.6, 11.6), ("c", 12.6, 17.6)]), "a bc");
    }

    #[test]
    fn an_accent_drawn_over_a_letter_joins_it_in_either_order() {
        assert_eq!(text(&[("´", 0.5, 4.5), ("e", 0.0, 5.0), ("t", 5.0, 8.0)]), "ét");
        assert_eq!(text(&[("c", 0.0, 5.0), ("¸", 0.5, 4.5), ("a", 5.0, 10.0)]), "ça");
        assert_eq!(text(&[("a", 0.0, 5.0), ("´", 5.0, 9.0), ("e", 9.0, 14.0)]), "a´e");
    }
}
