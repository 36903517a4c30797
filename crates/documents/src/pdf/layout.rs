//! Words and lines, of letters that only stand somewhere.

use skein_domain::error::FileError;

use super::matrix::Point;
use crate::document::Document;
use crate::text_builder::TextBuilder;

/// A gap of so much of a letter's height is a space.
const SPACE: f32 = 0.2;
/// Width of a space where letters are spaced apart to fill a justified line. In parts of the font size.
const WIDE_SPACE: f32 = 0.7;
/// A gap so wide lies between two columns of a table.
const COLUMN: f32 = 2.0;
/// Letters so far beside a line still belong to it, as an exponent does.
const RAISED: f32 = 0.6;
/// So far below the last line a paragraph begins, or somewhere above it another column.
const PARAGRAPH: f32 = 1.9;

/// A letter as it was drawn.
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

/// What the pages say so far.
pub(super) struct TextLayout {
    words: TextBuilder,
    line: String,
    last: Option<PreviousLetter>,
    /// Letters of this page.
    letters: usize,
    /// Those of which the file does not tell what they are.
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

    /// Ends a page. Where it has no letters, or most of them are drawn without a word of what they are, it
    /// is a picture.
    pub(super) fn end_page(&mut self) -> Result<(), FileError> {
        self.end_line()?;
        if self.unknown * 2 > self.letters || !self.words.has_section_text() {
            self.words.replace_section("no text; it may be a picture");
        }
        Ok(())
    }

    /// Says what stands beside a page's content under a heading of its own, where there is any.
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

    /// Whether somebody still waits.
    pub(super) fn go_on(&self) -> Result<(), FileError> {
        self.words.check_stopped()
    }

    /// The document, of so many pages.
    pub(super) fn document(self, pages: usize) -> Result<Document, FileError> {
        self.words.document(Some(pages))
    }

    /// Adds a letter, with what lies between it and the one before.
    pub(super) fn place(&mut self, drawn: &PlacedText<'_>) -> Result<(), FileError> {
        let way = drawn.to.from(drawn.from).unit();
        let way = way
            .or(self.last.as_ref().map(|last| last.direction))
            .unwrap_or(Point { x: 1.0, y: 0.0 });
        if self.is_shadow(drawn) {
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

    /// The same letter once more in nearly the same place makes it look bold.
    fn is_shadow(&self, drawn: &PlacedText<'_>) -> bool {
        self.last.as_ref().is_some_and(|last| {
            last.text == drawn.text
                && !drawn.text.trim().is_empty()
                && drawn.from.from(last.from).length() < 0.1 * drawn.height
        })
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
    // What is no number is on no line.
    if !(same_way && down.abs() < RAISED * height && gap > -RAISED * height) {
        let next = same_way && (-height * RAISED..PARAGRAPH * height).contains(&down);
        return if next { LetterGap::Line } else { LetterGap::Paragraph };
    }
    let spaced =
        last.text.ends_with(char::is_whitespace) || drawn.text.starts_with(char::is_whitespace);
    let solid = is_set_solid(&last.text) && is_set_solid(drawn.text);
    if gap > COLUMN * height {
        LetterGap::Column
    } else if !spaced && gap > if solid { WIDE_SPACE } else { SPACE } * height {
        LetterGap::Space
    } else {
        LetterGap::Nothing
    }
}

/// Chinese and Japanese have no spaces between words.
fn is_set_solid(text: &str) -> bool {
    text.chars().all(|letter| matches!(letter, '\u{2e80}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{fe30}'..='\u{fe4f}' | '\u{ff00}'..='\u{ffef}' | '\u{20000}'..='\u{3ffff}'))
}
